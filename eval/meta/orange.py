"""ORANGE: do measures rank what people wrote above what systems made?

Each model, a reference, is judged by the other models and put among the peers, judged by the same
models; nothing but the order of values matters. Human likeness in the terms of the paper of 2006,
next to KING, which asks for a model ahead of all peers.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from eval.meta.left_out import LeftOut
from weps.errors import ValuesError

__all__ = ["AverageRank", "Listing", "average_rank", "orange"]

Floats: TypeAlias = NDArray[np.float64]


class Listing(StrEnum):
    """In which list a reference is ranked."""

    APART = "apart"
    """Each reference in a list of its own with the peers, all judged by the other references."""
    TOGETHER = "together"
    """All references in one list with the peers, as the source has it. Peers count with their mean
    over the models left out: as many models judge them as judge the references."""


class AverageRank(NamedTuple):
    """Lin's ORANGE; lower is better."""

    rank: Floats
    """Shape (measures, topics): the average rank of the references, 1 being the first."""
    ratio: Floats
    """Shape (measures, topics): the rank in relation to the length of the list, at most 1, which
    the source calls ORANGE."""


def orange(topics: Sequence[LeftOut], ties: float = 0) -> Floats:
    """ORANGE(x) = P(x(m) > x(a)), m and a judged by all models but m; higher is better.

    A model and a peer of one topic, as in "a human reference is more similar than an automatic
    translation to the rest of human references" (Amigó and others, COLING/ACL 2006, section 2.2).

    Args:
        topics: all with the same measures.
        ties: what a tie counts, which the words leave open: 0, ½ (AUC), or 1 for P(x(m) ≥ x(a)).

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
    list of its own, a reference has the rank 1 + peers · (1 - ORANGE with ties ½).

    Args:
        topics: all with the same measures.
        listing: in which list a reference is ranked.

    Raises:
        ValuesError: as :func:`orange`.
    """
    _check(topics)
    ranked = [_ranks(each, listing) for each in topics]
    ranks, lengths = (np.array(each) for each in zip(*ranked, strict=True))
    return AverageRank(ranks.T, ranks.T / lengths)


def _ranks(topic: LeftOut, listing: Listing) -> tuple[Floats, int]:
    """Shape (measures,): the average rank of the references, and the length of the list."""
    references, peers = topic.peers.shape[1:]
    if listing is Listing.APART:
        behind = 1 - _ahead(topic, ties=0.5)
        return 1 + behind.sum(axis=2).mean(axis=1), peers + 1
    values = np.concatenate([topic.models, topic.peers.mean(axis=1)], axis=1)
    ranks = rankdata(-values, axis=1)
    return ranks[:, :references].mean(axis=1), references + peers


def _ahead(topic: LeftOut, ties: float) -> Floats:
    """Shape (measures, models, peers): 1 where the model is ahead, 0 where it is behind."""
    models = topic.models[:, :, None]
    return np.asarray((models > topic.peers) + ties * (models == topic.peers))


def _check(topics: Sequence[LeftOut]) -> None:
    if len({len(each.models) for each in topics}) != 1:
        what = "there are no topics, or they have not equally many measures"
        raise ValuesError(what, where="topics", remedy="give all the same measures")
