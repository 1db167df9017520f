"""The answer for a name: people with their descriptions and pages, and why they are together."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property
from itertools import chain, islice, starmap
from statistics import fmean
from typing import Annotated, Any

import numpy as np
import scipy
from annotated_types import MinLen
from numpy.typing import NDArray

from weps._cache import Cache, content_digest, source_digest
from weps._formatting import count_of, round_probability, short_repr
from weps.clustering.confidence import PageConfidence
from weps.clustering.dendrogram import Dendrogram
from weps.coreference.base import Calibration
from weps.corrections.model import Corrections
from weps.key_terms.labels import (
    Refinement,
    labels_and_words,
    suggest_refinements,
    word_forms,
)
from weps.language.analysis import Analysis
from weps.people.context import ContextEntities, Statement
from weps.people.evidence import ExplainedPair
from weps.people.facts import (
    Fact,
    FactSource,
    cited_page,
    person_facts,
    stated_line,
    terms_beside,
)
from weps.people.pages import PAGE_KINDS, Pile
from weps.people.statements import page_statements
from weps.records import (
    ALWAYS,
    FINGERPRINT_PATTERN,
    UNWRITTEN,
    Clustering,
    NonEmpty,
    PersonId,
    Probability,
    Rank,
    Unchecked,
    UnreadInput,
    field_values,
    in_schema,
)
from weps.similarity.columns import SQUARE_ROWS, pair_position, slices_of, square_rows

UNSURE = 0.5
"""Pages with a lower score are unsure: they are probably in the wrong cluster."""
PROBABLE = 0.5
"""Probability from which pages are probably one person, see :class:`Part`."""
_MAX_DIGITS = 18
"""Decimal places of a threshold."""


@dataclass(frozen=True, slots=True)
class ContextEntity:
    """A person, organisation or place mentioned near the name."""

    text: NonEmpty
    kind: str = field(metadata=in_schema(enum=["person", "organisation", "location"]))
    pages: Annotated[tuple[Rank, ...], MinLen(1)]
    """Ranks of the person's pages that mention it."""


@dataclass(frozen=True, slots=True)
class PersonDescription:
    """The description of the person of a group of pages."""

    terms: tuple[str, ...] = ()
    """Words and names that distinguish the person from the namesakes, best first; five at most."""
    words: tuple[str, ...] = ()
    """Further key terms, none of which is part of another; ten at most."""
    names: tuple[ContextEntity, ...] = ()
    """Names on most of the group's pages first, of equals those on the fewest other pages;
    15 at most."""
    refinement: Refinement | None = None
    """Refinement of the query that finds the person again; None if nothing helps."""
    one_person: float = 1.0
    """Calibrated probability that all the pages are one person; 1 for a single page."""
    expected_people: float = 1.0
    """Expected number of people that the pages are about, from 1 to the number of pages."""
    stated: str = ""
    """The person as far as pages state it, *Ann J. Lee – marine biologist, University of York*, see
    :mod:`weps.people.facts`; empty if they state nothing."""
    facts: tuple[Fact, ...] = ()
    """What the pages state of the person, by attribute, most certain first."""
    cited: str = ""
    """What a page says around the name, or where it names the person, see
    :func:`weps.people.facts.cited_page`; empty if no page tells enough."""

    @property
    def line(self) -> str:
        """What pages state and what one says; empty without either."""
        return " – ".join(filter(None, (self.stated, self.cited)))

    @property
    def label(self) -> str:
        """The line, else the terms on one line; empty if there are none."""
        return self.line or ", ".join(self.terms)


@dataclass(frozen=True, slots=True)
class RelatedPage:
    """Another page and its probability."""

    rank: Rank
    probability: Probability
    """Calibrated, that both pages are about one person."""


