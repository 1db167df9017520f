"""Growing a classifier on the judged pairs of examples.

How pairs are weighted: a name with p judged pairs gives each of them the weight 1/√p, so that a
name counts in proportion to its pages, not to their square. Of the WePS-1 training names here the
15 with fewer than 30 judged pages hold 2 % of all pairs; they get 9 % of the weight. Coreferent
pairs and others weigh alike, so the classifier's confidence stays a share of pairs.

Learning where to stop, on names that the classifier has not seen.

A *threshold* has the best mean objective over the names, each name counting once. Thresholds *by
origin* are learnt apart: pages that a search engine returns for a name differ more than pages
collected about rare names, and a threshold from one kind puts too many or too few of the other
together. The *expected F* learns nothing: it is the name's own probabilities that decide.

Train a model on examples; answer for an example.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weps.clustering.confidence import Case, fit_beliefs
from weps.clustering.dendrogram import Dendrogram
from weps.clustering.linkage import LINKS
from weps.clustering.stopping import ExpectedF, Stopping, Threshold
from weps.coreference.base import Classifier
from weps.coreference.calibration import Calibration, fit_calibration
from weps.coreference.rules import Ruled
from weps.errors import SourceError
from weps.model import Model
from weps.page_forms import Origin
from weps.records import Clustering
from weps.similarity import Similarity
from weps.systems import RULES, Configuration, ruled_columns
from weps.training.examples import Example, Settings, folds, thinned
from weps.training.learners import draw_rivals, grow_boosted, grow_forest, grow_tree

__all__ = [
    "GROWERS",
    "LEARNERS",
    "Answered",
    "Grower",
    "Objective",
    "Unseen",
    "answer",
    "clustering_of",
    "grow",
    "learn_threshold",
    "pair_weight",
    "pairs_of",
    "train",
]

Pairs = tuple[NDArray[np.floating[Any]], NDArray[np.bool_], NDArray[np.floating[Any]]]
"""Values (pairs, similarities), coreferent (pairs,), weights (pairs,)."""


@dataclass(frozen=True, slots=True)
class Grower:
    """A way to grow a classifier."""

    grow: Callable[..., Classifier]
    choices: dict[str, float]
    """What was chosen by cross-validation on WePS-1, for the function."""
    most_pairs: int | None = None
    """Pairs taken of each example, by chance; None for all. Pairs of one name repeat each other."""


GROWERS = {
    # Leaves of fewer pairs learn single names by heart.
    "tree": Grower(grow_tree, {"depth": 6, "leaf": 100}),
    "boosted": Grower(grow_boosted, {"rounds": 100, "leaves": 4, "leaf": 40}, most_pairs=600),
    "forest": Grower(grow_forest, {"size": 40, "leaf": 20}, most_pairs=300),
    "hbr": Grower(draw_rivals, {"rivals": 100, "samples": 200, "shown": 5_000}, most_pairs=600),
}
"""Kind of classifier → how it is grown."""


def grow(kind: str, examples: Sequence[Example], seed: int) -> Classifier:
    """Grow a classifier of that kind on the judged pairs of the examples.

    Raises:
        SourceError: if there are no such pairs.
    """
    grower = GROWERS[kind]
    return grower.grow(*pairs_of(examples, grower.most_pairs, seed), **grower.choices, seed=seed)


def pairs_of(examples: Sequence[Example], most: int | None = None, seed: int = 0) -> Pairs:
    """The judged pairs of the examples.

    Args:
        examples: with the same similarities.
        most: pairs taken of each example; the others' weight is theirs.
        seed: which pairs are taken.

    Raises:
        SourceError: if there are none.
    """
    generator = np.random.default_rng(seed)
    values, coreferent, weights = [], [], []
    for example in examples:
        judged, truth = example.judged()
        rows = np.flatnonzero(judged)
        total = len(rows)
        if most is not None and total > most:
            rows = np.sort(generator.choice(rows, most, replace=False))
        values.append(example.values[rows])
        coreferent.append(truth[rows])
        weights.append(np.full(len(rows), pair_weight(total) * total / max(len(rows), 1)))
    if sum(map(len, values)) == 0:
        raise SourceError(
            "there is nothing to learn from: no two pages of the names that are not held out stand "
            "in a key",
            remedy="give more names with their keys, or fewer parts with --cv",
        )
    weight = np.concatenate(weights)
    return np.concatenate(values), np.concatenate(coreferent), weight / weight.mean()


def pair_weight(judged: int) -> float:
    """What each pair of a name with that many judged pairs weighs, 1/√p."""
    return float(1 / np.sqrt(max(judged, 1)))


Objective = Callable[[Clustering, Clustering, Collection[int]], float]
"""How good an answer is, from the answer, the key and the ranks of the name's pages."""

