"""The JSON of ``weps evaluate`` and ``weps benchmark``."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from weps._schema import JsonModel

NonEmpty = Annotated[str, Field(min_length=1)]
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]


class Scores(JsonModel):
    """The scores of an answer."""

    bcubed_precision: Share
    bcubed_recall: Share
    bcubed_f05: Share
    bcubed_f02: Share
    purity: Share
    inverse_purity: Share
    purity_f05: Share
    purity_f02: Share
    rand: Share
    jaccard: Share
    fowlkes_mallows: Share
    ari: Annotated[float, Field(ge=-1, le=1)] = 0
    """Adjusted Rand index; it and those below are there if ``--measures`` asks for them."""
    homogeneity: Share = 0
    completeness: Share = 0
    v_measure: Share = 0
    """F of the two."""
    muc: Share = 0
    ceaf_e: Share = 0
    lea: Share = 0
    conll: Share = 0
    """Mean F of MUC, B-Cubed and CEAFe."""


class Way(JsonModel):
    """The course of corrections, one way of applying them."""

    after: dict[str, Share]
    """Number of corrections to mean F0.5."""
    to_good: Annotated[float, Field(ge=0)] | None
    """Corrections until F0.5 is .95, over the names where it can be; null if there are none."""
    to_best: Annotated[float, Field(ge=0)]
    """Corrections until F0.5 is as good as it can be."""


class Saved(JsonModel):
    """Corrections to the best answer: two ways of applying them compared."""

    measure: Literal["corrections"]
    difference: float
    interval: Annotated[tuple[float, ...], Field(min_length=2, max_length=2)] | None
    """95 %, bootstrapped over names; null for a single name."""
    p: Share
    randomisation: Share
    better: Count
    worse: Count
    equal: Count


class Name(JsonModel):
    """The corrections of one name."""

    pages: Annotated[int, Field(ge=1)]
    """Number of pages that the key judges."""
    people: Annotated[int, Field(ge=1)]
    """Number of people of these pages."""
    best: Share
    """F0.5 with each page in one place."""
    anew: Annotated[tuple[Share, ...], Field(min_length=1)]
    alone: Annotated[tuple[Share, ...], Field(min_length=1)]


class Corrections(JsonModel):
    """Number of corrections of a user who knows the key until the answers are right."""

    anew: Way
    """The name is clustered again after each correction."""
    alone: Way
    """Each correction changes what it says and nothing else."""
    saved: Saved
    """Corrections to the best answer: mean of alone minus mean of anew, paired by name."""
    names: dict[str, Name]


class Estimate(JsonModel):
    """A figure with its 95 % interval over groups; null for what is not known."""

    value: float | None
    """null where it is not known, as the slope of forecasts that are all equal."""
    interval: Annotated[tuple[float, ...], Field(min_length=2, max_length=2)] | None
    """95 %, bootstrapped over names; null for a single name."""


class Calibration(JsonModel):
    """The quality of probabilities as forecasts."""

    forecasts: Annotated[int, Field(ge=1)]
    names: Count
    brier: Estimate
    ece: Estimate
    slope: Estimate
    intercept: Estimate


class Calibrations(JsonModel):
    """The quality of the probabilities of the answers."""

    pairs: Calibration | None = None
    """That two pages are about one person."""
    pages: Calibration | None = None
    """That a page stands with the right pages."""
    people: Calibration | None = None
    """That all pages of a person, of several, are about one person."""


class Match(JsonModel):
    """Facts and annotators' values compared in one way."""

    right: Count
    """Facts that match a value of the same page and attribute."""
    found: Count
    """Values that a fact matches."""
    precision: Share | None
    """null where there is no fact."""
    recall: Share | None
    """null where there is no value."""
    f: Share | None


class FactScores(JsonModel):
    """How facts agree with annotators' values of some attributes; a page counts by itself."""

    facts: Count
    values: Count
    lenient: Match
    strict: Match
    pages: Share | None
    """Share of the pages with values of the attribute that have one of them among the facts."""


