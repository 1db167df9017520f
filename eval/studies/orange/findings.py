"""ORANGE next to KING on the texts of a testbed, and likeness next to acceptability."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

import numpy as np

from eval.meta.correlation import Coefficient, row_coefficients
from eval.meta.correlation_levels import Level, correlate_with_humans
from eval.meta.judged import Similarities
from eval.meta.orange import LeftOut, Listing, average_rank, left_out, likeness_implications, orange
from eval.meta.qarla import Conditions, Triples, king_by_measure
from eval.stats.arrays import Flags, Floats, Ints
from eval.stats.estimate import BootstrapSamples, Estimate, bootstrap_means, bootstrap_weights
from eval.studies.pairwise import PairwiseInput
from eval.studies.qarla import findings as qarla
from eval.studies.qarla.findings import plain_values, queen_values
from weps.errors import ValuesError

__all__ = [
    "SHARES",
    "AcceptanceCurve",
    "Findings",
    "HumanAgreement",
    "Settings",
    "Stability",
    "acceptance_curve",
    "human_agreements",
    "passing_for_references",
    "stability",
]

Shares: TypeAlias = Callable[[Sequence[Similarities]], Floats]

SHARES = (0.1, 0.25, 0.5)
"""Of the outputs, those that are the highest."""
_RESAMPLES = 300
_MIDDLE, _LEAST = 0.5, 1e-9
_FEWEST = 3
"""Fewer systems always lie on a line."""
_DRAWS = 3
"""Times that references are drawn."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What changes the figures besides the texts and the measures."""

    listing: Listing = Listing.TOGETHER
    """In which list a reference is ranked."""
    ties: float = 0
    """What a tie counts for ORANGE."""
    qarla: qarla.QarlaSettings = field(default_factory=qarla.QarlaSettings)
    """For KING and QUEEN."""

    @property
    def seed(self) -> int:
        """For the resamples of topics."""
        return self.qarla.seed


@dataclass(frozen=True)
class Findings:
    """What was found for the topics."""

    compared: PairwiseInput
    settings: Settings = field(default_factory=Settings)

    @cached_property
    def left(self) -> list[LeftOut]:
        """What measures say when each reference in turn is left out."""
        return [left_out(each) for each in self.compared.similarities]

    @cached_property
    def orange(self) -> BootstrapSamples:
        """The probability of 2006, of each measure; higher is better."""
        return bootstrap_means(orange(self.left, self.settings.ties), seed=self.settings.seed)

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
        fewest = self.settings.qarla.triples.fewest + 1
        if any(len(each.references) < fewest for each in self.compared.topics):
            return None
        return qarla.Findings(self.compared, self.settings.qarla)

    @cached_property
    def with_king(self) -> Estimate | None:
        """Kendall's τ of ORANGE and KING over the measures."""
        size = len(self.compared.measures)
        if self.qarla is None or size < 3:
            return None
        kings, oranges = (
            np.column_stack([each.value, each.samples])[:size].T
            for each in (self.qarla.kings, self.orange)
        )
        found = row_coefficients(kings, oranges, Coefficient.KENDALL)
        return Estimate.from_samples(float(found[0]), found[1:])

    @cached_property
    def human_agreements(self) -> tuple[HumanAgreement, ...]:
        """How measures agree with people, by criterion."""
        return human_agreements(self.compared, self.settings.seed)

    @cached_property
    def likenesses(self) -> dict[str, Floats]:
        """By way to say it, how like what people write every output is."""
        name = self.compared.measures[self.order[0]]
        found = {f"not behind references, {name}": passing_for_references(self.left, self.order[0])}
        if self.qarla:
            queens = queen_values(self.qarla.conditions, [self.qarla.best])[0]
            found[f"QUEEN, {self.qarla.describe_set(self.qarla.best)}"] = queens
        return found

    @cached_property
    def acceptance_curves(self) -> dict[str, tuple[AcceptanceCurve, ...]]:
        """Way to say likeness → by criterion, likeness against acceptability."""
        instances = self.compared.instances
        judged = [
            (name, human)
            for number, (name, human) in enumerate(
                zip(self.compared.criteria, instances.human, strict=True)
            )
            if instances.judged_singly(number)
        ]
        return {
            way: tuple(
                acceptance_curve(name, likeness, human, instances.topic, self.settings.seed)
                for name, human in judged
            )
            for way, likeness in self.likenesses.items()
        }

    def system_means(self, way: str, criterion: int) -> dict[str, tuple[float, float]]:
        """System → means of likeness, said that way, and of human scores, over judged outputs."""
        instances, systems = self.compared.instances, self.compared.systems
        human = instances.human[criterion]
        held = ~np.isnan(human)
        times = np.bincount(instances.system[held], minlength=len(systems))
        likeness, accepted = (
            np.bincount(instances.system[held], values[held], minlength=len(systems))
            for values in (self.likenesses[way], human)
        )
        return {
            systems[each]: (
                float(likeness[each] / times[each]),
                float(accepted[each] / times[each]),
            )
            for each in np.flatnonzero(times)
        }

    @cached_property
    def stability(self) -> Stability | None:
        """How many references ORANGE and KING need."""
        triples = self.settings.qarla.triples
        return stability(self.compared.similarities, triples, self.settings.seed)

    @property
    def order(self) -> list[int]:
        """The measures, the one with the highest ORANGE first."""
        return [int(each) for each in np.argsort(-self.orange.value.round(12), kind="stable")]


