"""ORANGE: whether measures rank texts written by people above those of systems.

Each reference is scored by the other references and ranked among the outputs, scored by the
same references; only the order of values matters. This is human likeness in the terms of the paper
of 2006 (COLING/ACL), next to KING, which requires a reference ahead of all outputs. References can
also be treated as outputs, each in turn (ACL 2005, section 5). The paper claims that a text which
could be a person's is acceptable to people, and that the reverse is not true; likeness is QUEEN or
another criterion, acceptability the human score.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
from scipy.stats import rankdata

from weps.errors import ValuesError
from weps_eval.meta.correlation import Coefficient, row_coefficients
from weps_eval.stats import (
    BootstrapSamples,
    Floats,
    Ints,
    as_array,
    bootstrap_means,
    bootstrap_weights,
    check_numbers,
    round_digits,
    safe_divide,
)

SHARES = (0.1, 0.25, 0.5)
"""Shares of the outputs that are the highest."""
_RESAMPLES = 300
_MIDDLE, _LEAST = 0.5, 1e-9
_DRAWS = 3
"""Times that references are drawn."""


_AXES = ("measure", "text", "reference")


@dataclass(frozen=True, slots=True, eq=False)
class Similarities:
    """The similarities of one topic, by several measures; more is more similar.

    Of one measure, outputs and references may be given without the first dimension. Lists become
    arrays.

    The row is the text compared, the column the reference, so that x(a, m) and x(m, a) may differ.
    Only the order of values matters; infinite ones are values.

    Raises:
        ValuesError: if the shapes do not fit together, there is nothing, or a value is NaN.

    Example:
        >>> Similarities([[0.9, 0.8]], [[1, 0.5], [0.5, 1]]).outputs.shape
        (1, 1, 2)
    """

    outputs: Floats
    """Shape (measures, outputs, references): x(a, m) of what systems made, the outputs."""
    references: Floats
    """Shape (measures, references, references): x(m, m') of what people wrote, the references."""
    among_outputs: Floats | None = None
    """Shape (measures, outputs, outputs): x(a, a'); JACK alone asks for it."""

    def __post_init__(self) -> None:
        for each in fields(self):
            if (given := getattr(self, each.name)) is not None:
                array = as_array(given, each.name)
                object.__setattr__(self, each.name, array[None] if array.ndim == 2 else array)
        check_numbers(self.outputs, _AXES, "shape (measures, outputs, references)", "outputs")
        measures, outputs, references = self.outputs.shape
        _check(self.references, (measures, references, references), "references")
        if self.among_outputs is not None:
            _check(self.among_outputs, (measures, outputs, outputs), "among outputs")


def _check(values: Floats, shape: tuple[int, ...], name: str) -> None:
    if values.shape != shape:
        raise ValuesError(f"shape {values.shape} does not fit {shape}", where=name)
    check_numbers(values, _AXES, f"shape {shape}", name)


class LeftOut(NamedTuple):
    """Values of measures on the texts of one topic when references are left out; more is better."""

    references: Floats
    """Shape (measures, references): of reference m by all references but m."""
    outputs: Floats
    """Shape (measures, references, outputs): of output a by all references but m."""


def left_out(topic: Similarities) -> LeftOut:
    """Texts judged by their mean similarity to the references that are left, to ten digits.

    There are two references at least.
    """
    size = topic.references.shape[1]
    references, outputs = (
        np.empty(topic.references.shape[:2]),
        np.empty(topic.outputs.swapaxes(1, 2).shape),
    )
    for reference in range(size):
        others = np.arange(size) != reference
        references[:, reference] = topic.references[:, reference][:, others].mean(axis=1)
        outputs[:, reference] = topic.outputs[:, :, others].mean(axis=2)
    return LeftOut(round_digits(references), round_digits(outputs))


def orange_scores(topics: Sequence[LeftOut], ties: float = 0) -> Floats:
    """ORANGE(x) = P(x(m) > x(a)), m and a judged by all references but m; higher is better.

    A reference and an output of one topic, as in "a human reference is more similar than an
    automatic translation to the rest of human references" (Amigó and others, COLING/ACL 2006,
    section 2.2). The words leave open what a tie counts: 0, ½ (AUC), or 1 for P(x(m) ≥ x(a)).

    Returns:
        Shape (measures, topics); the mean over topics is ORANGE of them all.
    """
    return np.stack([_ahead(each, ties).mean(axis=(1, 2)) for each in topics], axis=1)


def average_rank(topics: Sequence[LeftOut]) -> tuple[Floats, Floats]:
    """The average rank of the references among the outputs (Lin and Och, COLING 2004, section 2).

    All references are in one list with the outputs, as the source has it. Its lists are the
    thousands of translations that one system can give, ours what several systems gave; outputs
    count with their mean over the references left out: they are compared with as many as the
    references are. Equal values share the mean of their ranks, which the source leaves open. In a
    list of its own, a reference would have the rank 1 + outputs · (1 - ORANGE with ties ½).

    Returns:
        Shape (measures, topics): the rank, 1 being the first, lower being better; and the rank in
        relation to the length of the list, at most 1, which the source calls ORANGE.
    """
    ranks, lengths = [], []
    for topic in topics:
        values = np.concatenate([topic.references, topic.outputs.mean(axis=1)], axis=1)
        references = topic.references.shape[1]
        ranks.append(rankdata(-values, axis=1)[:, :references].mean(axis=1))
        lengths.append(values.shape[1])
    rank = np.stack(ranks, axis=1)
    return rank, rank / lengths


def _ahead(topic: LeftOut, ties: float) -> Floats:
    """Shape (measures, references, outputs): 1 where the reference is ahead, 0 where behind."""
    references = topic.references[:, :, None]
    return np.asarray((references > topic.outputs) + ties * (references == topic.outputs))


def passing_for_references(left: Sequence[LeftOut], measure: int) -> Floats:
    """Shape (instances,): of the references, those that an output is not behind, by one measure.

    Both are judged by all references but the one. The mean over the outputs of a topic is 1 minus
    ORANGE, so this is the likeness of a text that ORANGE is about.
    """
    return np.concatenate(
        [(each.outputs[measure] >= each.references[measure][:, None]).mean(axis=0) for each in left]
    )


def acceptance_curve(
    likeness: Floats, human: Floats, topic: Ints, seed: int = 0
) -> tuple[BootstrapSamples, BootstrapSamples, BootstrapSamples, BootstrapSamples]:
    """Where the most human-like outputs stand by acceptability, and the reverse; .5 is nothing.

    Of the paper only the opening is available, so this is our way to ask; if likeness implies
    acceptability and not the reverse, the first standing is the higher of the two. Of tied values
    none stands as high as it could. The reach of an implication is therefore the part of the way
    from .5 to where the same share of outputs would stand if they had been selected by the second
    criterion itself: 0 is nothing, 1 is all, NaN where there is no way to go.

    All arrays have shape (instances,); ``human`` is NaN where not judged, but not everywhere.

    Returns:
        Mean standing of the most human-like outputs, and of the most acceptable ones; how far
        likeness implies acceptability, and the reverse. Each has a row for each of :data:`SHARES`;
        topics are resampled.
    """
    rows = np.flatnonzero(~np.isnan(human))
    members = [rows[topic[rows] == each] for each in np.unique(topic[rows])]
    samples = [rows]
    if len(members) > 1:
        for times in bootstrap_weights(len(members), _RESAMPLES, seed)[1:].astype(np.int64):
            drawn = (members[each] for each in np.repeat(np.arange(len(members)), times))
            samples.append(np.concatenate(list(drawn)))
    figures = []
    for each in samples:
        like, accepted = likeness[each], human[each]
        pairs = ((accepted, like), (like, accepted), (accepted, accepted), (like, like))
        found = np.array([[_mean_standing(*pair, share) for share in SHARES] for pair in pairs])
        reached, way = found[:2] - _MIDDLE, found[2:] - _MIDDLE
        reach = safe_divide(reached, np.where(way > _LEAST, way, 0.0))
        figures.append(np.concatenate([found[:2], reach]))
    if len(samples) == 1:
        figures.append(np.full((4, len(SHARES)), np.nan))
    one, other, implied, reverse = map(BootstrapSamples, np.stack(figures, axis=-1))
    return one, other, implied, reverse


def _mean_standing(values: Floats, criterion: Floats, share: float) -> float:
    """The mean standing by value of the texts that are the highest by the criterion.

    The standing of a text is the share of texts below it, those of equal value counted half.

    Args:
        values: shape (texts,).
        criterion: shape (texts,).
        share: how many of the texts are the highest, more than 0 and at most 1; all that are as
            high as the last of them belong to them.
    """
    size = len(criterion)
    last = np.sort(criterion)[size - int(np.ceil(round(share * size, 9)))]  # .07 · 100 > 7
    return float(((rankdata(values) - 0.5) / size)[criterion >= last].mean())


def rank_stability(
    topics: Sequence[Similarities],
    sizes: Sequence[int],
    score: Callable[[Sequence[Similarities]], Floats],
    seed: int = 0,
) -> BootstrapSamples:
    """Kendall's τ of measures ranked by some references with the same by all, for each size.

    References are drawn for each topic separately, three times, and τ is the mean; the same seed
    draws the same references for every score.

    Args:
        topics: similarities with equally many references each.
        sizes: how many references are drawn.
        score: topics → shape (measures, topics).
        seed: of the references drawn and of the resamples of topics.
    """
    generator = np.random.default_rng(seed)

    def means(some: Sequence[Similarities]) -> Floats:
        return bootstrap_means(score(some), seed=seed).rows.T

    def draw(topic: Similarities, size: int) -> Similarities:
        kept = np.sort(generator.choice(topic.references.shape[1], size, replace=False))
        return Similarities(topic.outputs[:, :, kept], topic.references[:, kept][:, :, kept])

    whole, rows = means(topics), []
    for size in sizes:
        drawn = (means([draw(each, size) for each in topics]) for _ in range(_DRAWS))
        taus = [row_coefficients(each, whole, Coefficient.KENDALL) for each in drawn]
        rows.append(np.mean(taus, axis=0))
    return BootstrapSamples(np.array(rows))
