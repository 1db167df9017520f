"""The rule that is about features: one ranks better than others."""

from __future__ import annotations

from collections.abc import Iterable

from eval.feature_study.findings import Findings
from eval.judging.numerals import signed_between
from eval.judging.rules import NOT_STUDIED, SEVERITY, Verdict, greater
from eval.ordering import Estimate

__all__ = ["ahead_of_all"]


def ahead_of_all(findings: Findings, best: str, others: Iterable[str]) -> Verdict:
    """It has a higher average precision than each of the others, by more than chance.

    Does not hold if one of the others has, by more than chance. The figures are those of the one
    that decides.
    """
    wanted = [other for other in others if other != best]
    ahead = _ahead(findings, best, wanted)
    if not ahead:
        return Verdict(NOT_STUDIED)
    name, least = min(
        ahead.items(), key=lambda item: (SEVERITY[greater(item[1]).word], item[1].value)
    )
    word = greater(least).word
    told = f"average precision of {best} − {name}: {signed_between(least)}"
    missing = [other for other in wanted if other not in ahead]
    return Verdict(word, told + (f"; not studied: {', '.join(missing)}" if missing else ""))


def _ahead(findings: Findings, best: str, others: Iterable[str]) -> dict[str, Estimate]:
    """How far a feature is ahead of each of the others that were studied."""
    rankings = findings.rankings
    if best not in rankings:
        return {}
    return {
        other: rankings[best].ahead_of(rankings[other]) for other in others if other in rankings
    }