@dataclass(frozen=True, slots=True)
class ShownPage:
    """A page as it was found and read."""

    rank: Rank
    """Place of the page among the results of the search; as the source counts, from 0 or 1."""
    url: str = field(default="", metadata=ALWAYS)
    """As found, so not always a valid address; empty where none is known."""
    title: str = field(default="", metadata=ALWAYS)
    """The title, else the beginning of the text; empty where there is neither."""
    _: KW_ONLY
    note: Unchecked[NonEmpty] = ""
    """A fault of the page; absent where there is none."""
    excerpt: Unchecked[NonEmpty] = ""
    """The search's snippet, else the text of the page around the name, else its beginning; absent
    where there is none."""
    fingerprint: str = field(default="", metadata={"pattern": f"^{FINGERPRINT_PATTERN}$"})
    """12 hexadecimal digits of the collected content, whatever its rank."""
    file: str = field(default="", metadata=in_schema(minLength=1))
    """The saved copy, relative to the folder of the result where both can be moved together; absent
    where there is none. Of a page in an archive, the archive."""
    fetched: NonEmpty = ""
    """When the copy was made, an ISO 8601 date or time; absent where that is unknown."""
    dated: Unchecked[NonEmpty] = ""
    """When the page was published, as it declares, an ISO 8601 day, month or year; absent where it
    does not."""
    kind: Unchecked[NonEmpty] = field(default="", metadata=in_schema(enum=[*PAGE_KINDS]))
    """The kind of page, by its address and title; absent where that is unclear."""
    language: Unchecked[NonEmpty] = ""
    """Code of the language; absent where it cannot be told."""
    text: str = field(default="", repr=False, metadata=UNWRITTEN)
    """What of the text is searched in, see :func:`weps.people.pages.searched_text`."""


@dataclass(frozen=True, slots=True)
class PageScore(ShownPage):
    """A page of a person."""

    score: Probability = field(default=0.0, metadata=ALWAYS)
    """Calibrated probability that the page is with the right person: that it belongs with most of
    the person's other pages; of a single page, that it belongs with no other."""
    nearest: PersonId | None = None
    """Id, for an unsure page, of the other person with whose pages it is most probably one
    person, on average over these pages; absent where the page is not unsure or there is nobody
    else."""
    closest: Unchecked[RelatedPage] | None = None
    """The most probable page of the same person; absent where there is no other."""
    rival: Unchecked[RelatedPage] | None = None
    """The most probable page of any other person; absent where there is nobody else."""
    confirmed: Unchecked[bool] = field(default=False, metadata=in_schema(const=True))
    """Present where corrections settle that the page is with the right person."""
    caution: Unchecked[NonEmpty] = ""
    """Difference from the pages that models are trained on, so that the score is bounded by that of
    usual pages; absent where nothing is."""
    copy_of: Unchecked[Rank] | None = None
    """Rank of the person's first page that is a near-duplicate of this one; absent where there is
    none before it."""

    @property
    def unsure(self) -> bool:
        """Whether the page is probably in the wrong cluster, see :data:`UNSURE`."""
        return self.score < UNSURE


@dataclass(frozen=True, slots=True)
class SetAsidePage(ShownPage):
    """A page that is of none of the people."""

    pile: Unchecked[Pile] = field(default=Pile.CANNOT_TELL, metadata=ALWAYS)
    """Whether it does not carry the name as that of a person, or nothing can be told from it."""
    reason: NonEmpty = field(default="", metadata=ALWAYS)
    """One sentence."""


@dataclass(frozen=True, slots=True)
class Part:
    """Several pages of a person that are probably one person, where all pages are probably not.

    The least probable merges of the person are undone until every group is probably one person.
    Groups of several pages are parts if there are two at least: the single pages that merges split
    off may as well belong to one of them, and alone say nothing of another person.
    """

    label: str
    """The line of the person, else the terms joined by commas; empty without text."""
    one_person: Probability
    """Calibrated probability that all pages of the part are one person."""
    pages: Annotated[tuple[Rank, ...], MinLen(2)] = field(metadata=in_schema(uniqueItems=True))
    """Their ranks, ascending."""


