"""QARLA: QUEEN, the probability that a text passes for a model, and KING (ACL 2005, section 3).

The condition behind QUEEN is x(a, m) ≥ x(m', m''), of all texts and triples in bits. A set of
measures accepts a text on a triple if each of them does (section 3.2), so that its bits are the
intersection of theirs, 64 triples to an instruction, and QUEEN is the number of bits set. The bits
are computed once; 59 measures of 100 topics with 35 peers and 11 models take 35 MB, in general
measures × texts × triples / 8 bytes, where peers and models are texts.

A model is also a text, compared with the others: its bits represent the triples of all models, and
those that contain the model itself are left out of the count, unless it is judged by all models
(:class:`Judges`). The first QARLA estimate is that of Amigó and others, ACL 2004, section 3.1.

JACK asks whether the peers are varied and good enough to evaluate measures with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum
from functools import reduce
from typing import NamedTuple

import numpy as np

from weps.errors import ValuesError
from weps_eval.meta.judged import Similarities, checked_measures, checked_topics
from weps_eval.meta.orange import LeftOut
from weps_eval.ranking.pwa import pwa_counts
from weps_eval.stats.arrays import Bits, Flags, Floats, Ints, pack_bits
from weps_eval.stats.estimate import RESAMPLES, BootstrapSamples, bootstrap_weights

DIGITS = 12
"""Decimals that count: equal shares, added up in another order, differ after them."""
_EQUAL = 1e-12
"""Means no further apart, in relation to their size, are equal: added up in another order."""


def early_estimate(topics: Sequence[Similarities]) -> Floats:
    """QARLA(x) = P(x(m, m') > x(a, m')): is another model closer to a model than a peer?

    Over all m' of a topic, all m that are not m', and all a, 9 · 8 · 10 = 720 combinations in the
    paper: the mean over the m' of PWA, models against peers. The paper does not state how topics
    are put together; here each stands alone. A tie is no success, as it writes it.

    Returns:
        Shape (measures, topics).

    Raises:
        ValuesError: if the topics do not fit together, or one has a single model.
    """
    found = np.empty((checked_topics(topics), len(topics)))
    for number, topic in enumerate(topics):
        _, peers, models = topic.peers.shape
        if models < 2:
            what = "a single model has no other model to be close to"
            raise ValuesError(what, where=f"topic {number}", remedy="give two at least")
        others = ~np.eye(models, dtype=np.bool_)
        own, theirs = np.nonzero(others)[1], np.tile(np.arange(models), peers)
        for measure, (among, apart) in enumerate(zip(topic.models, topic.peers, strict=True)):
            counts = pwa_counts(among[others], apart.ravel(), own, theirs)
            found[measure, number] = counts.by_group.mean()
    return found


class Triples(StrEnum):
    """Whether a model may stand twice in a triple (m, m', m'') of x(a, m) ≥ x(m', m'').

    The papers write M × M × M (ACL 2005, section 3.2) and speak of "a model" and "the other two"
    (section 3.1), of "two models" and "a third model" (section 3.3): three models, then. With
    three references and one of them left out, as in translation (2006), there are no three.

    (m', m'') and (m'', m') are two triples throughout: for a symmetric measure they give the same
    and leave the probability as it is; of another one, to take either of them would let the
    result depend on the order in which the models are given.
    """

    DISTINCT = "distinct"
    """Three models, n(n-1)(n-2) triples; the default, as the papers explain themselves."""
    PAIRS = "pairs"
    """m' and m'' are two models, and m is any: n²(n-1) triples."""
    ALL = "all"
    """M × M × M to the letter, n³ triples: a model is compared with itself, too."""

    @property
    def fewest(self) -> int:
        """How many models there must be for a triple."""
        return {Triples.DISTINCT: 3, Triples.PAIRS: 2, Triples.ALL: 1}[self]

    def of(self, models: int) -> Ints:
        """All triples of so many models: shape (3, triples), in the order of m, m', m''.

        Raises:
            ValuesError: if there are none.
        """
        if models < self.fewest:
            looser = next((each for each in Triples if each.fewest <= models), None)
            advice = f", or choose the triples {looser.value!r}" if looser else ""
            what = f"{models} models give no triple of kind {self.value!r}"
            raise ValuesError(what, where="models", remedy=f"give {self.fewest} at least{advice}")
        triples = np.indices((models,) * 3).reshape(3, -1)
        model, first, second = triples
        if self is Triples.ALL:
            return triples
        kept = first != second
        if self is Triples.DISTINCT:
            kept &= (model != first) & (model != second)
        return np.asarray(triples[:, kept])


