"""Labels of instances: the words that say which are positive."""

from __future__ import annotations

__all__ = ["ACCEPTED", "is_positive"]

_PAIRS = (
    ("true", "false"),
    ("yes", "no"),
    ("1", "0"),
    ("1.0", "0.0"),
    ("positive", "negative"),
    ("+", "-"),
    ("coreferent", "other"),
)
_MEANING = {word: word == pair[0] for pair in _PAIRS for word in pair}

ACCEPTED = ", ".join("/".join(pair) for pair in _PAIRS)
"""The labels that are understood, for messages; upper case is as good."""


def is_positive(label: str) -> bool | None:
    """Whether the label says that an instance is positive; None if it is no label."""
    return _MEANING.get(label.strip().casefold())
