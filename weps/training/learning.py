"""Train a model on examples; answer for an example."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from weps.beliefs import Case, fit_beliefs
from weps.calibration import Calibration, fit_calibration
from weps.clustering import LINKS, Dendrogram
from weps.configuration import Configuration
from weps.coreference import Classifier, Ruled
from weps.model import Model
from weps.records import Clustering
from weps.rules import RULES, ruled_columns
from weps.similarity import Similarity
from weps.training.classifiers import grow
from weps.training.example import Example
from weps.training.settings import Settings, folds
from weps.training.stops import LEARNERS, Objective, Unseen, clustering_of
from weps.training.thinning import thinned

__all__ = ["Answered", "answer", "train"]


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
