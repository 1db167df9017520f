"""Training: examples read from a source, and a model fitted to their judged pairs.

Most pairs of the WePS-1 training names are coreferent, most pairs of other names are not, so a
model fitted to the former alone joins too many of the latter. A subsample keeps a limited number of
pages per person; second-order similarities and the number of pages are computed again.

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
of many people to be fitted: mixed names, which together weigh as much as all others. Of search
results they are not learnt from: few words tell too little about whether a name has many people.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weps._files import as_path
from weps._parallel import Progress, checked_progress, report_work
from weps.clustering.confidence import ConfidenceExample, fit_page_confidence, fit_person_confidence
from weps.clustering.dendrogram import (
    Dendrogram,
    ExpectedF,
    ExpectedFByName,
    Stopping,
    Threshold,
    linkage_by_name,
    name_predictors,
)
from weps.coreference.base import fit_calibration
from weps.coreference.classifiers import (
    CLASSIFIERS,
    Classifier,
    Learned,
    MeanClassifier,
    RuleCorrectedClassifier,
)
from weps.errors import SourceError, ValuesError, require_type
from weps.model import Model
from weps.people.pages import page_signs
from weps.reading import Origin, PageForm, Reader, available_similarities, page_origin, richest_form
from weps.records import Clustering
from weps.similarity.columns import (
    Similarity,
    condense_matrix,
    derive_similarity,
    pair_position,
    pair_table,
    required_layers,
)
from weps.sources.base import Source
from weps.sources.opening import open_source
from weps.systems import (
    RULES,
    Configuration,
    divide_columns,
    parse_configuration,
    similarities_of,
    split_columns,
)


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A training name: its pairs, and their labels."""

    name: str
    """Identifier of the name in its source."""
    ranks: tuple[int, ...]
    """Ranks of the n pages."""
    similarities: tuple[Similarity, ...]
    """The columns of ``values``."""
    values: NDArray[np.float32]
    """Shape (n(n-1)/2, similarities)."""
    key: Clustering
    origin: Origin = Origin.SEARCH
    components: frozenset[str] = frozenset()
    """The names that a mixed name is made of; empty for others."""

    @property
    def names(self) -> frozenset[str]:
        """The names whose pages these are."""
        return self.components or frozenset({self.name})

    def with_similarities(self, wanted: Sequence[Similarity]) -> Example:
        """The example with these of its columns."""
        values = self.values[:, [self.similarities.index(each) for each in wanted]]
        return replace(self, similarities=tuple(wanted), values=values)

    def members(self) -> NDArray[np.bool_]:
        """Shape (n, groups of the key): which pages are in which group."""
        member = np.array([[rank in group for group in self.key.groups] for rank in self.ranks])
        return member.reshape(len(self.ranks), len(self.key.groups)).astype(bool)

    def judged(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Shapes (n(n-1)/2,): which pairs the key judges, and which of these are coreferent.

        A pair is judged if both pages are in the key, and coreferent if they share a group of it
        (EMNLP 2009, section 4.1).
        """
        member = self.members().astype(np.int32)
        inside = member.sum(axis=1) > 0
        return (
            condense_matrix(np.logical_and.outer(inside, inside)),
            condense_matrix(member @ member.T > 0),
        )


def forms_up_to(form: PageForm) -> tuple[PageForm, ...]:
    """The form and all poorer ones, richest first."""
    return tuple(PageForm)[tuple(PageForm).index(form) :]


def read_examples(
    name: str,
    source: Source,
    similarities: Sequence[Similarity],
    forms: Collection[PageForm] | None = None,
    reader: Reader | None = None,
) -> dict[PageForm, Example]:
    """The examples of one name, one for each form.

    Args:
        name: a name of the source.
        source: where its pages and its key are.
        similarities: the requested columns; a form has those that it supports.
        forms: the requested forms; those richer than the pages are left out. None means the
            richest. Empty if the name has no key.
        reader: how to read the pages.
    """
    if (key := source.key(name)) is None or not key.groups:
        return {}
    search = source.search(name)
    richest, names = richest_form(search), source.component_names(name)
    examples = {}
    for form in forms_up_to(richest):
        if form in (forms or {richest}):
            columns = available_similarities(similarities, form)
            analysis = (reader or Reader()).read(search, form, required_layers(columns))
            examples[form] = Example(
                name,
                tuple(document.rank for document in analysis.documents),
                columns,
                pair_table(analysis, columns).values,
                key,
                page_origin(search),
                names if len(names) > 1 else frozenset(),
            )
    return examples


def read_signs(name: str, source: Source, reader: Reader | None = None) -> dict[int, str]:
    """Rank → the sign of the page, see :func:`weps.people.pages.page_signs`.

    Empty if the pages of the name are not whole.
    """
    search = source.search(name)
    if richest_form(search) is not PageForm.PAGES:
        return {}
    analysis = (reader or Reader()).read(search, PageForm.PAGES)
    return {
        document.rank: sign
        for document, sign in zip(analysis.documents, page_signs(analysis), strict=True)
    }


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """How training divides its names for cross-validation.

    Example:
        >>> once = TrainingSettings(repeats=1)
        >>> model = weps.train(corpus, weps_eval.bcubed_f05, "paper", settings=once)
    """

    folds: int = 5
    """Number of folds; each is scored by a classifier that was fitted without it."""
    repeats: int = 3
    """Number of divisions into folds; a threshold fitted to one of them varies too much."""
    seed: int = 0


def make_folds(size: int, parts: int, seed: int) -> list[list[int]]:
    """Divide ``range(size)`` into at most ``parts`` parts at random, none empty."""
    shuffled = np.random.default_rng(seed).permutation(size)
    return [sorted(shuffled[part::parts].tolist()) for part in range(min(parts, size))]


def divide_examples(
    examples: Sequence[Example], parts: int, seed: int, fewest: int | None = None
) -> list[list[int]]:
    """Divide examples so that no two parts have pages of one name: their positions, none empty.

    Mixed names stay with the names that they are made of, small ones first, as long as that leaves
    enough parts. Those whose names are in several parts are in none.

    Args:
        examples: names and mixed names.
        parts: largest number of parts.
        seed: of the division.
        fewest: smallest number of parts for the sake of which mixed names are left out; None means
            ``parts``.
    """
    units = [each.names for each in examples if not each.components]
    for each in sorted((each for each in examples if each.components), key=lambda e: len(e.ranks)):
        joined = [unit for unit in units if unit & each.names]
        if len(units) - len(joined) + 1 >= (parts if fewest is None else fewest):
            units = [unit for unit in units if unit not in joined]
            units.append(each.names.union(*joined))
    divided = [
        frozenset[str]().union(*(units[at] for at in part))
        for part in make_folds(len(units), parts, seed)
    ]
    return [[i for i, each in enumerate(examples) if each.names <= part] for part in divided]


def examples_without(examples: Sequence[Example], held_out: Collection[int]) -> list[Example]:
    """The examples that have no page of the names at these positions."""
    names = frozenset[str]().union(*(examples[at].names for at in held_out))
    return [each for each in examples if names.isdisjoint(each.names)]


_PAGES_PER_PERSON = (1, 2, 3, 5, 8)
"""Largest number of pages of each person in a subsample; one of these, at random."""
_MIN_PAGES = 10
"""Fewest judged pages of a name to subsample."""
_MIN_PAIRS = 10
"""Fewest judged pairs of a usable subsample."""
_ATTEMPTS_PER_COPY = 3


def subsampled_copies(example: Example, copies: int, seed: int) -> list[Example]:
    """Subsamples of a name, fewer if it is small.

    Args:
        example: the name; it has the similarities that others of it are derived from.
        copies: number of subsamples.
        seed: the choice of pages depends only on it and on the name.
    """
    member = example.members()
    inside = member.any(axis=1)
    if inside.sum() < _MIN_PAGES:
        return []
    generator = np.random.default_rng([seed, zlib.crc32(example.name.encode())])
    outside = np.flatnonzero(~inside)
    usable: list[Example] = []
    for _ in range(_ATTEMPTS_PER_COPY * copies):
        # Some pages of each person, and the same share of the others.
        most = int(generator.choice(_PAGES_PER_PERSON))
        kept = np.zeros(len(member), dtype=bool)
        for person in member.T:
            pages = generator.permutation(np.flatnonzero(person))
            kept[pages[: max(0, most - int(kept[pages].sum()))]] = True
        kept[outside] = generator.random(len(outside)) < kept.sum() / inside.sum()
        sample = select_rows(example, np.flatnonzero(kept))
        if sample.judged()[0].sum() >= _MIN_PAIRS:
            usable.append(sample)
        if len(usable) == copies:
            break
    return usable


def select_rows(example: Example, rows: NDArray[np.intp]) -> Example:
    """The example restricted to these pages, given by their rows, ascending."""
    first, second = np.triu_indices(len(rows), k=1)
    values = example.values[pair_position(rows[first], rows[second], len(example.ranks))]
    column = {each: number for number, each in enumerate(example.similarities)}
    for each in sorted(example.similarities, key=lambda wanted: (wanted.relative, wanted.order)):
        if each.base:
            values[:, column[each]] = derive_similarity(
                each, values[:, column[each.base]], len(rows)
            )
        elif each.feature.name == "few_pages":
            values[:, column[each]] = 1 / max(len(rows), 1)
    return replace(example, ranks=tuple(example.ranks[row] for row in rows), values=values)


Pairs = tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.float64]]
"""Values (pairs, similarities), coreferent (pairs,), weights (pairs,)."""
Objective = Callable[[Clustering, Clustering, Collection[int]], float]
"""The score of an answer, from the answer, the key and the ranks of the name's pages."""
HeldOut = Sequence[tuple[Example, Dendrogram]]
"""Examples, each with the dendrogram of a classifier fitted without it."""

MOST_PAIRS = 600
"""Pairs of each name that classifiers are fitted to, but for a single tree: pairs of one name are
redundant."""
_MIXED_WEIGHT = 0.25
"""Weight of all mixed names together to that of all others. With more, the others are divided too
much; with none, mixed names are joined too much (docs/benchmarks.md)."""
_FEWEST_FOLDS = 2
"""Folds that must remain where mixed names are kept whole."""
_SHARPNESS = 8.0
"""Slope of expected F, close to a majority vote. Many small raw probabilities add up to a
recall that cannot be reached; values from 4 to 32 did as well on WePS-1 (docs/systems.md)."""
_SHIFTS = np.linspace(-1.0, 1.0, 9)
"""Shifts of the log odds that are tried for every name."""
_SMOOTHING = np.array([1.0, 2.0, 3.0, 2.0, 1.0])
"""Weights of neighbouring shifts: the score of one name jumps from shift to shift."""
_RIDGE = 0.002
"""Penalty of squared coefficients of the prior by name, in units of the objective. Without one, a
few names make it so steep that a page more or less changes the answer."""
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
    examples: Sequence[Example] | Source | Path | str,
    objective: Objective,
    configuration: Configuration | str = "default",
    similarities: Sequence[Similarity] | None = None,
    settings: TrainingSettings | None = None,
    progress: Progress | None = None,
) -> Model:
    """Fit a classifier to all examples, and the rest to cross-validated predictions.

    Args:
        examples: names with exactly these similarities, or a corpus, of whose whole pages they are
            read.
        objective: maximised by thresholds, such as ``weps_eval.bcubed_f05``.
        configuration: of the model; or a system as written.
        similarities: the columns, in order; None for those of the system.
        settings: divisions and seed.
        progress: called as that of :func:`weps.cluster`; None for no calls.

    Raises:
        SourceError: if there are no judged pairs.
        ValuesError: if a similarity is infinite or NaN.

    Example:
        >>> model = weps.train(corpus, weps_eval.bcubed_f05)
        >>> len(weps.cluster("resources/demo", model).people) > 0
        True
    """
    settings = settings or TrainingSettings()
    progress = checked_progress(progress)
    require_type(objective, Callable, "a function such as weps_eval.bcubed_f05", "objective")
    if isinstance(configuration, str):
        configuration = parse_configuration(configuration)
    if similarities is None:
        wanted = similarities_of(configuration.for_form(PageForm.PAGES).features)
        similarities = available_similarities(wanted, PageForm.PAGES)
    if not isinstance(examples, list | tuple) or not all(isinstance(e, Example) for e in examples):
        source = examples if isinstance(examples, Source) else open_source(as_path(examples))
        found = (
            read_examples(name, source, similarities, [PageForm.PAGES]) for name in source.names
        )
        examples = [example for by_form in found for example in by_form.values()]
        if not examples:
            raise SourceError("no name has whole pages and a key", where=source.root)
    if configuration.mixed == "skip":
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
    # The last one is fitted to all examples, and is that of the model.
    for held_out in report_work([*divisions, []], progress, "fitting classifiers"):
        classifier = _fit_with_rules(examples_without(examples, held_out), configuration, settings)
        unseen += [
            (examples[at], _dendrogram_of(examples[at], classifier, configuration.link))
            for at in held_out
        ]
    stopping = STOPPING_LEARNERS[configuration.stop](unseen, objective)
    cases, forecasts = [], []
    for example, dendrogram in unseen:
        member = example.members().astype(np.int32)
        cases.append(
            ConfidenceExample(
                dendrogram,
                stopping[example.origin].merges(dendrogram),
                member @ member.T > 0,
                member.sum(axis=1) > 0,
            )
        )
        judged, coreferent = example.judged()
        # Every name has the same weight.
        weights = np.full(judged.sum(), 1 / max(int(judged.sum()), 1))
        forecasts.append((dendrogram.probability[judged], coreferent[judged], weights))
    return Model(
        similarities=tuple(similarities),
        classifier=classifier,
        linkage=configuration.link,
        stopping=stopping,
        calibration=fit_calibration(*map(np.concatenate, zip(*forecasts, strict=True))),
        page_confidence=fit_page_confidence(cases),
        person_confidence=fit_person_confidence(cases),
    )


