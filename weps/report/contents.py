"""What a report is made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from weps.people import Answer
from weps.provenance import Provenance

__all__ = ["Report"]


@dataclass(frozen=True, slots=True)
class Report:
    """An answer, and what else a reader should know about it."""

    answer: Answer
    scores: Mapping[str, float] = field(default_factory=dict)
    """Measure to value, where a key tells how good the answer is."""
    score_signature: str = ""
    """How the scores were computed."""
    notes: tuple[str, ...] = ()
    """Remarks on the source, one sentence each, e.g. ``Source.warnings``."""
    provenance: Provenance = field(default_factory=Provenance)
    """Where the pages are and what was chosen, so that pages can be added later."""
