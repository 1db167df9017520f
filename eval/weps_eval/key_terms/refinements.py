"""The best refinements of a query for each person of a key (ACL-IJCNLP 2009, sections 2.2 and 3).

A candidate is a string on at least one of a person's pages, such as a word, a run of words or an
entity; its result is the pages that contain it. The best one has the highest F of precision and
recall.

The paper takes an attribute's result to be the pages where annotators found it, and they looked for
it on pages about somebody. Whoever types it also gets the pages that hold the words for any other
reason, and those on which the annotators passed it over; so attributes are also looked up in the
text of every page, as a search engine would.

For WePS-2 the annotators looked at up to 100 pages of a name. The key sets the others aside with
a note; among them may be pages of any of the people, so that they count neither for nor against a
refinement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property, partial
from itertools import islice, pairwise
from math import nan
from typing import NamedTuple

import numpy as np
from scipy import sparse

from weps._files import word_list
from weps._text import split_words
from weps.errors import KeyFileError
from weps.features.bags import Bags, LazyStrings, dropped_words, number_forms, sums_of_sets
from weps.features.entities import entity
from weps.features.words import Sequences, content_form
from weps.key_terms.labels import suggest_refinements
from weps.language.analysis import Analysis, Layer, cached_for_name
from weps.reading import PageForm, Reader
from weps.sources import base, corpora
from weps_eval.benchmark.corpus import Attributes, attributes_of
from weps_eval.report.tables import SampleSize
from weps_eval.stats import Flags, Floats, instance_share

UNREFINED_NAME = "name alone"
"""No refinement: every page is returned."""
SUGGESTED = "suggested"
"""What the product shows, see :mod:`weps.key_terms.labels`."""
ATTRIBUTE_LOOKUP = "best-ae, looked up"
SIZES = ("1", "2", "≥3")
"""People by the number of their pages, as the paper divides them."""
_EXAMPLES = 3


def _word_runs(analysis: Analysis, n: int) -> Bags:
    """Runs of ``n`` words within a sentence, in lower case; punctuation is passed over.

    Dropped are runs that begin or end with an English stop word, as in the paper, and runs that
    add nothing to the query: all of their words are stop words or words of the name. Others may
    hold words of the name (``thomas j baker``).
    """
    words, stop, informative = _page_words(analysis)
    starts = words.starts(n)
    ends = starts + (n - 1)
    before = np.append(0, np.cumsum(informative))
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


ENTITIES: Mapping[str, Callable[[Analysis], Bags]] = {
    f"ner {name}": partial(entity, type=name) for name in ("location", "organisation", "person")
}
WORDS: Mapping[str, Callable[[Analysis], Bags]] = {
    name: partial(_word_runs, n=n)
    for n, name in enumerate("tokens bigrams trigrams fourgrams fivegrams".split(), start=1)
}
"""Kind of refinement, named as in the paper's tables → its strings on the pages."""
KINDS_BY_FORM = {PageForm.PAGES: {**ENTITIES, **WORDS}, PageForm.TOKENS: WORDS}
"""Form of page → kinds that are found there; recognisers go by sentences and capitals."""
ATTRIBUTES = (
    *("ae affiliation", "ae award", "ae birthplace", "ae degree", "ae email", "ae fax"),
    *("ae location", "ae major", "ae mentor", "ae nationality", "ae occupation", "ae phone"),
    *("ae relatives", "ae school", "ae work"),
)
"""Annotated attributes that the paper studies."""
FURTHER_ATTRIBUTES = ("ae dateofbirth", "ae othername", "ae website")
"""Attributes that were annotated too; the paper's tables leave them out."""
AGGREGATES = {
    "best-ae": ATTRIBUTES,
    "best-all": (*WORDS, *ENTITIES, *ATTRIBUTES),
    "best-ner": tuple(ENTITIES),
    "best-nl": tuple(WORDS),
}
"""What the paper takes together (section 3) → its kinds."""


def _attribute_bags(ranks: Sequence[int], attributes: Attributes) -> dict[str, Bags]:
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


class Refinement(NamedTuple):
    """The best refinement of one kind for one person."""

    precision: float
    """Share of the returned pages that are the person's."""
    recall: float
    """Share of the person's pages that are returned."""
    f: float
    """F0.5, the harmonic mean of both (α = .5), a quotient of counts: equal ones are equal."""
    ties: int
    """Number of strings that reach this F."""
    examples: Sequence[str]
    """These strings, spelled when they are read: those that return most of the person's pages
    first, in the order of the bags' columns. The figures are those of the first. People
    (:class:`Person`) keep three of them."""