class Judges(StrEnum):
    """Models by which KING judges a model and the peers.

    The formula has QUEEN with M for both (ACL 2005, section 3.3); the test of section 5 takes the
    model for a peer and leaves it out of M. With all of M a model is compared with itself, too, as
    no peer is: where nothing is more alike, it passes at least one of n distinct triples, whatever
    the measure, so that random measures are well above 1 / (peers + 1).
    """

    LEFT_OUT = "left-out"
    """The models but the one; the default."""
    ALL = "all"
    """All models, a model by itself, too; to the letter."""


class Passed(NamedTuple):
    """Which texts of a panel pass which triples, by every measure of some set.

    Words first, so that those of many texts are processed together.
    """

    peers: Bits
    """Shape (words, peers of all topics)."""
    models: Bits
    """Shape (words, models, topics)."""

    def both(self, other: Passed) -> Passed:
        """What the measures of both sets accept."""
        return Passed(self.peers & other.peers, self.models & other.models)


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """Topics that have equally many models, and so the same triples."""

    topics: tuple[int, ...]
    """Which topics they are."""
    starts: Ints
    """Shape (topics,): where the peers of each begin."""
    sizes: Ints
    """Shape (topics,): how many peers each has."""
    triples: int
    """How many triples of models there are."""
    without: Bits
    """Shape (models, words): for each model the triples that it is no part of."""
    passed: tuple[Passed, ...]
    """Texts that pass, by measure."""


@dataclass(frozen=True, slots=True, eq=False)
class Conditions:
    """The QUEEN condition of every measure on every text and triple of every topic."""

    measures: int
    topics: int
    panels: tuple[Panel, ...]
    judges: Judges = Judges.LEFT_OUT
    """For KING; it changes nothing else."""

    @classmethod
    def of(
        cls,
        topics: Sequence[Similarities],
        triples: Triples = Triples.DISTINCT,
        measures: Sequence[int] | None = None,
        judges: Judges = Judges.LEFT_OUT,
    ) -> Conditions:
        """Compare everything: measures × texts × triples comparisons of each topic.

        Args:
            topics: all with the same measures, whatever the numbers of peers and models.
            triples: of which models.
            measures: which, all if None; they are renumbered.
            judges: by which models KING has texts judged.

        Raises:
            ValuesError: if the topics do not fit together, there is no such measure, or some
                topic has too few models for a triple.
        """
        chosen = checked_measures(measures, checked_topics(topics))
        sizes = [each.peers.shape[2] for each in topics]
        panels = []
        for size in sorted(set(sizes)):
            members = [topic for topic, models in enumerate(sizes) if models == size]
            panels.append(_panel(topics, members, triples.of(size), chosen))
        return cls(len(chosen), len(topics), tuple(panels), judges)

    def together(self, measures: Sequence[int] | None = None) -> tuple[Passed, ...]:
        """Texts that all of the measures (None: all there are) accept, by panel.

        Raises:
            ValuesError: if there are none, or not these.
        """
        chosen = checked_measures(measures, self.measures)
        return tuple(
            reduce(Passed.both, (panel.passed[measure] for measure in chosen))
            for panel in self.panels
        )


def count_bits(bits: Bits) -> Ints:
    """How many bits are set, words added up: shape (words, …) becomes (…)."""
    return np.asarray(np.bitwise_count(bits).sum(axis=0, dtype=np.int64))


def _panel(
    topics: Sequence[Similarities], members: Sequence[int], triples: Ints, measures: Sequence[int]
) -> Panel:
    sizes = np.array([topics[topic].peers.shape[1] for topic in members])
    models = np.arange(topics[members[0]].peers.shape[2])
    outside = (triples[None] != models[:, None, None]).all(axis=1)
    model, first, second = triples

    def bits(values: Floats, required: Floats) -> Bits:
        """Shape (words, texts)."""
        return np.ascontiguousarray(pack_bits(values[:, model] >= required).T)

    passed = []
    for measure in measures:
        peers, own = [], []
        for topic in (topics[member] for member in members):
            required = topic.models[measure][first, second]
            peers.append(bits(topic.peers[measure], required))
            own.append(bits(topic.models[measure], required))
        passed.append(Passed(np.concatenate(peers, axis=1), np.stack(own, axis=2)))
    starts = np.cumsum(sizes) - sizes
    without = pack_bits(outside)
    return Panel(tuple(members), starts, sizes, triples.shape[1], without, tuple(passed))


def queen(conditions: Conditions, measures: Sequence[int] | None = None) -> list[Floats]:
    """QUEEN(a) = P(∀x ∈ X: x(a, m) ≥ x(m', m'')) over the triples of models, exact.

    Args:
        conditions: of the topics.
        measures: the set X, one measure or more; all, if None.

    Returns:
        By topic, shape (peers,).

    Raises:
        ValuesError: if the set is empty or has an unknown measure.
    """
    found: list[Floats] = [np.empty(0)] * conditions.topics
    together = conditions.together(measures)
    for panel, passed in zip(conditions.panels, together, strict=True):
        shares = count_bits(passed.peers) / panel.triples
        for topic, values in zip(panel.topics, np.split(shares, panel.starts[1:]), strict=True):
            found[topic] = values
    return found


