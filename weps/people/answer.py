"""The answer for a name: people, the pages of each with scores, and why they are together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from weps.clustering.confidence import PageConfidence
from weps.coreference.calibration import Calibration
from weps.corrections.model import Corrections
from weps.people.description import PersonDescription
from weps.people.evidence import ExplainedPair
from weps.records import Clustering
from weps.refinement.suggestion import Refinement

__all__ = [
    "UNSURE",
    "Alternatives",
    "Answer",
    "ExplainedMerge",
    "PageScore",
    "Person",
    "RelatedPage",
]

UNSURE = 0.5
"""Pages with a lower score are unsure: they are more probably in the wrong place than not."""


@dataclass(frozen=True, slots=True)
class RelatedPage:
    """Another page."""

    rank: int
    probability: float
    """Calibrated, that both are about one person."""


@dataclass(frozen=True, slots=True)
class PageScore:
    """A page of a person."""

    rank: int
    url: str
    title: str
    score: float
    """Calibrated probability that the page is in the right place: that it belongs with most of
    the person's other pages; of a page that stands alone, that it belongs with no other."""
    note: str = ""
    """What was wrong with the page, empty where nothing was."""
    nearest: int | None = None
    """Of an unsure page, the other person with whose pages it is most probably one person, on
    average over these pages: the person's id. None if the page is not unsure or there is nobody
    else."""
    excerpt: str = ""
    """The search's snippet, else what the page says around the name."""
    closest: RelatedPage | None = None
    """The most probable page of the same person; None for a page that stands alone."""
    rival: RelatedPage | None = None
    """The most probable page of any other person; None if there is nobody else."""
    confirmed: bool = False
    """Whether a user has confirmed the page; its score is 1."""
    fingerprint: str = ""
    """Of what was collected, see :func:`weps.provenance.page_fingerprint`."""

    @property
    def unsure(self) -> bool:
        """Whether the page is more probably in the wrong place than not, see :data:`UNSURE`."""
        return self.score < UNSURE


@dataclass(frozen=True, slots=True)
class Person:
    """One of the people who bear the name."""

    id: int
    """Counted from 1 in the order of :attr:`Answer.people`; kept when pages are added."""
    confidence: float
    """Mean score of the pages: the expected share of them in the right place."""
    pages: tuple[PageScore, ...]
    """In order of rank."""
    description: PersonDescription = field(default_factory=PersonDescription)
    assigned_name: str = ""
    """What a user calls the person; empty if no name was given."""

    @property
    def terms(self) -> tuple[str, ...]:
        """Words and names that distinguish the person from the namesakes, best first."""
        return self.description.terms

    @property
    def refinement(self) -> Refinement | None:
        """What to add to the name to find the person again; None where nothing helps."""
        return self.description.refinement

    @property
    def label(self) -> str:
        """What the person is called, else the terms on one line; empty where there are none."""
        return self.assigned_name or ", ".join(self.terms)

    @property
    def unsure(self) -> bool:
        """Whether all pages are unsure."""
        return all(page.unsure for page in self.pages)


@dataclass(frozen=True, slots=True)
class ExplainedMerge:
    """What makes two clusters one, and the pair of their pages that shows best why."""

    pages: tuple[int, int]
    """Ranks, one of either cluster: of the pairs between them one of the most probable."""
    probability: float
    """That the two clusters are one person, by the model's link: for average link from the mean
    probability of the pairs between them, for single link from that of the most probable."""
    kept: bool = True
    """Whether the answer keeps it."""


@dataclass(frozen=True, slots=True, eq=False)
class Alternatives:
    """What the answer would be at every other threshold; n is the number of pages."""

    ranks: tuple[int, ...]
    """Of the rows, 0 to n - 1."""
    nodes: tuple[tuple[int, int], ...]
    """The two nodes that each merge makes one: node i < n is row i, n + k the union of merge k."""
    levels: tuple[float, ...]
    """Calibrated probability of each merge; it never rises."""
    kept_merges: int
    """How many merges the answer keeps, the first so many."""
    min_merges: int
    """The fewest that corrections allow; 0 without any."""
    max_merges: int
    """The most that corrections allow; n - 1 without any."""
    descriptions: tuple[PersonDescription, ...]
    """Of all 2n - 1 nodes."""
    probability: NDArray[np.float64]
    """Shape (n(n-1)/2,): that each pair is one person, condensed, not calibrated."""
    calibration: Calibration
    """Turns these into what is shown."""
    page_confidence: PageConfidence
    """Turns these into scores."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Who is who among the pages found for a name."""

    name: str
    people: tuple[Person, ...]
    """Those with more pages first, but those all of whose pages are unsure last."""
    merges: tuple[ExplainedMerge, ...]
    """All, most probable first; the answer holds one fewer than its pages for each person."""
    model: str
    """Which model answered, e.g. ``weps-0.1.0/pages sha256:1a2b3c4d``."""
    signature: str
    """How the answer was made, so that it can be made again."""
    missing_features: tuple[str, ...] = ()
    """Features that the model knows and pages of this form cannot have, by name."""
    pairs: Mapping[tuple[int, int], ExplainedPair] = field(default_factory=dict)
    """By ranks, ascending: what shows merges best, and each page with its closest and rival."""
    alternatives: Alternatives | None = field(default=None, compare=False)
    corrections: Corrections = field(default_factory=Corrections)
    """The corrections that were applied."""
    similarities: tuple[str, ...] = ()
    """What pairs were compared by: the columns that steps of pairs mention."""
    note: str = ""
    """Why no context entities were extracted; empty if they were, or if pages have no names."""

    @property
    def unsure(self) -> tuple[PageScore, ...]:
        """The pages that are unsure, person by person."""
        return tuple(page for person in self.people for page in person.pages if page.unsure)

    @property
    def clustering(self) -> Clustering:
        """The answer as sets of ranks."""
        groups = tuple(frozenset(page.rank for page in person.pages) for person in self.people)
        return Clustering(groups, labels=tuple(person.label for person in self.people))
