"""The JSON of the studies of measures, ``weps meta``."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from weps._schema import JsonModel

NonEmpty = Annotated[str, Field(min_length=1)]
Share = Annotated[float, Field(ge=0, le=1)]
Count = Annotated[int, Field(ge=0)]


class Basis(JsonModel):
    """Cases that a verdict rests on."""

    groups: Count
    """What is independent."""
    cases: Count
    group: str
    """What groups are called, such as topics."""
    case: str
    """What cases are called, such as outputs."""


class Conclusion(JsonModel):
    """A claim of a paper, and what the data say of it."""

    claim: str
    source: str
    verdict: Literal[
        "holds",
        "does not hold",
        "undecided",
        "too few to say",
        "not studied",
        "cannot be tested here",
    ]
    n: Basis | None
    """Number of cases that the verdict rests on; null where nothing was judged."""
    figures: str


class Study(JsonModel):
    """What every study of measures writes."""

    signature: str
    """All that decides the figures, in one line."""
    made: str
    """The command."""
    source: str
    """Name of the data."""
    resampled: str
    """What intervals are bootstrapped over, where nothing else is said."""
    remarks: tuple[str, ...]
    conclusions: tuple[Conclusion, ...]


class Estimate(JsonModel):
    """A figure with its 95 % interval over groups; null for what is not known."""

    value: float | None
    low: float | None
    high: float | None


class PermutationTest(JsonModel):
    """The best measure compared with every other by permutations."""

    best: str
    p: dict[str, float | None]
    """That the best correlates higher by chance, corrected for its choice and for all
    comparisons."""


class BedAgreement(JsonModel):
    """How alike two test beds rank measures by Pearson's coefficient with people."""

    one: str
    other: str
    level: Literal["system", "segment"]
    agreement: Estimate
    """Spearman's coefficient; topics and systems of either drawn anew."""


class Criterion(JsonModel):
    """Agreement of measures with one criterion of people."""

    outputs: Annotated[int, Field(ge=1)]
    topics: Annotated[int, Field(ge=1)]
    systems: Annotated[int, Field(ge=1)]
    levels: dict[
        Literal["system", "segment", "within topic", "within system"],
        dict[Literal["pearson", "spearman", "kendall"], dict[str, Estimate]],
    ]
    """Coefficients; "resampled" has what was drawn anew."""
    resampled: dict[str, Literal["topics", "topics and systems"]]
    """By level, what intervals are bootstrapped over."""
    jointly: dict[str, dict[str, Estimate]]
    """Pearson's coefficient by level, topics and systems drawn anew together; conclusions are
    judged by it."""
    permutation_test: dict[
        Literal["system", "segment", "within topic", "within system"], PermutationTest
    ]
    """By level, the best measure against every other."""
    williams: dict[str, float | None] | None
    """P of Williams' test, by systems, that the best measure is ahead by chance, not corrected."""
    halves: dict[str, Estimate] | None
    """Spearman's coefficient between two halves of the systems, the middle 95 % of 200 splits."""
    beds: tuple[BedAgreement, ...]
    """Every two test beds, if there are several."""


class Correlation(Study, title="weps meta correlation"):
    """How measures agree with people."""

    criteria: Annotated[dict[str, Criterion], Field(min_length=1)]
    """Figures by criterion of people."""


class VariantMeasure(JsonModel):
    """Agreement of a measure with people by systems."""

    measure: str
    pearson: Estimate | None = None
    spearman: Estimate | None = None
    kendall: Estimate | None = None


class Lead(JsonModel):
    """How far measures are ahead of their variants, the mean difference of coefficients."""

    ahead: str
    """The measures."""
    behind: str
    """The variants."""
    pairs: Annotated[int, Field(ge=1)]
    """Pairs of measures that differ in nothing else."""
    williams: float | None
    """The highest p of Williams' test of any pair, by Pearson's coefficient."""
    pearson: Estimate | None = None
    spearman: Estimate | None = None
    kendall: Estimate | None = None


class VariantsCriterion(JsonModel):
    """Agreement with one criterion of people."""

    measures: tuple[VariantMeasure, ...]
    leads: tuple[Lead, ...]