@dataclass(frozen=True, slots=True, eq=False)
class HumanAgreement:
    """Pearson's r of each measure's mean similarity to references with what people say."""

    criterion: str
    systems: BootstrapSamples
    outputs: BootstrapSamples
    """NaN where people judged systems, and not single outputs."""

    def lost(self, measure: int) -> Estimate:
        """How much higher r is by systems than by outputs."""
        value = float(self.systems.value[measure] - self.outputs.value[measure])
        return Estimate.from_samples(
            value, self.systems.samples[measure] - self.outputs.samples[measure]
        )


def human_agreements(compared: PairwiseInput, seed: int = 0) -> tuple[HumanAgreement, ...]:
    """By every criterion by which three systems were judged on a common topic.

    Args:
        compared: with human scores.
        seed: for the resamples of topics.
    """
    values = plain_values(compared)
    found = (
        _human_agreement(compared, values, criterion, seed)
        for criterion in range(len(compared.criteria))
    )
    return tuple(each for each in found if each)


def _human_agreement(
    compared: PairwiseInput, values: Floats, criterion: int, seed: int
) -> HumanAgreement | None:
    instances = compared.instances
    human = instances.human[criterion]
    rows = np.flatnonzero(~np.isnan(human))
    if len(np.unique(instances.system[rows])) < _FEWEST:
        return None
    told = human[rows], instances.topic[rows], instances.system[rows]
    finite = np.asarray(np.isfinite(values).all(axis=1))
    try:
        by_level = [
            _spread(
                correlate_with_humans(values[finite][:, rows], *told, level=level, seed=seed),
                finite,
            )
            for level in (Level.SYSTEM, Level.SEGMENT)
        ]
    except ValuesError:  # no topic that all systems have answered
        return None
    by_system, by_output = by_level
    if not instances.judged_singly(criterion):
        nothing = np.full_like(by_output.samples, np.nan)
        by_output = BootstrapSamples(nothing[:, 0], nothing)
    return HumanAgreement(compared.criteria[criterion], by_system, by_output)


def _spread(drawn: BootstrapSamples, finite: Flags) -> BootstrapSamples:
    """The figures of finite measures among those of all; the others have none."""
    every = np.full((len(finite), 1 + drawn.samples.shape[1]), np.nan)
    every[finite] = np.column_stack([drawn.value, drawn.samples])
    return BootstrapSamples(every[:, 0], every[:, 1:])