@dataclass(frozen=True, slots=True)
class Person:
    """One of the people who bear the name.

    Example:
        >>> person = weps.cluster("resources/demo").people[0]
        >>> [page.rank for page in person.pages][:3]
        [1, 4, 7]
    """

    id: int
    """Counted from 1 in the order of :attr:`Answer.people`; kept when pages are added."""
    confidence: float
    """Mean score of the pages: the expected share of them in the right cluster."""
    pages: tuple[PageScore, ...]
    """In order of rank."""
    description: PersonDescription = field(default_factory=PersonDescription)
    assigned_name: str = ""
    """The name that a user assigned; empty if none."""
    parts: tuple[Part, ...] = ()
    """Parts of a person who is probably several, larger ones first; a page may be in none. Empty
    if a user has confirmed all pages."""

    def __repr__(self) -> str:
        return short_repr(self, self.label, f"id {self.id}", count_of(len(self.pages), "page"))

    @property
    def terms(self) -> tuple[str, ...]:
        """Words and names that distinguish the person from the namesakes, best first."""
        return self.description.terms

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What the pages state of the person, by attribute, most certain first."""
        return self.description.facts

    @property
    def refinement(self) -> Refinement | None:
        """Refinement of the query that finds the person again; None if nothing helps."""
        return self.description.refinement

    @property
    def label(self) -> str:
        """The assigned name, else the line, else the terms on one line; empty if there are none."""
        return self.assigned_name or self.description.label

    @property
    def unsure(self) -> bool:
        """Whether all pages are unsure."""
        return all(page.unsure for page in self.pages)


@dataclass(frozen=True, slots=True)
class ExplainedMerge:
    """Two groups of pages that become one."""

    pages: tuple[Rank, Rank] = field(metadata=in_schema(uniqueItems=True))
    """Ranks of two pages, one of either group: the pair that shows best why the groups are one."""
    probability: Probability
    """Probability that the groups are one person, by the model's link: for average link from the
    mean probability of the pairs between them, for single link from that of the most probable."""
    held: bool = field(default=True, metadata=ALWAYS)
    """Whether the answer keeps it."""


@dataclass(frozen=True, slots=True, eq=False)
class Alternatives:
    """The answers at other thresholds; n is the number of pages."""

    ranks: tuple[int, ...]
    """Ranks of the rows, 0 to n - 1."""
    nodes: tuple[tuple[int, int], ...]
    """The two nodes of each merge: node i < n is row i, n + k the cluster of merge k."""
    levels: tuple[float, ...]
    """Calibrated probability of each merge; it never rises."""
    kept_merges: int
    """Number of merges that the answer keeps, the first ones."""
    min_merges: int
    """The smallest number that can be chosen, see :func:`weps.people.answer.cut_limits`."""
    max_merges: int
    """The largest number that can be chosen."""
    descriptions: Mapping[int, PersonDescription]
    """Descriptions by node, ascending, of all nodes that are people after so many merges, and of
    the parts of these."""
    probability: NDArray[np.floating] | scipy.sparse.csr_array
    """Probability that each pair is one person, not calibrated: condensed, shape (n(n-1)/2,), or
    shape (n, n) with the known pairs only, each above the diagonal."""
    calibration: Calibration
    """Calibrates these for display."""
    page_confidence: PageConfidence
    """Computes scores from these."""
    missing: float = 0.0
    """Probability of the pairs that are not known, on average."""

    def nodes_of_rows(self, merges: int) -> list[int]:
        """The node of each row's person after so many merges."""
        node_of = list(range(len(self.ranks) + merges))
        for node in reversed(range(len(self.ranks), len(node_of))):
            for part in self.nodes[node - len(self.ranks)]:
                node_of[part] = node_of[node]
        return node_of[: len(self.ranks)]

    def threshold_of(self, merges: int) -> float | None:
        """A short calibrated probability that keeps so many merges, and no others.

        None if there is none: the last of them is as probable as the next merge.
        """
        high, low = (1.0, *self.levels, 0.0)[merges : merges + 2]
        rounded = (round((low + high) / 2, digits) for digits in range(2, _MAX_DIGITS))
        return next((each for each in rounded if low < each <= high), None)

    def probability_of(self, first: int, second: int) -> float:
        """That of two rows, ``first < second``, not calibrated."""
        if isinstance(self.probability, np.ndarray):
            return float(self.probability[pair_position(first, second, len(self.ranks))])
        return float(self.probability[first, second]) or self.missing


