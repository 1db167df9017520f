"""Files put in place whole or not at all."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from weps.errors import OutputError
from weps.sources.messages import reason

__all__ = ["put_in_place"]


def put_in_place(contents: Mapping[Path, bytes]) -> None:
    """Write every file beside its path, then rename them all; leave nothing behind on failure.

    Raises:
        OutputError: if a file cannot be written; those already renamed stay.
    """
    unfinished: dict[Path, Path] = {}
    path = Path()
    try:
        for path, content in contents.items():
            unfinished[path] = path.with_name(f".{secrets.token_hex(8)}.tmp")
            unfinished[path].write_bytes(content)
        for path in contents:
            unfinished[path].replace(path)
    except OSError as error:
        what = f"cannot be written ({reason(error)})"
        remedy = "choose a folder in which you may write, with enough room"
        raise OutputError(what, where=path, remedy=remedy) from error
    finally:
        for left in unfinished.values():
            with suppress(OSError):
                left.unlink()
