"""Fitting a model to the judged pairs of examples: classifier, stopping rule, calibrations.

How pairs are weighted: a name with p judged pairs gives each of them the weight 1/√p, so that a
name counts in proportion to its pages, not to their square. Of the WePS-1 training names here the
15 with fewer than 30 judged pages have 2 % of all pairs; they get 9 % of the weight. Coreferent
pairs and others have equal weight, so the classifier's confidence stays a share of pairs. Mixed
names are made for training, in any number: together they have a fixed share of the weight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weps._parallel import Progress, no_progress
from weps.clustering.confidence import ConfidenceExample, fit_page_confidence, fit_person_confidence
from weps.clustering.dendrogram import Dendrogram
from weps.clustering.linkage import linkage_by_name
from weps.coreference.base import Calibration, Classifier, fit_calibration
from weps.coreference.rules import RuleCorrectedClassifier
from weps.errors import SourceError
from weps.model import Model
from weps.records import Clustering
from weps.similarity.columns import Similarity
from weps.systems import RULES, Configuration, divide_columns, split_columns
from weps.training.examples import (
    Example,
    TrainingSettings,
    divide_examples,
    examples_without,
    subsampled_copies,
)
from weps.training.learners import fit_boosted, fit_forest, fit_hbr, fit_linear, fit_mean, fit_tree
from weps.training.stopping import (
    STOPPING_LEARNERS,
    HeldOut,
    Objective,
    clustering_after,
)

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
    columns: Callable[[Sequence[Similarity]], dict[str, Any]] | None = None
    """Further keyword arguments of the function: which columns its parts are over."""


_BOOSTED: dict[str, float] = {"rounds": 200, "leaves": 4, "leaf": 40}
_LINEAR: dict[str, float] = {"penalty": 300}
FITTERS = {
    # Leaves of fewer pairs overfit single names.
    "tree": Fitter(fit_tree, {"depth": 6, "leaf": 100}),
    "boosted": Fitter(fit_boosted, _BOOSTED, most_pairs=600),
    "forest": Fitter(fit_forest, {"size": 40, "leaf": 20}, most_pairs=300),
    "logistic": Fitter(fit_linear, _LINEAR, most_pairs=600),
    "mean": Fitter(fit_mean, _BOOSTED | _LINEAR, most_pairs=600, columns=divide_columns),
    "hbr": Fitter(fit_hbr, {"rivals": 100, "samples": 200, "shown": 5_000}, most_pairs=600),
}
"""Kind of classifier → how it is fitted."""


def fit_classifier(kind: str, examples: Sequence[Example], seed: int) -> Classifier:
    """Fit a classifier of that kind to the judged pairs of the examples.

    Raises:
        SourceError: if there are no such pairs.
    """
    fitter = FITTERS[kind]
    choices: dict[str, Any] = dict(fitter.choices)
    if fitter.columns:
        choices |= fitter.columns(examples[0].similarities if examples else ())
    return fitter.fit(*judged_pairs(examples, fitter.most_pairs, seed), **choices, seed=seed)


_MIXED_WEIGHT = 0.25
"""Weight of all mixed names together to that of all others. With more, the others are divided too
much; with none, mixed names are joined too much (docs/benchmarks.md)."""


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
    values, coreferent, weights, mixed = [], [], [], []
    for example in examples:
        judged, truth = example.judged()
        rows = np.flatnonzero(judged)
        total = len(rows)
        if most is not None and total > most:
            rows = np.sort(generator.choice(rows, most, replace=False))
        values.append(example.values[rows])
        coreferent.append(truth[rows])
        weights.append(np.full(len(rows), pair_weight(total) * total / max(len(rows), 1)))
        mixed.append(np.full(len(rows), bool(example.components)))
    if sum(map(len, values)) == 0:
        raise SourceError(
            "there are no training pairs: no two pages of the names that are not held out are "
            "in a key",
            remedy="give more names with their keys, or fewer parts with --cv",
        )
    weight, of_mixed = np.concatenate(weights), np.concatenate(mixed)
    if of_mixed.any() and not of_mixed.all():
        weight[of_mixed] *= _MIXED_WEIGHT * weight[~of_mixed].sum() / weight[of_mixed].sum()
    return np.concatenate(values), np.concatenate(coreferent), weight / weight.mean()


def pair_weight(judged: int) -> float:
    """The weight of each pair of a name with that many judged pairs, 1/√p."""
    return float(1 / np.sqrt(max(judged, 1)))


_FEWEST_FOLDS = 2
"""Folds that must remain where mixed names are kept whole."""


@dataclass(frozen=True, slots=True, eq=False)
class ExampleAnswer:
    """The predictions of a model for an example, pages in the order of its ranks."""

    clustering: Clustering
    probability: NDArray[np.float64]
    """Shape (n(n-1)/2,): calibrated probability that two pages are about one person."""
    page_confidence: NDArray[np.float64]
    """Shape (n,): calibrated probability that a page is in the right cluster."""
    one_person: NDArray[np.float64]
    """Calibrated probability that all pages of a group are one person, in the groups' order."""


