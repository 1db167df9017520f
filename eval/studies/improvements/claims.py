"""What Amigó et al. conclude from their tests (ACL 2009, section 5), and whether it holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.report.claims import (
    DOES_NOT_HOLD,
    Claim,
    Verdict,
    cannot_judge,
    judge_above_zero,
    judge_at_least,
    judge_at_most,
    judge_similar,
    worst_by_name,
)
from eval.stats.estimate import BootstrapSamples, Estimate
from eval.studies.improvements.findings import DetectedImprovements, Findings
from eval.studies.several import (
    TOO_FEW_KINDS,
    MeasureKind,
    joint_estimate,
    known_measures,
    linguistic_ahead,
    measures_of_kind,
    median_over_measures,
    select_measures,
)

__all__ = ["CLAIMS"]

Floats: TypeAlias = NDArray[np.float64]

_GOOD = 0.8
"""SIP and SIR of the paper's n-gram measures are .8 to .9."""
_ALIKE = 0.05
"""A difference of SIP, of SIR or of shares of wrong scores that is none."""
_NO_BETTER = 0.01
"""Of what scores high, a share that is not worth mentioning."""
_WRONG = 0.2
"""Of what even the paper's best measure scores low, more is not bad."""
_UNSEEN = "people judged whole systems, and their improvements are not given (--official)"
_NONE = "people see no significant improvement"
_WHOLE = "people judged whole systems, not single outputs"
_NOBODY = "no system is chosen (--chosen)"
_NO_WORDS = "fewer than three measures are of words alone"
_NO_EXTREMES = "no output has so low or so high a score"
_NO_TESTBEDS = "it needs several test beds with the same measures"


def _assess_reliable(findings: Findings) -> Verdict:
    if findings.detected is None or not findings.detected.real.any():
        return cannot_judge(_no_improvements(findings))
    rows = measures_of_kind(findings.judged.measures, MeasureKind.WORDS)
    if not rows:
        return cannot_judge(_NO_WORDS)
    return _by_both(
        findings.detected,
        lambda each: judge_at_least(
            joint_estimate(median_over_measures, select_measures(each, rows)), _GOOD
        ),
    )


def _assess_restrictive(findings: Findings) -> Verdict:
    if findings.detected is None or not findings.detected.real.any():
        return cannot_judge(_no_improvements(findings))
    precision, recall = (
        linguistic_ahead(findings.judged.measures, each)
        for each in (findings.detected.precision, findings.detected.recall)
    )
    if precision is None or recall is None:
        return cannot_judge(TOO_FEW_KINDS)
    return worst_by_name((("SIP", judge_above_zero(precision)), ("SIR", judge_at_most(recall, 0))))


def _assess_preserved(findings: Findings) -> Verdict:
    if findings.detected is None or not findings.detected.real.any():
        return cannot_judge(_no_improvements(findings))
    rows = measures_of_kind(findings.judged.measures, MeasureKind.WORDS)
    if not rows:
        return cannot_judge(_NO_WORDS)
    rows.append(findings.combined)
    return _by_both(
        findings.detected,
        lambda each: judge_similar(
            joint_estimate(_last_ahead, select_measures(each, rows)), _ALIKE
        ),
    )


def _assess_low(findings: Findings) -> Verdict:
    if findings.counter is None:
        return cannot_judge(_WHOLE)
    low, high = findings.counter.low, findings.counter.high
    found = joint_estimate(lambda ours, theirs: (ours - theirs).mean(axis=0), low, high)
    if np.isnan(found.value):
        return cannot_judge(_NO_EXTREMES)
    verdict = judge_above_zero(found)
    more, every = int((low.value > high.value).sum()), len(low.value)
    return Verdict(verdict.word, f"{verdict.figures}; {more} of {every} measures")


