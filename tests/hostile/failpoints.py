"""Crash consistency: every operation that writes fails or kills, in turn.

``python -m tests.hostile.failpoints`` tries all of them for every command that writes, and prints
counts. Each trial is a process of its own, in which the functions of the system that write below
one folder are replaced; weps knows nothing of it. After each trial, every file is as it was before
or as it is to be, and the same command gives the same bytes as without the failure.
"""

from __future__ import annotations

import argparse
import builtins
import contextlib
import errno
import io
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.hostile.scenarios import SCENARIOS, Scenario

WAYS = ("error", "full", "kill")
"""One operation fails (EIO); it and all later ones that need room do (ENOSPC); the process dies."""
_NEED_ROOM = frozenset({"open", "write", "fsync", "mkdir"})
_TIME_LIMIT = 120
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT

Tree = dict[str, bytes]


class _Failpoints:
    """Counts the operations that write below a folder; one of them fails."""

    def __init__(self, folder: Path, at: int, way: str) -> None:
        self.folder, self.at, self.way = folder, at, way
        self.reached: list[str] = []
        self.files: dict[int, str] = {}
        """Descriptor → path, of files below the folder."""

    def reach(self, operation: str, place: Any, before: Callable[[], object] | None = None) -> None:
        """Pass the next failpoint, or fail there, after half of the work."""
        path = self.files.get(place, "") if isinstance(place, int) else os.fspath(place)
        if not path or not Path.cwd().joinpath(path).is_relative_to(self.folder):
            return
        self.reached.append(f"{operation} {Path(path).name}")
        number = len(self.reached)
        full = self.way == "full" and number > self.at and operation in _NEED_ROOM
        if number != self.at and not full:
            return
        if before:
            before()
        if self.way == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        number = errno.ENOSPC if self.way == "full" else errno.EIO
        raise OSError(number, os.strerror(number), path)

    def install(self) -> None:
        """Replace the functions that write."""
        for name in ("replace", "rename", "unlink", "remove", "mkdir", "rmdir", "chmod"):
            self._replace(name, name)
        self._replace("fsync", "fsync")
        self._replace("ftruncate", "truncate")
        plain_open, plain_write, plain_fdopen, plain_io = os.open, os.write, os.fdopen, io.open

        def open_descriptor(path: Any, flags: int, *mode: Any, **named: Any) -> int:
            if flags & _WRITING:
                self.reach("open", path)
            file = plain_open(path, flags, *mode, **named)
            self.files[file] = os.fspath(path)
            return file

        def write(file: int, data: bytes) -> int:
            self.reach("write", file, lambda: plain_write(file, data[: len(data) // 2]))
            return plain_write(file, data)

        def fdopen(file: int, *words: Any, **named: Any) -> Any:
            opened = plain_fdopen(file, *words, **named)
            return _File(opened, self) if file in self.files else opened

        def open_file(path: Any, mode: str = "r", *words: Any, **named: Any) -> Any:
            if not set(mode) & set("wax+") or isinstance(path, int):
                return plain_io(path, mode, *words, **named)
            self.reach("open", path)
            opened = plain_io(path, mode, *words, **named)
            self.files[opened.fileno()] = os.fspath(path)
            return _File(opened, self)

        os.open, os.write, os.fdopen = open_descriptor, write, fdopen  # type: ignore[assignment]
        io.open = builtins.open = open_file  # type: ignore[assignment]

    def _replace(self, name: str, operation: str) -> None:
        plain = getattr(os, name)

        def replaced(place: Any, *words: Any, **named: Any) -> Any:
            self.reach(operation, place)
            return plain(place, *words, **named)

        setattr(os, name, replaced)


class _File:
    """A file whose writes may fail."""

    def __init__(self, opened: Any, points: _Failpoints) -> None:
        self._opened, self._points = opened, points

    def write(self, data: Any) -> Any:
        self._points.reach(
            "write", self._opened.fileno(), lambda: self._half(data[: len(data) // 2])
        )
        return self._opened.write(data)

    def _half(self, data: Any) -> None:
        self._opened.write(data)
        self._opened.flush()

    def truncate(self, *size: int) -> Any:
        self._points.reach("truncate", self._opened.fileno())
        return self._opened.truncate(*size)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._opened, name)

    def __enter__(self) -> _File:
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()


@dataclass(frozen=True)
class _Run:
    """What became of a process."""

    status: int
    """Negative for a signal."""
    told: str
    reached: list[str]


def _run(scenario: Scenario, folder: Path, at: int = 0, way: str = "") -> _Run:
    """Run a scenario in a process, with a failpoint or without."""
    with tempfile.TemporaryFile() as told, tempfile.TemporaryFile() as reached:
        process = os.fork()
        if process == 0:
            status = 99
            points = _Failpoints(folder, at, way)
            try:
                os.chdir(folder)
                for number in (1, 2):
                    os.dup2(told.fileno(), number)
                points.install()
                status = scenario.run()
            except BaseException:  # noqa: BLE001 - told by the parent
                traceback.print_exc()
            finally:
                with contextlib.suppress(Exception):
                    sys.stdout.flush()
                    sys.stderr.flush()
                reached.write(json.dumps(points.reached).encode())
                reached.flush()
                os._exit(status)
        until = time.monotonic() + _TIME_LIMIT
        while (ended := os.waitpid(process, os.WNOHANG))[0] == 0:
            if time.monotonic() > until:
                os.kill(process, signal.SIGKILL)
            time.sleep(0.01)
        texts = []
        for file in (told, reached):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "replace"))
        return _Run(os.waitstatus_to_exitcode(ended[1]), texts[0], json.loads(texts[1] or "[]"))


def _tree(folder: Path) -> Tree:
    """Every file below a folder, hidden ones too."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def _faults(scenario: Scenario, folder: Path, run: _Run, trees: list[Tree]) -> Iterator[str]:
    """What is wrong after a trial, and after the same command again."""
    old, *wanted = trees
    shown = _tree(folder)
    if run.status not in {0, 1, -signal.SIGKILL}:
        yield f"ended with {run.status}: {run.told[-2000:]}"
    for name in {*old, *(each for tree in wanted for each in tree), *shown}:
        if Path(name).name.startswith(".") or name in scenario.grown:
            continue
        known = {tree.get(name) for tree in trees}
        if shown.get(name) not in known:
            yield f"{name} is neither as before nor as it is to be"
    yield from scenario.check(folder, run.status)
    again = _run(scenario, folder)
    if again.status != 0:
        yield f"again, it ended with {again.status}: {again.told[-2000:]}"
    made = scenario.canonical(_tree(folder))
    if made not in [scenario.canonical(tree) for tree in wanted]:
        expected = scenario.canonical(wanted[0])
        differing = [name for name in {*expected, *made} if expected.get(name) != made.get(name)]
        yield f"again, other bytes in {sorted(differing)}"


def _trials(operations: int, most: int) -> list[tuple[int, str]]:
    """Failpoints and ways to fail, at most so many, evenly spread."""
    every = [(at, way) for at in range(1, operations + 1) for way in WAYS]
    step = max(1, -(-len(every) // most)) if most else 1
    return every[step // 2 :: step]


def try_scenario(name: str, most: int = 0) -> tuple[int, int, list[str]]:
    """Let operations of a scenario fail in turn.

    Args:
        name: of the scenario.
        most: trials, evenly spread; 0 for all.

    Returns:
        The number of operations, of trials, and what was wrong.
    """
    failures: list[str] = []
    operations: list[str] = []
    with tempfile.TemporaryDirectory() as place, SCENARIOS[name](Path(place)) as scenario:
        start, folder = Path(place).resolve() / "start", Path(place).resolve() / "work"
        start.mkdir()
        scenario.prepare(start)
        trees = [_tree(start)]

        def begin() -> None:
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(start, folder)

        begin()
        with contextlib.chdir(folder):
            scenario.run()  # what it imports and loads is there for all trials
        begin()
        for _ in range(2):  # the second time, what is to be done is done already
            run = _run(scenario, folder)
            if run.status:
                return 0, 0, [f"without a failure, it ended with {run.status}: {run.told}"]
            operations = operations or run.reached
            trees.append(_tree(folder))
        trials = _trials(len(operations), most)
        for at, way in trials:
            begin()
            run = _run(scenario, folder, at, way)
            where = f"{name}, {way} at {at} ({operations[at - 1]})"
            failures += [f"{where}: {each}" for each in _faults(scenario, folder, run, trees)]
        return len(operations), len(trials), failures


def main() -> int:
    """Try scenarios, and print what came of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenarios", nargs="+", choices=SCENARIOS, default=list(SCENARIOS))
    parser.add_argument("--most", type=int, default=0, help="trials of each; default: all")
    options = parser.parse_args()
    lines, failed = (
        ["| scenario | operations | trials | survived | s |", "|---|--:|--:|--:|--:|"],
        0,
    )
    for name in options.scenarios:
        began = time.monotonic()
        operations, trials, failures = try_scenario(name, options.most)
        sys.stdout.write("".join(f"{each}\n" for each in failures))
        lost = len({each.partition(":")[0] for each in failures})
        failed += lost
        seconds = time.monotonic() - began
        lines.append(f"| {name} | {operations} | {trials} | {trials - lost} | {seconds:.0f} |")
        sys.stdout.write(f"{lines[-1]}\n")
        sys.stdout.flush()
    sys.stdout.write("\n".join(lines) + "\n")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
