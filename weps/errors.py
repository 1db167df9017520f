"""The one exception tree of weps and eval."""

from __future__ import annotations


class WepsError(Exception):
    """A problem that the user can solve: what is wrong, where, and what to do about it.

    The command line prints it as one line and exits non-zero; library users catch this one class.
    """

    def __init__(self, what: str, *, where: object = None, remedy: str = "") -> None:
        self.what = what
        self.where = where
        self.remedy = remedy
        super().__init__(self.describe())

    def describe(self) -> str:
        """One line: ``where: what; remedy``."""
        place = f"{self.where}: " if self.where is not None else ""
        advice = f"; {self.remedy}" if self.remedy else ""
        return " ".join(f"{place}{self.what}{advice}".splitlines())


class SourceError(WepsError):
    """A folder, corpus or page file cannot be read."""


class KeyFileError(WepsError):
    """A gold standard or an answer file is malformed."""


class CorrectionsError(WepsError):
    """Corrections cannot be read, or contradict one another."""


class ModelError(WepsError):
    """A model file is missing, damaged or of another version."""


class LanguageError(WepsError):
    """A language pipeline is missing, damaged or lacks a required layer."""


class FeatureError(WepsError):
    """A feature, similarity or measure name cannot be parsed."""


class ValuesError(WepsError):
    """Values of measures are missing, not numbers, or inconsistent."""


class SearchError(WepsError):
    """A search engine is not set up, cannot be reached, or refuses to answer."""


class WorkerError(WepsError):
    """A process that did a part of the work was killed."""


class OutputError(WepsError):
    """A result cannot be written."""


_LONGEST_REASON = 300


def describe_error(error: BaseException) -> str:
    """One line for any exception: that of a :class:`WepsError`, else its kind and reason."""
    if isinstance(error, WepsError):
        return error.describe()
    if isinstance(error, MemoryError):
        return "there is not enough memory; free some, or give fewer pages at a time"
    kind = "error of the system" if isinstance(error, OSError) else "internal error"
    reason = " ".join(f"{type(error).__name__}: {error}".split())
    return f"{kind} ({reason[:_LONGEST_REASON]})"
