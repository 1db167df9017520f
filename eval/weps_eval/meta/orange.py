"""ORANGE: whether measures rank texts written by people above those of systems.

Each model, a reference, is scored by the other models and ranked among the peers, scored by the
same models; only the order of values matters. This is human likeness in the terms of the paper of
2006 (COLING/ACL), next to KING, which requires a model ahead of all peers. Models can also be
treated as peers, each in turn (ACL 2005, section 5). The paper claims that a text which could be a
person's is acceptable to people, and that the reverse is not true; likeness is QUEEN or another
criterion, acceptability the human score.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import rankdata

from weps.errors import ValuesError
from weps_eval.meta.judged import Similarities
from weps_eval.stats.arrays import Floats, as_measure, round_digits
from weps_eval.text.measures.overlap import mean_over_references


@dataclass(frozen=True, slots=True, eq=False)
class LeftOut:
    """Values of measures on the texts of one topic when models are left out; more is better.

    Raises:
        ValuesError: if the shapes do not fit together, there is nothing, or a value is NaN.
    """

    models: Floats
    """Shape (measures, models): of model m by all models but m."""
    peers: Floats
    """Shape (measures, models, peers): of peer a by all models but m."""

    def __post_init__(self) -> None:
        if self.peers.ndim != 3 or not self.peers.size:
            what = f"expected shape (measures, models, peers), none 0, got {self.peers.shape}"
            raise ValuesError(what, where="peers")
        if self.models.shape != self.peers.shape[:2]:
            what = f"shape {self.models.shape} does not fit {self.peers.shape} of the peers"
            raise ValuesError(what, where="models")
        for values, name in ((self.models, "models"), (self.peers, "peers")):
            for measure, model, *_ in np.argwhere(np.isnan(values))[:1].tolist():
                what = f"measure {measure} has NaN where model {model} is left out"
                raise ValuesError(what, where=name, remedy="give it a value, or leave it out")


def left_out(topic: Similarities) -> LeftOut:
    """Judge texts by their mean similarity to the models that are left, to ten digits.

    Raises:
        ValuesError: if there is a single model.
    """
    size = topic.models.shape[1]
    if size < 2:
        what = "a single model leaves none when it is left out"
        raise ValuesError(what, where="models", remedy="give two at least")
    models, peers = np.empty(topic.models.shape[:2]), np.empty(topic.peers.swapaxes(1, 2).shape)
    for model in range(size):
        others = np.arange(size) != model
        models[:, model] = mean_over_references(topic.models[:, model][:, others])
        rows = topic.peers[:, :, others].reshape(-1, size - 1)  # of all measures at once
        peers[:, model] = mean_over_references(rows).reshape(topic.peers.shape[:2])
    return LeftOut(round_digits(models), round_digits(peers))


class Implication(NamedTuple):
    """What follows of being among the highest by one criterion; .5 is nothing, near 1 is all."""

    share: float
    """Share of the texts, the highest by one criterion."""
    acceptable: float
    """Mean standing by acceptability of the most human-like texts."""
    human_like: float
    """Mean standing by likeness of the most acceptable texts."""


def likeness_implications(
    likeness: ArrayLike, acceptability: ArrayLike, shares: Sequence[float]
) -> list[Implication]:
    """How acceptable are the most human-like texts, how human-like the most acceptable?

    The standing of a text is the share of texts below it, those of equal value counted half. Of
    the paper only the opening is available, so this is our way to ask; if likeness implies
    acceptability and not the reverse, the first standing is the higher of the two.

    Args:
        likeness: shape (texts,).
        acceptability: shape (texts,), of the same texts.
        shares: how many of the texts are the highest, more than 0 and at most 1; all that are as
            high as the last of them belong to them.

    Raises:
        ValuesError: if values are missing, NaN, not numbers, or not equally many, or for a share
            that cannot be.
    """
    like, accepted = as_measure(likeness, "likeness"), as_measure(acceptability, "acceptability")
    if len(like) != len(accepted):
        what = f"{len(like)} and {len(accepted)} texts cannot be paired"
        raise ValuesError(what, remedy="give both for each text")
    return [
        Implication(
            share, _mean_standing(accepted, like, share), _mean_standing(like, accepted, share)
        )
        for share in shares
    ]


def _mean_standing(values: Floats, criterion: Floats, share: float) -> float:
    """The mean standing by value of the texts that are the highest by the criterion."""
    if not 0 < share <= 1:
        what = f"expected a share of the texts, got {share}"
        raise ValuesError(what, remedy="more than 0, at most 1")
    size = len(criterion)
    last = np.sort(criterion)[size - math.ceil(round(share * size, 9))]  # .07 · 100 > 7
    standings = (rankdata(values) - 0.5) / size
    return float(standings[criterion >= last].mean())


class Listing(StrEnum):
    """In which list a reference is ranked."""

    APART = "apart"
    """Each reference in a list of its own with the peers, all judged by the other references."""
    TOGETHER = "together"
    """All references in one list with the peers, as the source has it. Peers count with their mean
    over the models left out: they are compared with as many models as the references."""


class AverageRank(NamedTuple):
    """Lin's ORANGE; lower is better."""

    rank: Floats
    """Shape (measures, topics): the average rank of the references, 1 being the first."""
    ratio: Floats
    """Shape (measures, topics): the rank in relation to the length of the list, at most 1, which
    the source calls ORANGE."""