def answer_example(example: Example, model: Model) -> ExampleAnswer:
    """Predict an example."""
    dendrogram = _dendrogram_of(example, model.classifier, model.linkage)
    merges = model.stopping[example.origin].merges(dendrogram)
    clusters = dendrogram.clusters(merges)
    one_person, _ = model.person_confidence.of_nodes(dendrogram)
    return ExampleAnswer(
        clustering_after(example, dendrogram, merges),
        model.calibration(dendrogram.probability),
        model.page_confidence.scores_of(dendrogram, clusters),
        one_person[dendrogram.node_of_rows(merges)[[rows[0] for rows in clusters]]],
    )


def _dendrogram_of(example: Example, classifier: Classifier, link: str) -> Dendrogram:
    return linkage_by_name(link)(classifier.predict(example.values), len(example.ranks))


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
    fitted = fit_classifier(
        configuration.classifier,
        [each.with_similarities(wanted) for each in [*examples, *copies]],
        settings.seed,
    )
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
    pairs = judged_pairs(examples, None if kind == "tree" else MOST_PAIRS, seed)
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
    parts = []
    for example in examples:
        judged, truth = example.judged()
        rows = np.flatnonzero(judged)
        total = len(rows)
        if most is not None and total > most:
            rows = np.sort(generator.choice(rows, most, replace=False))
        weight = np.full(len(rows), pair_weight(total) * total / max(len(rows), 1))
        mixed = np.full(len(rows), bool(example.components))
        parts.append((example.values[rows], truth[rows], weight, mixed))
    if not any(len(values) for values, *_ in parts):
        raise SourceError(
            "there are no training pairs: no two pages of the names that are not held out are "
            "in a key",
            remedy="give more names with their keys, or fewer parts with --cv",
        )
    values, coreferent, weight, mixed = map(np.concatenate, zip(*parts, strict=True))
    if mixed.any() and not mixed.all():
        weight[mixed] *= _MIXED_WEIGHT * weight[~mixed].sum() / weight[mixed].sum()
    return values, coreferent, weight / weight.mean()