Unseen = Sequence[tuple[Example, Dendrogram]]
"""Examples, and what a classifier that has not seen them makes of them."""

_FEWEST = 5
"""Examples of an origin that teach a threshold."""
_SHARPNESS = 8.0
"""Of expected F: nearly a majority of yes and no. Raw probabilities add many weak doubts up to a
recall that is never to be had; anything from 4 to 32 did as well on WePS-1 (docs/systems.md)."""


def _one_threshold(unseen: Unseen, objective: Objective) -> Mapping[Origin, Stopping]:
    return dict.fromkeys(Origin, Threshold(learn_threshold(unseen, objective)))


def _threshold_by_origin(unseen: Unseen, objective: Objective) -> Mapping[Origin, Stopping]:
    return {
        origin: Threshold(learn_threshold(_of_origin(unseen, origin), objective))
        for origin in Origin
    }


def _expected_f(_: Unseen, __: Objective) -> Mapping[Origin, Stopping]:
    return dict.fromkeys(Origin, ExpectedF(_SHARPNESS, 0.0))


LEARNERS: dict[str, Callable[[Unseen, Objective], Mapping[Origin, Stopping]]] = {
    "threshold": _one_threshold,
    "threshold-by-origin": _threshold_by_origin,
    "expected-f": _expected_f,
}
"""How to stop (:data:`weps.systems.STOPS`) → what is learnt for it."""


def learn_threshold(unseen: Unseen, objective: Objective) -> float:
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


def clustering_of(example: Example, dendrogram: Dendrogram, merges: int) -> Clustering:
    """The answer for an example after so many merges."""
    clusters = dendrogram.clusters(merges)
    return Clustering(tuple(frozenset(example.ranks[row] for row in rows) for rows in clusters))


def _of_origin(unseen: Unseen, origin: Origin) -> Unseen:
    """The examples of an origin, or all where these are too few to learn from."""
    alike = [(example, tree) for example, tree in unseen if example.origin is origin]
    return alike if len({example.name for example, _ in alike}) >= _FEWEST else unseen


def _curve(
    example: Example, tree: Dendrogram, thresholds: NDArray[np.float64], objective: Objective
) -> NDArray[np.float64]:
    """Shape (thresholds,): the objective of the example at each of them."""
    merging = np.sort([merge.probability for merge in tree.merges])
    held = len(merging) - np.searchsorted(merging, thresholds)
    curve = np.zeros(len(thresholds))
    for count in np.unique(held):
        given = clustering_of(example, tree, int(count))
        curve[held == count] = objective(given, example.key, example.ranks)
    return curve


@dataclass(frozen=True, slots=True, eq=False)
class Answered:
    """What a model says of an example, pages in the order of its ranks."""

    clustering: Clustering
    probability: NDArray[np.float64]
    """Shape (n(n-1)/2,): calibrated probability that two pages are about one person."""
    belief: NDArray[np.float64]
    """Shape (n,): calibrated probability that a page stands with the right pages."""


