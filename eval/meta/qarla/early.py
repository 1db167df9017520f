"""The first QARLA estimate (Amigó and others, ACL 2004, section 3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from eval.meta.similarities import Similarities, checked_topics
from eval.ordering import pwa_tally
from weps.errors import ValuesError

__all__ = ["early"]

Floats: TypeAlias = NDArray[np.float64]


def early(topics: Sequence[Similarities]) -> Floats:
    """QARLA(x) = P(x(m, m') > x(a, m')): is another model closer to a model than a peer?

    Over all m' of a topic, all m that are not m', and all a, 9 · 8 · 10 = 720 combinations in the
    paper: the mean over the m' of PWA, models against peers. The paper does not say how topics
    are put together; here each stands alone. A tie is no success, as it writes it.

    Args:
        topics: with two models at least.

    Returns:
        Shape (measures, topics).

    Raises:
        ValuesError: if the topics do not fit together, or one has a single model.
    """
    checked_topics(topics)
    return np.stack([_of_topic(topic, each) for topic, each in enumerate(topics)], axis=1)


def _of_topic(number: int, topic: Similarities) -> Floats:
    """Shape (measures,)."""
    _, peers, models = topic.peers.shape
    if models < 2:
        what = "a single model has no other model to be close to"
        raise ValuesError(what, where=f"topic {number}", remedy="give two at least")
    others = ~np.eye(models, dtype=np.bool_)
    own, theirs = np.nonzero(others)[1], np.tile(np.arange(models), peers)
    return np.array(
        [
            pwa_tally(among[others], apart.ravel(), own, theirs).by_group.mean()
            for among, apart in zip(topic.models, topic.peers, strict=True)
        ]
    )
