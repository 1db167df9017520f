"""The conclusions of the three papers, each with the rule that says whether it holds here.

Which of the measures at hand are those that the papers speak of.

What our figures say of the papers' conclusions, one function for each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from eval.report.claims import (
    Claim,
    Verdict,
    cannot_judge,
    judge_above_zero,
    judge_at_least,
    judge_below,
    worst_verdict,
)
from eval.stats.estimate import BootstrapSamples, Estimate
from eval.studies.qarla.findings import Findings, HumanAgreement
from eval.text.registry import Measure
from weps._expressions import Value
from weps.errors import FeatureError

__all__ = [
    "CHANCE",
    "CLAIMS",
    "GOOD_CORRELATION",
    "STYLE_FAMILIES",
    "_assess_above_rouge",
    "_assess_baselines",
    "_assess_combination",
    "_assess_concepts",
    "_assess_content",
    "_assess_first",
    "_assess_good",
    "_assess_king",
    "_assess_one_task",
    "_assess_people_ahead",
    "_assess_rouge",
    "_assess_slower",
    "_assess_stemmed",
    "_assess_strategies",
    "_assess_terms",
    "_assess_topics",
    "_assess_unstemmed",
    "_assess_unstyled",
    "_assess_weighted",
    "_content_measures",
    "_measures_of_families",
    "best_measure_of",
]

STYLE_FAMILIES = ("avls", "gramsim")
"""Families that look at style, not at content (ACL workshop 2005, section 3.2)."""


def _measures_of_families(
    names: Sequence[str], families: Sequence[str], **values: Value
) -> list[int]:
    """The measures of some families whose parameters have these values."""
    return [
        number
        for number, measure in _parsed(names)
        if measure.family.name in families and values.items() <= dict(measure.values).items()
    ]


def _content_measures(names: Sequence[str]) -> list[int]:
    """The measures that look at content; only those whose families are known."""
    return [
        number for number, measure in _parsed(names) if measure.family.name not in STYLE_FAMILIES
    ]


def best_measure_of(findings: Findings, measures: Sequence[int]) -> int | None:
    """Of some measures that with the highest KING; None if there are none."""
    return min(measures, key=findings.order.index, default=None)


def _parsed(names: Sequence[str]) -> Iterator[tuple[int, Measure]]:
    """Columns of a table may have any names."""
    for number, name in enumerate(names):
        try:
            yield number, Measure.parse(name)
        except FeatureError:
            continue


_ROUGE = ("rouge", "rouge_l", "rouge_w", "rouge_s", "rouge_su")
_BASELINES = ("perplexity", "docsim", "sentencesim")
GOOD_CORRELATION = 0.9
"""The paper has .92 and .96."""
CHANCE = 0.5


def _needs(measures: str) -> Verdict:
    return cannot_judge(f"{measures} are not among the measures")


def _assess_combination(findings: Findings) -> Verdict:
    """A set of several is ahead on topics that did not choose it."""
    if not findings.cross_validated:
        return cannot_judge("there is one topic, or no set of several measures")
    return judge_above_zero(findings.cross_validated.kings.difference(1, 0))


def _assess_content(findings: Findings) -> Verdict:
    """Content is ahead of style."""
    names = findings.compared.measures
    return _compare_highest(
        findings,
        _content_measures(names),
        _measures_of_families(names, STYLE_FAMILIES),
        "measures of both kinds",
    )


def _assess_unstyled(findings: Findings) -> Verdict:
    """The best set without style is ahead of the best with it."""
    style = set(_measures_of_families(findings.compared.measures, STYLE_FAMILIES))
    sets = findings.search.sets
    with_style = [each for each, members in enumerate(sets) if style.intersection(members)]
    without = [each for each in range(len(sets)) if each not in with_style]
    if not with_style or not without:
        return _needs("measures of style")
    ours, theirs = (
        max(some, key=lambda each: float(findings.kings.value[each]))
        for some in (without, with_style)
    )
    verdict = judge_above_zero(findings.kings.difference(theirs, ours))
    return Verdict(
        verdict.word, f"against {findings.describe_set(sets[theirs])}: {verdict.figures}"
    )


def _assess_rouge(findings: Findings) -> Verdict:
    """ROUGE-1 is ahead of the other metrics of the ACL paper."""
    names = findings.compared.measures
    own = _measures_of_families(names, ["rouge"], n=1, part="recall", stop=True, stem=True)
    others = _measures_of_families(names, ["sentencesim", "docsim", "vectmodel", "tvm", "nicos"])
    return _compare_highest(findings, own, others, "ROUGE-1 and metrics of that paper")


def _assess_weighted(findings: Findings) -> Verdict:
    """Precision of ROUGE-W without stop words is ahead of all others."""
    own = _measures_of_families(
        findings.compared.measures, ["rouge_w"], part="precision", stop=True, stem=False
    )
    others = [each for each in findings.order if each not in own]
    return _compare_highest(
        findings, own, others, "ROUGE-W precision without stop words, and others,"
    )


def _assess_stemmed(findings: Findings) -> Verdict:
    """With stems recall is ahead of precision."""
    return _recall_first(findings, stem=True)


def _assess_unstemmed(findings: Findings) -> Verdict:
    """Without stems precision is ahead of recall."""
    return _recall_first(findings, stem=False)


def _recall_first(findings: Findings, stem: bool) -> Verdict:
    """With stems recall is to be ahead, without them precision."""
    names = findings.compared.measures
    turned = _measures_of_families(
        names, ["rouge_l"], inverted=True, stem=stem
    )  # precision, therefore
    recall = [
        each
        for each in _measures_of_families(names, _ROUGE, part="recall", stem=stem)
        if each not in turned
    ]
    precision = [*_measures_of_families(names, _ROUGE, part="precision", stem=stem), *turned]
    sides = (recall, precision) if stem else (precision, recall)
    return _compare_highest(findings, *sides, "ROUGE by recall and by precision")


def _assess_terms(findings: Findings) -> Verdict:
    """More terms are ahead of fewer."""
    few, many = (_measures_of_families(findings.compared.measures, ["tvm"], n=n) for n in (4, 512))
    return _compare_highest(findings, many, few, "TVM with 4 and with 512 terms")


def _assess_concepts(findings: Findings) -> Verdict:
    """NICOS is ahead of ROUGE by the early estimate."""
    names = findings.compared.measures
    own, others = (
        _measures_of_families(names, ["nicos"]),
        _measures_of_families(names, ["rouge"], n=1, part="recall"),
    )
    if not own or not others:
        return _needs("NICOS and ROUGE-1")
    substitute = (
        ""
        if _measures_of_families(names, ["nicos"], concepts="given")
        else " (substitute concepts)"
    )
    ours, theirs = (
        max(some, key=lambda each: float(findings.early.value[each])) for some in (own, others)
    )
    verdict = judge_above_zero(findings.early.difference(theirs, ours))
    return Verdict(verdict.word, verdict.figures + substitute)


def _assess_baselines(findings: Findings) -> Verdict:
    """Perplexity and co-selection are below chance."""
    own = _measures_of_families(findings.compared.measures, _BASELINES)
    if not own:
        return _needs("perplexity and co-selection")
    estimates = findings.early.estimates
    return judge_below({findings.compared.measures[each]: estimates[each] for each in own}, CHANCE)


def _assess_first(findings: Findings) -> Verdict:
    """QUEEN of the best set ranks more people first than the best ROUGE does."""
    names, shares = findings.compared.measures, findings.first
    rouges = [
        each
        for n in (1, 2, 3, 4)
        for each in _measures_of_families(names, ["rouge"], n=n, part="recall")
    ]
    if shares is None:
        return cannot_judge("references or systems are not the same on all topics")
    if not rouges:
        return _needs("ROUGE-1 to ROUGE-4 by recall")
    rival = max(rouges, key=lambda each: float(shares.value[each]))
    return judge_above_zero(shares.difference(rival, 2 * len(names)))


def _assess_people_ahead(findings: Findings) -> Verdict:
    """The lowest reference is ahead of the highest system."""
    return judge_above_zero(findings.system_queens.people_ahead())


def _assess_slower(findings: Findings) -> Verdict:
    """JACK grows faster up to ten peers than after."""
    slowing = [each.slows_down() for each in findings.reliability]
    known = [each for each in slowing if each]
    if not known:
        return cannot_judge("there are ten systems at most, or no similarities among outputs")
    forms = [each.form.value for each in findings.reliability]
    return _all(
        Verdict((verdict := judge_above_zero(each)).word, f"{form}: {verdict.figures}")
        for form, each in zip(forms, known, strict=True)
    )


def _assess_good(findings: Findings) -> Verdict:
    """QUEEN of the best set agrees well with people."""
    best = findings.search.best
    return _by_criterion(
        findings, lambda each: judge_at_least(each.queens.estimates[best], GOOD_CORRELATION), [best]
    )


def _assess_king(findings: Findings) -> Verdict:
    """KING of sets and their agreement with people go together."""
    return _by_criterion(findings, lambda each: judge_above_zero(each.with_king()), [])


def _assess_above_rouge(findings: Findings) -> Verdict:
    """QUEEN of the best set agrees with people better than the best ROUGE."""
    rouges = _measures_of_families(findings.compared.measures, _ROUGE)
    if not rouges:
        return _needs("ROUGE")

    def judge(agreement: HumanAgreement) -> Verdict:
        rival = max(rouges, key=lambda each: np.nan_to_num(agreement.plain.value[each], nan=-2))
        return judge_above_zero(
            _minus(agreement.queens, findings.search.best, agreement.plain, rival)
        )

    return _by_criterion(findings, judge, [findings.search.best])


def _assess_one_task(_: Findings) -> Verdict:
    """Claims about two tasks."""
    return cannot_judge("there is one task")


def _assess_strategies(_: Findings) -> Verdict:
    """Claims about strategies of systems."""
    return cannot_judge("it is not told which systems follow the same strategy")


def _assess_topics(_: Findings) -> Verdict:
    """Claims about types of topics."""
    return cannot_judge("topics are not of two types")


def _compare_highest(
    findings: Findings, ours: Iterable[int], theirs: Iterable[int], needed: str
) -> Verdict:
    """The highest KING of some measures against the highest of others."""
    one, other = (best_measure_of(findings, list(some)) for some in (ours, theirs))
    if one is None or other is None:
        return _needs(needed)
    names = findings.compared.measures
    verdict = judge_above_zero(findings.kings.difference(other, one))
    return Verdict(verdict.word, f"{names[one]} − {names[other]}: {verdict.figures}")


def _by_criterion(
    findings: Findings, assess: Callable[[HumanAgreement], Verdict], sets: Iterable[int]
) -> Verdict:
    """By every criterion; the worst word counts."""
    if not findings.agreements:
        return cannot_judge("people have not judged three systems on a common topic")
    if any(np.isnan(each.queens.value[number]) for each in findings.agreements for number in sets):
        return cannot_judge("QUEEN of the best set is 0 for all outputs")
    verdicts = ((each.criterion, assess(each)) for each in findings.agreements)
    return _all(Verdict(one.word, f"{name}: {one.figures}") for name, one in verdicts)


def _all(verdicts: Iterable[Verdict]) -> Verdict:
    return worst_verdict(verdicts)


def _minus(first: BootstrapSamples, own: int, second: BootstrapSamples, other: int) -> Estimate:
    value = float(first.value[own] - second.value[other])
    return Estimate.from_samples(value, first.samples[own] - second.samples[other])


_HIGHER = "the whole interval of the difference is above 0"

CLAIMS: tuple[Claim[Findings], ...] = (
    Claim(
        "Measures together are better than the best single measure.",
        "ACL 2005, section 4.1; workshop 2005, section 3.3",
        f"KING of the best set of several is higher on topics that did not choose it: {_HIGHER}",
        _assess_combination,
    ),
    Claim(
        "QUEEN by the best set ranks people first more often than ROUGE does.",
        "ACL 2005, section 5, Table 1",
        "against the best of ROUGE-1 to ROUGE-4 by recall; the set was chosen on the same topics: "
        f"{_HIGHER}",
        _assess_first,
    ),
    Claim(
        "Sets of higher KING rank systems more as people do.",
        "ACL 2005, Figure 7; workshop 2005, Figure 5",
        "over sets, KING and Pearson's r with people go together: the whole interval of their "
        "correlation is above 0, by every criterion",
        _assess_king,
    ),
    Claim(
        "The ranking of systems by QUEEN agrees well with people's.",
        "workshop 2005, section 4.2",
        f"Pearson's r by the best set is at least {GOOD_CORRELATION}, its interval too, by every "
        "criterion",
        _assess_good,
    ),
    Claim(
        "Sets of the highest KING agree with people better than the best ROUGE does.",
        "workshop 2005, section 6",
        "Pearson's r of QUEEN by the best set against that of mean similarity by the best ROUGE in "
        f"hindsight: {_HIGHER}, by every criterion",
        _assess_above_rouge,
    ),
    Claim(
        "People have the highest QUEEN, far ahead of systems.",
        "workshop 2005, section 4.1, Figure 4",
        f"the lowest reference against the highest system: {_HIGHER}",
        _assess_people_ahead,
    ),
    Claim(
        "With more than ten systems JACK grows more slowly.",
        "workshop 2005, section 3.4, Figure 3",
        f"growth per system up to ten minus growth after: {_HIGHER}, in both forms",
        _assess_slower,
    ),
    Claim(
        "JACK of all peers is far above that of peers of one strategy.",
        "ACL 2005, section 4.2, Figure 6",
        "–",
        _assess_strategies,
    ),
    Claim(
        "Content characterises what people write better than style.",
        "workshop 2005, sections 3.3 and 6",
        f"KING of the best measure of content against that of style: {_HIGHER}",
        _assess_content,
    ),
    Claim(
        "The best set has no measure of style.",
        "workshop 2005, sections 4.3 and 6",
        "KING of the best set without style against that of the best with it, both chosen on the "
        f"same topics: {_HIGHER}",
        _assess_unstyled,
    ),
    Claim(
        "Precision of ROUGE-W without stop words has the highest KING.",
        "workshop 2005, section 3.3",
        f"against the best other measure: {_HIGHER}",
        _assess_weighted,
    ),
    Claim(
        "Of ROUGE with stems, recall has the higher KING.",
        "workshop 2005, section 3.2",
        f"the best by recall against the best by precision: {_HIGHER}",
        _assess_stemmed,
    ),
    Claim(
        "Of ROUGE without stems, precision has the higher KING.",
        "workshop 2005, section 3.2",
        f"the best by precision against the best by recall: {_HIGHER}",
        _assess_unstemmed,
    ),
    Claim(
        "TVM is better with more terms.",
        "workshop 2005, section 3.3",
        f"KING with 512 terms against that with 4: {_HIGHER}",
        _assess_terms,
    ),
    Claim(
        "ROUGE-1 is the best of the single metrics.",
        "ACL 2005, section 4.1",
        f"KING against the best of the others of that paper: {_HIGHER}",
        _assess_rouge,
    ),
    Claim(
        "In one task people agree more, and systems are less various, than in another.",
        "workshop 2005, sections 3.3, 3.4 and 4.3",
        "–",
        _assess_one_task,
    ),
    Claim(
        "Key concepts tell people's texts from systems' better than ROUGE does.",
        "ACL 2004, section 4, Table 2",
        f"early estimate of NICOS against the best of ROUGE-1 by recall: {_HIGHER}",
        _assess_concepts,
    ),
    Claim(
        "Perplexity and co-selection are below chance.",
        "ACL 2004, section 4, Table 2",
        "their early estimates are below .5, the intervals too",
        _assess_baselines,
    ),
    Claim(
        "Measures that are good for one type of topics are not for another.",
        "ACL 2004, section 4",
        "–",
        _assess_topics,
    ),
)
