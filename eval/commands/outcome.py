"""What a benchmark has found: printed, and written as JSON, as recorded runs and as a document."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from eval.bench.absent import absent_lines
from eval.bench.document import document
from eval.bench.outcome import Outcome
from eval.bench.recording import record
from eval.bench.scoring import Scored, score, scored_data
from eval.bench.setting import setting_of
from eval.bench.tables import with_cost
from eval.bench.trust import trust_rows
from eval.document import write_document
from eval.figures import available
from eval.published import differing, standing_for, table_2
from eval.results import difference_rows, names_table, system_rows
from weps.commands.console import Console
from weps.commands.options import write_json
from weps.tables import aligned

__all__ = ["report"]


def report(outcome: Outcome, options: argparse.Namespace, console: Console) -> int:
    """Score the answers, print tables, write whatever files are asked for."""
    console.progress("scoring")
    scored = score(outcome, options.scorer)
    console.say("\n\n".join("\n".join(block) for block in _blocks(scored) if block))
    write_json(options.json, scored_data(scored))
    if options.runs:
        for path in record(scored, options.runs, options.line):
            console.say(f"run: {path}")
    if options.report:
        _write_report(scored, options, console)
    return 0


def _blocks(scored: Scored) -> Iterator[Sequence[str]]:
    outcome, first = scored.outcome, scored.systems[0]
    yield names_table(scored.results, first)
    systems = with_cost(system_rows(scored.results), outcome.trials)
    yield [*aligned(systems), scored.results.signature]
    if scored.differences:
        yield aligned(difference_rows(scored.differences, first))
    yield aligned(trust_rows(scored.trust))
    yield list(absent_lines(outcome.systems, outcome.forms))
    if ours := standing_for(outcome.systems.configurations):
        yield _stripped(aligned(table_2(scored.results, ours)))
        yield _stripped(aligned(differing(setting_of(outcome)), left=3))


def _stripped(lines: Sequence[str]) -> list[str]:
    return [line.rstrip() for line in lines]


def _write_report(scored: Scored, options: argparse.Namespace, console: Console) -> None:
    if not available():
        console.warn("figures are left out: they need matplotlib; pip install 'weps[plots]'")
    *others, index = write_document(document(scored, options.line), options.report)
    console.say(f"report: {index}, with {len(others)} files beside it")