def _assess_best_low(findings: Findings) -> Verdict:
    if findings.counter is None:
        return cannot_judge(_WHOLE)
    found = joint_estimate(lambda values: values.min(axis=0), findings.counter.low)
    return cannot_judge(_NO_EXTREMES) if np.isnan(found.value) else judge_at_least(found, _WRONG)


def _assess_wrong(findings: Findings) -> Verdict:
    if findings.counter is None:
        return cannot_judge(_WHOLE)
    ahead = linguistic_ahead(findings.judged.measures, findings.counter.high)
    return cannot_judge(TOO_FEW_KINDS) if ahead is None else judge_at_least(ahead, -_NO_BETTER)


def _assess_combined_extremes(findings: Findings) -> Verdict:
    if findings.counter is None:
        return cannot_judge(_WHOLE)
    rows = measures_of_kind(findings.judged.measures, MeasureKind.WORDS)
    if not rows:
        return cannot_judge(_NO_WORDS)
    behind = {
        name: joint_estimate(_last_behind, select_measures(each, [*rows, findings.combined]))
        for name, each in (("low", findings.counter.low), ("high", findings.counter.high))
    }
    if any(np.isnan(each.value) for each in behind.values()):
        return cannot_judge(_NO_EXTREMES)
    return worst_by_name((name, judge_at_most(each, _ALIKE)) for name, each in behind.items())


def _assess_cheated(findings: Findings) -> Verdict:
    if (decrease := findings.decrease) is None:
        return cannot_judge(_no_chosen_system(findings))
    found = joint_estimate(lambda values: values.min(axis=0), decrease)
    told = judge_above_zero(found)
    return Verdict(DOES_NOT_HOLD, told.figures) if found.high == 0 else told


def _assess_resistant(findings: Findings) -> Verdict:
    if (decrease := findings.decrease) is None:
        return cannot_judge(_no_chosen_system(findings))
    ahead = linguistic_ahead(findings.judged.measures, decrease)
    return cannot_judge(TOO_FEW_KINDS) if ahead is None else judge_at_most(ahead, 0)


def _assess_combined_resistant(findings: Findings) -> Verdict:
    if (decrease := findings.decrease) is None:
        return cannot_judge(_no_chosen_system(findings))
    found = _against(findings, decrease, lambda own, others: own - others.min(axis=0))
    return judge_at_most(found, 0)


def _assess_far(findings: Findings) -> Verdict:
    if findings.oracles is None:
        return cannot_judge(_WHOLE)
    bounds, best = findings.oracles.bounds, known_measures(findings.oracles.chosen)[:1]
    own = select_measures(findings.oracles.chosen, best)
    random, most = (select_measures(bounds, [row]) for row in (0, 2))

    def nearer(ours: Floats, chance: Floats, highest: Floats) -> Floats:
        return np.asarray(((highest - ours) - (ours - chance))[0])

    return judge_above_zero(joint_estimate(nearer, own, random, most))


def _assess_combined_best(findings: Findings) -> Verdict:
    if findings.oracles is None:
        return cannot_judge(_WHOLE)
    return judge_above_zero(
        _against(findings, findings.oracles.chosen, lambda own, others: own - others.max(axis=0))
    )


def _assess_testbeds(_: Findings) -> Verdict:
    return cannot_judge(_NO_TESTBEDS)


def _no_improvements(findings: Findings) -> str:
    """Why there are no improvements to be seen."""
    if len(findings.judged.systems) < 2:
        return "there is one system only"
    return _UNSEEN if findings.detected is None else _NONE


def _no_chosen_system(findings: Findings) -> str:
    return _WHOLE if findings.judged.is_by_system else _NOBODY


def _against(
    findings: Findings, samples: BootstrapSamples, figure: Callable[[Floats, Floats], Floats]
) -> Estimate:
    """ULC against single measures."""
    return joint_estimate(
        lambda values: figure(values[-1], values[:-1]),
        select_measures(samples, [*findings.single, findings.combined]),
    )


