"""Made-up instances, and findings of every word that a rule can say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from math import nan
from types import MappingProxyType

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from weps_eval.stats.estimate import Estimate, PairCounts, resample_weights, resampled_shares
from weps_eval.studies.features import findings as rankings
from weps_eval.studies.features.findings import (
    Findings,
    Plan,
    Ranking,
    SimilarityComparison,
    compute_findings,
)
from weps_eval.studies.features.trees import (
    Bound,
    Combination,
    TreeConfidences,
    TreeSettings,
    cross_validate_trees,
)
from weps_eval.tables.instances import Instances

UNKNOWN = Estimate(nan, nan, nan)
SMALL = TreeSettings(depth=3, leaf=3, repeats=2)
"""Trees that a few dozen instances can teach."""
BETTER, SAME, WORSE = (0.6, 0.58, 0.62), (0.5, 0.5, 0.5), (0.4, 0.38, 0.42)
"""Average precision of the groups as they are, and of two resamples."""


def made(
    values: Sequence[Sequence[float]],
    positive: Sequence[bool],
    group: Sequence[int] | None = None,
    measures: Sequence[str] = (),
) -> Instances:
    """Instances of measures ``m0``, ``m1`` … if not called otherwise, of groups ``g0`` …"""
    members = np.array(group if group is not None else [0] * len(positive), dtype=np.int32)
    return Instances(
        tuple(measures) or tuple(f"m{number}" for number in range(len(values))),
        np.array(values, dtype=np.float64),
        np.array(positive, dtype=np.bool_),
        members,
        tuple(f"g{number}" for number in range(int(members.max()) + 1)),
    )


def noisy(
    measures: Sequence[str] = ("m0", "m1", "m2", "m3"), groups: int = 6, size: int = 20
) -> Instances:
    """So many instances of every group; each measure tells less than the one before it."""
    generator = np.random.default_rng(8)
    positive = generator.random(groups * size) < 0.4
    values = [
        generator.integers(0, 5 + 2 * number, len(positive)) + 2 * positive
        for number in range(len(measures))
    ]
    return made(values, positive, np.repeat(np.arange(groups), size), measures)


@st.composite
def instances(draw: st.DrawFn, measures: int = 3, groups: int = 3) -> Instances:
    """Few distinct values, both labels; the first groups have an instance each."""
    size = draw(st.integers(max(groups, 2), 25))
    values = draw(arrays(float, (measures, size), elements=st.integers(0, 3).map(float)))
    rest = draw(arrays(bool, size - 2))
    members = draw(arrays(np.int64, size - groups, elements=st.integers(0, groups - 1)))
    return made(values, [True, False, *rest], [*range(groups), *members])


@cache
def small_findings(
    measures: tuple[str, ...] = ("m0", "m1", "m2", "m3"), groups: int = 6, base: str = ""
) -> Findings:
    """What there is to find in noisy instances."""
    studied = noisy(measures, groups)
    plan = Plan(base or measures[0], (), random=6, exhaustive=2, seed=0)
    return compute_findings(studied, studied, partial(_trees, studied), plan)


def findings_with(
    bounds: Sequence[Bound] = (),
    pearson: Estimate = UNKNOWN,
    base: str = "token",
    precisions: Mapping[str, Sequence[float]] = MappingProxyType({}),
    among_better: Estimate = UNKNOWN,
    comparison: SimilarityComparison | None = None,
    recognisers: tuple[str, ...] = (),
) -> Findings:
    """Findings with these bounds, and of features with these average precisions."""
    plan = Plan(base, (), 0, 0, 0)
    return replace(
        small_findings(),
        plan=plan,
        rankings={name: ranking(name, *figures) for name, figures in precisions.items()},
        bounds=tuple(bounds),
        pearson=pearson,
        among_better=among_better,
        comparison=comparison,
        recognisers=recognisers,
    )


def ranking(measure: str, *figures: float, non_redundant: Estimate = UNKNOWN) -> Ranking:
    """A ranking with that average precision, of the groups as they are and then of resamples."""
    curve = small_findings().rankings["m0"].curve
    five = [UNKNOWN] * 5
    return Ranking(measure, curve, np.array(figures), *five, non_redundant, UNKNOWN)


def tally(shares: Sequence[float], comparisons: float = 100) -> PairCounts:
    """Groups that are compared with themselves only."""
    total = np.diag([comparisons] * len(shares))
    return PairCounts(total * np.diag(shares), total)


def bound_of(
    name: str,
    max_pwa: Sequence[float],
    tree_pwa: Sequence[float],
    tree_auc: Sequence[float] | None = None,
) -> Bound:
    """A combination with these figures in each group; trees tie nothing if not said otherwise."""
    trees = [tally(tree_pwa), tally(tree_pwa if tree_auc is None else tree_auc)]
    measures = ("token", "lemma") if name == "all" else ("token",)
    return Bound(Combination(name, "set", measures), tally(max_pwa), *trees, UNKNOWN)


def rivals_with(
    dice: Sequence[float], cosine: Sequence[float], overlap: Sequence[float]
) -> SimilarityComparison:
    """One feature under three measures."""
    figures = np.array([[dice, cosine, overlap]])
    return SimilarityComparison(("token",), ("dice", "cosine", "overlap"), figures)


@contextmanager
def resamples(number: int) -> Iterator[None]:
    """Groups are drawn that often only: drawing takes longer than studying."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rankings, "_RESAMPLES", min(number, 50))
        patch.setattr(resample_weights.__wrapped__, "__defaults__", (0, number))
        patch.setattr(resampled_shares, "__defaults__", (False, 0, number))
        resample_weights.cache_clear()
        yield
    resample_weights.cache_clear()


def _trees(studied: Instances, measures: Sequence[str]) -> list[TreeConfidences]:
    return cross_validate_trees(studied.only(measures), SMALL)
