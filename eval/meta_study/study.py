"""What was studied, and how it was made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from eval.meta_study.claims import Judgement

__all__ = ["SUBSTITUTE", "Study", "picked", "signature"]

Findings = TypeVar("Findings")

SUBSTITUTE = (
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


def signature(**parts: object) -> str:
    """All that decides the figures, in one line."""
    return "|".join(f"{name}:{value}" for name, value in parts.items())


def picked(order: Sequence[int], most: int, always: Sequence[int] = ()) -> list[int]:
    """The first few of an order, and after them those that must not be missing."""
    first = list(order[:most])
    return first + [each for each in order if each in always and each not in first]
