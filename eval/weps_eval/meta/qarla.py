"""QARLA: QUEEN, the probability that a text passes for a reference, and KING (ACL 2005, section 3).

The condition behind QUEEN is x(a, m) ≥ x(m', m''), of all texts and triples in bits. A set of
measures accepts a text on a triple if each of them does (section 3.2), so that its bits are the
intersection of theirs, 64 triples to an instruction, and QUEEN is the number of bits set. The bits
are computed once; 59 measures of 100 topics with 35 outputs and 11 references take 35 MB, in
general measures × texts × triples / 8 bytes, where outputs and references are texts.

A reference is also a text, compared with the others: its bits represent the triples of all
references, and those that contain the reference itself are left out of the count, unless it is
judged by all references (:class:`Judges`). The first QARLA estimate is that of Amigó and others,
ACL 2004, section 3.1.

KING is not monotonic in the set: one measure more lowers QUEEN of references and outputs alike (ACL
2005, section 3.3). Sets of measures are clustered, and searched for the one with the highest KING;
a set costs the intersection of its predecessor with one measure and one count of bits. JACK asks
whether the outputs are varied and good enough to evaluate measures with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from functools import reduce
from itertools import combinations
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from weps.errors import InputTypeError, ValuesError
from weps_eval import stats
from weps_eval.meta.orange import LeftOut, Similarities

_DIGITS = 12
"""Decimals that count: equal shares, added up in another order, differ after them."""
_EQUAL = 1e-12
"""Means no further apart, in relation to their size, are equal: added up in another order."""


def early_estimate(topics: Sequence[Similarities]) -> stats.Floats:
    """QARLA(x) = P(x(m, m') > x(a, m')): is another reference closer to a reference than an output?

    Over all m' of a topic, all m that are not m', and all a, 9 · 8 · 10 = 720 combinations in the
    paper: the mean over the m' of PWA, references against outputs. The paper does not state how
    topics are put together; here each stands alone. A tie is no success, as it writes it. Topics
    have two references at least.

    Returns:
        Shape (measures, topics).
    """
    found = []
    for topic in topics:
        _, outputs, references = topic.outputs.shape
        others = ~np.eye(references, dtype=np.bool_)[:, None]
        closer = (others & (topic.references[:, :, None] > topic.outputs[:, None])).sum(axis=(1, 2))
        found.append((closer / ((references - 1) * outputs)).mean(axis=1))
    return np.stack(found, axis=1)


class Triples(StrEnum):
    """Whether a reference may stand twice in a triple (m, m', m'') of x(a, m) ≥ x(m', m'').

    The papers write M × M × M (ACL 2005, section 3.2) and speak of "a model" and "the other two"
    (section 3.1), of "two models" and "a third model" (section 3.3): three references, then. With
    three references and one of them left out, as in translation (2006), there are no three.

    (m', m'') and (m'', m') are two triples throughout: for a symmetric measure they give the same
    and leave the probability as it is; of another one, to take either of them would let the
    result depend on the order in which the references are given.
    """

    DISTINCT = "distinct"
    """Three references, n(n-1)(n-2) triples; the default, as the papers explain themselves."""
    PAIRS = "pairs"
    """m' and m'' are two references, and m is any: n²(n-1) triples."""
    ALL = "all"
    """M × M × M to the letter, n³ triples: a reference is compared with itself, too."""

    @property
    def fewest(self) -> int:
        """How many references there must be for a triple."""
        return {Triples.DISTINCT: 3, Triples.PAIRS: 2, Triples.ALL: 1}[self]

    def of(self, references: int) -> stats.Ints:
        """All triples of so many references: shape (3, triples), in the order of m, m', m''.

        Raises:
            ValuesError: if there are none.
        """
        if references < self.fewest:
            looser = next((each for each in Triples if each.fewest <= references), None)
            advice = f", or choose the triples {looser.value!r}" if looser else ""
            raise ValuesError(
                f"{references} references give no triple of kind {self.value!r}",
                where="references",
                remedy=f"give {self.fewest} at least{advice}",
            )
        triples = np.indices((references,) * 3).reshape(3, -1)
        reference, first, second = triples
        kept = (first != second) | (self is Triples.ALL)
        if self is Triples.DISTINCT:
            kept &= (reference != first) & (reference != second)
        return np.asarray(triples[:, kept])


