"""Similarities between all pairs of documents of a name: their names, and the table of values.

Pairs are kept as condensed vectors in the order of ``scipy.spatial.distance.pdist``:
(0, 1), (0, 2), …, (0, n-1), (1, 2), …

Second-order similarity compares the similarities that two pages have to all pages, after
second-order co-occurrence (Schütze 1998, *Automatic word sense discrimination*): pages about one
person that share few words with each other still share them with the same third pages. It is
relative to the name: a page that resembles all others is no evidence.

A relative similarity is one minus its mean over the pairs of the name. How large second-order
similarities are depends on how many pages a name has and how alike these are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps import _expressions
from weps._expressions import Expression
from weps.errors import FeatureError
from weps.features.bags import Bags
from weps.features.registry import Feature, FeatureKind, feature_by_name
from weps.language.analysis import Analysis, Layer
from weps.language.rarity import general_idf
from weps.language.sentence_encoder import Vectors

Vector = NDArray[np.float64]


def dice(bags: Bags) -> Vector:
    """Dice's coefficient of the sets, 2·|A ∩ B| / (|A| + |B|); 0 where both are empty."""
    present = _binary_counts(bags)
    sizes = np.asarray(present.sum(axis=1), dtype=np.float64)
    return _safe_divide(2 * condense_matrix(present @ present.T), _combine_pairs(np.add, sizes))


def overlap(bags: Bags) -> Vector:
    """Size of the intersection, |A ∩ B|."""
    present = _binary_counts(bags)
    return condense_matrix(present @ present.T)


def cosine(bags: Bags) -> Vector:
    """Cosine of the tf·idf vectors; 0 where either is empty. See :func:`tf_idf`."""
    return _cosine_of_rows(tf_idf(bags))


def rarity(bags: Bags) -> Vector:
    """Cosine of (1 + ln tf) · general idf; 0 where either is empty.

    The idf is that of the language, not of the name: :func:`weps.language.rarity.general_idf`.
    """
    idf = general_idf(bags.strings)
    weighted = bags.counts.astype(np.float64)
    weighted.data = (1 + np.log(weighted.data)) * idf[weighted.indices]
    return _cosine_of_rows(weighted)


def _cosine_of_rows(weighted: sparse.csr_array) -> Vector:
    """The cosine of the rows of two documents, pair by pair."""
    norms = np.sqrt(np.asarray(weighted.multiply(weighted).sum(axis=1), dtype=np.float64))
    return _safe_divide(condense_matrix(weighted @ weighted.T), _combine_pairs(np.multiply, norms))


def agree(bags: Bags) -> Vector:
    """1 where the two share a string, else 0."""
    return np.minimum(overlap(bags), 1.0)


def contradict(bags: Bags) -> Vector:
    """1 where both have strings and share none, else 0.

    Other measures are 0 there, and also where one of the two has no strings.
    """
    holds = (np.diff(bags.counts.indptr) > 0).astype(np.float64)
    return _combine_pairs(np.multiply, holds) * (1 - agree(bags))


def tf_idf(bags: Bags) -> sparse.csr_array:
    """Shape (documents, strings): tf · (1 + ln((1 + N) / (1 + df))) within the name.

    The added ones keep a positive weight for strings on every page, which for a name with two
    pages are all shared evidence.
    """
    counts = bags.counts.astype(np.float64)
    idf = 1 + np.log((1 + counts.shape[0]) / (1 + bags.frequency))
    return sparse.csr_array(counts.multiply(idf[np.newaxis, :]))


def condense_matrix(square: sparse.csr_array) -> Vector:
    """Shape (n(n-1)/2,): the upper triangle of a symmetric sparse matrix, row by row."""
    return np.asarray(square.toarray()[np.triu_indices(square.shape[0], k=1)], dtype=np.float64)


MEASURES: dict[str, Callable[[Bags], Vector]] = {
    "dice": dice,
    "cosine": cosine,
    "overlap": overlap,
    "agree": agree,
    "contradict": contradict,
    "rarity": rarity,
}


def vector_cosine(vectors: Vectors) -> Vector:
    """Cosine of vectors of length 1 or 0, from -1 to 1; 0 where either is 0."""
    upper = np.triu_indices(len(vectors), k=1)
    return np.asarray((vectors @ vectors.T)[upper], dtype=np.float64).clip(-1, 1)


def centred_cosine(vectors: Vectors) -> Vector:
    """Cosine after the mean of the vectors that are not 0 has been subtracted from these.

    What all pages of a name have in common, their genre and their language, is no evidence.
    """
    given = vectors.any(axis=1, keepdims=True)
    mean = vectors.sum(axis=0) / max(int(given.sum()), 1)
    centred = np.where(given, vectors - mean, 0)
    norms = np.linalg.norm(centred, axis=1, keepdims=True)
    return vector_cosine(np.where(norms > _MIN_NORM, centred / norms.clip(_MIN_NORM), 0))


