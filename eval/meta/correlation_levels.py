"""The correlation of measures with human scores by systems, by segments, and within either.

Amigó, Giménez, Gonzalo and Verdejo (ACL 2009), section 4, compare systems by their means, and
segments all together; Hirao et al. (2007), section 4.1, correlate system by system. Williams' test
compares the correlations of two measures.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from eval.meta.correlation import Coefficient, bootstrap_coefficients, row_coefficients
from eval.meta.judged import as_human_scored, as_table
from eval.stats.arrays import Floats, Ints, as_groups
from eval.stats.estimate import RESAMPLES, BootstrapSamples, bootstrap_weights, safe_divide
from weps._parallel import Progress, no_progress
from weps.errors import ValuesError

_WORK = "correlating"


class Level(StrEnum):
    """What is correlated."""

    SYSTEM = "system"
    """The systems' means over the topics that all of them have answered."""
    SEGMENT = "segment"
    """All instances together (per-summary in Hirao et al.)."""
    WITHIN_TOPIC = "within topic"
    """The instances of each topic; the mean over the topics that have a coefficient."""
    WITHIN_SYSTEM = "within system"
    """The instances of each system; the mean over systems (per-system in Hirao et al.)."""


class Sample(StrEnum):
    """What another study would have others of."""

    TOPICS = "topics"
    SYSTEMS = "systems"
    """As the paper warns, there are few, and other systems may swap the ranks of measures."""


@dataclass(frozen=True, slots=True, eq=False)
class _HumanScored:
    """What is correlated, and the weights of topics, or systems, in resamples."""

    rows: Floats
    """Shape (1 + measures, instances): people, then measures."""
    topic: Ints
    system: Ints
    unit: Ints
    """Shape (instances,): what is resampled, the topic or the system of each."""
    sample: Sample
    weights: Floats
    """Shape (1 + resamples, topics or systems)."""
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
    sample: Sample = Sample.TOPICS,
    resamples: int = RESAMPLES,
    seed: int = 0,
    progress: Progress = no_progress,
) -> BootstrapSamples:
    """The coefficients of measures with human scores; NaN where a measure or people are constant.

    A resample takes a topic, or system, with all its instances, as often as its weight says, and
    recomputes everything (means, ranks).

    Args:
        values: shape (measures, instances).
        human: shape (instances,).
        topic: shape (instances,), whole numbers from 0.
        system: shape (instances,), whole numbers from 0.
        level: what is correlated.
        kind: which coefficient.
        sample: what is resampled.
        resamples: how many.
        seed: for the resamples.
        progress: called with the number of rows of instances done.

    Raises:
        ValuesError: if values are missing, NaN, infinite, not numbers, or not equally many, or, at
            the level of systems, there is no topic that all systems have answered, or a system
            answers one twice.
    """
    measures, people = as_human_scored(values, human, finite=True)
    topics, systems = (
        np.unique(as_groups(each, len(people), name), return_inverse=True)[1]
        for each, name in ((topic, "topic"), (system, "system"))
    )
    unit = topics if sample is Sample.TOPICS else systems
    weights = np.asfortranarray(bootstrap_weights(int(unit.max()) + 1, resamples, seed))
    rows = np.vstack([people, measures])
    judged = _HumanScored(rows, topics, systems, unit, sample, weights, kind, progress)
    if level is Level.SYSTEM:
        found = _by_system(judged)
    elif level is Level.SEGMENT:
        found = _resampled(judged.rows, judged.unit, judged)
    elif level is Level.WITHIN_TOPIC:
        found = _within(judged, topics, sample is Sample.TOPICS)
    else:
        found = _within(judged, systems, sample is Sample.SYSTEMS)
    return BootstrapSamples(found[:, 0], found[:, 1:])


def _by_system(judged: _HumanScored) -> Floats:
    table = as_table(judged.rows, judged.topic, judged.system)
    shared = ~np.isnan(table[0]).any(axis=1)
    if not shared.any():
        what = "no topic was answered by all systems"
        raise ValuesError(what, where="system", remedy="leave out systems with few answers")
    if judged.sample is Sample.SYSTEMS:
        shares = np.full((1, shared.sum()), 1 / shared.sum())
        means = np.vstack([_means(shares, each[shared]) for each in table])
        return _resampled(means, np.arange(means.shape[1]), judged)
    weights = judged.weights[:, shared]
    shares = safe_divide(weights, weights.sum(axis=1, keepdims=True))  # NaN where all are 0
    people = _means(shares, table[0, shared])
    ours = (_means(shares, each[shared]) for each in judged.with_progress(table[1:]))
    return np.array([row_coefficients(each, people, judged.kind) for each in ours])


