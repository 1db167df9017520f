"""Trials: systems train on some names and answer for others, which are held against their keys.

Systems under test train and are tested on the same names. Similarities are computed once, for the
union of the systems; each system uses its columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import process_time

import numpy as np

from weps._parallel import Progress, no_progress, partial_progress
from weps.clustering.confidence import correctly_placed, people_in
from weps.errors import FeatureError
from weps.reading import PageForm, available_similarities
from weps.records import Clustering
from weps.similarity.columns import Similarity
from weps.systems import Configuration, parse_configuration, similarities_of
from weps.training.examples import Example, TrainingSettings, examples_without
from weps.training.fitting import ExampleAnswer, answer_example, train
from weps_eval.clustering.measures import bcubed_f05, one_in_one
from weps_eval.stats import Flags

Examples = Mapping[str, Mapping[PageForm, Example]]
"""Name → form → example."""
Columns = tuple[Similarity, ...]
Answers = Mapping[str, ExampleAnswer]
"""Name → answer."""


def judge_answer(example: Example, answer: Clustering) -> dict[str, tuple[Flags, Flags]]:
    """What the key can judge of an answer, and what of that is right.

    Returns:
        Subject of forecasts → two arrays. ``pairs``, of shape (pairs,): pairs of pages of the key,
        and those about one person. ``pages``, (pages,): pages of the key, and those that stand with
        the right ones, see :func:`weps.clustering.confidence.correctly_placed`. ``people``,
        (groups,): groups with several pages of the key, and those about one person.
    """
    member = example.members().astype(np.int32)
    shared, judged = member @ member.T > 0, np.asarray(member.any(axis=1))
    row = {rank: number for number, rank in enumerate(example.ranks)}
    clusters = [sorted(row[rank] for rank in group) for group in answer.groups]
    counts = [people_in(rows, shared, judged) for rows in clusters]
    pages, people = np.array(counts).reshape(-1, 2).T
    return {
        "pairs": example.judged(),
        "pages": (judged, correctly_placed(clusters, shared, judged)),
        "people": (pages > 1, people < 1 + 1e-9),
    }


def answer_without_evidence(
    training: Sequence[Example], test: Sequence[Example]
) -> dict[str, ExampleAnswer]:
    """Name of a test example → every page by itself, forecast as often right as in training."""
    outcomes = [judge_answer(each, one_in_one(each.ranks)) for each in training]
    # Shares of what happened, as if it had once more and once more not.
    pairs, pages = (
        float(
            np.concatenate([[True, False], *(right[judged] for judged, right in judgements)]).mean()
        )
        for judgements in ([each[subject] for each in outcomes] for subject in ("pairs", "pages"))
    )
    return {
        each.name: ExampleAnswer(
            one_in_one(each.ranks),
            np.full(len(each.values), pairs),
            np.full(len(each.ranks), pages),
            np.ones(len(each.ranks)),
        )
        for each in test
    }


@dataclass(frozen=True, slots=True)
class Trial:
    """The answers of a system for names that it has not seen, and what they cost."""

    answers: Answers
    learning: float
    """Seconds of processor time, those of all threads together."""
    answering: float
    """Seconds of processor time without that of similarities."""

    @classmethod
    def joined(cls, trials: Iterable[Trial]) -> Trial:
        """All answers and all costs."""
        trials = list(trials)
        return cls(
            {name: given for each in trials for name, given in each.answers.items()},
            sum(each.learning for each in trials),
            sum(each.answering for each in trials),
        )


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
    return Trial.joined(trials)


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


def examples_of_form(examples: Examples, form: PageForm, columns: Columns) -> list[Example]:
    """The examples of the names that have the form, with these similarities."""
    return [each[form].with_similarities(columns) for each in examples.values() if form in each]


@dataclass(frozen=True, slots=True)
class Systems:
    """Configurations to compare on the same pages."""

    configurations: Mapping[str, Configuration]
    """System as written → how it learns and answers."""

    @classmethod
    def parse(cls, texts: Sequence[str]) -> Systems:
        """The systems that are written so, see :func:`weps.systems.parse_configuration`.

        Raises:
            FeatureError: if one cannot be read; the message lists them all.
        """
        configurations, faults = {}, []
        for text in texts:
            try:
                configurations[text] = parse_configuration(text)
            except FeatureError as fault:
                faults.append(fault)
        if faults:
            raise FeatureError("; ".join(dict.fromkeys(each.describe() for each in faults)))
        return cls(configurations)

    @property
    def wanted(self) -> dict[str, Columns]:
        """System → the similarities that it asks for, for pages of any form."""
        return {
            name: similarities_of("+".join(each.for_form(form).features for form in PageForm))
            for name, each in self.configurations.items()
        }

    @property
    def union(self) -> Columns:
        """The similarities of all systems."""
        configurations = self.configurations.values()
        features = (each.for_form(form).features for each in configurations for form in PageForm)
        return similarities_of("+".join(features))

    def used(self, form: PageForm) -> dict[str, Columns]:
        """System → the similarities that it uses for pages of the form."""
        return {
            name: available_similarities(similarities_of(each.for_form(form).features), form)
            for name, each in self.configurations.items()
        }

    def missing(self, form: PageForm) -> dict[str, Columns]:
        """System → what it asks for and does without for pages of the form."""
        return {
            name: tuple(
                each
                for each in similarities_of(self.configurations[name].for_form(form).features)
                if each not in columns
            )
            for name, columns in self.used(form).items()
        }
