"""Correlation of measures with human scores: Pearson's, Spearman's and Kendall's coefficients.

Amigó, Giménez, Gonzalo and Verdejo (ACL 2009), section 4, compare systems by their means, and
segments all together; Hirao et al. (2007), section 4.1, correlate system by system. A permutation
test tells whether the best measure is ahead of the others by chance.

Topics, and systems, are resampled: one that is drawn twice has all its instances twice. What is
computed once, a resample only weighs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import product
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.stats import rankdata
from scipy.stats import t as student_t

from weps._parallel import Progress, log_progress, report_work
from weps.errors import ValuesError
from weps_eval.ranking.pwa import redundancy_counts
from weps_eval.stats import (
    FEWEST_SYSTEMS,
    RESAMPLES,
    BootstrapSamples,
    Flags,
    Floats,
    Ints,
    as_table,
    dense_ranks,
    exchanges,
    safe_divide,
    two_way_weights,
)

_CELLS = 1 << 18
"""Values that are worked on at a time: 2 MB, which the cache holds."""
_FEW = 1024
"""Instances whose pairs can be laid out in full; more are counted by sorting."""
_NOTHING = 1e-12
"""Share of a variance that is none, but for rounding."""


class Coefficient(StrEnum):
    """How alike two columns of scores are, from -1 to 1."""

    PEARSON = "pearson"
    """Pearson's r, of the values."""
    SPEARMAN = "spearman"
    """Pearson's of the ranks, ties ranked midway (ρ)."""
    KENDALL = "kendall"
    """Pairs ranked alike less pairs ranked opposite, over the geometric mean of the pairs that
    either ranks (τ-b)."""


