"""What a reader of any study must know to take its figures for what they are."""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["rough_intervals"]

_FEW = 10


def rough_intervals(groups: int) -> Iterator[str]:
    """A warning, if there are too few groups for what resampling them says to be relied on."""
    if 1 < groups < _FEW:
        yield f"Resampling {groups} groups gives rough intervals, so that verdicts are hints only."
