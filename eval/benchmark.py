"""Train, cluster, score: on names that the model has not seen."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import process_time

from eval.bench.outcomes import without_evidence
from eval.clustering import BASELINES
from eval.judge import Judge, bcubed_f05
from weps.configuration import Configuration
from weps.examples import examples_of
from weps.forms import Form, Origin, offered
from weps.model import Model
from weps.parallel import over
from weps.reading import Reader
from weps.records import Clustering
from weps.similarity import Similarity
from weps.sources import Source
from weps.training import Answered, Example, Settings, answer, train

__all__ = [
    "Answers",
    "Examples",
    "Trial",
    "baselines",
    "by_origin",
    "cross_validate",
    "joined",
    "judge_all",
    "load_examples",
    "train_forms",
    "transfer",
]

Examples = Mapping[str, Mapping[Form, Example]]
"""Name → form → example."""
Scores = dict[str, dict[str, float]]
Answers = Mapping[str, Answered]
"""Name → answer."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What a system answers for names that it has not seen, and what that took."""

    answers: Answers
    learning: float
    """Seconds of processor time, those of all threads together."""
    answering: float
    """The same, similarities not included."""

    def only(self, names: Iterable[str]) -> Trial:
        """The answers for these names; what they took is not known apart."""
        return replace(self, answers={name: self.answers[name] for name in names})


def load_examples(  # noqa: PLR0913 - what is loaded, and how
    source: Source,
    names: Sequence[str],
    similarities: Sequence[Similarity],
    forms: Collection[Form] | None = None,
    *,
    reader: Reader | None = None,
    jobs: int = 1,
) -> Iterator[tuple[str, dict[Form, Example]]]:
    """Each name with its examples, as soon as they are made; names without a key have none."""
    work = partial(
        examples_of, source=source, similarities=similarities, forms=forms, reader=reader
    )
    return zip(names, over(work, names, jobs), strict=True)


def by_origin(examples: Sequence[Example]) -> list[list[int]]:
    """Places of the examples, those of one origin together, none empty."""
    places = ([i for i, each in enumerate(examples) if each.origin is one] for one in Origin)
    return [part for part in places if part]


def cross_validate(
    examples: Sequence[Example],
    similarities: Sequence[Similarity],
    parts: Sequence[Sequence[int]],
    configuration: Configuration,
    settings: Settings,
) -> Trial:
    """What a system answers for each part, having learnt from the other parts alone.

    Training divides what it learns from once more, to choose where to stop and to calibrate: this
    is nested cross-validation.
    """
    trials = []
    for held_out in parts:
        rest = [each for i, each in enumerate(examples) if i not in held_out]
        unseen = [examples[i] for i in held_out]
        trials.append(transfer(rest, unseen, similarities, configuration, settings))
    return joined(trials)


def transfer(
    training: Sequence[Example],
    test: Sequence[Example],
    similarities: Sequence[Similarity],
    configuration: Configuration,
    settings: Settings,
) -> Trial:
    """What a system answers for the test examples, having learnt from the training examples.

    Without a single similarity there is no reason to put pages together, and none are.
    """
    started = process_time()
    if not similarities:
        return Trial(without_evidence(training, test), process_time() - started, 0.0)
    model = train(training, similarities, configuration, bcubed_f05, settings)
    learnt = process_time()
    answers = {each.name: answer(each, model) for each in test}
    return Trial(answers, learnt - started, process_time() - learnt)


def joined(trials: Sequence[Trial]) -> Trial:
    """All answers and all costs."""
    answers = {name: given for each in trials for name, given in each.answers.items()}
    learning, answering = (
        sum(getattr(each, part) for each in trials) for part in ("learning", "answering")
    )
    return Trial(answers, learning, answering)


def train_forms(
    examples: Examples,
    similarities: Sequence[Similarity],
    forms: Collection[Form],
    configuration: Configuration,
    settings: Settings,
) -> dict[Form, Model]:
    """A model for each form, from the examples that have it."""
    return {
        form: train(
            [by_form[form] for by_form in examples.values() if form in by_form],
            offered(similarities, form),
            configuration,
            bcubed_f05,
            settings,
        )
        for form in sorted(forms)
    }


def judge_all(answers: Mapping[str, Clustering | None], source: Source, judge: Judge) -> Scores:
    """Name → scores, for the names of a source that have a key."""
    keys = {name: source.key(name) for name in answers}
    return {
        name: judge.scores(given, key, source.ranks(name))
        for name, given in answers.items()
        if (key := keys[name]) is not None
    }


def baselines(names: Sequence[str], source: Source, judge: Judge) -> dict[str, Scores]:
    """Baseline → name → scores."""
    keys = {name: key for name in names if (key := source.key(name)) is not None}
    documents = {
        name: judge.scorer.documents(key, source.ranks(name)) for name, key in keys.items()
    }
    return {
        title: judge_all({name: make(documents[name]) for name in keys}, source, judge)
        for title, make in BASELINES.items()
    }
