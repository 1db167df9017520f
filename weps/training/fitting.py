"""Fitting a model to the judged pairs of examples: classifier, stopping rule, calibrations.

How pairs are weighted: a name with p judged pairs gives each of them the weight 1/√p, so that a
name counts in proportion to its pages, not to their square. Of the WePS-1 training names here the
15 with fewer than 30 judged pages have 2 % of all pairs; they get 9 % of the weight. Coreferent
pairs and others have equal weight, so the classifier's confidence stays a share of pairs. Mixed
names are made for training, in any number: together they have a fixed share of the weight.

Stopping rules are fitted to names that the classifier was not fitted to. A *threshold* has the best
mean objective over the names, each name counting once. Thresholds *by origin* are fitted
separately: pages that a search engine returns for a name differ more than pages collected about
rare names, and a threshold from one kind joins too many or too few of the other. The *expected F*
has no parameter: the name's own probabilities decide. A *prior by name*, shifted by the number of
people and the mean probability (:class:`weps.clustering.dendrogram.ExpectedFByName`), needs names
of many people to be fitted: mixed names, which together weigh as much as all others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weps._parallel import Progress, no_progress
from weps.clustering.confidence import ConfidenceExample, fit_page_confidence, fit_person_confidence
from weps.clustering.dendrogram import (
    Dendrogram,
    ExpectedF,
    ExpectedFByName,
    Stopping,
    Threshold,
    name_predictors,
)
from weps.clustering.linkage import linkage_by_name
from weps.coreference.base import fit_calibration
from weps.coreference.classifiers import (
    CLASSIFIERS,
    Classifier,
    Learned,
    MeanClassifier,
    RuleCorrectedClassifier,
)
from weps.errors import SourceError, ValuesError
from weps.model import Model
from weps.reading import Origin
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

Pairs = tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.float64]]
"""Values (pairs, similarities), coreferent (pairs,), weights (pairs,)."""
Objective = Callable[[Clustering, Clustering, Collection[int]], float]
"""The score of an answer, from the answer, the key and the ranks of the name's pages."""
HeldOut = Sequence[tuple[Example, Dendrogram]]
"""Examples, each with the dendrogram of a classifier fitted without it."""

