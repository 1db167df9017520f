"""What Amigó et al. conclude from their tests (ACL 2009, section 5), and whether it holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from weps_eval.report.claims import (
    DOES_NOT_HOLD,
    Claim,
    SampleSize,
    Verdict,
    cannot_judge,
    judge_above_zero,
    judge_at_least,
    judge_at_most,
    judge_similar,
    worst_by_name,
)
from weps_eval.stats.arrays import Floats
from weps_eval.stats.estimate import BootstrapSamples, Estimate
from weps_eval.studies.improvements.findings import Findings
from weps_eval.studies.several import (
    TOO_FEW_KINDS,
    MeasureKind,
    joint_estimate,
    known_measures,
    linguistic_ahead,
    measures_of_kind,
    median_over_measures,
    select_measures,
)

_GOOD = 0.8
"""SIP and SIR of the paper's n-gram measures are .8 to .9."""
_ALIKE = 0.05
"""A difference of SIP, of SIR or of shares of wrong scores that is none."""
_NO_BETTER = 0.01
"""Of what scores high, a share that is not worth mentioning."""
_WRONG = 0.2
"""Of what even the paper's best measure scores low, more is not bad."""
_WHOLE = "people judged whole systems, not single outputs"
_NO_WORDS = "fewer than three measures look at words only"
_NO_EXTREMES = "no output has such a low or high score"


def sample_size(findings: Findings) -> SampleSize:
    """Outputs, and topics or systems."""
    return findings.judged.sample_size()


def _found_size(findings: Findings) -> SampleSize:
    """Of SIP and SIR: systems, and pairs of them of which people see one improve the other."""
    detected = findings.detected
    if detected is None:
        return sample_size(findings)
    groups = {"systems": len(detected.systems), "topics": len(findings.judged.topics)}
    return SampleSize.of_fewer(groups, int(detected.real.sum()), "improvements")


def _extremes_size(findings: Findings, *extremes: str) -> SampleSize:
    """Of low and high scores: the outputs that people give these, as many as measures do."""
    judged, limits = findings.judged, findings.thresholds
    rows = {"low": judged.human <= limits.low, "high": judged.human >= limits.high}
    return min(
        SampleSize(
            len(np.unique(judged.topic[rows[each]])), int(rows[each].sum()), case=f"{each} scores"
        )
        for each in extremes
    )


def _chosen_size(findings: Findings) -> SampleSize:
    """Of what is chosen for each topic."""
    topics = len(findings.judged.topics)
    return SampleSize(topics, topics, case="chosen outputs")


def _judge_reliable(findings: Findings) -> Verdict:
    return _judge_words(
        findings,
        lambda words: judge_at_least(joint_estimate(median_over_measures, words), _GOOD),
    )


def _judge_restrictive(findings: Findings) -> Verdict:
    detected = findings.detected
    if detected is None or not detected.real.any():
        return _no_improvements(findings)
    precision, recall = (
        linguistic_ahead(findings.judged.measures, each)
        for each in (detected.precision, detected.recall)
    )
    if precision is None or recall is None:
        return cannot_judge(TOO_FEW_KINDS)
    return worst_by_name((("SIP", judge_above_zero(precision)), ("SIR", judge_at_most(recall, 0))))


def _judge_preserved(findings: Findings) -> Verdict:
    def judge(measures: BootstrapSamples) -> Verdict:
        ahead = joint_estimate(lambda each: each[-1] - median_over_measures(each[:-1]), measures)
        return judge_similar(ahead, _ALIKE)

    return _judge_words(findings, judge, findings.judged.combined)


def _judge_words(
    findings: Findings, judge: Callable[[BootstrapSamples], Verdict], *others: int
) -> Verdict:
    """SIP and SIR of measures of words, and of others after them."""
    detected = findings.detected
    if detected is None or not detected.real.any():
        return _no_improvements(findings)
    rows = measures_of_kind(findings.judged.measures, MeasureKind.WORDS)
    if not rows:
        return cannot_judge(_NO_WORDS)
    both = (("SIP", detected.precision), ("SIR", detected.recall))
    return worst_by_name(
        (name, judge(select_measures(each, [*rows, *others]))) for name, each in both
    )


def _no_improvements(findings: Findings) -> Verdict:
    if len(findings.judged.systems) < 2:
        return cannot_judge("there is one system only")
    if findings.detected is None:
        return cannot_judge(
            "people judged whole systems, and their improvements are not given (--official)"
        )
    return cannot_judge("people see no significant improvement")


