"""Small analyses, bags, dendrograms and models for the tests of the core."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from zlib import crc32

import numpy as np
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

from weps.clustering.dendrogram import Dendrogram, Threshold, single_linkage
from weps.coreference.trees import DecisionTree
from weps.features.bags import Bags
from weps.features.registry import feature_by_name
from weps.language.analysis import Analysis, analyse_documents
from weps.model import Model
from weps.reading import Origin
from weps.records import Document
from weps.similarity.columns import Similarity


def document(*blocks: str, rank: int = 1, **fields: object) -> Document:
    return Document(rank=rank, blocks=blocks, **fields)


def analysis_of(*documents: str | Document, name: str = "Thomas Baker") -> Analysis:
    """An analysis; a string stands for a document of one block. Ranks run from 1."""
    made = (
        document(each, rank=rank) if isinstance(each, str) else each
        for rank, each in enumerate(documents, start=1)
    )
    return replace(analyse_documents(name, list(made)), encode=encode_words)


def encode_words(texts: Sequence[str]) -> np.ndarray:
    """Vectors of eight dimensions, alike for texts that share words; 0 for a text without any."""
    counts = np.zeros((len(texts), 8), dtype=np.float32)
    for row, text in zip(counts, texts, strict=True):
        np.add.at(row, [crc32(word.lower().encode()) % 8 for word in text.split()], 1)
    return counts / np.linalg.norm(counts, axis=1, keepdims=True).clip(1)


def sentences_of(analysis: Analysis) -> list[str]:
    """The sentences, tokens between blanks."""
    table = analysis.tokens
    words = [table.surface[index] for index in table.token]
    return [
        " ".join(word for word, at in zip(words, table.sentence, strict=True) if at == number)
        for number in range(len(table.document))
    ]


def contents(bags: Bags) -> list[Counter[str]]:
    """The bags as Python counters, one per document."""
    dense = bags.counts.toarray()
    return [
        Counter({bags.strings[column]: int(row[column]) for column in np.flatnonzero(row).tolist()})
        for row in dense
    ]


def extract(name: str, analysis: Analysis) -> list[Counter[str]]:
    """What a feature of bags finds, one counter per document."""
    return contents(feature_by_name(name).extract(analysis))


def flagged(name: str, analysis: Analysis) -> set[tuple[int, int]]:
    """The pairs of rows that a flag holds for, each in both directions."""
    rows, columns = np.nonzero(~np.eye(len(analysis.documents), dtype=bool))
    shown = feature_by_name(name).extract(analysis)(rows, columns) > 0
    rows, columns = rows[shown], columns[shown]
    return set(zip(rows.tolist(), columns.tolist(), strict=True))


def square(vector: Sequence[float] | np.ndarray, size: int) -> np.ndarray:
    """The symmetric matrix of a condensed vector, 0 on the diagonal."""
    matrix = np.zeros((size, size))
    matrix[np.triu_indices(size, k=1)] = vector
    return matrix + matrix.T


def dendrogram_of(size: int, *probabilities: float) -> Dendrogram:
    return single_linkage(np.array(probabilities, dtype=np.float64), size)


def stump(columns: Sequence[Similarity], asked: Similarity, **parts: object) -> Model:
    """A model: .8 for pairs above .25 in one column, .2 for others; single link down to .5.

    Parts of the model are given by name.
    """
    tree = {
        "column": [columns.index(asked), -1, -1],
        "threshold": [0.25, 0.0, 0.0],
        "left": [1, -1, -1],
        "right": [2, -1, -1],
        "probability": [0.5, 0.2, 0.8],
    }
    usual = {
        "classifier": DecisionTree.from_data(tree, len(columns)),
        "linkage": "single",
        "stopping": dict.fromkeys(Origin, Threshold(0.5)),
    }
    return Model(tuple(columns), **(usual | parts))


def smoothed(classifier: DecisionTreeClassifier, values: np.ndarray) -> np.ndarray:
    """What a scikit-learn tree predicts, had each leaf seen one more pair of either kind."""
    pairs = classifier.tree_.n_node_samples[classifier.apply(values)]
    share = classifier.predict_proba(values) @ classifier.classes_
    return (share * pairs + 1) / (pairs + 2)


def as_sets(clusters: Iterable[Iterable[int]]) -> set[frozenset[int]]:
    return set(map(frozenset, clusters))


_ADDRESSES = ["", "http://a.example/x", "https://www.a.example/x/", "http://b.example", "http://["]
_VOCABULARY = "Thomas Baker baker York york University teaches the of J . , 's O'Brien 42".split()

texts = st.lists(st.sampled_from(_VOCABULARY), max_size=7).map(" ".join)
documents = st.builds(
    Document,
    rank=st.just(1),
    url=st.sampled_from(_ADDRESSES),
    title=texts,
    snippet=texts,
    blocks=st.lists(texts, max_size=3).map(tuple),
    links=st.lists(st.sampled_from(_ADDRESSES), max_size=2).map(tuple),
    emails=st.lists(st.sampled_from(["t@a.example", "b@a.example"]), max_size=2).map(tuple),
)