class Variants(Study, title="weps meta kernels, weps meta grouge"):
    """Measures and their variants."""

    criteria: Annotated[dict[str, VariantsCriterion], Field(min_length=1)]
    """Figures by criterion of people."""


class System(JsonModel):
    """A system and its mean values."""

    system: str
    hbr: Share
    outputs: Annotated[int, Field(ge=1)]


class Person(JsonModel):
    """Agreement of rankings with one criterion of people."""

    auc: dict[str, Estimate]
    """Of measures, HBR and what stands beside it; ties ½."""
    auc_consistent: dict[str, Estimate]
    """Over groups in which no measure is below ½."""
    pwa: dict[str, Estimate] | None
    """Labelled instances only; a tie is no success."""
    worst_tenth: dict[str, Estimate]
    """Mean rank, 1 the best, over the 10 % of groups where it is lowest."""
    with_people: dict[str, Estimate]
    """Pearson's coefficient with people, mean over groups."""
    with_hbr: dict[str, Estimate]
    """The same with HBR."""
    topics: Count
    """Groups in which people rank."""
    consistent: Count
    predictive: Estimate
    """Correlation of the last two over single measures."""
    ahead_of_other_topics: Estimate
    """By how much HBR predicts quality better than people who judged another group."""


class Hbr(Study, title="weps meta hbr"):
    """Heterogeneity based ranking beside all measures."""

    equal: Count | None
    """Outputs left out because they equal a reference of their topic; null if the source does not
    tell."""
    equal_pairs: int | None
    """Pairs of equal outputs of a topic left out of heterogeneity; null if the source does not
    tell."""
    predicted: dict[str, Estimate]
    """Correlation of each measure with HBR, mean over groups; no human scores."""
    systems: tuple[System, ...]
    """From the highest mean HBR on."""
    people: dict[str, Person]
    """Figures by criterion of people."""


class HeterogeneityPerson(JsonModel):
    """Agreement of heterogeneity with one criterion of people."""

    reliability: float | None
    sensitivity: float | None
    gain: float | None


class Set(JsonModel):
    """A set, and what it holds."""

    measures: tuple[str, ...]
    heterogeneity: float | None
    people: dict[str, HeterogeneityPerson]
    """Figures by criterion of people."""


class Person2(JsonModel):
    """Person2."""

    reliability: dict[str, Estimate]
    """Of each measure alone."""
    sensitivity: dict[str, Estimate]
    """Of each measure alone."""
    additive: Estimate
    """Share of pairs of measures that are together at least as reliable as either."""
    heterogeneity_and_reliability: Estimate
    """Pearson's coefficient over the random sets."""
    heterogeneity_and_sensitivity: Estimate
    """Pearson's coefficient over the random sets."""
    gaining: Estimate
    """Share of random sets at least as reliable as score thresholds of equal sensitivity."""
    heterogeneity_and_gain: Estimate
    """Pearson's coefficient over the random sets."""
    increase: Estimate
    """Pearson's coefficient, over 100 parts of all comparisons, of the heterogeneity of what
    confirms and the share that people confirm."""


class Heterogeneity(Study, title="weps meta heterogeneity"):
    """How far measures differ, and how reliable sets of them are."""

    equal: Count | None
    """Outputs left out because they equal a reference of their topic; null if the source does not
    tell."""
    equal_pairs: int | None
    """Pairs of equal outputs of a topic left out of heterogeneity; null if the source does not
    tell."""
    heterogeneity: Estimate
    """Of all measures together."""
    sets: tuple[Set, ...]
    """Random sets."""
    people: dict[str, Person2]
    """Figures by criterion of people."""


class Improvement(JsonModel):
    """An improvement between systems."""

    official: bool
    """Whether people's improvements are as published."""
    test: Literal["signed-rank", "rank-sum"]
    level: Share
    systems: tuple[str, ...]
    real: tuple[Annotated[tuple[str, ...], Field(min_length=2, max_length=2)], ...]
    """Improvements by people: the better system, the worse."""
    sip: dict[str, Estimate]
    """Significant improvement precision, systems drawn anew."""
    sir: dict[str, Estimate]
    """Significant improvement recall, systems drawn anew."""