_MIXED_WEIGHT = 0.25
"""Weight of all mixed names together to that of all others. With more, the others are divided too
much; with none, mixed names are joined too much (docs/benchmarks.md)."""
_FEWEST_FOLDS = 2
"""Folds that must remain where mixed names are kept whole."""
_MIN_EXAMPLES = 5
"""Fewest examples of an origin to which a threshold is fitted."""
_SHARPNESS = 8.0
"""Slope of expected F, close to a majority vote. Many small raw probabilities add up to a
recall that cannot be reached; values from 4 to 32 did as well on WePS-1 (docs/systems.md)."""
_SHIFTS = np.linspace(-1.0, 1.0, 9)
"""Shifts of the log odds that are tried for every name."""
_SMOOTHING = np.array([1.0, 2.0, 3.0, 2.0, 1.0])
"""Weights of neighbouring shifts: the score of one name jumps from shift to shift."""
_LEAST_GAIN = 1e-6


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
        ValuesError: if a similarity is infinite or NaN.
    """
    settings = settings or TrainingSettings()
    if not settings.learn_mixed:
        examples = [each for each in examples if not each.components]
    # A threshold varies with the division; for calibrations and priors one is enough.
    repeats = 1 if configuration.stop.startswith("expected-f") else settings.repeats
    divisions = [
        held_out
        for repeat_number in range(repeats)
        for held_out in divide_examples(
            examples, settings.folds, settings.seed * repeats + repeat_number, _FEWEST_FOLDS
        )
    ]
    unseen: list[tuple[Example, Dendrogram]] = []
    for number, held_out in enumerate(divisions):
        progress("fitting classifiers", number, len(divisions) + 1)
        rest = examples_without(examples, held_out)
        classifier = _fit_with_rules(rest, configuration, settings)
        for example in (examples[i] for i in held_out):
            probability = classifier.predict(example.values)
            dendrogram = linkage_by_name(configuration.link)(probability, len(example.ranks))
            unseen.append((example, dendrogram))
    progress("fitting classifiers", len(divisions), len(divisions) + 1)
    stopping = STOPPING_LEARNERS[configuration.stop](unseen, objective)
    cases, forecasts, outcomes, weights = [], [], [], []
    for example, dendrogram in unseen:
        member = example.members().astype(np.int32)
        kept = stopping[example.origin].merges(dendrogram)
        shared = member @ member.T > 0
        cases.append(ConfidenceExample(dendrogram, kept, shared, member.sum(axis=1) > 0))
        judged, coreferent = example.judged()
        forecasts.append(dendrogram.probability[judged])
        outcomes.append(coreferent[judged])
        # Every name has the same weight.
        weights.append(np.full(judged.sum(), 1 / max(int(judged.sum()), 1)))
    model = Model(
        similarities=tuple(similarities),
        classifier=_fit_with_rules(examples, configuration, settings),
        linkage=configuration.link,
        stopping=stopping,
        calibration=fit_calibration(
            np.concatenate(forecasts), np.concatenate(outcomes), np.concatenate(weights)
        ),
        page_confidence=fit_page_confidence(cases),
        person_confidence=fit_person_confidence(cases),
    )
    progress("fitting classifiers", len(divisions) + 1, len(divisions) + 1)
    return model


def answer_example(example: Example, model: Model) -> ExampleAnswer:
    """Predict an example."""
    probability = model.classifier.predict(example.values)
    dendrogram = linkage_by_name(model.linkage)(probability, len(example.ranks))
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


def fit_classifier(kind: str, examples: Sequence[Example], seed: int) -> Learned:
    """Fit a classifier of that kind to the judged pairs of the examples.

    Raises:
        SourceError: if there are no such pairs.
        ValuesError: if a similarity is infinite or NaN.
    """
    classifier = CLASSIFIERS[kind]
    choices: dict[str, Any] = dict(classifier.choices)
    if classifier is MeanClassifier:
        choices |= divide_columns(examples[0].similarities if examples else ())
    pairs = judged_pairs(examples, classifier.most_pairs, seed)
    finite = np.isfinite(pairs[0]).all(axis=0)
    if not finite.all():  # thresholds beside it could not be read back
        raise ValuesError(
            "a similarity is infinite or NaN",
            where=f"column {np.flatnonzero(~finite)[0]} of the pairs to learn from",
            remedy="leave its feature out",
        )
    return classifier.fit(*pairs, **choices, seed=seed)


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


def _threshold_by_origin(held_out: HeldOut, objective: Objective) -> Mapping[Origin, Stopping]:
    """For each origin the threshold of its examples, or of all if these are too few."""
    found = {}
    for origin in Origin:
        alike = [(example, tree) for example, tree in held_out if example.origin is origin]
        enough = len({example.name for example, _ in alike}) >= _MIN_EXAMPLES
        found[origin] = Threshold(learn_threshold(alike if enough else held_out, objective))
    return found


def _shift_by_name(held_out: HeldOut, objective: Objective) -> Mapping[Origin, Stopping]:
    """The prior by name with the best mean objective; mixed names weigh as much as all others."""
    if not held_out:
        return dict.fromkeys(Origin, ExpectedFByName(_SHARPNESS, 0.0, 0.0, 0.0))
    mixed = np.array([bool(example.components) for example, _ in held_out], dtype=bool)
    weights = np.where(mixed, 1 / max(mixed.sum(), 1), 1 / max((~mixed).sum(), 1))
    unshifted = ExpectedF(_SHARPNESS, 0.0)
    predictors = np.array([name_predictors(tree, unshifted) for _, tree in held_out])
    middle = np.average(predictors, axis=0, weights=weights)
    spread = np.sqrt(np.average((predictors - middle) ** 2, axis=0, weights=weights))
    spread = np.where(spread > 0, spread, 1.0)
    design = np.column_stack([np.ones(len(held_out)), (predictors - middle) / spread])
    scores = np.array([_scores_by_shift(*each, objective) for each in held_out])

    def total(coefficients: NDArray[np.float64]) -> float:
        at = (design @ coefficients).clip(_SHIFTS[0], _SHIFTS[-1])
        found = [np.interp(*each) for each in zip(at, repeat(_SHIFTS), scores, strict=False)]
        return float(weights @ found)

    # A local maximum of the total, from zeros, by steps that get smaller.
    best = np.zeros(design.shape[1])
    value, changes = total(best), np.vstack([np.eye(len(best)), -np.eye(len(best))])
    for step in (1.0, 0.5, 0.25, 0.125):
        improved = True
        while improved:
            improved = False
            for change in step * changes:
                if (after := total(best + change)) > value + _LEAST_GAIN:
                    best, value, improved = best + change, after, True
    slopes = best[1:] / spread
    return dict.fromkeys(
        Origin, ExpectedFByName(_SHARPNESS, float(best[0] - slopes @ middle), *slopes.tolist())
    )


def _scores_by_shift(
    example: Example, dendrogram: Dendrogram, objective: Objective
) -> NDArray[np.float64]:
    """Shape (shifts,): the objective after each shift, smoothed over its neighbours."""
    kept = [ExpectedF(_SHARPNESS, _SHARPNESS * each).merges(dendrogram) for each in _SHIFTS]
    score = {
        merges: objective(clustering_after(example, dendrogram, merges), example.key, example.ranks)
        for merges in set(kept)
    }
    padded = np.pad([score[merges] for merges in kept], len(_SMOOTHING) // 2, mode="edge")
    return np.convolve(padded, _SMOOTHING / _SMOOTHING.sum(), mode="valid")


STOPPING_LEARNERS: dict[str, Callable[[HeldOut, Objective], Mapping[Origin, Stopping]]] = {
    "threshold": lambda *given: dict.fromkeys(Origin, Threshold(learn_threshold(*given))),
    "threshold-by-origin": _threshold_by_origin,
    "expected-f": lambda *_: dict.fromkeys(Origin, ExpectedF(_SHARPNESS, 0.0)),
    "expected-f-by-name": _shift_by_name,
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
