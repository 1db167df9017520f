"""Accuracy of estimated scores, and scores estimated from outputs that people have scored.

Error and correlation, per system and per summary, are those of Hirao, Okumura, Yasuda and Isozaki
2007, section 4.1. Kazawa, Arrigan, Hirao and Maeda 2003 use the similarity to scored outputs,
Yasuda et al. 2003 how often a system beats scored ones; both, and the precision of estimates, as
described by Nanba and Okumura, “An automatic method for summary evaluation using multiple
evaluation results by a manual method”, COLING/ACL 2006, sections 2 to 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from weps._parallel import Progress, no_progress
from weps.errors import ValuesError
from weps_eval.meta.correlation import Coefficient, Level, correlate_with_humans
from weps_eval.meta.regression import multiple_regression
from weps_eval.ranking.pwa import redundancy
from weps_eval.stats import (
    RESAMPLES,
    BootstrapSamples,
    Floats,
    Ints,
    as_table,
    bootstrap_shares,
    safe_divide,
    two_way_weights,
)

_BLOCK = 1 << 22
"""Numbers that are kept at a time: 32 MB."""

_DECIMALS = 12
"""Decimals of differences that count, so that equal scores are equal in any order of addition."""


@dataclass(frozen=True, slots=True, eq=False)
class Accuracy:
    """Several learners' estimates against human scores."""

    absolute: BootstrapSamples
    """Mean of |ŷ - y|."""
    squared: BootstrapSamples
    """Mean of (ŷ - y)²."""
    per_system: dict[Coefficient, BootstrapSamples]
    """Mean over systems of the correlation over each system's instances."""
    per_summary: dict[Coefficient, BootstrapSamples]
    """Correlation over all instances."""


def estimate_accuracy(  # noqa: PLR0913 - what is judged, where, by whom, and how it is resampled
    estimates: Floats,
    human: Floats,
    topic: Ints,
    system: Ints,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
    progress: Progress = no_progress,
) -> Accuracy:
    """Everything that the paper compares learners by: error, Pearson's and Spearman's coefficients.

    The text that we have leaves open whether the error is absolute or squared: both are given.

    Args:
        estimates: shape (learners, instances), see
            :func:`~weps_eval.meta.regression.cross_validate_scores`; measures may
            stand among them.
        human: shape (instances,).
        topic: shape (instances,), whole numbers from 0.
        system: shape (instances,), whole numbers from 0.
        resamples: how many, of topics; per system of topics and of systems.
        seed: for the resamples.
        progress: called with the number of coefficients done.
    """
    apart = np.abs(estimates - human)
    topics = np.unique(topic, return_inverse=True)[1]
    sizes = np.tile(np.bincount(topics).astype(np.float64), (len(estimates), 1))

    def mean(errors: Floats) -> BootstrapSamples:
        sums = np.array([np.bincount(topics, each) for each in errors], dtype=np.float64)
        return bootstrap_shares(sums, sizes, resamples=resamples, seed=seed)

    found: dict[Level, dict[Coefficient, BootstrapSamples]] = {}
    for level in (Level.WITHIN_SYSTEM, Level.SEGMENT):
        found[level] = {}
        for done, kind in enumerate((Coefficient.PEARSON, Coefficient.SPEARMAN)):
            progress(f"correlating estimates {level}", done, 2)
            found[level][kind] = correlate_with_humans(
                estimates,
                human,
                topic,
                system,
                level=level,
                kind=kind,
                resamples=resamples,
                seed=seed,
            )
    return Accuracy(mean(apart), mean(apart**2), found[Level.WITHIN_SYSTEM], found[Level.SEGMENT])


def pair_precision(values: Floats, human: Floats, topic: Ints, seed: int = 0) -> BootstrapSamples:
    """Precision: of the pairs of a topic's outputs, how many are ranked as people rank them.

    The text that we have does not state what becomes of ties. Pairs that people tie are no
    pairs, and a pair that the values tie is ranked wrong. Topics are resampled.

    Args:
        values: shape (measures, instances).
        human: shape (instances,).
        topic: shape (instances,), whole numbers from 0.
        seed: of the resamples.
    """
    same, ranked = np.zeros((2, len(values), int(topic.max()) + 1))
    for each in np.unique(topic).tolist():
        rows = np.flatnonzero(topic == each)
        for number, row in enumerate(values):
            counts = redundancy(human[rows], row[rows])
            same[number, each] = counts.same
            ranked[number, each] = counts.same + counts.opposite + counts.tied
    return bootstrap_shares(same, ranked, seed=seed)


