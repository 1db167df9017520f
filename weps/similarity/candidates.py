"""Candidate pairs: of names with many pages, those that are compared, and what stands for others.

Each page is compared with those that are most like it by their words, and with those that share a
key, such as an e-mail address. Of the other pairs some are drawn at random and compared as well: a
pair that is not compared has the mean value of those drawn whose words are about as alike. So
average linkage sees a value for every pair, while the costly comparisons grow with the number of
pages, not of pairs.

Of near-duplicates the first stands for the others, which otherwise would take the places of most
neighbours of one another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps.features.bags import Bags
from weps.features.registry import Feature, feature_by_name
from weps.language.analysis import Analysis
from weps.similarity.columns import Similarity
from weps.similarity.measures import tf_idf
from weps.similarity.pairs import ListedPairs, Rows, condensed_rows, pair_position

NEIGHBOURS = 50
"""Pages that a page is compared with because their words are most like its own."""
_SAMPLED_PAGES = 1_000
"""Pages that stand for all of them in second-order similarity."""
_DRAWN_PAIRS = 40_000
"""Pairs that are drawn to stand for those that are not compared."""
_BANDS = 32
"""Degrees of likeness by words."""
_MIN_DRAWN = 20
"""Fewest pairs of a band whose mean is relied on."""
_WORDS = ("content(n=1)", "token", "result(n=1)")
"""Features that pages are alike by: the first of these that the model has; all have the last."""
_MAX_SHARING = 20
"""Pages that share a string: of more, each is compared with the next that has it."""
_ROWS_AT_ONCE = 256
_SEED = 0


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """The pairs of n pages that are compared, and what stands for all others."""

    pairs: ListedPairs
    drawn: NDArray[np.bool_]
    """Shape (pairs,): whether the pair was drawn at random."""
    band: NDArray[np.uint8]
    """Shape (n(n-1)/2,), condensed: how alike two pages are by their words, from 0 on."""
    original: Rows
    """Shape (n,): the row of the first near-duplicate of each page, its own if there is none."""

    @property
    def positions(self) -> NDArray[np.int64]:
        """Shape (pairs,): those of the compared pairs in a condensed vector."""
        return _positions(self.pairs.first, self.pairs.second, self.pairs.size)

    def complete(self, values: NDArray[np.float64]) -> NDArray[np.float32]:
        """The values of all pairs, condensed.

        Where there is none, a near-duplicate has the value of its original, others a mean of those
        drawn.

        Args:
            values: shape (pairs,), of the compared pairs.
        """
        positions = self.positions
        bands = self.band[positions[self.drawn]]
        number = np.bincount(bands, minlength=_BANDS)
        total = np.bincount(bands, values[self.drawn], _BANDS)
        known = np.flatnonzero(number >= min(_MIN_DRAWN, number.max()))
        means = np.interp(np.arange(_BANDS), known, total[known] / number[known].clip(1))
        completed: NDArray[np.float32] = means.astype(np.float32)[self.band]
        completed[positions] = values
        rows = np.arange(self.pairs.size)
        for row in np.flatnonzero(self.original != rows).tolist():
            own = np.array([[row], [self.original[row]]])
            others = rows[(rows != own).all(axis=0)]
            to, given = _positions(own, others, len(rows))
            completed[to] = completed[given]
        completed[positions] = values
        return completed


def choose_candidates(
    analysis: Analysis,
    similarities: Sequence[Similarity],
    near_duplicates: Sequence[Sequence[int]] = (),
) -> Candidates:
    """Choose the pairs to compare.

    Args:
        analysis: the pages of a name, two at least.
        similarities: what they will be compared by, which keys and words are taken from.
        near_duplicates: groups of rows, ascending, see :mod:`weps.similarity.near_duplicates`.
    """
    size = len(analysis.documents)
    features = list(dict.fromkeys(each.feature for each in similarities))
    unit = _unit_tf_idf(_words_of(analysis, features))
    band = np.empty(size * (size - 1) // 2, dtype=np.uint8)
    original = np.arange(size)
    for group in near_duplicates:
        original[list(group)] = group[0]
    copies = np.flatnonzero(original != np.arange(size))
    near = _nearest_pages(unit, band, copies)
    same = _positions(original[copies], copies, size)
    keys = _pairs_with_keys(analysis, [each for each in features if each.identifying])
    chosen = np.unique(np.concatenate([near, same, keys]))
    drawn = np.random.default_rng(_SEED).integers(0, len(band), _DRAWN_PAIRS)
    drawn = np.setdiff1d(drawn, chosen)
    positions = np.sort(np.concatenate([chosen, drawn]))
    sample = np.unique(np.linspace(0, size - 1, min(size, _SAMPLED_PAGES)).astype(np.int32))
    first, second = _rows_of(positions, size)
    return Candidates(
        ListedPairs(size, first, second, sample),
        np.isin(positions, drawn, kind="sort"),
        band,
        original,
    )


def _words_of(analysis: Analysis, features: Sequence[Feature]) -> Bags:
    """The bags of the words that pages are alike by."""
    known = {each.name for each in features}
    wanted = next((name for name in _WORDS if name in known), _WORDS[-1])
    return feature_by_name(wanted).extract_bags(analysis)


def _unit_tf_idf(bags: Bags) -> sparse.csr_array:
    """The tf·idf vectors of the documents, divided by their lengths."""
    weighted = tf_idf(bags).astype(np.float32)
    norms = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1)))
    weighted.data /= np.repeat(np.where(norms > 0, norms, 1), np.diff(weighted.indptr))
    return weighted


def _nearest_pages(
    unit: sparse.csr_array, band: NDArray[np.uint8], copies: Rows
) -> NDArray[np.int64]:
    """The positions of the pairs of each page with those most like it; sets the bands of all.

    Copies have no part in it.
    """
    size = unit.shape[0]
    columns, parts = unit.T.tocsr(), condensed_rows(band, size)
    found = []
    most = min(NEIGHBOURS, size - 1)
    for start in range(0, size, _ROWS_AT_ONCE):
        rows = np.arange(start, min(start + _ROWS_AT_ONCE, size))
        alike = (unit[rows] @ columns).toarray()
        bands = (np.sqrt(alike.clip(0, 1)) * (_BANDS - 1)).astype(np.uint8)
        for row, own in zip(rows.tolist(), bands, strict=True):
            next(parts)[:] = own[row + 1 :]
        alike[np.arange(len(rows)), rows] = -1
        alike[:, copies] = alike[np.isin(rows, copies)] = -1
        near = np.argpartition(alike, -most, axis=1)[:, -most:]
        ours = np.repeat(rows, most)
        theirs = near.ravel()
        shared = alike[ours - start, theirs] > 0
        found.append(_positions(ours[shared], theirs[shared], size))
    return np.unique(np.concatenate(found))


def _pairs_with_keys(analysis: Analysis, features: Sequence[Feature]) -> NDArray[np.int64]:
    """The positions of pairs that share a string of one of the features."""
    pairs: set[tuple[int, int]] = set()
    for feature in features:
        by_string = feature.extract_bags(analysis).counts.T.tocsr()
        for start, end in pairwise(by_string.indptr.tolist()):
            pairs.update(_pairs_among(sorted(by_string.indices[start:end].tolist())))
    first, second = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2).T
    return _positions(first, second, len(analysis.documents))


def _pairs_among(rows: Sequence[int]) -> Iterator[tuple[int, int]]:
    return combinations(rows, 2) if len(rows) <= _MAX_SHARING else pairwise(rows)


def _positions(first: Rows, second: Rows, size: int) -> NDArray[np.int64]:
    low, high = (np.asarray(each, dtype=np.int64) for each in (first, second))
    return pair_position(np.minimum(low, high), np.maximum(low, high), size)


def _rows_of(positions: NDArray[np.int64], size: int) -> tuple[Rows, Rows]:
    """The rows of the pairs at positions of a condensed vector."""
    rows = np.arange(size, dtype=np.int64)
    starts = rows * (2 * size - rows - 1) // 2
    first = np.searchsorted(starts, positions, side="right") - 1
    second = positions - starts[first] + first + 1
    return first.astype(np.int32), second.astype(np.int32)
