"""The best refinement of each kind for several people (ACL-IJCNLP 2009, sections 2.2 and 3).

A candidate is a string on at least one of a person's pages, such as a word, a run of words or an
entity; its result is the pages that contain it. The best one has the highest F of precision and
recall.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache, partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps._files import word_list
from weps._text import split_words
from weps.clustering.dendrogram import membership_matrix
from weps.features.bags import Bags, LazyStrings
from weps.features.entities import entity
from weps.features.sequences import Sequences
from weps.language.analysis import Analysis, Layer
from weps.page_forms import PageForm

__all__ = [
    "REFINEMENT_KINDS",
    "Attributes",
    "BestRefinement",
    "RefinementFamily",
    "RefinementKind",
    "attribute_bags",
    "best_of_kinds",
    "best_refinements",
    "count_hits",
    "kinds_for_form",
    "layers_of_kinds",
    "word_runs",
]

Flags = NDArray[np.bool_]


def word_runs(analysis: Analysis, n: int) -> Bags:
    """Runs of ``n`` words within a sentence, in lower case; punctuation is passed over.

    Dropped are runs that begin or end with an English stop word, as in the paper, and runs that
    add nothing to the query: all of their words are stop words or words of the name. Others may
    hold words of the name (``thomas j baker``).
    """
    words = _page_words(analysis)
    starts = words.sequences.starts(n)
    ends = starts + (n - 1)
    before = np.concatenate([[0], np.cumsum(words.telling)])
    chosen = ~words.stop[starts] & ~words.stop[ends] & (before[ends + 1] > before[starts])
    return words.sequences.bags(starts[chosen], n)


class _PageWords:
    """The words of a name's pages, and their weights."""

    def __init__(self, analysis: Analysis) -> None:
        tokens = analysis.tokens
        reduced = [word.lower() if word[0].isalnum() else "" for word in tokens.surface]
        forms = list(dict.fromkeys(filter(None, reduced)))
        number = {form: index for index, form in enumerate(forms)}
        code = np.array([number.get(form, -1) for form in reduced], dtype=np.int64)[tokens.token]
        kept = code >= 0
        form, sentence = code[kept], tokens.sentence[kept]
        self.sequences = Sequences(
            forms, form, sentence, tokens.document[sentence], len(analysis.documents)
        )
        stop = _listed_flags(forms, word_list("stopwords/english.txt"))
        self.stop: Flags = stop[form]
        """Shape (words,)."""
        self.telling: Flags = ~(stop | _listed_flags(forms, frozenset(analysis.name.tokens)))[form]
        """Shape (words,): neither stop words nor words of the name."""


def _listed_flags(forms: list[str], listed: frozenset[str]) -> Flags:
    return np.fromiter((form in listed for form in forms), dtype=bool, count=len(forms))


@lru_cache(maxsize=1)
def _page_words(analysis: Analysis) -> _PageWords:
    """The words of a name, shared by runs of all lengths."""
    return _PageWords(analysis)


Attributes = Mapping[int, Mapping[str, Sequence[str]]]
"""Rank of a page → attribute (``affiliation``) → its values there."""


class RefinementFamily(StrEnum):
    """Groups of kinds, named as in the paper's Tables 4 to 6."""

    WORDS = "nl"
    """Tokens and n-grams, including ones that nobody would think of."""
    ENTITIES = "ner"
    """Names that a recogniser finds."""
    ATTRIBUTES = "ae"
    """Facts about the person, annotated page by page."""


@dataclass(frozen=True, slots=True)
class RefinementKind:
    """One kind of refinement."""

    name: str
    family: RefinementFamily
    forms: frozenset[PageForm]
    """The forms of page that have it."""
    extract: Callable[[Analysis], Bags]
    layers: frozenset[Layer] = frozenset()
    """What the pages must be read with."""


def _word_kind(name: str, n: int) -> RefinementKind:
    """Text is all it takes: lists of words have runs too, across what was dropped from them."""
    forms = frozenset({PageForm.PAGES, PageForm.TOKENS})
    return RefinementKind(name, RefinementFamily.WORDS, forms, partial(word_runs, n=n))


def _entity_kind(name: str) -> RefinementKind:
    """Whole pages only, since recognisers go by sentences and capitals."""
    forms, layers = frozenset({PageForm.PAGES}), frozenset({Layer.ENTITIES})
    extract = partial(entity, type=name)
    return RefinementKind(
        f"{RefinementFamily.ENTITIES} {name}", RefinementFamily.ENTITIES, forms, extract, layers
    )


