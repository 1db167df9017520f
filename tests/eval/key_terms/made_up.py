"""Documents, topics and findings, made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from weps_eval.key_terms.concepts import (
    DISTANCES,
    PLACE_PAIRS,
    WEIGHTINGS,
    Occurrences,
    Places,
    Position,
    Topic,
    WordShare,
    _recall_noise_curve,
    concepts_of,
)
from weps_eval.key_terms.sources import KeyTermData, ReadSource
from weps_eval.key_terms.syntax import Positions

HAITI = ("Haiti", "reinstatement of democracy", "UN and USA troops")
TERMS = ("haiti", "soldiers", "un", "usa", "attempt")
EVERYWHERE = (
    *DISTANCES,
    "any word",
    "any distance",
    *(p for two in PLACE_PAIRS.values() for p in two),
)


def places(**shares: float) -> Places:
    """A hundred words at every place, a tenth of them key but where said otherwise."""
    named = {name.replace("_", " "): share for name, share in shares.items()}
    return {place: WordShare(round(100 * named.get(place, 0.1)), 100) for place in EVERYWHERE}


def topic(
    title: str = "Haiti",
    lists: Mapping[str, Sequence[str]] | None = None,
    where: Places | None = None,
    kind: str = "sections",
    words: int = 50,
) -> Topic:
    """A topic about Haiti whose lists are those given, all others that of the paper."""
    chosen = {
        name: list((lists or {}).get(name, TERMS))
        for name, weighting in WEIGHTINGS.items()
        if where is None or where or {weighting.counted, weighting.among} == {Position.ANYWHERE}
    }
    concepts = concepts_of(HAITI)
    return Topic(
        kind,
        title,
        rows=(0, 1),
        concepts=concepts,
        words=words,
        places=places() if where is None else where,
        curves={name: _recall_noise_curve(terms, concepts) for name, terms in chosen.items()},
        candidates={name: len(terms) for name, terms in chosen.items()},
    )


def collected(*collections: Sequence[Topic]) -> KeyTermData:
    """What a study of the topics reads; one source for each of the collections."""
    sources = [
        ReadSource("news", Path("news.zip"), [(None, topics)], True, "made:up", ["A remark."])
        for topics in collections
    ]
    return KeyTermData(sources, None)


def topics_of(batches: Sequence[tuple[None, Sequence[Topic]]], _: object = None) -> Sequence[Topic]:
    """The topics of batches, in place of those that are found in documents."""
    return [topic for _, topics in batches for topic in topics]


texts = st.lists(st.sampled_from(["a", "b/v", "c/h", "d/m", "a/vm", "the"]), max_size=8)
documents = st.lists(texts.map(" ".join), min_size=1, max_size=5)
"""Documents as :func:`occurrences` reads them."""


def occurrences(*documents: str) -> Occurrences:
    """Words in documents, ``haiti/mv``: v immediately before a verb, h head, m modifier."""
    tokens = [
        (row, *word.partition("/")) for row, text in enumerate(documents) for word in text.split()
    ]
    forms = tuple(dict.fromkeys(word for _, word, _, _ in tokens))

    def having(letters: str) -> np.ndarray:
        return np.array([not set(letters).isdisjoint(marks) for *_, marks in tokens], dtype=bool)

    positions = Positions(
        forms=forms,
        form=np.array([forms.index(word) for _, word, _, _ in tokens], dtype=np.int32),
        document=np.array([row for row, *_ in tokens], dtype=np.int32),
        content=np.array([word not in {"the", "of"} for _, word, _, _ in tokens], dtype=bool),
        distance=np.where(having("v"), -1, 0).astype(np.int16),
        subject=having("hm"),
        head=having("h"),
        modifier=having("m"),
        noun_phrase=having("hm"),
    )
    return Occurrences.of(positions, len(documents))
