"""Where a user's cache is kept."""

from __future__ import annotations

import os
import sys
from pathlib import Path

__all__ = ["default_folder"]


def default_folder() -> Path:
    """The folder that ``WEPS_CACHE`` names, else the one that the platform has for caches."""
    if chosen := os.environ.get("WEPS_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else _home() / "AppData" / "Local") / "weps" / "Cache"
    if sys.platform == "darwin":
        return _home() / "Library" / "Caches" / "weps"
    chosen = os.environ.get("XDG_CACHE_HOME", "")  # which counts, by its standard, if absolute
    return (Path(chosen) if Path(chosen).is_absolute() else _home() / ".cache") / "weps"


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError:  # a user without a home: a place where nothing can be kept
        return Path(os.devnull)