_MIN_NORM = 1e-3
"""Shorter vectors are rounding errors."""
VECTOR_MEASURES: dict[str, Callable[[Vectors], Vector]] = {
    "cosine": vector_cosine,
    "centred_cosine": centred_cosine,
}
PAPER_MEASURES = ("dice", "cosine", "overlap")
"""Those that the paper compares (EMNLP 2009, section 4.1)."""


def measures_of(compared: Feature) -> Mapping[str, Callable[[Any], Vector]]:
    """Name → measure for what the feature extracts; a flag has none."""
    by_kind: dict[FeatureKind, Mapping[str, Callable[[Any], Vector]]] = {
        FeatureKind.BAGS: MEASURES,
        FeatureKind.VECTORS: VECTOR_MEASURES,
    }
    return by_kind.get(compared.kind, {})


def _binary_counts(bags: Bags) -> sparse.csr_array:
    """The bags as sets: 1 where the string occurs."""
    present = bags.counts.copy()
    present.data = np.ones_like(present.data)
    return present


def _combine_pairs(combine: np.ufunc, per_document: Vector) -> Vector:
    """Shape (n(n-1)/2,): ``combine`` of the two documents' values, pair by pair."""
    first, second = np.triu_indices(len(per_document), k=1)
    return np.asarray(combine(per_document[first], per_document[second]))


def _safe_divide(above: Vector, below: Vector) -> Vector:
    """The quotient, 0 where the denominator is 0."""
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)


_MIN_PAGES = 2


def second_order_similarity(similarity: NDArray[np.floating], size: int) -> NDArray[np.float64]:
    """The cosine of the pages' rows of similarities; 0 where a page resembles none.

    The similarity of a page to itself is set to its largest one, so that neither its own
    row nor its nearest neighbour's outweighs the others.

    Args:
        similarity: shape (size(size-1)/2,), condensed, see :mod:`weps.similarity`.
        size: number of pages.

    Returns:
        Same shape, between 0 and 1; from -1 on where the similarities are negative, too.
    """
    if size < _MIN_PAGES:
        return np.zeros(0)
    rows = np.zeros((size, size))
    upper = np.triu_indices(size, k=1)
    rows[upper] = similarity
    rows += rows.T
    np.fill_diagonal(rows, rows.max(axis=1))
    norms = np.sqrt((rows * rows).sum(axis=1))
    rows /= np.where(norms > 0, norms, 1)[:, np.newaxis]
    return np.minimum((rows @ rows.T)[upper], 1.0)


_SECOND_ORDER = "profile"
_MAX_ORDER = 3
_RELATIVE = "relative"


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
        profiles = self.order - 1
        around = [_RELATIVE] * self.relative + [_SECOND_ORDER] * profiles
        return "".join(f"{each}(" for each in around) + plain + ")" * len(around)

    @property
    def base(self) -> Similarity | None:
        """The similarity that this one is derived from; None if it compares the pages directly."""
        if self.relative:
            return replace(self, relative=False)
        return replace(self, order=self.order - 1) if self.order > 1 else None


def derive_similarity(wanted: Similarity, base: NDArray[np.floating], size: int) -> Vector:
    """The values of a derived similarity.

    Args:
        wanted: it has a base.
        base: shape (size(size-1)/2,), the values of the base.
        size: number of pages.
    """
    if wanted.relative:
        return np.asarray(base - (base.mean() if len(base) else 0), dtype=np.float64)
    return second_order_similarity(base, size)


@dataclass(frozen=True, slots=True, eq=False)
class PairTable:
    """The similarities of all pairs of one name's n pages, and the bags they were made from."""

    analysis: Analysis
    similarities: tuple[Similarity, ...]
    values: NDArray[np.float32]
    """Shape (n(n-1)/2, similarities)."""
    bags: dict[Feature, Bags]
    """The bags of every feature compared so far; flags have none."""

    def bags_of(self, wanted: Feature) -> Bags:
        """The bags of a feature, computed now if they were not compared."""
        if wanted not in self.bags:
            made = wanted.extract(self.analysis)
            if not isinstance(made, Bags):
                raise FeatureError(f"{wanted} extracts {wanted.kind}, no bags of strings")
            self.bags[wanted] = made
        return self.bags[wanted]