class JudgedFact(JsonModel):
    """A fact on a page."""

    name: str
    page: Count
    attribute: str
    value: str
    sentence: str
    matched: str
    """The annotators' value; empty if none matches."""
    strict: bool
    elsewhere: str
    """Another attribute of which annotators have the value; empty if there is none."""


class AnnotatedValue(JsonModel):
    """A value of the annotators on a page."""

    name: str
    page: Count
    attribute: str
    value: str
    found: bool
    strict: bool


class Facts(JsonModel):
    """The facts of an answer and the attributes that annotators found."""

    attributes: dict[str, FactScores]
    groups: dict[str, FactScores]
    """Scores of several attributes together."""
    judged: tuple[JudgedFact, ...]
    missed: tuple[AnnotatedValue, ...]
    unread: Count
    """Facts on pages of which annotators have nothing, not judged."""


class BetweenSeeds(JsonModel):
    """Mean absolute difference of F0.5 between two seeds of one system."""

    mean: Share
    """Mean difference over names."""
    names: dict[str, Share]


class System(JsonModel, extra="ignore"):
    """A system and its mean values."""

    names: Annotated[dict[str, Scores], Field(min_length=1)]
    """Scores by name of the person searched for."""
    mean: Scores
    """Mean of the names' scores; every name counts the same."""
    standard_error: dict[str, Annotated[float, Field(ge=0)] | None] | None = None
    """Standard error of the mean, over the names; null where one name is all there is."""
    unanswered: tuple[str, ...] | None = None
    """Names without an answer, which score 0, of weps evaluate."""
    corrections: Corrections | None = None
    """How few corrections of a user who knows the key make the answers right, of weps evaluate
    --corrections."""
    facts: Facts | None = None
    """Agreement of facts with annotators' attributes, by weps evaluate --facts."""
    similarities: dict[Literal["pages", "tokens", "results"], tuple[str, ...]] | None = None
    """What the system compared pages of each form by, of weps benchmark."""
    absent: dict[Literal["pages", "tokens", "results"], tuple[str, ...]] | None = None
    """What it was to compare them by and did not, of weps benchmark."""
    configuration: dict[str, str | int | float] | None = None
    """What was chosen about the system, of weps benchmark and recorded runs."""
    calibration: Calibrations | None = None
    """How good the probabilities of the answers are, of weps benchmark."""
    seeds: tuple[Count, ...] | None = None
    """Seeds of recorded runs."""
    between_seeds: BetweenSeeds | None = None
    """Difference between the seeds of recorded runs, where there are several."""


class AdjustedTests(JsonModel):
    """Tests adjusted by Holm over all pairs of systems."""

    randomisation: Share
    p: Share
    """P of the sign test."""


class Comparison(JsonModel):
    """Two systems compared name by name."""

    first: str
    second: str
    measure: NonEmpty
    difference: Annotated[float, Field(ge=-2, le=2)]
    """Mean of the second minus mean of the first."""
    interval: Annotated[tuple[float, ...], Field(min_length=2, max_length=2)] | None
    """95 % of the bootstrapped differences; null for a single name."""
    p: Share
    """P of the two-sided sign test over the names where they differ."""
    randomisation: Share
    """P of the two-sided randomisation test of the mean difference."""
    better: Count
    worse: Count
    equal: Count
    holm: AdjustedTests | None = None
    """Both tests adjusted over all pairs."""
    verdict: Literal["better", "worse", "within the noise"] | None = None
    """Verdict on the second system."""
    remarks: tuple[str, ...] = ()
    """Why the verdict is no more than that, and what else may lie behind the difference."""


class ScoresFile(JsonModel, title="weps evaluate, weps benchmark"):
    """How good the answers of one or more systems are, name by name and on average."""

    signature: NonEmpty
    """How the scores were computed: key:value pairs joined by |."""
    systems: Annotated[dict[str, System], Field(min_length=1)]
    """By name of the system; baselines are systems too."""
    forms: dict[str, Literal["pages", "tokens", "results"]] | None = None
    """Form of each name's pages, of weps benchmark."""
    comparisons: tuple[Comparison, ...] | None = None
    """Every two systems compared, by weps benchmark and weps evaluate --compare."""
