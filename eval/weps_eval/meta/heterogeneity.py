"""The heterogeneity of sets of measures, and HBR, which ranks by it without human judgements.

Amigó, Gonzalo, Giménez and Verdejo (EMNLP 2011; *SEM 2012) and Amigó, Gonzalo and Verdejo
(workshop on evaluation metrics for summarization, NAACL 2012). Measures are rows and instances
columns; pairs of instances are compared within their groups, topics or test sets.

Of each pair a measure prefers the first instance, the second, or neither, which is a bit each.
Everything the heterogeneity principle needs of a set of measures follows from the pairs that *some*
measure of the set ranks higher and those that some ranks lower: the set contradicts itself in those
that are both, and agrees that the first is at least as high in those that none ranks lower.
Heterogeneity is how often the measures of a set contradict one another.

A union over a set looks up eight measures at once: for each eight a table has the unions of their
256 subsets, over blocks of pairs small enough for the tables to stay in the cache.

HBR combines measures without weights, scales or human judgements. Topic by topic there are AUC for
graded quality, contradicting topics, and the robustness of a measure: its rank among the others
where it ranks lowest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata

from weps._parallel import Progress, checked_progress
from weps.errors import ValuesError, require_type
from weps_eval.meta.correlation import Coefficient, known_coefficient, row_coefficients
from weps_eval.ranking.pwa import redundancy
from weps_eval.stats import (
    NO_ESTIMATE,
    RESAMPLES,
    Bits,
    BootstrapSamples,
    Estimate,
    Flags,
    Floats,
    Ints,
    as_groups,
    as_measures,
    bootstrap_means,
    bootstrap_shares,
    pack_bits,
    safe_divide,
)

_PAIRS = 10_000
"""Pairs over which heterogeneity is a share unless others are given."""
_WORDS = 16
"""Words of a block: the tables of 64 measures take half a megabyte."""
_CELLS = 1 << 17
"""Values compared at a time: two megabytes."""
_SETS = 4096
"""Sets looked up at a time: their unions take a megabyte."""
_CHUNK = 1 << 18
"""Ordered pairs at a time: with 300 measures about a second's work."""
_WORD = 64
_FEW = 128
"""Instances of a topic whose pairs are laid out; of more they are counted by sorting."""


class Pairs(NamedTuple):
    """Instances in pairs, both of shape (pairs,)."""

    first: Ints
    second: Ints

    def take(self, pairs: Ints | Flags) -> Pairs:
        """Some of the pairs, by number or by flag."""
        return Pairs(self.first[pairs], self.second[pairs])


def sampled_pairs(
    size: int, samples: int = 0, group: ArrayLike | None = None, seed: int = 0
) -> Pairs:
    """Every two instances of one group, once, or so many of these pairs drawn at random.

    The 2012 papers take 1,000 and 10,000 and leave open how; sampled without replacement, the
    estimate is exact as soon as there are no more pairs than samples.

    Args:
        size: how many instances there are.
        samples: how many pairs; 0 for all.
        group: shape (instances,), whole numbers from 0, in the papers the topic, as they compare
            what is compared with the same reference; None for one group.
        seed: of the sample.

    Raises:
        ValuesError: if the groups do not fit.
    """
    groups = as_groups(group, size, "group")
    order, sizes = np.argsort(groups, kind="stable"), np.bincount(groups)
    start = np.repeat(np.cumsum(sizes) - sizes, sizes)
    earlier = np.arange(size) - start  # an instance is paired with those before it in its group
    ends = np.cumsum(earlier)
    numbers = np.arange(earlier.sum())
    if 0 < samples < len(numbers):
        generator = np.random.default_rng(seed)
        numbers = np.sort(generator.choice(len(numbers), samples, replace=False, shuffle=False))
    second = np.searchsorted(ends, numbers, side="right")
    return Pairs(order[(start - ends + earlier)[second] + numbers], order[second])


def distinct_pairs(pairs: Pairs, text: Ints | None) -> Pairs:
    """Pairs of different texts: heterogeneity is that of s ≠ s' (EMNLP 2011, section 6).

    Args:
        pairs: of the instances.
        text: shape (instances,), the same number for equal texts; None if all differ.
    """
    if text is None:
        return pairs
    return pairs.take(text[pairs.first] != text[pairs.second])


