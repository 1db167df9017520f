"""``weps text``: outputs of systems compared with references, measures listed, sets converted.

``weps text score TESTBED`` compares every output with the references of its topic; the measure
matrix is summarised by systems and measures, as tables and JSON. ``weps text measures`` lists the
registered measures, ``weps text convert SET FOLDER --out FILE`` makes testbeds and measure matrices
of published sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from math import isfinite
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from weps._files import STANDARD
from weps._formatting import (
    count_of,
    join_items,
    quote_text,
    suggest_names,
)
from weps._options import REQUIRED, cli_argument, cli_option
from weps.cli.console import Console, TimedProgress
from weps.cli.options import (
    JobsOption,
    JsonOption,
    check_outputs,
    check_writable,
    write_json,
)
from weps.errors import OutputError, ValuesError
from weps_eval.report.document import Document, ReportOptions, Section, show_document
from weps_eval.report.tables import Table
from weps_eval.stats import FEWEST_SYSTEMS
from weps_eval.tables import number_names
from weps_eval.text import convert
from weps_eval.text.declaration import MEASURE_SETS, measure_families, measures_of
from weps_eval.text.scoring import (
    ToolsOptions,
    digest_of,
    measure_dependencies,
    score_testbed,
)
from weps_eval.text.testbed import (
    CONVERT,
    MeasureMatrix,
    Testbed,
    read_testbed,
    system_means,
    write_matrix,
    write_testbed,
)

Agreement: TypeAlias = dict[str, Any]
"""How measures agree with people by one criterion, see :func:`system_agreement`."""


def system_agreement(matrix: MeasureMatrix, criterion: str) -> Agreement:
    """Correlation of measures with a criterion at the level of systems, in JSON form.

    Returns:
        ``systems``, how many were judged; ``topics``, on how many all of these were judged; and by
        measure ``pearson`` and ``kendall`` (τ-b) of the systems' means over these topics, so that
        no system gains by topics that others were not judged on. None where systems are fewer than
        three, there is no such topic, or all systems are alike.

    Raises:
        ValuesError: if there is no such criterion.
    """
    # half a second, which the other commands do without
    from weps_eval.meta.correlation import Coefficient, Level, correlate_judged  # noqa: PLC0415

    human, unknown = matrix.column(criterion), np.full(len(matrix.measures), np.nan)
    topic, system = (number_names(each)[0] for each in (matrix.topic, matrix.system))
    answers = np.unique(topic[~np.isnan(human)], return_counts=True)[1]
    systems = len(np.unique(system[~np.isnan(human)]))
    outputs = matrix.values, human, topic, system
    found = {
        str(kind): correlate_judged(*outputs, level=Level.SYSTEM, kind=kind, resamples=0)
        for kind in (Coefficient.PEARSON, Coefficient.KENDALL)
    }
    return {
        "systems": systems,
        "topics": int((answers == systems).sum()),
        **{
            kind: _by_measure(matrix, each.value if each else unknown)
            for kind, each in found.items()
        },
    }


def _is_defined(agreement: Agreement) -> bool:
    """Whether there are systems enough, and a topic on which people judged all of them."""
    return bool(agreement["systems"] >= FEWEST_SYSTEMS and agreement["topics"])


def _remarks(agreements: Mapping[str, Agreement], testbed: Testbed) -> Iterator[str]:
    """Remarks on the figures: what correlates, given once for criteria with the same scores."""
    sizes: dict[tuple[int, int], list[str]] = {}
    for criterion, each in agreements.items():
        if _is_defined(each):
            sizes.setdefault((each["systems"], each["topics"]), []).append(criterion)
    for (systems, topics), criteria in sizes.items():
        yield (
            f"{join_items(criteria)}: Pearson's r and Kendall's τ of the means of "
            f"{systems:,} systems over {count_of(topics, 'topic')}."
        )
    for criterion, each in agreements.items():
        if not _is_defined(each):
            common = count_of(each["topics"], "topic")
            yield (
                f"No correlation with {criterion}: people judged "
                f"{count_of(each['systems'], 'system')}, on {common} all of them; "
                f"{FEWEST_SYSTEMS} systems and a topic are needed."
            )
    if remark := _empty_remark(testbed):
        yield f"{remark}."


def _empty_remark(testbed: Testbed) -> str:
    """How many outputs are empty, and which; without any an empty string."""
    empty = [f"{quote_text(one)} on {quote_text(topic)}" for topic, one in testbed.empty_outputs]
    many = count_of(len(empty), "output is", "outputs are")
    return f"{many} empty, with 0: {join_items(empty)}" if empty else ""


def _summary_data(
    matrix: MeasureMatrix, agreements: Mapping[str, Agreement], testbed: Testbed, signature: str
) -> dict[str, Any]:
    """Summary in JSON form (docs/schema/text-scores.schema.json)."""
    systems, topics, means = system_means(matrix)
    return {
        "testbed": testbed.name,
        "signature": signature,
        "topics": len(testbed.topics),
        "systems": {
            system: {
                "topics": int(topics[number]),
                "mean": _by_measure(matrix, means[:, number]),
            }
            for number, system in enumerate(systems)
        },
        "mean": _by_measure(matrix, matrix.values.mean(axis=1)),
        "agreement": agreements,
        "empty": [{"topic": topic, "system": system} for topic, system in testbed.empty_outputs],
    }


def _by_measure(matrix: MeasureMatrix, values: Iterable[float]) -> dict[str, float | None]:
    return {
        measure: float(value) if isfinite(value) else None
        for measure, value in zip(matrix.measures, values, strict=True)
    }


_figure = "{:z,.4f}".format


@dataclass(frozen=True, kw_only=True)
class ScoreOptions(ToolsOptions, JobsOption, ReportOptions):
    """The options of ``weps text score``."""

    KEPT = "finished topics are kept in the cache; run the same command again to continue"
    testbed: tuple[Path, ...] = cli_argument(
        "topics with outputs and references, one .jsonl or .jsonl.gz (see `weps text convert`)"
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


def score_outputs(options: ScoreOptions, console: Console) -> None:
    """Score, print, write the requested files.

    Raises:
        WepsError: if the testbed cannot be read or scored, or a result cannot be written.
    """
    measures = measures_of(options.measures)
    check_outputs(options)
    if options.out not in {None, STANDARD} and options.out.suffix.lower() != ".csv":
        raise OutputError(
            "a measure matrix is a table of text", where=options.out, remedy="call it .csv"
        )
    if options.testbed[1:]:
        raise ValuesError("a testbed is one file", where=options.testbed[1], remedy=CONVERT)
    testbed = read_testbed(*options.testbed)
    tools = options.tools
    if tools.cache and tools.cache.problem:
        console.warn(tools.cache.problem)
    matrix = score_testbed(
        testbed, measures, tools, jobs=options.jobs, progress=TimedProgress(console)
    )
    if options.out:
        write_matrix(matrix, options.out)
    made_with = {"testbed": f"sha256-{digest_of(testbed)[:8]}"}
    made_with |= measure_dependencies(measures, tools)
    signature = "|".join(f"{name}:{value}" for name, value in made_with.items() if name != "code")
    agreements = {each: system_agreement(matrix, each) for each in matrix.criteria}
    data = _summary_data(matrix, agreements, testbed, signature)
    is_wanted = not console.quiet or options.format != "text"
    tables = _tables(matrix, agreements, testbed) if is_wanted else ()
    title = f"{testbed.name} by {count_of(len(matrix.measures), 'measure')}"
    document = Document(title, (), [Section(title, tables=list(tables))], signature, options.line)
    show_document(document, data, options, console)
    if options.out:
        console.write(f"measure matrix: {options.out}")


def _tables(
    matrix: MeasureMatrix, agreements: Mapping[str, Agreement], testbed: Testbed
) -> Iterator[Table]:
    """Means by measure, agreement with people if there is some, and means by system."""
    systems, topics, means = system_means(matrix)
    overall = matrix.values.mean(axis=1)
    # Of the systems that a measure puts last and first, the first of equal ones is named.
    several = len(systems) > 1
    rows = [["measure", "mean", *(("lowest", "system", "highest", "system") if several else ())]]
    for measure, mean, values in zip(matrix.measures, overall, means, strict=True):
        ends = (values.argmin(), values.argmax()) if several else ()
        cells = (cell for end in ends for cell in (_figure(values[end]), systems[end]))
        rows.append([measure, _figure(mean), *cells])
    remarks = " ".join(_remarks(agreements, testbed))
    yield Table.of_text("measures", "Measures", rows, remarks)
    if compared := {name: each for name, each in agreements.items() if _is_defined(each)}:
        heading = [cell for name in compared for cell in (f"{name}: r", "τ")]
        rows = [["agreement with people", *heading]]
        for measure in matrix.measures:
            found = (
                each[kind][measure] for each in compared.values() for kind in ("pearson", "kendall")
            )
            rows.append([measure, *("–" if r is None else f"{r:z.2f}" for r in found)])
        yield Table.of_text("agreement", "Agreement with people", rows)
    if several:
        rows = [["system", "topics", *matrix.measures]]
        for system in np.argsort(-means[0], kind="stable").tolist():  # best first
            figures = map(_figure, means[:, system])
            rows.append([systems[system], f"{topics[system]:,}", *figures])
        yield Table.of_text("systems", "Systems", rows)


def list_measures(options: JsonOption, console: Console) -> None:
    """Print the measures and sets of measures, write JSON if requested."""
    families = measure_families()
    width = max(map(len, families))
    for group, members in groupby(families.values(), key=lambda each: each.group):
        console.write(group)
        for each in members:
            words = (  # n, which has no default, or part=f
                name if (usual := parameter.default) is None else f"{name}={str(usual).lower()}"
                for name, parameter in each.parameters.items()
            )
            console.write(f"  {each.name.ljust(width)}  {each.description}")
            console.write(f"  {' ' * width}  {', '.join(words)}")
        console.write()
    sets = MEASURE_SETS.values()
    rows = [["set", "measures", "description"]]
    rows += [[each.name, str(len(each.measures)), each.description] for each in sets]
    console.write_table(rows, left=3)
    console.write(
        "\nParameters shown without a value are required, as n in rouge(n=2, part=recall). Allowed "
        "values, formulas and sources are in the JSON of --json, and on the documentation's site."
    )
    data = {
        "families": [
            {
                "name": each.name,
                "group": each.group,
                "description": each.description,
                "formula": each.formula,
                "source": each.source,
                "needs": sorted(each.needs),
                "needs_when": [
                    {"parameter": name, "value": value, "need": need}
                    for (name, value), need in each.needs_when.items()
                ],
                "together": each.joined or None,
                "parameters": {
                    name: {
                        "default": parameter.default,
                        "allowed": parameter.allowed,
                        "description": parameter.about,
                    }
                    for name, parameter in each.parameters.items()
                },
            }
            for each in families.values()
        ],
        "sets": {
            each.name: {"description": each.description, "measures": list(map(str, each.measures))}
            for each in sets
        },
    }
    write_json(options.json, data)


TESTBEDS: dict[str, Callable[..., Testbed]] = {
    "summeval": convert.convert_summeval,
    "wmt": convert.convert_wmt,
    "sts": convert.convert_sts,
    "texts": convert.convert_texts,
}
"""Sets that become testbeds, by name."""
TABLES: dict[str, Callable[..., Mapping[str, MeasureMatrix]]] = {
    "duc": convert.convert_duc,
    "sts-scores": convert.convert_sts_scores,
}
"""Sets that become several measure matrices, by name."""


@dataclass(frozen=True, kw_only=True)
class ConvertOptions:
    """The options of ``weps text convert``."""

    set: str = cli_argument(
        "which set it is: summeval, wmt, sts, duc (tables of DUC 2001 and 2002), sts-scores "
        "(measures of others on the pairs of STS), or texts of your own",
        choices=(*TESTBEDS, *TABLES),
    )
    folder: tuple[Path, ...] = cli_argument(
        "the set as it was published; of texts one table of outputs and references, with human "
        "scores in columns human:NAME (.csv, .tsv, .jsonl, .parquet), or a file of outputs for "
        "each system, then one of references, by line or id"
    )
    out: Path = cli_option(
        f"the testbed (.jsonl, .jsonl.gz); of {' and '.join(TABLES)} a measure matrix (.csv)",
        REQUIRED,
    )
    table: str | None = cli_option(
        f"which table of {' or '.join(TABLES)}, such as 2001_sameLen_stop_words_remaining",
        metavar="NAME",
    )


def convert_set(options: ConvertOptions, console: Console) -> None:
    """Read the set, write it, report its size.

    Raises:
        WepsError: if the set cannot be read, or the result not be written.
    """
    check_writable(options.out)
    if options.folder[1:] and options.set != "texts":
        raise ValuesError("a set is one folder", where=options.folder[1], remedy="leave it out")
    name = options.table
    if options.set not in TABLES:
        if name is not None:
            raise ValuesError(f"--table has no meaning for {options.set}", remedy="leave it out")
        told = {"warn": console.warn} if options.set == "texts" else {}
        testbed = TESTBEDS[options.set](*options.folder, **told)
        if remark := _empty_remark(testbed):
            console.warn(remark)
        write_testbed(testbed, options.out)
        texts = [(len(topic.outputs), len(topic.references)) for topic in testbed.topics]
        outputs, references = map(sum, zip(*texts, strict=True))
        console.write(
            f"testbed: {options.out}\n"
            f"{count_of(len(texts), 'topic')}, {count_of(outputs, 'output')}, "
            f"{count_of(references, 'reference')}; "
            f"systems: {join_items(testbed.systems)}; "
            f"human scores: {join_items(testbed.criteria) or 'none'}"
        )
        return
    tables = TABLES[options.set](*options.folder)
    if name is None or name not in tables:
        what = (
            f"unknown table {quote_text(name)}" if name else "one of several tables must be chosen"
        )
        raise ValuesError(what, where="--table", remedy=suggest_names(name or "", list(tables)))
    matrix = tables[name]
    write_matrix(matrix, options.out)
    console.write(
        f"measure matrix: {options.out}\n"
        f"{count_of(len(matrix.topic), 'output')}, measures: {join_items(matrix.measures)}; "
        f"human scores: {join_items(matrix.criteria)}"
    )