def _means(shares: Floats, table: Floats) -> Floats:
    """Shape (resamples, systems): means over topics, in units of the greatest value.

    They are rounded, so that equal means are equal whatever the order they are added in.
    """
    greatest = np.abs(table).max()
    return np.asarray((shares @ (table / (greatest if greatest else 1.0))).round(12))


def _within(judged: _HumanScored, part: Ints, resampled: bool) -> Floats:
    """The mean over the parts (topics or systems), which are resampled or what is in them is."""
    if resampled:
        return _mean_known(_part_coefficients(judged, part), judged.weights)
    parts, found = int(part.max()) + 1, []
    for each in range(parts):
        own = part == each
        found.append(_resampled(judged.rows[:, own], judged.unit[own], judged, each, parts))
    once = np.ones((1, len(found)))
    return np.array([_mean_known(each.T, once)[:, 0] for each in np.array(found).swapaxes(0, 1)])


def _resampled(
    rows: Floats, unit: Ints, judged: _HumanScored, part: int = 0, parts: int = 1
) -> Floats:
    """Shape (measures, 1 + resamples): coefficients over the instances of the rows."""
    found = [
        bootstrap_coefficients(each, rows[0], unit, judged.weights, judged.kind)
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


def _mean_known(values: Floats, weights: Floats) -> Floats:
    """Shape (rows, resamples): weighted means of the values, (rows, columns), that are not NaN."""
    known = ~np.isnan(values)
    total = known.astype(np.float64) @ weights.T
    sums = np.where(known, values, 0.0) @ weights.T
    return safe_divide(sums, total)


_EQUAL = 1e-12
"""Determinants up to this are 0: the measures are one and the same, up to their scale."""


def williams_test(first: ArrayLike, second: ArrayLike, between: ArrayLike, size: int) -> Floats:
    """One-sided p that the first correlation is the higher one by chance.

    t = (r₁ - r₂) √((n-1)(1+r₁₂)) / √(2K(n-1)/(n-3) + ((r₁+r₂)²/4)(1-r₁₂)³) with n-3 degrees of
    freedom, K = 1 - r₁² - r₂² - r₁₂² + 2 r₁ r₂ r₁₂ (Williams 1959; Steiger 1980, equation 7;
    for measures Graham and Baldwin 2014). It holds for Pearson's coefficient of normal values.

    Args:
        first: r₁, of one measure with people; any shape.
        second: r₂, of another measure with people.
        between: r₁₂, of the two measures.
        size: n, the instances.

    Returns:
        The same shape; ½ where nothing distinguishes the measures, NaN for fewer than four
        instances or where a coefficient is.
    """
    ours, theirs, both = (np.asarray(each, dtype=np.float64) for each in (first, second, between))
    if size < 4:
        return np.full(np.broadcast(ours, theirs, both).shape, np.nan)
    apart = 1 - ours**2 - theirs**2 - both**2 + 2 * ours * theirs * both
    spread = 2 * np.maximum(apart, 0) * (size - 1) / (size - 3)
    spread = spread + (ours + theirs) ** 2 / 4 * (1 - both) ** 3
    difference = (ours - theirs) * np.sqrt((size - 1) * (1 + both))
    known = np.where(spread > _EQUAL, spread, 1.0)
    certain = np.sign(difference) * np.where(np.abs(difference) > _EQUAL, np.inf, 0.0)
    score = np.where(spread > _EQUAL, difference / np.sqrt(known), certain)
    return np.asarray(stats.t.sf(score, size - 3))


def williams_against(values: ArrayLike, human: ArrayLike, best: int) -> Floats:
    """P that one measure correlates higher with people than each other by chance.

    Args:
        values: shape (measures, instances); at the level of systems the systems' means.
        human: shape (instances,).
        best: the measure.

    Returns:
        Shape (measures,), ½ for the measure itself; NaN where either is constant.

    Raises:
        ValuesError: if values are missing, NaN, infinite, not numbers, or not equally many.
    """
    measures, people = as_human_scored(values, human, finite=True)
    with_people, between = (
        row_coefficients(measures, other[None], Coefficient.PEARSON)
        for other in (people, measures[best])
    )
    between[best] = np.where(np.isnan(with_people[best]), np.nan, 1.0)
    return williams_test(with_people[best], with_people, between, len(people))
