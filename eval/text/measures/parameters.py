"""The parameters of measures: what each may be, and what to say when it is something else."""

from __future__ import annotations

from dataclasses import dataclass

from weps.expressions import Value

__all__ = ["Choice", "Number", "Parameter", "Switch", "Whole"]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some words, the first unless told otherwise."""

    words: tuple[str, ...]
    about: str

    @property
    def default(self) -> Value | None:
        """What it is unless told otherwise."""
        return self.words[0]

    @property
    def allowed(self) -> str:
        """What may be chosen, in words."""
        return ", ".join(self.words)

    def read(self, value: Value) -> Value | None:
        """The value as it is kept, None if it is not allowed."""
        return value if value in self.words else None


@dataclass(frozen=True, slots=True)
class Switch:
    """True or false, false unless told otherwise."""

    about: str

    @property
    def default(self) -> Value | None:
        """What it is unless told otherwise."""
        return False

    @property
    def allowed(self) -> str:
        """What may be chosen, in words."""
        return "true, false"

    def read(self, value: Value) -> Value | None:
        """The value as it is kept, None if it is not allowed."""
        return value if isinstance(value, bool) else None


@dataclass(frozen=True, slots=True)
class Number:
    """A number within bounds."""

    default: Value | None
    """None where it must be told."""
    low: float
    high: float
    about: str

    @property
    def allowed(self) -> str:
        """What may be chosen, in words."""
        return f"{self.low:g} to {self.high:g}"

    def read(self, value: Value) -> Value | None:
        """The value as it is kept, None if it is not allowed."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        return float(value) if self.low <= value <= self.high else None


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number within bounds, or a word that stands for one."""

    default: Value | None
    """None where it must be told."""
    low: int
    high: int
    about: str
    word: str = ""

    @property
    def allowed(self) -> str:
        """What may be chosen, in words."""
        return f"{self.low} to {self.high}" + (f", {self.word}" if self.word else "")

    def read(self, value: Value) -> Value | None:
        """The value as it is kept, None if it is not allowed."""
        if self.word and value == self.word:
            return value
        if isinstance(value, bool) or not isinstance(value, int):
            return None
        return value if self.low <= value <= self.high else None


Parameter = Choice | Switch | Number | Whole
