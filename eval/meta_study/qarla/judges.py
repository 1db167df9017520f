"""What our figures say of the papers' conclusions, one function for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce

import numpy as np

from eval.judging.rules import Verdict, at_least, below, both, greater
from eval.meta.drawn import Drawn
from eval.meta_study.claims import cannot
from eval.meta_study.qarla.findings import Findings
from eval.meta_study.qarla.known import STYLE, best_of, contentful, found
from eval.meta_study.qarla.people import Agreement
from eval.ordering import Estimate

__all__ = [
    "CHANCE",
    "GOOD",
    "above_rouge",
    "baselines",
    "combination",
    "concepts",
    "content",
    "first",
    "good",
    "king",
    "one_task",
    "people_ahead",
    "rouge",
    "slower",
    "stemmed",
    "strategies",
    "terms",
    "topics",
    "unstemmed",
    "unstyled",
    "weighted",
]

_ROUGE = ("rouge", "rouge_l", "rouge_w", "rouge_s", "rouge_su")
_BASELINES = ("perplexity", "docsim", "sentencesim")
GOOD = 0.9
"""The paper has .92 and .96."""
CHANCE = 0.5


def _needs(measures: str) -> Verdict:
    return cannot(f"{measures} are not among the measures")


def combination(findings: Findings) -> Verdict:
    """A set of several is ahead on topics that did not choose it."""
    if not findings.crossed:
        return cannot("there is one topic, or no set of several measures")
    return greater(findings.crossed.kings.difference(1, 0))


def content(findings: Findings) -> Verdict:
    """Content is ahead of style."""
    names = findings.compared.measures
    return _compared(findings, contentful(names), found(names, STYLE), "measures of both kinds")


def unstyled(findings: Findings) -> Verdict:
    """The best set without style is ahead of the best with it."""
    style = set(found(findings.compared.measures, STYLE))
    sets = findings.search.sets
    with_style = [each for each, members in enumerate(sets) if style.intersection(members)]
    without = [each for each in range(len(sets)) if each not in with_style]
    if not with_style or not without:
        return _needs("measures of style")
    ours, theirs = (
        max(some, key=lambda each: float(findings.kings.value[each]))
        for some in (without, with_style)
    )
    verdict = greater(findings.kings.difference(theirs, ours))
    return Verdict(verdict.word, f"against {findings.named(sets[theirs])}: {verdict.figures}")


def rouge(findings: Findings) -> Verdict:
    """ROUGE-1 is ahead of the other metrics of the ACL paper."""
    names = findings.compared.measures
    own = found(names, ["rouge"], n=1, part="recall", stop=True, stem=True)
    others = found(names, ["sentencesim", "docsim", "vectmodel", "tvm", "nicos"])
    return _compared(findings, own, others, "ROUGE-1 and metrics of that paper")


def weighted(findings: Findings) -> Verdict:
    """Precision of ROUGE-W without stop words is ahead of all others."""
    own = found(findings.compared.measures, ["rouge_w"], part="precision", stop=True, stem=False)
    others = [each for each in findings.order if each not in own]
    return _compared(findings, own, others, "ROUGE-W precision without stop words, and others,")


def stemmed(findings: Findings) -> Verdict:
    """With stems recall is ahead of precision."""
    return _recall_first(findings, stem=True)


def unstemmed(findings: Findings) -> Verdict:
    """Without stems precision is ahead of recall."""
    return _recall_first(findings, stem=False)


def _recall_first(findings: Findings, stem: bool) -> Verdict:
    """With stems recall is to be ahead, without them precision."""
    names = findings.compared.measures
    turned = found(names, ["rouge_l"], inverted=True, stem=stem)  # precision, therefore
    recall = [each for each in found(names, _ROUGE, part="recall", stem=stem) if each not in turned]
    precision = [*found(names, _ROUGE, part="precision", stem=stem), *turned]
    sides = (recall, precision) if stem else (precision, recall)
    return _compared(findings, *sides, "ROUGE by recall and by precision")


def terms(findings: Findings) -> Verdict:
    """More terms are ahead of fewer."""
    few, many = (found(findings.compared.measures, ["tvm"], n=n) for n in (4, 512))
    return _compared(findings, many, few, "TVM with 4 and with 512 terms")


def concepts(findings: Findings) -> Verdict:
    """NICOS is ahead of ROUGE by the early estimate."""
    names = findings.compared.measures
    own, others = found(names, ["nicos"]), found(names, ["rouge"], n=1, part="recall")
    if not own or not others:
        return _needs("NICOS and ROUGE-1")
    substitute = "" if found(names, ["nicos"], concepts="given") else " (substitute concepts)"
    ours, theirs = (
        max(some, key=lambda each: float(findings.early.value[each])) for some in (own, others)
    )
    verdict = greater(findings.early.difference(theirs, ours))
    return Verdict(verdict.word, verdict.figures + substitute)


def baselines(findings: Findings) -> Verdict:
    """Perplexity and co-selection are below chance."""
    own = found(findings.compared.measures, _BASELINES)
    if not own:
        return _needs("perplexity and co-selection")
    estimates = findings.early.estimates
    return below({findings.compared.measures[each]: estimates[each] for each in own}, CHANCE)


def first(findings: Findings) -> Verdict:
    """QUEEN of the best set ranks more people first than the best ROUGE does."""
    names, shares = findings.compared.measures, findings.first
    rouges = [each for n in (1, 2, 3, 4) for each in found(names, ["rouge"], n=n, part="recall")]
    if shares is None:
        return cannot("references or systems are not the same on all topics")
    if not rouges:
        return _needs("ROUGE-1 to ROUGE-4 by recall")
    rival = max(rouges, key=lambda each: float(shares.value[each]))
    return greater(shares.difference(rival, 2 * len(names)))


def people_ahead(findings: Findings) -> Verdict:
    """The lowest reference is ahead of the highest system."""
    return greater(findings.standing.people_ahead())


def slower(findings: Findings) -> Verdict:
    """JACK grows faster up to ten peers than after."""
    slowing = [each.slows_down() for each in findings.reliability]
    known = [each for each in slowing if each]
    if not known:
        return cannot("there are ten systems at most, or no similarities among outputs")
    forms = [each.form.value for each in findings.reliability]
    return _all(
        Verdict((verdict := greater(each)).word, f"{form}: {verdict.figures}")
        for form, each in zip(forms, known, strict=True)
    )


def good(findings: Findings) -> Verdict:
    """QUEEN of the best set agrees well with people."""
    best = findings.search.best
    return _by_criterion(findings, lambda each: at_least(each.queens.estimates[best], GOOD), [best])


def king(findings: Findings) -> Verdict:
    """KING of sets and their agreement with people go together."""
    return _by_criterion(findings, lambda each: greater(each.with_king()), [])


def above_rouge(findings: Findings) -> Verdict:
    """QUEEN of the best set agrees with people better than the best ROUGE."""
    rouges = found(findings.compared.measures, _ROUGE)
    if not rouges:
        return _needs("ROUGE")

    def judge(agreement: Agreement) -> Verdict:
        rival = max(rouges, key=lambda each: np.nan_to_num(agreement.plain.value[each], nan=-2))
        return greater(_minus(agreement.queens, findings.search.best, agreement.plain, rival))

    return _by_criterion(findings, judge, [findings.search.best])


def one_task(_: Findings) -> Verdict:
    """Claims about two tasks."""
    return cannot("there is one task")


def strategies(_: Findings) -> Verdict:
    """Claims about strategies of systems."""
    return cannot("it is not told which systems follow the same strategy")


def topics(_: Findings) -> Verdict:
    """Claims about types of topics."""
    return cannot("topics are not of two types")


def _compared(
    findings: Findings, ours: Iterable[int], theirs: Iterable[int], needed: str
) -> Verdict:
    """The highest KING of some measures against the highest of others."""
    one, other = (best_of(findings, list(some)) for some in (ours, theirs))
    if one is None or other is None:
        return _needs(needed)
    names = findings.compared.measures
    verdict = greater(findings.kings.difference(other, one))
    return Verdict(verdict.word, f"{names[one]} − {names[other]}: {verdict.figures}")


def _by_criterion(
    findings: Findings, judge: Callable[[Agreement], Verdict], sets: Iterable[int]
) -> Verdict:
    """By every criterion; the worst word counts."""
    if not findings.agreements:
        return cannot("people have not judged three systems on a common topic")
    if any(np.isnan(each.queens.value[number]) for each in findings.agreements for number in sets):
        return cannot("QUEEN of the best set is 0 for all outputs")
    verdicts = ((each.criterion, judge(each)) for each in findings.agreements)
    return _all(Verdict(one.word, f"{name}: {one.figures}") for name, one in verdicts)


def _all(verdicts: Iterable[Verdict]) -> Verdict:
    return reduce(both, verdicts)


def _minus(first: Drawn, own: int, second: Drawn, other: int) -> Estimate:
    value = float(first.value[own] - second.value[other])
    return Estimate.of(value, first.drawn[own] - second.drawn[other])
