"""Words with their positions, and tagged documents, made by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from tests.weps.builders import document
from weps.key_terms.clauses import Positions
from weps.key_terms.occurrences import Occurrences
from weps.language.analysis import Analysis, Layer, Marks, analyse_documents

_STOP_WORDS = frozenset({"the", "of"})

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
        content=np.array([word not in _STOP_WORDS for _, word, _, _ in tokens], dtype=bool),
        distance=np.where(having("v"), -1, 0).astype(np.int16),
        subject=having("hm"),
        head=having("h"),
        modifier=having("m"),
        noun_phrase=having("hm"),
    )
    return Occurrences.of(positions, len(documents))


def tagged(*documents: Sequence[str], name: str = "Thomas Baker") -> Analysis:
    """Documents of sentences, words with tags between blanks: ``the/DET president/NOUN``."""
    split = [[[word.split("/") for word in each.split()] for each in d] for d in documents]
    blocks = [[" ".join(word for word, _ in sentence) for sentence in d] for d in split]
    marks = [
        (number, word, tag)
        for number, sentence in enumerate(sentence for d in split for sentence in d)
        for word, tag in sentence
    ]
    return analyse_documents(
        name, [document(*each) for each in blocks], {Layer.TAGS: Marks.of(marks)}
    )