class Judges(StrEnum):
    """References by which KING judges a reference and the outputs.

    The formula has QUEEN with M for both (ACL 2005, section 3.3); the test of section 5 takes the
    reference for an output and leaves it out of M. With all of M a reference is compared with
    itself, too, as no output is: where nothing is more alike, it passes at least one of n distinct
    triples, whatever the measure, so that random measures are well above 1 / (outputs + 1).
    """

    LEFT_OUT = "left-out"
    """The references but the one; the default."""
    ALL = "all"
    """All references, a reference by itself, too; to the letter."""


class Passed(NamedTuple):
    """Which texts pass which triples, by every measure of some set.

    Words first, so that those of many texts are processed together.
    """

    outputs: stats.Bits
    """Shape (words, outputs of all topics)."""
    references: stats.Bits
    """Shape (words, references, topics)."""

    def both(self, other: Passed) -> Passed:
        """What the measures of both sets accept."""
        return Passed(self.outputs & other.outputs, self.references & other.references)


@dataclass(frozen=True, slots=True, eq=False)
class Conditions:
    """The QUEEN condition of every measure on every text and triple of every topic.

    All topics have the triples of the topic with most references. A topic with fewer references
    lacks some, which nothing passes, and has references that pass nothing.

    Example:
        >>> alike = [[1, 0.5, 0.4], [0.5, 1, 0.3], [0.4, 0.3, 1]]
        >>> Conditions.of(([[0.9, 0.8, 0.7]], alike)).measures
        1
    """

    passed: tuple[Passed, ...]
    """Texts that pass, by measure."""
    starts: stats.Ints
    """Shape (topics,): where the outputs of each begin."""
    references: stats.Ints
    """Shape (topics,): how many references each has."""
    triples: stats.Ints
    """Shape (topics,): how many triples of references."""
    left: stats.Ints
    """Shape (topics,): how many triples without any one of its references."""
    without: stats.Bits
    """Shape (words, references): for each reference the triples that it is no part of."""
    judges: Judges = Judges.LEFT_OUT
    """For KING; it changes nothing else."""

    @classmethod
    def of(
        cls,
        topics: Topics,
        triples: Triples | str = Triples.DISTINCT,
        measures: Sequence[int] | None = None,
        judges: Judges = Judges.LEFT_OUT,
    ) -> Conditions:
        """Compare everything: measures × texts × triples comparisons of each topic.

        Args:
            topics: all with the same measures, whatever the numbers of outputs and references, or
                one. Conditions are returned as they are.
            triples: of which references.
            measures: which, all if None; they are renumbered.
            judges: by which references KING has texts judged.

        Raises:
            ValuesError: if the topics do not fit together, there is no such measure, or some
                topic has too few references for a triple.
        """
        if isinstance(topics, Conditions):
            return topics
        triples = Triples(triples)
        given: list[Any] = list(topics) if isinstance(topics, Sequence) else [topics]
        if isinstance(topics, tuple) and topics and not isinstance(topics[0], Similarities):
            given = [Similarities(*topics)]
        if not all(isinstance(each, Similarities) for each in given):
            raise InputTypeError(
                "expected the similarities of topics",
                remedy="give (outputs, references), or a Similarities of them for each topic",
            )
        if len({len(each.outputs) for each in given}) != 1:
            raise ValuesError(
                "expected topics with equally many measures",
                where="topics",
                remedy="give all the same measures",
            )
        references = np.array([each.outputs.shape[2] for each in given])
        triples.of(int(references.min()))  # or there are too few
        every = triples.of(int(references.max()))
        reference, first, second = every
        available = [(every < size).all(axis=0) for size in references.tolist()]
        outside = (every != np.arange(references.max())[:, None, None]).all(axis=1)

        def bits(values: stats.Floats, required: stats.Floats, inside: stats.Flags) -> stats.Bits:
            """Shape (words, texts)."""
            passing = np.zeros((len(values), len(inside)), dtype=np.bool_)
            passing[:, inside] = values[:, reference[inside]] >= required
            return np.ascontiguousarray(stats.pack_bits(passing).T)

        passed = []
        for measure in _checked_measures(measures, len(given[0].outputs)):
            outputs, words = [], len(stats.pack_bits(outside).T)
            own = np.zeros((words, int(references.max()), len(given)), dtype=np.uint64)
            for number, (topic, inside) in enumerate(zip(given, available, strict=True)):
                among = topic.references[measure]
                required = among[first[inside], second[inside]]
                outputs.append(bits(topic.outputs[measure], required, inside))
                own[:, : len(among), number] = bits(among, required, inside)
            passed.append(Passed(np.concatenate(outputs, axis=1), own))
        sizes = np.array([each.outputs.shape[1] for each in given])
        return cls(
            tuple(passed),
            np.cumsum(sizes) - sizes,
            references,
            np.array([inside.sum() for inside in available]),
            np.array([(inside & outside[0]).sum() for inside in available]),
            stats.pack_bits(outside).T,
            judges,
        )

    @property
    def measures(self) -> int:
        """Number of measures."""
        return len(self.passed)

    @property
    def owner(self) -> stats.Ints:
        """Shape (outputs of all topics,): the topic of each."""
        sizes = np.diff(self.starts, append=self.passed[0].outputs.shape[1])
        return np.repeat(np.arange(len(self.starts)), sizes)

    def together(self, measures: Sequence[int] | None = None) -> Passed:
        """Texts that all of the measures (None: all there are) accept.

        Raises:
            ValuesError: if there are none, or not these.
        """
        chosen = _checked_measures(measures, self.measures)
        return reduce(Passed.both, map(self.passed.__getitem__, chosen))

    def by_topic(self, values: stats.Floats) -> list[stats.Floats]:
        """Values of the outputs, along the last axis, topic by topic."""
        return np.split(values, self.starts[1:], axis=-1)


