"""The table of a paper's conclusions and what became of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from eval.document import Table, Tone
from eval.judging.rules import DOES_NOT_HOLD, HOLDS, UNDECIDED, Verdict

__all__ = ["MARKS", "Claimed", "claims_table"]

MARKS: dict[str, Tone] = {HOLDS: "yes", DOES_NOT_HOLD: "no", UNDECIDED: "open"}
"""Verdict → how it is marked in a document."""


class Claimed(Protocol):
    """A conclusion of a paper."""

    @property
    def claim(self) -> str:
        """What the paper says."""

    @property
    def source(self) -> str:
        """Where it says so."""

    @property
    def rule(self) -> str:
        """When it holds here, in words."""


def claims_table(
    judged: Iterable[tuple[Claimed, Verdict]], key: str, title: str, remark: str = ""
) -> Table:
    """Claim, verdict, figures, rule and source, one row each."""
    rows = [
        [each.claim, verdict.word, verdict.figures, each.rule, each.source]
        for each, verdict in judged
    ]
    heading = ["the paper concludes", "here", "our figures", "holds if", "where"]
    return Table(key, title, [heading, *rows], remark, left=len(heading), marks=MARKS)
