"""Which words of English noun phrases are their heads: the last noun, or the last name."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

__all__ = ["noun_heads"]

_HEAD = re.compile("(?:n|m(?:h?m)*+)(?=[^nmk]*(?:k|$))")
_NOUN = re.compile("[nm]")


def noun_heads(letters: str, phrases: Iterable[tuple[int, int]]) -> NDArray[np.bool_]:
    """Shape (letters,): whether the word is the head of one of the phrases.

    Of several nouns the last is the head (*the Haiti talks*), in each conjunct (*Haiti 's president
    and his men*); a name is one head (*President Bill Clinton*). Without a noun all of it is head.

    Args:
        letters: as for :func:`weps.syntax.chunking.spans`.
        phrases: start and end of [N] chunks.
    """
    head = np.zeros(len(letters), dtype=bool)
    for start, end in phrases:
        if _NOUN.search(letters, start, end):
            for match in _HEAD.finditer(letters, start, end):
                head[match.start() : match.end()] = True
        else:
            head[start:end] = True
    return head
