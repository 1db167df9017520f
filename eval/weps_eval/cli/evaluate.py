"""``weps evaluate CORPUS ANSWERS``: official scores of answers, of baselines, of a model.

With ``--corrections``: the number of corrections until the answers of a model are right.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import Any

from weps._options import cli_argument, cli_option
from weps._parallel import parallel_map
from weps.cli.console import Console, TimedProgress
from weps.cli.options import (
    JobsOption,
    JsonOption,
    ModelOptions,
    NamesOption,
    check_writable,
    write_json,
)
from weps.errors import SourceError, WepsError
from weps.model import DEFAULT_SYSTEM, ModelSet
from weps.reading import Reader, richest_form
from weps.sources.base import Source, select_names
from weps.sources.opening import open_source
from weps.training import read_examples
from weps_eval.benchmark import judging, scoring
from weps_eval.benchmark.corpus import read_answer, systems_in
from weps_eval.clustering.measures import SCORING_RULES, Scorer, Scores, scorer_for


@dataclass(frozen=True, kw_only=True)
class Options(ModelOptions, JobsOption, NamesOption, JsonOption):
    """The options of the command."""

    corpus: Path = cli_argument("corpus with the keys")
    answers: Path | None = cli_argument(
        "folder of NAME.clust.xml files, or of one such folder per system", None
    )
    baselines: bool = cli_option("also score the three baselines", False)
    scorer: str | None = cli_option(
        "default: the official one of the corpus", choices=sorted(SCORING_RULES)
    )
    corrections: bool = cli_option(
        "simulate a user who corrects the answers of a model (default: the pretrained one) by the "
        "key, and report how many corrections are needed",
        False,
    )


def run_command(options: Options, console: Console) -> int:
    """Score, print, and write JSON if requested.

    Raises:
        SourceError: if there is nothing to score, or nothing to score it by.
    """
    check_writable(options.json)
    source = open_source(options.corpus)
    names = select_names(source, options.name)
    folders = systems_in(options.answers) if options.answers else {}
    if not (folders or options.baselines or options.corrections):
        raise SourceError(
            "no answers to score",
            remedy="name a folder of answers, or add --baselines or --corrections",
        )
    if _report_faults(source, names, folders.values(), console):
        return 1
    names = tuple(name for name in names if source.key(name) is not None)
    if not names:
        raise SourceError(
            "none of the names has a key",
            where=source.root,
            remedy="give a corpus with its gold standard, or saved pages with a key.xml",
        )
    scorer = scorer_for(source, options.scorer)
    signature = scorer.signature(source, names)
    systems, details = _score_folders(folders, source, names, scorer, console)
    if options.baselines:
        systems |= scoring.score_baselines(names, source, scorer)
    courses: list[judging.Course] = []
    if options.corrections:
        digest, courses = _simulate(options, source, names, scorer, console)
        signature += f"|model:{digest}"
        model = options.model.stem if options.model else options.system or DEFAULT_SYSTEM
        corrected = {each.name: each.answer for each in courses}
        systems[f"{model} (model)"] = scoring.score_answers(corrected, source, scorer)
        details[f"{model} (model)"] = judging.simulation_data(courses)
    for system in folders or systems:
        console.write_table(scoring.name_rows({system: systems[system]}))
        console.write()
    rows = scoring.system_rows(systems)
    console.write_table(rows)
    console.write_detail(fill(scoring.score_legend([rows]), console.width))
    console.write(signature)
    data = scoring.results_data(signature, systems)
    for system, more in details.items():
        data["systems"][system] |= more
        if "labels" in more:
            shares = ", ".join(
                f"{each['share']:.2f} of {each['people']}"
                + (f" with {each['pages']} or more pages" if each["pages"] > 1 else "")
                for each in more["labels"]
            )
            told = "labels that share a word with people's descriptions"
            console.write(f"{system}: {told}: {shares}")
        else:
            console.write()
            judging.show_simulation(courses, more, console)
    write_json(options.json, data)
    return 0


def _report_faults(
    source: Source, names: Sequence[str], folders: Collection[Path], console: Console
) -> bool:
    """Report every fault of the files before anything is scored; true if one forbids scoring."""
    reads = [partial(read, name) for name in names for read in (source.ranks, source.key)]
    reads += [partial(read_answer, folder, name) for name in names for folder in folders]
    faults = {}
    for read in reads:
        try:
            read()
        except WepsError as error:
            faults[error.describe()] = error
    for line in faults:
        console.error(line)
    for name in () if faults else names:
        for warning in source.warnings(name):
            console.warn(warning)
    return bool(faults)


def _score_folders(
    folders: Mapping[str, Path],
    source: Source,
    names: Sequence[str],
    scorer: Scorer,
    console: Console,
) -> tuple[dict[str, Scores], dict[str, dict[str, Any]]]:
    """Scores of each system, and the quality of its labels if answers and keys have any."""
    systems: dict[str, Scores] = {}
    details: dict[str, dict[str, Any]] = {}
    for system, folder in folders.items():
        answers = {name: read_answer(folder, name) for name in names}
        for name in names:
            if answers[name] is None:
                console.warn(f"{folder}: no answer for {name}; it scores 0")
        systems[system] = scoring.score_answers(answers, source, scorer)
        if any(answer and answer.labels for answer in answers.values()):
            judged = [
                judging.compare_labels(answer, key, name)
                for name, answer in answers.items()
                if answer and (key := source.key(name))
            ]
            if qualities := judging.label_quality(judged):
                details[system] = {"labels": qualities}
    return systems, details


def _simulate(
    options: Options, source: Source, names: Sequence[str], scorer: Scorer, console: Console
) -> tuple[str, list[judging.Course]]:
    """Digest of the model, and the names that have people in their keys with a user's help.

    Raises:
        SourceError: if no key has people.
        ModelError: if the model cannot be loaded, or has no classifier for pages of the names'
            form.
    """
    models = options.model_choice().load()
    corpus = models.card.get("corpus")
    taught = corpus.get("names") if isinstance(corpus, dict) else None
    if isinstance(taught, list) and (known := [name for name in names if name in taught]):
        console.warn(
            f"the model was trained on {len(known)} of these {len(names)} names; others take more "
            "corrections"
        )
    work = partial(
        _course,
        source=source,
        models=models,
        scorer=scorer,
        reader=options.reader(models.language),
    )
    courses: list[judging.Course] = []
    progress = TimedProgress(console)
    for number, course in enumerate(parallel_map(work, names, options.jobs), start=1):
        progress("correcting answers", number, len(names))
        courses += [course] if course else []
    if not courses:
        what, remedy = "no key with people was found", "give a corpus with its gold standard"
        raise SourceError(what, where=source.root, remedy=remedy)
    return models.digest, courses


def _course(
    name: str, source: Source, models: ModelSet, scorer: Scorer, reader: Reader
) -> judging.Course | None:
    """Help with the answer for one name; None if its key is empty."""
    model = models.for_form(richest_form(source.search(name)))
    examples = read_examples(name, source, model.similarities, reader=reader)
    courses = (judging.simulate_user(each, model, scorer) for each in examples.values())
    return next(courses, None)
