"""Digests: of all that a computed value depends on, the code that computes it included."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from functools import cache
from pathlib import Path

__all__ = ["digest", "source_digest"]


def digest(*parts: bytes | str) -> str:
    """The SHA-256 of a sequence, in hex; sequences that differ anywhere have different digests."""
    whole = hashlib.sha256()
    for part in parts:
        kind, raw = (
            ("s", part.encode("utf-8", "surrogatepass")) if isinstance(part, str) else ("b", part)
        )
        whole.update(f"{kind}{len(raw)}:".encode())
        whole.update(raw)
    return whole.hexdigest()


@cache
def source_digest(*modules: str) -> str:
    """What changes with the source of modules and packages, and with the version of Python.

    Args:
        modules: their full names; only the packages that they are in are imported.

    Returns:
        16 hex digits.

    Raises:
        ModuleNotFoundError: if there is no such module, or it has no source.
    """
    parts: list[bytes | str] = ["{}.{}".format(*sys.version_info)]
    for module in modules:
        for name, file in _sources(module):
            parts += (module, name, file.read_bytes())
    return digest(*parts)[:16]


def _sources(module: str) -> list[tuple[str, Path]]:
    """The source files of a module or package and their names within it, in order of name."""
    spec = importlib.util.find_spec(module)
    if spec is None or not spec.has_location or not str(spec.origin).endswith(".py"):
        raise ModuleNotFoundError(f"there is no source of a module {module!r}")
    origin = Path(str(spec.origin))
    files = origin.parent.rglob("*.py") if spec.submodule_search_locations else [origin]
    return sorted((file.relative_to(origin.parent).as_posix(), file) for file in files)