def train(
    examples: Sequence[Example],
    similarities: Sequence[Similarity],
    configuration: Configuration,
    objective: Objective,
    settings: Settings | None = None,
) -> Model:
    """Grow a classifier on all examples; learn the rest where classifiers had not seen the name.

    Args:
        examples: names with exactly these similarities.
        similarities: the columns, in order.
        configuration: what is to be learnt.
        objective: what thresholds are to be good for.
        settings: divisions and seed.

    Raises:
        SourceError: if there is nothing to learn from.
    """
    settings = settings or Settings()
    unseen = list(_unseen(examples, configuration, settings))
    stopping = LEARNERS[configuration.stop](unseen, objective)
    cases = [
        _case(example, dendrogram, stopping[example.origin].merges(dendrogram))
        for example, dendrogram in unseen
    ]
    return Model(
        similarities=tuple(similarities),
        classifier=_grow(examples, configuration, settings),
        link=configuration.link,
        stopping=stopping,
        calibration=_calibration(unseen),
        beliefs=fit_beliefs(cases),
    )


def answer(example: Example, model: Model) -> Answered:
    """What the model says of an example."""
    dendrogram = model.dendrogram(example.values, len(example.ranks))
    merges = model.stopping[example.origin].merges(dendrogram)
    return Answered(
        clustering_of(example, dendrogram, merges),
        model.calibration(dendrogram.probability),
        model.beliefs.of(dendrogram, dendrogram.clusters(merges)),
    )


def _grow(
    examples: Sequence[Example], configuration: Configuration, settings: Settings
) -> Classifier:
    """A classifier that has learnt from the examples and their copies, corrected by rules."""
    similarities = examples[0].similarities if examples else ()
    seen, ruled, weights = ruled_columns(similarities, RULES[configuration.rules])
    # Copies first: a profile that the classifier sees may be of what it does not see.
    copies = [
        copy for each in examples for copy in thinned(each, configuration.copies, settings.seed)
    ]
    wanted = [similarities[column] for column in seen]
    narrow = [each.narrowed(wanted) for each in [*examples, *copies]]
    grown = grow(configuration.classifier, narrow, settings.seed)
    return Ruled(grown, seen, ruled, weights) if len(ruled) else grown


def _unseen(
    examples: Sequence[Example], configuration: Configuration, settings: Settings
) -> Iterator[tuple[Example, Dendrogram]]:
    """Each example, as often as there are divisions, judged by a classifier without it."""
    # What is not learnt does not vary: one division is enough to calibrate by.
    repeats = 1 if configuration.stop == "expected-f" else settings.repeats
    for repeat in range(repeats):
        seed = settings.seed * repeats + repeat
        for held_out in folds(len(examples), settings.folds, seed):
            rest = [each for i, each in enumerate(examples) if i not in held_out]
            classifier = _grow(rest, configuration, settings)
            for i in held_out:
                yield examples[i], _dendrogram(examples[i], classifier, configuration.link)


def _dendrogram(example: Example, classifier: Classifier, link: str) -> Dendrogram:
    """The dendrogram of an example under a classifier."""
    return LINKS[link](classifier.predict(example.values), len(example.ranks))


def _calibration(unseen: Unseen) -> Calibration:
    """Of judged pairs; every name weighs the same."""
    forecasts, outcomes, weights = [], [], []
    for example, dendrogram in unseen:
        judged, coreferent = example.judged()
        forecasts.append(dendrogram.probability[judged])
        outcomes.append(coreferent[judged])
        weights.append(np.full(judged.sum(), 1 / max(int(judged.sum()), 1)))
    return fit_calibration(
        np.concatenate(forecasts), np.concatenate(outcomes), np.concatenate(weights)
    )


def _case(example: Example, dendrogram: Dendrogram, merges: int) -> Case:
    member = example.members().astype(np.int32)
    clusters = dendrogram.clusters(merges)
    return Case(clusters, dendrogram, member @ member.T > 0, member.sum(axis=1) > 0)
