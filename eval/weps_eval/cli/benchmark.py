"""``weps benchmark``: train, cluster and score on held-out names; ``--compare`` recorded runs.

Benchmarks are cross-validations or train on some corpora for another. Results are printed and
written as JSON, as recorded runs and as a document.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from textwrap import fill

from weps._files import make_folder
from weps._options import cli_argument, cli_option
from weps.cli.console import Console
from weps.cli.options import check_writable, write_json
from weps.cli.pace import TimedProgress
from weps.errors import SourceError
from weps.features.registry import load_named_plugins
from weps.page_forms import PageForm, available_similarities
from weps.similarity.columns import required_layers
from weps.training.examples import divide_examples
from weps_eval.benchmark import compare, scoring
from weps_eval.benchmark.corpus import (
    Corpus,
    check_origins,
    open_corpus,
    with_mixed_names,
)
from weps_eval.benchmark.options import (
    FEATURES_MEANING,
    SYSTEMS_MEANING,
    TrainingOptions,
    load_corpus,
    system_with_features,
)
from weps_eval.benchmark.report import (
    build_document,
    judged_pairs,
    missing_feature_lines,
    paper_tables,
)
from weps_eval.benchmark.trials import (
    Columns,
    Systems,
    Trial,
    by_origin,
    cross_validate,
    evaluate_transfer,
    examples_of_form,
    run_systems,
    systems_of,
)
from weps_eval.clustering.scorers import SCORING_RULES
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
    scorer: str | None = cli_option(
        "default: the official one of the corpus", choices=sorted(SCORING_RULES)
    )
    system: tuple[str, ...] = cli_option(
        f"a system to run; repeat for several, which are compared with the first: {SYSTEMS_MEANING}"
        f" (default: {' and '.join(DEFAULT_SYSTEMS)})",
        (),
        repeat=True,
        metavar="TEXT",
    )
    features: tuple[str, ...] = cli_option(FEATURES_MEANING, (), repeat=True, metavar="SET")
    common_features: bool = cli_option(
        "only features that the pages of every name have, including the training names", False
    )
    runs: Path | None = cli_option("record a run of each system below this folder", metavar="DIR")
    report: Path | None = cli_option("also write tables and figures as a document", metavar="DIR")
    files: bool = cli_option(FILES_MEANING, False)


def run_command(options: Options, console: Console) -> int:
    """Run the one kind of benchmark or the other, or compare earlier ones."""
    modes = ("corpus", "cv", "train", "test", "compare")
    kinds = {name for name in modes if getattr(options, name) not in (None, ())}
    of_systems = (options.system, options.features, options.runs, options.report)
    if kinds == {"compare"} and not any(of_systems):
        return report_comparison(options.compare, console, options.json)
    if kinds not in ({"corpus", "cv"}, {"train", "test"}):
        raise SourceError(
            "the mode is missing",
            remedy="use `benchmark --cv K CORPUS …`, `benchmark --train CORPUS … --test CORPUS`, "
            "or `benchmark --compare RUN RUN`",
        )
    check_writable(options.json)
    for folder in filter(None, (options.runs, options.report)):
        make_folder(folder)
    benchmark = run_benchmark(options, console)
    console.write_status("scoring")
    _show_benchmark(benchmark, console)
    write_json(options.json, benchmark.as_data())
    if options.runs:
        from weps_eval.benchmark.runs import record_runs  # noqa: PLC0415 - pydantic only for these

        for path in record_runs(benchmark, options.runs, options.line):
            console.write(f"run: {path}")
    if options.report:
        document = build_document(benchmark, options.line)
        write_report(document, options.report, console, files=options.files)
    return 0


def report_comparison(paths: Sequence[Path], console: Console, json: Path | None = None) -> int:
    """Compare every other system with the first; print tables, write JSON.

    Args:
        paths: each a recorded run, or a folder of runs that differ in their seed only.
        console: where the tables go.
        json: a file for the JSON (docs/output.md), if wanted.

    Raises:
        SourceError: if there are fewer than two, one is given twice, or a run cannot be read.
        ValuesError: if they cannot be compared.
        OutputError: if the JSON cannot be written.
    """
    check_writable(json)
    if len(paths) < 2:
        what = "two runs are needed for a comparison"
        raise SourceError(what, remedy="give two or more recorded runs, or folders of runs")
    if twice := [path for path, times in Counter(paths).items() if times > 1]:
        what = "this is given twice"
        raise SourceError(what, where=twice[0], remedy="name different runs")
    from weps_eval.benchmark.runs import read_runs  # noqa: PLC0415 - pydantic only for recorded runs

    sides = [compare.side_of(read_runs(path), str(path)) for path in paths]
    labels = [side.runs[0].system for side in sides]
    sides = [
        replace(side, label=label) if labels.count(label) == 1 else side
        for side, label in zip(sides, labels, strict=True)
    ]
    comparisons = [compare.compare_sides(sides[0], other) for other in sides[1:]]
    console.write_table(compare.side_rows(sides))
    for each in comparisons:
        for rows in (compare.measure_difference_rows(each), compare.name_difference_rows(each)):
            if len(rows) > 1:
                console.write()
                console.write_table(rows)
        console.write(f"\n{compare.verdict_line(each)}")
        for remark in each.remarks:
            console.write(fill(f"- {remark}", _WIDTH, subsequent_indent="  "))
    write_json(json, compare.comparisons_data(sides, comparisons))
    return 0


def run_benchmark(options: Options, console: Console) -> scoring.Benchmark:
    """Answer for each part of a corpus by what the others teach, or for one by what another does.

    Raises:
        SourceError: if there is nothing to learn from, or nothing to test on.
    """
    settings, reader = options.settings(), options.reader()
    if options.test:
        tested = open_corpus(options.test)
        taught = open_corpus(options.train, options.exclude)
        taught = with_mixed_names(taught, options.mixed, settings.folds, options.seed)
    else:
        tested = taught = _divided_corpus(options)
    forms = set(tested.forms.values())
    systems = _systems(options, forms | set(taught.forms.values()))
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
        learnt_on = f"{taught.title}, {judged_pairs(seen):,} pairs"
    else:
        # Names with poor pages learn from the others, reduced.
        answered_for = learnt_from = load(tested, forms=forms)
        by_origins = options.cv == BY_ORIGIN
        how = f"cv:{options.cv}"
        learnt_on = f"the other names, {'by origin' if by_origins else f'{options.cv} parts'}"
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
        console.write_status(f"{system}: cross-validating on {form}, --cv {options.cv}")
        if isinstance(options.cv, int):
            parts = divide_examples(seen, options.cv, options.seed)
        else:
            parts = by_origin(seen)
        trial = cross_validate(seen, columns, parts, configuration, settings, progress)
        answers = {
            name: answer for name, answer in trial.answers.items() if tested.forms[name] is form
        }
        return replace(trial, answers=answers)

    trials = run_systems(systems, forms, attempt)
    answered = next(iter(trials.values())).answers
    # Mixed names whose names are in several parts have taught only.
    corpus = replace(
        tested, forms={name: form for name, form in tested.forms.items() if name in answered}
    )
    language = ""
    if any(required_layers(available_similarities(systems.union, form)) for form in forms):
        from weps.language.spacy_pipeline import pipeline_version  # noqa: PLC0415 - not always

        language = pipeline_version(reader.language)
    return scoring.Benchmark(
        systems,
        trials,
        corpus,
        {name: answered_for[name][form] for name, form in corpus.forms.items()},
        how=how,
        learnt_on=learnt_on,
        settings=settings,
        scorer=options.scorer,
        language=language,
        encoder=options.encoder(systems.union),
        html=reader.html,
    )


def _divided_corpus(options: Options) -> Corpus:
    """The corpus of a cross-validation, with mixed names if there are any."""
    if isinstance(options.cv, int):
        if options.cv < 2:
            raise SourceError(f"--cv {options.cv} leaves nothing to test on", remedy="use --cv 5")
        corpus = open_corpus(options.corpus, options.exclude)
        # Few parts have several groups each, so that training can divide its names again.
        groups = options.cv if options.cv >= _MIXED_GROUPS else 2 * options.cv
        return with_mixed_names(corpus, options.mixed, groups, options.seed)
    corpus = open_corpus(options.corpus, options.exclude)
    if options.mixed:
        what = "mixed names are not of one origin"
        raise SourceError(what, remedy="use --mixed with --cv 5, or --cv origin without it")
    check_origins(corpus)
    return corpus


def _systems(options: Options, forms: set[PageForm]) -> Systems:
    requested = [*options.system, *map(system_with_features, options.features)]
    texts = list(map(load_named_plugins, requested or DEFAULT_SYSTEMS))
    name, _, features = texts[0].partition(":features=")
    if len(texts) == 1 and name in features.split("+"):  # with more features: compared with itself
        texts = [name, *texts]
    return systems_of(texts, forms if options.common_features else ())


def _show_benchmark(benchmark: scoring.Benchmark, console: Console) -> None:
    """Write the tables of names, systems, differences and calibration, and those of the paper."""
    first = next(iter(benchmark.trials))
    tables = [
        scoring.name_rows(benchmark.scores, first),
        scoring.system_rows(benchmark.scores, trials=benchmark.trials),
    ]
    if benchmark.corpus.mixed_sizes:
        tables.append(scoring.size_rows(benchmark.scores, benchmark.corpus.mixed_sizes))
    if benchmark.differences:
        tables.append(scoring.difference_rows(benchmark.differences, first))
    tables.append(scoring.calibration_rows(benchmark.calibration))
    for rows in tables:
        console.write_table(rows, left=3 if rows[0][0] == "names" else 1)
        console.write()
    console.write_detail(f"{fill(scoring.score_legend(tables), console.width)}\n")
    console.write(benchmark.signature)
    if missing := list(missing_feature_lines(benchmark.systems, benchmark.forms)):
        console.write("\n" + "\n".join(missing))
    for rows, left in zip(paper_tables(benchmark) or (), (1, 3), strict=False):
        console.write()
        console.write_table(rows, left=left)
