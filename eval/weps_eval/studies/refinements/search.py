"""The best refinements of a query among strings of one kind (ACL-IJCNLP 2009, sections 2.2 and 3).

A candidate is a string on at least one of a person's pages, such as a word, a run of words or an
entity; its result is the pages that contain it. The best one has the highest F of precision and
recall.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps._files import word_list
from weps._sets import sums_of_sets
from weps._text import split_words
from weps.features.bags import Bags, LazyStrings, number_forms
from weps.features.entities import entity
from weps.features.words import Sequences
from weps.key_terms.candidates import binary_counts
from weps.language.analysis import Analysis, Layer, cached_for_name
from weps.page_forms import PageForm

Flags = NDArray[np.bool_]


def word_runs(analysis: Analysis, n: int) -> Bags:
    """Runs of ``n`` words within a sentence, in lower case; punctuation is passed over.

    Dropped are runs that begin or end with an English stop word, as in the paper, and runs that
    add nothing to the query: all of their words are stop words or words of the name. Others may
    hold words of the name (``thomas j baker``).
    """
    words, stop, informative = _page_words(analysis)
    starts = words.starts(n)
    ends = starts + (n - 1)
    before = np.concatenate([[0], np.cumsum(informative)])
    chosen = ~stop[starts] & ~stop[ends] & (before[ends + 1] > before[starts])
    return words.bags(starts[chosen], n)


@cached_for_name
def _page_words(analysis: Analysis) -> tuple[Sequences, Flags, Flags]:
    """The words of a name's pages; which are stop words, and which neither that nor the name's."""
    tokens = analysis.tokens
    forms, code = number_forms(word.lower() if word[0].isalnum() else "" for word in tokens.surface)
    code = code[tokens.token]
    sentence = tokens.sentence[code >= 0]
    form = code[code >= 0].astype(np.int32)
    document = tokens.document[sentence]
    stop_words, name = word_list("stopwords/english.txt"), frozenset(analysis.name.tokens)
    stop, listed = (
        np.array([each in words for each in forms], dtype=bool)[form]
        for words in (stop_words, stop_words | name)
    )
    return Sequences(forms, form, sentence, document, len(analysis.documents)), stop, ~listed


Attributes = Mapping[int, Mapping[str, Sequence[str]]]
"""Rank of a page → attribute (``affiliation``) → its values there."""


class RefinementFamily(StrEnum):
    """Groups of kinds, named as in the paper's Tables 4 to 6."""

    WORDS = "nl"
    """Tokens and n-grams, including ones that a person would not think of."""
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


REFINEMENT_KINDS = (
    *(
        RefinementKind(
            f"{RefinementFamily.ENTITIES} {name}",
            RefinementFamily.ENTITIES,
            frozenset({PageForm.PAGES}),  # recognisers go by sentences and capitals
            partial(entity, type=name),
            frozenset({Layer.ENTITIES}),
        )
        for name in ("location", "organisation", "person")
    ),
    *(
        RefinementKind(
            name,
            RefinementFamily.WORDS,
            frozenset({PageForm.PAGES, PageForm.TOKENS}),  # lists have runs across what was dropped
            partial(word_runs, n=n),
        )
        for n, name in enumerate("tokens bigrams trigrams fourgrams fivegrams".split(), start=1)
    ),
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

    Values are equal if their words are, in whatever case and with whatever punctuation; one without
    words, such as ``@``, stays as it is.

    Args:
        ranks: of the pages, in the order of their rows.
        attributes: of all pages; those of other ranks count for nothing.
    """
    pages = [attributes.get(rank, {}) for rank in ranks]
    return {
        name: Bags.of(
            [" ".join(split_words(value)) or value.strip() for value in page.get(name, ())]
            for page in pages
        )
        for name in dict.fromkeys(name for page in pages for name in page)
    }


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
    return sums_of_sets(targets, binary_counts(bags.counts))
