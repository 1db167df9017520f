"""Why two pages were merged: the strings they share, strongest first."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

import numpy as np

from weps.features import PUNCTUATION, Bags
from weps.similarity import PairTable

__all__ = ["Evidence", "shared_evidence"]

_FEATURES_SHOWN = 5
_STRINGS_SHOWN = 6
_STRINGS_WEIGHED = 60
"""Pages that are copies of each other share thousands; the rarest of them say enough."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What two pages share in one feature."""

    feature: str
    shared: tuple[str, ...]
    """The rarest shared strings of the name, rarest first; empty for a flag."""


def shared_evidence(
    first: int, second: int, position: int, table: PairTable
) -> tuple[Evidence, ...]:
    """The features in which a pair stands out most among all pairs of its name.

    Args:
        first: row of one page.
        second: row of the other.
        position: where the pair stands in the table.
        table: the similarities of all pairs.
    """
    value = table.values[position]
    surpassed = (table.values < value).mean(axis=0)
    evidence: list[Evidence] = []
    shown: set[str] = set()
    for column in np.argsort(-surpassed, kind="stable"):
        compared = table.similarities[column].feature
        if value[column] <= 0 or any(compared.name == each.feature for each in evidence):
            continue
        shared = [] if compared.flag else _rarest_shared(table.bags_of(compared), first, second)
        fresh = list(islice((each for each in shared if not _inside(each, shown)), _STRINGS_SHOWN))
        if fresh or compared.flag:
            evidence.append(Evidence(compared.name, tuple(fresh)))
            shown.update(fresh)
        if len(evidence) == _FEATURES_SHOWN:
            break
    return tuple(evidence)


def _rarest_shared(bags: Bags, first: int, second: int) -> list[str]:
    """The strings on both pages: those on the fewest pages of the name first, then the longest."""
    columns = np.intersect1d(_row(bags, first), _row(bags, second), assume_unique=True)
    found_in = bags.frequency[columns]
    rarest = np.argsort(found_in, kind="stable")[:_STRINGS_WEIGHED].tolist()
    spelled = [(found_in[at], bags.strings[columns[at]]) for at in rarest]
    return [string for _, string in sorted(spelled, key=lambda pair: (pair[0], -len(pair[1])))]


def _row(bags: Bags, row: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """The columns of the strings on one page."""
    begin, end = bags.counts.indptr[row : row + 2]
    return np.asarray(bags.counts.indices[begin:end])


def _inside(string: str, shown: set[str]) -> bool:
    """Whether the words of the string stand in one that is shown, as bigrams do in trigrams."""
    bare = string.strip(f"{PUNCTUATION} ")
    return any(f" {bare} " in f" {other} " for other in shown)