@dataclass(frozen=True, slots=True)
class Answer:
    """The people among the pages found for a name.

    Example:
        >>> weps.cluster("resources/demo").answer
        <Answer 'Robin Averdale': 10 people, 30 pages>
    """

    name: str
    people: tuple[Person, ...]
    """People with more pages first, but those all of whose pages are unsure last."""
    merges: tuple[ExplainedMerge, ...]
    """All merges, most probable first; a person of k pages has k - 1 of those kept."""
    model: str
    """Signature of the model, e.g. ``weps-0.1.0/pages sha256:1a2b3c4d``."""
    signature: str
    """How the answer was made, for reproduction."""
    missing_features: tuple[str, ...] = ()
    """Features of the model that pages of this form cannot have, by name."""
    pairs: Mapping[tuple[int, int], ExplainedPair] = field(default_factory=dict)
    """Pairs by ranks, ascending: those of merges, and each page with its closest and rival."""
    alternatives: Alternatives | None = field(default=None, compare=False)
    corrections: Corrections = field(default_factory=Corrections)
    """The corrections that were applied."""
    note: str = ""
    """Why no context entities were extracted; empty if they were, or if pages have no names."""
    set_aside: tuple[SetAsidePage, ...] = ()
    """The pages that are of none of the people, in order of rank."""
    cautions: tuple[str, ...] = ()
    """Sentences on the name, if few pages have it as typed, and on what is unlike the names and
    pages that models are trained on."""
    unread: tuple[UnreadInput, ...] = ()
    """Inputs found with the pages that could not be read."""
    also: tuple[str, ...] = ()
    """Other spellings of the name that were searched for."""

    def __repr__(self) -> str:
        return short_repr(
            self,
            self.name,
            count_of(len(self.people), "person", "people"),
            count_of(sum(len(person.pages) for person in self.people), "page"),
            f"{len(self.set_aside)} set aside" if self.set_aside else "",
            count_of(number, "correction") if (number := len(self.corrections.obeyed)) else "",
        )

    @property
    def unsure(self) -> tuple[PageScore, ...]:
        """The pages that are unsure, person by person."""
        return tuple(page for person in self.people for page in person.pages if page.unsure)

    @property
    def clustering(self) -> Clustering:
        """The answer as sets of ranks; pages that are set aside are discarded."""
        return Clustering(
            tuple(frozenset(page.rank for page in person.pages) for person in self.people),
            frozenset(page.rank for page in self.set_aside),
            tuple(person.label for person in self.people),
        )


_MAX_NAMES = 15
"""Largest number of context entities of a description."""
_MIN_STEPS, _STEPS_OF_PAGES, _MAX_STEPS = 60, 1 / 6, 200
"""Merges by which other answers may differ from the answer: a share of the pages, within bounds.
Describing them all, and clusters of most of the pages above all, takes most of the time where pages
are many."""
_NO_PROBABILITY = -1.0
"""Less than any probability."""

Rows = tuple[int, ...]


def describe_people(
    groups: Sequence[Rows], analysis: Analysis, context: ContextEntities
) -> Iterator[PersonDescription]:
    """Describe each group of pages; all other pages count as those of namesakes.

    Args:
        groups: for each the rows of its pages; groups may overlap, as nodes of a dendrogram do.
        analysis: the pages, of any form.
        context: the context entities.
    """
    ranks = np.array([document.rank for document in analysis.documents], dtype=np.int64)
    present = context.present.astype(bool).toarray()
    everywhere = present.sum(axis=0)
    for rows, label, refinement, (parts, facts) in zip(
        groups,
        labels_and_words(groups, analysis),
        suggest_refinements(groups, analysis),
        person_facts(groups, analysis, context),
        strict=True,
    ):
        here = present[list(rows)]
        pages = here.sum(axis=0)
        best = np.lexsort((everywhere, -pages))[:_MAX_NAMES]
        names = (
            ContextEntity(
                context.texts[at],
                context.kinds[at],
                tuple(sorted(ranks[list(rows)][here[:, at]].tolist())),
            )
            for at in best[pages[best] > 0].tolist()
        )
        stated = stated_line(parts, analysis.name.text)
        terms = terms_beside(rows, label, analysis, context, stated)
        yield PersonDescription(
            terms,
            tuple(word for word in label.words if word not in terms),
            tuple(names),
            refinement,
            stated=stated,
            facts=facts,
            cited=cited_page(rows, label, analysis, context, stated),
        )