Topics: TypeAlias = Conditions | Similarities | Sequence[Similarities] | tuple[ArrayLike, ArrayLike]
"""What QUEEN and KING are computed of; arrays are ``outputs`` and ``references`` of a single topic,
see :class:`~weps_eval.meta.orange.Similarities`."""


def _checked_measures(measures: Sequence[int] | None, size: int) -> list[int]:
    """The measures of a set; all, if None."""
    chosen = list(range(size)) if measures is None else list(measures)
    if not chosen:
        raise ValuesError("a set of measures holds one at least")
    for measure in chosen:
        if not 0 <= measure < size:
            raise ValuesError(f"measure {measure} is out of range: expected 0 to {size - 1}")
    return chosen


def _count_bits(bits: stats.Bits) -> stats.Ints:
    """How many bits are set, words added up: shape (words, …) becomes (…)."""
    return np.asarray(np.bitwise_count(bits).sum(axis=0, dtype=np.int64))


def queen(topics: Topics, measures: Sequence[int] | None = None) -> list[stats.Floats]:
    """QUEEN(a) = P(∀x ∈ X: x(a, m) ≥ x(m', m'')) over the triples of references, exact.

    Args:
        topics: similarities of a topic or several, their conditions, or arrays
            ``(outputs, references)``.
        measures: the set X, one measure or more; all, if None.

    Returns:
        By topic, shape (outputs,).

    Raises:
        ValuesError: if the set is empty or has an unknown measure.

    Example:
        >>> references = [[1, 0.5, 0.4], [0.5, 1, 0.3], [0.4, 0.3, 1]]
        >>> queen(([[0.9, 0.8, 0.7], [0.1, 0.2, 0.1]], references))
        [array([1., 0.])]
    """
    conditions = Conditions.of(topics)
    counts = _count_bits(conditions.together(measures).outputs)
    return conditions.by_topic(counts / conditions.triples[conditions.owner])


def queen_values(conditions: Conditions, sets: Sequence[Sequence[int]]) -> stats.Floats:
    """QUEEN of every output of all topics by each of some sets: shape (sets, outputs)."""
    return np.stack([np.concatenate(queen(conditions, measures)) for measures in sets])


def queen_left_out(conditions: Conditions, measures: Sequence[int] | None = None) -> list[LeftOut]:
    """QUEEN of each reference by the other references, and of the outputs by the same.

    The paper leaves a reference that is compared out of the references, and compares the outputs
    with those that are left (ACL 2005, section 5). Arguments as of :func:`queen`.

    Returns:
        By topic, QUEEN of the set as a single measure.

    Raises:
        ValuesError: as :func:`queen`, or if there are too few references for one to be left out.
    """
    references, outputs = _count_left_out(conditions, conditions.together(measures))
    others = conditions.by_topic(outputs / conditions.left[conditions.owner])
    parts = zip((references / conditions.left).T, others, conditions.references, strict=True)
    return [LeftOut(own[None, :size], theirs[None, :size]) for own, theirs, size in parts]


