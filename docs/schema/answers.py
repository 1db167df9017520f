"""The JSON of ``weps cluster`` and ``weps update``; the readers declare what they read of it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from weps._schema import JsonModel
from weps.results.changes import ChangeKind
from weps.results.stored import (
    PersonId,
    Rank,
    StoredCollection,
    StoredFile,
    StoredPage,
    StoredPerson,
    StoredSettings,
)

NonEmpty = Annotated[str, Field(min_length=1)]
Probability = Annotated[float, Field(ge=0, le=1)]
Share = Annotated[float, Field(gt=0, le=1)]
Count = Annotated[int, Field(ge=0)]
Ranks = Annotated[tuple[Rank, ...], Field(json_schema_extra={"uniqueItems": True})]
Pair = Annotated[tuple[Rank, Rank], Field(json_schema_extra={"uniqueItems": True})]


class RelatedPage(JsonModel):
    """Another page and its probability."""

    rank: Rank
    probability: Probability
    """Calibrated, that both pages are about one person."""


def _score_decides(schema: dict[str, Any]) -> None:
    """A page is unsure if its score is below 0.5; only then it has a nearest person."""
    schema["if"] = {"properties": {"unsure": {"const": False}}}
    schema["then"] = {"properties": {"score": {"minimum": 0.5}, "nearest": False}}
    schema["else"] = {"properties": {"score": {"exclusiveMaximum": 0.5}}}


class FoundPage(StoredPage):
    """What a page was found as, and where its copy is."""

    url: str
    """As found, so not always a valid address; empty where none is known."""
    title: str
    """As found; empty where there is none."""
    note: NonEmpty | None = None
    """A fault of the page; absent where there is none."""
    file: NonEmpty | None = None
    """The saved copy, relative to the folder of the result where both can be moved together; absent
    where there is none. Of a page in an archive, the archive."""
    fetched: NonEmpty | None = None
    """When the copy was made, an ISO 8601 date or time; absent where that is unknown."""


class Page(FoundPage, extra="forbid", json_schema_extra=_score_decides):
    """A page of a person."""

    score: Probability
    """Calibrated probability that the page is with the right person: that it belongs with most of
    the person's other pages; of a single page, that it belongs with no other."""
    unsure: bool
    """Whether the score is below 0.5."""
    nearest: PersonId | None = None
    """Of an unsure page, the id of the other person with whose pages it is most probably one
    person, on average over these pages; absent where the page is not unsure or there is nobody
    else."""
    caution: NonEmpty | None = None
    """What is unlike the pages that models are trained on, so that the score is bounded by that of
    usual pages; absent where nothing is."""
    confirmed: Literal[True] | None = None
    """Present where corrections settle that the page is with the right person."""
    excerpt: NonEmpty | None = None
    """The search's snippet, else the text of the page around the name; absent where there is
    none."""
    closest: RelatedPage | None = None
    """The most probable page of the same person; absent where there is no other."""
    rival: RelatedPage | None = None
    """The most probable page of any other person; absent where there is nobody else."""
    copy_of: Rank | None = None
    """Rank of the person's first page that is a near-duplicate of this one; absent where there is
    none before it."""


class Name(JsonModel):
    """A person, organisation or place mentioned near the name."""

    text: NonEmpty
    kind: Literal["person", "organisation", "location"]
    pages: Annotated[tuple[Rank, ...], Field(min_length=1)]
    """Ranks of the person's pages that mention it."""


class Refinement(JsonModel):
    """A query that finds the person better."""

    query: NonEmpty
    """The name and what to add, each in quotation marks if it has several words."""
    precision: Share
    """Of the collected pages that contain what is added, the share that are the person's."""
    recall: Share
    """Of the person's pages, the share that contain it."""


