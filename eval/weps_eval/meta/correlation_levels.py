"""The correlation of measures with human scores by systems, by segments, and within either.

Amigó, Giménez, Gonzalo and Verdejo (ACL 2009), section 4, compare systems by their means, and
segments all together; Hirao et al. (2007), section 4.1, correlate system by system. A permutation
test tells whether the best measure is ahead of the others by chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from weps._parallel import Progress, no_progress, partial_progress
from weps.errors import ValuesError
from weps_eval.meta.correlation import Coefficient, bootstrap_coefficients, row_coefficients
from weps_eval.meta.judged import as_human_scored, as_table
from weps_eval.stats.arrays import Flags, Floats, Ints, as_groups
from weps_eval.stats.estimate import RESAMPLES, BootstrapSamples, safe_divide, two_way_weights
from weps_eval.stats.significance import random_swaps, step_down_p_values

_WORK = "correlating"
_EQUAL = 1e-9
"""Variances, and spreads of leads, that are none but for rounding."""
_DIGITS = 9
"""Decimals of leads that count: equal leads, added up in another order, differ after them."""
_BLOCK = 1 << 22
"""Weights of instances in resamples that are in memory at a time: 32 MB."""


class Level(StrEnum):
    """Level at which measures are correlated with people."""

    SYSTEM = "system"
    """The systems' means over the topics that all of them have answered."""
    SEGMENT = "segment"
    """All instances together (per-summary in Hirao et al.)."""
    WITHIN_TOPIC = "within topic"
    """The instances of each topic; the mean over the topics that have a coefficient."""
    WITHIN_SYSTEM = "within system"
    """The instances of each system; the mean over systems (per-system in Hirao et al.)."""


class Sample(StrEnum):
    """Sample of which another study would have others."""

    TOPICS = "topics"
    SYSTEMS = "systems"
    """Systems, which are few: as the paper warns, others may swap the ranks of measures."""
    BOTH = "topics and systems"
    """Independently of each other."""


DRAWN = {
    Level.SYSTEM: Sample.BOTH,
    Level.SEGMENT: Sample.TOPICS,
    Level.WITHIN_TOPIC: Sample.TOPICS,
    Level.WITHIN_SYSTEM: Sample.BOTH,
}
"""Sample that is resampled by default: systems, too, where the figure is one of systems."""


@dataclass(frozen=True, slots=True, eq=False)
class _HumanScored:
    """Scores to correlate, and how often topics and systems are there in resamples."""

    rows: Floats
    """Shape (1 + measures, instances): people, then measures."""
    topic: Ints
    system: Ints
    sample: Sample
    topics: Floats
    """Shape (1 + resamples, topics); ones where topics are not resampled."""
    systems: Floats
    """Shape (1 + resamples, systems); ones where systems are not resampled."""
    kind: Coefficient
    progress: Progress

    def with_progress(self, rows: Floats, part: int = 0, parts: int = 1) -> Iterator[Floats]:
        """The rows, one after another, of one of several parts."""
        for number, row in enumerate(rows):
            self.progress(_WORK, part * len(rows) + number, parts * len(rows))
            yield row


