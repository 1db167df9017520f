"""``weps benchmark``: train, cluster and score on held-out names; ``--compare`` recorded runs.

Benchmarks are cross-validations or train on some corpora for another. Results are printed and
written as JSON, as recorded runs and as a document.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from textwrap import fill

from weps._files import make_folder
from weps._options import cli_argument, cli_option
from weps.cli.console import Console, TimedProgress
from weps.cli.options import check_writable, write_json
from weps.errors import SourceError
from weps.features.registry import load_named_plugins
from weps.reading import Origin, PageForm, Reader, available_similarities
from weps.similarity.columns import required_layers
from weps.training.examples import divide_examples
from weps_eval.benchmark import scoring
from weps_eval.benchmark.corpus import (
    Corpus,
    check_origins,
    load_corpus,
    open_corpus,
    with_mixed_names,
)
from weps_eval.benchmark.trials import (
    Columns,
    Systems,
    Trial,
    cross_validate,
    evaluate_transfer,
    examples_of_form,
)
from weps_eval.cli.train import (
    FEATURES_MEANING,
    SYSTEMS_MEANING,
    TrainingOptions,
    system_with_features,
)
from weps_eval.report.document import FILES_MEANING, write_report

_WIDTH = 100
_MIXED_GROUPS = 4
"""Fewest groups of names to make mixed names of."""


DEFAULT_SYSTEMS = ("paper", "default")
"""Systems that run unless others are requested."""
BY_ORIGIN = "origin"
"""Parts are the names of one origin each."""


def _parse_parts(text: str) -> int | str:
    if text == BY_ORIGIN:
        return text
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"expected a number or {BY_ORIGIN!r}, got {text!r}"
        ) from None


@dataclass(frozen=True, kw_only=True)
class Options(TrainingOptions):
    """The options of the command."""

    corpus: tuple[Path, ...] = cli_argument(
        "corpus to cross-validate on; several of one layout are combined", ()
    )
    cv: int | str | None = cli_option(
        "cross-validate over K parts of the names, or `origin`: test on the names of each origin "
        "(found by search, or listed) and train on the others; stopping and calibration are fitted "
        "within the training names (nested cross-validation)",
        parse=_parse_parts,
        metavar="K",
    )
    train: tuple[Path, ...] = cli_option(
        "train on these names; several corpora of one layout are combined", (), metavar="CORPUS"
    )
    test: Path | None = cli_option("test on these names", metavar="CORPUS")
    compare: tuple[Path, ...] = cli_option(
        "compare recorded runs instead: files, or folders of seeds; the first is the baseline",
        (),
        metavar="RUN",
    )
    system: tuple[str, ...] = cli_option(
        f"a system to run; repeat for several, which are compared with the first: {SYSTEMS_MEANING}"
        f" (default: {' and '.join(DEFAULT_SYSTEMS)})",
        (),
        repeat=True,
        metavar="TEXT",
    )
    features: tuple[str, ...] = cli_option(FEATURES_MEANING, (), repeat=True, metavar="SET")
    runs: Path | None = cli_option("record a run of each system below this folder", metavar="DIR")
    report: Path | None = cli_option("also write tables and figures as a document", metavar="DIR")
    files: bool = cli_option(FILES_MEANING, False)


def run_command(options: Options, console: Console) -> int:
    """Run the one kind of benchmark or the other, or compare earlier ones."""
    modes = ("corpus", "cv", "train", "test", "compare")
    kinds = {name for name in modes if getattr(options, name) not in (None, ())}
    of_systems = (options.system, options.features, options.runs, options.report)
    if kinds == {"compare"} and not any(of_systems):
        return _report_comparison(options, console)
    if kinds not in ({"corpus", "cv"}, {"train", "test"}):
        raise SourceError(
            "the mode is missing",
            remedy="use `benchmark --cv K CORPUS …`, `benchmark --train CORPUS … --test CORPUS`, "
            "or `benchmark --compare RUN RUN`",
        )
    check_writable(options.json)
    for folder in filter(None, (options.runs, options.report)):
        make_folder(folder)
    benchmark = _run_benchmark(options, console)
    console.write_status("scoring")
    _show_benchmark(benchmark, console)
    write_json(options.json, benchmark.as_data())
    if options.runs:
        from weps_eval.benchmark.runs import record_runs  # noqa: PLC0415 - pydantic only for these

        for path in record_runs(benchmark, options.runs, options.line):
            console.write(f"run: {path}")
    if options.report:
        document = scoring.build_document(benchmark, options.line)
        write_report(document, options.report, console, files=options.files)
    return 0


def _report_comparison(options: Options, console: Console) -> int:
    """Compare every other recorded run, or folder of runs, with the first; print, write JSON.

    Raises:
        SourceError: if there are fewer than two, one is given twice, or a run cannot be read.
        ValuesError: if they cannot be compared.
        OutputError: if the JSON cannot be written.
    """
    paths = options.compare
    check_writable(options.json)
    if len(paths) < 2:
        what = "two runs are needed for a comparison"
        raise SourceError(what, remedy="give two or more recorded runs, or folders of runs")
    if twice := [path for path, times in Counter(paths).items() if times > 1]:
        what = "this is given twice"
        raise SourceError(what, where=twice[0], remedy="name different runs")
    from weps_eval.benchmark import runs  # noqa: PLC0415 - pydantic only for recorded runs

    sides = [runs.side_of(runs.read_runs(path), str(path)) for path in paths]
    systems = Counter(side.runs[0].system for side in sides)
    sides = [
        replace(side, label=name) if systems[name := side.runs[0].system] == 1 else side
        for side in sides
    ]
    comparisons = [runs.compare_sides(sides[0], other) for other in sides[1:]]
    runs.show_comparisons(sides, comparisons, console)
    write_json(options.json, runs.comparisons_data(sides, comparisons))
    return 0


def _run_benchmark(options: Options, console: Console) -> scoring.Benchmark:
    """Answer for each part of a corpus by what the others teach, or for one by what another does.

    Raises:
        SourceError: if there is nothing to learn from, or nothing to test on.
    """
    settings, reader, cv = options.settings(), options.reader(), options.cv
    taught = _open_taught(options, settings.folds)
    tested = open_corpus(options.test) if options.test else taught
    forms = set(tested.forms.values())
    requested = [*options.system, *map(system_with_features, options.features)]
    texts = list(map(load_named_plugins, requested or DEFAULT_SYSTEMS))
    name, _, features = texts[0].partition(":features=")
    if len(texts) == 1 and name in features.split("+"):  # with more features: compared with itself
        texts = [name, *texts]
    systems = Systems.parse(texts)
    load = partial(
        load_corpus,
        similarities=systems.union,
        reader=reader,
        jobs=options.jobs,
        progress=TimedProgress(console, options.jobs),
        warn=console.warn,
    )
    if options.test:
        answered_for, learnt_from = load(tested, forms=None), load(taught, forms=forms)
        seen = (next(iter(by_form.values())) for by_form in learnt_from.values() if by_form)
        how = f"train:sha256-{taught.digest[:8]}"
        learnt_on = f"{taught.title}, {scoring.judged_pairs(seen):,} pairs"
    else:
        # Names with poor pages learn from the others, reduced.
        answered_for = learnt_from = load(tested, forms=forms)
        how = f"cv:{cv}"
        learnt_on = f"the other names, {'by origin' if cv == BY_ORIGIN else f'{cv} parts'}"
    if options.mixed and not options.learn_unmixed:
        how += "|mixed:" + ",".join(map(str, options.mixed))
    progress = TimedProgress(console)

    def attempt(system: str, form: PageForm, columns: Columns) -> Trial:
        configuration = systems.configurations[system].for_form(form)
        seen, unseen = (
            examples_of_form(each, form, columns) for each in (learnt_from, answered_for)
        )
        if options.test:
            console.write_status(f"{system}: training on {len(learnt_from)} names for {form}")
            return evaluate_transfer(seen, unseen, columns, configuration, settings, progress)
        console.write_status(f"{system}: cross-validating on {form}, --cv {cv}")
        if isinstance(cv, int):
            parts = divide_examples(seen, cv, options.seed)
        else:
            places = ([i for i, each in enumerate(seen) if each.origin is one] for one in Origin)
            parts = list(filter(None, places))
        trial = cross_validate(seen, columns, parts, configuration, settings, progress)
        answers = {
            name: answer for name, answer in trial.answers.items() if tested.forms[name] is form
        }
        return replace(trial, answers=answers)

    of_forms: dict[str, list[Trial]] = {system: [] for system in systems.configurations}
    for form in sorted(forms):
        for system, columns in systems.used(form).items():
            of_forms[system].append(attempt(system, form, columns))
    trials = {system: Trial.joined(each) for system, each in of_forms.items()}
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
        language=_language(systems, forms, reader),
        encoder=options.encoder(systems.union),
        html=reader.html,
    )


def _open_taught(options: Options, folds: int) -> Corpus:
    """The corpus to learn from, with mixed names if there are any."""
    if options.cv == BY_ORIGIN and options.mixed:
        what = "mixed names are not of one origin"
        raise SourceError(what, remedy="use --mixed with --cv 5, or --cv origin without it")
    parts = options.cv if isinstance(options.cv, int) else folds
    if parts < 2:
        raise SourceError(f"--cv {parts} leaves nothing to test on", remedy="use --cv 5")
    corpus = open_corpus(options.train or options.corpus, options.exclude)
    if options.cv == BY_ORIGIN:
        check_origins(corpus)
    # Few parts have several groups each, so that training can divide its names again.
    groups = 2 * parts if parts < _MIXED_GROUPS else parts
    return with_mixed_names(corpus, options.mixed, groups, options.seed)


def _language(systems: Systems, forms: Collection[PageForm], reader: Reader) -> str:
    """Version of the language pipeline, empty if no system needs one."""
    if not any(required_layers(available_similarities(systems.union, form)) for form in forms):
        return ""
    from weps.language.spacy_pipeline import pipeline_version  # noqa: PLC0415 - not always

    return pipeline_version(reader.language)


def _show_benchmark(benchmark: scoring.Benchmark, console: Console) -> None:
    """Write the tables of names, systems, differences and calibration, and those of the paper."""
    scores = benchmark.scores
    tables = [
        scoring.name_rows(scores, next(iter(benchmark.trials))),
        scoring.system_rows(scores, trials=benchmark.trials),
    ]
    if benchmark.corpus.mixed_sizes:
        tables.append(scoring.size_rows(scores, benchmark.corpus.mixed_sizes))
    if benchmark.differences:
        tables.append(scoring.difference_rows(benchmark))
    tables.append(scoring.calibration_rows(benchmark.calibration))
    for rows in tables:
        console.write_table(rows, left=3 if rows[0][0] == "names" else 1)
        console.write()
    console.write_detail(f"{fill(scoring.score_legend(tables), console.width)}\n")
    console.write(benchmark.signature)
    if missing := list(scoring.missing_feature_lines(benchmark.systems, benchmark.forms)):
        console.write("\n" + "\n".join(missing))
    for rows, left in zip(scoring.paper_tables(benchmark) or (), (1, 3), strict=False):
        console.write()
        console.write_table(rows, left=left)
