"""The answer for a name: people with their descriptions and pages, and why they are together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps._formatting import count_of, short_repr
from weps.clustering.confidence import PageConfidence
from weps.coreference.base import Calibration
from weps.corrections.model import Corrections
from weps.key_terms.refinement import Refinement
from weps.people.evidence import ExplainedPair
from weps.people.set_aside import Pile
from weps.records import Clustering, UnreadInput
from weps.similarity.pairs import pair_position

UNSURE = 0.5
"""Pages with a lower score are unsure: they are probably in the wrong cluster."""
_MAX_DIGITS = 18
"""Decimal places of a threshold."""


@dataclass(frozen=True, slots=True)
class ContextEntity:
    """A person, organisation or place named near the name searched for."""

    text: str
    """The most frequent spelling."""
    kind: str
    """person, organisation or location."""
    ranks: tuple[int, ...]
    """The group's pages that have it near the name, ascending."""


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
    line: str = ""
    """The person as one would tell them, *Ann J. Lee – marine biologist, University of York; kelp*,
    see :mod:`weps.people.person_line`; empty if the pages state nothing beside the name."""


@dataclass(frozen=True, slots=True)
class RelatedPage:
    """Another page."""

    rank: int
    probability: float
    """Calibrated probability that both are about one person."""


@dataclass(frozen=True, slots=True)
class PageScore:
    """A page of a person."""

    rank: int
    url: str
    title: str
    score: float
    """Calibrated probability that the page is in the right cluster: that it belongs with most of
    the person's other pages; of a single page, that it belongs with no other."""
    note: str = ""
    """The problem of the page, empty if there is none."""
    nearest: int | None = None
    """Id of the other person with whose pages an unsure page is most probably one person, on
    average over these pages. None if the page is not unsure or there is no other person."""
    excerpt: str = ""
    """The search's snippet, else an excerpt around the name."""
    closest: RelatedPage | None = None
    """The most probable page of the same person; None for a single page."""
    rival: RelatedPage | None = None
    """The most probable page of any other person; None if there is no other
    person."""
    confirmed: bool = False
    """Whether a user has confirmed the page; its score is 1."""
    caution: str = ""
    """A feature of the page unlike the pages of training, see :mod:`weps.people.excerpts`; the
    score is bounded by that of usual pages. Empty if there is none."""
    fingerprint: str = ""
    """Digest of the content, see :func:`weps.records.page_fingerprint`."""
    file: str = ""
    """The saved copy, a path; empty if there is none."""
    fetched: str = ""
    """When the copy was made, an ISO 8601 date or time; empty if unknown."""
    copy_of: int | None = None
    """Rank of the person's first page that is a near-duplicate of this one, see
    :mod:`weps.similarity.near_duplicates`; None if there is none before it."""

    @property
    def unsure(self) -> bool:
        """Whether the page is probably in the wrong cluster, see :data:`UNSURE`."""
        return self.score < UNSURE


@dataclass(frozen=True, slots=True)
class SetAsidePage:
    """A page that is of none of the people."""

    rank: int
    url: str
    title: str
    pile: Pile
    """Whether it is about nobody of the name, or does not say whom it is about."""
    reason: str
    """One sentence."""
    note: str = ""
    """The problem of the page, empty if there is none."""
    excerpt: str = ""
    """The search's snippet, else the beginning of the page."""
    fingerprint: str = ""
    """Digest of the content, see :func:`weps.records.page_fingerprint`."""
    file: str = ""
    """The saved copy, a path; empty if there is none."""
    fetched: str = ""
    """When the copy was made, an ISO 8601 date or time; empty if unknown."""


@dataclass(frozen=True, slots=True)
class Person:
    """One of the people who bear the name."""

    id: int
    """Counted from 1 in the order of :attr:`Answer.people`; kept when pages are added."""
    confidence: float
    """Mean score of the pages: the expected share of them in the right cluster."""
    pages: tuple[PageScore, ...]
    """In order of rank."""
    description: PersonDescription = field(default_factory=PersonDescription)
    assigned_name: str = ""
    """The name that a user assigned; empty if none."""

    def __repr__(self) -> str:
        return short_repr(self, self.label, f"id {self.id}", count_of(len(self.pages), "page"))

    @property
    def terms(self) -> tuple[str, ...]:
        """Words and names that distinguish the person from the namesakes, best first."""
        return self.description.terms

    @property
    def refinement(self) -> Refinement | None:
        """Refinement of the query that finds the person again; None if nothing helps."""
        return self.description.refinement

    @property
    def label(self) -> str:
        """The assigned name, else the line, else the terms on one line; empty if there are none."""
        return self.assigned_name or self.description.line or ", ".join(self.terms)

    @property
    def unsure(self) -> bool:
        """Whether all pages are unsure."""
        return all(page.unsure for page in self.pages)


@dataclass(frozen=True, slots=True)
class ExplainedMerge:
    """A merge of two clusters, and the pair of their pages that explains it best."""

    pages: tuple[int, int]
    """Ranks, one of either cluster: of the pairs between them one of the most probable."""
    probability: float
    """Probability that the two clusters are one person, by the linkage: the mean over the pairs
    between them for average linkage, that of the most probable pair for single linkage."""
    kept: bool = True
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
    """The smallest number that can be chosen, see :func:`weps.people.building.cut_limits`."""
    max_merges: int
    """The largest number that can be chosen."""
    descriptions: Mapping[int, PersonDescription]
    """Descriptions by node, ascending, of all nodes that are people after so many merges."""
    probability: NDArray[np.floating] | sparse.csr_array
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
        high = self.levels[merges - 1] if merges else 1.0
        low = self.levels[merges] if merges < len(self.levels) else 0.0
        rounded = (round((low + high) / 2, digits) for digits in range(2, _MAX_DIGITS))
        return next((each for each in rounded if low < each <= high), None)

    def probability_of(self, first: int, second: int) -> float:
        """That of two rows, ``first < second``, not calibrated."""
        if isinstance(self.probability, np.ndarray):
            return float(self.probability[pair_position(first, second, len(self.ranks))])
        return float(self.probability[first, second]) or self.missing


@dataclass(frozen=True, slots=True)
class Answer:
    """The people among the pages found for a name."""

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
    similarities: tuple[str, ...] = ()
    """The similarities, which steps of pairs refer to by column."""
    note: str = ""
    """Why no context entities were extracted; empty if they were, or if pages have no names."""
    set_aside: tuple[SetAsidePage, ...] = ()
    """The pages that are of none of the people, in order of rank."""
    cautions: tuple[str, ...] = ()
    """Sentences on what is unlike the names and pages that models are trained on."""
    unread: tuple[UnreadInput, ...] = ()
    """Inputs found with the pages that could not be read."""

    def __repr__(self) -> str:
        counts = (
            count_of(len(self.people), "person", "people"),
            count_of(sum(len(person.pages) for person in self.people), "page"),
            f"{len(self.set_aside)} set aside" if self.set_aside else "",
            count_of(len(self.corrections), "correction") if self.corrections else "",
        )
        return short_repr(self, self.name, *counts)

    @property
    def unsure(self) -> tuple[PageScore, ...]:
        """The pages that are unsure, person by person."""
        return tuple(page for person in self.people for page in person.pages if page.unsure)

    @property
    def clustering(self) -> Clustering:
        """The answer as sets of ranks; pages that are set aside are discarded."""
        groups = tuple(frozenset(page.rank for page in person.pages) for person in self.people)
        discarded = frozenset(page.rank for page in self.set_aside)
        return Clustering(groups, discarded, tuple(person.label for person in self.people))