class Person(StoredPerson, extra="forbid"):
    """A person and the pages that are about them."""

    called: NonEmpty | None = None
    """The name that a user gave; absent where there is none."""
    confidence: Probability
    """Mean score of the pages: the share of them that is expected to be with the right person."""
    one_person: Probability
    """Calibrated probability that all pages are one person; 1 for a single page."""
    expected_people: Annotated[float, Field(ge=1)]
    """Expected number of people that the pages are about, at most the number of pages."""
    unsure: bool
    """Whether all pages are unsure."""
    line: NonEmpty | None = None
    """The person as one would tell them, with the first key terms; absent where the pages state
    nothing beside the name."""
    terms: Annotated[tuple[NonEmpty, ...], Field(max_length=5)]
    """Words and names that distinguish the person from the namesakes, best first."""
    words: Annotated[tuple[NonEmpty, ...], Field(max_length=10)]
    """Further key terms, best first."""
    names: Annotated[tuple[Name, ...], Field(max_length=15)]
    """Names mentioned near the name, those on most of the person's pages first."""
    refinement: Refinement | None = None
    """The query to type next time; absent where none is known to find the person better than the
    name alone."""
    pages: Annotated[tuple[Page, ...], Field(min_length=1)]
    """In order of rank."""


class SetAsidePage(FoundPage, extra="forbid"):
    """A page that belongs to nobody."""

    pile: Literal["other name", "cannot tell"]
    """Whether it does not carry the name as that of a person, or nothing can be told from it."""
    reason: NonEmpty
    """One sentence."""
    excerpt: NonEmpty | None = None
    """The search's snippet, else the beginning of the text; absent where there is none."""


class UnreadInput(JsonModel):
    """Something found with the pages that could not be read."""

    name: str
    """The file, with its path within the source, or the address."""
    reason: NonEmpty
    """Why it could not be read."""


class Merge(JsonModel):
    """Two groups of pages that become one."""

    pages: Pair
    """Ranks of two pages, one of either group: the pair that shows best why the groups are one."""
    probability: Probability
    """That the two groups are one person, by the model's link: for average link from the mean
    probability of the pairs between them, for single link from that of the most probable."""
    held: bool
    """Whether the answer keeps it."""


class SharedFeature(JsonModel):
    """A feature that two pages share."""

    feature: NonEmpty
    """Name of the feature, e.g. ngram(n=3, local=true)."""
    shared: tuple[str, ...]
    """The rarest strings on both pages; empty for a flag such as linked."""


class Evidence(SharedFeature):
    """A feature in which two pages stand out."""

    pages: tuple[Annotated[int, Field(ge=1)], ...]
    """The number of the name's pages that have each of these strings."""


class Effect(JsonModel):
    """What a kind of evidence adds to the log odds."""

    kind: NonEmpty
    """Name of a feature without parameters; profile: that both pages resemble the same other pages;
    or other: all evidence that is not listed."""
    effect: float


class Step(JsonModel):
    """A step through a decision tree."""

    similarity: NonEmpty
    value: float
    threshold: float
    """Values up to and including it go left."""
    probability: Probability
    """Share of coreferent pairs in the node that the step leads to."""


class ExplainedPair(JsonModel):
    """Why two pages are, or are not, about one person."""

    pages: Pair
    """Ranks, ascending."""
    probability: Probability
    """Calibrated, that both pages are about one person; 1 or 0 where a correction decides."""
    evidence: tuple[Evidence, ...]
    """The features in which the two pages stand out most among all pairs, strongest first."""
    baseline: float | None = None
    """Log odds of a pair that has no evidence; with the effects they are those of the probability,
    unless a correction changed it. Absent without effects."""
    effects: Annotated[tuple[Effect, ...] | None, Field(min_length=1)] = None
    """What each kind of evidence adds to the log odds, largest first; absent where a single tree
    decided, or nothing did."""
    names: Annotated[tuple[str, ...] | None, Field(min_length=2, max_length=2)] = None
    """How the two pages write the name; absent where that has no effect."""
    steps: Annotated[tuple[Step, ...] | None, Field(min_length=1)] = None
    """The path through the decision tree; absent where many trees decided."""
    said: Literal["same", "different"] | None = None
    """What a correction states about the two; absent where there is none."""


class Collection(StoredCollection, extra="forbid"):
    """A source of pages."""


