"""``weps train CORPUS … --out FILE``: train a model, and estimate its scores on unseen names."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import Any

from weps._options import REQUIRED, cli_argument, cli_option
from weps._parallel import Progress, partial_progress
from weps._version import VERSION
from weps.cli.console import Console
from weps.cli.options import check_writable, write_json
from weps.cli.pace import TimedProgress
from weps.errors import FeatureError
from weps.features.registry import load_named_plugins
from weps.language.spacy_pipeline import pipeline_name
from weps.model import ModelSet, save_models
from weps.page_forms import PageForm, richest_form
from weps.people.pages import fit_set_aside
from weps.similarity.columns import required_layers
from weps.sources.opening import open_source
from weps.training.examples import (
    Example,
    TrainingSettings,
    divide_examples,
    forms_up_to,
    read_signs,
)
from weps.training.fitting import train
from weps_eval.benchmark import scoring
from weps_eval.benchmark.corpus import Corpus, count_forms, open_corpus, with_mixed_names
from weps_eval.benchmark.options import (
    FEATURES_MEANING,
    SYSTEMS_MEANING,
    TrainingOptions,
    load_corpus,
    system_with_features,
)
from weps_eval.benchmark.report import missing_feature_lines
from weps_eval.benchmark.trials import Systems, cross_validate, examples_of_form, systems_of
from weps_eval.clustering.scorers import bcubed_f05, mean_scores, scorer_for, standard_errors

_SYSTEM = "default"
_SHOWN = ("bcubed_precision", "bcubed_recall", "bcubed_f05", "bcubed_f02")


@dataclass(frozen=True, kw_only=True)
class Options(TrainingOptions):
    """The options of the command."""

    corpus: tuple[Path, ...] = cli_argument(
        "names with pages and keys; several corpora of one layout are combined"
    )
    out: Path = cli_option("the model file", REQUIRED)
    system: str = cli_option(
        f"the system to train: {SYSTEMS_MEANING} (default: {_SYSTEM})", "", metavar="TEXT"
    )
    features: str = cli_option(FEATURES_MEANING, "", metavar="SET", instead_of="system")
    common_features: Path | None = cli_option(
        "only features that the pages of this corpus have too", metavar="CORPUS"
    )
    set_aside: bool = cli_option(
        "also learn which pages to set aside, from those that the keys discard", False
    )


def run_command(options: Options, console: Console) -> int:
    """Cross-validate, train on all names, save."""
    check_writable(options.out)
    check_writable(options.json)
    settings, reader = options.settings(), options.reader()
    requested = system_with_features(options.features) if options.features else options.system
    system = load_named_plugins(requested or _SYSTEM)
    systems = systems_of([system], _shared_by(options.common_features))
    corpus = open_corpus(options.corpus, options.exclude)
    corpus = with_mixed_names(corpus, options.mixed, settings.folds, options.seed)
    encoder = options.encoder(systems.union)
    taught = _training_forms(corpus, systems, console)
    reading = TimedProgress(console, options.jobs)
    loaded = load_corpus(corpus, systems.union, taught, reader, options.jobs, reading, console.warn)
    progress = TimedProgress(console)
    validation, models = {}, {}
    examples = {form: examples_of_form(loaded, form, systems.used(form)[system]) for form in taught}
    for form in taught:
        console.write_status(f"cross-validating on {form}")
        validation[str(form)] = _cross_validate(
            corpus, examples[form], form, systems, settings, console, progress
        )
    console.write_status("training on all names")
    for number, form in enumerate(sorted(taught)):
        models[form] = train(
            examples[form],
            systems.used(form)[system],
            systems.configurations[system].for_form(form),
            bcubed_f05,
            settings,
            partial_progress(progress, "fitting classifiers", number, len(taught)),
        )
    if options.set_aside and PageForm.PAGES in models:
        keys = {name: key for name in corpus.names if (key := corpus.source.key(name))}
        rule = fit_set_aside(
            (read_signs(name, corpus.source, reader), key)
            for name, key in keys.items()
            if name not in corpus.mixed_sizes
        )
        models[PageForm.PAGES] = dataclasses.replace(models[PageForm.PAGES], set_aside=rule)
    language = pipeline_name(reader.language) if required_layers(systems.union) else ""
    card = {"command": options.line, **_card(corpus, validation, systems, settings)}
    save_models(ModelSet(models, card, language, encoder), options.out)
    console.write(f"model: {options.out}")
    write_json(options.json, {"model": str(options.out), **card})
    return 0


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


def _cross_validate(  # noqa: PLR0913, PLR0917 - what is learnt from, the system, and who is told
    corpus: Corpus,
    examples: Sequence[Example],
    form: PageForm,
    systems: Systems,
    settings: TrainingSettings,
    console: Console,
    progress: Progress,
) -> dict[str, Any]:
    """Print scores on unseen names of a model learnt from pages of one form.

    Returns:
        The means for the model's card, those of mixed names apart.
    """
    ((system, configuration),) = systems.configurations.items()
    parts = divide_examples(examples, settings.folds, settings.seed)
    columns, of_form = systems.used(form)[system], configuration.for_form(form)
    trial = cross_validate(examples, columns, parts, of_form, settings, progress)
    answers = {name: trial.answers[name].clustering for name in sorted(trial.answers)}
    scorer, sizes = scorer_for(corpus.source), corpus.mixed_sizes
    scores = scoring.score_answers(answers, corpus.source, scorer)
    names = sorted(answers.keys() - sizes.keys())
    signature = f"{scorer.signature(corpus.source, names)}|cv:{settings.folds}|form:{form}"
    console.write(f"on unseen names, from {form}:")
    rows = scoring.name_rows({system: scores}, system)
    console.write_table(rows)
    if sizes:
        console.write_table(scoring.size_rows({system: scores}, sizes), left=3)
    console.write_detail(fill(scoring.score_legend([rows]), console.width))
    console.write(f"{signature}\n")

    by_size: dict[int | None, dict[str, Mapping[str, float]]] = {None: {}}
    for name, of_name in scores.items():
        by_size.setdefault(sizes.get(name), {})[name] = of_name
    means = {
        size: {key: round(mean_scores(of_names)[key], 4) for key in _SHOWN}
        for size, of_names in by_size.items()
    }
    errors = standard_errors(by_size[None])
    return {
        "signature": signature,
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
