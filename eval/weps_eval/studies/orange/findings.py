"""ORANGE next to KING on the texts of a testbed, and likeness next to acceptability."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np

from weps_eval.meta.correlation import Coefficient, row_coefficients
from weps_eval.meta.correlation_levels import Level
from weps_eval.meta.judged import Similarities
from weps_eval.meta.orange import (
    LeftOut,
    Listing,
    average_rank,
    left_out,
    likeness_implications,
    orange_scores,
)
from weps_eval.meta.qarla import Conditions, Triples, king_by_measure
from weps_eval.stats.arrays import Floats, Ints
from weps_eval.stats.estimate import BootstrapSamples, Estimate, bootstrap_means, bootstrap_weights
from weps_eval.studies.pairwise import PairwiseInput
from weps_eval.studies.qarla import findings as qarla
from weps_eval.studies.several import correlation_over_measures, joint_estimate, select_measures

SHARES = (0.1, 0.25, 0.5)
"""Of the outputs, those that are the highest."""
_RESAMPLES = 300
_MIDDLE, _LEAST = 0.5, 1e-9
_FEWEST = 3
"""Measures that can be correlated."""
_DRAWS = 3
"""Times that references are drawn."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What changes the figures besides the texts and the measures."""

    listing: Listing = Listing.TOGETHER
    """In which list a reference is ranked."""
    ties: float = 0
    """What a tie counts for ORANGE."""
    triples: Triples = Triples.DISTINCT
    """For KING and QUEEN."""
    seed: int = 0


@dataclass(frozen=True)
class Findings:
    """What was found for the topics."""

    compared: PairwiseInput
    settings: Settings = field(default_factory=Settings)

    @cached_property
    def left(self) -> list[LeftOut]:
        """Values of the measures where each reference in turn is left out."""
        return [left_out(each) for each in self.compared.similarities]

    @cached_property
    def orange(self) -> BootstrapSamples:
        """The probability of 2006, of each measure; higher is better."""
        return bootstrap_means(
            orange_scores(self.left, self.settings.ties), seed=self.settings.seed
        )

    @cached_property
    def ranks(self) -> BootstrapSamples:
        """The average rank of 2004; lower is better."""
        found = average_rank(self.left, self.settings.listing)
        return bootstrap_means(found.rank, seed=self.settings.seed)

    @cached_property
    def ratios(self) -> BootstrapSamples:
        """The same in relation to the length of the list."""
        found = average_rank(self.left, self.settings.listing)
        return bootstrap_means(found.ratio, seed=self.settings.seed)

    @cached_property
    def qarla(self) -> qarla.Findings | None:
        """KING and QUEEN, if all topics have references enough."""
        triples, seed = self.settings.triples, self.settings.seed
        if any(len(each.references) <= triples.fewest for each in self.compared.topics):
            return None
        return qarla.Findings(self.compared, qarla.QarlaSettings(triples, seed=seed))

    @cached_property
    def with_king(self) -> Estimate | None:
        """Kendall's τ of ORANGE and KING over the measures."""
        size = len(self.compared.measures)
        if self.qarla is None or size < _FEWEST:
            return None
        kendall = partial(correlation_over_measures, kind=Coefficient.KENDALL)
        return joint_estimate(kendall, select_measures(self.qarla.kings, range(size)), self.orange)

    @cached_property
    def human_agreements(self) -> tuple[HumanAgreement, ...]:
        """How measures agree with people, by criterion."""
        return human_agreements(self.compared, self.settings.seed)

    @cached_property
    def likenesses(self) -> dict[str, Floats]:
        """Definition of likeness to what people write → shape (instances,)."""
        name = self.compared.measures[self.order[0]]
        found = {f"not behind references, {name}": passing_for_references(self.left, self.order[0])}
        if self.qarla:
            (queens,) = qarla.queen_values(self.qarla.conditions, [self.qarla.best])
            found[f"QUEEN, {self.qarla.describe_set(self.qarla.best)}"] = queens
        return found

    @cached_property
    def acceptance_curves(self) -> dict[str, tuple[AcceptanceCurve, ...]]:
        """Definition of likeness → by criterion, likeness against acceptability."""
        instances, seed = self.compared.instances, self.settings.seed
        judged = [
            (name, human)
            for number, (name, human) in enumerate(
                zip(self.compared.criteria, instances.human, strict=True)
            )
            if instances.judged_singly(number)
        ]
        return {
            way: tuple(
                acceptance_curve(name, likeness, human, instances.topic, seed)
                for name, human in judged
            )
            for way, likeness in self.likenesses.items()
        }

    def system_means(self, way: str, criterion: int) -> dict[str, tuple[float, float]]:
        """System → means of one definition of likeness, and of human scores, of judged outputs."""
        instances, likeness = self.compared.instances, self.likenesses[way]
        human = instances.human[criterion]
        judged = {
            name: ~np.isnan(human) & (instances.system == number)
            for number, name in enumerate(self.compared.systems)
        }
        return {
            name: (float(likeness[rows].mean()), float(human[rows].mean()))
            for name, rows in judged.items()
            if rows.any()
        }

    @cached_property
    def stability(self) -> Stability | None:
        """How many references ORANGE and KING need."""
        topics, settings = self.compared.similarities, self.settings
        return stability_by_size(topics, settings.triples, settings.seed)

    @property
    def order(self) -> list[int]:
        """The measures, the one with the highest ORANGE first."""
        return [int(each) for each in np.argsort(-self.orange.value.round(12), kind="stable")]