def correlate_with_humans(  # noqa: PLR0913 - what is judged, what is correlated, and how it is resampled
    values: ArrayLike,
    human: ArrayLike,
    topic: ArrayLike,
    system: ArrayLike,
    *,
    level: Level = Level.SEGMENT,
    kind: Coefficient = Coefficient.PEARSON,
    sample: Sample | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
    progress: Progress = no_progress,
) -> BootstrapSamples:
    """The coefficients of measures with human scores; NaN where a measure or people are constant.

    A resample takes a topic, or system, with all its instances, as often as its weight says, and
    recomputes everything (means, ranks). Topics are drawn alike at all levels, and so are systems.

    Args:
        values: shape (measures, instances).
        human: shape (instances,).
        topic: shape (instances,), whole numbers from 0.
        system: shape (instances,), whole numbers from 0.
        level: what is correlated.
        kind: which coefficient.
        sample: what is resampled; by default as :data:`DRAWN` has it for the level.
        resamples: how many.
        seed: for the resamples.
        progress: called with the number of rows of instances done.

    Raises:
        ValuesError: if values are missing, NaN, infinite, not numbers, or not equally many, or, at
            the level of systems, there is no topic that all systems have answered, or a system
            answers one twice.
    """
    rows, topics, systems = _checked(values, human, topic, system)
    chosen = sample or DRAWN[level]
    sizes = int(topics.max()) + 1, int(systems.max()) + 1
    drawn = zip(Sample, two_way_weights(*sizes, resamples, seed), strict=False)
    times = (w if chosen in {Sample.BOTH, name} else np.ones_like(w) for name, w in drawn)
    by_topic, by_system = times
    judged = _HumanScored(rows, topics, systems, chosen, by_topic, by_system, kind, progress)
    if level is Level.SYSTEM:
        found = _by_system(judged)
    elif level is Level.SEGMENT:
        found = _over_all(judged)
    elif level is Level.WITHIN_TOPIC:
        inner = None if chosen is Sample.TOPICS else judged.systems
        found = _within(judged, topics, judged.topics, systems, inner)
    else:
        inner = None if chosen is Sample.SYSTEMS else judged.topics
        found = _within(judged, systems, judged.systems, topics, inner)
    return BootstrapSamples.from_rows(found)


def _checked(
    values: ArrayLike, human: ArrayLike, topic: ArrayLike, system: ArrayLike
) -> tuple[Floats, Ints, Ints]:
    """People and measures, shape (1 + measures, instances); topics and systems without gaps."""
    measures, people = as_human_scored(values, human, finite=True)
    topics, systems = (
        np.unique(as_groups(each, len(people), name), return_inverse=True)[1]
        for each, name in ((topic, "topic"), (system, "system"))
    )
    return np.vstack([people, measures]), topics, systems


def _by_system(judged: _HumanScored) -> Floats:
    table, shared = _shared_topics(judged.rows, judged.topic, judged.system)
    weights = judged.topics[:, shared]
    shares = safe_divide(weights, weights.sum(axis=1, keepdims=True))  # NaN where all are 0
    times = np.nan_to_num(judged.systems, nan=1.0).astype(np.int64)
    numbers = np.tile(np.arange(times.shape[1]), len(times))
    drawn = np.repeat(numbers, times.ravel()).reshape(times.shape)
    people, *ours = (
        np.take_along_axis(_means(shares, each), drawn, axis=1)
        for each in judged.with_progress(table)
    )
    return np.array([row_coefficients(each, people, judged.kind) for each in ours])


def _shared_topics(rows: Floats, topic: Ints, system: Ints) -> tuple[Floats, Flags]:
    """Shape (rows, topics, systems) of the topics that all have answered; which topics they are."""
    table = as_table(rows, topic, system)
    shared = ~np.isnan(table[0]).any(axis=1)
    if not shared.any():
        what = "no topic was answered by all systems"
        raise ValuesError(what, where="system", remedy="leave out systems with few answers")
    return table[:, shared], shared


def _means(shares: Floats, table: Floats) -> Floats:
    """Shape (resamples, systems): means over topics, in units of the greatest value.

    They are rounded, so that equal means are equal whatever the order they are added in.
    """
    greatest = np.abs(table).max()
    return np.asarray((shares @ (table / (greatest if greatest else 1.0))).round(12))