def row_coefficients(first: Floats, second: Floats, kind: Coefficient) -> Floats:
    """The coefficient of every row of one table with the same row of another.

    Args:
        first: shape (rows, instances), finite for Pearson's.
        second: the same shape, or (1, instances) for one row with which each is compared.
        kind: which coefficient.

    Returns:
        Shape (rows,); NaN where a row is constant, as one instance always is.
    """
    size = first.shape[1]
    step = max(1, _CELLS // (size**2 if kind is Coefficient.KENDALL else size))
    if len(first) > step:
        blocks = (slice(start, start + step) for start in range(0, len(first), step))
        one = len(second) == 1
        return np.concatenate(
            [row_coefficients(first[at], second if one else second[at], kind) for at in blocks]
        )
    if kind is Coefficient.KENDALL:
        ours_up, theirs_up = _rises(first), _rises(second)
        sums: list[NDArray[Any]] = [ours_up * theirs_up, np.abs(ours_up), np.abs(theirs_up)]
    else:
        if kind is Coefficient.SPEARMAN:
            first, second = rankdata(first, axis=1), rankdata(second, axis=1)
        ours, theirs = _unit(first), _unit(second)
        sums = [ours * theirs, ours**2, theirs**2]
    return _bounded_ratio(*(each.sum(axis=1, dtype=np.float64) for each in sums))


def known_coefficient(first: Floats, second: Floats, kind: Coefficient) -> float:
    """The coefficient of two vectors over what is known in both; NaN without different values."""
    known = ~(np.isnan(first) | np.isnan(second))
    if not known.any():
        return np.nan
    return float(row_coefficients(first[None, known], second[None, known], kind)[0])


def correlation_over_measures(
    first: Floats, second: Floats, kind: Coefficient = Coefficient.PEARSON
) -> Floats:
    """A coefficient over measures, column by column, of arrays of shape (measures, columns)."""
    table = np.full(first.shape[1], np.nan)
    whole = ~(np.isnan(first) | np.isnan(second)).any(axis=0)
    if len(first) > 2 and whole.any():
        table[whole] = row_coefficients(first[:, whole].T, second[:, whole].T, kind)
    return table


def _bounded_ratio(part: Floats, first: Floats, second: Floats) -> Floats:
    """``part`` over the geometric mean of two others, from -1 to 1; NaN where one is 0."""
    return safe_divide(part, np.sqrt(first) * np.sqrt(second)).clip(-1, 1)


def _unit(rows: Floats) -> Floats:
    """The rows about their means, the farthest value ±1; zeros, exactly, for a constant row."""
    apart = np.where(np.ptp(rows, axis=1, keepdims=True) > 0, rows, 0.0)
    apart -= apart.mean(axis=1, keepdims=True)
    farthest = np.abs(apart).max(axis=1, keepdims=True)
    return np.asarray(apart / np.where(farthest > 0, farthest, 1.0))


def _rises(rows: Floats) -> NDArray[np.int8]:
    """Shape (rows, pairs): whether the second of a pair of instances is higher, lower, or tied."""
    before, after = (rows[:, side] for side in np.triu_indices(rows.shape[1], 1))
    return (after > before).astype(np.int8) - (after < before).astype(np.int8)


def _bootstrap_coefficients(
    first: Floats, second: Floats, group: Ints, weights: Floats, kind: Coefficient
) -> Floats:
    """The coefficient over all instances, resample by resample.

    Args:
        first: shape (instances,), finite for Pearson's.
        second: shape (instances,), likewise.
        group: shape (instances,), from 0.
        weights: shape (resamples, groups), the weight of each group.
        kind: which coefficient.

    Returns:
        Shape (resamples,); NaN where either is constant.
    """
    if kind is Coefficient.PEARSON:
        ours, theirs = _standard(first), _standard(second)
        columns = (np.ones(len(ours)), ours, theirs, ours * theirs, ours**2, theirs**2)
        sums = np.array([np.bincount(group, each, weights.shape[1]) for each in columns])
        size, one, other, both, one_square, other_square = (weights @ sums.T).T
        size = np.where(size > 0, size, np.nan)
        return _bounded_ratio(
            np.nan_to_num(both - one * other / size),
            _variance(one_square, one, size),
            _variance(other_square, other, size),
        )
    if kind is Coefficient.SPEARMAN:
        # Products of mid-ranks over the squares of either: whole and half numbers, so exact.
        ranks = [dense_ranks(each) for each in (first, second)]
        by = [_indicators(each, int(each.max()) + 1) for each in ranks]
        step, parts = max(1, _CELLS // len(first)), []
        for start in range(0, len(weights), step):
            times = weights[start : start + step, group].T
            middle = []
            for rank, with_value in zip(ranks, by, strict=True):
                tied = with_value @ times
                until = tied.cumsum(axis=0)
                middle.append((until - tied / 2 - until[-1] / 2)[rank])
            one, other = middle
            pairs = (one, other), (one, one), (other, other)
            parts.append([(times * ours * theirs).sum(axis=0) for ours, theirs in pairs])
        return _bounded_ratio(*np.concatenate(parts, axis=1))
    agreed = _group_agreement if len(first) <= _FEW else _sorted_agreement
    alike = agreed(first, second, group, weights.shape[1])
    ranked = (_ranked_pairs(each, group, weights) for each in (first, second))
    return _bounded_ratio(((weights @ alike) * weights).sum(axis=1), *ranked)


def _standard(values: Floats) -> Floats:
    """With mean 0 and variance 1; zeros, exactly, if all are equal."""
    if not np.ptp(values):
        return np.zeros(len(values))
    apart = values / np.abs(values).max()
    apart -= apart.mean()
    return np.asarray(apart / apart.std())


def _variance(squares: Floats, total: Floats, size: Floats) -> Floats:
    """Sum of squares about the mean; what rounding leaves of nothing is nothing."""
    value = np.nan_to_num(squares - total**2 / size)
    return np.where(value > _NOTHING * np.nan_to_num(size), value, 0.0)


def _indicators(part: Ints, parts: int) -> Any:
    """Sparse array of shape (parts, instances): 1 where the instance belongs to the part."""
    return sparse.csr_array((np.ones(len(part)), (part, np.arange(len(part)))), (parts, len(part)))


def _group_agreement(first: Floats, second: Floats, group: Ints, groups: int) -> Floats:
    """Shape (groups, groups): ordered pairs of instances ranked alike less those opposite."""
    member = _indicators(group, groups)
    ours, theirs = (
        np.sign(np.subtract.outer(each, each)) for each in map(dense_ranks, (first, second))
    )
    return np.asarray(member @ (member @ (ours * theirs)).T)


def _sorted_agreement(first: Floats, second: Floats, group: Ints, groups: int) -> Floats:
    """As :func:`_group_agreement`, in less memory."""
    same, opposite, _ = redundancy_counts(first, second, group)
    missing = groups - len(same.hits)
    return np.pad(same.hits - opposite.hits, (0, missing))


def _ranked_pairs(values: Floats, group: Ints, weights: Floats) -> Floats:
    """Shape (resamples,): ordered pairs of instances whose values differ.

    Those of all instances less those of each value take no product of matrices.
    """
    ranks = dense_ranks(values)
    shape = (int(ranks.max()) + 1, weights.shape[1])
    of_value = sparse.csr_array((np.ones(len(ranks)), (ranks, group)), shape) @ weights.T
    return np.asarray(of_value.sum(axis=0) ** 2 - (of_value**2).sum(axis=0))


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
    BOTH = "topics and systems"
    """Independently of each other. Systems are few: as the paper warns, others may swap the ranks
    of measures."""


DRAWN = {
    Level.SYSTEM: Sample.BOTH,
    Level.SEGMENT: Sample.TOPICS,
    Level.WITHIN_TOPIC: Sample.TOPICS,
    Level.WITHIN_SYSTEM: Sample.BOTH,
}
"""Sample that is resampled: systems, too, where the figure is one of systems."""


def correlate_with_humans(  # noqa: PLR0913 - what is judged, what is correlated, how it is resampled
    values: Floats,
    human: Floats,
    topic: Ints,
    system: Ints,
    *,
    level: Level = Level.SEGMENT,
    kind: Coefficient = Coefficient.PEARSON,
    sample: Sample | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> BootstrapSamples:
    """The coefficients of measures with human scores; NaN where a measure or people are constant.

    A resample takes a topic, or system, with all its instances, as often as its weight says, and
    recomputes everything (means, ranks). Topics are drawn alike at all levels, and so are systems.

    Args:
        values: shape (measures, instances), finite.
        human: shape (instances,), finite.
        topic: shape (instances,), whole numbers from 0.
        system: shape (instances,), whole numbers from 0.
        level: what is correlated.
        kind: which coefficient.
        sample: what is resampled at the level of segments; else it is as :data:`DRAWN` has it.
        resamples: how many.
        seed: for the resamples.

    Raises:
        ValuesError: if, at the level of systems, there is no topic that all systems have answered.
    """
    rows = np.vstack([human, values])
    topics, systems = (np.unique(each, return_inverse=True)[1] for each in (topic, system))
    by_topic, by_system = two_way_weights(
        int(topics.max()) + 1, int(systems.max()) + 1, resamples, seed
    )
    if level is Level.SYSTEM:
        table, shared = _shared_topics(rows, topics, systems)
        weights = by_topic[:, shared]
        shares = safe_divide(weights, weights.sum(axis=1, keepdims=True))  # NaN where all are 0
        times = np.nan_to_num(by_system, nan=1.0).astype(np.int64)
        drawn = np.repeat(np.indices(times.shape)[1], times.ravel()).reshape(times.shape)
        people, *ours = (np.take_along_axis(_means(shares, each), drawn, axis=1) for each in table)
        found = np.array([row_coefficients(each, people, kind) for each in ours])
    elif level is Level.WITHIN_TOPIC:
        inside = (np.take(rows, own, axis=1) for own in _members(topics))
        parts = [row_coefficients(each[1:], each[:1], kind) for each in inside]
        found = _weighted_mean(np.stack(parts, axis=-1)[:, None], by_topic)
    elif level is Level.WITHIN_SYSTEM:
        parts = [_resampled(rows[:, own], topics[own], by_topic, kind) for own in _members(systems)]
        found = _weighted_mean(np.stack(parts, axis=-1), by_system)
    elif sample is Sample.BOTH:
        alone = np.arange(rows.shape[1])
        step = max(1, 16 * _CELLS // len(alone))
        blocks = (slice(start, start + step) for start in range(0, len(by_topic), step))
        both = (by_topic[some][:, topics] * by_system[some][:, systems] for some in blocks)
        found = np.concatenate([_resampled(rows, alone, each, kind) for each in both], axis=1)
    else:
        found = _resampled(rows, topics, by_topic, kind)
    return BootstrapSamples(found)


def correlate_judged(
    values: Floats, human: Floats, topic: Ints, system: Ints, **how: Any
) -> BootstrapSamples | None:
    """Coefficients of the instances that people judged, see :func:`correlate_with_humans`.

    None if these are of fewer than three systems, or of no topic that all of them have answered.
    NaN for measures with infinite values, which have no mean.
    """
    judged = np.isfinite(human)
    finite = np.isfinite(values[:, judged]).all(axis=1)
    if len(np.unique(system[judged])) < FEWEST_SYSTEMS or not finite.any():
        return None
    outputs = values[finite][:, judged], human[judged], topic[judged], system[judged]
    try:
        found = correlate_with_humans(*outputs, **how)
    except ValuesError:
        return None
    rows = np.full((len(values), found.rows.shape[1]), np.nan)
    rows[finite] = found.rows
    return BootstrapSamples(rows)


def _members(part: Ints) -> list[NDArray[np.intp]]:
    """The instances of each part."""
    return np.split(np.argsort(part, kind="stable"), np.cumsum(np.bincount(part))[:-1])


def _resampled(rows: Floats, unit: Ints, weights: Floats, kind: Coefficient) -> Floats:
    """Shape (rows - 1, resamples): coefficients of all others with the first row."""
    weights = np.asfortranarray(weights)
    return np.array(
        [_bootstrap_coefficients(each, rows[0], unit, weights, kind) for each in rows[1:]]
    )


def _weighted_mean(figures: Floats, weights: Floats) -> Floats:
    """Shape (measures, resamples): the mean over parts, each as often as it is there.

    Figures have shape (measures, resamples or 1, parts), weights (resamples, parts).
    """
    known = ~np.isnan(figures)
    sides = (np.where(known, figures, 0.0), 1.0 * known)
    return safe_divide(*(np.einsum("mrp,rp->mr", each, weights) for each in sides))


def _shared_topics(rows: Floats, topic: Ints, system: Ints) -> tuple[Floats, Flags]:
    """Shape (rows, topics, systems) of the topics that all have answered; which topics they are."""
    table = as_table(rows, topic, system)
    shared = ~np.isnan(table[0]).any(axis=1)
    if not shared.any():
        raise ValuesError(
            "no topic was answered by all systems",
            where="system",
            remedy="leave out systems with few answers",
        )
    return table[:, shared], shared


def shared_means(rows: Floats, topic: Ints, system: Ints) -> Floats:
    """Shape (rows, systems): means over the topics that all have answered; NaN without any."""
    table = as_table(rows, topic, system)
    shared = ~np.isnan(table[0]).any(axis=1)
    return np.asarray(table[:, shared].mean(axis=1) if shared.any() else table[:, 0] * np.nan)


def _means(shares: Floats, table: Floats) -> Floats:
    """Shape (resamples, systems): means over topics, in units of the greatest value.

    They are rounded, so that equal means are equal whatever the order they are added in.
    """
    greatest = np.abs(table).max()
    return np.asarray((shares @ (table / (greatest if greatest else 1.0))).round(12))


_EQUAL = 1e-9
"""Variances, and spreads of leads, that are none but for rounding."""
_DIGITS = 9
"""Decimals of leads that count: equal leads, added up in another order, differ after them."""


def compare_with_best(  # noqa: PLR0913 - what is judged, what is compared, and how it is permuted
    values: Floats,
    human: Floats,
    topic: Ints,
    system: Ints,
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
    - within topics and within systems all values of a topic, since the outputs of a topic depend
      on one another. It is a test for the available systems;
    - by segments those of a topic and, in a second test, those of a system, as another study would
      have others of both. The greater p counts: the best is ahead whatever the topics, and whatever
      the systems. By topics alone, measures that suit other systems would seem to differ.

    Values are standardised over all instances, within topics or systems over those of each, and
    the coefficient is Pearson's over all of them. In a permutation the same units are exchanged
    for all pairs of measures; leads are divided by their standard deviations over permutations. As
    the best measure is chosen afterwards, its lead over another is compared with the greatest that
    any measure has over this one, and, as there are many others, with the greatest over those that
    are not farther behind (:func:`_step_down_p_values`). The chance that any p is below .05 is .05
    where all measures are equally good.

    Args:
        values: shape (measures, instances), finite.
        human: shape (instances,), finite.
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
    rows = np.vstack([human, values])
    unit, part = topic, np.zeros_like(topic)
    if level is Level.SYSTEM:
        table, _ = _shared_topics(rows, topic, system)
        shares = np.full((1, table.shape[1]), 1 / table.shape[1])
        rows = np.concatenate([_means(shares, each) for each in table])
        unit, part = np.arange(rows.shape[1]), np.zeros(rows.shape[1], dtype=np.int64)
    elif level is not Level.SEGMENT:
        part = topic if level is Level.WITHIN_TOPIC else system
    standard = np.zeros(rows.shape)  # 0 where a row is constant
    for own in _members(part):
        varying = np.ptp(rows[:, own], axis=1) > 0
        apart = rows[np.ix_(varying, own)]
        apart = apart - apart.mean(axis=1, keepdims=True)
        apart /= np.abs(apart).max(axis=1, keepdims=True)  # lest squares be too small or too large
        standard[np.ix_(varying, own)] = apart / apart.std(axis=1, keepdims=True)
    people, *scores = standard
    known = np.array([bool(each.any() and people.any()) for each in scores])
    found = np.full(len(scores), np.nan)
    if known[best]:
        measures = np.array(scores)[known]
        parts = (measures, measures**2, measures * people)
        found[known] = 0
        for exchanged in (topic, system) if level is Level.SEGMENT else (unit,):
            sums = np.array([[np.bincount(exchanged, row) for row in each] for each in parts])
            swaps = exchanges(sums.shape[-1], permutations, seed)
            leads = _leads(sums, swaps, len(people), int(known[:best].sum()))
            found[known] = np.maximum(found[known], _step_down_p_values(*leads))
        found[best] = np.nan
    return found


def _leads(sums: Floats, swaps: Flags, size: int, best: int) -> tuple[Floats, Floats]:
    """Lead of the best over each measure, (measures,), and what permutations have.

    That is the greatest lead of any measure, shape (measures, permutations). Sums of values, of
    their squares, and of their products with people's scores have shape (3, measures, units).
    """
    kept, swapped = sums @ ~swaps.T / size, sums @ swaps.T / size
    ahead, greatest = np.empty(sums.shape[1]), np.empty(kept.shape[1:])
    for rival in range(len(ahead)):
        lead = _coefficients(kept + swapped[:, [rival]]) - _coefficients(kept[:, [rival]] + swapped)
        spread = np.sqrt(np.einsum("mp,mp->m", lead, lead) / lead.shape[1])[:, None]
        lead /= np.where(spread > _EQUAL, spread, np.inf)  # of a measure that is the same
        ahead[rival], greatest[rival] = lead[best, 0], lead.max(axis=0)
    return ahead.round(_DIGITS), greatest.round(_DIGITS)


def _coefficients(means: Floats) -> Floats:
    """Pearson's with people, who are standardised; 0 where values are constant."""
    mean, square, product = means
    return np.asarray(product / np.sqrt(np.maximum(square - mean * mean, _EQUAL)))


def _step_down_p_values(observed: Floats, permuted: Floats) -> Floats:
    """P of several tests, none of which is true by chance more often than each p says.

    The step-down method of Westfall and Young (Resampling-based multiple testing, 1993), which is
    Holm's with the dependence of the tests: from the greatest statistic on, each is compared with
    the greatest of the rest.

    Args:
        observed: shape (tests,).
        permuted: shape (tests, permutations), statistics where all hypotheses are true; one of
            the permutations is what was observed, so that no p is 0.

    Returns:
        Shape (tests,).
    """
    order = np.argsort(-observed, kind="stable")
    greatest = np.maximum.accumulate(permuted[order[::-1]], axis=0)[::-1]
    found = np.empty(len(observed))
    found[order] = np.maximum.accumulate((greatest >= observed[order, None]).mean(axis=1))
    return found


Coefficients: TypeAlias = Mapping[tuple[Level, Coefficient], BootstrapSamples]
"""Level and coefficient → coefficients of all measures, where any is known."""


def correlate_levels(  # noqa: PLR0913, PLR0917 - what is judged, at which levels
    values: Floats,
    human: Floats,
    topic: Ints,
    system: Ints,
    levels: Sequence[Level],
    seed: int = 0,
    progress: Progress = log_progress,
) -> tuple[Coefficients, dict[Level, BootstrapSamples]]:
    """All coefficients at some levels; see :func:`correlate_with_humans`.

    Returns:
        Coefficients; and, at the levels that are compared with one another, Pearson's, topics and
        systems resampled alike.
    """
    outputs = values, human, topic, system
    wanted = [*product(levels, Coefficient)]
    found: dict[tuple[Level, Coefficient], BootstrapSamples] = {}
    for level, kind in report_work(wanted, progress, "correlating"):
        try:
            samples = correlate_with_humans(*outputs, level=level, kind=kind, seed=seed)
        except ValuesError:  # there is no topic that all systems have answered
            continue
        if not np.isnan(samples.value).all():
            found[level, kind] = samples
    jointly = {
        level: samples
        for (level, kind), samples in found.items()
        if kind is Coefficient.PEARSON and DRAWN[level] is Sample.BOTH
    }
    if (Level.SEGMENT, Coefficient.PEARSON) in found:
        jointly[Level.SEGMENT] = correlate_with_humans(*outputs, sample=Sample.BOTH, seed=seed)
    return found, jointly


def williams_test(first: Floats, second: Floats, human: Floats) -> float:
    """The probability that scores are ahead of others, by Pearson's r with people, by chance alone.

    The one-sided test of Williams (1959) for two correlations of one sample, which share people's
    scores, as Graham and Baldwin (EMNLP 2014) recommend for measures of summaries. With n systems,
    r₁ and r₂ with people and r₁₂ between the measures,

        t(n - 3) = (r₁ - r₂) √((n - 1)(1 + r₁₂) / (2K (n - 1)/(n - 3) + (r₁ + r₂)² (1 - r₁₂)³/4)),
        K = 1 - r₁₂² - r₁² - r₂² + 2 r₁₂ r₁ r₂

    Args:
        first: shape (systems,), such as mean values of a measure.
        second: shape (systems,).
        human: shape (systems,).

    Returns:
        NaN for fewer than four systems, equal scores, or where a coefficient is not defined.
    """
    size, pearson = len(human), Coefficient.PEARSON
    if size < 4:
        return np.nan
    ours, theirs, between = (
        known_coefficient(*pair, pearson)
        for pair in ((first, human), (second, human), (first, second))
    )
    determinant = 1 - between**2 - ours**2 - theirs**2 + 2 * between * ours * theirs
    spread = 2 * max(determinant, 0.0) * (size - 1) / (size - 3)
    spread += (ours + theirs) ** 2 / 4 * (1 - between) ** 3
    if not spread > _NOTHING:
        return np.nan
    statistic = (ours - theirs) * np.sqrt((size - 1) * (1 + between) / spread)
    return float(student_t.sf(statistic, size - 3))


_SPLITS = 200
_FEWEST_SYSTEMS, FEWEST_MEASURES = 6, 4
"""Systems and measures without which systems are not split into halves."""


def split_half_agreement(  # noqa: PLR0913, PLR0917 - what is judged, and how it is split
    values: Floats,
    human: Floats,
    topic: Ints,
    system: Ints,
    seed: int = 0,
    progress: Progress = log_progress,
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
    if size < _FEWEST_SYSTEMS or len(values) < FEWEST_MEASURES:
        return None
    rows = np.vstack([human, values])
    means = shared_means(rows, topic, system)
    generator = np.random.default_rng(seed)
    found = {level: np.empty(_SPLITS) for level in (Level.SYSTEM, Level.SEGMENT)}
    for done in report_work(range(_SPLITS), progress, "splitting systems"):
        first = np.isin(np.arange(size), generator.permutation(size)[: size // 2])
        for level, scored, half in (
            (Level.SYSTEM, means, first),
            (Level.SEGMENT, rows, first[system]),
        ):
            one, other = (
                row_coefficients(scored[1:, part], scored[:1, part], Coefficient.PEARSON)
                for part in (half, ~half)
            )
            found[level][done] = known_coefficient(one, other, Coefficient.SPEARMAN)
    return found