def pooled_scores(similarity: Floats, human: Floats, thresholds: Floats) -> Floats:
    """Each output's score by the other outputs of its topic, in proportion to their similarity.

    scr(x) = Σ Sim(x, xⱼ) yⱼ / Σ Sim(x, xⱼ) over the xⱼ with Sim(x, xⱼ) ≥ threshold, x itself left
    out (step 3 and experiment 1 of Nanba and Okumura). Nothing is learned: Kazawa's equation 1 is
    :func:`weighted_subscores`. Similarities of 0 carry no information, so that at least one above 0
    is needed. As an output's own score is left out, low thresholds give
    the best outputs the lowest scores: they are means of the others'. To rank outputs by there is
    :func:`pooled_pairs`.

    Args:
        similarity: shape (outputs, outputs), not below 0; row: the output to be scored, column:
            the one in the pool.
        human: shape (outputs,), finite: y.
        thresholds: shape (thresholds,); in the paper from 0 to 1 at intervals of 0.005.

    Returns:
        Shape (thresholds, outputs); NaN where no output is similar enough.

    Raises:
        ValuesError: if a similarity is below 0.
    """
    table = _of_others(similarity)
    step = max(1, _BLOCK // table.size)
    parts = []
    for start in range(0, len(thresholds), step):
        kept = np.where(table >= thresholds[start : start + step, None, None], table, 0.0)
        parts.append(safe_divide(kept @ human, kept.sum(axis=2)))
    return np.concatenate(parts)


def pooled_pairs(similarity: Floats, human: Floats, threshold: float = 0.0) -> Floats:
    """Scores to rank each two outputs by: neither is in the pool of the other.

    Else the better of two raises the score of the worse one by its own, and is ranked below it.
    The text that we have of experiment 2 does not state it. Arguments and errors as of
    :func:`pooled_scores`, ``threshold`` being the least similarity.

    Returns:
        Shape (outputs, outputs): of the row without the column; NaN on the diagonal and where
        no other output is similar enough.
    """
    table = _of_others(similarity)
    kept = np.where(table >= threshold, table, 0.0)
    some = kept > 0
    others = (some.sum(axis=1)[:, None] - some > 0) & ~np.eye(len(kept), dtype=np.bool_)
    total = kept.sum(axis=1)[:, None] - kept
    sums = (kept @ human)[:, None] - kept * human
    return np.asarray(sums / np.where(others, total, np.nan))


def weighted_subscores(
    similarities: Mapping[int, Floats], human: Floats, topic: Ints, system: Ints, fold: Ints
) -> Floats:
    """The terms of Kazawa's equation 1, scr(x) = Σⱼ wⱼ yᵢⱼ Sim(x, xᵢⱼ) + b, for every output x.

    xᵢⱼ is the output of system j on x's topic i, yᵢⱼ its human score; x itself is left out. The
    text that we have does not state how wⱼ and b are found: here by least squares, those of the
    least length where the scores do not determine them. They are fitted to the other folds, by
    outputs of the systems that these have. If folds are of topics, the other outputs of x's topic
    are its pool; if they are of systems, those by systems outside its fold. Either way the score
    of x has no part in its own estimate, neither in the pool nor in the weights.

    Args:
        similarities: topic → shape (outputs, outputs), not below 0, in the order of the instances
            of the topic; row: the output to be scored, column: the one in the pool.
        human: shape (instances,), finite: y.
        topic: shape (instances,), whole numbers from 0.
        system: shape (instances,), whole numbers from 0.
        fold: shape (instances,), two at least, each of whole topics or each of whole systems; see
            :func:`~weps_eval.meta.regression.assign_folds`.

    Returns:
        Shape (1 + systems, instances): b, then wⱼ yᵢⱼ Sim(x, xᵢⱼ). The sum of a column is the
        estimate; without the term of another output it is that of a pool without this output.

    Raises:
        ValuesError: if a similarity is below 0.
    """
    by_system = int(system.max()) + 1
    terms = np.zeros((by_system, len(human)))
    for each in np.unique(topic).tolist():
        rows = np.flatnonzero(topic == each)
        terms[np.ix_(system[rows], rows)] = (_of_others(similarities[each]) * human[rows]).T
    found = np.zeros((1 + by_system, len(human)))
    for left_out in np.unique(fold):
        out = fold == left_out
        pool = np.unique(system[~out])
        model = multiple_regression(terms[np.ix_(pool, ~out)], human[~out], fold[~out])
        found[0, out] = model.intercept
        found[np.ix_(1 + pool, out)] = model.weights[:, None] * terms[np.ix_(pool, out)]
    return found


def _of_others(similarity: Floats) -> Floats:
    """Similarities, 0 of an output with itself."""
    for row, column in np.argwhere(similarity < 0)[:1].tolist():
        what = f"the similarity of output {row} to output {column} is below 0"
        raise ValuesError(what, where="similarity", remedy="give similarities from 0")
    return np.where(np.eye(len(similarity), dtype=np.bool_), 0.0, similarity)


def relative_scores(
    rates: Floats, human: Floats, limits: tuple[float, float] = (-np.inf, np.inf)
) -> Floats:
    """Each system's score by regression of its rates over the others on their scores.

    W = α + β y is fitted by least squares over the other systems; the score is where the line
    crosses ½, as there a system is as good as the one that it is compared with. Scores beyond
    the range of people's scores are moved into it (section 4.3); not beyond the other systems',
    or the best and the second would be tied, whatever the rates.

    Args:
        rates: W, shape (systems, systems): on which share of their common topics a measure puts
            the row above the column; the diagonal does not matter.
        human: shape (systems,), finite.
        limits: the lowest and the highest score that people give.

    Returns:
        Shape (systems,); NaN where the line is level, or fewer than two systems can be compared.
    """
    others = ~np.isnan(rates) & ~np.eye(len(rates), dtype=np.bool_)
    found = np.full(len(rates), np.nan)
    for system, known in enumerate(others):
        if known.sum() > 1:
            rate, scores = rates[system, known], human[known]
            apart = scores - scores.mean()
            if fall := float(apart @ (rate - rate.mean())):
                away = 0.5 - rate.mean()
                found[system] = scores.mean() + away * (apart @ apart) / fall
    return np.asarray(found.clip(*limits))


@dataclass(frozen=True, slots=True, eq=False)
class PooledEstimates:
    """Scores of outputs estimated from others of their topic, a row for each threshold."""

    estimates: Floats
    """Shape (thresholds, instances); NaN where no output is similar enough."""
    pairs: Sequence[tuple[Ints, Floats]]
    """Instances of each topic, and scores to rank them by, shape (thresholds, outputs, outputs):
    of the row without the column."""

    @classmethod
    def by_means(
        cls, similarities: Mapping[int, Floats], human: Floats, topic: Ints, thresholds: Floats
    ) -> PooledEstimates:
        """Means weighted by similarity, see :func:`pooled_scores` and :func:`pooled_pairs`."""
        estimates = np.full((len(thresholds), len(human)), np.nan)
        pairs = []
        for each, table in similarities.items():
            rows = np.flatnonzero(topic == each)
            estimates[:, rows] = pooled_scores(table, human[rows], thresholds)
            scores = [pooled_pairs(table, human[rows], limit) for limit in thresholds.tolist()]
            pairs.append((rows, np.array(scores)))
        return cls(estimates, pairs)

    @classmethod
    def by_equation_1(
        cls,
        similarities: Mapping[int, Floats],
        human: Floats,
        topic: Ints,
        system: Ints,
        fold: Ints,
    ) -> PooledEstimates:
        """Kazawa's equation 1, see :func:`weighted_subscores`: one row, without a threshold.

        Of a pair neither lends the other its term.
        """
        parts = weighted_subscores(similarities, human, topic, system, fold)
        estimates = parts.sum(axis=0)
        pairs = []
        for each in similarities:
            rows = np.flatnonzero(topic == each)
            scores = estimates[rows, None] - parts[np.ix_(1 + system[rows], rows)].T
            np.fill_diagonal(scores, np.nan)
            pairs.append((rows, scores[None]))
        return cls(estimates[None], pairs)

    @property
    def coverage(self) -> Floats:
        """Shape (thresholds,): share of the instances that have an estimate."""
        return np.asarray((~np.isnan(self.estimates)).mean(axis=1))

    def gap(self, human: Floats, topic: Ints, seed: int = 0) -> BootstrapSamples:
        """The mean distance from human scores over the instances that have an estimate."""
        known = ~np.isnan(self.estimates)
        apart = np.where(known, np.abs(self.estimates - human), 0.0)
        sums, sizes = (
            np.array([np.bincount(topic, row) for row in each]) for each in (apart, known)
        )
        return bootstrap_shares(sums, sizes, seed=seed)

    def precision(
        self, human: Floats, topic: Ints, rival: Floats, seed: int = 0
    ) -> tuple[BootstrapSamples, BootstrapSamples]:
        """The share of pairs ranked as people rank them, and that of a rival on the same pairs.

        Args:
            human: shape (instances,), finite.
            topic: shape (instances,), whole numbers from 0.
            rival: shape (instances,), values of a measure.
            seed: of the resamples of topics.
        """
        right, same, ranked = np.zeros((3, len(self.estimates), int(topic.max()) + 1))
        for rows, scores in self.pairs:
            people, values, number = human[rows], rival[rows], topic[rows[0]]
            ahead = (scores - scores.swapaxes(1, 2)).round(_DECIMALS)
            wanted = (people[:, None] > people) & ~np.isnan(ahead)
            ranked[:, number] = wanted.sum(axis=(1, 2))
            right[:, number] = (wanted & (ahead > 0)).sum(axis=(1, 2))
            same[:, number] = (wanted & (values[:, None] > values)).sum(axis=(1, 2))
        ours, theirs = (bootstrap_shares(hits, ranked, seed=seed) for hits in (right, same))
        return ours, theirs


@dataclass(frozen=True, slots=True, eq=False)
class RelativeQuality:
    """Scores of systems estimated from those of the others by Yasuda's regression, by measure."""

    gap: BootstrapSamples
    """Mean over systems of |estimate - mean score by people|; topics and systems are resampled."""
    precision: BootstrapSamples
    """Share of the pairs of systems that the estimates rank as people do."""
    plain: BootstrapSamples
    """Share of these pairs that the measure's own means rank as people do."""

    @classmethod
    def of(  # noqa: PLR0913 - what is judged, where, by whom, and how it is resampled
        cls,
        values: Floats,
        human: Floats,
        topic: Ints,
        system: Ints,
        *,
        seed: int = 0,
        progress: Progress = no_progress,
    ) -> RelativeQuality:
        """Estimate every system's score, see :func:`relative_scores`.

        Args:
            values: shape (measures, instances).
            human: shape (instances,), finite.
            topic: shape (instances,), whole numbers from 0.
            system: shape (instances,), whole numbers from 0.
            seed: of the resamples.
            progress: called with the number of measures done.
        """
        table = as_table(np.vstack([human, values]), topic, system)
        times, systems = two_way_weights(table.shape[1], table.shape[2], RESAMPLES, seed)
        people, *means = (_system_means(each, times) for each in table)
        limits = (float(human.min()), float(human.max()))
        estimates = []
        for done, by_system in enumerate(table[1:]):
            progress("estimating systems", done, len(values))
            first, second = by_system[:, :, None], by_system[:, None, :]
            won = np.where(first == second, 0.5, first > second)
            compared = ~(np.isnan(first) | np.isnan(second))
            wins, total = (np.tensordot(times, each, axes=1) for each in (won, 1.0 * compared))
            resampled = zip(safe_divide(wins, total), people, strict=True)
            scores = [
                relative_scores(rate, score, limits)
                if np.isfinite(score).all()
                else np.full(len(score), np.nan)
                for rate, score in resampled
            ]
            estimates.append(np.array(scores))
        progress("estimating systems", len(values), len(values))
        gaps = [_mean_gap(each, people, systems) for each in estimates]
        precision, plain = (
            BootstrapSamples.from_rows(
                [_share_ranked_alike(each, people, systems) for each in some]
            )
            for some in (estimates, means)
        )
        return cls(BootstrapSamples.from_rows(gaps), precision, plain)


def system_gap(
    estimates: Floats, human: Floats, topic: Ints, system: Ints, *, seed: int = 0
) -> BootstrapSamples:
    """The gap between the means of systems, of estimates of shape (rows, instances) or NaN."""
    size = (int(topic.max()) + 1, int(system.max()) + 1)
    times, systems = two_way_weights(*size, RESAMPLES, seed)
    people = _system_means(as_table(human, topic, system)[0], times)
    gaps = []
    for row in estimates:
        table = np.full(size, np.nan)
        table[topic, system] = row
        gaps.append(_mean_gap(_system_means(table, times), people, systems))
    return BootstrapSamples.from_rows(gaps)


def _system_means(table: Floats, weights: Floats) -> Floats:
    """Shape (1 + resamples, systems), of values of shape (topics, systems)."""
    known = ~np.isnan(table)
    return safe_divide(weights @ np.where(known, table, 0.0), weights @ known.astype(np.float64))


def _mean_gap(estimates: Floats, people: Floats, weights: Floats) -> Floats:
    """Shape (rows,): the mean gap over the systems that have an estimate."""
    known = np.where(np.isnan(estimates) | np.isnan(people), 0.0, weights)
    apart = np.nan_to_num(np.abs(estimates - people))
    return safe_divide((known * apart).sum(axis=1), known.sum(axis=1))


def _share_ranked_alike(estimates: Floats, people: Floats, weights: Floats) -> Floats:
    """Shape (rows,): of the pairs that people rank, the share ranked alike."""
    ours, theirs = (each[:, :, None] - each[:, None, :] for each in (estimates, people))
    pairs = ((theirs > 0) & ~np.isnan(ours)) * weights[:, :, None] * weights[:, None]
    return safe_divide((pairs * (ours > 0)).sum(axis=(1, 2)), pairs.sum(axis=(1, 2)))