def rival_pairs(
    size: int, rivals: int | None = None, group: ArrayLike | None = None, seed: int = 0
) -> Iterator[Pairs]:
    """Each instance with so many others of its group, or all of them, many pairs at a time.

    All instances of a group have the same rivals, sampled without replacement; one that is sampled
    has itself left out. For the same number of comparisons that orders a group better than rivals
    sampled for each instance.

    Raises:
        ValuesError: if the groups do not fit, or there are to be fewer than two rivals: one alone
            would have none.
    """
    if rivals is not None and rivals < 2:
        raise ValuesError(f"{rivals} rivals are too few", where="rivals", remedy="give two or more")
    groups, generator = as_groups(group, size, "group"), np.random.default_rng(seed)
    for number in np.unique(groups):
        members = chosen = np.flatnonzero(groups == number)
        if rivals is not None and len(members) > rivals:
            chosen = np.sort(generator.choice(members, rivals, replace=False))
        step = max(1, _CHUNK // len(chosen))
        for start in range(0, len(members), step):
            part = members[start : start + step]
            pairs = Pairs(np.repeat(part, len(chosen)), np.tile(chosen, len(part)))
            if (apart := pairs.first != pairs.second).any():
                yield pairs.take(apart)


class PreferenceBlock(NamedTuple):
    """The preferences of sets on a block of pairs."""

    higher: Bits
    """Shape (sets, words): some measure of the set calls the first instance higher."""
    lower: Bits
    words: slice
    """Which words of all they are."""
    mask: Bits
    """Shape (words,): every bit that stands for a pair."""


@dataclass(frozen=True, slots=True, eq=False)
class PairwisePreferences:
    """The preference of each measure on each pair; bit p of a row stands for pair p."""

    higher: Bits
    """Shape (measures, words): the first instance of the pair is higher than the second."""
    lower: Bits
    """Shape (measures, words): it is lower."""
    pairs: int

    @classmethod
    def of(cls, values: ArrayLike, pairs: Pairs) -> PairwisePreferences:
        """Compare the instances of these pairs: a bit for each measure, pair and direction.

        Args:
            values: shape (measures, instances); one measure may be given as (instances,).
            pairs: of the instances.

        Raises:
            ValuesError: if values are missing, NaN or not numbers, or there is no pair.
        """
        measures = as_measures(values)
        if not len(pairs.first):
            raise ValuesError(
                "no pairs of instances given",
                where="pairs",
                remedy="give two instances of one group",
            )
        step = max(1, _CELLS // len(pairs.first))
        blocks = (measures[start : start + step] for start in range(0, len(measures), step))
        sides = ((each[:, pairs.first], each[:, pairs.second]) for each in blocks)
        packed = [(pack_bits(one > other), pack_bits(one < other)) for one, other in sides]
        higher, lower = map(np.concatenate, zip(*packed, strict=True))
        return cls(higher, lower, len(pairs.first))

    @classmethod
    def sampled(
        cls,
        values: ArrayLike,
        samples: int = 1000,
        group: ArrayLike | None = None,
        seed: int = 0,
        text: Ints | None = None,
    ) -> PairwisePreferences:
        """Preferences on pairs of a group: a sample of them all, without pairs of equal texts.

        Of every pair with ``samples`` 0; that takes n(n-1)/8 bytes for each measure. Arguments are
        those of :func:`sampled_pairs` and :func:`distinct_pairs`.
        """
        measures = as_measures(values)
        pairs = sampled_pairs(measures.shape[1], samples, group, seed)
        return cls.of(measures, distinct_pairs(pairs, text))

    @property
    def measures(self) -> int:
        """How many measures there are."""
        return len(self.higher)

    def count(
        self, packed: NDArray[np.uint8], count: Callable[[PreferenceBlock], Sequence[Bits]]
    ) -> Ints:
        """Shape (counts, sets): count pairs, for each of many sets of measures.

        Args:
            packed: shape (sets, bytes): bit m of a row (little endian) is set if it has measure m.
            count: the pairs of a block to be counted, shape (sets, words) for each count.
        """
        blocks = [packed[start : start + _SETS] for start in range(0, len(packed) or 1, _SETS)]
        seen = pack_bits(np.ones((1, self.pairs), dtype=np.bool_))[0]
        total: Any = 0
        for start in range(0, len(seen), _WORDS):
            words = slice(start, start + _WORDS)
            bits = np.stack([self.higher[:, words], self.lower[:, words]], axis=1)
            # The unions of all subsets of each eight measures: (eights, 256, 2, words).
            tables = np.zeros((-(-len(bits) // 8), 256, *bits.shape[1:]), dtype=np.uint64)
            for measure, own in enumerate(bits):
                table, bit = tables[measure // 8], 1 << measure % 8
                np.bitwise_or(table[:bit], own, out=table[bit : 2 * bit])
            parts = (
                PreferenceBlock(*_unions(tables, block), words, seen[words]) for block in blocks
            )
            counts = [np.bitwise_count(count(part)).sum(axis=2, dtype=np.int64) for part in parts]
            total = total + np.concatenate(counts, axis=1)
        return np.asarray(total, dtype=np.int64)


def _unions(tables: Bits, packed: NDArray[np.uint8]) -> tuple[Bits, Bits]:
    """Shape (sets, words) each: what some measure of the set calls higher, and lower."""
    both, other = np.empty((2, len(packed), *tables.shape[2:]), dtype=np.uint64)
    both[:] = 0
    for table, subset in zip(tables, packed.T, strict=True):
        both |= np.take(table, subset, axis=0, out=other, mode="clip")
    return both[:, 0], both[:, 1]


def _as_sets(members: Iterable[Sequence[int]], measures: int) -> Flags:
    """Shape (sets, measures): which of the measures each set has, given their numbers."""
    rows = [np.isin(np.arange(measures), list(each)) for each in members]
    return np.array(rows, dtype=np.bool_).reshape(-1, measures)


def pairs_of_measures(measures: int) -> Flags:
    """Shape (n(n-1)/2, measures): every two measures, (0, 1), (0, 2), …, (1, 2), …."""
    return _as_sets(combinations(range(measures), 2), measures)


def random_sets(measures: int, sizes: Iterable[int], each: int, seed: int = 0) -> Flags:
    """So many different sets of each size, or all there are if these are no more.

    For reliability against heterogeneity the 2011 paper takes sizes 2, 3, 5, 10, 20 and 40, how
    many it does not state. Sizes are from 1 to the number of measures.
    """
    generator = np.random.default_rng(seed)
    chosen: list[tuple[int, ...]] = []
    for size in sizes:
        if comb(measures, size) <= each:
            chosen += combinations(range(measures), size)
            continue
        found: dict[tuple[int, ...], None] = {}
        while True:  # the sample after the last is taken too: those of the next size depend on it
            sample = tuple(sorted(generator.choice(measures, size, replace=False).tolist()))
            if len(found) == each:
                break
            found[sample] = None
        chosen += found
    return _as_sets(chosen, measures)


def hbr(  # noqa: PLR0913 - what is ranked, by what, with whom, and progress
    values: ArrayLike,
    preferences: PairwisePreferences | None = None,
    group: ArrayLike | None = None,
    *,
    rivals: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Floats:
    r"""HBR_X(i) = Avg_j H({x ∈ X: x(i) ≥ x(j)}) (\*SEM 2012, section 3; summaries: section 3.2).

    Exact over the instances: i is compared with every other j of its group (the papers do not
    state whether also with itself, which would add the same to all). The result depends only on
    the order of values, is not changed by a repeated measure, and never ranks an instance below
    another that no measure ranks above it.

    A random measure changes nothing, by the paper, for enough instances. That holds on average over
    random measures only: one of them corroborates, for an instance that it happens to rank high,
    more than half of the comparisons, and adds (Avg_j [some x(i) ≥ x(j)] − HBR(i)) / 2 times the
    share of instances that it ranks below i, however many there are.

    Time grows with the number of comparisons, n² in a group of n, memory does not. In large groups
    a sample of rivals gives nearly the same order (:func:`rival_pairs`).

    Args:
        values: shape (measures, instances).
        preferences: of the same measures, over which heterogeneity is a share: of all pairs, of a
            sample (the papers: 1,000 and 10,000), or of other instances. None: of 10,000 pairs, or
            of all if these are no more.
        group: shape (instances,), the topic of each, by number or name; None for one group.
        rivals: number of instances of its group that each instance is compared with; None: all.
        seed: for the sample of rivals.
        progress: called with the number of comparisons done and the approximate total.

    Returns:
        Shape (instances,), in [0, 1]; nan for an instance that is alone in its group.

    Raises:
        ValuesError: if values are missing, NaN, not numbers, or do not fit together.

    Example:
        >>> hbr([[0.1, 0.4, 0.9], [0.2, 0.3, 0.1]]).round(2).tolist()
        [0.0, 0.33, 0.0]
    """
    measures, progress = as_measures(values), checked_progress(progress)
    if np.ndim(values) < 2:
        raise ValuesError(
            f"expected shape (measures, instances), got {np.shape(values)}",
            where="values",
            remedy="give a row for each measure: [[0.1, 0.2], [0.3, 0.1]]",
        )
    require_type(preferences, PairwisePreferences | None, "PairwisePreferences", "preferences")
    preferences = preferences or PairwisePreferences.sampled(measures, _PAIRS, group, seed)
    if len(measures) != preferences.measures:
        raise ValuesError(
            f"{len(measures)} measures do not match the preferences of {preferences.measures}",
            where="preferences",
            remedy="give those of the same measures",
        )
    size = measures.shape[1]
    sums, compared = np.zeros(size), np.zeros(size)
    groups = np.bincount(as_groups(group, size, "group"))
    total = int((groups * np.minimum(groups, rivals or size)).sum())
    for pairs in rival_pairs(size, rivals, group, seed):
        progress("ranking", min(int(compared.sum()), total), total)
        sums += np.bincount(
            pairs.first, pairwise_contradictions(measures, preferences, pairs), size
        )
        compared += np.bincount(pairs.first, minlength=size)
    progress("ranking", total, total)
    return safe_divide(sums, compared * preferences.pairs)


def pairwise_contradictions(values: Floats, preferences: PairwisePreferences, pairs: Pairs) -> Ints:
    """Number of pairs on which {x ∈ X: x(i) ≥ x(j)} contradicts itself, for each pair (i, j).

    As a share of ``preferences.pairs`` it is the heterogeneity of what corroborates that i is
    better: H(X) = P(∃x, x' ∈ X: x(i) > x(j) ∧ x'(i) < x'(j)), 0 of the empty set (EMNLP 2011,
    section 6; the same in *SEM 2012, section 2.2, and the workshop of 2012, section 2). i and j are
    different instances of one group; pairs whose texts equal their references, which the papers
    leave out, are for the caller to leave out.

    Args:
        values: shape (measures, instances).
        preferences: of the same measures.
        pairs: of the instances.

    Returns:
        Shape (pairs,), whole numbers.
    """
    # Bit m of a row is set if the first instance is at least as high in measure m.
    words = np.zeros((len(pairs.first), -(-len(values) // _WORD)), dtype=np.uint64)
    for number, measure in enumerate(values):
        reached = measure[pairs.first] >= measure[pairs.second]
        words[:, number // _WORD] |= reached.astype(np.uint64) << np.uint64(number % _WORD)
    words, place = _unique_rows(words)
    members = words.astype("<u8").view(np.uint8)[:, : -(-len(values) // 8)]
    contradicting = preferences.count(members, lambda block: [block.higher & block.lower])
    return np.asarray(contradicting[0, place])


def _unique_rows(words: Bits) -> tuple[Bits, Ints]:
    """The different rows, and for each row which of them it is; all, if most are different."""
    code = np.zeros(len(words), dtype=np.int64)
    for column in words.T:
        if 2 * code.max(initial=0) > len(words):
            return words, np.arange(len(words))
        level = np.unique(column, return_inverse=True)[1]
        code = np.unique(code * (level.max() + 1) + level, return_inverse=True)[1]
    return words[np.unique(code, return_index=True)[1]], code


def group_correlations(values: Floats, target: Floats, group: Ints) -> Floats:
    """Pearson's r of measures with a ranking such as HBR, or with people (*SEM 2012, section 6).

    Args:
        values: shape (measures, instances), finite.
        target: shape (instances,), finite.
        group: shape (instances,), whole numbers from 0, the test set of each.

    Returns:
        Shape (measures, groups), nan for an empty group and where undefined.
    """
    found = np.full((len(values), group.max() + 1), np.nan)
    for number in np.unique(group):
        rows = values[:, group == number]
        wanted = np.broadcast_to(target[group == number], rows.shape)
        found[:, number] = row_coefficients(rows, wanted, Coefficient.PEARSON)
    return found


def ahead_of_other_groups(predicted: Floats, actual: Floats, seed: int = 0) -> Estimate:
    """How much better HBR predicts good measures of a group than people do on all others.

    Figure 5 of *SEM 2012 shows both: in black Pearson's r, over measures, of correlations with HBR
    and with people, and in grey that of mean correlations with people over groups; here over all
    groups but the one.

    Args:
        predicted: shape (measures, groups): correlations with HBR, see :func:`group_correlations`.
        actual: the same shape: correlations with people.
        seed: of the resamples of groups.

    Returns:
        The mean over groups; NaN of a single one.
    """
    size, found = actual.shape[1], []
    for number in range(size):
        others = actual[:, np.arange(size) != number]
        elsewhere = safe_divide(np.nan_to_num(others).sum(axis=1), (~np.isnan(others)).sum(axis=1))
        by_ranking, by_people = (
            known_coefficient(each, actual[:, number], Coefficient.PEARSON)
            for each in (predicted[:, number], elsewhere)
        )
        found.append(by_ranking - by_people)
    return bootstrap_means(np.array([found]), seed=seed).estimates[0] if size > 1 else NO_ESTIMATE


def bootstrap_lowest(scores: Floats, seed: int = 0) -> BootstrapSamples:
    """The mean rank of a measure over the tenth of the topics in which it ranks lowest.

    By the workshop of 2012, section 5.3, the tenth rounded up. A rank is the share of the other
    measures that score lower, ties ½: the paper scales ranks from 0 to 1 without saying which end
    is which; here 1 is the best.

    Args:
        scores: shape (measures, topics), of two measures at least, such as AUC by topic.
        seed: of the resamples of topics.
    """
    size = scores.shape[1]
    ranks: Floats = (rankdata(scores, axis=0) - 1) / (len(scores) - 1)

    def lowest_mean(some: Floats) -> Floats:
        return np.asarray(np.sort(some, axis=1)[:, : lowest_size(size)].mean(axis=1))

    rows = np.full((len(ranks), 1 + RESAMPLES), np.nan)
    rows[:, 0] = lowest_mean(ranks)
    if size > 1:
        draws = np.random.default_rng(seed).integers(0, size, (RESAMPLES, size))
        rows[:, 1:] = np.stack([lowest_mean(ranks[:, each]) for each in draws], axis=1)
    return BootstrapSamples(rows)


def lowest_size(topics: int) -> int:
    """A tenth of so many topics, rounded up."""
    return -(-topics // 10)


@dataclass(frozen=True, slots=True, eq=False)
class TopicAuc:
    """How often measures rank what people rank, over pairs of instances of one topic."""

    hits: Floats
    """Shape (measures, topics): pairs of different quality that are ranked right; ½ if tied."""
    total: Floats
    """Shape (topics,): pairs of different quality."""

    def bootstrap(self, topics: Flags | slice = slice(None), seed: int = 0) -> BootstrapSamples:
        """AUC of each measure over the pairs of some topics, of shape (topics,)."""
        hits, total = self.hits[:, topics], self.total[topics]
        if not total.size:
            return BootstrapSamples(np.full((len(hits), 1 + RESAMPLES), np.nan))
        return bootstrap_shares(hits, np.broadcast_to(total, hits.shape), seed=seed)

    @property
    def by_topic(self) -> Floats:
        """Shape (measures, topics): AUC, nan in a topic whose instances are all equally good."""
        return safe_divide(self.hits, self.total)

    @property
    def ranked(self) -> Flags:
        """Shape (topics,): whether people rank any two of its instances."""
        return self.total > 0

    @property
    def consistent(self) -> Flags:
        """Shape (topics,): whether people rank it and no measure has an AUC below ½ (section 5.4).

        In the paper all measures exceed ½ in a consistent topic and one is below it in an
        inconsistent one; a measure at ½ exactly is no negative evidence and here consistent.
        """
        return self.ranked & (self.hits >= self.total / 2).all(axis=0)


def topic_auc(values: Floats, quality: Floats, group: Ints, ties: float = 0.5) -> TopicAuc:
    """AUC(x) = P(x(s) > x(s') | Q(s) > Q(s')), ties ½ (workshop 2012, section 4.2).

    Quality may have any number of levels: counted are all pairs of one topic that differ in it,
    exactly; large topics in O(n log n), as :func:`weps_eval.ranking.pwa.redundancy` counts.

    Args:
        values: shape (measures, instances).
        quality: shape (instances,), human scores.
        group: shape (instances,), the topic of each, whole numbers from 0.
        ties: what a pair counts that a measure ties; with 0 it is ranked wrong, and the share is
            the precision of Nanba and Okumura (COLING/ACL 2006), whose text leaves ties open.
    """
    hits, total = np.zeros((len(values), group.max() + 1)), np.zeros(group.max() + 1)
    for topic in np.unique(group):
        own, truth = values[:, group == topic], quality[group == topic]
        if len(truth) > _FEW:
            found = [redundancy(truth, each) for each in own]
            hits[:, topic] = [each.same + each.tied * ties for each in found]
            total[topic] = found[0].same + found[0].opposite + found[0].tied
        else:
            better, worse = np.nonzero(truth[:, None] > truth)
            one, other = own[:, better], own[:, worse]
            hits[:, topic] = (one > other).sum(axis=1) + (one == other).sum(axis=1) * ties
            total[topic] = len(better)
    return TopicAuc(hits, total)
