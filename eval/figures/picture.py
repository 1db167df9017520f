"""What every function of this package makes, and whether it can be made here."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.util import find_spec

__all__ = ["Picture", "available"]


@dataclass(frozen=True, slots=True)
class Picture:
    """One figure in the two formats that documents need; the same data give the same bytes."""

    svg: str = field(repr=False)
    """450 pt (600 CSS pixels) wide, text as paths, nothing linked."""
    png: bytes = field(repr=False)
    """The same at 200 dpi."""
    alt: str
    """One or two sentences for those who cannot see it."""


def available() -> bool:
    """Whether matplotlib is installed, without which nothing is drawn."""
    return find_spec("matplotlib") is not None
