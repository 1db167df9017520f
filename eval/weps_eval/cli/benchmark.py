"""``weps benchmark``: train, cluster and score on held-out names; ``--compare`` recorded runs.

Benchmarks are cross-validations or train on some corpora for another. Results are printed and
written as JSON, as recorded runs and as a document.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
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
from weps.training.examples import divide_examples
from weps_eval.benchmark import compare, scoring
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


DEFAULT_SYSTEMS = ("paper", "default")
"""What runs unless other systems are requested."""
BY_ORIGIN = "origin"
"""Parts are the names of one origin each."""


def run_benchmark(options: argparse.Namespace, console: Console) -> scoring.Benchmark:
    """Answer for each part of a corpus by what the others teach, or for one by what another does.

    Raises:
        SourceError: if there is nothing to learn from, or nothing to test on.
    """
    settings = training_settings(options)
    if options.cv:
        tested = taught = _divided_corpus(options)
    else:
        tested = open_corpus(options.test)
        taught = open_corpus(options.train, options.exclude)
        taught = with_mixed_names(taught, options.mixed, settings.folds, options.seed)
    forms = set(tested.forms.values())
    systems = _systems(options, forms | set(taught.forms.values()))
    # Names with poor pages learn from the others, reduced.
    answered_for = load_corpus(
        tested, systems.union, forms if options.cv else None, options, console
    )
    learnt_from = answered_for
    how, learnt_on = f"cv:{options.cv}", f"the other names, {options.cv} parts"
    if options.cv == BY_ORIGIN:
        learnt_on = "the other names, by origin"
    if not options.cv:
        learnt_from = load_corpus(taught, systems.union, forms, options, console)
        how = f"train:sha256-{taught.digest[:8]}"
        pairs = judged_pairs(
            next(iter(by_form.values())) for by_form in learnt_from.values() if by_form
        )
        learnt_on = f"{taught.title}, {pairs:,} pairs"
    if options.mixed and not options.learn_unmixed:
        how += "|mixed:" + ",".join(map(str, options.mixed))
    progress = TimedProgress(console)

    def attempt(system: str, form: PageForm, columns: Columns) -> Trial:
        configuration = systems.configurations[system].for_form(form)
        seen, unseen = (
            examples_of_form(each, form, columns) for each in (learnt_from, answered_for)
        )
        if not options.cv:
            console.write_status(f"{system}: training on {len(learnt_from)} names for {form}")
            return evaluate_transfer(seen, unseen, columns, configuration, settings, progress)
        console.write_status(f"{system}: cross-validating on {form}, --cv {options.cv}")
        if options.cv == BY_ORIGIN:
            parts = by_origin(seen)
        else:
            parts = divide_examples(seen, options.cv, options.seed)
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
    reader, language = reader_from_options(options), ""
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
        encoder=encoder_of(options, systems.union),
        html=reader.html,
    )


def _divided_corpus(options: argparse.Namespace) -> Corpus:
    """The corpus of a cross-validation, with mixed names if there are any."""
    by_origins = options.cv == BY_ORIGIN
    if not by_origins and options.cv < 2:
        raise SourceError(f"--cv {options.cv} leaves nothing to test on", remedy="use --cv 5")
    corpus = open_corpus(options.corpus, options.exclude)
    if by_origins and options.mixed:
        what = "mixed names are not of one origin"
        raise SourceError(what, remedy="use --mixed with --cv 5, or --cv origin without it")
    if by_origins:
        check_origins(corpus)
        return corpus
    return with_mixed_names(corpus, options.mixed, mixing_groups(options.cv), options.seed)


def _systems(options: argparse.Namespace, forms: set[PageForm]) -> Systems:
    texts = list(map(load_named_features, options.system or DEFAULT_SYSTEMS))
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
    console.write_detail(f"{fill(scoring.legend(tables), console.width)}\n")
    console.write(benchmark.signature)
    if missing := list(missing_feature_lines(benchmark.systems, benchmark.forms)):
        console.write("\n" + "\n".join(missing))
    for rows, left in zip(paper_tables(benchmark) or (), (1, 3), strict=False):
        console.write()
        console.write_table(rows, left=left)


_KINDS = ("corpus", "cv", "train", "test", "compare")
"""Options that choose what is done."""


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
    kinds = {name for name in _KINDS if getattr(options, name) not in (None, [])}
    if kinds == {"compare"} and not (options.system or options.runs or options.report):
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
        write_report(build_document(benchmark, options.line), options.report, console)
    return 0


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
