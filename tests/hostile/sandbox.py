"""A trial in a process of its own: limits, what it may touch, and what came of it.

The process is forked from one that has loaded weps, so that a trial costs its own work only. Audit
events of Python tell which files it opens for writing and whom it connects to.
"""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import run_weps

TIME_LIMIT = 120.0
"""Seconds of a trial: a multiple of what any takes alone, because machines are shared."""
MEMORY_LIMIT = 1 << 30
"""Bytes that a trial may take at its peak, weps itself and its models included."""
_ADDRESS_SPACE = 8 << 30
CANARY = "canary-4c1f0b7e"
"""Text of a file beside the inputs, which no link and no path may lead to."""
STATUSES = {0, 1, 2}
"""Exit statuses that are documented, but for internal errors (70) and Ctrl-C (130)."""
_FAULTS = ("Traceback (most recent", "internal error", "fault of weps")
_LONGEST_MESSAGE = 50_000
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_CHANGES = {f"os.{each}" for each in "remove rename mkdir rmdir link symlink truncate".split()}
_LOOPBACK = ("127.", "::1", "localhost", "0.0.0.0")  # noqa: S104 - waitress looks it up


@dataclass(frozen=True)
class Place:
    """The folders of a trial; it may write below all but ``inputs``."""

    root: Path

    @property
    def inputs(self) -> Path:
        return self.root / "inputs"

    @property
    def out(self) -> Path:
        return self.root / "out"

    @property
    def cache(self) -> Path:
        return self.root / "cache"

    def make(self) -> None:
        for name in ("inputs", "out", "cache", "tmp", "home"):
            (self.root / name).mkdir()
        (self.root / "secret.html").write_text(f"<p>{CANARY}</p>")


Trial = Callable[[], str]
"""What is tried; returns what is wrong, empty if nothing is."""
Generator = Callable[[random.Random, Place], Trial]
"""Makes the inputs of a trial below a place, and the trial."""


@dataclass(frozen=True)
class Verdict:
    """What came of a trial."""

    failed: str = ""
    """Why it failed, empty if it was handled."""
    seconds: float = 0.0
    megabytes: float = 0.0
    """At the peak of the largest process."""


def run_trial(generator: Generator, seed: str, keep: Path | None = None) -> Verdict:
    """Run a trial in a process of its own, in a folder that is removed afterwards.

    Args:
        generator: of its inputs.
        seed: of its random numbers.
        keep: the folder, which stays, instead of a temporary one.
    """
    root = keep or Path(tempfile.mkdtemp(prefix="hostile-"))
    root.mkdir(exist_ok=True)
    try:
        child = os.fork()
        if child == 0:
            os.setsid()
            _be_tried(generator, seed, Place(root.resolve()))
        return _watch(child, root)
    finally:
        if keep is None:
            shutil.rmtree(root, ignore_errors=True)


def _watch(child: int, root: Path) -> Verdict:
    """The verdict of a process, which is killed with its children at the limit of time."""
    begun, status = time.monotonic(), None
    while status is None and time.monotonic() - begun < TIME_LIMIT:
        ended, code = os.waitpid(child, os.WNOHANG)
        status = code if ended else None
        time.sleep(0 if ended else 0.005)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    seconds = time.monotonic() - begun
    if status is None:
        os.waitpid(child, 0)
        return Verdict(f"hangs: over {TIME_LIMIT:.0f} s", seconds)
    try:
        return Verdict(**json.loads((root / "verdict.json").read_text()))
    except (OSError, ValueError):
        return Verdict(f"the process ended with wait status {status}", seconds)


