"""``weps train CORPUS … --out FILE``: train a model, and estimate its scores on unseen names."""

from __future__ import annotations

import argparse
import dataclasses
import datetime
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

from weps._parallel import Progress
from weps._version import VERSION
from weps.cli.console import Console
from weps.cli.options import add_json, check_writable, reader_from_options, write_json
from weps.cli.pace import TimedProgress
from weps.errors import FeatureError
from weps.features.plugins import load_named_features
from weps.language.spacy_pipeline import pipeline_name
from weps.model import ModelSet, save_models
from weps.page_forms import PageForm, richest_form
from weps.people.set_aside import SetAsideRule, fit_set_aside
from weps.reading import Reader
from weps.similarity.columns import required_layers
from weps.sources.base import Source
from weps.sources.opening import open_source
from weps.training.examples import TrainingSettings, divide_examples, forms_up_to, read_signs
from weps_eval.benchmark.corpus import Corpus, count_forms, open_corpus, with_mixed_names
from weps_eval.benchmark.options import (
    add_corpus_options,
    add_mixed,
    add_systems,
    encoder_of,
    load_corpus,
    training_settings,
)
from weps_eval.benchmark.report import missing_feature_lines
from weps_eval.benchmark.scoring import Results, legend, name_rows, size_rows
from weps_eval.benchmark.trials import (
    Examples,
    Systems,
    cross_validate,
    examples_of_form,
    score_answers,
    systems_of,
    train_forms,
)
from weps_eval.clustering.scorers import mean_scores, scorer_for, standard_errors

_SYSTEM = "default"
_SHOWN = ("bcubed_precision", "bcubed_recall", "bcubed_f05", "bcubed_f02")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "corpus",
        metavar="CORPUS",
        type=Path,
        nargs="+",
        help="names with pages and keys; several corpora of one layout are combined",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the model file")
    add_systems(parser, "store", "the system to train", _SYSTEM)
    parser.add_argument(
        "--common-features",
        type=Path,
        metavar="CORPUS",
        help="only features that the pages of this corpus have too",
    )
    parser.add_argument(
        "--set-aside",
        action="store_true",
        help="also learn which pages to set aside, from those that the keys discard",
    )
    add_corpus_options(parser)
    add_mixed(parser)
    add_json(parser)


def run_command(options: argparse.Namespace, console: Console) -> int:
    """Cross-validate, train on all names, save."""
    check_writable(options.out)
    check_writable(options.json)
    settings = training_settings(options)
    system = load_named_features(options.system or _SYSTEM)
    systems = systems_of([system], _shared_by(options.common_features))
    corpus = open_corpus(options.corpus, options.exclude)
    corpus = with_mixed_names(corpus, options.mixed, settings.folds, options.seed)
    encoder = encoder_of(options, systems.union)
    taught = _training_forms(corpus, systems, console)
    examples = load_corpus(corpus, systems.union, taught, options, console)
    validation, progress = {}, TimedProgress(console)
    for form in taught:
        console.write_status(f"cross-validating on {form}")
        results = _cross_validated(corpus, examples, form, systems, settings, progress)
        console.write(f"on unseen names, from {form}:")
        rows = name_rows(results, system)
        console.write_table(rows)
        if corpus.mixed_sizes:
            console.write_table(size_rows(results, corpus), left=3)
        console.write_detail(fill(legend([rows]), console.width))
        console.write(f"{results.signature}|form:{form}\n")
        validation[str(form)] = _figures(results, corpus, form)
    console.write_status("training on all names")
    columns = {form: systems.used(form)[system] for form in taught}
    configuration = systems.configurations[system]
    models = train_forms(examples, columns, configuration, settings, progress)
    if options.set_aside and PageForm.PAGES in models:
        names = [name for name in corpus.names if name not in corpus.mixed_sizes]
        rule = learn_set_aside(corpus.source, names, reader_from_options(options))
        models[PageForm.PAGES] = dataclasses.replace(models[PageForm.PAGES], set_aside=rule)
    language = (
        pipeline_name(reader_from_options(options).language)
        if required_layers(systems.union)
        else ""
    )
    card = {"command": options.line, **_card(corpus, validation, systems, settings)}
    save_models(ModelSet(models, card, language, encoder), options.out)
    console.write(f"model: {options.out}")
    write_json(options.json, {"model": str(options.out), **card})
    return 0


