"""``weps text convert SET FOLDER --out FILE``: published sets as testbeds and measure matrices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from weps._formatting import join_items, quote_text, suggest_names
from weps._options import REQUIRED, cli_argument, cli_option
from weps.cli.console import Console
from weps.cli.options import check_writable
from weps.errors import ValuesError
from weps_eval.text.convert import (
    convert_duc,
    convert_sts,
    convert_sts_scores,
    convert_summeval,
    convert_wmt,
)
from weps_eval.text.testbed import MeasureMatrix, Testbed, write_matrix, write_testbed

TESTBEDS: dict[str, Callable[[Path], Testbed]] = {
    "summeval": convert_summeval,
    "wmt": convert_wmt,
    "sts": convert_sts,
}
"""Sets that become testbeds, by name."""
TABLES: dict[str, Callable[[Path], Mapping[str, MeasureMatrix]]] = {
    "duc": convert_duc,
    "sts-scores": convert_sts_scores,
}
"""Sets that become several measure matrices, by name."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of the command."""

    set: str = cli_argument(
        f"which set it is: {', '.join(TESTBEDS)}, duc (tables of DUC 2001 and 2002), or sts-scores "
        "(measures of others on the pairs of STS)",
        choices=(*TESTBEDS, *TABLES),
    )
    folder: Path = cli_argument("the set as it was published")
    out: Path = cli_option(
        f"the testbed (.jsonl, .jsonl.gz); of {' and '.join(TABLES)} a measure matrix (.csv)",
        REQUIRED,
    )
    table: str | None = cli_option(
        f"which table of {' or '.join(TABLES)}, such as 2001_sameLen_stop_words_remaining",
        metavar="NAME",
    )


def run_command(options: Options, console: Console) -> int:
    """Read the set, write it, report its size."""
    check_writable(options.out)
    if options.set in TABLES:
        matrix = _chosen(TABLES[options.set](options.folder), options.table)
        write_matrix(matrix, options.out)
        console.write(f"measure matrix: {options.out}\n{_matrix_summary(matrix)}")
        return 0
    if options.table is not None:
        raise ValuesError(f"--table has no meaning for {options.set}", remedy="leave it out")
    testbed = TESTBEDS[options.set](options.folder)
    write_testbed(testbed, options.out)
    console.write(f"testbed: {options.out}\n{_testbed_summary(testbed)}")
    return 0


def _chosen(tables: Mapping[str, MeasureMatrix], name: str | None) -> MeasureMatrix:
    if name is not None and name in tables:
        return tables[name]
    raise ValuesError(
        f"unknown table {quote_text(name)}" if name else "one of several tables must be chosen",
        where="--table",
        remedy=suggest_names(name or "", list(tables)),
    )


def _testbed_summary(testbed: Testbed) -> str:
    outputs = sum(len(topic.outputs) for topic in testbed.topics)
    references = sum(len(topic.references) for topic in testbed.topics)
    return (
        f"{len(testbed.topics):,} topics, {outputs:,} outputs, {references:,} references; "
        f"systems: {join_items(testbed.systems)}; "
        f"human scores: {join_items(testbed.criteria) or 'none'}"
    )


def _matrix_summary(matrix: MeasureMatrix) -> str:
    return (
        f"{len(matrix.topic):,} outputs, measures: {join_items(matrix.measures)}; "
        f"human scores: {join_items(matrix.criteria)}"
    )