class Thresholds(JsonModel):
    """Thresholds of scores."""

    low: float
    not_low: float
    high: float
    not_high: float


class Extremes(JsonModel):
    """How far people agree with the lowest and the highest scores."""

    thresholds: Thresholds
    """On the scale of people."""
    low: dict[str, Estimate]
    """Share of low scores that people contradict."""
    high: dict[str, Estimate]
    """Share of high scores that people contradict."""


class Decrease(JsonModel):
    """The decrease of quality that measures do not see."""

    chosen: str
    measures: dict[str, Estimate]
    """Quality that could be lost unseen."""


class Oracle(JsonModel):
    """The quality of what each measure would select."""

    random: Estimate
    least: Estimate
    most: Estimate
    measures: dict[str, Estimate]
    """Quality of what measures score highest."""


class Improvements(Study, title="weps meta improvements"):
    """Which improvements of systems measures see, and whether their scores can be trusted."""

    criterion: str | None
    improvements: Improvement | None
    extremes: Extremes | None
    decrease: Decrease | None
    oracle: Oracle | None


class OrangePerson(JsonModel):
    """Agreement of a measure with one criterion of people."""

    systems: Estimate
    outputs: Estimate


class Measure(JsonModel):
    """A measure judged by how it ranks references."""

    orange: Estimate
    """The probability; higher is better."""
    average_rank: Estimate
    """Lower is better."""
    rank_of_list: Estimate
    """The same in relation to the length of the list."""
    king: Estimate | None
    people: dict[str, OrangePerson]
    """By criterion, Pearson's r of mean similarity with people."""


class Likeness(JsonModel):
    """How the measures order outputs by likeness to references."""

    likeness: str
    """By what."""
    criterion: str
    highest: float
    """The share of outputs."""
    acceptable: Estimate
    """Where the most human-like ones stand by acceptability."""
    human_like: Estimate
    """Where the most acceptable ones stand by likeness."""
    accepted: Estimate
    """How far the first implication reaches, 1 being all."""
    likened: Estimate
    """The same of the second."""
    gap: Estimate


class Stability(JsonModel):
    """How stable the ranks of measures are."""

    references: int
    orange: Estimate
    king: Estimate


class Orange(Study, title="weps meta orange"):
    """Measures judged by how they rank references among outputs."""

    topics: Annotated[tuple[str, ...], Field(min_length=1)]
    ties: Literal[0, 0.5, 1]
    """What a tie counts for ORANGE."""
    measures: Annotated[dict[str, Measure], Field(min_length=1)]
    """By name, the highest ORANGE first."""
    orange_with_king: Estimate | None
    """Kendall's τ over the measures."""
    likeness: tuple[Likeness, ...]
    """Likeness to people against acceptability to people; empty without human scores."""
    stability: tuple[Stability, ...]
    """Kendall's τ of measures ranked by some references with the same by all."""


class QarlaPerson(JsonModel):
    """Agreement of a set of measures with one criterion of people."""

    mean: Estimate
    queen: Estimate


class QarlaMeasure(JsonModel):
    """A measure judged by how it tells references from outputs."""

    king: Estimate
    early: Estimate
    """The estimate of 2004."""
    people_first: float | None
    """The share of references that rank first by mean similarity."""
    people_first_by_queen: float | None
    people: dict[str, QarlaPerson]
    """By criterion, Pearson's r of systems with people."""


class Person3(JsonModel):
    """Person3."""

    queen: Estimate
    king_with_people: Estimate


class Greedy(JsonModel):
    """Measures added one after another."""

    measures: tuple[str, ...]
    king: float


class OnOtherTopics(JsonModel):
    """The chosen set judged on topics that did not choose it."""

    several: Estimate
    single: Estimate
    gain: Estimate


