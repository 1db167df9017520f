"""The conclusions of the three papers, each with the rule that decides whether it holds here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

import numpy as np

from weps._expressions import Value
from weps.errors import FeatureError
from weps_eval.report.claims import (
    Claim,
    SampleSize,
    Verdict,
    cannot_judge,
    judge_above_zero,
    judge_at_least,
    judge_below,
    worst_by_name,
)
from weps_eval.studies.qarla.findings import Findings, HumanAgreement
from weps_eval.text.registry import Measure

STYLE_FAMILIES = ("avls", "gramsim")
"""Families that look at style, not at content (ACL workshop 2005, section 3.2)."""
_ROUGE = ("rouge", "rouge_l", "rouge_w", "rouge_s", "rouge_su")
_GOOD = 0.9
"""Correlation; the paper has .92 and .96."""
_CHANCE = 0.5


def sample_size(findings: Findings) -> SampleSize:
    """Topics and their references."""
    return findings.compared.sample_size


Selector: TypeAlias = Callable[[Sequence[str]], list[int]]
"""Names of measures → the numbers of some of them."""


def _parsed(names: Sequence[str]) -> Iterator[tuple[int, Measure]]:
    """Columns of a table may have any names; those of no measure are left out."""
    for number, name in enumerate(names):
        try:
            yield number, Measure.parse(name)
        except FeatureError:
            continue


def _of(*families: str, **values: Value) -> Selector:
    return lambda names: [
        number
        for number, measure in _parsed(names)
        if measure.family.name in families and values.items() <= dict(measure.values).items()
    ]


def _content(names: Sequence[str]) -> list[int]:
    """The measures that look at content; only those whose families are known."""
    return [number for number, each in _parsed(names) if each.family.name not in STYLE_FAMILIES]


def _rouge(part: str, *, stem: bool) -> Selector:
    return _of(*_ROUGE, part=part, stem=stem)


def _judge_highest(ours: Selector, theirs: Selector, needed: str) -> Callable[[Findings], Verdict]:
    """The highest KING of some measures is above the highest of others."""

    def judge(findings: Findings) -> Verdict:
        names = findings.compared.measures
        own, other = (
            min(select(names), key=findings.order.index, default=None) for select in (ours, theirs)
        )
        if own is None or other is None:
            return cannot_judge(f"{needed} are not among the measures")
        verdict = judge_above_zero(findings.kings.difference(other, own))
        return Verdict(verdict.word, f"{names[own]} − {names[other]}: {verdict.figures}")

    return judge


def _judge_combination(findings: Findings) -> Verdict:
    if not findings.cross_validated:
        return cannot_judge("there is one topic, or no set of several measures")
    return judge_above_zero(findings.cross_validated.difference(1, 0))


def _judge_unstyled(findings: Findings) -> Verdict:
    style = set(_of(*STYLE_FAMILIES)(findings.compared.measures))
    sets, kings = findings.search.sets, findings.kings
    with_style = [each for each, members in enumerate(sets) if style.intersection(members)]
    without = [each for each in range(len(sets)) if each not in with_style]
    if not with_style or not without:
        return cannot_judge("measures of style are not among the measures")
    ours, theirs = (max(some, key=kings.value.__getitem__) for some in (without, with_style))
    verdict = judge_above_zero(kings.difference(theirs, ours))
    return Verdict(
        verdict.word, f"against {findings.describe_set(sets[theirs])}: {verdict.figures}"
    )


def _judge_concepts(findings: Findings) -> Verdict:
    names, early = findings.compared.measures, findings.early
    concepts, rouges = _of("nicos")(names), _of("rouge", n=1, part="recall")(names)
    if not concepts or not rouges:
        return cannot_judge("NICOS and ROUGE-1 are not among the measures")
    ours, theirs = (max(some, key=early.value.__getitem__) for some in (concepts, rouges))
    verdict = judge_above_zero(early.difference(theirs, ours))
    given = _of("nicos", concepts="given")(names)
    return Verdict(verdict.word, verdict.figures + ("" if given else " (substitute concepts)"))


def _judge_baselines(findings: Findings) -> Verdict:
    names, estimates = findings.compared.measures, findings.early.estimates
    baselines = _of("perplexity", "docsim", "sentencesim")(names)
    if not baselines:
        return cannot_judge("perplexity and co-selection are not among the measures")
    return judge_below({names[each]: estimates[each] for each in baselines}, _CHANCE)


def _judge_first(findings: Findings) -> Verdict:
    names, shares = findings.compared.measures, findings.first
    rouges = [each for n in (1, 2, 3, 4) for each in _of("rouge", n=n, part="recall")(names)]
    if shares is None:
        return cannot_judge("references or systems are not the same on all topics")
    if not rouges:
        return cannot_judge("ROUGE-1 to ROUGE-4 by recall are not among the measures")
    rival = max(rouges, key=shares.value.__getitem__)
    return judge_above_zero(shares.difference(rival, 2 * len(names)))


def _judge_slower(findings: Findings) -> Verdict:
    slowing = ((each.form.value, each.slows_down()) for each in findings.reliability)
    return worst_by_name(
        ((form, judge_above_zero(slower)) for form, slower in slowing if slower),
        "there are ten systems at most, or no similarities among outputs",
    )


def _judge_with_king(findings: Findings) -> Verdict:
    def judge(agreement: HumanAgreement) -> Verdict:
        known = ~np.isnan(agreement.kings.value) & ~np.isnan(agreement.queens.value)
        size = findings.compared.judged_size(agreement.criterion)
        verdict = judge_above_zero(agreement.with_king())
        return verdict.resting_on(size._replace(cases=int(known.sum()), case="sets of measures"))

    return _by_criterion(findings, judge)


def _judge_good(findings: Findings) -> Verdict:
    best = findings.search.best
    return _by_criterion(
        findings, lambda each: judge_at_least(each.queens.estimates[best], _GOOD), [best]
    )


def _judge_above_rouge(findings: Findings) -> Verdict:
    best, rouges = findings.search.best, _of(*_ROUGE)(findings.compared.measures)
    if not rouges:
        return cannot_judge("no ROUGE measure is among the measures")

    def judge(agreement: HumanAgreement) -> Verdict:
        plain = agreement.plain
        rival = max(rouges, key=lambda each: np.nan_to_num(plain.value[each], nan=-2))
        return judge_above_zero(plain.difference(rival, best, agreement.queens))

    return _by_criterion(findings, judge, [best])


def _by_criterion(
    findings: Findings, judge: Callable[[HumanAgreement], Verdict], sets: Iterable[int] = ()
) -> Verdict:
    """By every criterion; the worst word counts. Agreement of QUEEN by these sets is needed."""
    if any(np.isnan(each.queens.value[number]) for each in findings.agreements for number in sets):
        return cannot_judge("QUEEN of the best set is 0 for all outputs")
    return worst_by_name(
        (
            (
                each.criterion,
                judge(each).resting_on(findings.compared.judged_size(each.criterion)),
            )
            for each in findings.agreements
        ),
        "people have not judged three systems on a common topic",
    )


_WEIGHTED = _of("rouge_w", part="precision", stop=True, stem=False, official=True)


_BOTH_PARTS = "ROUGE by recall and by precision"
_HIGHER = "the whole interval is above 0"

CLAIMS: tuple[Claim[Findings], ...] = (
    Claim(
        "Measures together are better than the best single measure.",
        "ACL 2005, section 4.1; workshop 2005, section 3.3",
        "KING of the best of the sets tried, minus that of the best single measure, on topics not "
        f"used to choose them: {_HIGHER}",
        _judge_combination,
    ),
    Claim(
        "QUEEN by the best set ranks people first more often than ROUGE does.",
        "ACL 2005, section 5, Table 1",
        "how often it does minus how often the best of ROUGE-1 to ROUGE-4 by recall does; the set "
        f"was chosen on the same topics: {_HIGHER}",
        _judge_first,
        lambda findings: sample_size(findings)._replace(
            cases=len(findings.compared.topics[0].references), case="people"
        ),
    ),
    Claim(
        "The higher KING of a set, the more its ranking of systems agrees with people.",
        "ACL 2005, Figure 7; workshop 2005, Figure 5",
        "the correlation, over sets, of KING and Pearson's r with people: "
        f"{_HIGHER}, by every criterion",
        _judge_with_king,
    ),
    Claim(
        "The ranking of systems by QUEEN agrees well with people's.",
        "workshop 2005, section 4.2",
        f"Pearson's r of the best set is at least {_GOOD}, with its whole interval, by every "
        "criterion",
        _judge_good,
    ),
    Claim(
        "Sets of the highest KING agree with people better than the best ROUGE does.",
        "workshop 2005, section 6",
        "Pearson's r of QUEEN by the best set, minus that of mean similarity by the ROUGE measure "
        f"that agrees best: {_HIGHER}, by every criterion",
        _judge_above_rouge,
    ),
    Claim(
        "People have the highest QUEEN, far ahead of systems.",
        "workshop 2005, section 4.1, Figure 4",
        f"QUEEN of the lowest reference minus that of the highest system: {_HIGHER}",
        lambda findings: judge_above_zero(findings.system_queens.people_ahead()),
    ),
    Claim(
        "With more than ten systems JACK grows more slowly.",
        "workshop 2005, section 3.4, Figure 3",
        f"growth per system up to ten, minus growth after that: {_HIGHER}, in both forms",
        _judge_slower,
        lambda findings: sample_size(findings)._replace(
            cases=len(findings.compared.instances.topic), case="outputs"
        ),
    ),
    Claim.untestable(
        "JACK of all peers is far above that of peers of one strategy.",
        "ACL 2005, section 4.2, Figure 6",
        "which systems follow the same strategy is unknown",
    ),
    Claim(
        "Content characterises what people write better than style.",
        "workshop 2005, sections 3.3 and 6",
        f"KING of the best measure of content minus that of the best of style: {_HIGHER}",
        _judge_highest(_content, _of(*STYLE_FAMILIES), "measures of both kinds"),
    ),
    Claim(
        "The best set has no measure of style.",
        "workshop 2005, sections 4.3 and 6",
        "KING of the best set without measures of style, minus that of the best set with one, both "
        f"chosen on the same topics: {_HIGHER}",
        _judge_unstyled,
    ),
    Claim(
        "Precision of ROUGE-W without stop words has the highest KING.",
        "workshop 2005, section 3.3",
        f"KING of it, as ROUGE-1.5.5 computes it, minus that of the best other measure: {_HIGHER}",
        _judge_highest(
            _WEIGHTED,
            lambda names: sorted({*range(len(names))}.difference(_WEIGHTED(names))),
            "ROUGE-W precision without stop words with official=true, and others,",
        ),
    ),
    Claim(
        "With stems, ROUGE by recall has the higher KING.",
        "workshop 2005, section 3.2",
        f"KING of the best by recall minus that of the best by precision: {_HIGHER}",
        _judge_highest(_rouge("recall", stem=True), _rouge("precision", stem=True), _BOTH_PARTS),
    ),
    Claim(
        "Without stems, ROUGE by precision has the higher KING.",
        "workshop 2005, section 3.2",
        f"KING of the best by precision minus that of the best by recall: {_HIGHER}",
        _judge_highest(_rouge("precision", stem=False), _rouge("recall", stem=False), _BOTH_PARTS),
    ),
    Claim(
        "TVM is better with more terms.",
        "workshop 2005, section 3.3",
        f"KING with 512 terms minus that with 4: {_HIGHER}",
        _judge_highest(_of("tvm", n=512), _of("tvm", n=4), "TVM with 4 and with 512 terms"),
    ),
    Claim(
        "ROUGE-1 is the best of the single metrics.",
        "ACL 2005, section 4.1",
        f"KING of it minus that of the best other metric of that paper: {_HIGHER}",
        _judge_highest(
            _of("rouge", n=1, part="recall", stop=True, stem=True),
            _of("sentencesim", "docsim", "vectmodel", "tvm", "nicos"),
            "ROUGE-1 and metrics of that paper",
        ),
    ),
    Claim.untestable(
        "In one task people agree more, and systems vary less, than in another.",
        "workshop 2005, sections 3.3, 3.4 and 4.3",
        "there is one task",
    ),
    Claim(
        "Key concepts distinguish people's texts from systems' better than ROUGE.",
        "ACL 2004, section 4, Table 2",
        f"early estimate of NICOS minus that of the best ROUGE-1 by recall: {_HIGHER}",
        _judge_concepts,
    ),
    Claim(
        "Perplexity and co-selection are below chance.",
        "ACL 2004, section 4, Table 2",
        "their early estimates are below .5, with the whole intervals",
        _judge_baselines,
    ),
    Claim.untestable(
        "Measures that are good for one type of topics are not good for another.",
        "ACL 2004, section 4",
        "there is only one type of topics",
    ),
)
