"""``weps evaluate CORPUS ANSWERS``: official scores of answers, of baselines, of a model.

With ``--corrections``: the number of corrections until the answers of a model are right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import Any

from weps._options import cli_argument, cli_option
from weps._parallel import parallel_map
from weps.cli.console import Console
from weps.cli.options import (
    JobsOption,
    JsonOption,
    ModelOptions,
    NamesOption,
    check_writable,
    write_json,
)
from weps.cli.pace import TimedProgress
from weps.errors import SourceError, WepsError
from weps.model import DEFAULT_SYSTEM, ModelSet
from weps.page_forms import richest_form
from weps.reading import Reader
from weps.sources.base import Source, select_names
from weps.sources.opening import open_source
from weps.training.examples import read_examples
from weps_eval.benchmark import simulation
from weps_eval.benchmark.corpus import read_answer, systems_in
from weps_eval.benchmark.labels import compare_labels, label_quality, labels_line
from weps_eval.benchmark.scoring import (
    name_rows,
    results_data,
    score_answers,
    score_baselines,
    score_legend,
    system_rows,
)
from weps_eval.clustering.scorers import SCORING_RULES, Scorer, Scores, scorer_for


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


@dataclass(frozen=True, slots=True)
class _Simulation:
    """Helps with the answer for one name; None if its key is empty."""

    source: Source
    models: ModelSet
    scorer: Scorer
    reader: Reader

    def __call__(self, name: str) -> simulation.Course | None:
        model = self.models.for_form(richest_form(self.source.search(name)))
        examples = read_examples(name, self.source, model.similarities, reader=self.reader)
        courses = (simulation.simulate_user(each, model, self.scorer) for each in examples.values())
        return next(courses, None)


def _simulate(
    options: Options,
    source: Source,
    names: Sequence[str],
    scorer: Scorer,
    console: Console,
) -> tuple[str, list[simulation.Course]]:
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
    work = _Simulation(source, models, scorer, options.reader(models.language))
    courses: list[simulation.Course] = []
    progress = TimedProgress(console, options.jobs)
    for number, course in enumerate(parallel_map(work, names, options.jobs), start=1):
        progress("correcting answers", number, len(names))
        courses += [course] if course else []
    if not courses:
        what, remedy = "no key with people was found", "give a corpus with its gold standard"
        raise SourceError(what, where=source.root, remedy=remedy)
    return models.digest, courses


def run_command(options: Options, console: Console) -> int:
    """Score, print, and write JSON if requested."""
    check_writable(options.json)
    source = open_source(options.corpus)
    names = select_names(source, options.name)
    folders = systems_in(options.answers) if options.answers else {}
    if not (folders or options.baselines or options.corrections):
        raise SourceError(
            "no answers to score",
            remedy="name a folder of answers, or add --baselines or --corrections",
        )
    if _report_faults(source, names, folders, console):
        return 1
    names = _with_key(source, names)
    scorer = scorer_for(source, options.scorer)
    signature = scorer.signature(source, names)
    systems, details = _score_folders(folders, source, names, scorer, console)
    if options.baselines:
        systems |= score_baselines(names, source, scorer)
    courses: list[simulation.Course] = []
    if options.corrections:
        digest, courses = _simulate(options, source, names, scorer, console)
        signature += f"|model:{digest}"
        model = options.model.stem if options.model else options.system or DEFAULT_SYSTEM
        answers = {each.name: each.answer for each in courses}
        systems[f"{model} (model)"] = score_answers(answers, source, scorer)
        details[f"{model} (model)"] = simulation.simulation_data(courses)
    for system in folders or systems:
        console.write_table(name_rows({system: systems[system]}, system))
        console.write()
    rows = system_rows(systems)
    console.write_table(rows)
    console.write_detail(fill(score_legend([rows]), console.width))
    console.write(signature)
    data = results_data(signature, systems)
    for system, more in details.items():
        data["systems"][system] |= more
        if "labels" in more:
            console.write(labels_line(system, more["labels"]))
        else:
            _show_simulation(courses, more, console)
    write_json(options.json, data)
    return 0


def _show_simulation(
    courses: Sequence[simulation.Course], data: Mapping[str, Any], console: Console
) -> None:
    console.write()
    console.write_table(simulation.name_table(courses))
    for rows, line in (simulation.correction_table(data), simulation.question_table(data)):
        console.write()
        console.write_table(rows)
        console.write(line)


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
        systems[system] = score_answers(answers, source, scorer)
        if any(answer and answer.labels for answer in answers.values()):
            judged = [
                compare_labels(answer, key, name)
                for name, answer in answers.items()
                if answer and (key := source.key(name))
            ]
            if qualities := label_quality(judged):
                details[system] = {"labels": qualities}
    return systems, details


def _report_faults(
    source: Source, names: Sequence[str], folders: Mapping[str, Path], console: Console
) -> bool:
    """Report every fault of the files before anything is scored; true if one forbids scoring."""
    reads: list[Callable[[], object]] = []
    for name in names:
        reads += [partial(source.ranks, name), partial(source.key, name)]
        reads += [partial(read_answer, folder, name) for folder in folders.values()]
    errors = []
    for read in reads:
        try:
            read()
        except WepsError as error:
            errors.append(error.describe())
    for line in dict.fromkeys(errors):
        console.error(line)
    for name in names if not errors else ():
        for warning in source.warnings(name):
            console.warn(warning)
    return bool(errors)


def _with_key(source: Source, names: Sequence[str]) -> tuple[str, ...]:
    with_key = tuple(name for name in names if source.key(name) is not None)
    if not with_key:
        raise SourceError(
            "none of the names has a key",
            where=source.root,
            remedy="give a corpus with its gold standard, or saved pages with a key.xml",
        )
    return with_key
