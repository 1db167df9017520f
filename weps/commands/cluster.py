"""``weps cluster SOURCE``: who is who among the pages found for a name."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path

from weps.commands.answering import Judge, Outcome, Work
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
from weps.commands.people_table import people_table
from weps.commands.reading import add_model, model_of, reader_of
from weps.errors import CorrectionsError
from weps.language.pipeline import title
from weps.model import ModelSet
from weps.parallel import over
from weps.people import Answer
from weps.placing import make_folder
from weps.progress import silent
from weps.provenance import Provenance, collection
from weps.reading import Reader
from weps.report.wording import counted
from weps.sources import Source, open_source, select

__all__ = ["arguments", "run"]


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
    add_model(parser)
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
    corrections = parser.add_mutually_exclusive_group()
    corrections.add_argument(
        "--corrections",
        type=Path,
        metavar="FILE",
        help="what you have said before about who is who, for one name, or a folder of "
        "NAME.corrections.txt; default: those beside the results in --out",
    )
    corrections.add_argument(
        "--no-corrections", action="store_true", help="answer as if nothing had been corrected"
    )
    add_reading(parser)
    add_jobs(parser)
    add_json(parser)


def run(options: argparse.Namespace, console: Console, judge_for: Callable[[Source], Judge]) -> int:
    """Cluster every chosen name; a name that fails does not stop the others."""
    source, names = _open(options)
    judge = judge_for(source)
    make_folder(options.out)
    check_writable(options.json)
    models = model_of(options)
    reader = reader_of(options, models.language, options.jobs if len(names) == 1 else 1)
    _check(options, reader, models, console)
    alone = len(names) == 1
    work = Work(
        source=source,
        models=models,
        reader=reader,
        folder=options.out,
        judge=judge,
        provenance={name: _provenance(options, source, name) for name in names},
        threshold=options.threshold,
        corrections=_corrections(options, names),
        progress=console.work if alone else silent,
    )
    outcomes: list[Outcome] = []
    for number, outcome in enumerate(over(work, names, options.jobs), start=1):
        outcomes.append(outcome)
        console.work("answering", number, len(names))
        _report(outcome, "" if alone else f"[{number}/{len(names)}] ", console)
    if alone and outcomes[0].answer:
        _table(outcomes[0].answer, console)
    _summarise(outcomes, source, judge, console)
    if options.json:
        answers = [json.loads(each.files[".json"].read_bytes()) for each in outcomes if each.files]
        write_json(options.json, answers[0] if alone and answers else answers)
    return int(any(outcome.errors for outcome in outcomes))


def _open(options: argparse.Namespace) -> tuple[Source, tuple[str, ...]]:
    """The source and the chosen names; for saved pages ``--name`` says whose they are."""
    wanted = options.name or []
    source = open_source(options.source, wanted[0] if len(wanted) == 1 else None)
    return source, select(source, wanted)


def _check(options: argparse.Namespace, reader: Reader, models: ModelSet, console: Console) -> None:
    """Find out before long work whether the pages can be read as the model wants it.

    Raises:
        LanguageError: if the language pipeline is missing.
    """
    if reader.cache and reader.cache.problem:
        console.warn(reader.cache.problem)
    known = title(reader.language) if models.language or options.language else ""
    if models.language and known != models.language:
        console.warn(
            f"the model has learnt from pages read by {models.language}, these are read by "
            f"{known}: expect worse answers"
        )


def _provenance(options: argparse.Namespace, source: Source, name: str) -> Provenance:
    return Provenance(
        (collection(source.root, name, options.out),),
        system=options.system or "",
        model=options.model.absolute().as_posix() if options.model else "",
        threshold=options.threshold,
        language=options.language or "",
    )


def _corrections(options: argparse.Namespace, names: Sequence[str]) -> Path | None:
    """Where corrections are: those asked for, else those beside the results.

    Raises:
        CorrectionsError: if one file is to be for several names, or there is none.
    """
    if options.no_corrections:
        return None
    path: Path | None = options.corrections
    if path is None:
        return Path(options.out)
    if not path.exists():
        raise CorrectionsError("there is no such file", where=path, remedy="check the spelling")
    if len(names) > 1 and not path.is_dir():
        raise CorrectionsError(
            f"corrections are for one name, here are {len(names)}",
            where=path,
            remedy="choose the name with --name, or give a folder of NAME.corrections.txt",
        )
    return path


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
    said = len(outcome.answer.corrections.said)
    console.say(
        f"{counter}{outcome.answer.name}: {counted(pages, 'page')}, "
        f"{counted(len(people), 'person', 'people')}"
        + (f" ({alone} with a single page)" if alone else "")
        + f", {outcome.seconds:.1f} s"
        + (f", {counted(said, 'correction')} obeyed" if said else "")
    )
    console.say(f"  report: {outcome.files['.html']}")


def _table(answer: Answer, console: Console) -> None:
    """Who the people are."""
    console.detail()
    for line in people_table(answer, console.width):
        console.detail(line.text, line.style)
    console.detail()


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
