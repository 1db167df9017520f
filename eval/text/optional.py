"""Libraries that only some measures need."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from weps.errors import LanguageError

__all__ = ["optional"]


def optional(module: str) -> ModuleType:
    """A module of a library that the extra ``text`` installs.

    Raises:
        LanguageError: if the library is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise LanguageError(
            f"{module.partition('.')[0]} is not installed", remedy="pip install 'weps[text]'"
        ) from error
