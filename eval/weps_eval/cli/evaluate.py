"""``weps evaluate CORPUS ANSWERS``: official scores of answers, of baselines, of a model.

With ``--corrections``: the number of corrections until the answers of a model are right.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import Any

from weps._parallel import parallel_map
from weps.cli.console import Console
from weps.cli.options import (
    add_jobs,
    add_json,
    add_model,
    add_names,
    check_writable,
    model_from_options,
    reader_from_options,
    write_json,
)
from weps.cli.pace import TimedProgress
from weps.errors import SourceError, WepsError
from weps.model import DEFAULT_SYSTEM, ModelSet
from weps.page_forms import richest_form
from weps.reading import Reader
from weps.records import Clustering
from weps.sources.base import Source, select_names
from weps.sources.opening import open_source
from weps.training.examples import read_examples
from weps_eval.benchmark.corpus import read_answer, systems_in, unanswered_names
from weps_eval.benchmark.corrections import (
    CorrectionCurve,
    corrections_data,
    curve_rows,
    mean_curve_rows,
    saved_corrections_line,
    simulate_corrections,
)
from weps_eval.benchmark.labels import (
    LabelQuality,
    compare_labels,
    label_quality,
    labels_data,
    labels_line,
)
from weps_eval.benchmark.questions import (
    QuestionCurve,
    question_gain_line,
    question_rows,
    questions_data,
    simulate_questions,
)
from weps_eval.benchmark.scoring import Results, legend, name_rows, results_data, system_rows
from weps_eval.benchmark.trials import score_answers, score_baselines
from weps_eval.clustering.scorers import SCORING_RULES, Scorer, scorer_for


def add_corrections(parser: argparse.ArgumentParser) -> None:
    """``--corrections``, the model that answers, and how pages are read."""
    parser.add_argument(
        "--corrections",
        action="store_true",
        help="simulate a user who corrects the answers of a model (default: the pretrained one) by "
        "the key, and report how many corrections are needed",
    )
    add_model(parser)
    add_jobs(parser)


@dataclass(frozen=True, slots=True)
class CorrectedSystem:
    """A model whose answers were corrected."""

    title: str
    digest: str
    curves: tuple[CorrectionCurve, ...]
    """Of the names that have people in their keys."""
    questions: tuple[QuestionCurve, ...]
    """Of the same names."""


def correct_answers(
    options: argparse.Namespace,
    source: Source,
    names: Sequence[str],
    scorer: Scorer,
    console: Console,
) -> tuple[CorrectedSystem, ...]:
    """The effect of corrections on the answers of the model; empty if not requested.

    Raises:
        SourceError: if no key has people.
        ModelError: if the model cannot be loaded, or has no classifier for pages of the names'
            form.
    """
    if not options.corrections:
        return ()
    models = model_from_options(options)
    if known := _training_names(models).intersection(names):
        console.warn(
            f"the model was trained on {len(known)} of these {len(names)} names; others take more "
            "corrections"
        )
    work = _CorrectionJob(source, models, scorer, reader_from_options(options, models.language))
    found, progress = [], TimedProgress(console, options.jobs)
    for number, made in enumerate(parallel_map(work, names, options.jobs), start=1):
        progress("correcting answers", number, len(names))
        found += [made] if made else []
    if not found:
        what, remedy = "no key with people was found", "give a corpus with its gold standard"
        raise SourceError(what, where=source.root, remedy=remedy)
    curves, questions = zip(*found, strict=True)
    return (CorrectedSystem(_system_title(options), models.digest, curves, questions),)


def _system_title(options: argparse.Namespace) -> str:
    """What the model is called among the systems."""
    return f"{options.model.stem if options.model else options.system or DEFAULT_SYSTEM} (model)"


def _training_names(models: ModelSet) -> set[str]:
    """The training names of the model, by its card."""
    corpus = models.card.get("corpus")
    names = corpus.get("names") if isinstance(corpus, dict) else None
    return {name for name in names if isinstance(name, str)} if isinstance(names, list) else set()


@dataclass(frozen=True, slots=True)
class _CorrectionJob:
    """Corrects the answer for one name, and asks about it; None if its key is empty."""

    source: Source
    models: ModelSet
    scorer: Scorer
    reader: Reader

    def __call__(self, name: str) -> tuple[CorrectionCurve, QuestionCurve] | None:
        model = self.models.for_form(richest_form(self.source.search(name)))
        examples = read_examples(name, self.source, model.similarities, reader=self.reader)
        for each in examples.values():
            about = each, model, self.scorer
            return simulate_corrections(*about), simulate_questions(*about)
        return None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("corpus", metavar="CORPUS", type=Path, help="corpus with the keys")
    parser.add_argument(
        "answers",
        metavar="ANSWERS",
        type=Path,
        nargs="?",
        help="folder of NAME.clust.xml files, or of one such folder per system",
    )
    parser.add_argument("--baselines", action="store_true", help="also score the three baselines")
    parser.add_argument(
        "--scorer", choices=sorted(SCORING_RULES), help="default: the official one of the corpus"
    )
    add_corrections(parser)
    add_names(parser, "score this name only (repeat for several)")
    add_json(parser)


def run_command(options: argparse.Namespace, console: Console) -> int:
    """Score, print, and write JSON if requested."""
    check_writable(options.json)
    source = open_source(options.corpus)
    names = select_names(source, options.name or [])
    folders = _systems(options)
    if _report_faults(source, names, folders, console):
        return 1
    names = _with_key(source, names)
    scoring = scorer_for(source, options.scorer)
    systems, quality = {}, {}
    for system, folder in folders.items():
        for name in unanswered_names(folder, names):
            console.warn(f"{folder}: no answer for {name}; it scores 0")
        answers = {name: read_answer(folder, name) for name in names}
        systems[system] = score_answers(answers, source, scoring)
        quality[system] = _labels(answers, source)
    if options.baselines:
        systems |= score_baselines(names, source, scoring)
    corrected = correct_answers(options, source, names, scoring, console)
    for each in corrected:
        answered: dict[str, Clustering | None] = {one.name: one.answer for one in each.curves}
        systems[each.title] = score_answers(answered, source, scoring)
    how = [f"model:{each.digest}" for each in corrected]
    results = Results("|".join([scoring.signature(source, names), *how]), systems)
    for system in folders or systems:
        console.write_table(name_rows(Results("", {system: systems[system]}), system))
        console.write()
    rows = system_rows(results)
    console.write_table(rows)
    console.write_detail(fill(legend([rows]), console.width))
    console.write(results.signature)
    for system, labels in quality.items():
        if labels:
            console.write(labels_line(system, labels))
    for each in corrected:
        _show_corrections(each, console)
    write_json(options.json, _evaluation_data(results, quality, corrected))
    return 0


def _show_corrections(corrected: CorrectedSystem, console: Console) -> None:
    curves, questions = corrected.curves, corrected.questions
    for rows in (curve_rows(curves), mean_curve_rows(curves)):
        console.write()
        console.write_table(rows)
    console.write(saved_corrections_line(curves))
    console.write()
    console.write_table(question_rows(questions, curves))
    console.write(question_gain_line(questions))


def _labels(answers: Mapping[str, Clustering | None], source: Source) -> tuple[LabelQuality, ...]:
    """How good the labels of the answers are; nothing if they have none, or the keys have none."""
    answered = {name: answer for name, answer in answers.items() if answer is not None}
    if not any(answer.labels for answer in answered.values()):
        return ()
    keys = ((name, answer, source.key(name)) for name, answer in answered.items())
    return label_quality([compare_labels(answer, key, name) for name, answer, key in keys if key])


def _evaluation_data(
    results: Results,
    quality: Mapping[str, Sequence[LabelQuality]],
    corrected: Sequence[CorrectedSystem],
) -> dict[str, Any]:
    """The scores, and what is known of labels and corrections beside them."""
    data = results_data(results)
    for system, labels in quality.items():
        if labels:
            data["systems"][system]["labels"] = labels_data(labels)
    for each in corrected:
        data["systems"][each.title]["corrections"] = corrections_data(each.curves)
        data["systems"][each.title]["questions"] = questions_data(each.questions)
    return data


def _systems(options: argparse.Namespace) -> dict[str, Path]:
    if options.answers is not None:
        return systems_in(options.answers)
    if not options.baselines and not options.corrections:
        raise SourceError(
            "no answers to score",
            remedy="name a folder of answers, or add --baselines or --corrections",
        )
    return {}


def _report_faults(
    source: Source, names: Sequence[str], folders: Mapping[str, Path], console: Console
) -> bool:
    """Tell every fault of the files before anything is scored; whether one forbids scoring."""
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
