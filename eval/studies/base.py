"""What was studied, how it was made, and what all studies tell alike.

Conclusions of papers about measures, each with the rule that judges it by our figures.

Verdicts on a claim by several criteria of people, made one.

Figures with intervals as JSON knows them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import isfinite, isnan
from typing import Any, Generic, TypeAlias, TypeVar

from eval.report.claims import (
    DOES_NOT_HOLD,
    HOLDS,
    SEVERITY,
    UNDECIDED,
    Verdict,
    both,
    claims_table,
)
from eval.report.document import Document, Section, Table
from eval.report.numbers import share_between
from eval.stats.estimate import Drawn, Estimate

__all__ = [
    "CANNOT",
    "Conclusion",
    "Judgement",
    "Study",
    "as_data",
    "as_document",
    "at_most",
    "brief_table",
    "by_measure",
    "cannot",
    "conclusions_data",
    "estimate_data",
    "full_table",
    "judged",
    "judged_over",
    "number",
    "over_criteria",
    "picked",
    "signature",
]

Findings = TypeVar("Findings")

CANNOT = "cannot be tested here"
"""The data at hand lack what the claim is about."""


@dataclass(frozen=True, slots=True)
class Conclusion(Generic[Findings]):
    """A conclusion of a paper."""

    claim: str
    """In less than 80 letters."""
    source: str
    rule: str
    """When it holds here, in words."""
    judge: Callable[[Findings], Verdict]


Judgement: TypeAlias = tuple[Conclusion[Findings], Verdict]


def judged(
    conclusions: Sequence[Conclusion[Findings]], findings: Findings
) -> list[Judgement[Findings]]:
    """Every conclusion with what our figures say of it."""
    return [(each, each.judge(findings)) for each in conclusions]


def cannot(reason: str) -> Verdict:
    """Nothing can be said, and why."""
    return Verdict(CANNOT, reason)


def at_most(figure: Estimate, limit: float) -> Verdict:
    """A figure stays below a limit with its whole interval."""
    word = UNDECIDED
    if figure.high < limit:
        word = HOLDS
    elif figure.low >= limit:
        word = DOES_NOT_HOLD
    return Verdict(word, share_between(figure) if not isnan(figure.value) else "")


def full_table(judgements: Sequence[Judgement[Findings]], sample: str) -> Table:
    """Claim, verdict, figures, rule and source, one row each, for the document."""
    return claims_table(
        judgements,
        "conclusions",
        "The papers' conclusions",
        f"In brackets: 95 % interval, bootstrapped over {sample} unless it is told otherwise. "
        "Undecided: the interval leaves it open.",
    )


def brief_table(judgements: Sequence[Judgement[Findings]]) -> Table:
    """Verdict and claim, for the terminal."""
    rows = [[verdict.word, each.claim] for each, verdict in judgements]
    heading = ["here", "the paper concludes"]
    return Table("conclusions", "What holds here", [heading, *rows], left=2)


def judged_over(
    conclusions: Sequence[Conclusion[Findings]], findings: Mapping[str, Findings]
) -> list[Judgement[Any]]:
    """Every conclusion with what the figures of all criteria say of it.

    Args:
        conclusions: each is judged by what was found by one criterion.
        findings: criterion → what was found, at least one.
    """
    return [
        (each, over_criteria({name: each.judge(found) for name, found in findings.items()}))
        for each in conclusions
    ]


def over_criteria(verdicts: Mapping[str, Verdict]) -> Verdict:
    """The worst word; of a criterion that cannot say anything nothing is told if others can.

    Args:
        verdicts: criterion → verdict.
    """
    if not verdicts:
        return cannot("there are no human scores")
    known = {name: each for name, each in verdicts.items() if each.word in SEVERITY}
    if not known:
        return next(iter(verdicts.values()))
    if len(verdicts) == 1:
        return next(iter(known.values()))
    titled = (Verdict(each.word, f"{name}: {each.figures}") for name, each in known.items())
    return reduce(both, titled)


def number(value: float) -> float | None:
    """The value; null if there is none."""
    return value if isfinite(value) else None


def estimate_data(figure: Estimate) -> dict[str, float | None]:
    """``value``, ``low`` and ``high``; null for what is not known."""
    return {name: number(value) for name, value in figure._asdict().items()}


def by_measure(names: Sequence[str], drawn: Drawn) -> dict[str, dict[str, float | None]]:
    """Measure → its figure with the interval."""
    return {
        name: estimate_data(figure) for name, figure in zip(names, drawn.estimates, strict=True)
    }


def conclusions_data(judgements: Iterable[Judgement[Any]]) -> list[dict[str, str]]:
    """Claims with their verdicts, and the figures that speak for them."""
    return [
        {
            "claim": each.claim,
            "source": each.source,
            "verdict": verdict.word,
            "figures": verdict.figures,
        }
        for each, verdict in judgements
    ]


_SUBSTITUTE = (
    "The papers studied other data, which are not at hand: the data named here stand in for them, "
    "and the papers' own tables are not reproduced."
)


@dataclass(frozen=True)
class Study(Generic[Findings]):
    """All that tables, document and data tell."""

    title: str
    """Of the data."""
    findings: Findings
    judgements: Sequence[Judgement[Any]]
    remarks: Sequence[str]
    """What the reader must know of how it was made."""
    signature: str
    made: str
    sample: str = "topics"
    """What is drawn anew for intervals."""


def as_document(
    study: Study[Any], title: str, opening: Sequence[str], sections: Iterable[Section]
) -> Document:
    """Opening, remarks and verdicts, and after them what the study is about.

    Args:
        study: a verdict, if there is any, comes before everything else.
        title: of the study; that of the data follows it.
        opening: paragraphs: the papers, and what they ask.
        sections: tables and figures.
    """
    judged = [Section("What holds here", tables=(full_table(study.judgements, study.sample),))]
    return Document(
        f"{title} on {study.title}",
        [*opening, _SUBSTITUTE, *study.remarks],
        [*(judged if study.judgements else []), *sections],
        study.signature,
        study.made,
    )


def as_data(study: Study[Any], **figures: Any) -> dict[str, Any]:
    """How it was made, the figures, and the verdicts, as JSON knows them."""
    return {
        "signature": study.signature,
        "made": study.made,
        "source": study.title,
        "remarks": list(study.remarks),
        **figures,
        "conclusions": conclusions_data(study.judgements),
    }


def signature(**parts: object) -> str:
    """All that decides the figures, in one line."""
    return "|".join(f"{name}:{value}" for name, value in parts.items())


def picked(order: Sequence[int], most: int, always: Sequence[int] = ()) -> list[int]:
    """The first few of an order, and after them those that must not be missing."""
    first = list(order[:most])
    return first + [each for each in order if each in always and each not in first]
