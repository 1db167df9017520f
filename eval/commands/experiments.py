"""The two kinds of benchmark: cross-validation, and learning on some corpora for another."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from eval.bench.corpus import Corpus, check_origins, open_corpus
from eval.bench.outcome import Outcome, judged_pairs
from eval.benchmark import Examples, Trial, by_origin, cross_validate
from eval.benchmark import transfer as learnt_elsewhere
from eval.commands.loading import load_corpus
from eval.systems import Columns, Systems, run_systems, systems_of
from weps.commands.console import Console
from weps.commands.reading import reader_of
from weps.errors import SourceError
from weps.forms import Form, offered
from weps.similarity import layers_of
from weps.training import Example, Settings, folds

__all__ = ["ORIGIN", "SYSTEMS", "cross_validation", "transfer"]

SYSTEMS = ("paper", "default")
"""What runs unless other systems are asked for."""
ORIGIN = "origin"
"""Parts are the names of one origin each."""


def cross_validation(options: argparse.Namespace, console: Console) -> Outcome:
    """Answer for each part of a corpus, or of several as one, by what the other parts teach.

    Raises:
        SourceError: if there are no other parts.
    """
    by_origins = options.cv == ORIGIN
    if not by_origins and options.cv < 2:
        raise SourceError(f"--cv {options.cv} leaves nothing to test on", remedy="say --cv 5")
    corpus = open_corpus(options.corpus, options.exclude)
    if by_origins:
        check_origins(corpus)
    forms, settings = set(corpus.forms.values()), Settings(seed=options.seed)
    systems = _systems(options, forms)
    # Names with poor pages learn from the others, reduced.
    examples = load_corpus(corpus, systems.union, forms, options, console)

    def attempt(system: str, form: Form, columns: Columns) -> Trial:
        console.progress(f"{system}: cross-validating on {form}, --cv {options.cv}")
        seen = _of_form(examples, form, columns)
        parts = by_origin(seen) if by_origins else folds(len(seen), options.cv, options.seed)
        chosen = systems.configurations[system]
        return cross_validate(seen, columns, parts, chosen, settings).only(
            name for name, richest in corpus.forms.items() if richest is form
        )

    return Outcome(
        systems,
        run_systems(systems, forms, attempt),
        corpus,
        _as_found(examples, corpus),
        how=f"cv:{options.cv}",
        learnt_on=f"the other names, {'by origin' if by_origins else f'{options.cv} parts'}",
        settings=settings,
        language=_language(options, systems, forms),
    )


def transfer(options: argparse.Namespace, console: Console) -> Outcome:
    """Answer for one corpus by what others teach."""
    test = open_corpus(options.test)
    training = open_corpus(options.train, options.exclude)
    forms, settings = set(test.forms.values()), Settings(seed=options.seed)
    systems = _systems(options, forms | set(training.forms.values()))
    tested = load_corpus(test, systems.union, None, options, console)
    learnt = load_corpus(training, systems.union, forms, options, console)

    def attempt(system: str, form: Form, columns: Columns) -> Trial:
        console.progress(f"{system}: training on {len(learnt)} names for {form}")
        seen, unseen = (_of_form(each, form, columns) for each in (learnt, tested))
        return learnt_elsewhere(seen, unseen, columns, systems.configurations[system], settings)

    of_training = [next(iter(by_form.values())) for by_form in learnt.values() if by_form]
    return Outcome(
        systems,
        run_systems(systems, forms, attempt),
        test,
        _as_found(tested, test),
        how=f"train:sha256-{training.digest[:8]}",
        learnt_on=f"{training.title}, {judged_pairs(of_training):,} pairs",
        settings=settings,
        language=_language(options, systems, forms),
    )


def _systems(options: argparse.Namespace, forms: set[Form]) -> Systems:
    return systems_of(options.system or SYSTEMS, forms if options.common_features else ())


def _language(options: argparse.Namespace, systems: Systems, forms: set[Form]) -> str:
    """The version of the language pipeline, empty if no system needs one."""
    if not any(layers_of(offered(systems.union, form)) for form in forms):
        return ""
    from weps.language.pipeline import version  # noqa: PLC0415 - only layers need it

    return version(reader_of(options).language)


def _of_form(examples: Examples, form: Form, columns: Columns) -> list[Example]:
    """The examples of the names that have the form, with these similarities."""
    return [each[form].narrowed(columns) for each in examples.values() if form in each]


def _as_found(examples: Examples, corpus: Corpus) -> Mapping[str, Example]:
    """Name → example in the form that its pages have."""
    return {name: by_form[corpus.forms[name]] for name, by_form in examples.items()}
