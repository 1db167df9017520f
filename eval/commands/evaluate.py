"""``weps evaluate CORPUS ANSWERS``: the official scores of answers, or of the baselines."""

from __future__ import annotations

import argparse
from pathlib import Path

from eval.answers import read_answer, systems_in, unanswered
from eval.benchmark import baselines, judge_all
from eval.clustering import SCORERS
from eval.judge import judge_for
from eval.results import Results, as_data, names_table, systems_table
from weps.commands.console import Console
from weps.commands.options import add_json, add_names, write_json
from weps.errors import SourceError
from weps.sources import Source, open_source, select

__all__ = ["arguments", "run"]


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("corpus", metavar="CORPUS", type=Path, help="where the keys are")
    parser.add_argument(
        "answers",
        metavar="ANSWERS",
        type=Path,
        nargs="?",
        help="folder of NAME.clust.xml files, or of one such folder per system",
    )
    parser.add_argument("--baselines", action="store_true", help="score the three baselines too")
    parser.add_argument(
        "--scorer", choices=sorted(SCORERS), help="default: the official one of the corpus"
    )
    add_names(parser, "score this name only (repeat for several)")
    add_json(parser)


def run(options: argparse.Namespace, console: Console) -> int:
    """Score, print, and write JSON if asked for."""
    source = open_source(options.corpus)
    names = _names_with_key(source, options, console)
    judge = judge_for(source, options.scorer)
    systems = {}
    for system, folder in _systems(options).items():
        for name in unanswered(folder, names):
            console.warn(f"{folder}: no answer for {name}; it scores 0")
        answers = {name: read_answer(folder, name) for name in names}
        systems[system] = judge_all(answers, source, judge)
    answering = list(systems)
    if options.baselines:
        systems |= baselines(names, source, judge)
    results = Results(judge.signature(source, names), systems)
    for system in answering or systems:
        console.say("\n".join(names_table(Results("", {system: systems[system]}), system)) + "\n")
    console.say("\n".join(systems_table(results)))
    console.say(results.signature)
    write_json(options.json, as_data(results))
    return 0


def _systems(options: argparse.Namespace) -> dict[str, Path]:
    if options.answers is not None:
        return systems_in(options.answers)
    if not options.baselines:
        raise SourceError(
            "there is nothing to score", remedy="name a folder of answers, or add --baselines"
        )
    return {}


def _names_with_key(
    source: Source, options: argparse.Namespace, console: Console
) -> tuple[str, ...]:
    names = select(source, options.name or [])
    for name in names:
        for warning in source.warnings(name):
            console.warn(warning)
    with_key = tuple(name for name in names if source.key(name) is not None)
    if not with_key:
        raise SourceError(
            "none of the names has a key",
            where=options.corpus,
            remedy="give a corpus with its gold standard, or saved pages with a key.xml",
        )
    return with_key