def learn_set_aside(source: Source, names: Sequence[str], reader: Reader) -> SetAsideRule:
    """Which pages to set aside, from the keys of the names."""
    keys = ((name, source.key(name)) for name in names)
    return fit_set_aside((read_signs(name, source, reader), key) for name, key in keys if key)


def _training_forms(corpus: Corpus, systems: Systems, console: Console) -> list[PageForm]:
    """The forms to learn from; missing features are reported.

    Raises:
        FeatureError: if there are none, because pages have none of the features.
    """
    forms = _forms(corpus)
    if lines := list(missing_feature_lines(systems, forms)):
        console.write("\n".join([*lines, ""]))
    taught = [form for form in forms if any(systems.used(form).values())]
    if not taught:
        raise FeatureError(
            f"the pages have nothing to compare by for {', '.join(systems.wanted)}",
            where=corpus.source.root,
            remedy="choose features that they have; `weps features` lists all",
        )
    return taught


def _shared_by(path: Path | None) -> set[PageForm]:
    """The forms of pages of the corpus that is to have the features too."""
    if path is None:
        return set()
    source = open_source(path)
    return {richest_form(source.search(name)) for name in source.names}


def _forms(corpus: Corpus) -> dict[PageForm, int]:
    """Form to learn from → how many names have pages of it, or of a richer one."""
    return count_forms(form for richest in corpus.forms.values() for form in forms_up_to(richest))


def _cross_validated(  # noqa: PLR0913, PLR0917 - what is learnt from, the system, and who is told
    corpus: Corpus,
    examples: Examples,
    form: PageForm,
    systems: Systems,
    settings: TrainingSettings,
    progress: Progress,
) -> Results:
    """What a model learnt from examples of one form does on names that it has not seen."""
    ((system, configuration),) = systems.configurations.items()
    columns = systems.used(form)[system]
    pages = examples_of_form(examples, form, columns)
    parts = divide_examples(pages, settings.folds, settings.seed)
    chosen = configuration.for_form(form)
    trial = cross_validate(pages, columns, parts, chosen, settings, progress)
    answers = {name: each.clustering for name, each in trial.answers.items()}
    scoring = scorer_for(corpus.source)
    scores = score_answers(answers, corpus.source, scoring)
    names = sorted(answers.keys() - corpus.mixed_sizes.keys())
    signature = f"{scoring.signature(corpus.source, names)}|cv:{settings.folds}"
    return Results(signature, {system: dict(sorted(scores.items()))})


def _figures(results: Results, corpus: Corpus, form: PageForm) -> dict[str, Any]:
    """The means for the model's card, those of mixed names apart."""
    (scores,) = results.systems.values()
    by_size: dict[int | None, dict[str, Mapping[str, float]]] = {None: {}}
    for name, of_name in scores.items():
        by_size.setdefault(corpus.mixed_sizes.get(name), {})[name] = of_name
    means = {
        size: {key: round(mean_scores(of_names)[key], 4) for key in _SHOWN}
        for size, of_names in by_size.items()
    }
    errors = standard_errors(by_size[None])
    return {
        "signature": f"{results.signature}|form:{form}",
        "mean": means.pop(None),
        "standard_error": {key: round(errors[key], 4) for key in _SHOWN},
        **({"mixed": {str(size): mean for size, mean in means.items()}} if means else {}),
    }


def _card(
    corpus: Corpus, validation: dict[str, Any], systems: Systems, settings: TrainingSettings
) -> dict[str, Any]:
    """The model's card: where it comes from and what to expect of it."""
    ((system, configuration),) = systems.configurations.items()
    missing = {form: each for form in _forms(corpus) for each in systems.missing(form).values()}
    return {
        "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
        "weps": VERSION,
        "corpus": {
            "layout": corpus.source.layout,
            "names": corpus.names,
            "digest": corpus.digest,
        },
        "system": system,
        "configuration": configuration.as_data(),
        "similarities": [str(each) for each in systems.union],
        "absent": {str(form): list(map(str, each)) for form, each in missing.items()},
        "settings": dataclasses.asdict(settings),
        "cross_validation": validation,
    }