REFINEMENT_KINDS = (
    _entity_kind("location"),
    _entity_kind("organisation"),
    _entity_kind("person"),
    _word_kind("tokens", 1),
    _word_kind("bigrams", 2),
    _word_kind("trigrams", 3),
    _word_kind("fourgrams", 4),
    _word_kind("fivegrams", 5),
)
"""All that is found on the pages themselves; attributes are given, see :func:`attribute_bags`."""


def kinds_for_form(form: PageForm) -> tuple[RefinementKind, ...]:
    """The kinds that pages of a form have; of search results alone there are none."""
    return tuple(kind for kind in REFINEMENT_KINDS if form in kind.forms)


def layers_of_kinds(kinds: Iterable[RefinementKind]) -> frozenset[Layer]:
    """The layers that pages must be read with."""
    return frozenset().union(*(kind.layers for kind in kinds))


def attribute_bags(ranks: Sequence[int], attributes: Attributes) -> dict[str, Bags]:
    """The values of each attribute, page by page; pages of any form have them.

    Values are equal if their words are, in whatever case and with whatever punctuation.

    Args:
        ranks: of the pages, in the order of their rows.
        attributes: of all pages; those of other ranks count for nothing.
    """
    found = dict.fromkeys(name for rank in ranks for name in attributes.get(rank, ()))
    return {
        name: Bags.of(
            [_normal_value(value) for value in attributes.get(rank, {}).get(name, ())]
            for rank in ranks
        )
        for name in found
    }


def _normal_value(value: str) -> str:
    """The form that a value counts in; one without words, such as ``@``, stays as it is."""
    return " ".join(split_words(value)) or value.strip()


@dataclass(frozen=True, slots=True, eq=False)
class BestRefinement:
    """The best refinement of one kind for one person. Its figures are quotients of counts."""

    hits: int
    """Of the person's pages those that it returns."""
    returned: int
    """All pages that it returns."""
    wanted: int
    """All of the person's pages."""
    strings: Sequence[str]
    """All that reach this F, spelled when they are read: those that return most of the person's
    pages first, in the order of the bags' columns. The counts are those of the first."""

    @property
    def precision(self) -> float:
        """Share of the returned pages that are the person's."""
        return self.hits / self.returned

    @property
    def recall(self) -> float:
        """Share of the person's pages that are returned."""
        return self.hits / self.wanted

    @property
    def f(self) -> float:
        """F0.5, the harmonic mean of both (α = .5).

        Counts stay far below 2²⁶, so equal quotients are equal floats and others are not.
        """
        return 2 * self.hits / (self.returned + self.wanted)


def best_refinements(
    bags: Bags, targets: Sequence[Sequence[int]], candidates: Bags | None = None
) -> list[BestRefinement | None]:
    """For each person the best refinement among the strings of one kind.

    Args:
        bags: the strings of every collected page.
        targets: for each person the rows of their pages, each row once; people may share pages.
        candidates: bags of the same strings, if not every string that a page holds is a candidate
            there.

    Returns:
        One for each person, None where there is no candidate.
    """
    hits, frequency = count_hits(bags, targets), bags.frequency
    if candidates is not None:
        hits = sparse.csr_array(hits.multiply(count_hits(candidates, targets) > 0))
    found: list[BestRefinement | None] = []
    for (begin, end), rows in zip(pairwise(hits.indptr.tolist()), targets, strict=True):
        columns, counts = hits.indices[begin:end], hits.data[begin:end]
        if not len(columns):
            found.append(None)
            continue
        f = 2 * counts / (frequency[columns] + len(rows))
        ties = np.flatnonzero(f == f.max())
        ties = ties[np.lexsort((columns[ties], -counts[ties]))]
        first = ties[0]
        strings = LazyStrings(columns[ties], bags.strings.__getitem__)
        found.append(
            BestRefinement(int(counts[first]), int(frequency[columns[first]]), len(rows), strings)
        )
    return found


def best_of_kinds(several: Iterable[BestRefinement | None]) -> BestRefinement | None:
    """The best of several kinds for one person; of equal ones the first with the best recall."""
    return max(
        (each for each in several if each is not None),
        key=lambda each: (each.f, each.hits),
        default=None,
    )


def count_hits(bags: Bags, targets: Sequence[Sequence[int]]) -> sparse.csr_array:
    """Shape (people, strings), int32: on how many of each person's pages each string is.

    One sparse product for all people at once.
    """
    present = bags.counts.copy()
    present.data = np.ones_like(present.data)
    return sparse.csr_array(membership_matrix(targets, present.shape[0]) @ present)