@dataclass(frozen=True, eq=False)
class KeptDescriptions:
    """The descriptions of groups of a name's pages, kept from one run to the next.

    They take most of the time of a name whose pages have been read before.
    """

    make_context: Callable[[], ContextEntities]
    """Finds the entities near the name."""
    cache: Cache | None
    key: str
    """Cache key: the digest of all that descriptions depend on; empty without a cache."""
    known: dict[Rows, PersonDescription]
    _problem: str | None

    @classmethod
    def of(
        cls, make_context: Callable[[], ContextEntities], cache: Cache | None, *decisive: str
    ) -> KeptDescriptions:
        """The descriptions that are kept for the pages and entities of a name.

        Args:
            make_context: finds the entities.
            cache: where descriptions are kept; None for nowhere.
            decisive: the digest of the pages, and the version of the pipeline for entities.
        """
        key = content_digest("descriptions", *decisive) if cache else ""
        entry = cache.get(key) if cache else None
        _, problem, kept = json.loads(entry or '["", null, []]')
        known = {tuple(rows): _description(each) for rows, each in kept}
        return cls(make_context, cache, key, known, problem)

    @cached_property
    def context(self) -> ContextEntities:
        """The entities near the name, which descriptions that are kept do not need."""
        return self.make_context()

    def read_statements(self, analysis: Analysis) -> None:
        """Read what the pages state; of pages that have not changed it is kept in the cache."""
        key = content_digest("statements", source_digest("weps.people.context"), analysis.name.text)
        stated, entry = self.context.statements, self.cache and self.cache.get(key)
        _, kept = json.loads(entry or '["", {}]')
        stated.update((page, tuple(starmap(Statement, found))) for page, found in kept.items())
        page_statements(analysis, self.context)
        if self.cache:
            self.cache.put(key, json.dumps((analysis.name.text, stated)).encode())

    @property
    def problem(self) -> str:
        """Why no entities were extracted; empty if they were."""
        return self.context.problem if self._problem is None else self._problem

    def describe(
        self, groups: Sequence[Sequence[int]], analysis: Analysis
    ) -> list[PersonDescription]:
        """Describe each group, see :func:`describe_people`; the first ones of a name are kept."""
        is_first, wanted = not self.known, list(map(tuple, groups))
        if new := [rows for rows in dict.fromkeys(wanted) if rows not in self.known]:
            self.known.update(zip(new, describe_people(new, analysis, self.context), strict=True))
        if is_first and self.cache:  # with the name, by which it can be forgotten
            kept = analysis.name.text, self.problem, [*self.known.items()]
            self.cache.put(self.key, json.dumps(kept, default=field_values).encode())
        return [self.known[rows] for rows in wanted]


def _description(kept: Any) -> PersonDescription:
    """The description that was kept as JSON."""
    lists = {name: tuple(kept[name]) for name in ("terms", "words")}
    lists["names"] = tuple(
        ContextEntity(**each | {"pages": tuple(each["pages"])}) for each in kept["names"]
    )
    lists["facts"] = tuple(
        Fact(
            **each
            | {
                "pages": tuple(each["pages"]),
                "sources": tuple(FactSource(**of) for of in each["sources"]),
            }
        )
        for each in kept["facts"]
    )
    found = kept["refinement"]
    return PersonDescription(**kept | lists | {"refinement": found and Refinement(**found)})


