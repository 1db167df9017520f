"""Near-duplicates: mirrors, one article on several sites, one page found twice.

The resemblance of two pages is that of their sets of shingles, runs of consecutive words: of all
shingles of the two, the share that both have (Broder 1997, On the resemblance and containment of
documents). All pages of a group resemble one of them. One minus the resemblance is a metric, so
any two pages of a group resemble one another as well, if less.

Groups are found exactly, without comparing all pairs: with all shingles in one order, two pages
that resemble one another by t share one of the first shingles of each, a share of 1 - t of them
(prefix filtering; Chaudhuri, Ganti and Kaushik 2006). The rarest shingles are first, which few
other pages have.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Container, Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from weps._text import has_alphanumeric
from weps.language.analysis import TokenTable

SHINGLE_WORDS = 5
"""Words of a shingle."""
MIN_SHINGLES = 100
"""Different shingles of a page that has fewer: it is in no group, for error messages and other
notices are alike whoever is searched for."""
MIN_RESEMBLANCE = 0.8
"""Minimum resemblance of each page of a group to one of them; any two have twice this minus 1."""
_MAX_COMPARED = 100
"""Pages that a page is compared with; few have others with which they share rare shingles."""
_ODD = 0x9E3779B97F4A7C15

Shingles = NDArray[np.uint64]
"""Codes of the shingles of a page, ascending, without repeats."""


def near_duplicates(
    tokens: TokenTable, documents: int, eligible: Container[int] | None = None
) -> tuple[tuple[int, ...], ...]:
    """The groups of pages that are near-duplicates; they do not depend on the order of the pages.

    Args:
        tokens: of the pages of a name.
        documents: number of pages.
        eligible: rows that may be in a group; None for all.

    Returns:
        Rows, ascending, two at least; groups in the order of their first rows. No row is in two.
    """
    copies: defaultdict[bytes, list[int]] = defaultdict(list)
    for row, shingles in enumerate(shingle_sets(tokens, documents)):
        if len(shingles) >= MIN_SHINGLES and (eligible is None or row in eligible):
            copies[shingles.tobytes()].append(row)
    groups: defaultdict[int, list[int]] = defaultdict(list)
    # Larger sets first, and not in the order of the pages: groups depend on which sets come first.
    different = sorted(copies, key=lambda each: (-len(each), each))
    sets = [np.frombuffer(each, np.uint64) for each in different]
    for leader, same in zip(_leaders(sets), different, strict=True):
        groups[leader] += copies[same]
    return tuple(sorted(tuple(sorted(group)) for group in groups.values() if len(group) > 1))


def shingle_sets(tokens: TokenTable, documents: int) -> Iterator[Shingles]:
    """The shingles of each page, in lower case and without punctuation."""
    encoded = map(str.encode, map(str.lower, tokens.surface))
    word = np.array([*map(zlib.crc32, encoded)], np.uint64)
    spoken = np.array([has_alphanumeric(form) for form in tokens.surface], dtype=bool)
    kept = spoken[tokens.token]
    codes = _mixed(word)[tokens.token[kept]]
    rows = tokens.document[tokens.sentence[kept]]
    factors = [np.uint64(pow(_ODD, place, 1 << 64)) for place in range(1, SHINGLE_WORDS + 1)]
    for begin, end in pairwise(np.searchsorted(rows, np.arange(documents + 1)).tolist()):
        shingles = np.zeros(max(end - begin - SHINGLE_WORDS + 1, 0), np.uint64)
        for place, factor in enumerate(factors, start=begin):
            shingles += codes[place : place + len(shingles)] * factor
        shingles = np.sort(_mixed(shingles))
        yield shingles[np.flatnonzero(np.diff(shingles, prepend=~shingles[:1]))]


def resemblance(ours: Shingles, theirs: Shingles) -> float:
    """The share of all shingles of two pages that both have; 0 if there are none."""
    shared = len(np.intersect1d(ours, theirs, assume_unique=True))
    return shared / max(len(ours) + len(theirs) - shared, 1)


def _mixed(codes: Shingles) -> Shingles:
    """The codes with their bits mixed, so that sums of them hardly ever agree by chance."""
    codes = (codes ^ (codes >> np.uint64(31))) * np.uint64(_ODD)
    return codes ^ (codes >> np.uint64(29))


def _leaders(sets: Sequence[Shingles]) -> Iterator[int]:
    """For each set the place of the earlier one that it resembles most, else its own.

    Only sets that resemble none before them are resembled.
    """
    # How rare a shingle is, is counted with the few that share its counter; at most once a set.
    counts = np.zeros(1 << (2 * sum(map(len, sets))).bit_length(), np.uint16)
    for each in sets:
        counts[_counters(each, counts)] += 1
    leaders_of: defaultdict[int, list[int]] = defaultdict(list)
    for place, each in enumerate(sets):
        prefix = _prefix(each, counts)
        near = dict.fromkeys(leader for key in prefix for leader in leaders_of.get(key, ()))
        alike = [(resemblance(sets[one], each), -one) for one in list(near)[:_MAX_COMPARED]]
        most, leader = max(alike, default=(0.0, 0))
        if most >= MIN_RESEMBLANCE:
            yield -leader
            continue
        yield place
        for key in prefix:
            leaders_of[key].append(place)


def _counters(shingles: Shingles, counts: NDArray[np.uint16]) -> Shingles:
    """Which of the counters, a power of two of them, each shingle has."""
    return shingles & np.uint64(len(counts) - 1)


def _prefix(shingles: Shingles, counts: NDArray[np.uint16]) -> list[int]:
    """Rarest shingles that are on other pages, as many as two near-duplicates share one of."""
    rarity = counts[_counters(shingles, counts)].astype(np.uint64)
    keys = (rarity << np.uint64(48)) | (shingles >> np.uint64(16))
    first = int(len(keys) * (1 - MIN_RESEMBLANCE) + 1e-9) + 1
    rarest = np.sort(np.partition(keys, first - 1)[:first])
    found: list[int] = rarest[rarest >= np.uint64(2 << 48)].tolist()
    return found
