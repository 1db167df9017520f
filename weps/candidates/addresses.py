"""Which tokens are parts of web and mail addresses, by what stands before and after them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from weps.language import TokenTable

__all__ = ["in_addresses"]

_LEADING = frozenset({"www", "http", "https", "ftp"})
"""What addresses begin with."""
_BETWEEN = frozenset("@/~_")
"""What stands between parts of addresses only."""
_ENDINGS = frozenset("com org net edu gov mil info biz uk htm html php asp aspx pdf jpg".split())
"""What stands after the last point."""
_POINT = frozenset(".")
_KNOWN = _LEADING | _BETWEEN | _ENDINGS | _POINT


def in_addresses(table: TokenTable) -> NDArray[np.bool_]:
    """Shape (tokens,): ``york`` in ``www.york.edu`` and in ``/york/index``.

    Tokens do not tell whether blanks stood between them, so ``and / or`` counts too.
    """
    known = {word: at for at, word in enumerate(table.surface) if word in _KNOWN}
    leading, between, point, ending = (
        _which(table, words, known) for words in (_LEADING, _BETWEEN, _POINT, _ENDINGS)
    )
    before = leading | between
    found = before.copy()
    found[1:] |= before[:-1]
    found[:-1] |= between[1:]
    found[2:] |= before[:-2] & point[1:-1]
    found[:-2] |= point[1:-1] & ending[2:]
    found[:-4] |= point[1:-3] & point[3:-1] & ending[4:]
    return found


def _which(table: TokenTable, words: frozenset[str], known: Mapping[str, int]) -> NDArray[np.bool_]:
    """Shape (tokens,): which are among the words."""
    flags = np.zeros(len(table.surface), dtype=bool)
    flags[[known[word] for word in words & known.keys()]] = True
    return np.asarray(flags[table.token])