def _count_left_out(conditions: Conditions, passed: Passed) -> tuple[stats.Ints, stats.Ints]:
    """How many triples without each reference that reference and the outputs pass.

    Shape (references, topics) and (references, outputs of all topics).
    """
    if not conditions.left.all():
        topic = int(np.argmin(conditions.left))
        raise ValuesError(
            f"{conditions.references[topic]} references give no triple when one is left out",
            where=f"topic {topic}",
            remedy="give more references, or choose triples in which a reference may stand twice",
        )
    masks = conditions.without
    outputs = [_count_bits(passed.outputs & mask[:, None]) for mask in masks.T]
    return _count_bits(passed.references & masks[:, :, None]), np.stack(outputs)


def king(topics: Topics, measures: Sequence[int] | None = None) -> stats.Floats:
    """KING(X) = P(∀a ∈ A: QUEEN(m) > QUEEN(a)), exact; its mean over topics is KING of them all.

    The conditions determine which references judge m and a (:class:`Judges`): all except m, as in
    section 5 of the paper, or all of M, as in its formula. A tie with an output counts as 0.
    Arguments and errors are those of :func:`queen_left_out`, or of :func:`queen` with all of M.

    Returns:
        Shape (topics,).

    Example:
        >>> references = [[1, 0.5, 0.4], [0.5, 1, 0.3], [0.4, 0.3, 1]]
        >>> king(Conditions.of(Similarities([[0.1, 0.2, 0.1]], references), "pairs"))
        array([0.66666667])
    """
    conditions = Conditions.of(topics)
    return _king_of(conditions, conditions.together(measures))


def king_by_measure(conditions: Conditions) -> stats.Floats:
    """KING of every single measure: shape (measures, topics). Errors as of :func:`king`."""
    return np.stack([_king_of(conditions, each) for each in conditions.passed])


def _king_of(conditions: Conditions, passed: Passed) -> stats.Floats:
    """Shape (topics,): KING by what references and outputs pass."""
    if conditions.judges is Judges.ALL:
        outputs, references = map(_count_bits, passed)
    else:
        references, outputs = _count_left_out(conditions, passed)
    ahead = references > np.maximum.reduceat(outputs, conditions.starts, axis=-1)
    return np.asarray(ahead.sum(axis=0) / conditions.references)


def _mean_king(shares: stats.Floats) -> stats.Floats:
    """The mean of shape (…, topics), by which measures and sets are compared: shape (…).

    To 12 digits, lest equal ones differ by the topics in which their references are first.
    """
    return np.asarray(shares.mean(axis=-1).round(_DIGITS))


class Cluster(NamedTuple):
    """Some measures, in ascending order."""

    measures: tuple[int, ...]
    best: int
    """The one with the highest KING, the first if tied."""
    king: float
    """Its KING, the mean over topics."""


def _cluster_measures(conditions: Conditions, number: int) -> list[Cluster]:
    """Put the measures into so many clusters, 10 in the paper's Figure 1, uniting the two closest.

    How close two measures are is P(H(x) ↔ H(x')), H being the condition behind QUEEN (ACL workshop
    2005, section 3.2): within a topic over all outputs and triples, then the mean over topics, as
    of KING. The closeness of clusters is that of sets of measures, which accept what all of theirs
    accept. Of pairs that are equally close, the one with the first measures is united. A cluster is
    kept in the place of its first measure.

    Returns:
        The clusters in the order of their first measures, each with its best one.
    """
    members = [[measure] for measure in range(conditions.measures)]
    accepted = [each.outputs for each in conditions.passed]
    close = np.full((len(accepted), len(accepted)), -1.0)
    for row, column in combinations(range(len(accepted)), 2):
        agreeing = _share_agreeing(conditions, accepted[row], accepted[column])
        close[row, column] = close[column, row] = agreeing
    while len(members) > number:
        kept, gone = divmod(int(close.round(_DIGITS).argmax()), len(close))
        accepted[kept] = accepted[kept] & accepted[gone]
        near = np.array([_share_agreeing(conditions, accepted[kept], each) for each in accepted])
        near[kept] = -1
        close[kept] = close[:, kept] = near
        close = np.delete(np.delete(close, gone, axis=0), gone, axis=1)
        members[kept] += members.pop(gone)
        del accepted[gone]
    quality = _mean_king(king_by_measure(conditions)).tolist()
    clusters = [(sorted(each), max(sorted(each), key=quality.__getitem__)) for each in members]
    return [Cluster(tuple(each), best, quality[best]) for each, best in sorted(clusters)]