def queen_values(conditions: Conditions, sets: Sequence[Sequence[int]]) -> Floats:
    """QUEEN of every peer of all topics by each of some sets: shape (sets, peers)."""
    return np.stack([np.concatenate(queen(conditions, measures)) for measures in sets])


def queen_left_out(conditions: Conditions, measures: Sequence[int] | None = None) -> list[LeftOut]:
    """QUEEN of each model by the other models, and of the peers by the same.

    The paper leaves a model that is compared out of the models, and compares the peers with those
    that are left (ACL 2005, section 5). Arguments as of :func:`queen`.

    Returns:
        By topic, QUEEN of the set as a single measure.

    Raises:
        ValuesError: as :func:`queen`, or if there are too few models for one to be left out.
    """
    found: dict[int, LeftOut] = {}
    for panel, passed in zip(conditions.panels, conditions.together(measures), strict=True):
        left, *passing = _count_left_out(panel, passed)
        models, peers = (each / left[:, None] for each in passing)
        for place, topic in enumerate(panel.topics):
            own = slice(panel.starts[place], panel.starts[place] + panel.sizes[place])
            found[topic] = LeftOut(models[None, :, place], peers[None, :, own])
    return [found[topic] for topic in range(conditions.topics)]


def _count_left_out(panel: Panel, passed: Passed) -> tuple[Ints, Ints, Ints]:
    """Without each model: how many triples there are, and how many that model and the peers pass.

    Shape (models,), (models, topics) and (models, peers of all topics).
    """
    left = count_bits(panel.without.T)
    if not left.all():
        what = f"{len(left)} models give no triple when one is left out"
        remedy = "give more models, or choose triples in which a model may stand twice"
        raise ValuesError(what, where=f"topic {panel.topics[0]}", remedy=remedy)
    models = count_bits(passed.models & panel.without.T[:, :, None])
    peers = [count_bits(passed.peers & mask[:, None]) for mask in panel.without]
    return left, models, np.stack(peers)


def king(conditions: Conditions, measures: Sequence[int] | None = None) -> Floats:
    """KING(X) = P(∀a ∈ A: QUEEN(m) > QUEEN(a)), exact; its mean over topics is KING of them all.

    The conditions determine which models judge m and a (:class:`Judges`): all except m, as in
    section 5 of the paper, or all of M, as in its formula. A tie with a peer counts as 0.
    Arguments and errors are those of :func:`queen_left_out`, or of :func:`queen` with all of M.

    Returns:
        Shape (topics,).
    """
    return king_from_passed(conditions, conditions.together(measures))


def king_by_measure(conditions: Conditions) -> Floats:
    """KING of every single measure: shape (measures, topics). Errors as of :func:`king`."""
    return np.stack([king(conditions, [measure]) for measure in range(conditions.measures)])


def king_from_passed(conditions: Conditions, passed: Sequence[Passed]) -> Floats:
    """Shape (topics,): KING by what models and peers pass, by panel. Errors as of :func:`king`."""
    shares = np.empty(conditions.topics)
    for panel, conditions_met in zip(conditions.panels, passed, strict=True):
        if conditions.judges is Judges.ALL:
            peers, models = map(count_bits, conditions_met)
        else:
            _, models, peers = _count_left_out(panel, conditions_met)
        best = np.maximum.reduceat(peers, panel.starts, axis=-1)
        shares[list(panel.topics)] = (models > best).mean(axis=0)
    return shares


def mean_king(shares: Floats) -> Floats:
    """The mean of shape (…, topics), by which measures and sets are compared: shape (…).

    To 12 digits, lest equal ones differ by the topics in which their models are first.
    """
    return np.asarray(shares.mean(axis=-1).round(DIGITS))


_ORDERS = 100
"""Random orders in which peers come."""


class JackForm(Enum):
    """What two peers a and a' have to fulfil with a model m, by every measure of the set."""

    ONE_SIDED = "one-sided"
    """x(a, a') ≤ x(a, m) (ACL 2005, section 3.4)."""
    TWO_SIDED = "two-sided"
    """x(a, a') ≤ x(a, m) and x(a', a) ≤ x(a', m) (ACL workshop 2005, section 2.3)."""