def _be_tried(generator: Generator, seed: str, place: Place) -> None:
    """In the child: never returns."""
    try:
        place.make()
        told = (place.root / "told.txt").open("w", encoding="utf-8", errors="replace")
        nothing = os.open(os.devnull, os.O_RDONLY)
        for stream, target in ((0, nothing), (1, told.fileno()), (2, told.fileno())):
            os.dup2(target, stream)
        sys.stdout = sys.stderr = told
        os.chdir(place.out)
        os.environ |= {"WEPS_CACHE": str(place.cache), "HOME": str(place.root / "home")}
        os.environ["TMPDIR"] = tempfile.tempdir = str(place.root / "tmp")
        resource.setrlimit(resource.RLIMIT_AS, (_ADDRESS_SPACE, _ADDRESS_SPACE))
        trial = generator(random.Random(seed), place)  # noqa: S311 - not for secrets
        Path("/proc/self/clear_refs").write_text("5")  # the peak begins here
        violations = _guard(place)
        begun = time.monotonic()
        failed = trial()
        verdict = Verdict(failed, time.monotonic() - begun, _peak() / 1e6)
        told.flush()
        failed = failed or _look(place, violations, verdict)
        verdict = Verdict(failed, verdict.seconds, verdict.megabytes)
    except BaseException:  # noqa: BLE001 - whatever it is, it is a failure
        verdict = Verdict(f"raises {traceback.format_exc()[-2000:]}")
    descriptor = os.open(place.root / "verdict.json", os.O_WRONLY | os.O_CREAT)
    os.write(descriptor, json.dumps(asdict(verdict)).encode())
    os._exit(0)


def _peak() -> int:
    """Bytes that this process, or the largest of its children, took at most."""
    lines = Path("/proc/self/status").read_text().splitlines()
    own = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    return max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) * 1024


def _look(place: Place, violations: list[str], verdict: Verdict) -> str:
    """What is wrong with what was written, said and used."""
    if violations:
        return violations[0]
    if verdict.megabytes * 1e6 > MEMORY_LIMIT:
        return f"takes {verdict.megabytes:.0f} MB"
    said = (place.root / "told.txt").read_text("utf-8", "replace")
    if found := next((each for each in _FAULTS if each in said), ""):
        return f"says {found!r}: {said[-1500:]}"
    if len(said) > _LONGEST_MESSAGE:
        return f"says {len(said)} characters: {said[:200]}"
    for file in place.out.rglob("*"):
        if file.is_file() and not file.is_symlink() and CANARY.encode() in file.read_bytes():
            return f"{file.name} holds what lies outside of the inputs"
    return ""


def _guard(place: Place) -> list[str]:
    """Have audit events checked from now on; what they tell goes into the list."""
    allowed = [place.out, place.cache, place.root / "tmp", place.root / "home", Path("/dev")]
    allowed += [Path("/proc/self"), place.root / "told.txt"]
    violations: list[str] = []

    def check(event: str, arguments: tuple[Any, ...]) -> None:
        if event in {"socket.connect", "socket.getaddrinfo", "socket.sendto"}:
            host = arguments[1] if event != "socket.getaddrinfo" else arguments[:1]
            if isinstance(host, tuple) and not str(host[0]).startswith(_LOOPBACK):
                violations.append(f"{event}: {host}")
        elif event == "open" and isinstance(arguments[2], int) and arguments[2] & _WRITING:
            check_path(event, arguments[0])
        elif event in _CHANGES:
            check_path(event, arguments[0], arguments[-1])

    def check_path(event: str, path: object, folder: object = -1) -> None:
        if isinstance(path, bytes | str | os.PathLike):
            base = f"/proc/self/fd/{folder}" if isinstance(folder, int) and folder >= 0 else ""
            where = Path(os.path.realpath(Path(base, os.fsdecode(path))))
            if not any(where.is_relative_to(each) for each in allowed):
                violations.append(f"{event} outside of its folders: {where}")

    sys.addaudithook(check)
    return violations


def command(*words: object, check: Callable[[int], str] = lambda _: "") -> Trial:
    """A command line as a trial: it ends with a documented status and no more than messages.

    Args:
        words: of the command line.
        check: returns what is wrong, given the exit status.
    """

    def run() -> str:
        try:
            status = run_weps.main([str(word) for word in words])
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else 1
        sys.stdout.flush()
        wrong = "" if status in STATUSES else f"exit status {status}"
        return wrong or check(status)

    return run
