"""Work on hostile input in a process of its own, which no input can occupy or fill for long.

An input that takes too much time or memory ends that process, not weps, and another one does the
work for the inputs after it. The process is started as on every system (no fork), so that threads,
notebooks and pools of processes may use it. After the work it waits for other work of the same
kind, as starting it takes longer than reading a page; it ends with its parent.
"""

from __future__ import annotations

import atexit
import faulthandler
import importlib
import json
import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from queue import SimpleQueue
from threading import Thread
from typing import IO, cast

from weps._parallel import in_background

MAX_SECONDS = 20
"""Processor time for one input, where the system limits it (not on Windows)."""
MAX_WAIT = 100
"""Seconds that one input may take on a busy machine."""
MAX_MEMORY = 1 << 30
"""Bytes of address space of the process, where the system limits it (Linux)."""
OVER_LIMIT = f"takes more than {MAX_SECONDS} s or {MAX_MEMORY >> 30} GB to read"
"""Why there is no result, as a clause."""

CLEANING = "weps.html.cleaning:clean_packed"
"""The work that cleans a page."""
_TRIAL = b'{"rank": 1}\n<p>Caf\xe9 Ren\xe9'
"""A page whose charset must be guessed, for which the most is loaded."""
_PROGRAM = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from weps._isolation import _answer_requests; _answer_requests(sys.argv[2])"
)
_MAX_INPUTS = 1_000
"""Number of inputs after which a process takes no further work, lest its memory is in pieces."""
_HEAD = 8
"""Bytes that state the length of a message."""
_READY = b"ready"


class IsolatedWork(AbstractContextManager["IsolatedWork"]):
    """A function from bytes to bytes, applied in a process of its own; a context manager.

    The process starts with the first input. One thread at a time may use an object.
    """

    def __init__(self, function: str, meanwhile: Callable[[], object] | None = None) -> None:
        """Choose the work.

        Args:
            function: ``package.module:function``, which the process imports.
            meanwhile: what this process does beside it, in a thread, from its first input on.
        """
        self._meanwhile = meanwhile
        self._kind = os.getpid(), (sys.executable, "-c", _PROGRAM, json.dumps(sys.path), function)
        self._process: subprocess.Popen[bytes] | None = None
        self._inputs = 0
        self._pending = deque[bytes]()
        """Inputs whose results have not been taken."""

    @property
    def is_used(self) -> bool:
        """Whether inputs were handed over, of which the last results did not end the process."""
        return self._process is not None

    def __call__(self, data: bytes) -> bytes | None:
        """The result; None if the input goes beyond the limits, or ends the process otherwise.

        Raises:
            OSError: no process can be started here.
        """
        return self.begin(data)()

    def begin(self, data: bytes) -> Callable[[], bytes | None]:
        """Hand an input to the process, which may still work on the ones before.

        Returns:
            Waits for the result, as calling the object does; to be called in the order of inputs.
        """
        self._pending.append(data)
        with suppress(OSError):
            self._send(data)
        return self._take_result

    def _send(self, *inputs: bytes) -> subprocess.Popen[bytes]:
        """The process, which is sent inputs; a new one is sent all that are pending, in order."""
        process = self._process
        if process is None:
            if self._meanwhile:
                in_background(self._meanwhile)
            process, inputs = self._take_idle() or self._start(), tuple(self._pending)
            self._process = process
        for each in inputs:
            self._inputs += 1
            with suppress(OSError):  # it has ended, and will give no result
                _write_message(cast(IO[bytes], process.stdin), each)
        return process

    def _take_result(self) -> bytes | None:
        """The result of the first pending input."""
        try:
            result = _read_message(cast(IO[bytes], self._send().stdout))
        finally:
            self._pending.popleft()
        if result is None:
            self.close()
        return result

    def _take_idle(self) -> subprocess.Popen[bytes] | None:
        """A process that has done its work, if one still runs."""
        idle = _IDLE.pop(self._kind, None)
        if idle is None or idle[0].poll() is not None:
            return None
        process, self._inputs = idle
        return process

    def _start(self) -> subprocess.Popen[bytes]:
        """A new process; raises an OSError if none can be started."""
        self._inputs = 0
        process = subprocess.Popen(  # noqa: S603 - this very interpreter
            self._kind[1],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},  # each takes address space
        )
        if _read_message(cast(IO[bytes], process.stdout)) != _READY:
            _end(process)
            raise OSError(f"{sys.executable} does not start")
        return process

    def close(self) -> None:
        """End the process."""
        if process := self._process:
            self._process = None
            _end(process)

    def __exit__(self, error: object, *_: object) -> None:
        """Leave the process to other work, unless this was interrupted."""
        process = self._process
        if (
            process
            and error is None
            and not self._pending
            and self._inputs < _MAX_INPUTS
            and _IDLE.setdefault(self._kind, (process, self._inputs))[0] is process
        ):
            self._process = None
        self.close()


def prepare_cleaning() -> None:
    """Start a process that cleans pages, if none waits, beside the imports of this one."""
    cleaning = IsolatedWork(CLEANING)

    def clean_trial() -> None:
        with cleaning:
            cleaning(_TRIAL)

    if cleaning._kind not in _IDLE:
        in_background(clean_trial)


_IDLE: dict[tuple[int, tuple[str, ...]], tuple[subprocess.Popen[bytes], int]] = {}
"""Parent and command → a process without work, and the number of inputs that it had."""


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    with suppress(OSError):  # what could not be written any more
        process.communicate()


@atexit.register
def _end_idle() -> None:
    while _IDLE:
        (parent, _), (process, _) = _IDLE.popitem()
        if parent == os.getpid():  # not after a fork
            _end(process)


def _write_message(file: IO[bytes], message: bytes) -> None:
    file.write(len(message).to_bytes(_HEAD))
    file.write(message)
    file.flush()


def _read_message(file: IO[bytes]) -> bytes | None:
    """The next message, None at the end."""
    head = file.read(_HEAD)
    if len(head) < _HEAD:
        return None
    message = file.read(length := int.from_bytes(head))
    return message if len(message) == length else None


# In the process


def _answer_requests(function: str) -> None:
    """Apply a function to each message from standard input, until there is none."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    module, _, name = function.partition(":")
    work: Callable[[bytes], bytes] = getattr(importlib.import_module(module), name)
    messages = SimpleQueue[bytes | None]()

    def receive() -> None:  # the next message while one is worked on, lest both processes wait
        while (message := _read_message(sys.stdin.buffer)) is not None:
            messages.put(message)
        messages.put(None)

    with os.fdopen(os.dup(1), "wb") as output:
        os.dup2(2, 1)  # what libraries print is no answer
        _limit("RLIMIT_AS", MAX_MEMORY)
        _limit("RLIMIT_CORE", 0)
        _write_message(output, _READY)
        Thread(target=receive, daemon=True).start()
        while (message := messages.get()) is not None:
            _limit("RLIMIT_CPU", int(time.process_time()) + MAX_SECONDS + 1)
            faulthandler.dump_traceback_later(MAX_WAIT, exit=True)
            result = work(message)
            faulthandler.cancel_dump_traceback_later()
            _write_message(output, result)


def _limit(kind: str, most: int) -> None:
    """Set a limit of this process, if the system has it."""
    with suppress(ImportError, AttributeError, OSError, ValueError):
        import resource  # noqa: PLC0415 - not on Windows

        number = getattr(resource, kind)
        _, hard = resource.getrlimit(number)
        resource.setrlimit(number, (most if hard < 0 else min(most, hard), hard))
