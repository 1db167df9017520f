"""Small examples for the tests of training."""

from __future__ import annotations

import numpy as np

from weps.clustering.dendrogram import Dendrogram, single_linkage
from weps.records import Clustering
from weps.similarity.columns import parse_similarity
from weps.training import Example

COLUMNS = (parse_similarity("dice(token)"), parse_similarity("linked"))


def key_of(*groups: set[int], discarded: tuple[int, ...] = ()) -> Clustering:
    return Clustering(tuple(map(frozenset, groups)), frozenset(discarded))


def example_of(key: Clustering, *probabilities: float, name: str = "n") -> Example:
    """An example whose single column is the probability itself; ranks run from 1."""
    size = int((1 + np.sqrt(1 + 8 * len(probabilities))) / 2) if probabilities else 1
    values = np.array(probabilities, dtype=np.float32).reshape(-1, 1)
    return Example(name, tuple(range(1, size + 1)), COLUMNS[:1], values, key)


def random_example(random: np.random.Generator, size: int, people: int = 3) -> Example:
    """Pages of some people; the first of two columns tells them apart most of the time."""
    person = random.integers(0, people, size)
    first, second = np.triu_indices(size, k=1)
    same = (person[first] == person[second]).astype(np.float64)
    values = np.stack([same * 0.5 + random.random(len(same)) * 0.7, random.random(len(same))], 1)
    groups = [set((np.flatnonzero(person == p) + 1).tolist()) for p in set(person.tolist())]
    ranks = tuple(range(1, size + 1))
    return Example(f"n{size}", ranks, COLUMNS, values.astype(np.float32), key_of(*groups))


def unseen_cases(example: Example) -> tuple[Example, Dendrogram]:
    """The example, judged by its first column."""
    probability = example.values[:, 0].astype(np.float64)
    return example, single_linkage(probability, len(example.ranks))


def exact(given_answer: Clustering, key: Clustering, _ranks: object) -> float:
    """1 for the key itself, 0 for anything else."""
    return float(set(given_answer.groups) == set(key.groups))
