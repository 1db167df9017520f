"""Measures that are not defined for texts, told in one message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from eval.instances.wording import quoted
from weps.errors import ValuesError
from weps.sources.messages import listed

__all__ = ["Fault", "undefined"]

_MOST_TOLD = 20


@dataclass(frozen=True, slots=True)
class Fault:
    """A measure that is not defined for a text."""

    measure: str
    topic: str
    where: str
    """Whose text it is."""
    what: str
    remedy: str

    @property
    def of_text(self) -> tuple[str, str, str, str]:
        """What it has in common with the same fault of another measure."""
        return self.topic, self.where, self.what, self.remedy


def undefined(faults: Sequence[Fault], testbed: str, kept: Path | None) -> ValuesError:
    """One error that tells of all; what is wrong with a text is told once for all measures.

    Args:
        faults: at least one.
        testbed: its name.
        kept: where the values of the other topics are.
    """
    measures: dict[tuple[str, str, str, str], list[str]] = {}
    for fault in faults:
        measures.setdefault(fault.of_text, []).append(fault.measure)
    told = [_told(*of_text, listed(names)) for of_text, names in measures.items()]
    more = len(told) - _MOST_TOLD
    what = f"measures are not defined for all texts: {'; '.join(told[:_MOST_TOLD])}"
    remedy = "mend these texts, or leave out measures"
    return ValuesError(
        what + (f"; and {more:,} more" if more > 0 else ""),
        where=testbed,
        remedy=f"{remedy}; the values of all other topics are kept in {kept}" if kept else remedy,
    )


def _told(topic: str, where: str, what: str, remedy: str, measures: str) -> str:
    return f"topic {quoted(topic)}, {where}: {'; '.join(filter(None, (what, remedy)))} ({measures})"
