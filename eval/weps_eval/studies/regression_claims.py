"""What two papers conclude of estimated scores, and whether it holds.

Hirao, Okumura, Yasuda and Isozaki 2007 (the voted regression model); Nanba and Okumura 2006
(Kazawa's and Yasuda's methods).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from weps._formatting import format_number
from weps_eval.report.tables import (
    DOES_NOT_HOLD,
    HOLDS,
    Claim,
    SampleSize,
    Verdict,
    cannot_judge,
    judge_above_zero,
    judge_at_least,
    worst_by_name,
)
from weps_eval.stats import joint_estimate
from weps_eval.studies.frames import Frame, Frames, Rule, holds
from weps_eval.studies.qarla_report import measures_of_families

BASELINES = {
    "ROUGE-1": ("rouge(n=1)", "rouge(n=1,", "R1_"),
    "ROUGE-2": ("rouge(n=2)", "rouge(n=2,", "R2_"),
}
"""Measure of the paper → how its name begins in tables."""
VRM, BEST = "VRM", "best AICc"
_FEW, _SOME = 0.2, 0.3
"""Coverages that a threshold must leave: the least of the paper's tables, and a little more."""


def last_covering(pool: Frame, coverage: float) -> int | None:
    """The row of the last threshold that still covers so much."""
    enough = np.flatnonzero(np.asarray(pool["coverage"]) >= coverage - 1e-12)
    return int(enough[-1]) if len(enough) else None


def _covered_size(coverage: float, frames: Frames) -> SampleSize:
    """Size of the smallest sample of estimates, by any similarity, at that coverage."""
    pools, size = _means_of(frames).values(), frames.sizes[""]
    rows = ((pool, last_covering(pool, coverage)) for pool in pools)
    shares = [pool["coverage"][row] for pool, row in rows if row is not None]
    return size._replace(cases=round(size.cases * min(shares, default=0)), case="estimated outputs")


def _means_of(frames: Frames) -> dict[str, Frame]:
    """Weighted means by similarity; none without texts."""
    means = frames["means"]
    return {name: means.where(similarity=name) for name in means.values("similarity")}


def _on_means(judge: Callable[[dict[str, Frame]], Verdict]) -> Rule:
    """The rule on weighted means by similarity, which need texts."""

    def rule(frames: Frames) -> Verdict:
        means = _means_of(frames)
        return judge(means) if means else cannot_judge(frames["means"].absent)

    return rule


def _judge_threshold(means: dict[str, Frame]) -> Verdict:
    verdicts = []
    for similarity, pool in means.items():
        first, last = last_covering(pool, 1.0) or 0, last_covering(pool, _SOME)
        if last is not None and last != first:
            verdicts.append((similarity, judge_above_zero(pool["gap"].difference(last, first))))
    return worst_by_name(verdicts, "every threshold leaves out all outputs or none")


def _judge_ranking(means: dict[str, Frame]) -> Verdict:
    pool = next(iter(means.values()))
    last = last_covering(pool, _FEW)
    if last is None:
        return cannot_judge("no threshold covers enough outputs")
    precision = pool["precision"]
    verdict = judge_above_zero(pool["best_all_pairs"].difference(0, last, precision))
    same = judge_above_zero(pool["best_same_pairs"].difference(last, last, precision))
    return verdict._replace(
        figures=f"{verdict.figures} with {format_number(float(precision.value[last]), 2)} "
        f"at Coverage {format_number(float(pool['coverage'][last]), 2)}; "
        f"minus the measure on the same pairs {same.figures}"
    )


def _judge_similarities(means: dict[str, Frame]) -> Verdict:
    names = [name for name in means if not name.startswith("rouge_l")]
    if len(names) < 2:
        return cannot_judge("one measure of similarity is studied; --similarity takes several")
    uncut = Frame.stack([means[name].take([0]) for name in names])["gap"]
    best, worst = int(np.nanargmin(uncut.value)), int(np.nanargmax(uncut.value))
    apart = uncut.difference(best, worst)
    by_chance = float(np.percentile(np.ptp(uncut.samples - uncut.value[:, None], axis=0), 95))
    if np.isnan(by_chance):
        return cannot_judge("there is no interval for a single topic")
    return Verdict(
        DOES_NOT_HOLD if apart.value > by_chance else HOLDS,
        f"{names[worst]} − {names[best]}: {judge_above_zero(apart).figures}; by chance up to "
        f"{by_chance:.3f}",
    )


def _judge_methods(frames: Frames) -> Verdict:
    for name in ("of_systems", "relative"):
        if not len(frames[name]):
            return cannot_judge(frames[name].absent)
    pools, relative = frames["of_systems"]["gap"], frames["relative"]["gap"]
    if any(np.isnan(each.value).all() for each in (pools, relative)):
        return cannot_judge("no score of a system can be estimated")
    ours, theirs = (int(np.nanargmin(each.value)) for each in (relative, pools))
    return judge_above_zero(relative.difference(ours, theirs, pools))


