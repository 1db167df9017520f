"""Candidate pairs: of names with many pages, those that are compared, and what stands for others.

Each page is compared with those that are most like it, by all words and by those near the name, and
with those that share a key, such as an e-mail address. Of the other pairs some are drawn at random
and compared as well: a pair that is not compared has the mean value of those drawn that are about
as alike. So average linkage sees a value for every pair, while the costly comparisons grow with the
number of pages, not of pairs.

Of near-duplicates (mirrors, one article on several sites, one page found twice) the first stands
for the others, which otherwise would take the places of most neighbours of one another. The
resemblance of two pages is that of their sets of shingles, runs of consecutive words: of all
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
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, pairwise

import numpy as np
import scipy
from numpy.typing import NDArray

from weps._text import has_alphanumeric
from weps.features.bags import common_values
from weps.features.registry import Feature, Rows, feature_by_name
from weps.language.analysis import Analysis, TokenTable
from weps.similarity.columns import (
    Pairs,
    Similarity,
    condensed_rows,
    pair_position,
    slices_of,
    tf_idf,
)

NEIGHBOURS = 50
"""Pages that a page is compared with because they are most like it."""
_SAMPLED_PAGES = 1_000
"""Pages that stand for all of them in second-order similarity."""
_DRAWN_PAIRS = 40_000
"""Pairs that are drawn to stand for those that are not compared."""
_BANDS = 32
"""Degrees of likeness."""
_MIN_DRAWN = 20
"""Fewest pairs of a band whose mean is relied on."""
_WORDS = ("content(n=1)", "token", "result(n=1)")
"""Features that pages are alike by: the first of these that the model has; all have the last."""
_FURTHER = {"window(width=80)": 1.0, "honorific": 0.3}
"""Features that pages are alike by as well, if the model has them, and what they weigh beside the
words: of pages about one person, the words near the name are often the only ones in common."""
_MAX_SHARING = 20
"""Pages that share a string: of more, each is compared with the next that has it."""
_ROWS_AT_ONCE = 256
_PAIRS_AT_ONCE = 1 << 22
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


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """The pairs of n pages that are compared, and what stands for all others."""

    pairs: Pairs
    drawn: NDArray[np.bool_]
    """Shape (pairs,): whether the pair was drawn at random."""
    band: NDArray[np.uint8]
    """Shape (n(n-1)/2,), condensed: how alike two pages are, from 0 on."""
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
        completed = np.empty(len(self.band), np.float32)
        # In parts: places of bands take eight times as much memory as the bands.
        for part in slices_of(len(completed), _PAIRS_AT_ONCE):
            completed[part] = means[self.band[part]]
        completed[positions] = values
        rows = np.arange(self.pairs.size)
        for row in np.flatnonzero(self.original != rows).tolist():
            own = np.array([[row], [self.original[row]]])
            to, given = _positions(own, rows[(rows != own).all(axis=0)], len(rows))
            completed[to] = completed[given]
        completed[positions] = values
        return completed


def choose_candidates(
    analysis: Analysis,
    similarities: Sequence[Similarity],
    copies_of: Sequence[Sequence[int]] = (),
) -> Candidates:
    """Choose the pairs to compare.

    Args:
        analysis: the pages of a name, two at least.
        similarities: what they will be compared by, which keys and words are taken from.
        copies_of: groups of near-duplicates, rows ascending, see :func:`near_duplicates`.
    """
    size = len(analysis.documents)
    features = {each.feature.name: each.feature for each in similarities}
    alike = _likeness(analysis, features)
    band = np.empty(size * (size - 1) // 2, dtype=np.uint8)
    original = np.arange(size)
    for group in copies_of:
        original[list(group)] = group[0]
    copies = np.flatnonzero(original != np.arange(size))
    chosen = np.concatenate(
        [
            _nearest_pages(alike, band, copies),
            _positions(original[copies], copies, size),
            _pairs_with_keys(analysis, [each for each in features.values() if each.identifying]),
        ]
    )
    drawn = np.random.default_rng(0).integers(0, len(band), _DRAWN_PAIRS)
    drawn = np.setdiff1d(drawn, chosen)
    positions = np.union1d(chosen, drawn)
    sample = np.unique(np.linspace(0, size - 1, min(size, _SAMPLED_PAGES)).astype(np.int32))
    rows = np.arange(size, dtype=np.int64)
    starts = pair_position(rows, rows + 1, size)
    first = np.searchsorted(starts, positions, side="right") - 1
    second = (positions - starts[first] + first + 1).astype(np.int32)
    return Candidates(
        Pairs(size, first.astype(np.int32), second, sample),
        np.isin(positions, drawn, kind="sort"),
        band,
        original,
    )


def _likeness(analysis: Analysis, features: Mapping[str, Feature]) -> scipy.sparse.csr_array:
    """Shape (n, strings): the product of two pages' rows, from 0 to 1, is how alike these are.

    It is a weighted mean of tf·idf cosines.
    """
    words = next((name for name in _WORDS if name in features), _WORDS[-1])
    weights = {words: 1.0} | {name: each for name, each in _FURTHER.items() if name in features}
    parts = []
    for name, weight in weights.items():
        weighted = tf_idf(feature_by_name(name).extract_bags(analysis)).astype(np.float32)
        norms = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1)))
        weighted.data /= np.repeat(np.where(norms > 0, norms, 1), np.diff(weighted.indptr))
        parts.append(weighted * np.float32((weight / sum(weights.values())) ** 0.5))
    return scipy.sparse.csr_array(scipy.sparse.hstack(parts))


def _nearest_pages(
    unit: scipy.sparse.csr_array, band: NDArray[np.uint8], copies: Rows
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
        ours = np.repeat(rows, most)
        theirs = np.argpartition(alike, -most, axis=1)[:, -most:].ravel()
        shared = alike[ours - start, theirs] > 0
        found.append(_positions(ours[shared], theirs[shared], size))
    return np.unique(np.concatenate(found))


def _pairs_with_keys(analysis: Analysis, features: Sequence[Feature]) -> NDArray[np.int64]:
    """The positions of pairs that share a string of one of the features."""
    pairs: set[tuple[int, int]] = set()
    for feature in features:
        by_string = feature.extract_bags(analysis).counts.T.tocsr()
        for start, end in pairwise(by_string.indptr.tolist()):
            rows = sorted(by_string.indices[start:end].tolist())
            pairs.update(combinations(rows, 2) if len(rows) <= _MAX_SHARING else pairwise(rows))
    first, second = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2).T
    return _positions(first, second, len(analysis.documents))


def _positions(first: Rows, second: Rows, size: int) -> NDArray[np.int64]:
    low, high = (np.asarray(each, dtype=np.int64) for each in (first, second))
    return pair_position(np.minimum(low, high), np.maximum(low, high), size)


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
    words = np.array([zlib.crc32(form.lower().encode()) for form in tokens.surface], np.uint64)
    kept = np.array([has_alphanumeric(form) for form in tokens.surface], dtype=bool)[tokens.token]
    codes = _mixed(words)[tokens.token[kept]]
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
    shared = len(common_values(ours, theirs))
    return shared / max(len(ours) + len(theirs) - shared, 1)


def _mixed(codes: Shingles) -> Shingles:
    """The codes with their bits mixed, so that sums of them hardly ever agree by chance."""
    codes = (codes ^ (codes >> np.uint64(31))) * np.uint64(_ODD)
    return codes ^ (codes >> np.uint64(29))


def _leaders(sets: Sequence[Shingles]) -> Iterator[int]:
    """For each set the place of the earlier one that it resembles most, else its own.

    Only sets that resemble none before them are resembled.
    """
    # How rare a shingle is, is counted with the few that share its counter, of which there are a
    # power of two; at most once a set.
    counts = np.zeros(1 << (2 * sum(map(len, sets))).bit_length(), np.uint16)
    last = np.uint64(len(counts) - 1)
    for each in sets:
        counts[each & last] += 1
    leaders_of: defaultdict[int, list[int]] = defaultdict(list)
    for place, each in enumerate(sets):
        # Rarest shingles on other pages, as many as two near-duplicates share one of.
        keys = (counts[each & last].astype(np.uint64) << np.uint64(48)) | (each >> np.uint64(16))
        first = int(len(keys) * (1 - MIN_RESEMBLANCE) + 1e-9) + 1
        rarest = np.sort(np.partition(keys, first - 1)[:first])
        prefix: list[int] = rarest[rarest >= np.uint64(2 << 48)].tolist()
        near = dict.fromkeys(leader for key in prefix for leader in leaders_of.get(key, ()))
        most, leader = max(
            ((resemblance(sets[one], each), -one) for one in islice(near, _MAX_COMPARED)),
            default=(0.0, 0),
        )
        if most >= MIN_RESEMBLANCE:
            yield -leader
            continue
        yield place
        for key in prefix:
            leaders_of[key].append(place)
