"""Growing the decision tree and learning where to stop, on names whose key is known.

How pairs are weighted: a name with p judged pairs gives each of them the weight 1/√p, so that a
name counts in proportion to its pages, not to their square. Of the WePS-1 training names here the
15 with fewer than 30 judged pages hold 2 % of all pairs; they get 9 % of the weight. Coreferent
pairs and others weigh alike, so the tree's confidence stays a share of pairs, and the thresholds,
learnt with every name counting once, settle how much confidence is enough.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weps.clustering import Dendrogram, single_link
from weps.coreference import LEAF, DecisionTree
from weps.errors import SourceError
from weps.forms import Origin
from weps.model import Model
from weps.records import Clustering
from weps.similarity import PairTable, Similarity

__all__ = [
    "Example",
    "Objective",
    "Settings",
    "answer",
    "folds",
    "grow",
    "grow_on",
    "learn_threshold",
    "pair_weight",
    "train",
]

_FEWEST = 5
"""Examples of an origin that teach a threshold."""

Objective = Callable[[Clustering, Clustering, Collection[int]], float]
"""How good an answer is, from the answer, the key and the ranks of the name's pages."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What can be chosen about a tree; the defaults come from cross-validation on WePS-1."""

    depth: int = 6
    leaf: int = 100
    """Fewest pairs in a leaf: smaller ones learn single names by heart."""
    folds: int = 5
    """Parts of the training names; each is judged by a tree that has not seen it."""
    repeats: int = 3
    """Different divisions into parts; a threshold learnt from one of them varies too much."""
    seed: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A name to learn from: its pairs, and who is who."""

    name: str
    """Identifier of the name in its source."""
    ranks: tuple[int, ...]
    """Ranks of the n pages."""
    values: NDArray[np.float32]
    """Shape (n(n-1)/2, similarities)."""
    key: Clustering
    origin: Origin = Origin.SEARCH

    @classmethod
    def of(cls, name: str, table: PairTable, key: Clustering, origin: Origin) -> Example:
        """The example that a pair table and a key make."""
        ranks = tuple(document.rank for document in table.analysis.documents)
        return cls(name, ranks, table.values, key, origin)

    def judged(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which pairs the key judges, and which of these are coreferent.

        Returns:
            Two arrays of shape (n(n-1)/2,). A pair is judged if both pages stand in the key, and
            coreferent if they stand in one group of it (EMNLP 2009, section 4.1).
        """
        member = np.array([[rank in group for group in self.key.groups] for rank in self.ranks])
        member = member.reshape(len(self.ranks), len(self.key.groups)).astype(np.int32)
        first, second = np.triu_indices(len(self.ranks), k=1)
        inside = member.sum(axis=1) > 0
        coreferent = (member @ member.T)[first, second] > 0
        return inside[first] & inside[second], coreferent


def train(
    examples: Sequence[Example],
    similarities: Sequence[Similarity],
    objective: Objective,
    settings: Settings | None = None,
) -> Model:
    """Grow a tree on all examples; learn the thresholds where trees had not seen the name.

    Each origin has a threshold of its own, if enough examples teach it: pages that a search
    engine returns for a name differ more than pages collected about rare names, and a threshold
    from one kind puts too many or too few of the other together (docs/benchmarks.md).
    """
    settings = settings or Settings()
    unseen: list[tuple[Example, Dendrogram]] = []
    for held_out in _divisions(len(examples), settings):
        rest = [each for i, each in enumerate(examples) if i not in held_out]
        tree = grow(rest, settings)
        unseen += [(examples[i], dendrogram(examples[i], tree)) for i in held_out]
    thresholds = {
        origin: learn_threshold(_of_origin(unseen, origin), objective) for origin in Origin
    }
    return Model(tuple(similarities), grow(examples, settings), thresholds)


def answer(example: Example, model: Model) -> Clustering:
    """What the model says of an example."""
    return _clustering(example, dendrogram(example, model.tree), model.thresholds[example.origin])


def _divisions(size: int, settings: Settings) -> Iterator[list[int]]:
    """The parts held out, division after division."""
    for repeat in range(settings.repeats):
        yield from folds(size, settings.folds, settings.seed * settings.repeats + repeat)


def _of_origin(
    unseen: Sequence[tuple[Example, Dendrogram]], origin: Origin
) -> Sequence[tuple[Example, Dendrogram]]:
    """The examples of an origin, or all where these are too few to learn from."""
    alike = [(example, tree) for example, tree in unseen if example.origin is origin]
    return alike if len({example.name for example, _ in alike}) >= _FEWEST else unseen