def _last_ahead(values: Floats) -> Floats:
    return np.asarray(values[-1] - median_over_measures(values[:-1]))


def _last_behind(values: Floats) -> Floats:
    return np.asarray(values[-1] - values[:-1].min(axis=0))


def _by_both(
    detected: DetectedImprovements, assess: Callable[[BootstrapSamples], Verdict]
) -> Verdict:
    parts = (("SIP", detected.precision), ("SIR", detected.recall))
    return worst_by_name((name, assess(each)) for name, each in parts)


CLAIMS: tuple[Claim[Findings], ...] = (
    Claim(
        "Measures of words are reasonably reliable in finding improvements.",
        "ACL 2009, section 5.1, figure 3",
        f"SIP and SIR of the middle one are at least {_GOOD}, the whole interval over systems; in "
        "the paper all are .8 to .9",
        _assess_reliable,
    ),
    Claim(
        "Linguistic measures have a higher SIP and a lower SIR.",
        "ACL 2009, section 5.1, figure 3",
        "the middle one of measures with parts of speech or WordNet, which stand in for the "
        "paper's, has, the whole intervals of the differences over systems",
        _assess_restrictive,
    ),
    Claim(
        "All measures combined (ULC) find improvements as measures of words do.",
        "ACL 2009, section 5.1, figure 3",
        f"SIP and SIR differ from the middle one of them by at most {_ALIKE}, the whole intervals "
        "over systems",
        _assess_preserved,
    ),
    Claim(
        "Measures are less reliable where they score low.",
        "ACL 2009, section 5.2, figure 4",
        "on average over measures a larger share of the low scores is wrong than of the high "
        "scores, the whole interval",
        _assess_low,
    ),
    Claim(
        "Even the best measure scores low wrongly in more than 20 %.",
        "ACL 2009, section 5.2, figure 4",
        f"the lowest share of all measures is at least {_WRONG}, the whole interval",
        _assess_best_low,
    ),
    Claim(
        "Linguistic measures are no better at finding bad outputs.",
        "ACL 2009, section 5.2, figure 4",
        "of their high scores, those of the middle one are wrong as often as those of the middle "
        f"one of the others, or less often by {_NO_BETTER} at most, the whole interval",
        _assess_wrong,
    ),
    Claim(
        "All measures combined (ULC) are as reliable as the best measure of words.",
        "ACL 2009, section 5.2, figure 4",
        f"shares of wrong low and wrong high scores are at most {_ALIKE} above the lowest of those "
        "measures, the whole intervals",
        _assess_combined_extremes,
    ),
    Claim(
        "All measures can be cheated.",
        "ACL 2009, section 5.3, figure 5",
        "the smallest decrease of quality is above 0, the whole interval; not if it is 0",
        _assess_cheated,
    ),
    Claim(
        "Linguistic measures are more resistant to being cheated.",
        "ACL 2009, section 5.3, figure 5",
        "the middle one's decrease of quality is smaller, the whole interval of the difference",
        _assess_resistant,
    ),
    Claim(
        "All measures combined (ULC) are the most resistant.",
        "ACL 2009, section 5.3, figure 5",
        "ULC's decrease is smaller than that of any single measure, the whole interval",
        _assess_combined_resistant,
    ),
    Claim(
        "Systems chosen by measures are nearer to chance than to the best.",
        "ACL 2009, section 5.4, table 4",
        "for the best measure the distance to the best is greater than that to chance, the whole "
        "interval of the difference",
        _assess_far,
    ),
    Claim(
        "All measures combined (ULC) choose better than any single one.",
        "ACL 2009, section 5.4, table 4",
        "ULC's oracle system is better than that of the best single measure, the whole interval",
        _assess_combined_best,
    ),
    Claim(
        "The same measures fail in different test beds.",
        "ACL 2009, section 5.2",
        "failures correlate between test beds; in the paper .67 to .88",
        _assess_testbeds,
    ),
)
