"""What was studied, how it was made, and what all studies tell alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from eval.document import Document, Section
from eval.meta_study.claims import Judgement, full_table
from eval.meta_study.figures_data import conclusions_data

__all__ = ["Study", "as_data", "as_document", "picked", "signature"]

Findings = TypeVar("Findings")

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