@dataclass(frozen=True, slots=True, eq=False)
class HumanAgreement:
    """Pearson's r of each measure's mean similarity to references with people's scores.

    Topics and systems are resampled, alike for both.
    """

    criterion: str
    systems: BootstrapSamples
    outputs: BootstrapSamples
    """NaN where people judged systems, and not single outputs."""

    def lost(self, measure: int) -> Estimate:
        """How much higher r is by systems than by outputs."""
        return self.outputs.difference(measure, measure, self.systems)


def human_agreements(compared: PairwiseInput, seed: int = 0) -> tuple[HumanAgreement, ...]:
    """By every criterion by which three systems were judged on a common topic."""
    values, found = qarla.plain_values(compared), []
    for number, name in enumerate(compared.criteria):
        systems = qarla.correlate_criterion(compared, values, number, seed=seed)
        if systems is None:
            continue
        outputs = None
        if compared.instances.judged_singly(number):
            outputs = qarla.correlate_criterion(compared, values, number, Level.SEGMENT, seed=seed)
        unknown = BootstrapSamples.from_rows(np.full_like(systems.rows, np.nan))
        found.append(HumanAgreement(name, systems, outputs or unknown))
    return tuple(found)


@dataclass(frozen=True, slots=True, eq=False)
class AcceptanceCurve:
    """Where the most human-like outputs stand by acceptability, and the reverse; .5 is nothing.

    Of tied values none stands as high as it could. The reach of an implication is therefore the
    part of the way from .5 to where the same share of outputs would stand if they had been selected
    by the second criterion itself: 0 is nothing, 1 is all. Each figure has a row for each share.
    """

    criterion: str
    acceptable: BootstrapSamples
    """Of the most human-like ones."""
    human_like: BootstrapSamples
    """Of the most acceptable ones."""
    accepted: BootstrapSamples
    """How far likeness implies acceptability."""
    likened: BootstrapSamples
    """How far acceptability implies likeness."""

    def gap(self, share: int) -> Estimate:
        """How much farther the first implication reaches than the second."""
        return self.likened.difference(share, share, self.accepted)


def passing_for_references(left: Sequence[LeftOut], measure: int) -> Floats:
    """Shape (instances,): of the references, those that an output is not behind, by one measure.

    Both are judged by all references but the one. The mean over the outputs of a topic is 1 minus
    ORANGE, so this is the likeness of a text that ORANGE is about.
    """
    return np.concatenate(
        [(each.peers[measure] >= each.models[measure][:, None]).mean(axis=0) for each in left]
    )


