"""Turns of phrase that messages share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["listed", "reason"]


def listed(items: Iterable[object], most: int = 5) -> str:
    """Join items for a message: ``1, 2, 3``, cut short with the number of those left out."""
    words = [str(item) for item in items]
    more = f" and {len(words) - most} more" if len(words) > most else ""
    return ", ".join(words[:most]) + more


def reason(problem: OSError) -> str:
    """Say why the system refused, without the path, which the message states already."""
    return problem.strerror or str(problem)
