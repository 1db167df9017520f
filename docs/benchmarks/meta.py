"""Time and memory of measures of measures, how they grow, and naive code beside them.

Needs no data. From the project's root: ``python -m docs.benchmarks.meta [--quick]``.
"""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import combinations, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import kendalltau

from docs.benchmarks.ordering import RATIOS, heading, ratios, row
from docs.benchmarks.ordering_cases import alone
from weps._version import VERSION
from weps_eval.meta.correlation import Coefficient
from weps_eval.meta.correlation_levels import Level, correlate_with_humans
from weps_eval.meta.hbr import hbr
from weps_eval.meta.heterogeneity import PairwisePreferences, sampled_pairs
from weps_eval.meta.judged import Similarities
from weps_eval.meta.qarla import Conditions, king, king_by_measure, queen
from weps_eval.meta.regression import vrm

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
MODELS, PEERS, MEASURES, TOPICS = 11, 35, 59, 100


def main() -> None:
    """Print every table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="a tenth of the sizes that grow")
    scale = 10 if parser.parse_args().quick else 1
    print(
        f"{datetime.now(UTC):%Y-%m-%d}  {platform.machine()}, {os.cpu_count()} cores, load "
        f"{os.getloadavg()[0]:.1f}  Python {platform.python_version()}  numpy {np.__version__}  "
        f"weps {VERSION}"
    )
    print("Made-up values; each case in a process of its own; memory is the most that it held.")
    of_qarla(scale)
    of_ranking(scale)
    of_regression(scale)
    of_correlation(scale)


def of_qarla(scale: int) -> None:
    """QUEEN and KING by bits, and triple by triple."""
    topics = max(1, TOPICS // scale)
    title = f"QARLA, {MEASURES} measures × {PEERS} peers × {MODELS} models × {topics} topics"
    heading(title)
    made = partial(similarities, topics)
    row("conditions in bits", alone(conditions, made))
    row("and KING of every measure", alone(all_kings, made))
    row("and KING of all together", alone(one_king, made))
    heading("QUEEN of every measure on one topic", RATIOS)
    few = partial(similarities, 1)
    here, naive = alone(queens, few, rounds=3), alone(naive_queens, few)
    row("here", here)
    row("triple by triple, in Python", naive, ratios(naive, here) + same(naive, here))


def similarities(topics: int) -> tuple[list[Similarities]]:
    """Made-up similarities of peers and models with models."""
    drawn = np.random.default_rng(0)
    return (
        [
            Similarities(
                drawn.random((MEASURES, PEERS, MODELS)), drawn.random((MEASURES, MODELS, MODELS))
            )
            for _ in range(topics)
        ],
    )


def conditions(topics: Sequence[Similarities]) -> int:
    """The bits alone."""
    return len(Conditions.of(topics).panels)


def all_kings(topics: Sequence[Similarities]) -> Floats:
    """KING of every measure."""
    return king_by_measure(Conditions.of(topics))


def one_king(topics: Sequence[Similarities]) -> Floats:
    """KING of the set of all."""
    return king(Conditions.of(topics))


def queens(topics: Sequence[Similarities]) -> list[float]:
    """QUEEN of each peer, every measure by itself."""
    bits = Conditions.of(topics)
    return [
        round(float(value), 12)
        for measure in range(MEASURES)
        for value in np.ravel(queen(bits, [measure])[0])
    ]


def naive_queens(topics: Sequence[Similarities]) -> list[float]:
    """The same by its definition."""
    (topic,) = topics
    models = range(topic.models.shape[1])
    triples = list(permutations(models, 3))
    return [
        round(sum(peer[m] >= own[n][o] for m, n, o in triples) / len(triples), 12)
        for peers, own in zip(topic.peers.tolist(), topic.models.tolist(), strict=True)
        for peer in peers
    ]


def of_ranking(scale: int) -> None:
    """HBR over all pairs of instances, and comparison by comparison."""
    heading("HBR, 64 measures, 1,000 samples, one group (goal: 1,000 instances, 20 s, 1 GB)")
    for size in (500, 1_000, 2_000, 4_000):
        row(f"{size // scale:,} instances", alone(ranked, partial(values, 64, size // scale)))
    heading("HBR, 8 measures, 60 instances, 200 samples", RATIOS)
    few = partial(values, 8, 60)
    here, naive = alone(partial(ranked, samples=200), few, rounds=3), alone(naive_ranked, few)
    row("here", here)
    row("set by set, in Python", naive, ratios(naive, here) + same(naive, here))


def values(measures: int, size: int) -> tuple[Floats]:
    """Made-up values that share a hidden truth."""
    drawn = np.random.default_rng(0)
    return (drawn.normal(size=size) + drawn.normal(size=(measures, size)),)


def ranked(table: Floats, samples: int = 1_000) -> list[float]:
    """HBR of every instance."""
    return hbr(table, PairwisePreferences.sampled(table, samples)).round(12).tolist()


def naive_ranked(table: Floats, samples: int = 200) -> list[float]:
    """The same by its definition; the pairs sampled are those of :func:`ranked`."""
    drawn = both(sampled_pairs(table.shape[1], samples))
    rows, found = table.tolist(), []
    for i in range(table.shape[1]):
        shares = []
        for j in range(table.shape[1]):
            chosen = [each for each in rows if each[i] >= each[j]]
            contrary = sum(
                any(each[a] > each[b] for each in chosen)
                and any(each[a] < each[b] for each in chosen)
                for a, b in drawn
            )
            shares.append(contrary / len(drawn) if i != j else 0.0)
        found.append(round(sum(shares) / (len(shares) - 1), 12))
    return found


def both(pairs: Any) -> list[tuple[int, int]]:
    """Pairs of instances as numbers."""
    return list(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True))


def of_regression(scale: int) -> None:
    """VRM over all subsets."""
    heading("VRM, 1,600 instances")
    for measures in (8, 12, 16, 20 if scale == 1 else 17):
        row(f"{2**measures:,} subsets", alone(voted, partial(judged, measures)))
    heading("VRM, 256 subsets", RATIOS)
    few = partial(judged, 8)
    here, naive = alone(voted, few, rounds=3), alone(naive_voted, few)
    row("here", here)
    row("numpy.linalg.lstsq for each subset", naive, ratios(naive, here) + same(naive, here))


def judged(measures: int) -> tuple[Floats, Floats]:
    """Made-up values, and scores that depend on them."""
    (table,) = values(measures, 1_600)
    return table, table.mean(axis=0) + np.random.default_rng(1).normal(size=1_600)


def voted(table: Floats, human: Floats) -> int:
    """How many subsets are within 2 of the best AICc."""
    return len(vrm(table, human).subsets)


def naive_voted(table: Floats, human: Floats) -> int:
    """The same, each subset fitted by itself."""
    size, criteria = len(human), []
    for number in range(1, len(table) + 1):
        for chosen in combinations(range(len(table)), number):
            design = np.vstack([np.ones(size), table[list(chosen)]]).T
            residual = float(np.linalg.lstsq(design, human, rcond=None)[1][0])
            k = number + 2
            criteria.append(
                size * np.log(residual / size) + 2 * k + 2 * k * (k + 1) / (size - k - 1)
            )
    return int((np.array(criteria) <= min(criteria) + 2).sum())


def of_correlation(scale: int) -> None:
    """Kendall's coefficient by outputs with its interval."""
    heading("Kendall by outputs, 100 topics × 16 systems, 1,000 resamples of topics", RATIOS)
    resamples = 1_000 // scale
    here = alone(partial(kendall, resamples=resamples), table_of)
    row("here", here)
    few = 10
    naive = alone(partial(naive_kendall, resamples=few), table_of)
    row(f"scipy on each of {few} resamples", naive, ratios(naive, here, resamples / few))


