"""``weps benchmark``: train, cluster and score on held-out names; ``--compare`` recorded runs.

Benchmarks are cross-validations or train on some corpora for another. Results are printed and
written as JSON, as recorded runs and as a document.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import fill

from weps._files import make_folder
from weps.cli.console import Console
from weps.cli.options import add_json, check_writable, reader_from_options, write_json
from weps.cli.pace import TimedProgress
from weps.errors import SourceError
from weps.features.plugins import load_named_features
from weps.page_forms import PageForm, available_similarities
from weps.similarity.columns import required_layers
from weps.training.examples import Example, divide_examples
from weps_eval.benchmark.compare import (
    COMPARED_MEASURES,
    Side,
    SystemComparison,
    compare_sides,
    comparisons_data,
    measure_difference_rows,
    name_difference_rows,
    side_of,
    side_rows,
    verdict_line,
)
from weps_eval.benchmark.corpus import (
    Corpus,
    check_origins,
    mixing_groups,
    open_corpus,
    with_mixed_names,
)
from weps_eval.benchmark.options import (
    add_corpus_options,
    add_mixed,
    add_systems,
    encoder_of,
    load_corpus,
    training_settings,
)
from weps_eval.benchmark.report import (
    build_document,
    missing_feature_lines,
    paper_counterparts,
    protocol_differences,
    protocol_of,
    table_2,
    with_cost,
)
from weps_eval.benchmark.scoring import (
    BenchmarkOutcome,
    ScoredBenchmark,
    calibration_rows,
    difference_rows,
    judged_pairs,
    legend,
    name_rows,
    score_benchmark,
    scored_data,
    size_rows,
    system_rows,
)
from weps_eval.benchmark.trials import (
    Columns,
    Examples,
    Systems,
    Trial,
    by_origin,
    cross_validate,
    examples_of_form,
    run_systems,
    systems_of,
)
from weps_eval.benchmark.trials import evaluate_transfer as learnt_elsewhere
from weps_eval.clustering.scorers import SCORING_RULES
from weps_eval.report.document import write_report

_WIDTH = 100


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
    sides = _sides(paths)
    found = [compare_sides(sides[0], other) for other in sides[1:]]
    console.write_table(side_rows(sides))
    for each in found:
        _show_comparison(each, console)
    write_json(json, comparisons_data(sides, found, COMPARED_MEASURES[0]))
    return 0


def _sides(paths: Sequence[Path]) -> list[Side]:
    if len(paths) < 2:
        what = "two runs are needed for a comparison"
        raise SourceError(what, remedy="give two or more recorded runs, or folders of runs")
    if twice := [path for path, times in Counter(paths).items() if times > 1]:
        what = "this is given twice"
        raise SourceError(what, where=twice[0], remedy="name different runs")
    from weps_eval.benchmark.runs import read_runs  # noqa: PLC0415 - pydantic only for recorded runs

    sides = [side_of(read_runs(path), str(path)) for path in paths]
    systems = Counter(side.runs[0].system for side in sides)
    return [
        replace(side, label=system) if systems[system] == 1 else side
        for side in sides
        for system in (side.runs[0].system,)
    ]


def _show_comparison(compared: SystemComparison, console: Console) -> None:
    """Write differences, names, and the verdict with its remarks."""
    for rows in (measure_difference_rows(compared), name_difference_rows(compared)):
        if len(rows) > 1:
            console.write()
            console.write_table(rows)
    console.write(f"\n{verdict_line(compared)}")
    for remark in (*compared.verdict.remarks, *compared.cautions):
        console.write(fill(f"- {remark}", _WIDTH, subsequent_indent="  "))


DEFAULT_SYSTEMS = ("paper", "default")
"""What runs unless other systems are requested."""
BY_ORIGIN = "origin"
"""Parts are the names of one origin each."""


def cross_validation(options: argparse.Namespace, console: Console) -> BenchmarkOutcome:
    """Answer for each part of a corpus, or of several as one, by what the other parts teach.

    Raises:
        SourceError: if there are no other parts.
    """
    by_origins = options.cv == BY_ORIGIN
    if not by_origins and options.cv < 2:
        raise SourceError(f"--cv {options.cv} leaves nothing to test on", remedy="use --cv 5")
    corpus = open_corpus(options.corpus, options.exclude)
    if by_origins and options.mixed:
        what = "mixed names are not of one origin"
        raise SourceError(what, remedy="use --mixed with --cv 5, or --cv origin without it")
    if by_origins:
        check_origins(corpus)
    else:
        groups = mixing_groups(options.cv)
        corpus = with_mixed_names(corpus, options.mixed, groups, options.seed)
    forms, settings = set(corpus.forms.values()), training_settings(options)
    systems = _systems(options, forms)
    # Names with poor pages learn from the others, reduced.
    examples = load_corpus(corpus, systems.union, forms, options, console)
    progress = TimedProgress(console)

    def attempt(system: str, form: PageForm, columns: Columns) -> Trial:
        console.write_status(f"{system}: cross-validating on {form}, --cv {options.cv}")
        seen = examples_of_form(examples, form, columns)
        parts = by_origin(seen) if by_origins else divide_examples(seen, options.cv, options.seed)
        chosen = systems.configurations[system].for_form(form)
        trial = cross_validate(seen, columns, parts, chosen, settings, progress)
        return trial.only(name for name in trial.answers if corpus.forms[name] is form)

    trials = run_systems(systems, forms, attempt)
    answered = next(iter(trials.values())).answers
    # Mixed names whose names are in several parts have taught only.
    corpus = replace(
        corpus, forms={name: form for name, form in corpus.forms.items() if name in answered}
    )
    return BenchmarkOutcome(
        systems,
        trials,
        corpus,
        _as_found(examples, corpus),
        how=f"cv:{options.cv}{_learnt_mixed(options)}",
        learnt_on=f"the other names, {'by origin' if by_origins else f'{options.cv} parts'}",
        settings=settings,
        language=_language(options, systems, forms),
        encoder=encoder_of(options, systems.union),
        html=reader_from_options(options).html,
    )


def transfer_benchmark(options: argparse.Namespace, console: Console) -> BenchmarkOutcome:
    """Answer for one corpus by what others teach."""
    test = open_corpus(options.test)
    forms, settings = set(test.forms.values()), training_settings(options)
    training = open_corpus(options.train, options.exclude)
    training = with_mixed_names(training, options.mixed, settings.folds, options.seed)
    systems = _systems(options, forms | set(training.forms.values()))
    tested = load_corpus(test, systems.union, None, options, console)
    learnt = load_corpus(training, systems.union, forms, options, console)

    def attempt(system: str, form: PageForm, columns: Columns) -> Trial:
        console.write_status(f"{system}: training on {len(learnt)} names for {form}")
        seen, unseen = (examples_of_form(each, form, columns) for each in (learnt, tested))
        chosen = systems.configurations[system].for_form(form)
        return learnt_elsewhere(seen, unseen, columns, chosen, settings, TimedProgress(console))

    of_training = [next(iter(by_form.values())) for by_form in learnt.values() if by_form]
    return BenchmarkOutcome(
        systems,
        run_systems(systems, forms, attempt),
        test,
        _as_found(tested, test),
        how=f"train:sha256-{training.digest[:8]}{_learnt_mixed(options)}",
        learnt_on=f"{training.title}, {judged_pairs(of_training):,} pairs",
        settings=settings,
        language=_language(options, systems, forms),
        encoder=encoder_of(options, systems.union),
        html=reader_from_options(options).html,
    )


def _learnt_mixed(options: argparse.Namespace) -> str:
    """The sizes of the mixed names that were learnt from, for signatures."""
    if not options.mixed or options.learn_unmixed:
        return ""
    return "|mixed:" + ",".join(map(str, options.mixed))


def _systems(options: argparse.Namespace, forms: set[PageForm]) -> Systems:
    chosen = list(map(load_named_features, options.system or DEFAULT_SYSTEMS))
    name, _, features = chosen[0].partition(":features=")
    if len(chosen) == 1 and name in features.split("+"):  # with more features: compared with itself
        chosen = [name, *chosen]
    return systems_of(chosen, forms if options.common_features else ())


def _language(options: argparse.Namespace, systems: Systems, forms: set[PageForm]) -> str:
    """The version of the language pipeline, empty if no system needs one."""
    if not any(required_layers(available_similarities(systems.union, form)) for form in forms):
        return ""
    from weps.language.spacy_pipeline import pipeline_version  # noqa: PLC0415 - only layers need it

    return pipeline_version(reader_from_options(options).language)


def _as_found(examples: Examples, corpus: Corpus) -> Mapping[str, Example]:
    """Name → example in the form that its pages have."""
    return {name: examples[name][form] for name, form in corpus.forms.items()}


def report_outcome(outcome: BenchmarkOutcome, options: argparse.Namespace, console: Console) -> int:
    """Score the answers, print tables, write the requested files."""
    console.write_status("scoring")
    scored = score_benchmark(outcome, options.scorer)
    _show_scores(scored, console)
    write_json(options.json, scored_data(scored))
    if options.runs:
        from weps_eval.benchmark.runs import record_runs  # noqa: PLC0415 - pydantic only for these

        for path in record_runs(scored, options.runs, options.line):
            console.write(f"run: {path}")
    if options.report:
        write_report(build_document(scored, options.line), options.report, console)
    return 0


def _show_scores(scored: ScoredBenchmark, console: Console) -> None:
    """Write the tables of names, systems, differences and calibration, and those of the paper."""
    outcome, first = scored.outcome, scored.systems[0]
    tables = [
        name_rows(scored.results, first),
        with_cost(system_rows(scored.results), outcome.trials),
    ]
    if outcome.corpus.mixed_sizes:
        tables.append(size_rows(scored.results, outcome.corpus))
    if scored.differences:
        tables.append(difference_rows(scored.differences, first))
    tables.append(calibration_rows(scored.calibration))
    for rows in tables:
        console.write_table(rows, left=3 if rows[0][0] == "names" else 1)
        console.write()
    console.write_detail(f"{fill(legend(tables), console.width)}\n")
    console.write(scored.results.signature)
    if missing := list(missing_feature_lines(outcome.systems, outcome.forms)):
        console.write("\n" + "\n".join(missing))
    if ours := paper_counterparts(outcome.systems.configurations):
        console.write()
        console.write_table(table_2(scored.results, ours))
        console.write()
        console.write_table(protocol_differences(protocol_of(outcome)), left=3)


_KINDS = ("corpus", "cv", "train", "test", "compare")
"""Options that choose what is done."""
_EXPERIMENTS = {
    frozenset({"corpus", "cv"}): cross_validation,
    frozenset({"train", "test"}): transfer_benchmark,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "corpus",
        metavar="CORPUS",
        type=Path,
        nargs="*",
        help="corpus to cross-validate on; several of one layout are combined",
    )
    parser.add_argument(
        "--cv",
        type=_parts,
        metavar="K",
        help="cross-validate over K parts of the names, or `origin`: test on the names of each "
        "origin (found by search, or listed) and train on the others; stopping and calibration "
        "are fitted within the training names (nested cross-validation)",
    )
    parser.add_argument(
        "--train",
        type=Path,
        nargs="+",
        metavar="CORPUS",
        help="train on these names; several corpora of one layout are combined",
    )
    parser.add_argument("--test", type=Path, metavar="CORPUS", help="test on these names")
    parser.add_argument(
        "--compare",
        type=Path,
        nargs="+",
        metavar="RUN",
        help="compare recorded runs instead: files, or folders of seeds; the first is the baseline",
    )
    parser.add_argument(
        "--scorer", choices=sorted(SCORING_RULES), help="default: the official one of the corpus"
    )
    add_systems(
        parser,
        "append",
        "a system to run; repeat for several, which are compared with the first",
        " and ".join(DEFAULT_SYSTEMS),
    )
    parser.add_argument(
        "--common-features",
        action="store_true",
        help="only features that the pages of every name have, including the training names",
    )
    add_corpus_options(parser)
    add_mixed(parser)
    add_json(parser)
    parser.add_argument(
        "--runs", type=Path, metavar="DIR", help="record a run of each system below this folder"
    )
    parser.add_argument(
        "--report", type=Path, metavar="DIR", help="also write tables and figures as a document"
    )


def run_command(options: argparse.Namespace, console: Console) -> int:
    """Run the one kind of benchmark or the other, or compare earlier ones."""
    given = {name for name in _KINDS if getattr(options, name) not in (None, [])}
    if given == {"compare"} and not (options.system or options.runs or options.report):
        return report_comparison(options.compare, console, options.json)
    experiment = _EXPERIMENTS.get(frozenset(given))
    if experiment is None:
        raise SourceError(
            "the mode is missing",
            remedy="use `benchmark --cv K CORPUS …`, `benchmark --train CORPUS … --test CORPUS`, "
            "or `benchmark --compare RUN RUN`",
        )
    _check_outputs(options)
    return report_outcome(experiment(options, console), options, console)


def _parts(text: str) -> int | str:
    """A number of parts or a word, for argparse."""
    if text == BY_ORIGIN:
        return text
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"expected a number or {BY_ORIGIN!r}, got {text!r}"
        ) from None


def _check_outputs(options: argparse.Namespace) -> None:
    """Check in advance that the result can be written."""
    check_writable(options.json)
    for folder in (options.runs, options.report):
        if folder:
            make_folder(folder)