def _share_agreeing(conditions: Conditions, first: stats.Bits, second: stats.Bits) -> float:
    """The mean over topics of the share of outputs and triples of which both agree."""
    differing = np.add.reduceat(_count_bits(first ^ second), conditions.starts)
    return float((1 - differing / (np.bincount(conditions.owner) * conditions.triples)).mean())


def _greedy_sets(conditions: Conditions, size: int) -> dict[tuple[int, ...], float]:
    """Add, one after another, the measure with which KING is highest; the first one if tied.

    Returns:
        The sets of 1, 2, … measures up to ``size``, in the order in which they were added → the
        mean of KING over topics, which may fall.
    """
    found: dict[tuple[int, ...], float] = {}
    chosen: tuple[int, ...] = ()
    state: Passed | None = None
    for _ in range(size):
        rest = [each for each in range(conditions.measures) if each not in chosen]
        alone = [conditions.passed[each] for each in rest]
        tried = alone if state is None else list(map(state.both, alone))
        kings = [float(_mean_king(_king_of(conditions, each))) for each in tried]
        place = kings.index(max(kings))
        chosen, state = (*chosen, rest[place]), tried[place]
        found[chosen] = kings[place]
    return found


MOST_CLUSTERS = 14
"""Number of the best measures of which all sets are tried: 16,383."""
_FOLDS = 5
_GREEDY = 8
"""Measures that are added one after another."""


@dataclass(frozen=True, slots=True, eq=False)
class SetSearch:
    """KING of many sets on every topic."""

    clusters: list[Cluster]
    """Measures that accept the same outputs (2005, Figure 1)."""
    greedy: dict[tuple[int, ...], float]
    """Sets of measures added one after another → mean KING."""
    measures: int
    """Number of measures; the first sets are these, one each."""
    candidates: tuple[int, ...]
    """Best measures of the clusters, of which every set was tried."""
    tried: int
    """Number of sets that were all tried, before the greedy ones."""
    sets: tuple[tuple[int, ...], ...]
    kings: stats.Floats
    """Shape (sets, topics)."""

    @property
    def best(self) -> int:
        """The set with the highest KING, the first of equal ones, which come by size."""
        return _highest(self.kings)

    @property
    def best_set(self) -> tuple[int, ...]:
        """The measures of the set with the highest KING."""
        return self.sets[self.best]

    @property
    def best_single(self) -> int:
        """The measure with the highest KING."""
        return _highest(self.kings[: self.measures])


def search_sets(conditions: Conditions, clusters: int = 10) -> SetSearch:
    """KING of every measure, of all sets of the best ones of clusters, and of greedy sets.

    There are ``clusters`` at most (Evaluating DUC 2004 tasks, section 3.2).
    """
    measures = conditions.measures
    grouped = _cluster_measures(conditions, min(clusters, measures))
    greedy = _greedy_sets(conditions, min(_GREEDY, measures))
    candidates = tuple(sorted(each.best for each in grouped))
    tried: list[tuple[int, ...]] = [(measure,) for measure in range(measures)]
    for size in range(2, len(candidates) + 1):
        tried += combinations(candidates, size)
    sets = tuple(dict.fromkeys([*tried, *(tuple(sorted(each)) for each in greedy)]))
    kings = np.stack([king(conditions, each) for each in sets])
    return SetSearch(grouped, greedy, measures, candidates, len(tried), sets, kings)


def cross_validate_sets(
    search: SetSearch, seed: int = 0, folds: int = _FOLDS
) -> stats.BootstrapSamples | None:
    """KING of the best combination and of the best measure on topics that did not choose them.

    Of many sets the best one is partly so by chance; what it gains shows on other topics. Topics
    are put into folds at random. None for a single topic, or if no sets of several were tried.
    """
    topics, singles = search.kings.shape[1], search.measures
    if topics < 2 or search.tried == singles:
        return None
    kings = search.kings[: search.tried]  # the others were chosen by all topics
    fold = np.random.default_rng(seed).permutation(topics) % min(folds, topics)
    values = np.empty((2, topics))
    for number in range(int(fold.max()) + 1):
        held_out = fold == number
        known = kings[:, ~held_out]
        pair = [singles + _highest(known[singles:]), _highest(known[:singles])]
        values[:, held_out] = kings[pair][:, held_out]
    return stats.bootstrap_means(values, seed=seed)


