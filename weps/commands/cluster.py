"""``weps cluster SOURCE``: who is who among the pages found for a name."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Protocol

from weps.commands.console import Console
from weps.commands.options import (
    add_jobs,
    add_json,
    add_names,
    add_reading,
    check_writable,
    probability,
    write_json,
)
from weps.commands.reading import reader_of
from weps.errors import ModelError, WepsError
from weps.language.pipeline import title
from weps.model import ModelSet, load
from weps.parallel import over_names
from weps.people import Answer
from weps.pipeline import cluster
from weps.placing import make_folder
from weps.provided import DEFAULT, packaged
from weps.reading import Reader
from weps.records import Clustering
from weps.report import write
from weps.sources import Source, open_source, select

__all__ = ["Judge", "arguments", "run"]

Scores = Mapping[str, float]


class Judge(Protocol):
    """Scores answers; the evaluation layer provides one, which this package does not know."""

    def scores(self, answer: Clustering | None, key: Clustering, ranks: Collection[int]) -> Scores:
        """Measure → value."""

    def signature(self, source: Source, names: Sequence[str]) -> str:
        """How the mean over these names is made."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "source",
        metavar="SOURCE",
        type=Path,
        help="folder of saved pages (*.html, *.htm, *.txt), folder of such folders, "
        "or WePS corpus in its official layout",
    )
    add_names(parser, "a name of the corpus (repeat for several), or the name of the saved pages")
    parser.add_argument("--model", type=Path, metavar="FILE", help="default: the packaged model")
    parser.add_argument(
        "--threshold",
        type=probability,
        metavar="T",
        help="least probability (0 to 1) at which pages are put together; default: the model "
        "decides, name by name",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("weps-out"),
        metavar="DIR",
        help="where reports go (default: weps-out)",
    )
    parser.add_argument(
        "--system",
        metavar="SYSTEM",
        help="which packaged model: default (the best of those that cost little), paper (EMNLP "
        "2009), or paper:features=all (with entities and phrases, slower)",
    )
    add_reading(parser)
    add_jobs(parser)
    add_json(parser)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one name."""

    name: str
    answer: Answer | None = None
    files: Mapping[str, Path] = field(default_factory=dict)
    """Suffix → file written."""
    scores: Scores = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    seconds: float = 0.0


def run(options: argparse.Namespace, console: Console, judge_for: Callable[[Source], Judge]) -> int:
    """Cluster every chosen name; a name that fails does not stop the others."""
    source, names = _open(options)
    judge = judge_for(source)
    make_folder(options.out)
    check_writable(options.json)
    loaded = _model(options)
    reader = reader_of(options, loaded.language, options.jobs if len(names) == 1 else 1)
    _check(reader, loaded, console)
    if options.language and not loaded.language:
        console.warn("--language has no effect: the model compares nothing that needs it")
    work = partial(
        _work,
        source=source,
        loaded=loaded,
        reader=reader,
        threshold=options.threshold,
        folder=options.out,
        judge=judge,
    )
    outcomes = []
    for number, outcome in enumerate(over_names(work, names, options.jobs), start=1):
        outcomes.append(outcome)
        _report(outcome, f"[{number}/{len(names)}] " if len(names) > 1 else "", console)
    _summarise(outcomes, source, judge, console)
    if options.json:
        answers = [json.loads(each.files[".json"].read_bytes()) for each in outcomes if each.files]
        write_json(options.json, answers[0] if len(names) == 1 and answers else answers)
    return int(any(outcome.errors for outcome in outcomes))


def _open(options: argparse.Namespace) -> tuple[Source, tuple[str, ...]]:
    """The source and the chosen names; for saved pages ``--name`` says whose they are."""
    wanted = options.name or []
    source = open_source(options.source, wanted[0] if len(wanted) == 1 else None)
    return source, select(source, wanted)


def _model(options: argparse.Namespace) -> ModelSet:
    """The model that is asked for.

    Raises:
        ModelError: if two are, or one that cannot be had.
    """
    if options.model is None:
        return packaged(options.system or DEFAULT)
    if options.system is not None:
        raise ModelError("--model and --system ask for two models", remedy="leave one of them out")
    return load(options.model)


def _check(reader: Reader, loaded: ModelSet, console: Console) -> None:
    """Find out before long work whether the pages can be read as the model wants it.

    Raises:
        LanguageError: if the language pipeline is missing.
    """
    if reader.cache and reader.cache.problem:
        console.warn(reader.cache.problem)
    if loaded.language and title(reader.language) != loaded.language:
        console.warn(
            f"the model has learnt from pages read by {loaded.language}, these are read by "
            f"{title(reader.language)}: expect worse answers"
        )


def _work(  # noqa: PLR0913 - everything that a worker process needs
    name: str,
    *,
    source: Source,
    loaded: ModelSet,
    reader: Reader,
    threshold: float | None,
    folder: Path,
    judge: Judge,
) -> Outcome:
    began = time.perf_counter()
    try:
        search = source.search(name)
        answer = cluster(search, loaded, threshold, reader)
        scores, errors = _judge(source, name, answer, judge)
        warnings = source.warnings(name)
        written = write(
            answer,
            name,
            folder,
            scores=scores,
            score_signature=judge.signature(source, [name]) if scores else "",
            notes=[*warnings, *errors],
        )
    except WepsError as error:
        return Outcome(name, errors=(error.describe(),))
    files = {path.suffix: path for path in written}
    seconds = time.perf_counter() - began
    return Outcome(name, answer, files, scores, warnings, errors, seconds)


def _judge(
    source: Source, name: str, answer: Answer, judge: Judge
) -> tuple[Scores, tuple[str, ...]]:
    """The scores if there is a key; a faulty key costs the score, never the answer."""
    try:
        key = source.key(name)
        return (judge.scores(answer.clustering, key, source.ranks(name)) if key else {}), ()
    except WepsError as error:
        return {}, (error.describe(),)


def _report(outcome: Outcome, counter: str, console: Console) -> None:
    for warning in outcome.warnings:
        console.warn(warning)
    for error in outcome.errors:
        console.error(error)
    if outcome.answer is None:
        return
    people = outcome.answer.people
    pages = sum(len(person.pages) for person in people)
    alone = sum(len(person.pages) == 1 for person in people)
    console.say(
        f"{counter}{outcome.answer.name}: {pages} pages, {len(people)} people "
        f"({alone} with a single page), {outcome.seconds:.1f} s"
    )
    console.say(f"  report: {outcome.files['.html']}")


def _summarise(outcomes: list[Outcome], source: Source, judge: Judge, console: Console) -> None:
    """The mean scores of the names that have a key."""
    scored = [outcome for outcome in outcomes if outcome.scores]
    if not scored:
        return
    means = {
        measure: sum(outcome.scores[measure] for outcome in scored) / len(scored)
        for measure in ("bcubed_precision", "bcubed_recall", "bcubed_f05")
    }
    console.say(
        "score against the key: B-Cubed precision {bcubed_precision:.2f}, "
        "recall {bcubed_recall:.2f}, F0.5 {bcubed_f05:.2f}".format(**means)
    )
    console.say(f"  {judge.signature(source, [outcome.name for outcome in scored])}")