def _judge_low(findings: Findings) -> Verdict:
    if findings.counter is None:
        return cannot_judge(_WHOLE)
    low, high = (
        select_measures(each, findings.judged.of_paper)
        for each in (findings.counter.low, findings.counter.high)
    )
    found = joint_estimate(lambda ours, theirs: (ours - theirs).mean(axis=0), low, high)
    if np.isnan(found.value):
        return cannot_judge(_NO_EXTREMES)
    verdict = judge_above_zero(found)
    more, every = int((low.value > high.value).sum()), len(low.value)
    return Verdict(verdict.word, f"{verdict.figures}; {more} of {every} measures")


def _judge_best_low(findings: Findings) -> Verdict:
    if findings.counter is None:
        return cannot_judge(_WHOLE)
    low = select_measures(findings.counter.low, findings.judged.of_paper)
    found = joint_estimate(_lowest, low)
    return cannot_judge(_NO_EXTREMES) if np.isnan(found.value) else judge_at_least(found, _WRONG)


def _judge_wrong(findings: Findings) -> Verdict:
    if findings.counter is None:
        return cannot_judge(_WHOLE)
    ahead = linguistic_ahead(findings.judged.measures, findings.counter.high)
    return cannot_judge(TOO_FEW_KINDS) if ahead is None else judge_at_least(ahead, -_NO_BETTER)


def _judge_combined_extremes(findings: Findings) -> Verdict:
    if findings.counter is None:
        return cannot_judge(_WHOLE)
    rows = measures_of_kind(findings.judged.measures, MeasureKind.WORDS)
    if not rows:
        return cannot_judge(_NO_WORDS)
    both = findings.counter.low, findings.counter.high
    behind = [_combined_ahead(findings, each, _lowest, rows) for each in both]
    if any(np.isnan(each.value) for each in behind):
        return cannot_judge(_NO_EXTREMES)
    verdicts = (judge_at_most(each, _ALIKE) for each in behind)
    return worst_by_name(zip(("low", "high"), verdicts, strict=True))


def _judge_cheated(findings: Findings) -> Verdict:
    if findings.decrease is None:
        return _no_decrease(findings)
    found = joint_estimate(_lowest, select_measures(findings.decrease, findings.judged.of_paper))
    verdict = judge_above_zero(found)
    return Verdict(DOES_NOT_HOLD, verdict.figures) if found.high == 0 else verdict


def _judge_resistant(findings: Findings) -> Verdict:
    if findings.decrease is None:
        return _no_decrease(findings)
    ahead = linguistic_ahead(findings.judged.measures, findings.decrease)
    return cannot_judge(TOO_FEW_KINDS) if ahead is None else judge_at_most(ahead, 0)


def _judge_combined_resistant(findings: Findings) -> Verdict:
    if findings.decrease is None:
        return _no_decrease(findings)
    return judge_at_most(_combined_ahead(findings, findings.decrease, _lowest), 0)


def _no_decrease(findings: Findings) -> Verdict:
    return cannot_judge(
        _WHOLE if findings.judged.is_by_system else "no system is chosen (--chosen)"
    )


def _judge_far(findings: Findings) -> Verdict:
    if findings.oracles is None:
        return cannot_judge(_WHOLE)
    chosen, bounds = findings.oracles.chosen, findings.oracles.bounds
    candidates = select_measures(chosen, findings.judged.of_paper)
    own = select_measures(candidates, known_measures(candidates)[:1])
    chance, most = (select_measures(bounds, [row]) for row in (0, 2))
    farther = joint_estimate(lambda a, b, c: ((c - a) - (a - b))[0], own, chance, most)
    return judge_above_zero(farther)


def _judge_combined_best(findings: Findings) -> Verdict:
    if findings.oracles is None:
        return cannot_judge(_WHOLE)
    highest = _combined_ahead(findings, findings.oracles.chosen, lambda each: each.max(axis=0))
    return judge_above_zero(highest)


def _combined_ahead(
    findings: Findings,
    samples: BootstrapSamples,
    best: Callable[[Floats], Floats],
    rows: Sequence[int] = (),
) -> Estimate:
    """The plain ULC's figure less the best one of some single measures, by default of all."""
    order = [*(rows or findings.judged.single), findings.judged.combined]
    return joint_estimate(
        lambda values: values[-1] - best(values[:-1]), select_measures(samples, order)
    )