def pair_weight(judged: int) -> float:
    """The weight of each pair of a name with that many judged pairs, 1/√p."""
    return float(1 / np.sqrt(max(judged, 1)))


def _shift_by_name(held_out: HeldOut, objective: Objective) -> Mapping[Origin, Stopping]:
    """The prior by name with the best penalised objective; mixed names weigh as all others."""
    if not held_out:
        return dict.fromkeys(Origin, ExpectedFByName(_SHARPNESS, 0.0, 0.0, 0.0))
    mixed = np.array([bool(example.components) for example, _ in held_out], dtype=bool)
    weights = np.where(mixed, 1 / max(mixed.sum(), 1), 1 / max((~mixed).sum(), 1))
    predictors = np.array(
        [name_predictors(tree, ExpectedF(_SHARPNESS, 0.0)) for _, tree in held_out]
    )
    middle = np.average(predictors, axis=0, weights=weights)
    spread = np.sqrt(np.average((predictors - middle) ** 2, axis=0, weights=weights))
    spread = np.where(spread > 0, spread, 1.0)
    design = np.column_stack([np.ones(len(held_out)), (predictors - middle) / spread])
    scores = np.array([_scores_by_shift(*each, objective) for each in held_out])

    def total(coefficients: NDArray[np.float64]) -> float:
        shifts = zip((design @ coefficients).clip(_SHIFTS[0], _SHIFTS[-1]), scores, strict=True)
        gained = weights @ [np.interp(at, _SHIFTS, curve) for at, curve in shifts]
        return float(gained - _RIDGE * weights.sum() * coefficients @ coefficients)

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
    "expected-f": lambda *_: dict.fromkeys(Origin, ExpectedF(_SHARPNESS, 0.0)),
    "expected-f-by-name": _shift_by_name,
}
"""Kind of a stopping rule → function that fits it."""


def learn_threshold(held_out: HeldOut, objective: Objective) -> float:
    """The threshold with the best mean objective over the names, each name counting once.

    The clustering changes only at the probabilities of merges, so the candidates are all
    gaps between them; the widest of equally good gaps is preferred.
    """
    steps = sorted({0.0, 1.0 + 1e-6}.union(*(tree.levels.tolist() for _, tree in held_out)))
    candidates = np.array([(low + high) / 2 for low, high in pairwise(steps)])
    total = np.zeros(len(candidates))
    for example, tree in held_out:
        kept = len(tree.merges) - np.searchsorted(np.sort(tree.levels), candidates)
        for count in np.unique(kept):
            total[kept == count] += objective(
                clustering_after(example, tree, int(count)), example.key, example.ranks
            )
    best = np.flatnonzero(total >= total.max() - 1e-9)
    return float(candidates[best[np.diff(steps)[best].argmax()]])


def clustering_after(example: Example, dendrogram: Dendrogram, merges: int) -> Clustering:
    """The answer for an example after so many merges."""
    return Clustering(
        tuple(frozenset(example.ranks[row] for row in rows) for rows in dendrogram.clusters(merges))
    )