def pair_table(analysis: Analysis, similarities: Sequence[Similarity]) -> PairTable:
    """Compute every similarity for every pair of documents."""
    size = len(analysis.documents)
    values = np.zeros((size * (size - 1) // 2, len(similarities)), dtype=np.float32)
    table = PairTable(analysis, tuple(similarities), values, {})

    @cache
    def extract(wanted: Feature) -> Any:
        bags = wanted.kind is FeatureKind.BAGS
        return table.bags_of(wanted) if bags else wanted.extract(analysis)

    derived: dict[Similarity | None, list[Similarity]] = {}
    for wanted in dict.fromkeys(_with_bases(similarities)):
        derived.setdefault(wanted.base, []).append(wanted)

    def fill(wanted: Similarity, vector: Vector) -> None:
        """Set the column, and those derived from it while the vector is at hand."""
        for column, each in enumerate(similarities):
            if each == wanted:
                values[:, column] = vector
        for each in derived.get(wanted, ()):
            fill(each, derive_similarity(each, vector, size))

    for wanted in derived.get(None, ()):
        extracted = extract(wanted.feature)
        if wanted.feature.flag:
            fill(wanted, condense_matrix(extracted))
        else:
            fill(wanted, measures_of(wanted.feature)[wanted.measure](extracted))
    return table


def _with_bases(similarities: Iterable[Similarity]) -> Iterator[Similarity]:
    """The similarities and all that they are derived from."""
    for each in similarities:
        wanted: Similarity | None = each
        while wanted:
            yield wanted
            wanted = wanted.base


def required_layers(similarities: Iterable[Similarity]) -> frozenset[Layer]:
    """The layers of language processing that the similarities need."""
    needs = {need for each in similarities for need in each.feature.needs}
    return frozenset(layer for layer in Layer if layer in needs)


def need_encoder(similarities: Iterable[Similarity]) -> bool:
    """Whether one of the similarities compares vectors of a sentence encoder."""
    return any("embeddings" in each.feature.needs for each in similarities)


def parse_similarity(text: str) -> Similarity:
    """The similarity of that name.

    Raises:
        FeatureError: if the measure or the feature is unknown, or they cannot be combined.
    """
    return _build_similarity(_expressions.parse_expression(text))


def _build_similarity(parsed: Expression) -> Similarity:
    measures = dict.fromkeys([*MEASURES, *VECTOR_MEASURES])
    applied = (*measures, _SECOND_ORDER, _RELATIVE)
    if parsed.name in applied:
        return _build_applied(parsed)
    if parsed.arguments:
        raise FeatureError(
            f"there is no similarity {parsed.name!r}",
            remedy=f"choose from {', '.join(applied)}",
        )
    flag = feature_by_name(parsed)
    if not flag.flag:
        what = "a bag of strings" if flag.kind is FeatureKind.BAGS else "a vector"
        raise FeatureError(
            f"{str(parsed)!r} is {what}, not a similarity",
            remedy="choose how: " + ", ".join(f"{each}({flag})" for each in measures_of(flag)),
        )
    return Similarity(flag)


def _build_applied(parsed: Expression) -> Similarity:
    """Parse a measure of a feature, ``dice(token)``, or a similarity derived from another."""
    derived = parsed.name in (_SECOND_ORDER, _RELATIVE)
    if len(parsed.arguments) != 1 or parsed.parameters:
        raise FeatureError(
            f"{str(parsed)!r}: expected one {'similarity' if derived else 'feature'} "
            "and no parameters",
            remedy=f"for example {parsed.name}({'dice(token)' if derived else 'token'})",
        )
    if derived:
        base = _build_similarity(parsed.arguments[0])
        if base.relative:
            what = f"{str(parsed)!r}: nothing is derived from a relative similarity"
            raise FeatureError(what, remedy=f"write {_RELATIVE} once, around all others")
        if parsed.name == _RELATIVE:
            return replace(base, relative=True)
        if base.order == _MAX_ORDER:
            raise FeatureError(
                f"{str(parsed)!r}: profiles of profiles of profiles say nothing new",
                remedy=f"nest {_MAX_ORDER - 1} at most",
            )
        return replace(base, order=base.order + 1)
    compared = feature_by_name(parsed.arguments[0])
    if compared.flag:
        what = f"{str(parsed)!r}: {compared} is a flag"
        raise FeatureError(what, remedy=f"write {compared} alone")
    if parsed.name not in measures_of(compared):
        what = f"{str(parsed)!r}: {parsed.name} does not compare {compared.kind}"
        raise FeatureError(what, remedy=f"choose from {', '.join(measures_of(compared))}")
    return Similarity(compared, parsed.name)


def dice_similarity(compared: Feature) -> Similarity:
    """Dice of the feature, the cosine of vectors, or the flag that it is.

    The paper found Dice the best of the three across feature types (EMNLP 2009, section 4.1).
    """
    usual = {FeatureKind.BAGS: "dice", FeatureKind.VECTORS: "cosine", FeatureKind.FLAGS: ""}
    return Similarity(compared, usual[compared.kind])
