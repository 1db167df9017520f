"""The one exception tree of weps and eval."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from weps._formatting import cut_middle, error_reason

_LONGEST_PART = 1_000
_LONGEST_REASON = 300


class WepsError(Exception):
    """A problem that the user can solve: what is wrong, where, and what to do about it.

    The command line prints it as one line and exits non-zero; library users catch this one class,
    or ValueError and TypeError where what was given is of a wrong value or type, and OSError where
    a model or a language pipeline is not there, or nothing can be written.

    Example:
        >>> try:
        ...     weps.open_source("no such folder")
        ... except weps.WepsError as error:
        ...     error.what
        'no such file or folder'
    """

    def __init__(self, what: str, *, where: object = None, remedy: str = "") -> None:
        self.what = what
        self.where = where
        self.remedy = remedy
        super().__init__(self.describe())

    def describe(self) -> str:
        """One line: ``where: what; remedy``, each cut in the middle if it is very long."""
        place = f"{cut_middle(str(self.where), _LONGEST_PART)}: " if self.where is not None else ""
        advice = f"; {cut_middle(self.remedy, _LONGEST_PART)}" if self.remedy else ""
        return " ".join(f"{place}{cut_middle(self.what, 5_000)}{advice}".splitlines())


class SourceError(WepsError):
    """A folder, corpus or page file cannot be read."""


class InputTypeError(SourceError, TypeError):
    """Something else was given than pages, groups of them, or what a function takes."""


class InputValueError(SourceError, ValueError):
    """Pages, or what is said of them, have a value that they cannot have."""


class KeyFileError(WepsError, ValueError):
    """A gold standard or an answer file is malformed."""


class CorrectionsError(WepsError, ValueError):
    """Corrections cannot be read, or contradict one another."""


class ConflictError(CorrectionsError):
    """A correction is about an answer that others have changed meanwhile."""


class ModelError(WepsError, OSError, ValueError):
    """A model file is missing, damaged or of another version."""


class LanguageError(WepsError, OSError, ValueError):
    """A language pipeline is missing, damaged or lacks a required layer."""


class FeatureError(WepsError, ValueError):
    """A feature, similarity or measure name cannot be parsed."""


class ValuesError(WepsError, ValueError):
    """Values of measures are missing, not numbers, or inconsistent."""


class SearchError(WepsError):
    """A search engine is not set up, cannot be reached, or refuses to answer."""


class WorkerError(WepsError):
    """A process that did a part of the work was killed."""


class OutputError(WepsError, OSError):
    """A result cannot be written."""


_SYSTEM_ERRORS = ModelError, LanguageError, OutputError


@contextmanager
def told_as(
    error: type[WepsError],
    what: str,
    where: object,
    remedy: str = "",
    kinds: type[Exception] | tuple[type[Exception], ...] = OSError,
) -> Iterator[None]:
    """Raise an error with the reason in place of exceptions of some kinds in a ``with``.

    Errors of models, pipelines and outputs stay as they are, unless they are in place of any.

    Raises:
        WepsError: of the class ``error``.
    """
    try:
        yield
    except kinds as problem:
        if isinstance(problem, _SYSTEM_ERRORS) and kinds is not Exception:
            raise
        reason = error_reason(problem) if isinstance(problem, OSError) else problem
        raise error(f"{what} ({reason})", where=where, remedy=remedy) from problem


@contextmanager
def own_code(function: Callable[..., Any]) -> Iterator[None]:
    """Raise an error with the place of the fault in place of any exception of a user's function.

    Those of functions of weps are left as they are, and so is what is foreseen.

    Raises:
        FeatureError: names the function, the exception, and file and line of the fault.
    """
    try:
        yield
    except Exception as problem:
        package = str(function.__module__).partition(".")[0]
        if package in {"weps", "weps_eval"} or isinstance(problem, WepsError | MemoryError):
            raise
        name = getattr(function, "__qualname__", type(function).__qualname__)
        code = getattr(getattr(function, "__wrapped__", function), "__code__", None)
        file, line = (code.co_filename, code.co_firstlineno) if code else (None, None)
        for frame in traceback.extract_tb(problem.__traceback__):
            line = frame.lineno if frame.filename == file else line
        raise FeatureError(
            f"the plug-in {name!r} failed ({type(problem).__name__}: {problem})",
            where=file and f"{file}, line {line}",
            remedy="correct it",
        ) from problem


def require_type(given: object, kinds: Any, expected: str, where: object = None) -> None:
    """Check what a function was given, where Python would fail later and say less.

    Raises:
        InputTypeError: says what was expected, in the words of the caller.
    """
    if not isinstance(given, kinds):
        raise InputTypeError(f"expected {expected}, got {type(given).__name__}", where=where)


def is_foreseen(error: BaseException) -> bool:
    """Whether an exception is due to data or the system, not to a fault of weps."""
    return isinstance(error, WepsError | MemoryError | OSError)


def describe_error(error: BaseException) -> str:
    """One line for any exception: that of a :class:`WepsError`, else its kind, reason and place."""
    if isinstance(error, WepsError):
        return error.describe()
    if isinstance(error, MemoryError):
        return "there is not enough memory; free some, or process fewer pages at a time"
    if isinstance(error, OSError):
        reason = cut_middle(error_reason(error), _LONGEST_REASON)
        if error.filename is None:
            return f"system error ({reason})"
        place = cut_middle(str(error.filename), _LONGEST_REASON)
        return f"{place}: cannot be used ({reason}); check the path and its permissions"
    reason = " ".join(f"{type(error).__name__}: {error}".split())
    # The place in weps that it comes from; none if it comes from another process.
    frames = traceback.extract_tb(error.__traceback__)
    ours = [each for each in frames if "site-packages" not in each.filename] or frames
    place = f", {Path(ours[-1].filename).name} line {ours[-1].lineno}" if ours else ""
    return f"internal error ({cut_middle(reason, _LONGEST_REASON)}{place})"