def orange_scores(topics: Sequence[LeftOut], ties: float = 0) -> Floats:
    """ORANGE(x) = P(x(m) > x(a)), m and a judged by all models but m; higher is better.

    A model and a peer of one topic, as in "a human reference is more similar than an automatic
    translation to the rest of human references" (Amigó and others, COLING/ACL 2006, section 2.2).
    The words leave open what a tie counts: 0, ½ (AUC), or 1 for P(x(m) ≥ x(a)).

    Returns:
        Shape (measures, topics); the mean over topics is ORANGE of them all.

    Raises:
        ValuesError: if there are no topics, or they have not equally many measures.
    """
    _check(topics)
    return np.stack([_ahead(each, ties).mean(axis=(1, 2)) for each in topics], axis=1)


def average_rank(topics: Sequence[LeftOut], listing: Listing = Listing.TOGETHER) -> AverageRank:
    """The average rank of the references among the peers (Lin and Och, COLING 2004, section 2).

    Their lists are the thousands of translations that one system can give, ours what several
    systems gave. Equal values share the mean of their ranks, which the source leaves open. In a
    list of its own, a reference has the rank 1 + peers · (1 - ORANGE with ties ½). Errors as of
    :func:`orange_scores`.
    """
    _check(topics)
    ranks, lengths = [], []
    for topic in topics:
        references, peers = topic.peers.shape[1:]
        if listing is Listing.APART:
            behind = 1 - _ahead(topic, ties=0.5)
            ranks.append(1 + behind.sum(axis=2).mean(axis=1))
            lengths.append(peers + 1)
        else:
            values = np.concatenate([topic.models, topic.peers.mean(axis=1)], axis=1)
            ranks.append(rankdata(-values, axis=1)[:, :references].mean(axis=1))
            lengths.append(references + peers)
    rank = np.stack(ranks, axis=1)
    return AverageRank(rank, rank / lengths)


def _ahead(topic: LeftOut, ties: float) -> Floats:
    """Shape (measures, models, peers): 1 where the model is ahead, 0 where it is behind."""
    models = topic.models[:, :, None]
    return np.asarray((models > topic.peers) + ties * (models == topic.peers))


def _check(topics: Sequence[LeftOut]) -> None:
    if len({len(each.models) for each in topics}) != 1:
        what = "expected topics with equally many measures"
        raise ValuesError(what, where="topics", remedy="give all the same measures")
