"""Checks and ranks of arrays of measures, and estimates with bootstrap intervals.

Instances come in groups (the pairs of pages of one name, the summaries of one topic), and the
groups are the sample: another study would have other names. Pair counts hold, for every two groups,
the number of comparisons between an instance of the first and one of the second, and in how many of
them a condition is true. The pooled share, the mean over groups and their bootstrap intervals need
nothing else, so resampling groups costs no further comparison.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weps.errors import ValuesError

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]
Bits: TypeAlias = NDArray[np.uint64]

_DIGITS = 10


def as_array(values: ArrayLike, name: str) -> NDArray[Any]:
    """The array of what was given; a ValuesError if its rows have several lengths."""
    try:
        return np.asarray(values)
    except ValueError:
        raise ValuesError(
            "the rows have several lengths", where=name, remedy="give as many values in each"
        ) from None


def as_measure(values: ArrayLike, name: str = "values") -> NDArray[Any]:
    """One measure: shape (instances,), at least one instance.

    Raises:
        ValuesError: if they are not numbers in a row, or one is NaN.
    """
    return check_numbers(as_array(values, name), ["instance"], "one value per instance", name)


def as_measures(values: ArrayLike, name: str = "values") -> NDArray[Any]:
    """Several measures: shape (measures, instances), at least one of each.

    One measure may be given as shape (instances,).

    Raises:
        ValuesError: if they are not such numbers, or one is NaN.
    """
    array = np.atleast_2d(as_array(values, name))
    return check_numbers(array, ["measure", "instance"], "measures × instances", name)


def as_groups(groups: ArrayLike | None, size: int, name: str = "groups") -> NDArray[np.int64]:
    """The group of each instance: shape (size,), from 0; None puts all in one.

    Raises:
        ValuesError: if they are not whole numbers from 0, or names, one for each instance.
    """
    if groups is None:
        return np.zeros(size, dtype=np.int64)
    array = as_array(groups, name)
    if array.shape != (size,):
        raise ValuesError(
            f"expected shape ({size},), one group per instance, got {array.shape}", where=name
        )
    if array.dtype.kind in "UO":
        return np.unique(array.astype(str), return_inverse=True)[1].astype(np.int64)
    if array.dtype.kind not in "iu" or (size and array.min() < 0):
        raise ValuesError("expected groups numbered from 0", where=name)
    return array.astype(np.int64)


def round_digits(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ten digits of each value, so that means of equal numbers are equal however summed up."""
    mantissa, exponent = np.frexp(values)
    return np.asarray(np.ldexp(mantissa.round(_DIGITS), exponent))


def check_numbers(
    array: NDArray[Any], axes: Sequence[str], expected: str, name: str
) -> NDArray[Any]:
    """The array, if it has these axes, is not empty, and holds numbers alone, none of them NaN.

    Raises:
        ValuesError: if not.
    """
    if array.dtype.kind not in "biuf":
        raise ValuesError(f"expected numbers, got {array.dtype}", where=name)
    if array.ndim != len(axes):
        raise ValuesError(f"expected {expected}, got shape {array.shape}", where=name)
    if array.size == 0:
        raise ValuesError("no instances given", where=name, remedy="give instances")
    missing = np.argwhere(np.isnan(array))
    for first in missing[:1].tolist():
        place = [f"{axis} {at}" for axis, at in zip(axes, first, strict=True)]
        raise ValuesError(
            f"{len(missing):,} values are NaN, the first is {' of '.join(reversed(place))}",
            where=name,
            remedy="leave out these instances or measures, or give them a value",
        )
    return array


def dense_ranks(values: ArrayLike, name: str = "values") -> Ints:
    """Shape (instances,): 0 for the lowest value, 1 for the next, alike for equal values.

    Raises:
        ValuesError: if values are missing, NaN or not numbers.
    """
    _, ranks = np.unique(as_measure(values, name), return_inverse=True)
    return ranks.astype(np.int64, copy=False)


def as_table(values: Floats, topic: Ints, system: Ints) -> Floats:
    """Shape (measures, topics, systems), NaN where a system has not answered a topic.

    Args:
        values: shape (measures, instances), or (instances,) for one measure.
        topic: shape (instances,), whole numbers from 0.
        system: shape (instances,), whole numbers from 0, none twice for a topic.
    """
    measures = np.atleast_2d(values)
    table = np.full((len(measures), int(topic.max()) + 1, int(system.max()) + 1), np.nan)
    table[:, topic, system] = measures
    return table


