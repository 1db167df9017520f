"""The similarities that pages are compared by, their measures, and tables of their values.

Second-order similarity compares the similarities that two pages have to all pages, after
second-order co-occurrence (Schütze 1998, *Automatic word sense discrimination*): pages about one
person that share few words with each other still share them with the same third pages. It is
relative to the name: a page that resembles all others is no evidence.

A relative similarity is one minus its mean over the pairs of the name. How large second-order
similarities are depends on how many pages a name has and how alike these are.

Where few of all pairs are compared, second-order similarity compares the similarities that two
pages have to a sample of the pages, not to all of them.

All pairs of n pages are kept as condensed vectors of shape (n(n-1)/2,), in the order of
``scipy.spatial.distance.pdist``: (0, 1), (0, 2), …, (0, n-1), (1, 2), … Rows are those of pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import islice
from typing import Any, TypeVar

import numpy as np
import scipy
from numpy.typing import NDArray

from weps._expressions import Expression, parse_expression
from weps._files import weighted_words
from weps._text import singular_form, split_words
from weps.errors import FeatureError
from weps.features.bags import Bags, safe_divide, with_data
from weps.features.registry import Feature, FeatureKind, Rows, feature_by_name
from weps.language.analysis import Analysis, Layer, drop_feature_caches
from weps.language.sentence_encoder import Vectors

Vector = NDArray[np.float64]
Row = TypeVar("Row", int, NDArray[np.int64])

_ROWS_AT_ONCE = 256
"""Rows that are multiplied with all others at once: of 10,000 pages 20 MB."""
SQUARE_ROWS = 1024
"""Rows of a matrix of all pairs that are made at once: of 10,000 pages 40 MB."""
_MAX_PARTS = 8
"""Most parts that the others are divided into."""
_FEW_PAGES = 16
"""Most pages of which the products of dense rows take less time than a sparse product's set-up."""


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Some pairs of n pages, none of them twice, in condensed order."""

    size: int
    """Number of pages, n."""
    first: Rows
    """Shape (pairs,): the row of the first page of each."""
    second: Rows
    """Shape (pairs,)."""
    sample: Rows
    """Rows of the pages that second-order similarity takes for all of them."""
    complete: bool = False
    """Whether these are all pairs."""

    @classmethod
    def of_all(cls, size: int) -> Pairs:
        """All pairs of so many pages."""
        return cls(size, *np.triu_indices(size, k=1), np.arange(size), complete=True)

    def __len__(self) -> int:
        return len(self.first)

    def positions(self, first: Rows, second: Rows) -> NDArray[np.int64]:
        """Shape (k,): where pairs of rows, ``first < second``, are among these; -1 if nowhere."""
        ours, theirs = first.astype(np.int64), second.astype(np.int64)
        if self.complete:
            return pair_position(ours, theirs, self.size)
        numbers = self.first.astype(np.int64) * self.size + self.second
        wanted = ours * self.size + theirs
        places = np.searchsorted(numbers, wanted)
        # One more number, so that there is one at each of the places.
        return np.where(np.append(numbers, -1)[places] == wanted, places, -1)

    def combine(self, function: np.ufunc, of_pages: NDArray[Any]) -> Vector:
        """Shape (pairs,): a function of the two pages' values, which have shape (n,)."""
        return np.asarray(function(of_pages[self.first], of_pages[self.second]), np.float64)

    def products(self, rows: scipy.sparse.csr_array) -> Vector:
        """Shape (pairs,): the inner product of two pages' rows of a matrix, shape (n, k)."""
        found = np.empty(len(self))
        parts = condensed_rows(found, self.size)
        if self.complete and self.size <= _FEW_PAGES:
            columns = np.ascontiguousarray(rows.toarray().T)
            for row, part in zip(range(self.size - 1), parts, strict=False):
                # Column after column, the order in which sparse products are summed: the same bits.
                part[:] = (columns[:, row:] * columns[:, row, np.newaxis]).sum(axis=0)[1:]
            return found
        rows = rows if self.complete else rows.astype(np.float32)
        wide = _ROWS_AT_ONCE * (self.size // (_MAX_PARTS * _ROWS_AT_ONCE) + 1)
        # Divided once: to select columns of a sparse matrix takes as long as to multiply them.
        later = [rows[start : start + wide].T.tocsr() for start in range(0, self.size, wide)]
        for start in range(0, self.size, _ROWS_AT_ONCE):  # some rows with these and all later ones
            ours, begin = rows[start : start + _ROWS_AT_ONCE], start // wide * wide
            block = np.hstack([(ours @ each).toarray() for each in later[start // wide :]])
            if self.complete:
                for row, values in enumerate(block, start=start - begin):
                    next(parts)[:] = values[row + 1 :]
            else:
                # Of the same type, else all places are converted.
                bounds = np.array([start, start + len(block)], self.first.dtype)
                places = slice(*np.searchsorted(self.first, bounds))
                found[places] = block[self.first[places] - start, self.second[places] - begin]
        return found

    def dense_products(self, rows: NDArray[np.floating]) -> NDArray[np.floating]:
        """Products of a dense matrix, in its precision."""
        if self.complete:
            return condense_matrix(rows @ rows.T)
        found = np.empty(len(self), rows.dtype)
        # Of the same type, else all are converted.
        bounds = np.searchsorted(self.first, np.arange(self.size + 1, dtype=self.first.dtype))
        for row, part in zip(rows, map(slice, bounds.tolist(), bounds[1:].tolist()), strict=False):
            np.einsum("j,ij->i", row, rows[self.second[part]], out=found[part])
        return found


class SampledPairs(Pairs):
    """Each of n pages with each page of a sample, page by page."""

    @classmethod
    def of(cls, size: int, sample: Rows) -> SampledPairs:
        """All of so many pages with those of these rows."""
        return cls(
            size,
            np.repeat(np.arange(size, dtype=np.int32), len(sample)),
            np.tile(sample, size),
            sample,
        )

    def combine(self, function: np.ufunc, of_pages: NDArray[Any]) -> Vector:
        """See :class:`Pairs`."""
        return np.asarray(function.outer(of_pages, of_pages[self.sample]), np.float64).ravel()

    def products(self, rows: scipy.sparse.csr_array) -> Vector:
        """See :class:`Pairs`."""
        return np.asarray((rows @ rows[self.sample].T).toarray().ravel(), dtype=np.float64)

    def dense_products(self, rows: NDArray[np.floating]) -> NDArray[np.floating]:
        """See :class:`Pairs`."""
        return np.asarray((rows @ rows[self.sample].T).ravel())


def slices_of(size: int, step: int) -> Iterator[slice]:
    """Slices of so many places each, for work that takes too much memory on all at once."""
    for start in range(0, size, step):
        yield slice(start, start + step)


def pair_position(first: Row, second: Row, size: int) -> Row:
    """Index of the pair of two rows, ``first < second``, in a condensed vector."""
    return first * (2 * size - first - 1) // 2 + second - first - 1


def pairs_between(
    first: NDArray[np.int64], second: NDArray[np.int64], size: int
) -> NDArray[np.int64]:
    """Shape (k, m): indices in a condensed vector of the pairs of k rows and m other rows."""
    before, ours = _pairs_before(size), first[:, np.newaxis]
    positions = before[ours] + second
    np.copyto(positions, before[second] + ours, where=ours > second)
    return positions


@lru_cache(maxsize=2)  # a dendrogram asks for the pairs of every merge
def _pairs_before(size: int) -> NDArray[np.int64]:
    """Shape (size,): what the row of the later page is added to."""
    return pair_position(np.arange(size), np.zeros(size, np.int64), size)


def square_matrix(vector: NDArray[Any], size: int, diagonal: float = 0.0) -> NDArray[np.floating]:
    """Shape (size, size): the symmetric matrix of a condensed vector, in single precision if it is.

    Other vectors become matrices in double precision.
    """
    return square_rows(vector, size, slice(0, size), diagonal)


def square_rows(
    vector: NDArray[Any], size: int, wanted: slice, diagonal: float = 0.0
) -> NDArray[np.floating]:
    """Some rows of the same matrix: of many pages, all take much memory."""
    dtype = np.float32 if vector.dtype == np.float32 else np.float64
    start, end = wanted.start, min(wanted.stop, size)
    found = np.full((end - start, size), diagonal, dtype)
    for row, part in enumerate(islice(condensed_rows(vector, size), end)):
        first = max(row + 1, start)
        found[first - start :, row] = part[first - row - 1 : end - row - 1]
        if row >= start:
            found[row - start, row + 1 :] = part
    return found


def condense_matrix(square: NDArray[Any]) -> NDArray[Any]:
    """Shape (n(n-1)/2,): the upper triangle of a matrix, row by row."""
    later = (values[row:] for row, values in enumerate(square, start=1))
    return np.concatenate([square[:0].ravel(), *later])


def condensed_rows(vector: NDArray[Any], size: int) -> Iterator[NDArray[Any]]:
    """For each of n rows the values of its pairs with later rows, as views of a condensed vector.

    Row by row, large names need no list of all pairs, which is larger than their values.
    """
    start = 0
    for row in range(size):
        end = start + size - row - 1
        yield vector[start:end]
        start = end


def condensed_part(vector: NDArray[Any], rows: NDArray[np.int64], size: int) -> NDArray[Any]:
    """The condensed vector of some of the n rows, ascending, from that of all of them."""
    if len(rows) == size:
        return vector
    part = np.empty(len(rows) * (len(rows) - 1) // 2, vector.dtype)
    for at, found in enumerate(condensed_rows(part, len(rows))):
        found[:] = vector[pair_position(rows[at], rows[at + 1 :], size)]
    return part


Floats = NDArray[np.floating]

_SECOND_ORDER = "profile"
_MAX_ORDER = 3
_RELATIVE = "relative"
_MOST_COMMON = 7.5
_RAREST = 1.0
"""Both on Zipf's scale; words beyond weigh as much as words there."""
_MIN_NORM = 1e-3
"""Shorter vectors are rounding errors."""


@dataclass(frozen=True, slots=True)
class Similarity:
    """A column of a pair table: ``dice(token)``, ``overlap(email)``, or a flag, ``linked``.

    ``profile(dice(token))``, a second-order similarity, compares pages by the pages they resemble;
    ``relative(profile(dice(token)))`` is the same minus its mean over the pairs of the name.
    """

    feature: Feature
    measure: str = ""
    """Key of the measure; empty for a flag."""
    order: int = 1
    """1 compares the content of two pages; each second-order similarity around it adds one."""
    relative: bool = False
    """Whether its mean over the pairs of the name is subtracted."""

    def __str__(self) -> str:
        plain = f"{self.measure}({self.feature})" if self.measure else str(self.feature)
        around = [_RELATIVE] * self.relative + [_SECOND_ORDER] * (self.order - 1)
        return "".join(f"{each}(" for each in around) + plain + ")" * len(around)

    def with_bases(self) -> Iterator[Similarity]:
        """The similarity and all that it is derived from."""
        yield self
        if self.base:
            yield from self.base.with_bases()

    @property
    def base(self) -> Similarity | None:
        """The similarity that this one is derived from; None if it compares the pages directly."""
        if self.relative:
            return replace(self, relative=False)
        return replace(self, order=self.order - 1) if self.order > 1 else None


def required_layers(similarities: Iterable[Similarity]) -> frozenset[Layer]:
    """The layers of language processing that the similarities need."""
    needs = {need for each in similarities for need in each.feature.needs}
    return frozenset(layer for layer in Layer if layer in needs)


def need_encoder(similarities: Iterable[Similarity]) -> bool:
    """Whether one of the similarities compares vectors of a sentence encoder."""
    return any("embeddings" in each.feature.needs for each in similarities)


def parse_similarity(text: str | Expression) -> Similarity:
    """The similarity of that name.

    Raises:
        FeatureError: if the measure or the feature is unknown, or they cannot be combined.
    """
    parsed = parse_expression(text) if isinstance(text, str) else text
    applied = dict.fromkeys([*MEASURES, *VECTOR_MEASURES, _SECOND_ORDER, _RELATIVE])
    if parsed.name in applied:
        return _apply(parsed)
    if parsed.arguments:
        raise FeatureError(
            f"there is no similarity {parsed.name!r}",
            remedy=f"choose from {', '.join(applied)}",
        )
    flag = feature_by_name(parsed)
    if not flag.flag:
        kinds = {FeatureKind.BAGS: "a bag of strings", FeatureKind.VECTORS: "a vector"}
        raise FeatureError(
            f"{str(parsed)!r} is {kinds[flag.kind]}, not a similarity",
            remedy="choose how: " + ", ".join(f"{each}({flag})" for each in measures_of(flag)),
        )
    return Similarity(flag)


def _apply(parsed: Expression) -> Similarity:
    """Parse a measure of a feature, ``dice(token)``, or a similarity derived from another."""
    derived = parsed.name in (_SECOND_ORDER, _RELATIVE)
    if len(parsed.arguments) != 1 or parsed.parameters:
        raise FeatureError(
            f"{str(parsed)!r}: expected one {'similarity' if derived else 'feature'} "
            "and no parameters",
            remedy=f"for example {parsed.name}({'dice(token)' if derived else 'token'})",
        )
    if derived:
        base = parse_similarity(parsed.arguments[0])
        if base.relative:
            raise FeatureError(
                f"{str(parsed)!r}: nothing is derived from a relative similarity",
                remedy=f"write {_RELATIVE} once, around all others",
            )
        if parsed.name == _RELATIVE:
            return replace(base, relative=True)
        if base.order == _MAX_ORDER:
            raise FeatureError(
                f"{str(parsed)!r}: profiles of profiles of profiles say nothing new",
                remedy=f"nest {_MAX_ORDER - 1} at most",
            )
        return replace(base, order=base.order + 1)
    compared = feature_by_name(parsed.arguments[0])
    if parsed.name not in (known := measures_of(compared)):
        raise FeatureError(
            f"{str(parsed)!r}: {parsed.name} does not compare {compared.kind}",
            remedy=f"choose from {', '.join(known)}" if known else f"write {compared} alone",
        )
    return Similarity(compared, parsed.name)


def dice_similarity(compared: Feature) -> Similarity:
    """Dice of the feature, the cosine of vectors, or the flag that it is.

    The paper found Dice the best of the three across feature types (EMNLP 2009, section 4.1).
    """
    usual = {FeatureKind.BAGS: "dice", FeatureKind.VECTORS: "cosine", FeatureKind.FLAGS: ""}
    return Similarity(compared, usual[compared.kind])


def dice(bags: Bags, pairs: Pairs) -> Vector:
    """Dice's coefficient of the sets, 2·|A ∩ B| / (|A| + |B|); 0 where both are empty."""
    return safe_divide(
        2 * overlap(bags, pairs),
        pairs.combine(np.add, np.diff(bags.counts.indptr).astype(np.float64)),
    )


def overlap(bags: Bags, pairs: Pairs) -> Vector:
    """Size of the intersection, |A ∩ B|."""
    shared = bags.shared.counts
    return pairs.products(with_data(shared, np.ones_like(shared.data)))


def cosine(bags: Bags, pairs: Pairs) -> Vector:
    """Cosine of the tf·idf vectors; 0 where either is empty. See :func:`tf_idf`."""
    return _cosine_of_rows(tf_idf(bags), bags, pairs)


def rarity(bags: Bags, pairs: Pairs) -> Vector:
    """Cosine of (1 + ln tf) · general idf; 0 where either is empty.

    The idf is that of the language, not of the name: :func:`general_idf`.
    """
    weights = (1 + np.log(bags.counts.data)) * general_idf(bags.strings)[bags.counts.indices]
    return _cosine_of_rows(with_data(bags.counts, weights), bags, pairs)


def general_idf(texts: Iterable[str]) -> NDArray[np.float64]:
    """How much rarer than the most common words the words of each text are, added up.

    Zipf's scale is the common logarithm of how often a word occurs among a billion words (van
    Heuven and others 2014, *SUBTLEX-UK*, section "The Zipf scale"): 7.7 for *the*, 5.4 for *study*,
    3.5 for *ligament*. Rarity within the pages of one name, on which tf·idf rests, knows nothing
    of the language. The table (resources/README.md) holds words from 2.5 upwards, plurals counted
    with their singular; what is rarer counts alike.

    Returns:
        Shape (texts,): for each word ``7.5 − max(z, 1)``, at least 0, where z is its frequency on
        Zipf's scale. Numbers and foreign words are not in the table and weigh as much as the
        rarest words.
    """
    table, rarest = _idf_of_table(), _MOST_COMMON - _RAREST

    def idf(text: str) -> float:
        words = (text.lower(),) if text.isalpha() else split_words(text)
        return sum((table.get(word, table.get(singular_form(word), rarest)) for word in words), 0.0)

    return np.array([table[text] if text in table else idf(text) for text in texts], np.float64)


@cache
def _idf_of_table() -> dict[str, float]:
    """Word of the table → how much rarer it is than the most common words."""
    return {
        word: max(0.0, _MOST_COMMON - frequency)
        for word, frequency in weighted_words("rarity/english.txt").items()
    }


def _cosine_of_rows(weighted: scipy.sparse.csr_array, bags: Bags, pairs: Pairs) -> Vector:
    """The cosine of the weighted bags of two documents, pair by pair."""
    squares = with_data(weighted, weighted.data**2)
    norms = np.sqrt(squares @ np.ones(squares.shape[1]))
    # Strings of one page alone add nothing to the products, and most are.
    shared = with_data(bags.shared.counts, weighted.data[bags.in_several])
    return safe_divide(pairs.products(shared), pairs.combine(np.multiply, norms))


def agree(bags: Bags, pairs: Pairs) -> Vector:
    """1 where the two share a string, else 0."""
    return np.minimum(overlap(bags, pairs), 1.0)


def contradict(bags: Bags, pairs: Pairs) -> Vector:
    """1 where both have strings and share none, else 0.

    Other measures are 0 there, and also where one of the two has no strings.
    """
    holds = (np.diff(bags.counts.indptr) > 0).astype(np.float64)
    return pairs.combine(np.multiply, holds) * (1 - agree(bags, pairs))


def tf_idf(bags: Bags) -> scipy.sparse.csr_array:
    """Shape (documents, strings): tf · (1 + ln((1 + N) / (1 + df))) within the name.

    The added ones keep a positive weight for strings on every page, which for a name with two
    pages are all shared evidence.
    """
    idf = 1 + np.log((1 + bags.counts.shape[0]) / (1 + bags.frequency))
    return with_data(bags.counts, bags.counts.data * idf[bags.counts.indices])


MEASURES: dict[str, Callable[[Bags, Pairs], Vector]] = {
    "dice": dice,
    "cosine": cosine,
    "overlap": overlap,
    "agree": agree,
    "contradict": contradict,
    "rarity": rarity,
}


def vector_cosine(vectors: Vectors, pairs: Pairs) -> Vector:
    """Cosine of vectors of length 1 or 0, from -1 to 1; 0 where either is 0."""
    return pairs.dense_products(vectors).astype(np.float64).clip(-1, 1)


def centred_cosine(vectors: Vectors, pairs: Pairs) -> Vector:
    """Cosine after the mean of the vectors that are not 0 has been subtracted from these.

    What all pages of a name have in common, their genre and their language, is no evidence.
    """
    given = vectors.any(axis=1, keepdims=True)
    mean = vectors.sum(axis=0) / max(int(given.sum()), 1)
    centred = np.where(given, vectors - mean, 0)
    norms = np.linalg.norm(centred, axis=1, keepdims=True)
    return vector_cosine(np.where(norms > _MIN_NORM, centred / norms.clip(_MIN_NORM), 0), pairs)


VECTOR_MEASURES: dict[str, Callable[[Vectors, Pairs], Vector]] = {
    "cosine": vector_cosine,
    "centred_cosine": centred_cosine,
}
PAPER_MEASURES = ("dice", "cosine", "overlap")
"""Measures that the paper compares (EMNLP 2009, section 4.1)."""


def measures_of(compared: Feature) -> Mapping[str, Callable[[Any, Pairs], Vector]]:
    """Name → measure for what the feature extracts; a flag has none."""
    by_kind: dict[FeatureKind, Mapping[str, Callable[[Any, Pairs], Vector]]] = {
        FeatureKind.BAGS: MEASURES,
        FeatureKind.VECTORS: VECTOR_MEASURES,
    }
    return by_kind.get(compared.kind, {})


@dataclass(frozen=True, slots=True, eq=False)
class PairTable:
    """The similarities of pairs of one name's n pages, and the strings that pages share."""

    analysis: Analysis
    similarities: tuple[Similarity, ...]
    pairs: Pairs
    """Which pairs were compared."""
    values: NDArray[np.float32]
    """Shape (pairs, similarities)."""
    bags: dict[Feature, Bags]
    """The strings that two pages or more have, by feature; flags have none. Strings of one page
    alone, which are nearly all runs of words, are of no use after comparing."""


def pair_table(
    analysis: Analysis, similarities: Sequence[Similarity], pairs: Pairs | None = None
) -> PairTable:
    """Compute every similarity for pairs of documents, by default for every pair."""
    pairs = Pairs.of_all(len(analysis.documents)) if pairs is None else pairs
    values = np.empty((len(pairs), len(similarities)), dtype=np.float32, order="F")
    table = PairTable(analysis, tuple(similarities), pairs, values, {})
    columns, derived = _places_of(table.similarities)

    def fill(wanted: Similarity, found: Floats, rows: Callable[[], Floats]) -> None:
        """Set the column, and those derived from it while their base is available.

        Args:
            wanted: the similarity.
            found: shape (pairs,), its values.
            rows: makes the values of each page with each of the sample, shape (n, sampled pages);
                most need none of them.
        """
        for column in columns.get(wanted, ()):
            values[:, column] = found
        for each in derived.get(wanted, ()):
            fill(each, *_derive(each, pairs, found, rows))

    direct: dict[Feature, list[Similarity]] = {}
    for wanted in derived.get(None, ()):
        direct.setdefault(wanted.feature, []).append(wanted)
    for feature, measured in direct.items():
        extracted = (
            feature.extract_bags(analysis)
            if (feature.kind is FeatureKind.BAGS)
            else feature.extract(analysis)
        )
        for wanted in measured:
            rows = partial(_compare_with_sample, wanted, extracted, pairs)
            fill(wanted, _compare(wanted, extracted, pairs), rows)
        if isinstance(extracted, Bags):
            table.bags[feature] = extracted.shared
    drop_feature_caches()
    return table


@lru_cache(maxsize=8)
def _places_of(
    similarities: tuple[Similarity, ...],
) -> tuple[dict[Similarity, list[int]], dict[Similarity | None, list[Similarity]]]:
    """Similarity → its columns in a table of such similarities; base → those derived from it."""
    columns: dict[Similarity, list[int]] = {}
    for column, each in enumerate(similarities):
        columns.setdefault(each, []).append(column)
    derived: dict[Similarity | None, list[Similarity]] = {}
    for wanted in dict.fromkeys(base for each in similarities for base in each.with_bases()):
        derived.setdefault(wanted.base, []).append(wanted)
    return columns, derived


def _compare(wanted: Similarity, extracted: Any, pairs: Pairs) -> Vector:
    """Shape (pairs,): the values of a similarity that is not derived."""
    if wanted.feature.flag:
        return np.asarray(extracted(pairs.first, pairs.second), np.float64)
    return measures_of(wanted.feature)[wanted.measure](extracted, pairs)


def _compare_with_sample(wanted: Similarity, extracted: Any, pairs: Pairs) -> Floats:
    return (
        _compare(wanted, extracted, SampledPairs.of(pairs.size, pairs.sample))
        .reshape(pairs.size, len(pairs.sample))
        .astype(np.float32)
    )


def _derive(
    wanted: Similarity, pairs: Pairs, base: Floats, rows: Callable[[], Floats]
) -> tuple[Floats, Callable[[], Floats]]:
    """The values of a derived similarity, and those of each page with each of the sample."""
    if pairs.complete:
        return derive_similarity(wanted, base, pairs.size), rows
    sampled, sample = rows(), pairs.sample
    if wanted.relative:
        others = sampled.sum(dtype=np.float64) - sampled[sample, np.arange(len(sample))].sum()
        return base - others / max(sampled.size - len(sample), 1), rows
    unit = _unit_rows(sampled, sample)
    return pairs.dense_products(unit).clip(max=1), lambda: unit @ unit[sample].T


def derive_similarity(wanted: Similarity, base: NDArray[np.floating], size: int) -> Vector:
    """The values of a derived similarity.

    One of second order is the cosine of the pages' rows of similarities, 0 where a page resembles
    none. The similarity of a page to itself is set to its largest one, so that neither its own row
    nor its nearest neighbour's outweighs the others.

    Args:
        wanted: it has a base.
        base: shape (size(size-1)/2,), the values of the base.
        size: number of pages.

    Returns:
        Same shape; of second order between 0 and 1, and from -1 on where the values of the base
        are negative, too.
    """
    if wanted.relative:
        return np.asarray(base - (base.mean() if len(base) else 0), dtype=np.float64)
    unit = _unit_rows(square_matrix(base, size), np.arange(size))
    return condense_matrix(unit @ unit.T).clip(max=1)


def _unit_rows(rows: Floats, sample: Rows) -> Floats:
    """The rows of similarities to the pages of a sample, divided by their lengths; overwritten."""
    own = (sample, np.arange(len(sample)))
    rows[own] = 0
    rows[own] = rows[sample].max(axis=1, initial=0)
    norms = np.sqrt((rows * rows).sum(axis=1))
    rows /= np.where(norms > 0, norms, 1)[:, np.newaxis]
    return rows
