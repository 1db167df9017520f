"""The run of a benchmark: systems learn from names with keys and answer for others.

By cross-validation over the names of some corpora, or on some corpora for another.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from weps import reading, training
from weps._files import as_path
from weps._formatting import count_of
from weps._options import cli_argument, cli_option, read_values
from weps._parallel import Progress, checked_progress
from weps._schema import validate_data
from weps._version import VERSION
from weps.cli.console import Console, TimedProgress
from weps.coreference.classifiers import CLASSIFIERS
from weps.errors import SourceError, ValuesError
from weps.features.registry import load_named_plugins
from weps.language import sentence_encoder, spacy_pipeline
from weps.similarity.columns import need_encoder, required_layers
from weps.systems import CONFIGURATIONS
from weps_eval.benchmark import scoring
from weps_eval.benchmark.corpus import (
    Corpus,
    CorpusOptions,
    check_origins,
    load_corpus,
    open_corpus,
    with_mixed_names,
)
from weps_eval.report.document import ReportOptions

SYSTEMS_MEANING = (
    f"{', '.join(CONFIGURATIONS)}, or a variant of one, such as paper:features=all,link=average "
    "with any of features (see `weps features`), classifier, link, stop, copies, rules and mixed; "
    "default:features=default+mine.py:FUNCTION adds a feature of your own (docs/extending.md)"
)
_MIXED_GROUPS = 4
"""Fewest groups of names to make mixed names of."""
DEFAULT_SYSTEMS = ("paper", "default")
"""Systems that are compared unless others are requested; the last is what is trained."""
BY_ORIGIN = "origin"
"""Parts are the names of one origin each."""


@dataclass(frozen=True, kw_only=True)
class TrainingOptions(CorpusOptions):
    """Names that systems learn from."""

    mixed: tuple[int, ...] = cli_option(
        "also train on mixed names: N pages of several names each; mixed test names share no page "
        "with them (docs/benchmarks.md)",
        (),
        least=2,
        most=1_000,
        metavar="N",
    )

    def settings(self) -> training.TrainingSettings:
        """The settings of training."""
        return training.TrainingSettings(seed=self.seed)


@dataclass(frozen=True, kw_only=True)
class BenchmarkOptions(TrainingOptions, ReportOptions):
    """The options of ``weps benchmark``."""

    corpus: tuple[Path, ...] = cli_argument(
        "corpus to cross-validate on; several of one layout are combined", ()
    )
    cv: str | None = cli_option(
        "cross-validate over K parts of the names, or `origin`: test on the names of each origin "
        "(found by search, or listed) and train on the others; stopping and calibration are fitted "
        "within the training names (nested cross-validation)",
        metavar="K",
    )
    train: tuple[Path, ...] = cli_option(
        "train on these names; several corpora of one layout are combined", (), metavar="CORPUS"
    )
    test: Path | None = cli_option("test on these names", metavar="CORPUS")
    system: tuple[str, ...] = cli_option(
        f"a system to run; repeat for several, which are compared with the first: {SYSTEMS_MEANING}"
        f" (default: {' and '.join(DEFAULT_SYSTEMS)})",
        (),
        repeat=True,
        metavar="TEXT",
    )
    runs: Path | None = cli_option("record a run of each system below this folder", metavar="DIR")


def run_benchmark(
    options: BenchmarkOptions, console: Console, progress: Progress | None = None
) -> scoring.Benchmark:
    """The systems on each part of a corpus, taught by the others, or on one, taught by another.

    Args:
        options: of the command.
        console: where to tell what is done.
        progress: called with the progress; None tells it there, too.

    Raises:
        SourceError: if it is not said what teaches and what is answered for.
    """
    modes = ("corpus", "cv", "train", "test")
    kinds = {name for name in modes if getattr(options, name) not in (None, ())}
    if kinds not in ({"corpus", "cv"}, {"train", "test"}):
        raise SourceError(
            "the mode is missing",
            remedy="use `benchmark --cv K CORPUS …`, or `benchmark --train CORPUS … --test "
            "CORPUS`; `evaluate RUN RUN --compare` compares recorded runs",
        )
    settings, reader, cv = options.settings(), options.reader(), options.cv
    taught = _open_taught(options, settings.folds)
    tested = _open_tested(options.test, taught, console) if options.test else taught
    forms = set(tested.forms.values())
    texts = list(map(load_named_plugins, options.system or DEFAULT_SYSTEMS))
    name, _, features = texts[0].partition(":features=")
    if len(texts) == 1 and name in features.split("+"):  # with more features: compared with itself
        texts = [name, *texts]
    systems = scoring.Systems.parse(texts)
    load = partial(
        load_corpus,
        similarities=systems.union,
        reader=reader,
        jobs=options.jobs,
        progress=progress or TimedProgress(console),
        warn=console.warn,
    )
    if options.test:
        answered_for, learnt_from = load(tested, forms=None), load(taught, forms=forms)
        seen = (next(iter(by_form.values())) for by_form in learnt_from.values() if by_form)
        how = f"train:sha256-{taught.source.digest(taught.names)[:8]}"
        learnt_on = f"{taught.title}, {scoring.judged_pairs(seen):,} pairs"
    else:
        # Names with poor pages learn from the others, reduced.
        answered_for = learnt_from = load(tested, forms=forms)
        how = f"cv:{cv}"
        learnt_on = f"the other names, {'by origin' if cv == BY_ORIGIN else f'{cv} parts'}"
    if options.mixed:
        how += "|mixed:" + ",".join(map(str, options.mixed))
    progress = progress or TimedProgress(console)

    def attempt(system: str, form: reading.PageForm, columns: scoring.Columns) -> scoring.Trial:
        configuration = systems.configurations[system].for_form(form)
        seen, unseen = (
            scoring.examples_of_form(each, form, columns) for each in (learnt_from, answered_for)
        )
        if options.test:
            console.write_status(f"{system}: training on {len(learnt_from)} names for {form}")
            return scoring.evaluate_transfer(
                seen, unseen, columns, configuration, settings, progress
            )
        console.write_status(f"{system}: cross-validating on {form}, --cv {cv}")
        if cv == BY_ORIGIN:
            places = (
                [i for i, each in enumerate(seen) if each.origin is one] for one in reading.Origin
            )
            parts = list(filter(None, places))
        else:
            parts = training.divide_examples(seen, int(cv or 0), options.seed)
        trial = scoring.evaluate_parts(seen, columns, parts, configuration, settings, progress)
        of_form = {name: each for name, each in trial.answers.items() if tested.forms[name] is form}
        return replace(trial, answers=of_form)

    of_forms: dict[str, list[scoring.Trial]] = {system: [] for system in systems.configurations}
    for form in sorted(forms):
        for system, columns in systems.used(form).items():
            of_forms[system].append(attempt(system, form, columns))
    trials = {system: scoring.Trial.joined(each) for system, each in of_forms.items()}
    answered = next(iter(trials.values())).answers
    # Mixed names whose names are in several parts have taught only.
    corpus = replace(
        tested, forms={name: form for name, form in tested.forms.items() if name in answered}
    )
    return scoring.Benchmark(
        systems,
        trials,
        corpus,
        {name: answered_for[name][form] for name, form in corpus.forms.items()},
        how=how,
        learnt_on=learnt_on,
        settings=settings,
        tools=_tools_of(systems, forms, reader),
    )


def _open_taught(options: BenchmarkOptions, folds: int) -> Corpus:
    """The corpus to learn from, with mixed names if there are any."""
    if options.cv == BY_ORIGIN and options.mixed:
        raise SourceError(
            "mixed names are not of one origin",
            remedy="use --mixed with --cv 5, or --cv origin without it",
        )
    parts = folds
    if options.cv not in (None, BY_ORIGIN):
        parts = int(options.cv) if options.cv.isdecimal() else 0
    if parts < 2:
        raise SourceError(f"--cv {options.cv} leaves nothing to test on", remedy="use --cv 5")
    corpus = open_corpus(options.train or options.corpus, options.exclude)
    if options.cv not in (None, BY_ORIGIN) and parts > len(corpus.names):
        raise SourceError(
            f"--cv {parts} is more than the {count_of(len(corpus.names), 'name')} of the corpus",
            remedy=f"use --cv {len(corpus.names)}",
        )
    if options.cv == BY_ORIGIN:
        check_origins(corpus)
    # Few parts have several groups each, so that training can divide its names again.
    groups = 2 * parts if parts < _MIXED_GROUPS else parts
    return with_mixed_names(corpus, options.mixed, groups, options.seed)


def _open_tested(path: Path, taught: Corpus, console: Console) -> Corpus:
    """The corpus to answer for, with a warning if names of it have taught the systems."""
    tested = open_corpus(path)
    if known := {*tested.names} & {*taught.names}:
        names = count_of(len(known), "name")
        console.warn(f"{names} to answer for taught the systems, too: scores are too high")
    return tested


def _tools_of(
    systems: scoring.Systems, forms: Iterable[reading.PageForm], reader: reading.Reader
) -> dict[str, str]:
    """What pages were read with, see :attr:`Benchmark.tools`."""
    tools = {}
    if any(required_layers(reading.available_similarities(systems.union, form)) for form in forms):
        tools["language"] = spacy_pipeline.pipeline_version(reader.language)
    if need_encoder(systems.union):
        tools["encoder"] = sentence_encoder.require_encoder(reader.embeddings)
    return tools


def cross_validate(
    systems: str | Sequence[str],
    corpus: Path | str,
    parts: int | str = 5,
    progress: Progress | None = None,
    **options: Any,
) -> scoring.Benchmark:
    """The benchmark of systems on the names of a corpus, each answered by what others taught.

    Args:
        systems: as written; they are compared with the first.
        corpus: names with pages and keys.
        parts: number of parts of the names, or ``"origin"``.
        progress: called with the progress of reading and of each system.
        options: those of ``weps benchmark``, such as ``seed`` and ``jobs``.

    Example:
        >>> found = cross_validate(["paper", "paper:link=average"], corpus, 2)
        >>> [(each.second, each.verdict) for each in found.comparisons]
        [('paper:link=average', 'within the noise')]
    """
    given = {"corpus": as_path(corpus), "system": systems, "cv": parts, **options}
    asked = read_values(BenchmarkOptions, given)
    return run_benchmark(asked, Console(quiet=True), checked_progress(progress))


def record_runs(benchmark: scoring.Benchmark, folder: Path, made: str) -> list[Path]:
    """Record a run of every system of a benchmark, those of each in a folder of its own.

    Args:
        benchmark: what the systems did.
        folder: where these folders are, or are made.
        made: the command line.

    Raises:
        OutputError: if a run cannot be written.
        ValuesError: if the name of a system or the command line is no text of a run.
    """
    from weps_eval.benchmark import runs  # noqa: PLC0415 - pydantic only for these

    corpus, paths = benchmark.corpus, []
    for system, trial in benchmark.trials.items():
        scores = benchmark.scores[system]
        run = {
            "kind": runs.KIND,
            "format": 1,
            "system": system,
            "configuration": _configuration(benchmark, system),
            "corpus": {
                "title": corpus.title,
                "layout": corpus.source.layout,
                "digest": corpus.source.digest(corpus.names),
                "names": len(corpus.names),
            },
            "how": benchmark.how,
            "seed": benchmark.settings.seed,
            "signature": benchmark.signature,
            "weps": VERSION,
            "made": made,
            "date": datetime.now(tz=UTC).date().isoformat(),
            "machine": {
                "python": platform.python_version(),
                **{each: version(each) for each in ("numpy", "scipy", "scikit-learn")},
                "system": platform.system(),
                "processor": platform.machine(),
                "cores": os.cpu_count() or 1,
            },
            "seconds": {
                "learning": round(trial.learning, 2),
                "answering": round(trial.answering, 2),
            },
            "scores": {name: dict(sorted(scores[name].items())) for name in sorted(scores)},
        }
        # A name that had to be cut is told apart by its digest.
        short = runs.file_name(system)
        if len(system) > len(short):
            short += f"-{sha256(system.encode()).hexdigest()[:8]}"
        paths.append(runs.write_run(validate_data(runs.Run, run, ValuesError), folder / short))
    return paths


def _configuration(benchmark: scoring.Benchmark, system: str) -> dict[str, Any]:
    """The choices about a system, the seed excepted, in alphabetical order."""
    configuration = benchmark.systems.configurations[system]
    choices = {
        **asdict(benchmark.settings),
        **CLASSIFIERS[configuration.classifier].choices,
        **configuration.as_data(),
    }
    for key, value in configuration.by_form:
        form, _, part = key.partition(".")
        if part == "classifier":
            for choice, number in CLASSIFIERS[str(value)].choices.items():
                choices[f"{form}.{choice}"] = number
    wanted = benchmark.systems.wanted[system]
    unused = {"seed"}
    if not required_layers(wanted):
        unused.add("language")
    if not need_encoder(wanted):
        unused.add("encoder")
    choices |= benchmark.tools
    return {choice: choices[choice] for choice in sorted(choices.keys() - unused)}