def relate_pages(
    clusters: Sequence[Rows],
    shown: Dendrogram,
    pages: Sequence[PageScore],
    copies: Sequence[Sequence[int]],
) -> list[PageScore]:
    """The pages with their relations to others, by rows.

    Args:
        clusters: the rows of each, ascending.
        shown: calibrated probabilities of all pairs.
        pages: without relations.
        copies: ranks of pages that are near-duplicates, ascending.
    """
    cluster_of = np.empty(shown.size, dtype=np.int64)
    for number, rows in enumerate(clusters):
        cluster_of[list(rows)] = number
    group_of = {rank: at for at, ranks in enumerate(copies) for rank in ranks}
    keys = [
        (cluster, group_of.get(page.rank, -1 - page.rank))
        for cluster, page in zip(cluster_of.tolist(), pages, strict=True)
    ]
    first = {key: page.rank for key, page in zip(reversed(keys), reversed(pages), strict=True)}
    own, others = list[RelatedPage | None](), list[RelatedPage | None]()
    people = list[int | None]()
    for part in slices_of(shown.size, SQUARE_ROWS):
        square = square_rows(shown.probability, shown.size, part, _NO_PROBABILITY)
        mates = cluster_of[part, np.newaxis] == cluster_of
        own += _nearest_pages(np.where(mates, square, _NO_PROBABILITY), pages)
        others += _nearest_pages(np.where(mates, _NO_PROBABILITY, square), pages)
        people += _nearest_people(square, clusters, cluster_of[part])
    return [
        replace(
            page,
            nearest=person if page.unsure else None,
            closest=closest,
            rival=rival,
            copy_of=None if first[key] == page.rank else first[key],
        )
        for page, key, person, closest, rival in zip(pages, keys, people, own, others, strict=True)
    ]


def _nearest_people(
    square: NDArray[np.floating], clusters: Sequence[Rows], own: NDArray[np.int64]
) -> list[int | None]:
    """For each row the nearest person other than the own one, see :class:`PageScore`.

    Ties go to the first.
    """
    if len(clusters) < 2:
        return [None] * len(square)
    nearness = np.stack([square[:, rows].mean(axis=1) for rows in clusters], axis=1)
    nearness[np.arange(len(own)), own] = _NO_PROBABILITY
    return list((nearness.argmax(axis=1) + 1).tolist())


def _nearest_pages(
    square: NDArray[np.floating], pages: Sequence[PageScore]
) -> list[RelatedPage | None]:
    """For each row the most probable page, if any; ties go to the first."""
    return [
        RelatedPage(pages[other].rank, round_probability(float(square[row, other])))
        if square[row, other] > _NO_PROBABILITY
        else None
        for row, other in enumerate(square.argmax(axis=1).tolist())
    ]


def build_people(
    clusters: Sequence[Rows],
    pages: Sequence[PageScore],
    scores: NDArray[np.float64],
    descriptions: Mapping[Rows, PersonDescription],
    assigned_names: Sequence[tuple[int, str]],
) -> tuple[Person, ...]:
    """A person for each cluster, in the same order.

    Args:
        clusters: the rows of each, ascending.
        pages: by rows.
        scores: shape (n,), confidence of each page.
        descriptions: by rows, of the clusters at least.
        assigned_names: ranks of pages and the names of their people, the latest last.
    """
    told = list(_distinct_lines([descriptions[rows] for rows in clusters]))
    numbered = list(enumerate(clusters, start=1))
    person_of = {pages[row].rank: number for number, rows in numbered for row in rows}
    name_of = {person_of[rank]: name for rank, name in assigned_names if rank in person_of}
    return tuple(
        Person(
            number,
            round_probability(fmean(scores[list(rows)].tolist())),
            tuple(pages[row] for row in rows),
            told[number - 1],
            name_of.get(number, ""),
        )
        for number, rows in numbered
    )


def _distinct_lines(people: Sequence[PersonDescription]) -> Iterator[PersonDescription]:
    """The descriptions with lines that tell the people apart.

    Terms have no word that the labels of two people have; key terms that come next take the places
    of those left out, but who would have no label keeps them.
    """
    words = [word_forms(" ".join((each.stated, each.cited, *each.terms))) for each in people]
    shared = {word for word, number in Counter(chain.from_iterable(words)).items() if number > 1}
    for each in people:
        left = [t for t in (*each.terms, *each.words) if shared.isdisjoint(word_forms(t))]
        terms = tuple(left[: len(each.terms)]) if left or each.line else each.terms
        yield replace(each, terms=terms)