def _highest(kings: stats.Floats) -> int:
    return int(np.argmax(_mean_king(kings)))  # the first is the smallest set


_ORDERS = 100
"""Random orders in which outputs come."""


class JackForm(Enum):
    """What two outputs a and a' have to fulfil with a reference m, by every measure of the set."""

    ONE_SIDED = "one-sided"
    """x(a, a') ≤ x(a, m) (ACL 2005, section 3.4)."""
    TWO_SIDED = "two-sided"
    """x(a, a') ≤ x(a, m) and x(a', a) ≤ x(a', m) (ACL workshop 2005, section 2.3)."""


def jack_by_peers(
    topics: Sequence[Similarities],
    measures: Sequence[int],
    form: JackForm = JackForm.TWO_SIDED,
    triples: Triples = Triples.DISTINCT,
    *,
    seed: int = 0,
) -> stats.Floats:
    """JACK = P(∃a, a' ∈ A: QUEEN(a) > 0, QUEEN(a') > 0, a and a' no closer than to m).

    The share of references m with such a couple, when outputs come one after another (ACL workshop
    2005, Figure 3): the mean over 100 random orders of the outputs; the paper does not name its
    order. The papers do not state so, but a couple is two outputs; one and the same, with a
    constant measure, would pass. The ACL paper says in words that a and a' are closer to each other
    than to m; its formula and its criteria state the opposite, and they are followed. QUEEN has all
    references.

    Args:
        topics: with the similarities among outputs.
        measures: the set X.
        form: of the condition.
        triples: of QUEEN.
        seed: of the orders.

    Returns:
        Shape (outputs of the largest topic, topics): JACK of the first 1, 2, … outputs, in the last
        row that of all. A topic with fewer outputs than another keeps its last value.

    Raises:
        ValuesError: as :meth:`Conditions.of`.
    """
    queens, curves = queen(Conditions.of(topics, triples, measures)), []
    for number, (topic, quality) in enumerate(zip(topics, queens, strict=True)):
        assert topic.among_outputs is not None  # noqa: S101 - for the types
        size, references = topic.outputs.shape[1:]
        alive = np.logical_and.outer(quality > 0, quality > 0) & ~np.eye(size, dtype=np.bool_)
        couples = np.repeat(alive[:, :, None], references, axis=2)
        for measure in measures:
            no_closer = topic.among_outputs[measure][:, :, None] <= topic.outputs[measure][:, None]
            couples &= no_closer
            if form is JackForm.TWO_SIDED:
                couples &= no_closer.swapaxes(0, 1)
        first, second, reference = np.nonzero(couples)
        generator, reached = np.random.default_rng(seed + number), np.zeros(size + 1)
        for _ in range(_ORDERS):
            place = generator.permutation(size)
            complete = np.full(references, size)  # when the first couple of a reference is there
            np.minimum.at(complete, reference, np.maximum(place[first], place[second]))
            reached += np.bincount(complete, minlength=size + 1)
        curves.append(np.cumsum(reached[:-1]) / (_ORDERS * references))
    most = max(map(len, curves))
    return np.stack([np.pad(each, (0, most - len(each)), "edge") for each in curves], axis=1)


def people_first(topics: Sequence[LeftOut], seed: int = 0) -> stats.BootstrapSamples:
    """The share of references that are better than all systems on the average over topics.

    "Whether the average quality of a human summariser on all test cases is superior to the average
    quality of any automatic summariser" (ACL 2005, Table 1), which a tie is not. Criteria, whose
    shares are the rows, are measures or QUEEN of sets (:func:`queen_left_out`).
    Topics, which are resampled, have the same criteria, references and systems; resamples ×
    references × systems values are in memory at a time.
    """
    times = stats.bootstrap_weights(len(topics), stats.RESAMPLES, seed) / len(topics)
    shares = []
    for criterion in range(len(topics[0].references)):
        values = zip(
            *((each.references[criterion], each.outputs[criterion]) for each in topics), strict=True
        )
        with np.errstate(invalid="ignore"):  # similarities may be infinite
            references, outputs = (np.tensordot(times, np.stack(each), axes=1) for each in values)
        best = outputs.max(axis=2)
        ahead = (references > best) & ~np.isclose(references, best, rtol=_EQUAL, atol=0)
        shares.append(np.where(np.isnan(times).any(axis=1), np.nan, ahead.mean(axis=1)))
    return stats.BootstrapSamples(np.array(shares))
