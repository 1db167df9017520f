"""Files of runs: one JSON file for each, which no other run replaces."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from eval.runs.record import CIRCUMSTANCES, Run
from weps.errors import SourceError, ValuesError
from weps.placing import make_folder, put_in_place
from weps.sources.messages import reason

__all__ = ["read_runs", "safe", "write_run"]

_LARGEST = 10_000_000
_LONGEST = 40
"""Characters of each part of a file name."""
_REMEDY = "take it out of the folder, or record the run again"


def write_run(run: Run, folder: Path) -> Path:
    """Write a run to a file of its own; recorded before, it replaces its earlier recording.

    Runs are the same if they differ in command, date, machine and seconds at most. A file that
    holds another run, or none, is left alone: a number is added to the name.

    Returns:
        The file, named after system, corpus, way of learning, and seed.

    Raises:
        OutputError: if it cannot be written.
    """
    make_folder(folder)
    content = json.dumps(run.as_data(), ensure_ascii=False, indent=1) + "\n"
    path = next(path for path in _places(run, folder) if not path.exists() or _holds(path, run))
    put_in_place({path: content.encode()})
    return path


def read_runs(path: Path) -> tuple[Run, ...]:
    """The run of a file, or the runs of all JSON files of a folder, by file name.

    Raises:
        SourceError: if there is none, or one of the files is damaged, foreign or of another
            format.
    """
    try:
        files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    except OSError as error:
        raise SourceError(f"cannot be read ({reason(error)})", where=path) from None
    if not files:
        what, remedy = "there are no recorded runs here", "give a file of a run, or their folder"
        raise SourceError(what, where=path, remedy=remedy)
    return tuple(map(_read, files))


def _places(run: Run, folder: Path) -> Iterator[Path]:
    """The files that the run may go to, the best one first."""
    parts = (run.system, run.corpus.title, run.how, f"seed{run.seed}")
    name = "_".join(map(safe, parts))
    yield folder / f"{name}.json"
    yield from (folder / f"{name}_{number}.json" for number in count(2))


def safe(text: str) -> str:
    """At most 40 letters, digits and hyphens, which every file system takes."""
    return re.sub(r"[^A-Za-z0-9]+", "-", text)[:_LONGEST].strip("-") or "x"


def _holds(path: Path, run: Run) -> bool:
    try:
        return _content(_read(path)) == _content(run)
    except SourceError:
        return False


def _content(run: Run) -> dict[str, Any]:
    return {key: value for key, value in run.as_data().items() if key not in CIRCUMSTANCES}


def _read(path: Path) -> Run:
    try:
        return Run.from_data(json.loads(_text(path)))
    except ValuesError as error:
        raise SourceError(error.what, where=path, remedy=error.remedy or _REMEDY) from None
    except (ValueError, RecursionError):
        raise SourceError("this is no JSON that can be read", where=path, remedy=_REMEDY) from None


def _text(path: Path) -> str:
    """The text of a file; devices and pipes, which may never end, are none."""
    if not path.is_file():
        raise SourceError("there is no such file", where=path, remedy="check its name")
    try:
        with path.open("rb") as file:
            raw = file.read(_LARGEST + 1)
    except OSError as error:
        what, remedy = f"cannot be read ({reason(error)})", "check that you may read it"
        raise SourceError(what, where=path, remedy=remedy) from None
    if len(raw) > _LARGEST:
        raise SourceError("this is far too large for a run", where=path, remedy=_REMEDY)
    return raw.decode()
