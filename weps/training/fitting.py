"""Fitting a model to the judged pairs of examples: classifier, stopping rule, calibrations.

How pairs are weighted: a name with p judged pairs gives each of them the weight 1/√p, so that a
name counts in proportion to its pages, not to their square. Of the WePS-1 training names here the
15 with fewer than 30 judged pages have 2 % of all pairs; they get 9 % of the weight. Coreferent
pairs and others have equal weight, so the classifier's confidence stays a share of pairs.

Stopping rules are fitted on names that the classifier was not fitted to. A *threshold* has the best
mean objective over the names, each name counting once. Thresholds *by origin* are fitted
separately: pages that a search engine returns for a name differ more than pages collected about
rare names, and a threshold from one kind joins too many or too few of the other. The *expected F*
has no parameter: the name's own probabilities decide.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weps.clustering.confidence import ConfidenceExample, fit_page_confidence
from weps.clustering.dendrogram import Dendrogram
from weps.clustering.linkage import LINKAGES
from weps.clustering.stopping import ExpectedF, Stopping, Threshold
from weps.coreference.base import Calibration, Classifier, fit_calibration
from weps.coreference.rules import RuleCorrectedClassifier
from weps.errors import SourceError
from weps.model import Model
from weps.page_forms import Origin
from weps.records import Clustering
from weps.similarity import Similarity
from weps.systems import RULES, Configuration, split_columns
from weps.training.examples import Example, TrainingSettings, make_folds, subsampled_copies
from weps.training.learners import fit_boosted, fit_forest, fit_hbr, fit_linear, fit_mean, fit_tree

Pairs = tuple[NDArray[np.floating[Any]], NDArray[np.bool_], NDArray[np.floating[Any]]]
"""Values (pairs, similarities), coreferent (pairs,), weights (pairs,)."""


@dataclass(frozen=True, slots=True)
class Fitter:
    """How a kind of classifier is fitted."""

    fit: Callable[..., Classifier]
    choices: dict[str, float]
    """Keyword arguments of the function, chosen by cross-validation on WePS-1."""
    most_pairs: int | None = None
    """Pairs sampled from each example; None for all. Pairs of one name are redundant."""


FITTERS = {
    # Leaves of fewer pairs overfit single names.
    "tree": Fitter(fit_tree, {"depth": 6, "leaf": 100}),
    "boosted": Fitter(fit_boosted, {"rounds": 100, "leaves": 4, "leaf": 40}, most_pairs=600),
    "forest": Fitter(fit_forest, {"size": 40, "leaf": 20}, most_pairs=300),
    "logistic": Fitter(fit_linear, {"penalty": 100}, most_pairs=600),
    "mean": Fitter(
        fit_mean, {"rounds": 200, "leaves": 4, "leaf": 40, "penalty": 100}, most_pairs=600
    ),
    "hbr": Fitter(fit_hbr, {"rivals": 100, "samples": 200, "shown": 5_000}, most_pairs=600),
}
"""Kind of classifier → how it is fitted."""


def fit_classifier(kind: str, examples: Sequence[Example], seed: int) -> Classifier:
    """Fit a classifier of that kind to the judged pairs of the examples.

    Raises:
        SourceError: if there are no such pairs.
    """
    fitter = FITTERS[kind]
    return fitter.fit(*judged_pairs(examples, fitter.most_pairs, seed), **fitter.choices, seed=seed)


def judged_pairs(examples: Sequence[Example], most: int | None = None, seed: int = 0) -> Pairs:
    """The judged pairs of the examples.

    Args:
        examples: with the same similarities.
        most: pairs sampled from each example; they get the weight of the others.
        seed: of the sample.

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
            "there are no training pairs: no two pages of the names that are not held out are "
            "in a key",
            remedy="give more names with their keys, or fewer parts with --cv",
        )
    weight = np.concatenate(weights)
    return np.concatenate(values), np.concatenate(coreferent), weight / weight.mean()


def pair_weight(judged: int) -> float:
    """The weight of each pair of a name with that many judged pairs, 1/√p."""
    return float(1 / np.sqrt(max(judged, 1)))


Objective = Callable[[Clustering, Clustering, Collection[int]], float]
"""The score of an answer, from the answer, the key and the ranks of the name's pages."""

HeldOut = Sequence[tuple[Example, Dendrogram]]
"""Examples, each with the dendrogram of a classifier fitted without it."""

_MIN_EXAMPLES = 5
"""Fewest examples of an origin to which a threshold is fitted."""
_SHARPNESS = 8.0
"""Slope of expected F, close to a majority vote. Many small raw probabilities add up to a
recall that cannot be reached; values from 4 to 32 did as well on WePS-1 (docs/systems.md)."""


def _threshold_by_origin(held_out: HeldOut, objective: Objective) -> Mapping[Origin, Stopping]:
    """For each origin the threshold of its examples, or of all if these are too few."""
    found = {}
    for origin in Origin:
        alike = [(example, tree) for example, tree in held_out if example.origin is origin]
        enough = len({example.name for example, _ in alike}) >= _MIN_EXAMPLES
        found[origin] = Threshold(learn_threshold(alike if enough else held_out, objective))
    return found


STOPPING_LEARNERS: dict[str, Callable[[HeldOut, Objective], Mapping[Origin, Stopping]]] = {
    "threshold": lambda *given: dict.fromkeys(Origin, Threshold(learn_threshold(*given))),
    "threshold-by-origin": _threshold_by_origin,
    "expected-f": lambda *_: dict.fromkeys(Origin, ExpectedF(_SHARPNESS, 0.0)),
}
"""Stopping method (:data:`weps.systems.STOPPING_METHODS`) → function that fits it."""


