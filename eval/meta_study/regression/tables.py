"""Tables of learners, of VRM's models, and of Kazawa's and Yasuda's methods."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from eval.document import Table
from eval.judging.numerals import percent, share, share_between, signed, signed_between
from eval.meta.correlation import Coefficient
from eval.meta_study.cells import name_cell, two, two_between
from eval.meta_study.regression.conclusions import ahead_in_correlation, ahead_in_error
from eval.meta_study.regression.findings import Findings
from eval.meta_study.regression.learned import VRM
from eval.meta_study.regression.pools import LEVELS, Pool, Pools
from eval.meta_study.regression.relative import Relative
from eval.meta_study.study import picked

__all__ = ["brief_tables", "learner_tables", "pool_tables", "relative_table", "vote_tables"]

_MODELS = 20


def brief_tables(findings: Findings) -> Iterator[Table]:
    """The best learners, and what else was found, for the terminal."""
    found = findings.learned
    order = picked(_by_error(findings), 8, [found.names.index(VRM)])
    per = [
        each[Coefficient.PEARSON].value
        for each in (found.accuracy.per_system, found.accuracy.per_summary)
    ]
    rows = [
        [name_cell(found.names[each]), two_between(found.accuracy.absolute.estimates[each])]
        + [two(column[each]) for column in per]
        for each in order
    ]
    yield Table(
        "learners-brief",
        f"Scores for {findings.judged.criterion} estimated from {len(found.variables)} measures",
        [["learner", "mean error", "r per system", "r per summary"], *rows],
        "Error on the scale of people, with 95 % interval over topics. r: Pearson's coefficient. "
        f"VRM is the mean of {len(found.model.subsets)} regressions.",
    )
    if findings.pools is not None:
        yield _gap_table(findings.pools, [1.0, 0.8, 0.6, 0.4, 0.2], two)
    if findings.relative is not None:
        yield relative_table(findings.relative, 5)


def learner_tables(findings: Findings) -> Iterator[Table]:
    """Error and correlation of every learner, and what VRM is ahead."""
    found = findings.learned.accuracy
    columns = {
        "absolute error": found.absolute.estimates,
        "squared error": found.squared.estimates,
        **{
            f"{what}, {kind}": drawn[kind].estimates
            for what, drawn in (
                ("per system", found.per_system),
                ("per summary", found.per_summary),
            )
            for kind in drawn
        },
    }
    names = findings.learned.names
    rows = [
        [names[each], *(share_between(column[each]) for column in columns.values())]
        for each in _by_error(findings)
    ]
    plan = findings.plan
    yield Table(
        "learners",
        "Learners and measures alone",
        [["learner", *columns], *rows],
        f"Each score is estimated by a model that has not seen its fold: {plan.folds} folds of "
        f"{plan.left_out} at most; parameters are chosen inside the other folds. Alone: simple "
        "regression on one measure. In brackets: 95 % interval, bootstrapped over topics.",
    )
    rows = [
        [name, signed_between(ahead_in_error(findings, name))]
        + [signed_between(each) for each in ahead_in_correlation(findings, name).values()]
        for name in (names[each] for each in _by_error(findings))
        if name != VRM
    ]
    yield Table(
        "ahead",
        "How far VRM is ahead",
        [["of", "smaller error", "higher r per system", "higher r per summary"], *rows],
        "Differences, with 95 % intervals, bootstrapped over topics; the same topics are drawn for "
        "both.",
    )


def vote_tables(findings: Findings) -> Iterator[Table]:
    """VRM of all scores: its variables and its models."""
    found = findings.learned
    order = np.argsort(-found.model.support, kind="stable").tolist()
    yield Table(
        "variables",
        "Variables of VRM",
        [
            ["measure", "in models", "weight", "effect"],
            *(
                [
                    found.variables[each],
                    percent(float(found.model.support[each])),
                    signed(float(found.model.model.weights[each])),
                    signed(float(found.effects[each])),
                ]
                for each in order
            ),
        ],
        f"Of all scores, {len(found.model.subsets)} models within ΔAICc {findings.plan.within:g} "
        "of the best. Weight: the mean over these models, 0 where one has not the measure. Effect: "
        "of one standard deviation of the measure, on the scale of people.",
    )
    rows = [
        [
            ", ".join(found.variables[each] for each in _members(int(subset))),
            str(len(_members(int(subset)))),
            share(float(above)),
        ]
        for subset, above in zip(
            found.model.subsets[:_MODELS], found.model.difference[:_MODELS], strict=True
        )
    ]
    if rows:
        yield Table(
            "models",
            "Models that VRM takes the mean of",
            [["measures", "how many", "ΔAICc"], *rows],
            f"{len(rows)} of {len(found.model.subsets)}, the best first.",
        )


def pool_tables(pools: Pools) -> Iterator[Table]:
    """As tables 1 and 2 of Nanba and Okumura, and the precision of pairs."""
    yield _gap_table(pools, LEVELS, share)
    rows = [
        [
            pool.measure,
            two(float(pools.thresholds[at])),
            share(float(pool.coverage[at])),
            share_between(pool.precision.estimates[at]),
            share_between(pool.rival.estimates[at]),
        ]
        for pool in pools.pools
        for at in pool.places(LEVELS)
    ]
    yield Table(
        "pair-precision",
        "Pairs of a topic's outputs that are ranked as people rank them",
        [["similarity", "threshold", "Coverage", "Precision", "best measure, same pairs"], *rows],
        f"The best single measure is {pools.best}, with "
        f"{share_between(pools.best_precision.estimates[0])} of all pairs. Pairs that lack an "
        "estimate are left out. In brackets: 95 % interval, bootstrapped over topics.",
    )


def relative_table(found: Relative, most: int | None = None) -> Table:
    """Yasuda's regression, measure by measure, the smallest Gap first."""
    order = np.argsort(found.gap.value, kind="stable").tolist()[:most]
    cell = two_between if most else share_between
    rows = [
        [
            name_cell(found.measures[each]) if most else found.measures[each],
            *(cell(part.estimates[each]) for part in (found.gap, found.precision, found.plain)),
        ]
        for each in order
    ]
    return Table(
        "relative",
        "Scores of systems by Yasuda's regression on how often they beat others",
        [["measure", "Gap", "Precision", "of the measure"], *rows],
        "Gap: mean distance from people's mean scores. Precision: pairs of systems that are ranked "
        "as people rank them. With 95 % intervals over topics.",
    )


def _gap_table(pools: Pools, levels: Sequence[float], tell: Callable[[float], str]) -> Table:
    rows = [[name_cell(pool.measure), *_gaps(pool, levels, tell)] for pool in pools.pools]
    return Table(
        "gap-coverage",
        "Scores estimated from similar outputs (Kazawa's method): Gap by Coverage",
        [["similarity", *(f"{level:.1f}" for level in levels)], *rows],
        "Gap: mean distance from people's scores, of the outputs that are estimated. Coverage: "
        "how many are, with the highest threshold that leaves so many. A dash: no threshold does.",
    )


def _gaps(pool: Pool, levels: Sequence[float], tell: Callable[[float], str]) -> list[str]:
    found = (pool.at(level) for level in levels)
    return ["–" if at is None else tell(float(pool.gap.value[at])) for at in found]


def _members(subset: int) -> list[int]:
    return [bit for bit in range(subset.bit_length()) if subset >> bit & 1]


def _by_error(findings: Findings) -> list[int]:
    errors = findings.learned.accuracy.absolute.value
    order: list[int] = np.argsort(errors, kind="stable").tolist()
    return order