def best_refinements(
    bags: Bags, targets: Sequence[Sequence[int]], candidates: Bags | None = None
) -> list[Refinement | None]:
    """For each person the best refinement among the strings of one kind.

    Args:
        bags: the strings of every collected page.
        targets: for each person the rows of their pages, each row once; people may share pages.
        candidates: bags of the same strings, if not every string that a page holds is a candidate
            there.

    Returns:
        One for each person, None where there is no candidate.
    """
    # Shape (people, strings): one sparse product for all people at once.
    hits = sums_of_sets(targets, bags.counts.sign())
    if candidates is not None:
        theirs = sums_of_sets(targets, candidates.counts.sign())
        hits = sparse.csr_array(hits.multiply(theirs > 0))
    frequency = bags.frequency
    found: list[Refinement | None] = []
    for (begin, end), rows in zip(pairwise(hits.indptr.tolist()), targets, strict=True):
        columns, counts = hits.indices[begin:end], hits.data[begin:end]
        if not len(columns):
            found.append(None)
            continue
        f = 2 * counts / (frequency[columns] + len(rows))
        ties = np.flatnonzero(f == f.max())
        ties = ties[np.lexsort((columns[ties], -counts[ties]))]
        own, returned = int(counts[ties[0]]), int(frequency[columns[ties[0]]])
        strings = LazyStrings(columns[ties], bags.strings.__getitem__)
        found.append(
            Refinement(
                own / returned,
                own / len(rows),
                2 * own / (returned + len(rows)),
                len(ties),
                strings,
            )
        )
    return found


def _best_of_kinds(several: Iterable[Refinement | None]) -> Refinement | None:
    """The best of several kinds for one person; of equal ones the first with the best recall."""
    return max(
        (each for each in several if each is not None),
        key=lambda each: (each.f, each.recall),
        default=None,
    )


def _aggregate_kinds(bests: Mapping[str, Refinement | None]) -> dict[str, Refinement | None]:
    """The best of several kinds, for each of :data:`AGGREGATES` with a kind that was studied."""
    return {
        aggregate: _best_of_kinds(bests[kind] for kind in kinds if kind in bests)
        for aggregate, kinds in AGGREGATES.items()
        if not bests.keys().isdisjoint(kinds)
    }


def _look_up_attributes(
    analysis: Analysis, attributes: Sequence[Bags], targets: Sequence[Sequence[int]]
) -> list[Refinement | None]:
    """For each person the best value of any attribute annotated on one of their pages.

    Values are compared word by word as they stand; where pages are lists of content words, by
    those of their words that such lists keep. Values without any are no candidates.
    """
    is_list = not any(word[0].isupper() for word in analysis.tokens.surface)
    dropped = dropped_words(analysis.name_words)

    def padded(text: str) -> str:
        words = split_words(text)
        if is_list:
            words = [form for word in words if (form := content_form(word, dropped))]
        return f" {' '.join(words)} "

    pages = [padded(" ".join(each.blocks)) for each in analysis.documents]
    bests = []
    for annotated in attributes:
        values = list(map(padded, annotated.strings))
        hits = [[not value.isspace() and value in page for value in values] for page in pages]
        counts = sparse.csr_array(np.array(hits, dtype=np.int32).reshape(annotated.counts.shape))
        bests.append(best_refinements(Bags(counts, annotated.strings), targets, annotated))
    return [_best_of_kinds(each[place] for each in bests) for place in range(len(targets))]


class Person(NamedTuple):
    """A person of the key."""

    name: str
    """The name searched for."""
    label: str
    """What the annotators call the person; empty where they do not."""
    ranks: tuple[int, ...]
    """Ranks of the person's pages."""
    found: Mapping[str, Refinement | None]
    """Kind → its best refinement; None where there is no candidate. Kinds that could not be
    studied, such as attributes of names without annotations, are missing."""


class CollectedResults(StrEnum):
    """Which of the results are taken to be there at all; only those can be returned."""

    ALL = "all"
    """Every result; those that the key does not group are nobody's."""
    JUDGED = "judged"
    """All but those that no annotator looked at, see :func:`unjudged_ranks`."""
    GROUPED = "grouped"
    """Only those that the key groups, none that it discards."""


def unjudged_ranks(source: base.Source, name: str) -> frozenset[int]:
    """The ranks of pages that the key of a name sets aside unseen.

    Raises:
        KeyFileError: the key is malformed.
    """
    if not (
        isinstance(source, corpora.Corpus)
        and source.layout == "weps-2"
        and (path := source.key_file(name))
    ):
        return frozenset()
    unseen = (
        corpora.parse_rank(doc.get("rank", ""))
        for doc in corpora.read_xml(path, "clustering", KeyFileError).iterfind(".//discarded//doc")
        if doc.get("notes", "").strip().lower() == "not included in annotation"
    )
    return frozenset(rank for rank in unseen if rank is not None)