def add_parts(
    people: Sequence[Person], descriptions: Mapping[tuple[Rank, ...], PersonDescription]
) -> tuple[Person, ...]:
    """The people with their parts, see :class:`Part`.

    Args:
        people: without parts.
        descriptions: of the parts, by the ranks of their pages, ascending.
    """
    person_of = {page.rank: person.id for person in people for page in person.pages}
    parts_of = defaultdict[int, list[Part]](list)
    for pages, about in sorted(descriptions.items(), key=lambda item: (-len(item[0]), item[0])):
        parts_of[person_of[pages[0]]].append(Part(about.label, about.one_person, pages))
    return tuple(
        replace(person, parts=tuple(parts_of[person.id]))
        if len(parts_of[person.id]) > 1 and not all(page.confirmed for page in person.pages)
        else person
        for person in people
    )


def order_clusters(clusters: Sequence[Sequence[int]], scores: NDArray[np.float64]) -> list[Rows]:
    """The clusters, larger ones first, but those all of whose pages are unsure last.

    Ties keep their order.
    """
    unsure = [round_probability(score) < UNSURE for score in scores.tolist()]
    return sorted(
        map(tuple, clusters), key=lambda rows: (all(unsure[row] for row in rows), -len(rows))
    )


def node_rows(dendrogram: Dendrogram) -> list[Rows]:
    """The rows of all 2n - 1 nodes, ascending: the n pages, then the cluster of each merge."""
    return [
        *((row,) for row in range(dendrogram.size)),
        *(tuple(sorted(ours + theirs)) for ours, theirs in dendrogram.merged_pairs()),
    ]


def part_nodes(dendrogram: Dendrogram, one_person: Sequence[float], merges: int) -> list[int]:
    """The nodes of several pages that are parts of a node after so many merges, see :class:`Part`.

    Args:
        dendrogram: of n pages.
        one_person: probability that all pages of a node are one person, by node; of a part of a
            node it is not lower.
        merges: number of merges.
    """
    size = dendrogram.size
    return [
        part
        for node, parts in enumerate(islice(dendrogram.children(), merges), start=size)
        if one_person[node] < PROBABLE
        for part in parts
        if part >= size and one_person[part] >= PROBABLE
    ]


def cut_limits(dendrogram: Dendrogram, kept: int) -> tuple[int, int]:
    """The smallest and the largest number of merges of other answers than that with ``kept``.

    As far as corrections allow, that is from none to all of them if there are few pages.
    """
    least, most = map(dendrogram.bounded_count, (0, len(dendrogram.merges)))
    steps = min(max(_MIN_STEPS, int(_STEPS_OF_PAGES * dendrogram.size)), _MAX_STEPS)
    return max(least, kept - steps), min(most, kept + steps)


def build_alternatives(  # noqa: PLR0913, PLR0917 - everything that they consist of
    dendrogram: Dendrogram,
    levels: Sequence[float],
    ranks: Sequence[int],
    descriptions: Mapping[int, PersonDescription],
    calibration: Calibration,
    page_confidence: PageConfidence,
    *,
    kept: int,
    compared: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None,
) -> Alternatives:
    """The answers at other thresholds.

    Args:
        dendrogram: of the rows.
        levels: calibrated probability of each merge.
        ranks: of the rows.
        descriptions: of the people, by node.
        calibration: of the probabilities, for display.
        page_confidence: computes scores of pages.
        kept: number of merges of the answer.
        compared: first and second rows of the pairs whose probabilities are kept; None for all.
    """
    least, most = cut_limits(dendrogram, kept)
    every, size = dendrogram.probability, dendrogram.size
    probability: NDArray[np.floating] | scipy.sparse.csr_array = every
    missing = 0.0
    if compared is not None:
        known = every[pair_position(*compared, size)]
        total = every.sum(dtype=np.float64) - known.sum(dtype=np.float64)
        missing = float(total) / max(len(every) - len(known), 1)
        probability = scipy.sparse.coo_array((known, compared), shape=(size, size)).tocsr()
    return Alternatives(
        ranks=tuple(ranks),
        nodes=tuple(dendrogram.children()),
        levels=tuple(levels),
        kept_merges=kept,
        min_merges=least,
        max_merges=most,
        descriptions=descriptions,
        probability=probability,
        calibration=calibration,
        page_confidence=page_confidence,
        missing=missing,
    )
