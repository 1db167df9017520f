"""``weps train CORPUS … --out FILE``: train a model, and estimate its scores on unseen names.

``weps train-reference CORPUS --out FILE`` counts the words shared by pages of many names.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import Any

from weps._options import REQUIRED, cli_argument, cli_option
from weps._parallel import parallel_map, partial_progress
from weps._version import VERSION
from weps.cli.console import Console, TimedProgress
from weps.cli.options import JobsOption, JsonOption, ReadingOptions, check_writable, write_json
from weps.errors import FeatureError, SourceError
from weps.features.registry import load_named_plugins
from weps.key_terms.weighting import Reference, content_word_counts
from weps.language.sentence_encoder import require_encoder
from weps.language.spacy_pipeline import pipeline_name
from weps.model import ModelSet, save_models
from weps.people.pages import fit_set_aside
from weps.reading import PageForm, Reader, richest_form
from weps.similarity.columns import Similarity, need_encoder, required_layers
from weps.sources.base import Source, select_names
from weps.sources.opening import open_source
from weps.systems import CONFIGURATIONS
from weps.training.examples import (
    TrainingSettings,
    divide_examples,
    forms_up_to,
    read_signs,
)
from weps.training.fitting import train
from weps_eval.benchmark import scoring
from weps_eval.benchmark.corpus import (
    Corpus,
    CorpusOptions,
    count_forms,
    load_corpus,
    open_corpus,
    with_mixed_names,
)
from weps_eval.benchmark.trials import Systems, cross_validate, examples_of_form
from weps_eval.clustering.measures import (
    Scores,
    bcubed_f05,
    mean_scores,
    scorer_for,
    standard_errors,
)

SYSTEMS_MEANING = (
    f"{', '.join(CONFIGURATIONS)}, or a variant of one, such as paper:features=all,link=average "
    "with any of features, classifier, link, stop, copies and rules"
)
FEATURES_MEANING = (
    "short for --system paper:features=SET; a set may begin with the name of another system: "
    "default+mine.py:FUNCTION adds a feature of your own (docs/extending.md); see `weps features`"
)
_SYSTEM = "default"
_SHOWN = ("bcubed_precision", "bcubed_recall", "bcubed_f05", "bcubed_f02")


@dataclass(frozen=True, kw_only=True)
class TrainingOptions(CorpusOptions, JsonOption):
    """Names that systems learn from."""

    mixed: tuple[int, ...] = cli_option(
        "also train on mixed names: N pages of several names each; mixed test names share no page "
        "with them (docs/benchmarks.md)",
        (),
        least=2,
        most=1_000,
        metavar="N",
    )
    learn_unmixed: bool = cli_option("test on mixed names without training on any", False)
    line: str = ""
    """The command line, for what says how it was made."""

    def settings(self) -> TrainingSettings:
        """The settings of training."""
        return TrainingSettings(seed=self.seed, learn_mixed=not self.learn_unmixed)

    def encoder(self, similarities: Sequence[Similarity]) -> str:
        """The identity of the sentence encoder, empty if no similarity needs one.

        Raises:
            LanguageError: if it is missing or damaged.
        """
        return require_encoder(self.embeddings) if need_encoder(similarities) else ""


def system_with_features(text: str) -> str:
    """The system of a feature set, which may begin with the name of another system."""
    first = text.split("+", maxsplit=1)[0].strip()
    return f"{first if first in CONFIGURATIONS else 'paper'}:features={text}"


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
    set_aside: bool = cli_option(
        "also learn which pages to set aside, from those that the keys discard", False
    )


def run_command(options: Options, console: Console) -> int:
    """Cross-validate, train on all names, save.

    Raises:
        FeatureError: if pages have none of the features.
    """
    check_writable(options.out)
    check_writable(options.json)
    settings, reader = options.settings(), options.reader()
    requested = system_with_features(options.features) if options.features else options.system
    system = load_named_plugins(requested or _SYSTEM)
    systems = Systems.parse([system])
    corpus = open_corpus(options.corpus, options.exclude)
    corpus = with_mixed_names(corpus, options.mixed, settings.folds, options.seed)
    encoder = options.encoder(systems.union)
    forms = count_forms(form for richest in corpus.forms.values() for form in forms_up_to(richest))
    if lines := list(scoring.missing_feature_lines(systems, forms)):
        console.write("\n".join([*lines, ""]))
    taught = [form for form in forms if systems.used(form)[system]]
    if not taught:
        raise FeatureError(
            f"the pages have nothing to compare by for {system}",
            where=corpus.source.root,
            remedy="choose features that they have; `weps features` lists all",
        )
    reading = TimedProgress(console, options.jobs)
    loaded = load_corpus(corpus, systems.union, taught, reader, options.jobs, reading, console.warn)
    progress = TimedProgress(console)
    validation, models = {}, {}
    fitted = {
        form: (
            examples_of_form(loaded, form, columns := systems.used(form)[system]),
            columns,
            systems.configurations[system].for_form(form),
        )
        for form in taught
    }
    for form, (examples, columns, configuration) in fitted.items():
        console.write_status(f"cross-validating on {form}")
        parts = divide_examples(examples, settings.folds, settings.seed)
        trial = cross_validate(examples, columns, parts, configuration, settings, progress)
        answers = {name: trial.answers[name].clustering for name in sorted(trial.answers)}
        scores = scoring.score_answers(answers, corpus.source, scorer_for(corpus.source))
        validation[str(form)] = _show_validation(scores, form, corpus, system, settings, console)
    console.write_status("training on all names")
    for number, form in enumerate(sorted(taught)):
        what = partial_progress(progress, "fitting classifiers", number, len(taught))
        models[form] = train(*fitted[form], bcubed_f05, settings, what)
    if options.set_aside and PageForm.PAGES in models:
        keys = {name: key for name in corpus.names if (key := corpus.source.key(name))}
        rule = fit_set_aside(
            (read_signs(name, corpus.source, reader), key)
            for name, key in keys.items()
            if name not in corpus.mixed_sizes
        )
        models[PageForm.PAGES] = dataclasses.replace(models[PageForm.PAGES], set_aside=rule)
    missing = {str(form): list(map(str, systems.missing(form)[system])) for form in forms}
    card = {
        "command": options.line,
        "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
        "weps": VERSION,
        "corpus": {
            "layout": corpus.source.layout,
            "names": corpus.names,
            "digest": corpus.digest,
        },
        "system": system,
        "configuration": systems.configurations[system].as_data(),
        "similarities": [str(each) for each in systems.union],
        "absent": missing,
        "settings": dataclasses.asdict(settings),
        "cross_validation": validation,
    }
    language = pipeline_name(reader.language) if required_layers(systems.union) else ""
    save_models(ModelSet(models, card, language, encoder), options.out)
    console.write(f"model: {options.out}")
    write_json(options.json, {"model": str(options.out), **card})
    return 0


def _show_validation(  # noqa: PLR0913, PLR0917 - what was learnt, from what, and who is told
    scores: Scores,
    form: PageForm,
    corpus: Corpus,
    system: str,
    settings: TrainingSettings,
    console: Console,
) -> dict[str, Any]:
    """Print scores on unseen names of a model learnt from pages of one form.

    Returns:
        The means for the model's card, those of mixed names apart.
    """
    sizes = corpus.mixed_sizes
    names = sorted(scores.keys() - sizes.keys())
    signature = scorer_for(corpus.source).signature(corpus.source, names)
    signature += f"|cv:{settings.folds}|form:{form}"
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


_FEWEST_NAMES = 3
"""A word on the pages of fewer names may tell who somebody is, and is left out."""


@dataclass(frozen=True, kw_only=True)
class ReferenceOptions(ReadingOptions, JobsOption):
    """The options of ``weps train-reference``."""

    corpus: Path = cli_argument("names with their pages")
    out: Path = cli_option("the reference collection", REQUIRED)
    exclude: tuple[str, ...] = cli_option("names to leave out", (), metavar="NAME")


def train_reference(options: ReferenceOptions, console: Console) -> int:
    """Count the words of every name's pages, keep those that several names share, write.

    Raises:
        SourceError: if the names are too few to share a word.
    """
    check_writable(options.out)
    source = open_source(options.corpus)
    left_out = set(select_names(source, options.exclude)) if options.exclude else set()
    names = [name for name in source.names if name not in left_out]
    if len(names) < _FEWEST_NAMES:
        raise SourceError(
            f"too few names ({len(names)}): only words that {_FEWEST_NAMES} share are kept",
            where=source.root,
            remedy="give a corpus with more names",
        )
    work = partial(_count_words, source=source, reader=options.reader())
    counted, progress = [], TimedProgress(console, options.jobs)
    for number, words in enumerate(parallel_map(work, names, options.jobs), start=1):
        progress("counting words", number, len(names))
        counted.append(words)
    reference = dataclasses.replace(
        Reference.combine(counted, _FEWEST_NAMES),
        made_from={
            "layout": source.layout,
            "digest": source.digest(names),
            "names": len(names),
            "fewest_names": _FEWEST_NAMES,
            "weps": VERSION,
        },
    )
    reference.write(options.out)
    console.write(
        f"{len(reference.words):,} words that occur on pages of {_FEWEST_NAMES} names or more, "
        f"from {reference.documents:,} pages of {reference.size:,} words\n"
        f"reference collection: {options.out}"
    )
    return 0


def _count_words(name: str, source: Source, reader: Reader) -> Reference:
    search = source.search(name)
    return Reference.of(content_word_counts(reader.read(search, richest_form(search))))