def table_of() -> tuple[Floats, Floats, Ints, Ints]:
    """Made-up values and scores of 1,600 outputs."""
    table, human = judged(1)
    topics, systems = np.divmod(np.arange(1_600), 16)
    return table, human.round(1), topics, systems


def kendall(table: Floats, human: Floats, topic: Ints, system: Ints, resamples: int) -> float:
    """The coefficient, drawn anew."""
    found = correlate_with_humans(
        table,
        human,
        topic,
        system,
        level=Level.SEGMENT,
        kind=Coefficient.KENDALL,
        resamples=resamples,
    )
    return float(found.value[0])


def naive_kendall(table: Floats, human: Floats, topic: Ints, _: Ints, resamples: int) -> float:
    """Outputs of topics drawn anew, by scipy."""
    drawn, rows = np.random.default_rng(0), np.arange(len(topic)).reshape(-1, 16)
    for _ in range(resamples):
        chosen = rows[drawn.integers(0, len(rows), len(rows))].ravel()
        kendalltau(table[0, chosen], human[chosen])
    return float(kendalltau(table[0], human).statistic)


def same(naive: Any, here: Any) -> str:
    """Whether both give the same."""
    agree = naive.result == here.result
    return f"; same: {'yes' if agree else 'NO'}"


if __name__ == "__main__":
    main()