def train(  # noqa: PLR0913, PLR0917 - what is learnt from, the system, and who is told
    examples: Sequence[Example],
    similarities: Sequence[Similarity],
    configuration: Configuration,
    objective: Objective,
    settings: TrainingSettings | None = None,
    progress: Progress = no_progress,
) -> Model:
    """Fit a classifier to all examples, and the rest to cross-validated predictions.

    Args:
        examples: names with exactly these similarities.
        similarities: the columns, in order.
        configuration: of the model.
        objective: maximised by thresholds.
        settings: divisions and seed.
        progress: called with the number of classifiers fitted.

    Raises:
        SourceError: if there are no judged pairs.
    """
    settings = settings or TrainingSettings()
    if not settings.learn_mixed:
        examples = [each for each in examples if not each.components]
    divisions = _divisions(examples, configuration, settings)
    unseen: list[tuple[Example, Dendrogram]] = []
    for number, held_out in enumerate(divisions):
        progress("fitting classifiers", number, len(divisions) + 1)
        unseen += _predict_held_out(examples, held_out, configuration, settings)
    progress("fitting classifiers", len(divisions), len(divisions) + 1)
    stopping = STOPPING_LEARNERS[configuration.stop](unseen, objective)
    cases = []
    for example, dendrogram in unseen:
        kept = stopping[example.origin].merges(dendrogram)
        member = example.members().astype(np.int32)
        shared, judged = member @ member.T > 0, member.sum(axis=1) > 0
        cases.append(ConfidenceExample(dendrogram, kept, shared, judged))
    model = Model(
        similarities=tuple(similarities),
        classifier=_fit_with_rules(examples, configuration, settings),
        linkage=configuration.link,
        stopping=stopping,
        calibration=_calibrate_pairs(unseen),
        page_confidence=fit_page_confidence(cases),
        person_confidence=fit_person_confidence(cases),
    )
    progress("fitting classifiers", len(divisions) + 1, len(divisions) + 1)
    return model


def answer_example(example: Example, model: Model) -> ExampleAnswer:
    """Predict an example."""
    dendrogram = model.dendrogram(example.values, len(example.ranks))
    merges = model.stopping[example.origin].merges(dendrogram)
    clusters = dendrogram.clusters(merges)
    one_person, _ = model.person_confidence.of_nodes(dendrogram)
    node_of = dendrogram.node_of_rows(merges)
    return ExampleAnswer(
        clustering_after(example, dendrogram, merges),
        model.calibration(dendrogram.probability),
        model.page_confidence.scores_of(dendrogram, clusters),
        one_person[[node_of[rows[0]] for rows in clusters]],
    )


def _fit_with_rules(
    examples: Sequence[Example], configuration: Configuration, settings: TrainingSettings
) -> Classifier:
    """A classifier fitted to the examples and their subsamples, adjusted by rules."""
    similarities = examples[0].similarities if examples else ()
    seen, ruled, weights = split_columns(similarities, RULES[configuration.rules])
    # Subsample first: a similarity may be derived from one that the classifier does not use.
    copies = [
        copy
        for each in examples
        if not each.components  # mixed names have many people already
        for copy in subsampled_copies(each, configuration.copies, settings.seed)
    ]
    wanted = [similarities[column] for column in seen]
    narrow = [each.with_similarities(wanted) for each in [*examples, *copies]]
    fitted = fit_classifier(configuration.classifier, narrow, settings.seed)
    return RuleCorrectedClassifier(fitted, seen, ruled, weights) if len(ruled) else fitted


def _divisions(
    examples: Sequence[Example], configuration: Configuration, settings: TrainingSettings
) -> list[list[int]]:
    """Places of the examples held out in turn, each as often as there are divisions."""
    # A threshold varies with the division; for calibrations and priors one is enough.
    repeats = 1 if configuration.stop.startswith("expected-f") else settings.repeats
    return [
        held_out
        for repeat in range(repeats)
        for held_out in divide_examples(
            examples, settings.folds, settings.seed * repeats + repeat, _FEWEST_FOLDS
        )
    ]


def _predict_held_out(
    examples: Sequence[Example],
    held_out: Sequence[int],
    configuration: Configuration,
    settings: TrainingSettings,
) -> Iterator[tuple[Example, Dendrogram]]:
    """The examples held out, scored by a classifier fitted without them."""
    rest = examples_without(examples, held_out)
    classifier = _fit_with_rules(rest, configuration, settings)
    for example in (examples[i] for i in held_out):
        probability = classifier.predict(example.values)
        yield example, linkage_by_name(configuration.link)(probability, len(example.ranks))


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