class QarlaSet(JsonModel):
    """A set of measures."""

    tried: Annotated[int, Field(ge=1)]
    candidates: tuple[str, ...]
    best: tuple[str, ...]
    king: Estimate
    people_first: float | None
    people: dict[str, Person3]
    """By criterion: Pearson's r of QUEEN by the best set, and over sets, of KING with that of
    QUEEN."""
    greedy: tuple[Greedy, ...]
    on_other_topics: OnOtherTopics | None
    """KING of what other topics chose; null if there is one topic, or one measure."""


class Cluster(JsonModel):
    """Measures that agree with one another."""

    measures: tuple[str, ...]
    best: str
    """The one with the highest KING."""
    king: float


class Jack(JsonModel):
    """JACK, with what it rests on."""

    form: Literal["one-sided", "two-sided"]
    jack: Estimate
    by_peers: tuple[float, ...]
    """Of the first 1, 2, … outputs."""


class Qarla(Study, title="weps meta qarla"):
    """Measures, systems and test sets judged by QARLA."""

    topics: Annotated[tuple[str, ...], Field(min_length=1)]
    triples: Literal["distinct", "pairs", "all"]
    """Which triples of references QUEEN is over."""
    models: Literal["left-out", "all"]
    """Which references judge a reference and the outputs for KING: all but that reference, or
    all."""
    measures: Annotated[dict[str, QarlaMeasure], Field(min_length=1)]
    """By name, the highest KING first."""
    sets: QarlaSet
    """Measures together."""
    clusters: Annotated[tuple[Cluster, ...], Field(min_length=1)]
    systems: dict[str, Estimate]
    """QUEEN by the best set."""
    references: dict[str, Estimate]
    """QUEEN of each by the others."""
    jack: tuple[Jack, ...]
    """By form; empty if outputs were not compared with one another."""


class Learner(JsonModel):
    """A model that estimates human scores."""

    absolute: Estimate
    """Mean absolute error."""
    squared: Estimate
    """Mean squared error."""
    per_system_pearson: Estimate
    per_system_spearman: Estimate
    per_summary_pearson: Estimate
    per_summary_spearman: Estimate


class Variable(JsonModel):
    """A measure in voted regression."""

    weight: float
    effect: float
    """Of one standard deviation."""
    support: Share
    """Share of the models that have it."""


class VotedRegression(JsonModel):
    """The voted regression model."""

    intercept: float
    models: Count
    """That have a vote."""
    variables: dict[str, Variable]


class Relative(JsonModel):
    """Precision of measures relative to the best."""

    gap: Estimate
    precision: Estimate
    plain: Estimate
    """Precision of the measure itself."""


class KazawaEquation1(JsonModel):
    """Kazawa equation1."""

    gap: Estimate
    precision: Estimate
    best_same_pairs: Estimate


class WeightedMean(JsonModel):
    """Outputs told apart by a weighted mean of measures."""

    gap: tuple[Estimate, ...]
    """One for each threshold."""
    coverage: tuple[float | None, ...]
    precision: tuple[Estimate, ...]
    """One for each threshold."""
    best_same_pairs: tuple[Estimate, ...]
    """One for each threshold."""


class Pools(JsonModel):
    """Pairs of outputs by how many measures agree on them."""

    thresholds: tuple[float, ...]
    best: str
    """The single measure that ranks most pairs as people do."""
    best_precision: Estimate
    kazawa_equation_1: Annotated[dict[str, KazawaEquation1], Field(min_length=1)]
    """Kazawa's equation 1, with weights and an offset learned from other folds, by similarity."""
    weighted_mean: Annotated[dict[str, WeightedMean], Field(min_length=1)]
    """Means weighted by similarity, by similarity."""


class Regression(Study, title="weps meta regression"):
    """Scores of people estimated from measures, from similar outputs and from other systems."""

    criterion: str
    learners: Annotated[dict[str, Learner], Field(min_length=1)]
    """By learner; VRM, and measures alone."""
    vrm: VotedRegression
    """The voted regression model of all scores."""
    relative: dict[str, Relative] | None
    """Yasuda's regression, by measure."""
    pools: Pools | None
    """Scores from similar outputs; null without texts."""
