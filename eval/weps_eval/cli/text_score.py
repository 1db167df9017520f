"""``weps text score TESTBED``: compare every output with the references of its topic.

The measure matrix is summarised by systems and measures, as tables and JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from weps._files import real_path
from weps._formatting import count_of, cut_columns, join_items, quote_text, table_width
from weps._options import cli_argument, cli_option
from weps.cli.console import Console
from weps.cli.options import (
    CacheOptions,
    JobsOption,
    JsonOption,
    check_writable,
    write_json,
)
from weps.cli.pace import TimedProgress
from weps.errors import OutputError
from weps.language.spacy_pipeline import BUILTIN_PIPELINE
from weps_eval.text.declaration import measures_of
from weps_eval.text.scoring import (
    digest_of,
    measure_dependencies,
    score_testbed,
)
from weps_eval.text.testbed import (
    FEWEST_SYSTEMS,
    MeasureMatrix,
    SystemAgreement,
    SystemMeans,
    Testbed,
    read_testbed,
    system_agreement,
    system_means,
    write_matrix,
)
from weps_eval.text.topic import TextTools

KEPT = "finished topics are kept in the cache; run the same command again to continue"
_LONGEST = 24
"""Columns of a system's or a criterion's name."""

Rows = list[list[str]]


def _measure_rows(measures: Sequence[str], means: SystemMeans) -> Rows:
    """Heading, then for each measure its mean, and the systems that it puts last and first.

    Of equal ones the first is named.
    """
    several = len(means.systems) > 1
    rows = [["measure", "mean", *(("lowest", "system", "highest", "system") if several else ())]]
    for measure, overall, values in zip(measures, means.overall, means.values, strict=True):
        ends = (int(values.argmin()), int(values.argmax())) if several else ()
        cells = (cell for end in ends for cell in (_figure(values[end]), _name(means.systems[end])))
        rows.append([measure, _figure(overall), *cells])
    return rows


def _agreement_rows(measures: Sequence[str], agreements: Sequence[SystemAgreement]) -> Rows:
    """Heading, then for each measure Pearson's r and Kendall's τ with every criterion."""
    heading = [cell for each in agreements for cell in (f"{_name(each.criterion)}: r", "τ")]
    coefficients = [column for each in agreements for column in (each.pearson, each.kendall)]
    return [["agreement with people", *heading]] + [
        [measure, *(_coefficient(column[number]) for column in coefficients)]
        for number, measure in enumerate(measures)
    ]


def _split_columns(
    table: Callable[[Sequence[SystemAgreement]], Rows],
    agreements: Sequence[SystemAgreement],
    width: int,
) -> Iterator[Rows]:
    """Tables of as many criteria as fit side by side; one at least."""
    while agreements:
        numbers = range(len(agreements), 1, -1)
        fitting = (each for each in numbers if table_width(table(agreements[:each])) <= width)
        number = next(fitting, 1)
        yield table(agreements[:number])
        agreements = agreements[number:]


def _system_rows(measures: Sequence[str], means: SystemMeans) -> Rows:
    """Heading, then for each system its means, best first by the first measure."""
    order = np.argsort(-means.values[0], kind="stable").tolist()
    return [["system", "topics", *measures]] + [
        [
            _name(means.systems[system]),
            f"{means.topics[system]:,}",
            *(_figure(values[system]) for values in means.values),
        ]
        for system in order
    ]


def _agreement_remarks(agreements: Sequence[SystemAgreement], testbed: Testbed) -> Iterator[str]:
    """Remarks on the figures."""
    yield from _correlation_remarks([each for each in agreements if each.is_defined])
    for each in agreements:
        if not each.is_defined:
            yield (
                f"No correlation with {_name(each.criterion)}: people judged "
                f"{count_of(each.systems, 'system')}, on {count_of(each.topics, 'topic')} all of "
                f"them; {FEWEST_SYSTEMS} systems and a topic are needed."
            )
    if empty := [
        f"{quote_text(system)} on {quote_text(topic)}" for topic, system in testbed.empty_outputs
    ]:
        many = count_of(len(empty), "output is", "outputs are")
        yield f"{many} empty, with 0: {join_items(empty)}."


def _correlation_remarks(agreements: Sequence[SystemAgreement]) -> Iterator[str]:
    """What correlates, given once for criteria with the same scores."""
    sizes: dict[tuple[int, int], list[str]] = {}
    for each in agreements:
        sizes.setdefault((each.systems, each.topics), []).append(each.criterion)
    for (systems, topics), criteria in sizes.items():
        yield (
            f"{join_items(map(_name, criteria))}: Pearson's r and Kendall's τ of the means of "
            f"{systems:,} systems over {count_of(topics, 'topic')}."
        )


def _summary_data(
    matrix: MeasureMatrix, agreements: Sequence[SystemAgreement], testbed: Testbed, signature: str
) -> dict[str, Any]:
    """Summary in JSON form (docs/schema/text-scores.schema.json)."""
    means = system_means(matrix)
    return {
        "testbed": testbed.name,
        "signature": signature,
        "topics": len(testbed.topics),
        "systems": {
            system: {
                "topics": int(means.topics[number]),
                "mean": _by_measure(matrix, means.values[:, number]),
            }
            for number, system in enumerate(means.systems)
        },
        "mean": _by_measure(matrix, means.overall),
        "agreement": {
            each.criterion: {
                "systems": each.systems,
                "topics": each.topics,
                "pearson": _by_measure(matrix, each.pearson),
                "kendall": _by_measure(matrix, each.kendall),
            }
            for each in agreements
        },
        "empty": [{"topic": topic, "system": system} for topic, system in testbed.empty_outputs],
    }


def _by_measure(matrix: MeasureMatrix, values: Iterable[float]) -> dict[str, float | None]:
    numbers = map(float, values)
    return {
        measure: value if isfinite(value) else None
        for measure, value in zip(matrix.measures, numbers, strict=True)
    }


def _name(name: str) -> str:
    return cut_columns(name, _LONGEST)


def _figure(value: float) -> str:
    return f"{value:z,.4f}"


def _coefficient(value: float) -> str:
    """A dash where there is none."""
    return f"{value:z.2f}" if isfinite(value) else "–"


@dataclass(frozen=True, kw_only=True)
class Options(CacheOptions, JobsOption, JsonOption):
    """The options of the command."""

    testbed: Path = cli_argument(
        "topics with outputs and references (.jsonl, .jsonl.gz; see `weps text convert`)"
    )
    measures: str = cli_option(
        "comma-separated measures and sets of measures, see `weps text measures`",
        "usual",
        metavar="LIST",
    )
    out: Path | None = cli_option(
        "the values of all outputs as a table (.csv)",
        metavar="MATRIX",
    )
    wordnet: Path | None = cli_option(
        "the folder of another WordNet (default: version 3.0, which comes with weps)",
        metavar="DIR",
    )
    language: str = cli_option(
        "spaCy pipeline, installed or in a folder, that finds parts of speech and lemmas "
        "(default: the small English one that comes with weps)",
        BUILTIN_PIPELINE,
        metavar="NAME",
    )


def run_command(options: Options, console: Console) -> int:
    """Score, print, write the requested files."""
    measures = measures_of(options.measures)
    _check_outputs(options)
    testbed = read_testbed(options.testbed)
    tools = TextTools(options.language, options.wordnet, options.selected_cache())
    if tools.cache and tools.cache.problem:
        console.warn(tools.cache.problem)
    matrix = score_testbed(
        testbed,
        measures,
        tools,
        jobs=options.jobs,
        progress=TimedProgress(console, options.jobs),
    )
    signature = _signature(testbed, measure_dependencies(measures, tools))
    if options.out:
        write_matrix(matrix, options.out)
    agreements = [system_agreement(matrix, criterion) for criterion in matrix.criteria]
    write_json(options.json, _summary_data(matrix, agreements, testbed, signature))
    if not console.quiet:
        _show_scores(matrix, agreements, testbed, console)
    console.write(signature)
    if options.out:
        console.write(f"measure matrix: {options.out}")
    return 0


def _check_outputs(options: Options) -> None:
    taken = {real_path(options.testbed): "this is the testbed"}
    for path in filter(None, (options.out, options.json)):
        check_writable(path)
        if what := taken.get(real_path(path)):
            raise OutputError(what, where=path, remedy="choose another file")
        taken[real_path(path)] = "--out is written there"
    if options.out and options.out.suffix.lower() != ".csv":
        raise OutputError(
            "a measure matrix is a table of text", where=options.out, remedy="call it .csv"
        )


def _signature(testbed: Testbed, made_with: dict[str, str]) -> str:
    """All that determines the values besides the measures, in one line."""
    parts = {name: value for name, value in made_with.items() if name != "code"}
    fields = {"testbed": f"sha256-{digest_of(testbed)[:8]}", **parts}
    return "|".join(f"{name}:{value}" for name, value in fields.items())


def _show_scores(
    matrix: MeasureMatrix,
    agreements: Sequence[SystemAgreement],
    testbed: Testbed,
    console: Console,
) -> None:
    means = system_means(matrix)
    compared = [each for each in agreements if each.is_defined]
    agreement = partial(_agreement_rows, matrix.measures)
    tables = [_measure_rows(matrix.measures, means)]
    tables += _split_columns(agreement, compared, console.width)
    remarks = list(_agreement_remarks(agreements, testbed))
    if len(means.systems) > 1:
        rows = _system_rows(matrix.measures, means)
        if (width := table_width(rows)) <= console.width:
            tables.append(rows)
        else:
            remarks.append(f"Systems by measures take {width} columns: see --json or --out.")
    for rows in tables:
        console.write_table(rows)
        console.write()
    if remarks:
        console.write("\n".join(remarks) + "\n")