def pack_bits(truth: Flags) -> Bits:
    """Shape (rows, words): the truth values in bits, filled up with 0."""
    rows, size = truth.shape
    padded = np.zeros((rows, -(-size // 64) * 8), dtype=np.uint8)
    bits = np.packbits(truth, axis=1, bitorder="little")
    padded[:, : bits.shape[1]] = bits
    return padded.view(np.uint64)


def safe_divide(hits: ArrayLike, total: ArrayLike, default: float = np.nan) -> Floats:
    """The quotient, or ``default`` where the total is not above 0; shaped as both broadcast."""
    part, whole = np.broadcast_arrays(hits, total)
    quotient = np.full(whole.shape, default, dtype=np.float64)
    np.divide(part, whole, out=quotient, where=whole > 0)
    return quotient


def known_mean(values: Floats) -> float:
    """The mean of those that are not NaN; NaN if none is."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else math.nan


_RESAMPLES = 10_000
"""Resamples of one share."""
RESAMPLES = 1_000
"""Resamples of the figures of many measures."""


@dataclass(frozen=True, slots=True, eq=False)
class PairCounts:
    """Comparisons between groups; both matrices hold whole or half numbers."""

    hits: Floats
    """Shape (groups, groups): in how many comparisons the thing holds."""
    total: Floats
    """Shape (groups, groups): how many comparisons there are."""

    @classmethod
    def of(cls, hits: NDArray[Any], total: NDArray[Any]) -> PairCounts:
        """Make a pair count of two matrices, filled up where one side has fewer groups."""
        padding = [(0, max(total.shape) - length) for length in total.shape]
        return cls(*(np.pad(each, padding).astype(np.float64) for each in (hits, total)))

    @property
    def pooled(self) -> float:
        """Share over all comparisons, between groups and within; nan if there are none."""
        return float(safe_divide(self.hits.sum(), self.total.sum()))

    @property
    def by_group(self) -> Floats:
        """Shape (groups,): share within each group, nan where it has no comparison."""
        return safe_divide(np.diagonal(self.hits), np.diagonal(self.total))

    @property
    def mean(self) -> float:
        """Mean of the shares of the groups that have comparisons; nan if none has."""
        return known_mean(self.by_group)


class Estimate(NamedTuple):
    """A figure with its 95 % interval, which is nan if there is one group only."""

    value: float
    low: float
    high: float

    @classmethod
    def from_samples(cls, value: float, samples: Floats) -> Estimate:
        """The figure with the middle 95 % of those of resamples, shape (resamples,).

        Resamples without a value are nan and left out.
        """
        known = samples[~np.isnan(samples)]
        if not len(known):
            return cls(value, math.nan, math.nan)
        return cls(value, *np.percentile(known, [2.5, 97.5]).tolist())

    @classmethod
    def from_row(cls, row: Floats) -> Estimate:
        """The figure, then those of resamples, shape (1 + resamples,)."""
        return cls.from_samples(float(row[0]), row[1:])


def estimate_share(counts: PairCounts, *, per_group: bool = False, seed: int = 0) -> Estimate:
    """The pooled share, or the mean over groups, with its interval over groups.

    Percentile bootstrap with 10,000 resamples of the groups (Efron and Tibshirani 1993,
    chapter 13). A group that occurs twice in a resample is compared with its double as with itself.
    """
    return Estimate.from_row(resampled_shares(counts, per_group, seed))


def instance_share(hits: Floats, total: Floats, seed: int = 0) -> Floats:
    """Shape (1 + resamples,): a share of instances, not of comparisons; then with groups resampled.

    Of shape (groups,) are the hits, of how many instances of each group something holds, and the
    total, how many each has. With one group the resamples are NaN.
    """
    return bootstrap_shares(hits[None], total[None], resamples=_RESAMPLES, seed=seed).rows.ravel()


def resampled_shares(
    counts: PairCounts, per_group: bool = False, seed: int = 0, resamples: int = _RESAMPLES
) -> Floats:
    """Shape (1 + resamples,): the figure, then with the groups resampled, the same for all counts.

    With one group all resamples are nan.
    """
    weights = bootstrap_weights(len(counts.hits), resamples, seed)
    if per_group:
        known = weights * ~np.isnan(counts.by_group)
        return safe_divide(known @ np.nan_to_num(counts.by_group), known.sum(axis=1))
    sides = counts.hits, counts.total
    return safe_divide(*(((weights @ each) * weights).sum(axis=1) for each in sides))


@dataclass(frozen=True, slots=True, eq=False)
class BootstrapSamples:
    """A figure of each measure, with its percentile bootstrap.

    Topics, or systems, are the sample: another study would have others. All measures are resampled
    alike, so that their differences have intervals too.
    """

    rows: Floats
    """Shape (measures, 1 + resamples): the figures, NaN where a measure has none, then those of
    resamples of the topics, NaN if there is only one."""

    @property
    def value(self) -> Floats:
        """Shape (measures,): the figures."""
        return self.rows[:, 0]

    @property
    def samples(self) -> Floats:
        """Shape (measures, resamples): the figures with the topics resampled."""
        return self.rows[:, 1:]

    @property
    def estimates(self) -> tuple[Estimate, ...]:
        """Each measure's figure with its 95 % interval."""
        return tuple(map(Estimate.from_row, self.rows))

    def take(self, measures: Sequence[int] | Ints) -> BootstrapSamples:
        """The figures of some measures, in the order given."""
        return BootstrapSamples(self.rows[list(measures)])

    def difference(
        self, first: int, second: int, other: BootstrapSamples | None = None
    ) -> Estimate:
        """The second measure's figure minus the first's, with its interval.

        Args:
            first: a row of these figures.
            second: a row of ``other``, if it is given.
            other: figures of the same resamples.
        """
        return Estimate.from_row((other or self).rows[second] - self.rows[first])


FEWEST_SYSTEMS = 3
"""To be correlated: fewer always lie on a line."""


@lru_cache(maxsize=4)  # the same for all figures of a study
def bootstrap_weights(size: int, resamples: int, seed: int) -> Floats:
    """Shape (1 + resamples, size): how often each topic, or group, is there; first every one once.

    All resamples are NaN where there is only one, which cannot be resampled. Not to be written to.
    """
    times = np.random.default_rng(seed).multinomial(size, np.full(size, 1 / size), resamples)
    weights = np.vstack([np.ones((1, size)), times if size > 1 else np.full(times.shape, np.nan)])
    weights.flags.writeable = False
    return weights


def two_way_weights(topics: int, systems: int, resamples: int, seed: int) -> tuple[Floats, Floats]:
    """The weights of topics and, independently, of systems: each as :func:`bootstrap_weights`.

    Both together are the pigeonhole bootstrap (Owen, Annals of Applied Statistics 1, 2007).
    """
    # Of another seed, or equal numbers of topics and of systems would be drawn alike.
    of_systems = bootstrap_weights(systems, resamples, seed + 1)
    return bootstrap_weights(topics, resamples, seed), of_systems


def bootstrap_shares(
    hits: Floats, total: Floats, *, resamples: int = RESAMPLES, seed: int = 0
) -> BootstrapSamples:
    """The hits over the total, each of shape (measures, topics) and added up over topics."""
    times = bootstrap_weights(hits.shape[1], resamples, seed).T
    return BootstrapSamples(safe_divide(hits @ times, total @ times))


def bootstrap_means(
    values: Floats, *, resamples: int = RESAMPLES, seed: int = 0
) -> BootstrapSamples:
    """The means over topics of shape (measures, topics); NaN where a topic has no value."""
    known = ~np.isnan(values)
    return bootstrap_shares(
        np.where(known, values, 0.0), 1.0 * known, resamples=resamples, seed=seed
    )


NO_ESTIMATE = Estimate(np.nan, np.nan, np.nan)


def joint_estimate(figure: Callable[..., Floats], *samples: BootstrapSamples) -> Estimate:
    """A figure of all measures that every one of the arguments knows.

    All arguments are of the same measures and the same resamples.

    Args:
        figure: takes an array of shape (measures, columns) for each of ``samples``, and gives one
            of shape (columns,).
        samples: figures of single measures.
    """
    rows = np.logical_and.reduce([~np.isnan(each.value) for each in samples])
    if not rows.any():
        return NO_ESTIMATE
    value = figure(*(each.value[rows, None] for each in samples))
    return Estimate.from_samples(float(value[0]), figure(*(each.samples[rows] for each in samples)))


_EQUAL = 1e-9
"""Scores no further apart are equal: the same answer, added up in another order."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Difference of the second of two systems from the first on the same names.

    Example:
        >>> found = compare([0.5, 0.7, 0.6], [0.6, 0.9, 0.7])
        >>> found.better, found.randomisation
        (3, 0.25)
    """

    mean: float
    """Mean of the second minus mean of the first."""
    low: float
    high: float
    """95 % interval of the mean difference, bootstrapped over names; nan for a single name."""
    p: float
    """Two-sided sign test over the names where they differ; 1 if there are none."""
    better: int
    worse: int
    equal: int
    """Names on which the second scores higher, lower, and the same."""
    randomisation: float = math.nan
    """Two-sided randomisation test of the mean difference, paired by name."""


def compare(first: ArrayLike, second: ArrayLike, seed: int = 0) -> Difference:
    """Compare the scores of two systems; the order of the names does not matter.

    The interval is the percentile bootstrap with 10,000 resamples of the names (Efron and
    Tibshirani 1993, chapter 13). The sign test is exact, and so is the randomisation test, which
    exchanges the systems on some of the names, up to 13 names; of more it draws 10,000 exchanges.

    Args:
        first: shape (names,), scores of the first system.
        second: shape (names,), scores of the second, the same names in the same order.
        seed: for the resamples.

    Raises:
        ValuesError: if the scores are not paired, none, or no numbers.

    Example:
        >>> compare([0.5, 0.7, 0.6], [0.6, 0.9, 0.7]).better
        3
    """
    before, after = (as_measure(scores, "scores").astype(np.float64) for scores in (first, second))
    if before.shape != after.shape:
        raise ValuesError(f"scores of shape {before.shape} and {after.shape} cannot be paired")
    differences = np.sort(after - before)  # sorted, so that no order of names shows
    size, mean = len(differences), float(differences.mean())
    # Names are sampled one by one: by ``bootstrap_weights``, another random
    # stream, the intervals that were published would change.
    sample = np.random.default_rng(seed).integers(size, size=(_RESAMPLES, size))
    samples = differences[sample].mean(axis=1) if size > 1 else differences[:0]
    better, worse = int((differences > _EQUAL).sum()), int((differences < -_EQUAL).sum())
    # The probability of a division at least as uneven if either side were equally likely.
    tail = sum(math.comb(better + worse, k) for k in range(min(better, worse) + 1))
    p = float(min(1.0, 2 * tail / 2 ** (better + worse)))
    sizes = np.sort(np.abs(differences))  # so that the order of the systems does not show either
    sums = sizes.sum() - 2 * (exchanges(size, _RESAMPLES, seed) @ sizes)
    # The first, where all differences have one sign, stands for what was observed.
    chance = float((np.abs(sums) >= abs(differences.sum()) - _EQUAL).mean())
    interval = Estimate.from_samples(mean, samples)
    return Difference(*interval, p, better, worse, size - better - worse, chance)


def exchanges(units: int, most: int, seed: int) -> Flags:
    """Shape (exchanges, units): which units are exchanged at random; none in the first row.

    All ways, each once, if they are no more than ``most``.
    """
    if units < 63 and 2**units <= most:
        return (np.arange(2**units)[:, None] >> np.arange(units) & 1).astype(np.bool_)
    swaps = np.random.default_rng(seed).integers(0, 2, (most, units), np.int8) > 0
    swaps[0] = False
    return swaps


def adjust_by_holm(p_values: ArrayLike) -> Floats:
    """Shape (tests,): p of several tests, adjusted by Holm (1979), whatever their dependence."""
    p = np.asarray(p_values, dtype=np.float64)
    order, adjusted = np.argsort(p, kind="stable"), np.empty(len(p))
    adjusted[order] = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)).clip(max=1)
    return adjusted


def difference_data(measure: str, difference: Difference) -> dict[str, Any]:
    """A difference on a measure; the interval is None for a single name."""
    return {
        "measure": measure,
        "difference": difference.mean,
        "interval": None if math.isnan(difference.low) else [difference.low, difference.high],
        **{
            part: getattr(difference, part)
            for part in ("p", "randomisation", "better", "worse", "equal")
        },
    }
