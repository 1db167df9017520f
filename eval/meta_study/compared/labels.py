"""Names of measures in figures."""

from __future__ import annotations

__all__ = ["short"]


def short(name: str) -> str:
    """The name of measures, as short as it is still understood."""
    return name.replace("part=", "").replace("=true", "")