def _judge_systems(frames: Frames) -> Verdict:
    relative = frames["relative"]
    if not len(relative):
        return cannot_judge(relative.absent)
    return judge_above_zero(
        joint_estimate(
            lambda ours, plain: (ours - plain).mean(axis=0),
            relative["precision"],
            relative["plain"],
        )
    )


def _judge_variables(frames: Frames) -> Verdict:
    rows = frames["variables"].rows
    names = [row["measure"] for row in rows]
    wanted = {
        "ROUGE-2": [at for at, name in enumerate(names) if name.startswith(BASELINES["ROUGE-2"])],
        "Exact": measures_of_families("answers", match="exact")(names),
        "F score": measures_of_families("sentencesim", part="f")(names),
    }
    if missing := [name for name, places in wanted.items() if not places]:
        return cannot_judge(f"not among the variables: {', '.join(missing)}")
    return worst_by_name(
        (name, judge_at_least(rows[places[0]]["kept"], 0.5)) for name, places in wanted.items()
    )


_HIRAO, _NANBA = "Hirao et al. 2007", "Nanba and Okumura 2006"
_NO_ROUGE = f"neither {' nor '.join(BASELINES)} is among the measures"
_AHEAD = partial(holds, "ahead.ahead", "above 0")
CLAIMS: tuple[Claim[Frames], ...] = (
    Claim(
        "VRM has a smaller error than ROUGE-1 and ROUGE-2 alone.",
        f"{_HIRAO}, section 4.4.1",
        "its absolute error is smaller than that of simple regression on each, with the whole "
        "interval of the difference",
        _AHEAD(says="{baseline}: {figures}", reason=_NO_ROUGE, is_error=True, is_baseline=True),
    ),
    Claim(
        "VRM correlates better with people than ROUGE-1 and ROUGE-2.",
        f"{_HIRAO}, section 4.4.1",
        "Pearson's coefficient is higher per system and per summary, with the whole intervals of "
        "the differences",
        _AHEAD(
            says="{baseline}, {by}: {figures}", reason=_NO_ROUGE, is_error=False, is_baseline=True
        ),
    ),
    Claim(
        "Voting is better than the single regression with the best AICc.",
        f"{_HIRAO}, section 4.4.1",
        "VRM's absolute error is smaller, with the whole interval of the difference",
        _AHEAD(of=BEST, is_error=True),
    ),
    Claim(
        "VRM has a smaller error than the other regression models.",
        f"{_HIRAO}, sections 3.3 and 4.4.1",
        "its absolute error is smaller than that of each, with the whole interval of the "
        "difference",
        _AHEAD(says="{of}: {figures}", is_error=True, together=True),
    ),
    Claim(
        "ROUGE-2, Exact and F score are the variables that matter.",
        f"{_HIRAO}, section 4.5",
        "more than half of VRM's models contain each of them, whichever fold is left out (in "
        "brackets: the fewest and the most); here Exact is answers(match=exact), by key concepts, "
        "and F score sentencesim(part=f)",
        _judge_variables,
    ),
    Claim(
        "Estimates from more similar outputs are more accurate.",
        f"{_NANBA}, section 4.5, tables 1 and 2",
        f"for each similarity, the weighted mean's Gap is smaller at a Coverage of {_SOME} than "
        "where all outputs are covered, with the whole interval of the difference",
        _on_means(_judge_threshold),
        partial(_covered_size, _SOME),
    ),
    Claim(
        "Where outputs are similar enough, Kazawa's method ranks better than measures.",
        f"{_NANBA}, section 4.5, figures 1 and 2",
        f"by the first similarity, at a Coverage of {_FEW}, the weighted mean's precision of pairs "
        "is above that of the best measure on all pairs, with the whole interval of the difference",
        _on_means(_judge_ranking),
        partial(_covered_size, _FEW),
    ),
    Claim(
        "Measures of similarity do not differ significantly, except ROUGE-L.",
        f"{_NANBA}, section 4.5, table 1",
        "the range from the smallest to the largest Gap of weighted means of all outputs is no "
        "wider than in 95 % of the resamples, once each measure's own Gap is subtracted",
        _on_means(_judge_similarities),
    ),
    Claim(
        "Yasuda's regression has a smaller Gap than Kazawa's method.",
        f"{_NANBA}, section 4.5, table 3",
        "for the systems' scores, each with its best measure, and Kazawa's as the weighted mean "
        "without threshold: the Gap is smaller, with the whole interval of the difference",
        _judge_methods,
    ),
    Claim(
        "Yasuda's regression ranks systems better than the measure that it uses.",
        f"{_NANBA}, section 4.5, table 4",
        "the mean difference of precision over measures is above 0, with its whole interval",
        _judge_systems,
        lambda frames: frames.facts["pairs"],
    ),
)
