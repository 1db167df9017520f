"""Options that several commands share."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from weps.errors import OutputError

__all__ = ["add_json", "add_names", "probability", "write_json"]


def add_names(parser: argparse.ArgumentParser, meaning: str) -> None:
    """``--name N``, which may be repeated."""
    parser.add_argument("--name", action="append", metavar="N", help=meaning)


def add_json(parser: argparse.ArgumentParser) -> None:
    """``--json FILE``."""
    parser.add_argument(
        "--json", type=Path, metavar="FILE", help="also write the result as JSON (docs/output.md)"
    )


def probability(text: str) -> float:
    """A number from 0 to 1, as argparse wants it."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0 to 1")
    return value


def write_json(path: Path | None, data: Any) -> None:
    """Write data for machines, if a file was asked for.

    Raises:
        OutputError: if it cannot be written.
    """
    if path is None:
        return
    try:
        path.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", "utf-8")
    except OSError as error:
        raise OutputError(
            f"the JSON cannot be written ({error.strerror})",
            where=path,
            remedy="choose another file with --json",
        ) from None