def _over_all(judged: _HumanScored) -> Floats:
    if judged.sample is Sample.TOPICS:
        return _resampled(judged.rows, judged.topic, judged.topics, judged)
    if judged.sample is Sample.SYSTEMS:
        return _resampled(judged.rows, judged.system, judged.systems, judged)
    alone = np.arange(judged.rows.shape[1])
    step = max(1, _BLOCK // len(alone))
    starts = range(0, len(judged.topics), step)
    found = []
    for part, rows in enumerate(slice(start, start + step) for start in starts):
        weights = judged.topics[rows, judged.topic] * judged.systems[rows, judged.system]
        found.append(_resampled(judged.rows, alone, weights, judged, part, len(starts)))
    return np.concatenate(found, axis=1)


def _within(
    judged: _HumanScored, part: Ints, outer: Floats, unit: Ints, inner: Floats | None
) -> Floats:
    """The mean over the parts (topics or systems), weighted by how often each is there.

    ``inner`` are the weights of the units (systems or topics) inside them; None for one of each.
    """
    if inner is None:
        found = _part_coefficients(judged, part)[:, None]
    else:
        parts = [np.flatnonzero(part == each) for each in range(outer.shape[1])]
        found = np.stack(
            [
                _resampled(judged.rows[:, own], unit[own], inner, judged, number, len(parts))
                for number, own in enumerate(parts)
            ],
            axis=-1,
        )
    known = ~np.isnan(found)
    sums, total = (
        np.einsum("mrp,rp->mr", each, outer) for each in (np.where(known, found, 0.0), 1.0 * known)
    )
    return safe_divide(sums, total)


def _resampled(  # noqa: PLR0913, PLR0917 - what is correlated, its weights, and which part it is
    rows: Floats, unit: Ints, weights: Floats, judged: _HumanScored, part: int = 0, parts: int = 1
) -> Floats:
    """Shape (measures, 1 + resamples): coefficients over the instances of the rows."""
    weights = np.asfortranarray(weights)
    found = [
        bootstrap_coefficients(each, rows[0], unit, weights, judged.kind)
        for each in judged.with_progress(rows[1:], part, parts)
    ]
    return np.array(found)


def _part_coefficients(judged: _HumanScored, part: Ints) -> Floats:
    """Shape (measures, parts): the coefficient of each part, all parts of one size at once."""
    rows, sizes = judged.rows, np.bincount(part)
    found = np.full((len(rows) - 1, len(sizes)), np.nan)
    order = np.argsort(part, kind="stable")
    for size in np.unique(sizes).tolist():
        chosen = sizes == size
        places = order[chosen[part[order]]]
        people = rows[0, places].reshape(-1, size)
        for measure, row in enumerate(judged.with_progress(rows[1:])):
            ours = row[places].reshape(-1, size)
            found[measure, chosen] = row_coefficients(ours, people, judged.kind)
    return found


def compare_with_best(  # noqa: PLR0913 - what is judged, what is compared, and how it is permuted
    values: ArrayLike,
    human: ArrayLike,
    topic: ArrayLike,
    system: ArrayLike,
    best: int,
    *,
    level: Level = Level.SEGMENT,
    permutations: int = RESAMPLES,
    seed: int = 0,
) -> Floats:
    """P that one measure, the best, correlates higher with people than each other by chance.

    Two measures that are equally good could have their values exchanged. What is exchanged at
    random are the standardised values of whole *units*, which are independent of one another:

    - by systems the means of a system, since other systems are what another study would have;
    - by segments, within topics and within systems all values of a topic, since the outputs of a
      topic depend on one another. It is a test for the available systems.

    Values are standardised over all instances, within topics or systems over those of each, and
    the coefficient is Pearson's over all of them. In a permutation the same units are exchanged
    for all pairs of measures; leads are divided by their standard deviations over permutations. As
    the best measure is chosen afterwards, its lead over another is compared with the greatest that
    any measure has over this one, and, as there are many others, with the greatest over those that
    are not farther behind: the step-down method of Westfall and Young (1993), which is Holm's with
    the dependence of the tests. The chance that any p is below .05 is .05 where all measures are
    equally good.

    Args:
        values: shape (measures, instances).
        human: shape (instances,).
        topic: shape (instances,), whole numbers from 0.
        system: shape (instances,), whole numbers from 0.
        best: the measure that has the highest coefficient.
        level: what is correlated.
        permutations: how many; all, if they are no more.
        seed: for the permutations.

    Returns:
        Shape (measures,), not below 1 / permutations; NaN for the best itself, and where a measure
        or people are constant.

    Raises:
        ValuesError: as for :func:`correlate_with_humans`.
    """
    rows, topics, systems = _checked(values, human, topic, system)
    unit, part = topics, np.zeros_like(topics)
    if level is Level.SYSTEM:
        table, _ = _shared_topics(rows, topics, systems)
        shares = np.full((1, table.shape[1]), 1 / table.shape[1])
        rows = np.concatenate([_means(shares, each) for each in table])
        unit, part = np.arange(rows.shape[1]), np.zeros(rows.shape[1], dtype=np.int64)
    elif level is not Level.SEGMENT:
        part = topics if level is Level.WITHIN_TOPIC else systems
    people, *scores = _standardised(rows, part)
    known = np.array([bool(each.any() and people.any()) for each in scores])
    found = np.full(len(scores), np.nan)
    if known[best]:
        measures = np.array(scores)[known]
        parts = (measures, measures**2, measures * people)
        sums = np.array([[np.bincount(unit, row) for row in each] for each in parts])
        swaps = random_swaps(int(unit.max()) + 1, permutations, seed)
        leads = _leads(sums, swaps, len(people), int(known[:best].sum()))
        found[known] = step_down_p_values(*leads)
        found[best] = np.nan
    return found


def _standardised(rows: Floats, part: Ints) -> Floats:
    """Mean 0 and variance 1 within each part, shape (rows, instances); 0 where it is constant."""
    found = np.zeros(rows.shape)
    order = np.argsort(part, kind="stable")
    for own in np.split(order, np.cumsum(np.bincount(part))[:-1]):
        varying = np.ptp(rows[:, own], axis=1) > 0
        values = rows[np.ix_(varying, own)]
        apart = values - values.mean(axis=1, keepdims=True)
        apart /= np.abs(apart).max(axis=1, keepdims=True)  # lest squares be too small or too large
        found[np.ix_(varying, own)] = apart / apart.std(axis=1, keepdims=True)
    return found


def _leads(sums: Floats, swaps: Flags, size: int, best: int) -> tuple[Floats, Floats]:
    """Lead of the best over each measure, (measures,), and what permutations have.

    That is the greatest lead of any measure, shape (measures, permutations). Sums of values, of
    their squares, and of their products with people's scores have shape (3, measures, units).
    """
    kept, swapped = sums @ ~swaps.T / size, sums @ swaps.T / size
    ahead, greatest = np.empty(sums.shape[1]), np.empty(kept.shape[1:])
    for rival in range(len(ahead)):
        own, other = kept[:, [rival]], swapped[:, [rival]]
        lead = _coefficients(kept + other) - _coefficients(own + swapped)
        spread = np.sqrt(np.einsum("mp,mp->m", lead, lead) / lead.shape[1])[:, None]
        lead /= np.where(spread > _EQUAL, spread, np.inf)  # of a measure that is the same
        ahead[rival], greatest[rival] = lead[best, 0], lead.max(axis=0)
    return ahead.round(_DIGITS), greatest.round(_DIGITS)


def _coefficients(means: Floats) -> Floats:
    """Pearson's with people, who are standardised; 0 where values are constant."""
    mean, square, product = means
    return np.asarray(product / np.sqrt(np.maximum(square - mean * mean, _EQUAL)))


Coefficients: TypeAlias = Mapping[tuple[Level, Coefficient], BootstrapSamples]
"""Level and coefficient → coefficients of all measures, where any is known."""


def correlate_levels(  # noqa: PLR0913, PLR0917 - what is judged, at which levels
    values: Floats,
    human: Floats,
    topic: Ints,
    system: Ints,
    levels: Sequence[Level],
    seed: int = 0,
    progress: Progress = no_progress,
) -> tuple[Coefficients, dict[Level, BootstrapSamples]]:
    """All coefficients at some levels; see :func:`correlate_with_humans`.

    Returns:
        Coefficients, resampled as :data:`DRAWN` has it; and, at the levels that are compared with
        one another, Pearson's, topics and systems resampled alike.
    """

    def correlate(level: Level, **more: Any) -> BootstrapSamples | None:
        try:
            samples = correlate_with_humans(
                values, human, topic, system, level=level, seed=seed, **more
            )
        except ValuesError:  # there is no topic that all systems have answered
            if level is not Level.SYSTEM:
                raise
            return None
        return None if np.isnan(samples.value).all() else samples

    wanted = [(level, kind) for level in levels for kind in Coefficient]
    found: dict[tuple[Level, Coefficient], BootstrapSamples] = {}
    for done, (level, kind) in enumerate(wanted):
        part = partial_progress(progress, _WORK, done, len(wanted))
        if samples := correlate(level, kind=kind, progress=part):
            found[level, kind] = samples
    jointly = {
        level: samples
        for (level, kind), samples in found.items()
        if kind is Coefficient.PEARSON and DRAWN[level] is Sample.BOTH
    }
    if Level.SEGMENT in levels and (segments := correlate(Level.SEGMENT, sample=Sample.BOTH)):
        jointly[Level.SEGMENT] = segments
    return found, jointly


_SPLITS = 200
_CELLS = 1 << 17
"""Values that are correlated at a time: 1 MB, which the cache holds."""
_FEWEST_SYSTEMS, _FEWEST_MEASURES = 6, 4
"""Systems and measures without which systems are not split into halves."""


def split_half_agreement(  # noqa: PLR0913, PLR0917 - what is judged, and how it is split
    values: Floats,
    human: Floats,
    topic: Ints,
    system: Ints,
    seed: int = 0,
    progress: Progress = no_progress,
) -> dict[Level, Floats] | None:
    """Spearman's coefficient, over measures, of what two halves of the systems say of measures.

    Systems are split at random, many times, and measures ranked by Pearson's coefficient in each
    half. Stands in for the comparison of two test beds in Amigó et al. (ACL 2009, section 4.2).

    Args:
        values: shape (measures, instances).
        human: shape (instances,).
        topic: shape (instances,), whole numbers from 0.
        system: shape (instances,), likewise.
        seed: of the splits.
        progress: called with what is done, how much of it, and how much there is.

    Returns:
        Coefficients of shape (splits,) by systems and by segments; None for under six systems or
        four measures.
    """
    size = int(system.max()) + 1
    if size < _FEWEST_SYSTEMS or len(values) < _FEWEST_MEASURES:
        return None
    table = as_table(np.vstack([human, values]), topic, system)
    shared = ~np.isnan(table[0]).any(axis=1)
    means = np.asarray(table[:, shared].mean(axis=1)) if shared.any() else table[:, 0]
    generator = np.random.default_rng(seed)
    found: dict[Level, list[float]] = {Level.SYSTEM: [], Level.SEGMENT: []}
    for done in range(_SPLITS):
        progress("splitting systems", done, _SPLITS)
        first = np.isin(np.arange(size), generator.permutation(size)[: size // 2])
        inside = first[system]
        systems = [_pearson(means[1:], means[0], part) for part in (first, ~first)]
        segments = [_pearson(values, human, part) for part in (inside, ~inside)]
        found[Level.SYSTEM].append(_rank_agreement(*systems))
        found[Level.SEGMENT].append(_rank_agreement(*segments))
    progress("splitting systems", _SPLITS, _SPLITS)
    return {level: np.array(coefficients) for level, coefficients in found.items()}


def _pearson(values: Floats, human: Floats, part: Flags) -> Floats:
    people, places = human[None, part], np.flatnonzero(part)
    step = max(1, _CELLS // len(places))
    blocks = (values[start : start + step, places] for start in range(0, len(values), step))
    return np.concatenate([row_coefficients(each, people, Coefficient.PEARSON) for each in blocks])


def _rank_agreement(first: Floats, second: Floats) -> float:
    both = ~np.isnan(first) & ~np.isnan(second)
    if not both.any():
        return float("nan")
    return float(row_coefficients(first[None, both], second[None, both], Coefficient.SPEARMAN)[0])