def jack_scores(
    topics: Sequence[Similarities],
    measures: Sequence[int] | None = None,
    form: JackForm = JackForm.TWO_SIDED,
    triples: Triples = Triples.DISTINCT,
) -> Floats:
    """JACK = P(∃a, a' ∈ A: QUEEN(a) > 0, QUEEN(a') > 0, a and a' no closer than to m).

    The share of models m with such a couple; its mean over topics is JACK of them all. The papers
    do not state so, but a couple is two peers; one and the same, with a constant measure, would
    pass. The ACL paper says in words that a and a' are closer to each other than to m; its
    formula and its criteria state the opposite, and they are followed. QUEEN has all models.

    Args:
        topics: with the similarities among peers.
        measures: the set X; all, if None.
        form: of the condition.
        triples: of QUEEN.

    Returns:
        Shape (topics,); 0 for a single peer.

    Raises:
        ValuesError: as :meth:`weps_eval.meta.qarla.Conditions.of`, or no similarities among peers.
    """
    couples = _fulfilling_pairs(topics, measures, form, triples)
    return np.array([each.any(axis=(0, 1)).mean() for each in couples])


def jack_by_peers(
    topics: Sequence[Similarities],
    measures: Sequence[int] | None = None,
    form: JackForm = JackForm.TWO_SIDED,
    triples: Triples = Triples.DISTINCT,
    *,
    seed: int = 0,
) -> Floats:
    """JACK when peers come one after another (ACL workshop 2005, Figure 3).

    The mean over 100 random orders of the peers, of ``seed``, and over topics; the paper does not
    name its order. A topic with fewer peers than another keeps its last value. Other arguments and
    errors as of :func:`jack_scores`.

    Returns:
        Shape (peers of the largest topic,): JACK of the first 1, 2, … peers.
    """
    couples = _fulfilling_pairs(topics, measures, form, triples)
    largest = max(len(each) for each in couples)
    generator = np.random.default_rng(seed)
    curves = [_jack_by_peer_count(each, largest, generator) for each in couples]
    return np.asarray(np.mean(curves, axis=0))


def _fulfilling_pairs(
    topics: Sequence[Similarities], measures: Sequence[int] | None, form: JackForm, triples: Triples
) -> list[Flags]:
    """Whether two peers fulfil the condition with a model, by topic: (peers, peers, models)."""
    chosen = checked_measures(measures, checked_topics(topics))
    queens = queen(Conditions.of(topics, triples, chosen))
    found = []
    for number, (topic, quality) in enumerate(zip(topics, queens, strict=True)):
        if topic.among_peers is None:
            what = "JACK needs similarities among peers"
            raise ValuesError(what, where=f"topic {number}", remedy="give them")
        alive = np.logical_and.outer(quality > 0, quality > 0)
        couples = alive[:, :, None] & ~np.eye(len(alive), dtype=np.bool_)[:, :, None]
        for measure in chosen:
            among, apart = topic.among_peers[measure], topic.peers[measure]
            no_closer = among[:, :, None] <= apart[:, None, :]
            couples = couples & no_closer
            if form is JackForm.TWO_SIDED:
                couples &= no_closer.swapaxes(0, 1)
        found.append(couples)
    return found


def _jack_by_peer_count(couples: Flags, largest: int, generator: np.random.Generator) -> Floats:
    """Shape (largest,): the mean over orders of the share of models that have a couple."""
    size, _, models = couples.shape
    first, second, model = np.nonzero(couples)
    reached = np.zeros(largest + 1)
    for _ in range(_ORDERS):
        place = generator.permutation(size)
        complete = np.full(models, largest)  # when the first couple of a model is there
        np.minimum.at(complete, model, np.maximum(place[first], place[second]))
        reached += np.bincount(complete, minlength=largest + 1)
    return np.asarray(np.cumsum(reached[:-1]) / (_ORDERS * models))


def people_first(topics: Sequence[LeftOut], seed: int = 0) -> BootstrapSamples:
    """The share of references that are better than all systems on the average over topics.

    "Whether the average quality of a human summariser on all test cases is superior to the average
    quality of any automatic summariser" (ACL 2005, Table 1), which a tie is not. Criteria, whose
    shares are the rows, are measures or QUEEN of sets (:func:`queen_left_out`).
    Topics, which are resampled, have the same criteria, references and systems; resamples ×
    references × systems values are in memory at a time.
    """
    times = bootstrap_weights(len(topics), RESAMPLES, seed) / len(topics)
    unknown = np.isnan(times).any(axis=1)
    shares = []
    for criterion in range(len(topics[0].models)):
        with np.errstate(invalid="ignore"):  # similarities may be infinite
            models, peers = (
                np.tensordot(
                    times, np.stack([getattr(each, part)[criterion] for each in topics]), axes=1
                )
                for part in ("models", "peers")
            )
        best = peers.max(axis=2)
        ahead = (models > best) & ~np.isclose(models, best, rtol=_EQUAL, atol=0)
        shares.append(np.where(unknown, np.nan, ahead.mean(axis=1)))
    return BootstrapSamples.from_rows(shares)