def dendrogram(example: Example, tree: DecisionTree) -> Dendrogram:
    """The single-link dendrogram of an example under a tree."""
    return single_link(tree.predict(example.values), len(example.ranks))


def folds(size: int, parts: int, seed: int) -> list[list[int]]:
    """Divide ``range(size)`` into at most ``parts`` parts at random, none empty."""
    shuffled = np.random.default_rng(seed).permutation(size)
    return [sorted(shuffled[part::parts].tolist()) for part in range(min(parts, size))]


def grow(examples: Sequence[Example], settings: Settings) -> DecisionTree:
    """Grow a tree on the judged pairs of the examples.

    Raises:
        SourceError: if there are no such pairs.
    """
    values, coreferent, weights = [], [], []
    for example in examples:
        judged, truth = example.judged()
        values.append(example.values[judged])
        coreferent.append(truth[judged])
        weights.append(np.full(judged.sum(), pair_weight(judged.sum())))
    if sum(map(len, values)) == 0:
        raise SourceError(
            "there is nothing to learn from: no two pages of the names that are not held out stand "
            "in a key",
            remedy="give more names with their keys, or fewer parts with --cv",
        )
    return grow_on(
        np.concatenate(values), np.concatenate(coreferent), np.concatenate(weights), settings
    )


def pair_weight(judged: int) -> float:
    """What each pair of a name with that many judged pairs weighs, 1/√p."""
    return float(1 / np.sqrt(max(judged, 1)))


def grow_on(
    values: NDArray[np.floating[Any]],
    coreferent: NDArray[np.bool_],
    weights: NDArray[np.floating[Any]],
    settings: Settings,
) -> DecisionTree:
    """Grow a tree on pairs.

    Args:
        values: shape (pairs, similarities), at least one pair.
        coreferent: shape (pairs,).
        weights: shape (pairs,), see :func:`pair_weight`.
        settings: depth, leaf and seed are used.
    """
    from sklearn.tree import DecisionTreeClassifier  # noqa: PLC0415 - only training needs it

    classifier = DecisionTreeClassifier(
        max_depth=settings.depth, min_samples_leaf=settings.leaf, random_state=settings.seed
    )
    return _as_data(classifier.fit(values, coreferent, sample_weight=weights))


def learn_threshold(unseen: Sequence[tuple[Example, Dendrogram]], objective: Objective) -> float:
    """The threshold with the best mean objective over the names, each name counting once.

    Between two neighbouring probabilities at which something merges nothing changes, so all
    thresholds there are: one in each gap, the widest of equally good gaps preferred.
    """
    merging = {merge.probability for _, tree in unseen for merge in tree.merges}
    steps = sorted({0.0, *merging, 1.0 + 1e-6})
    candidates = np.array([(low + high) / 2 for low, high in pairwise(steps)])
    total = np.zeros(len(candidates))
    for example, tree in unseen:
        total += _curve(example, tree, candidates, objective)
    best = np.flatnonzero(total >= total.max() - 1e-9)
    widths = np.diff(steps)[best]
    return float(candidates[best[widths.argmax()]])


def _curve(
    example: Example, tree: Dendrogram, thresholds: NDArray[np.float64], objective: Objective
) -> NDArray[np.float64]:
    """Shape (thresholds,): the objective of the example at each of them."""
    merging = np.sort([merge.probability for merge in tree.merges])
    held = len(merging) - np.searchsorted(merging, thresholds)
    curve = np.zeros(len(thresholds))
    for count in np.unique(held):
        same = held == count
        given = _clustering(example, tree, float(thresholds[same][0]))
        curve[same] = objective(given, example.key, example.ranks)
    return curve


def _clustering(example: Example, tree: Dendrogram, threshold: float) -> Clustering:
    clusters = tree.cut(threshold)
    return Clustering(tuple(frozenset(example.ranks[row] for row in rows) for rows in clusters))


def _as_data(classifier: Any) -> DecisionTree:
    """Take the arrays out of a fitted scikit-learn tree.

    Leaves are smoothed as if each had one more pair of either kind, so that no finite number of
    training pairs makes the tree certain.
    """
    inner = classifier.tree_
    weight = dict(zip(classifier.classes_.tolist(), inner.value[:, 0, :].T, strict=True))
    share = weight.get(True, 0.0) / inner.value.sum(axis=(1, 2))
    leaf = inner.children_left == LEAF
    return DecisionTree(
        column=np.where(leaf, LEAF, inner.feature).astype(np.int32),
        threshold=np.where(leaf, 0.0, inner.threshold),
        left=inner.children_left.astype(np.int32),
        right=inner.children_right.astype(np.int32),
        probability=(share * inner.n_node_samples + 1) / (inner.n_node_samples + 2),
    )
