"""The JSON of lists and tables: features, measures, and the values of measures."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from weps._schema import JsonModel

NonEmpty = Annotated[str, Field(min_length=1)]
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]
Needed = Literal["tags", "parses", "WordNet", "vectors", "sources", "concepts", "nltk", "sacrebleu"]


class Feature(JsonModel):
    """A feature."""

    name: NonEmpty
    family: NonEmpty
    linguistic: bool
    kind: Literal["bags", "vectors", "flags"]
    """Whether it extracts bags of strings or vectors, one per page, or a flag per pair."""
    flag: bool
    """True for a flag per pair of pages, which no measure compares."""
    needs: tuple[str, ...]
    """What pages must offer, and layers of language processing."""
    description: NonEmpty
    source: NonEmpty


class Set(JsonModel):
    """A set, and what it holds."""

    description: NonEmpty
    features: tuple[str, ...]
    similarities: tuple[str, ...]
    """The columns of a table of pairs: Dice of the features, flags, and what the set adds; in
    order."""


class FeatureLists(JsonModel, title="weps features"):
    """The features and feature sets there are."""

    features: tuple[Feature, ...]
    """In the order in which tables have their columns."""
    measures: tuple[str, ...]
    """What bags can be compared by; profile(…) of any similarity compares whom pages resemble."""
    vector_measures: tuple[str, ...]
    """What vectors can be compared by."""
    sets: dict[str, Set]
    """Records by name."""


class NeedsWhen(JsonModel):
    """What a measure needs where a parameter has a value."""

    parameter: str
    value: str | float | bool
    need: Needed


class Parameter(JsonModel):
    """A parameter of a family of measures."""

    default: str | float | bool | None
    """Null where it must be told."""
    allowed: NonEmpty
    description: NonEmpty


class Family(JsonModel):
    """A family of measures."""

    name: NonEmpty
    group: NonEmpty
    description: NonEmpty
    formula: NonEmpty
    source: NonEmpty
    needs: tuple[Needed, ...]
    """What it needs besides an output and references."""
    needs_when: tuple[NeedsWhen, ...]
    """What it needs besides where a parameter has a value."""
    together: str | None
    """What references=together means; null where it cannot be."""
    parameters: dict[str, Parameter]
    """By name, in the order in which they are printed."""


class MeasuresSet(JsonModel):
    """A set of measures."""

    description: NonEmpty
    measures: Annotated[tuple[str, ...], Field(min_length=1)]


class MeasureLists(JsonModel, title="weps text measures"):
    """The measures between texts, and sets of them."""

    families: tuple[Family, ...]
    """Measures that differ in the values of their parameters; in the order in which they are
    listed."""
    sets: dict[str, MeasuresSet]
    """Records by name."""


class System(JsonModel):
    """A system and its mean values."""

    topics: Annotated[int, Field(ge=1)]
    """Number of topics that it answered."""
    mean: Annotated[dict[str, float | None], Field(min_length=1)]
    """Means over these topics."""


class Agreement(JsonModel):
    """Agreement with one criterion of people."""

    systems: Count
    """Number of systems that were judged."""
    topics: Count
    """On which all of these were judged: means are over them."""
    pearson: Annotated[dict[str, float | None], Field(min_length=1)]
    """Pearson's r."""
    kendall: Annotated[dict[str, float | None], Field(min_length=1)]
    """Kendall's τ-b."""


class Empty(JsonModel):
    """An output without text."""

    topic: str
    system: str


class TextScores(JsonModel, title="weps text score"):
    """What measures say of the systems of a testbed."""

    testbed: str
    """Name of the testbed."""
    signature: str
    """All that decides the values besides the measures, in one line."""
    topics: Annotated[int, Field(ge=1)]
    mean: Annotated[dict[str, float | None], Field(min_length=1)]
    """Means over all outputs."""
    systems: dict[str, System]
    """By name, in order of first appearance."""
    agreement: dict[str, Agreement]
    """By criterion of people: correlation with measures at the level of systems."""
    empty: tuple[Empty, ...]
    """Outputs without text, whose values are 0."""