def people_of(
    name: str,
    source: base.Source,
    form: PageForm,
    reader: Reader,
    collected: CollectedResults = CollectedResults.JUDGED,
) -> list[Person]:
    """The people of a name with their best refinements, in the order of the key.

    A page about several people is each one's. People without a page among the results are left
    out.

    Raises:
        KeyFileError: if the name has no key.
    """
    key = source.key(name)
    if key is None:
        raise KeyFileError(f"{name} has no key", where=source.root, remedy="leave it out")
    search = source.search(name)
    ranks = {page.rank for page in search.pages}
    if collected is CollectedResults.JUDGED:
        ranks -= unjudged_ranks(source, name)
    if collected is CollectedResults.GROUPED:
        ranks &= key.ranks
    search = replace(search, pages=tuple(page for page in search.pages if page.rank in ranks))
    analysis = reader.read(search, form, {Layer.ENTITIES} if form is PageForm.PAGES else set())
    row = {document.rank: row for row, document in enumerate(analysis.documents)}
    groups = ((label, tuple(sorted(group & row.keys()))) for group, label in key.labelled_groups)
    people = [(label, ranks) for label, ranks in groups if ranks]
    targets = [[row[rank] for rank in ranks] for _, ranks in people]
    found = _find_best(analysis, targets, attributes_of(source.root, name), form)
    return [Person(name, *person, each) for person, each in zip(people, found, strict=True)]


def _find_best(
    analysis: Analysis,
    targets: Sequence[Sequence[int]],
    attributes: Attributes | None,
    form: PageForm,
) -> list[dict[str, Refinement | None]]:
    """For each person, the best refinement of every kind that could be studied."""
    bests = {
        kind: best_refinements(bags_of(analysis), targets)
        for kind, bags_of in KINDS_BY_FORM[form].items()
    }
    if attributes is not None:
        none: list[Refinement | None] = [None] * len(targets)
        bests |= dict.fromkeys((*ATTRIBUTES, *FURTHER_ATTRIBUTES), none)
        bags = _attribute_bags([document.rank for document in analysis.documents], attributes)
        named = {kind: each for name, each in bags.items() if (kind := f"ae {name}") in bests}
        bests |= {kind: best_refinements(each, targets) for kind, each in named.items()}
        studied = [each for kind, each in named.items() if kind in ATTRIBUTES]
        bests[ATTRIBUTE_LOOKUP] = _look_up_attributes(analysis, studied, targets)
    suggested = suggest_refinements(targets, analysis)
    people, every = [], len(analysis.documents)
    for place, (rows, shown) in enumerate(zip(targets, suggested, strict=True)):
        own = {kind: several[place] for kind, several in bests.items()}
        all_pages = Refinement(len(rows) / every, 1, 2 * len(rows) / (every + len(rows)), 1, ("",))
        found = {**own, **_aggregate_kinds(own), UNREFINED_NAME: all_pages, SUGGESTED: None}
        if shown:
            found[SUGGESTED] = Refinement(shown.precision, shown.recall, shown.f, 1, (shown.text,))
        people.append(
            {
                kind: best and best._replace(examples=tuple(islice(best.examples, _EXAMPLES)))
                for kind, best in found.items()
            }
        )
    return people


@dataclass(frozen=True)
class PeopleFigures:
    """Arrays of shape (people,) with the figures of refinements, and means with their intervals."""

    names: Sequence[str]
    """Names searched for, which are resampled."""
    people: Sequence[Person]
    seed: int = 0

    @cached_property
    def of_size(self) -> dict[str, Flags]:
        """Size → whether people are of that size."""
        sizes = [SIZES[min(len(each.ranks), len(SIZES)) - 1] for each in self.people]
        return {size: np.array([each == size for each in sizes], dtype=bool) for size in SIZES}

    @cached_property
    def wins(self) -> Flags:
        """Shape (attributes, people): whether an attribute gives the best one of all (Table 7).

        Where several tie, each of them wins, as in the paper.
        """
        return np.equal([self.figure(kind) for kind in ATTRIBUTES], self.figure("best-ae"))

    def figure(self, kind: str, part: str = "f") -> Floats:
        """A figure of the best refinement of a kind; NaN where there is none."""
        return np.array([getattr(each.found.get(kind), part, nan) for each in self.people])

    def has_candidate(self, kind: str) -> Floats:
        """1 where there is a candidate, 0 where not, NaN where the kind was not studied."""
        return np.array(
            [
                float(each.found[kind] is not None) if kind in each.found else nan
                for each in self.people
            ]
        )

    def mean(self, values: Floats, people: Flags) -> Floats:
        """Mean of the values known of some people, and its resamples; see :meth:`share`."""
        known = people & ~np.isnan(values)
        return self.share(np.where(known, values, 0.0), known)

    def share(self, hits: Floats, total: Floats | Flags) -> Floats:
        """Shape (1 + resamples,): hits of all people over their total, then of resampled names."""
        place = {name: at for at, name in enumerate(self.names)}
        at = [place[each.name] for each in self.people]
        above, below = (np.bincount(at, each, len(place)) for each in (hits, total))
        return instance_share(above.astype(float), below.astype(float), self.seed)

    def sample_size(self, people: Flags, *kinds: str) -> SampleSize:
        """Number of names, and of people who have refinements of all of the kinds."""
        known = people & ~np.isnan([self.figure(kind) for kind in kinds]).any(axis=0)
        names = {each.name for each, counts in zip(self.people, known, strict=True) if counts}
        return SampleSize(len(names), int(known.sum()), "names", "people")
