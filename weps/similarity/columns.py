"""The similarities that pages are compared by, the columns of pair tables, and their measures.

Second-order similarity compares the similarities that two pages have to all pages, after
second-order co-occurrence (Schütze 1998, *Automatic word sense discrimination*): pages about one
person that share few words with each other still share them with the same third pages. It is
relative to the name: a page that resembles all others is no evidence.

A relative similarity is one minus its mean over the pairs of the name. How large second-order
similarities are depends on how many pages a name has and how alike these are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps import _expressions
from weps._expressions import Expression
from weps._files import weighted_words
from weps._sets import with_data
from weps._text import singular_form, split_words
from weps.errors import FeatureError
from weps.features.bags import Bags
from weps.features.registry import Feature, FeatureKind, feature_by_name
from weps.language.analysis import Layer
from weps.language.sentence_encoder import Vectors
from weps.similarity.pairs import Pairs

Vector = NDArray[np.float64]

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
        profiles = self.order - 1
        around = [_RELATIVE] * self.relative + [_SECOND_ORDER] * profiles
        return "".join(f"{each}(" for each in around) + plain + ")" * len(around)

    def with_bases(self) -> Iterator[Similarity]:
        """The similarity and all that it is derived from."""
        wanted: Similarity | None = self
        while wanted:
            yield wanted
            wanted = wanted.base

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
    parsed = _expressions.parse_expression(text) if isinstance(text, str) else text
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
        what = "a bag of strings" if flag.kind is FeatureKind.BAGS else "a vector"
        raise FeatureError(
            f"{str(parsed)!r} is {what}, not a similarity",
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


def dice(bags: Bags, pairs: Pairs) -> Vector:
    """Dice's coefficient of the sets, 2·|A ∩ B| / (|A| + |B|); 0 where both are empty."""
    sizes = np.diff(bags.counts.indptr).astype(np.float64)
    return _safe_divide(2 * overlap(bags, pairs), pairs.combine(np.add, sizes))


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
    idf = general_idf(bags.strings)[bags.counts.indices]
    weighted = with_data(bags.counts, (1 + np.log(bags.counts.data)) * idf)
    return _cosine_of_rows(weighted, bags, pairs)


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
    frequencies = weighted_words("rarity/english.txt").items()
    return {word: max(0.0, _MOST_COMMON - frequency) for word, frequency in frequencies}


def _cosine_of_rows(weighted: sparse.csr_array, bags: Bags, pairs: Pairs) -> Vector:
    """The cosine of the weighted bags of two documents, pair by pair."""
    squares = with_data(weighted, weighted.data**2)
    norms = np.sqrt(np.asarray(squares.sum(axis=1), dtype=np.float64))
    # Strings of one page alone add nothing to the products, and most are.
    products = pairs.products(weighted[:, bags.shared_columns])
    return _safe_divide(products, pairs.combine(np.multiply, norms))


def agree(bags: Bags, pairs: Pairs) -> Vector:
    """1 where the two share a string, else 0."""
    return np.minimum(overlap(bags, pairs), 1.0)


def contradict(bags: Bags, pairs: Pairs) -> Vector:
    """1 where both have strings and share none, else 0.

    Other measures are 0 there, and also where one of the two has no strings.
    """
    holds = (np.diff(bags.counts.indptr) > 0).astype(np.float64)
    return pairs.combine(np.multiply, holds) * (1 - agree(bags, pairs))


def tf_idf(bags: Bags) -> sparse.csr_array:
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
    unit = np.where(norms > _MIN_NORM, centred / norms.clip(_MIN_NORM), 0)
    return vector_cosine(unit, pairs)


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


def _safe_divide(above: Vector, below: Vector) -> Vector:
    """The quotient, 0 where the denominator is 0."""
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)