@dataclass(frozen=True, slots=True, eq=False)
class AcceptanceCurve:
    """Where the most human-like outputs stand by acceptability, and the reverse; .5 is nothing.

    Of tied values none stands as high as it could. How far an implication reaches is therefore told
    as the part of the way from .5 to where the same share of outputs would stand if they had been
    picked by the second criterion itself: 0 is nothing, 1 is all.
    """

    criterion: str
    acceptable: BootstrapSamples
    """By share, of the most human-like ones."""
    human_like: BootstrapSamples
    """By share, of the most acceptable ones."""
    accepted: BootstrapSamples
    """By share, how far likeness implies acceptability."""
    likened: BootstrapSamples
    """By share, how far acceptability implies likeness."""

    def gap(self, share: int) -> Estimate:
        """How much farther the first implication reaches than the second."""
        value = float(self.accepted.value[share] - self.likened.value[share])
        return Estimate.from_samples(
            value, self.accepted.samples[share] - self.likened.samples[share]
        )


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

    Args:
        criterion: by which people judged.
        likeness: shape (instances,).
        human: shape (instances,), NaN where nobody judged; somebody judged.
        topic: shape (instances,), the number of each one's topic.
        seed: for the resamples.
    """
    rows = np.flatnonzero(~np.isnan(human))
    members = [rows[topic[rows] == each] for each in np.unique(topic[rows])]
    every = np.stack(
        [_standing(likeness, human, rows), *_resampled(likeness, human, members, seed)], axis=-1
    )
    return AcceptanceCurve(
        criterion, *(BootstrapSamples(part[:, 0], part[:, 1:]) for part in every)
    )


def _resampled(likeness: Floats, human: Floats, members: Sequence[Ints], seed: int) -> list[Floats]:
    if len(members) < 2:
        return [np.full((4, len(SHARES)), np.nan)]
    times = bootstrap_weights(len(members), _RESAMPLES, seed)[1:].astype(np.int64)
    return [
        _standing(
            likeness,
            human,
            np.concatenate([members[each] for each in np.repeat(range(len(row)), row)]),
        )
        for row in times
    ]


def _standing(likeness: Floats, human: Floats, rows: Ints) -> Floats:
    """Shape (4, shares): both standings, and how far each implication reaches."""
    found = np.array(
        [each[1:] for each in likeness_implications(likeness[rows], human[rows], SHARES)]
    )
    most = [
        [each.acceptable for each in likeness_implications(same[rows], same[rows], SHARES)]
        for same in (human, likeness)
    ]
    return np.concatenate([found.T, _reached(found.T, np.array(most))])


def _reached(standing: Floats, most: Floats) -> Floats:
    """The part of the way from the middle; NaN if there is no way to go."""
    way = most - _MIDDLE
    part = np.full(way.shape, np.nan)
    np.divide(standing - _MIDDLE, way, out=part, where=way > _LEAST)
    return part


@dataclass(frozen=True, slots=True, eq=False)
class Stability:
    """Kendall's τ of measures ranked by some references with the same by all of them."""

    references: tuple[int, ...]
    """How many."""
    orange: Floats
    """Shape (sizes, 1 + resamples): the figures, and those of topics drawn anew."""
    king: Floats

    def estimates(self, values: Floats) -> list[Estimate]:
        """By number of references."""
        return [Estimate.from_samples(float(row[0]), row[1:]) for row in values]

    def ahead(self, size: int) -> Estimate:
        """How far ORANGE is ahead of KING with that many references."""
        row = self.references.index(size)
        gap = self.orange[row] - self.king[row]
        return Estimate.from_samples(float(gap[0]), gap[1:])


def stability(topics: Sequence[Similarities], triples: Triples, seed: int = 0) -> Stability | None:
    """Both, for every number of references from the fewest that KING needs.

    References are drawn for each topic anew, three times, and τ is the mean.

    Args:
        topics: all with equally many references, else there is nothing to be said (None).
        triples: of KING.
        seed: for drawing references, and for the resamples of topics.
    """
    sizes = {each.models.shape[1] for each in topics}
    fewest, most = triples.fewest + 1, max(sizes)
    if len(sizes) > 1 or fewest >= most or len(topics[0].models) < 3:
        return None
    asked = tuple(range(fewest, most))
    ways: tuple[Shares, Shares] = (
        _oranges,
        lambda some: king_by_measure(Conditions.of(some, triples)),
    )
    found = [_by_size(topics, asked, shares, seed) for shares in ways]
    return Stability(asked, *found)


def _by_size(
    topics: Sequence[Similarities], sizes: Sequence[int], shares: Shares, seed: int
) -> Floats:
    """Shape (sizes, 1 + resamples)."""
    generator = np.random.default_rng(seed)  # the same references for all ways
    whole = _rows(shares(topics), seed)
    return np.stack(
        [
            np.mean(
                [
                    row_coefficients(
                        _rows(shares([_some(each, size, generator) for each in topics]), seed),
                        whole,
                        Coefficient.KENDALL,
                    )
                    for _ in range(_DRAWS)
                ],
                axis=0,
            )
            for size in sizes
        ]
    )


def _rows(values: Floats, seed: int) -> Floats:
    """Shape (1 + resamples, measures): the means over topics, and over topics drawn anew."""
    drawn = bootstrap_means(values, seed=seed)
    return np.column_stack([drawn.value, drawn.samples]).T


def _some(topic: Similarities, size: int, generator: np.random.Generator) -> Similarities:
    kept = np.sort(generator.choice(topic.models.shape[1], size, replace=False))
    return Similarities(topic.peers[:, :, kept], topic.models[:, kept][:, :, kept])


def _oranges(topics: Sequence[Similarities]) -> Floats:
    return orange([left_out(each) for each in topics])