def learn_threshold(held_out: HeldOut, objective: Objective) -> float:
    """The threshold with the best mean objective over the names, each name counting once.

    The clustering changes only at the probabilities of merges, so the candidates are all
    gaps between them; the widest of equally good gaps is preferred.
    """
    merging = {merge.probability for _, tree in held_out for merge in tree.merges}
    steps = sorted({0.0, *merging, 1.0 + 1e-6})
    candidates = np.array([(low + high) / 2 for low, high in pairwise(steps)])
    total = np.zeros(len(candidates))
    for example, tree in held_out:
        levels = np.sort([merge.probability for merge in tree.merges])
        kept = len(levels) - np.searchsorted(levels, candidates)
        for count in np.unique(kept):
            answer = clustering_after(example, tree, int(count))
            total[kept == count] += objective(answer, example.key, example.ranks)
    best = np.flatnonzero(total >= total.max() - 1e-9)
    widths = np.diff(steps)[best]
    return float(candidates[best[widths.argmax()]])


def clustering_after(example: Example, dendrogram: Dendrogram, merges: int) -> Clustering:
    """The answer for an example after so many merges."""
    clusters = dendrogram.clusters(merges)
    return Clustering(tuple(frozenset(example.ranks[row] for row in rows) for rows in clusters))


@dataclass(frozen=True, slots=True, eq=False)
class ExampleAnswer:
    """The predictions of a model for an example, pages in the order of its ranks."""

    clustering: Clustering
    probability: NDArray[np.float64]
    """Shape (n(n-1)/2,): calibrated probability that two pages are about one person."""
    page_confidence: NDArray[np.float64]
    """Shape (n,): calibrated probability that a page is in the right cluster."""


def train(
    examples: Sequence[Example],
    similarities: Sequence[Similarity],
    configuration: Configuration,
    objective: Objective,
    settings: TrainingSettings | None = None,
) -> Model:
    """Fit a classifier to all examples, and the rest to cross-validated predictions.

    Args:
        examples: names with exactly these similarities.
        similarities: the columns, in order.
        configuration: of the model.
        objective: maximised by thresholds.
        settings: divisions and seed.

    Raises:
        SourceError: if there are no judged pairs.
    """
    settings = settings or TrainingSettings()
    unseen = list(_held_out(examples, configuration, settings))
    stopping = STOPPING_LEARNERS[configuration.stop](unseen, objective)
    cases = []
    for example, dendrogram in unseen:
        clusters = dendrogram.clusters(stopping[example.origin].merges(dendrogram))
        member = example.members().astype(np.int32)
        shared, judged = member @ member.T > 0, member.sum(axis=1) > 0
        cases.append(ConfidenceExample(clusters, dendrogram, shared, judged))
    return Model(
        similarities=tuple(similarities),
        classifier=_fit_with_rules(examples, configuration, settings),
        linkage=configuration.link,
        stopping=stopping,
        calibration=_calibrate_pairs(unseen),
        page_confidence=fit_page_confidence(cases),
    )


def answer_example(example: Example, model: Model) -> ExampleAnswer:
    """Predict an example."""
    dendrogram = model.dendrogram(example.values, len(example.ranks))
    merges = model.stopping[example.origin].merges(dendrogram)
    return ExampleAnswer(
        clustering_after(example, dendrogram, merges),
        model.calibration(dendrogram.probability),
        model.page_confidence.scores_of(dendrogram, dendrogram.clusters(merges)),
    )


def _fit_with_rules(
    examples: Sequence[Example], configuration: Configuration, settings: TrainingSettings
) -> Classifier:
    """A classifier fitted to the examples and their subsamples, adjusted by rules."""
    similarities = examples[0].similarities if examples else ()
    seen, ruled, weights = split_columns(similarities, RULES[configuration.rules])
    # Subsample first: a second-order similarity may compare one that the classifier does not use.
    copies = [
        copy
        for each in examples
        for copy in subsampled_copies(each, configuration.copies, settings.seed)
    ]
    wanted = [similarities[column] for column in seen]
    narrow = [each.with_similarities(wanted) for each in [*examples, *copies]]
    fitted = fit_classifier(configuration.classifier, narrow, settings.seed)
    return RuleCorrectedClassifier(fitted, seen, ruled, weights) if len(ruled) else fitted


def _held_out(
    examples: Sequence[Example], configuration: Configuration, settings: TrainingSettings
) -> Iterator[tuple[Example, Dendrogram]]:
    """Each example, as often as there are divisions, scored by a classifier fitted without it."""
    # Without fitting, divisions do not vary: one is enough for the calibration.
    repeats = 1 if configuration.stop == "expected-f" else settings.repeats
    for repeat in range(repeats):
        seed = settings.seed * repeats + repeat
        for held_out in make_folds(len(examples), settings.folds, seed):
            rest = [each for i, each in enumerate(examples) if i not in held_out]
            classifier = _fit_with_rules(rest, configuration, settings)
            for example in (examples[i] for i in held_out):
                probability = classifier.predict(example.values)
                yield example, LINKAGES[configuration.link](probability, len(example.ranks))


def _calibrate_pairs(held_out: HeldOut) -> Calibration:
    """The calibration of judged pairs; every name has the same weight."""
    forecasts, outcomes, weights = [], [], []
    for example, dendrogram in held_out:
        judged, coreferent = example.judged()
        forecasts.append(dendrogram.probability[judged])
        outcomes.append(coreferent[judged])
        weights.append(np.full(judged.sum(), 1 / max(int(judged.sum()), 1)))
    return fit_calibration(
        np.concatenate(forecasts), np.concatenate(outcomes), np.concatenate(weights)
    )
