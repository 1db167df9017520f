"""``weps text score TESTBED``: every output compared with the references of its topic."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from eval.commands.text_tables import (
    agreement_rows,
    in_columns,
    measure_rows,
    remarks,
    summary_data,
    system_rows,
)
from eval.text.desk import Tools
from eval.text.measures import Measure, Need
from eval.text.measures.sets import measures_of
from eval.text.running import (
    Agreement,
    Kept,
    agreement,
    check_needs,
    dependencies,
    digest_of,
    open_kept,
    score_testbed,
    system_means,
)
from eval.text.testbed import MeasureMatrix, Testbed, read_testbed, write_matrix
from weps.commands.console import Console
from weps.commands.options import add_cache, add_jobs, add_json, check_writable, write_json
from weps.commands.reading import cache_of
from weps.errors import OutputError
from weps.language.pipeline import EMBEDDED
from weps.tables import aligned

__all__ = ["arguments", "run"]

_MEASURES = "usual"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "testbed",
        metavar="TESTBED",
        type=Path,
        help="topics with outputs and references (.jsonl, .jsonl.gz; see `weps text convert`)",
    )
    parser.add_argument(
        "--measures",
        metavar="LIST",
        default=_MEASURES,
        help="measures and sets of measures between commas, see `weps text measures` "
        f"(default: {_MEASURES})",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="MATRIX",
        help="the values of all outputs as a table (.csv); while it is made, topics finished so "
        "far are kept beside it, and the same command goes on from there",
    )
    parser.add_argument(
        "--wordnet",
        type=Path,
        metavar="DIR",
        help="the folder of WordNet's files (default: where it is usually installed)",
    )
    parser.add_argument(
        "--language",
        metavar="NAME",
        default=EMBEDDED,
        help="spaCy pipeline, installed or in a folder, that finds parts of speech and lemmas "
        "(default: the small English one that comes with weps)",
    )
    add_cache(parser, "walks through WordNet are kept", "walk through WordNet anew")
    add_jobs(parser)
    add_json(parser)


def run(options: argparse.Namespace, console: Console) -> int:
    """Score, print, write whatever files are asked for."""
    measures = measures_of(options.measures)
    _check_places(options)
    testbed = read_testbed(options.testbed)
    tools = _tools(options, measures, console)
    check_needs(testbed, measures, tools)
    made_with = dependencies(measures, tools)
    kept = _kept(options.out, testbed, measures, made_with, console)
    matrix = score_testbed(
        testbed, measures, tools, jobs=options.jobs, kept=kept, progress=console.work
    )
    signature = _signature(testbed, made_with)
    if kept:
        write_matrix(matrix, options.out)
        kept.remove()
    agreements = [agreement(matrix, criterion) for criterion in matrix.criteria]
    write_json(options.json, summary_data(matrix, agreements, testbed, signature))
    for block in _blocks(matrix, agreements, testbed, console.width):
        console.detail("\n".join(line.rstrip() for line in block) + "\n")
    console.say(signature)
    if kept:
        console.say(f"measure matrix: {options.out}")
    return 0


def _check_places(options: argparse.Namespace) -> None:
    taken = {options.testbed.resolve(): "this is the testbed"}
    for path in filter(None, (options.out, options.json)):
        check_writable(path)
        if what := taken.get(path.resolve()):
            raise OutputError(what, where=path, remedy="choose another file")
        if path == options.out:
            ours = (path.resolve(), _part(path).resolve())
            taken |= dict.fromkeys(ours, "--out is written there")
    if options.out and options.out.suffix.lower() != ".csv":
        remedy = "call it .csv"
        raise OutputError("a measure matrix is a table of text", where=options.out, remedy=remedy)


def _part(out: Path) -> Path:
    """Where the values of topics are kept while the matrix is made."""
    return out.with_name(f"{out.name}.part")


def _tools(options: argparse.Namespace, measures: Sequence[Measure], console: Console) -> Tools:
    cache = cache_of(options)
    walks = any(Need.WORDNET in each.needs for each in measures)
    if walks and cache and cache.problem:
        console.warn(cache.problem)
    return Tools(options.language, options.wordnet, cache)


def _kept(
    out: Path | None,
    testbed: Testbed,
    measures: Sequence[Measure],
    made_with: dict[str, str],
    console: Console,
) -> Kept | None:
    if out is None:
        return None
    kept = open_kept(_part(out), list(map(str, measures)), made_with)
    if held := sum(kept.values(topic) is not None for topic in testbed.topics):
        console.progress(f"{held:,} of {len(testbed.topics):,} topics are there from the last time")
    return kept


def _signature(testbed: Testbed, made_with: dict[str, str]) -> str:
    """All that decides the values besides the measures, in one line."""
    parts = {name: told for name, told in made_with.items() if name != "code"}
    told = {"testbed": f"sha256-{digest_of(testbed)[:8]}", **parts}
    return "|".join(f"{name}:{value}" for name, value in told.items())


def _blocks(
    matrix: MeasureMatrix, agreements: Sequence[Agreement], testbed: Testbed, width: int
) -> Iterator[list[str]]:
    means = system_means(matrix)
    yield aligned(measure_rows(matrix.measures, means))
    compared = [each for each in agreements if each.is_defined]
    yield from in_columns(
        lambda some: aligned(agreement_rows(matrix.measures, some)), compared, width
    )
    told = list(remarks(agreements, testbed))
    if len(means.systems) > 1:
        table = aligned(system_rows(matrix.measures, means))
        if len(table[0]) <= width:
            yield table
        else:
            told.append(f"Systems by measures take {len(table[0])} columns: see --json or --out.")
    if told:
        yield told