def acceptance_curve(
    criterion: str, likeness: Floats, human: Floats, topic: Ints, seed: int = 0
) -> AcceptanceCurve:
    """Likeness against acceptability by one criterion, with intervals over topics.

    All arrays have shape (instances,); ``human`` is NaN where not judged, but not everywhere.
    """
    rows = np.flatnonzero(~np.isnan(human))
    members = [rows[topic[rows] == each] for each in np.unique(topic[rows])]
    resamples = [np.full((4, len(SHARES)), np.nan)]
    if len(members) > 1:
        times = bootstrap_weights(len(members), _RESAMPLES, seed)[1:].astype(np.int64)
        drawn = (np.repeat(range(len(row)), row) for row in times)
        resamples = [
            _standings(likeness, human, np.concatenate([members[each] for each in some]))
            for some in drawn
        ]
    figures = np.stack([_standings(likeness, human, rows), *resamples], axis=-1)
    return AcceptanceCurve(criterion, *map(BootstrapSamples.from_rows, figures))


def _standings(likeness: Floats, human: Floats, rows: Ints) -> Floats:
    """Shape (4, shares): both standings, and how far each implication reaches.

    It is NaN where there is no way to go from the middle.
    """
    like, accepted = likeness[rows], human[rows]
    found = np.array([each[1:] for each in likeness_implications(like, accepted, SHARES)]).T
    most = [
        [each.acceptable for each in likeness_implications(same, same, SHARES)]
        for same in (accepted, like)
    ]
    way = np.array(most) - _MIDDLE
    reach = np.full(way.shape, np.nan)
    np.divide(found - _MIDDLE, way, out=reach, where=way > _LEAST)
    return np.concatenate([found, reach])


@dataclass(frozen=True, slots=True, eq=False)
class Stability:
    """Kendall's τ of measures ranked by some references with the same by all of them."""

    references: tuple[int, ...]
    """How many, by row of the figures."""
    orange: BootstrapSamples
    king: BootstrapSamples

    def ahead(self, row: int) -> Estimate:
        """How far ORANGE is ahead of KING with that many references."""
        return self.king.difference(row, row, self.orange)


def stability_by_size(
    topics: Sequence[Similarities], triples: Triples, seed: int = 0
) -> Stability | None:
    """Both, for every number of references from the fewest that KING needs.

    References are drawn for each topic separately, three times, and τ is the mean. None if topics
    do not have equally many references, or there are fewer than three measures.
    """
    sizes = {each.models.shape[1] for each in topics}
    fewest, most = triples.fewest + 1, max(sizes)
    if len(sizes) > 1 or fewest >= most or len(topics[0].models) < _FEWEST:
        return None
    scores: tuple[Callable[[Sequence[Similarities]], Floats], ...] = (
        lambda some: orange_scores([left_out(each) for each in some]),
        lambda some: king_by_measure(Conditions.of(some, triples)),
    )
    numbers = tuple(range(fewest, most))
    return Stability(numbers, *(_rank_by_some(topics, numbers, each, seed) for each in scores))


def _rank_by_some(
    topics: Sequence[Similarities],
    sizes: Sequence[int],
    score: Callable[[Sequence[Similarities]], Floats],
    seed: int,
) -> BootstrapSamples:
    """Kendall's τ by number of references; ``score``: topics → shape (measures, topics)."""
    generator = np.random.default_rng(seed)  # the same references for all scores

    def means(some: Sequence[Similarities]) -> Floats:
        return bootstrap_means(score(some), seed=seed).rows.T

    def subsample(topic: Similarities, size: int) -> Similarities:
        kept = np.sort(generator.choice(topic.models.shape[1], size, replace=False))
        return Similarities(topic.peers[:, :, kept], topic.models[:, kept][:, :, kept])

    whole, rows = means(topics), []
    for size in sizes:
        drawn = (means([subsample(each, size) for each in topics]) for _ in range(_DRAWS))
        taus = [row_coefficients(each, whole, Coefficient.KENDALL) for each in drawn]
        rows.append(np.mean(taus, axis=0))
    return BootstrapSamples.from_rows(rows)
