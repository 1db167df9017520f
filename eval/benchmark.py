"""Train, cluster, score: on names that the model has not seen."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial

from eval.clustering import BASELINES, one_in_one
from eval.judge import Judge, bcubed_f05
from weps.examples import examples_of
from weps.forms import Form, offered
from weps.model import Model
from weps.parallel import over_names
from weps.reading import Reader
from weps.records import Clustering
from weps.similarity import Similarity
from weps.sources import Source
from weps.training import Example, Settings, answer, folds, train

__all__ = [
    "Examples",
    "baselines",
    "cross_validate",
    "judge_all",
    "load_examples",
    "train_forms",
    "transfer",
]

Examples = Mapping[str, Mapping[Form, Example]]
"""Name → form → example."""
Scores = dict[str, dict[str, float]]


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
    return zip(names, over_names(work, names, jobs), strict=True)


def cross_validate(
    examples: Sequence[Example],
    similarities: Sequence[Similarity],
    parts: int,
    settings: Settings,
) -> dict[str, Clustering]:
    """Name → answer of a model, tree and threshold, that was trained on the other parts."""
    answers: dict[str, Clustering] = {}
    for held_out in folds(len(examples), parts, settings.seed):
        rest = [each for i, each in enumerate(examples) if i not in held_out]
        answers |= transfer(rest, [examples[i] for i in held_out], similarities, settings)
    return answers


def transfer(
    training: Sequence[Example],
    test: Sequence[Example],
    similarities: Sequence[Similarity],
    settings: Settings,
) -> dict[str, Clustering]:
    """Name of a test example → answer of a model that was trained on the training examples.

    Without a single similarity there is no reason to put pages together, and none are.
    """
    if not similarities:
        return {each.name: one_in_one(each.ranks) for each in test}
    model = train(training, similarities, bcubed_f05, settings)
    return {each.name: answer(each, model) for each in test}


def train_forms(
    examples: Examples,
    similarities: Sequence[Similarity],
    forms: Collection[Form],
    settings: Settings,
) -> dict[Form, Model]:
    """A model for each form, from the examples that have it."""
    return {
        form: train(
            [by_form[form] for by_form in examples.values() if form in by_form],
            offered(similarities, form),
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