def _lowest(values: Floats) -> Floats:
    return np.asarray(values.min(axis=0))


CLAIMS: tuple[Claim[Findings], ...] = (
    Claim(
        "Measures of words are reasonably reliable in finding improvements.",
        "ACL 2009, section 5.1, figure 3",
        f"the medians of SIP and of SIR over these measures are at least {_GOOD}, with their whole "
        "intervals over systems; in the paper all are .8 to .9",
        _judge_reliable,
        _found_size,
    ),
    Claim(
        "Linguistic measures have a higher SIP and a lower SIR.",
        "ACL 2009, section 5.1, figure 3",
        "the median of the measures of parts of speech, syntax and entities minus that of the "
        "measures of words is above 0 for SIP and below 0 for SIR, with the whole intervals over "
        "systems",
        _judge_restrictive,
        _found_size,
    ),
    Claim(
        "All measures combined (ULC) find improvements as well as measures of words do.",
        "ACL 2009, section 5.1, figure 3",
        "SIP and SIR of ULC, the plain mean, differ from the medians of the measures of words by "
        f"at most {_ALIKE}, with the whole intervals over systems",
        _judge_preserved,
        _found_size,
    ),
    Claim(
        "Measures are less reliable where they score low.",
        "ACL 2009, section 5.2, figure 4",
        "the mean over measures of the share of low scores that are wrong, minus that of high "
        "scores, is above 0, with its whole interval",
        _judge_low,
        lambda findings: _extremes_size(findings, "low", "high"),
    ),
    Claim(
        "Even of the best measure's low scores more than 20 % are wrong.",
        "ACL 2009, section 5.2, figure 4",
        f"the lowest share of all measures is at least {_WRONG}, with its whole interval",
        _judge_best_low,
        lambda findings: _extremes_size(findings, "low"),
    ),
    Claim(
        "Linguistic measures are no better at finding bad outputs.",
        "ACL 2009, section 5.2, figure 4",
        "the median share of wrong high scores of the linguistic measures, minus that of the "
        f"measures of words, is at least −{_NO_BETTER}, with its whole interval",
        _judge_wrong,
        lambda findings: _extremes_size(findings, "high"),
    ),
    Claim(
        "All measures combined (ULC) are as reliable as the best measure of words.",
        "ACL 2009, section 5.2, figure 4",
        "the shares of wrong low and of wrong high scores of ULC, the plain mean, exceed the "
        f"lowest of the measures of words by less than {_ALIKE}, with the whole intervals",
        _judge_combined_extremes,
        lambda findings: _extremes_size(findings, "low", "high"),
    ),
    Claim(
        "All measures can be cheated.",
        "ACL 2009, section 5.3, figure 5",
        "the smallest decrease of quality is above 0, with its whole interval; it does not hold if "
        "the decrease is 0",
        _judge_cheated,
        _chosen_size,
    ),
    Claim(
        "Linguistic measures are more resistant to being cheated.",
        "ACL 2009, section 5.3, figure 5",
        "the median decrease of quality of the linguistic measures, minus that of the measures of "
        "words, is below 0, with its whole interval",
        _judge_resistant,
        _chosen_size,
    ),
    Claim(
        "All measures combined (ULC) are the most resistant.",
        "ACL 2009, section 5.3, figure 5",
        "the decrease of ULC, the plain mean, minus the smallest of any single measure, is below "
        "0, with its whole interval",
        _judge_combined_resistant,
        _chosen_size,
    ),
    Claim(
        "Outputs chosen by measures are nearer to chance than to the best choice.",
        "ACL 2009, section 5.4, table 4",
        "for the measure that chooses best, the distance to the best choice minus that to chance "
        "is above 0, with its whole interval",
        _judge_far,
        _chosen_size,
    ),
    Claim(
        "All measures combined (ULC) choose better than any single one.",
        "ACL 2009, section 5.4, table 4",
        "the oracle score of ULC, the plain mean, minus that of the best single measure is above "
        "0, with its whole interval",
        _judge_combined_best,
        _chosen_size,
    ),
    Claim(
        "The same measures fail in different test beds.",
        "ACL 2009, section 5.2",
        "failures correlate between test beds; in the paper .67 to .88",
        lambda _: cannot_judge("this needs several test beds with the same measures"),
    ),
)
