"""Trials: systems train on some names and answer for others, which are held against their keys.

Systems under test train and are tested on the same names. Similarities are computed once, for the
union of the systems; each system uses its columns.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import process_time

import numpy as np

from weps._parallel import Progress, no_progress, partial_progress
from weps.clustering.confidence import correctly_placed, people_in
from weps.errors import FeatureError
from weps.page_forms import Origin, PageForm, available_similarities
from weps.records import Clustering
from weps.similarity.columns import Similarity
from weps.systems import Configuration, parse_configuration, similarities_of
from weps.training.examples import Example, TrainingSettings, examples_without
from weps.training.fitting import ExampleAnswer, answer_example, train
from weps_eval.clustering.measures import one_in_one
from weps_eval.clustering.scorers import bcubed_f05
from weps_eval.stats.arrays import Flags


def judge_pages(example: Example, answer: Clustering) -> tuple[Flags, Flags]:
    """Pages that the key contains, and pages that stand with the right ones.

    Returns:
        Two arrays of shape (pages,), see :func:`weps.clustering.confidence.correctly_placed`.
    """
    clusters, shared, judged = _against_key(example, answer)
    return judged, correctly_placed(clusters, shared, judged)


def judge_groups(example: Example, answer: Clustering) -> tuple[Flags, Flags]:
    """Groups with several pages of the key, and groups about one person.

    Returns:
        Two arrays of shape (groups,), see :func:`weps.clustering.confidence.people_in`.
    """
    clusters, shared, judged = _against_key(example, answer)
    counts = [people_in(rows, shared, judged) for rows in clusters]
    pages, people = np.array(counts).reshape(-1, 2).T
    return pages > 1, people < 1 + 1e-9


def _against_key(example: Example, answer: Clustering) -> tuple[list[list[int]], Flags, Flags]:
    """Rows of each group, which pages share a person, and which pages the key contains."""
    member = example.members().astype(np.int32)
    row = {rank: number for number, rank in enumerate(example.ranks)}
    clusters = [sorted(row[rank] for rank in group) for group in answer.groups]
    return clusters, member @ member.T > 0, np.asarray(member.any(axis=1))


def answer_without_evidence(
    training: Sequence[Example], test: Sequence[Example]
) -> dict[str, ExampleAnswer]:
    """Name of a test example → every page by itself, forecast as often right as in training."""

    def share(outcomes: Iterable[tuple[Flags, Flags]]) -> float:
        """Share of what happened, as if it had once more and once more not."""
        happened = np.concatenate([[True, False], *(what[judged] for judged, what in outcomes)])
        return float(happened.mean())

    pairs = share(each.judged() for each in training)
    pages = share(judge_pages(each, one_in_one(each.ranks)) for each in training)
    return {
        each.name: ExampleAnswer(
            one_in_one(each.ranks),
            np.full(len(each.values), pairs),
            np.full(len(each.ranks), pages),
            np.ones(len(each.ranks)),
        )
        for each in test
    }


Examples = Mapping[str, Mapping[PageForm, Example]]
"""Name → form → example."""
Columns = tuple[Similarity, ...]
Answers = Mapping[str, ExampleAnswer]
"""Name → answer."""


@dataclass(frozen=True, slots=True)
class Trial:
    """The answers of a system for names that it has not seen, and what they cost."""

    answers: Answers
    learning: float
    """Seconds of processor time, those of all threads together."""
    answering: float
    """The same, similarities not included."""


def by_origin(examples: Sequence[Example]) -> list[list[int]]:
    """Places of the examples, those of one origin together, none empty."""
    places = ([i for i, each in enumerate(examples) if each.origin is one] for one in Origin)
    return [part for part in places if part]


def cross_validate(  # noqa: PLR0913, PLR0917 - the names, the system, and who is told
    examples: Sequence[Example],
    similarities: Sequence[Similarity],
    parts: Sequence[Sequence[int]],
    configuration: Configuration,
    settings: TrainingSettings,
    progress: Progress = no_progress,
) -> Trial:
    """The answers of a system for each part, trained on the other parts only.

    Training divides the other parts again, to choose the stopping rule and to calibrate (nested
    cross-validation).
    """
    trials = []
    for number, held_out in enumerate(parts):
        rest = examples_without(examples, held_out)
        unseen = [examples[i] for i in held_out]
        what = f"fold {number + 1} of {len(parts)}"
        fold = partial_progress(progress, what, number, len(parts))
        trials.append(evaluate_transfer(rest, unseen, similarities, configuration, settings, fold))
    return join_trials(trials)


def evaluate_transfer(  # noqa: PLR0913, PLR0917 - the names, the system, and who is told
    training: Sequence[Example],
    test: Sequence[Example],
    similarities: Sequence[Similarity],
    configuration: Configuration,
    settings: TrainingSettings,
    progress: Progress = no_progress,
) -> Trial:
    """Answers of a system for the test examples, learnt from the training examples.

    Without a single similarity there is no reason to put pages together, and none are.
    """
    started = process_time()
    if not similarities:
        return Trial(answer_without_evidence(training, test), process_time() - started, 0.0)
    model = train(training, similarities, configuration, bcubed_f05, settings, progress)
    learnt = process_time()
    answers = {each.name: answer_example(each, model) for each in test}
    return Trial(answers, learnt - started, process_time() - learnt)


def join_trials(trials: Sequence[Trial]) -> Trial:
    """All answers and all costs."""
    return Trial(
        {name: given for each in trials for name, given in each.answers.items()},
        sum(each.learning for each in trials),
        sum(each.answering for each in trials),
    )


def examples_of_form(examples: Examples, form: PageForm, columns: Columns) -> list[Example]:
    """The examples of the names that have the form, with these similarities."""
    return [each[form].with_similarities(columns) for each in examples.values() if form in each]


@dataclass(frozen=True, slots=True)
class Systems:
    """Configurations to compare on the same pages."""

    configurations: Mapping[str, Configuration]
    """System as written → how it learns and answers."""
    wanted: Mapping[str, Columns]
    """System → the similarities that it asks for, for pages of any form."""
    union: Columns
    """Similarities computed for all: less than wanted if they keep to common features."""
    common: bool = False
    """True if they keep to features that the pages of every name have."""

    def used(self, form: PageForm) -> dict[str, Columns]:
        """System → the similarities that it uses for pages of the form."""
        computed = available_similarities(self.union, form)
        return {
            name: tuple(each for each in columns if each in computed)
            for name, columns in self._wanted_for(form).items()
        }

    def missing(self, form: PageForm) -> dict[str, Columns]:
        """System → what it asks for and does without for pages of the form."""
        used = self.used(form)
        return {
            name: tuple(each for each in columns if each not in used[name])
            for name, columns in self._wanted_for(form).items()
        }

    def _wanted_for(self, form: PageForm) -> dict[str, Columns]:
        """System → the similarities that it asks for, for pages of the form."""
        return {
            name: similarities_of(each.for_form(form).features)
            for name, each in self.configurations.items()
        }

    def groups(self, form: PageForm) -> list[list[str]]:
        """The systems, those together that come to the same for pages of the form."""
        groups: dict[object, list[str]] = {}
        for name, columns in self.used(form).items():
            method = self.configurations[name].for_form(form).as_data() | {"features": ""}
            groups.setdefault((columns, *method.items()), []).append(name)
        return list(groups.values())


def systems_of(texts: Sequence[str], shared_by: Collection[PageForm] = ()) -> Systems:
    """The systems that are written so.

    Args:
        texts: see :func:`weps.systems.parse_configuration`.
        shared_by: use only what pages of all these forms have; none for no such limit.

    Raises:
        FeatureError: if one cannot be read; the message lists them all.
    """
    configurations, faults = {}, []
    for text in texts:
        try:
            configurations[text] = parse_configuration(text)
        except FeatureError as fault:
            faults.append(fault)
    if len(faults) == 1:
        raise faults[0]
    if faults:
        raise FeatureError("; ".join(dict.fromkeys(each.describe() for each in faults)))
    features = {
        name: "+".join(each.for_form(form).features for form in PageForm)
        for name, each in configurations.items()
    }
    wanted = {name: similarities_of(each) for name, each in features.items()}
    union = similarities_of("+".join(features.values()))
    if shared_by:
        union = available_similarities(union, *shared_by)
    return Systems(configurations, wanted, union, common=bool(shared_by))


def run_systems(
    systems: Systems,
    forms: Collection[PageForm],
    attempt: Callable[[str, PageForm, Columns], Trial],
) -> dict[str, Trial]:
    """System → its answers and what they cost; systems that are alike for a form are run once.

    Args:
        systems: what to run.
        forms: the forms of the pages that are answered for.
        attempt: what a system makes of the names whose pages have the form, from these
            similarities.
    """
    trials: dict[str, list[Trial]] = {name: [] for name in systems.wanted}
    for form in sorted(forms):
        used = systems.used(form)
        for first, *others in systems.groups(form):
            trial = attempt(first, form, used[first])
            for name in (first, *others):
                trials[name].append(trial)
    return {name: join_trials(of_forms) for name, of_forms in trials.items()}