class Settings(StoredSettings, extra="forbid"):
    """The settings, so that pages can be added in the same way."""


class Answer(StoredFile, extra="forbid", title="weps cluster"):
    """Who is who among the pages found for one name."""

    digest: Annotated[str, Field(pattern="^[0-9a-f]{32}$")] | None = None
    """Of all that the result depends on, always first; absent where that is not known, as after
    corrections in the app."""
    people: tuple[Person, ...]
    """Everybody who was distinguished, those with more pages first, those all of whose pages are
    unsure last. Every page of the search that is not set aside belongs to one of them."""
    set_aside: Annotated[tuple[SetAsidePage, ...] | None, Field(min_length=1)] = None
    """The pages that belong to nobody, in order of rank; absent where there are none."""
    merges: tuple[Merge, ...]
    """The merges of groups of pages, most probable first, from all pages apart to all in one
    group; the answer keeps the first of them."""
    pairs: tuple[ExplainedPair, ...]
    """The pairs that merges name, and each page with its closest and its rival."""
    corrections: tuple[NonEmpty, ...]
    """The corrections that the answer obeys, as lines of NAME.corrections.txt, oldest first."""
    absent_features: tuple[str, ...]
    """Features that the model knows and pages of this form cannot have, such as capitals in word
    lists; they were not compared."""
    cautions: Annotated[tuple[NonEmpty, ...], Field(min_length=1)] | None = None
    """What is unlike the names and pages that models are trained on; absent where nothing is."""
    unread: Annotated[tuple[UnreadInput, ...], Field(min_length=1)] | None = None
    """What was found with the pages and could not be read; absent where everything was."""
    collected: tuple[Collection, ...]
    """The sources of the pages, in the order in which they were added; empty if unknown."""
    settings: Settings


def _only_of_a_pair(schema: dict[str, Any]) -> None:
    """Pair, probability and evidence come together; only old pages were of a person before."""
    schema["dependentRequired"] = {
        "pair": ["probability", "evidence"],
        "probability": ["pair"],
        "evidence": ["pair"],
    }
    schema["if"] = {"properties": {"kind": {"enum": ["new", "joined"]}}}
    schema["then"] = {"properties": {"before": False}}
    schema["else"] = {"required": ["before"]}


class Change(JsonModel, json_schema_extra=_only_of_a_pair):
    """A difference between the earlier answer and the new one."""

    kind: ChangeKind
    """merged: the person before is one with another; split: pages became a new person; moved: pages
    moved to another known person; new: new pages are of a new person; joined: a new page is of a
    known person."""
    person: PersonId
    """Id of the person of the pages now."""
    before: PersonId | None = None
    """Id of the person of the pages before; absent for new pages."""
    pages: Annotated[Ranks, Field(min_length=1)]
    """Ranks of the pages concerned, ascending."""
    pair: Pair | None = None
    """Ranks of two pages that show best why: of what was merged, moved or joined, why it is
    together; of what was split or is new, what is most similar. Absent where there is nobody
    else."""
    probability: Probability | None = None
    """Of joined, that the pair is one person; else that the groups of pages of the pair are."""
    evidence: tuple[SharedFeature, ...] | None = None
    """What the pair shares, strongest first."""


class Update(JsonModel, title="weps update"):
    """What new pages changed in the result for one name."""

    name: str
    """The name that was searched for."""
    new: Ranks
    """Ranks of the pages that were added, ascending."""
    known: Count
    """Number of the pages to be added that the result had already."""
    altered: Ranks
    """Ranks of old pages whose content has changed; they keep their ranks."""
    gone: Ranks
    """Ranks of old pages that are missing; they are removed from the result."""
    unchanged: Count
    """Number of old pages that stayed with their person."""
    changes: tuple[Change, ...]
    """Most important first: by kind in the order of the kinds, most pages first, but new people
    with a single page last."""
    model: str
    """Signature of the model."""
    signature: str
    """How the answer was made, so that it can be made again: key:value pairs joined by |."""
