"""The tokens of those measures whose library has no rule of its own."""

from __future__ import annotations

from weps.words import tokens

__all__ = ["lower_tokens"]


def lower_tokens(text: str) -> list[str]:
    """Words and punctuation marks in lower case; a text that is not all blanks has at least one."""
    return [token.lower() for token in tokens(text)]
