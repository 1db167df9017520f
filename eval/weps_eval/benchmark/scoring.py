"""Scores of several systems on the same names: tables, summary, calibration and JSON."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isnan
from typing import Any

import numpy as np

from weps._formatting import format_score
from weps.page_forms import PageForm
from weps.records import Clustering, HtmlReader
from weps.sources.base import Source
from weps.training.examples import Example, TrainingSettings
from weps_eval.benchmark.corpus import Corpus, count_forms
from weps_eval.benchmark.trials import Answers, Systems, Trial, judge_groups, judge_pages
from weps_eval.calibration.forecasts import as_forecasts, by_name
from weps_eval.calibration.scores import Reliability, binned_reliability, calibration_measures
from weps_eval.clustering.measures import BASELINES, MEASURES
from weps_eval.clustering.scorers import (
    Scorer,
    Scores,
    mean_scores,
    scorer_for,
    scores_data,
    standard_errors,
)
from weps_eval.stats import estimate
from weps_eval.stats.arrays import Flags, Floats
from weps_eval.stats.estimate import Estimate

SUBJECTS = {
    "pairs": "that two pages are about one person",
    "pages": "that a page stands with the right pages",
    "people": "that all pages of a person, of several, are about one person",
}
"""Subject of forecasts → what is forecast."""
MAIN = ("bcubed_precision", "bcubed_recall", "bcubed_f05")
"""Measures of tables of names."""
_COMPARED = "bcubed_f05"
"""The measure that systems are compared by."""
_CALIBRATION = {"brier": ("Brier", 4), "ece": ("ECE", 4), "slope": ("slope", 2)}
"""Calibration measures of the table, with heading and decimals."""


@dataclass(frozen=True, slots=True, eq=False)
class CalibrationSummary:
    """Calibration of the forecasts of one system about one subject; every name counts the same."""

    forecasts: int
    """Number of forecasts."""
    names: int
    """Number of names."""
    measures: Mapping[str, Estimate]
    """See :func:`weps_eval.calibration.scores.calibration_measures`."""
    reliability: Reliability


@dataclass(frozen=True, eq=False)
class Benchmark:
    """The answers of several systems for the names of a corpus, and all figures about them."""

    systems: Systems
    trials: Mapping[str, Trial]
    """System → its answers and what they cost; the others are compared with the first."""
    corpus: Corpus
    examples: Mapping[str, Example]
    """Name → its pages in the form that they have, and its key."""
    how: str
    """Names that the systems learnt from, for signatures: ``cv:5``."""
    learnt_on: str
    """Names that the systems learnt from, in words."""
    settings: TrainingSettings
    scorer: str | None = None
    """See :func:`weps_eval.clustering.scorers.scorer_for`."""
    language: str = ""
    """Version of the language pipeline, empty if no system needs one."""
    encoder: str = ""
    """Identity of the sentence encoder, empty if no system needs one."""
    html: HtmlReader = HtmlReader.FAST
    """Way in which pages were cleaned."""

    @property
    def forms(self) -> dict[PageForm, int]:
        """Form → number of names that have pages of it, richest first."""
        return count_forms(self.corpus.forms.values())

    @property
    def signature(self) -> str:
        """Everything that decides the scores, in one line."""
        scoring = scorer_for(self.corpus.source, self.scorer)
        parts = [
            scoring.signature(self.corpus.source, self.corpus.names),
            self.how,
            f"seed:{self.settings.seed}",
            "features:common" if self.systems.common else "",
            f"language:{self.language}" if self.language else "",
            f"encoder:{self.encoder}" if self.encoder else "",
            f"html:{self.html}" if self.html is not HtmlReader.FAST else "",
        ]
        return "|".join(filter(None, parts))

    @cached_property
    def scores(self) -> dict[str, Scores]:
        """System or baseline → name → measure → value."""
        source, names = self.corpus.source, self.corpus.names
        scoring = scorer_for(source, self.scorer)
        of_systems = {
            system: score_answers(
                {name: trial.answers[name].clustering for name in names}, source, scoring
            )
            for system, trial in self.trials.items()
        }
        return of_systems | score_baselines(names, source, scoring)

    @cached_property
    def differences(self) -> dict[str, estimate.Difference]:
        """System → difference of its F0.5 from that of the first, paired by name."""
        names = sorted(self.corpus.names)
        first, *others = (
            [self.scores[system][name][_COMPARED] for name in names] for system in self.trials
        )
        systems = list(self.trials)[1:]
        return {
            system: estimate.compare(first, other)
            for system, other in zip(systems, others, strict=True)
        }

    @cached_property
    def calibration(self) -> dict[str, dict[str, CalibrationSummary]]:
        """System → subject → calibration of its forecasts."""
        return {
            system: summarise_calibration(self.examples, trial.answers)
            for system, trial in self.trials.items()
        }

    def as_data(self) -> dict[str, Any]:
        """The figures in JSON form, with what each system is and used (docs/output.md)."""
        data = results_data(self.signature, self.scores)
        for system, configuration in self.systems.configurations.items():
            used, absent = (
                {str(form): list(map(str, columns(form)[system])) for form in self.forms}
                for columns in (self.systems.used, self.systems.missing)
            )
            data["systems"][system] |= {
                "configuration": configuration.as_data(),
                "similarities": used,
                "absent": absent,
                "calibration": calibration_data(self.calibration[system]),
            }
        return {
            **data,
            "forms": {name: str(form) for name, form in sorted(self.corpus.forms.items())},
            "comparisons": [
                {
                    "first": next(iter(self.trials)),
                    "second": second,
                    **estimate.difference_data(_COMPARED, each),
                }
                for second, each in self.differences.items()
            ],
        }


def score_answers(
    answers: Mapping[str, Clustering | None], source: Source, scorer: Scorer
) -> Scores:
    """Name → scores, for the names of a source that have a key."""
    return {
        name: scorer.scores(answer, key, source.ranks(name))
        for name, answer in answers.items()
        if (key := source.key(name)) is not None
    }


def score_baselines(names: Sequence[str], source: Source, scorer: Scorer) -> dict[str, Scores]:
    """Baseline → name → scores."""
    documents = {
        name: scorer.documents(key, source.ranks(name))
        for name in names
        if (key := source.key(name)) is not None
    }
    return {
        title: score_answers({name: make(documents[name]) for name in documents}, source, scorer)
        for title, make in BASELINES.items()
    }


def summarise_calibration(
    examples: Mapping[str, Example], answers: Answers
) -> dict[str, CalibrationSummary]:
    """Subject → calibration of the answers' forecasts; none where the keys have no page.

    Args:
        examples: by name, what is answered for.
        answers: of one system, for these names.
    """
    outcomes: dict[str, list[tuple[Floats, Flags]]] = {}
    for name in sorted(answers):
        example, answer = examples[name], answers[name]
        for subject, forecast, (judged, happened) in (
            ("pairs", answer.probability, example.judged()),
            ("pages", answer.page_confidence, judge_pages(example, answer.clustering)),
            ("people", answer.one_person, judge_groups(example, answer.clustering)),
        ):
            outcomes.setdefault(subject, []).append((forecast[judged], happened[judged]))
    summaries = {}
    for subject, of_names in outcomes.items():
        sizes = [len(forecast) for forecast, _ in of_names]
        if any(sizes):
            name_of = np.repeat(np.arange(len(sizes)), sizes)
            forecast, happened = map(np.concatenate, zip(*of_names, strict=True))
            forecasts = as_forecasts(forecast, happened, name_of, by_name(name_of))
            summaries[subject] = CalibrationSummary(
                len(forecast),
                forecasts.names,
                calibration_measures(forecasts),
                binned_reliability(forecasts),
            )
    return summaries


def calibration_data(of_system: Mapping[str, CalibrationSummary]) -> dict[str, Any]:
    """The figures of one system in JSON form (docs/output.md)."""
    return {
        subject: {
            "forecasts": summary.forecasts,
            "names": summary.names,
            **{
                measure: {
                    "value": None if isnan(each.value) else each.value,
                    "interval": None if isnan(each.low) else [each.low, each.high],
                }
                for measure, each in summary.measures.items()
            },
        }
        for subject, summary in of_system.items()
    }


def results_data(signature: str, systems: Mapping[str, Scores]) -> dict[str, Any]:
    """Scores of systems in JSON form (docs/output.md)."""
    return {
        "signature": signature,
        "systems": {system: scores_data(scores) for system, scores in systems.items()},
    }


Rows = list[list[str]]
"""Cells of a table; the first row is the heading."""


def calibration_rows(systems: Mapping[str, Mapping[str, CalibrationSummary]]) -> Rows:
    """A row for each system, with Brier score, ECE and slope of each subject."""
    headings = [heading for heading, _ in _CALIBRATION.values()]
    rows = [["calibration", *(cell for subject in SUBJECTS for cell in (subject, *headings))]]
    for system, of_system in systems.items():
        row = [system]
        for subject in SUBJECTS:
            summary = of_system.get(subject)
            row.append(f"{summary.forecasts:,}" if summary else "–")
            for measure, (_, decimals) in _CALIBRATION.items():
                value = summary.measures[measure].value if summary else np.nan
                row.append("–" if isnan(value) else f"{value:.{decimals}f}")
        rows.append(row)
    return rows


def system_rows(
    systems: Mapping[str, Scores],
    measures: Collection[str] = tuple(MEASURES),
    trials: Mapping[str, Trial] | None = None,
) -> Rows:
    """A row for each system: means of the measures, and the standard error of F0.5.

    Args:
        systems: scores of each system and baseline.
        measures: those wanted.
        trials: systems that learnt and answered, whose seconds follow in two more columns.
    """
    seconds = [] if trials is None else ["learning s", "answering s"]
    rows = [["system", *(MEASURES[key].heading for key in measures), "±F0.5", *seconds]]
    for system, scores in systems.items():
        means, error = mean_scores(scores), standard_errors(scores)[_COMPARED]
        row = [system, *(format_score(means[key]) for key in measures), format_score(error)]
        if trials is not None:
            trial = trials.get(system)
            row += [f"{trial.learning:.1f}", f"{trial.answering:.1f}"] if trial else ["–", "–"]
        rows.append(row)
    return rows


def size_rows(systems: Mapping[str, Scores], sizes: Mapping[str, int]) -> Rows:
    """A row for each system and size of mixed names, and for all other names.

    Sizes without an answer are left out: in every division their names stood on both sides.

    Args:
        systems: scores of each system.
        sizes: mixed name → its pages, by increasing size.
    """
    rows = [["names", "", "system", *(MEASURES[key].heading for key in MAIN), "±F0.5"]]
    for size in (None, *dict.fromkeys(sizes.values())):
        title = "not mixed" if size is None else f"mixed, {size:,} pages"
        for system, scores in systems.items():
            of_size = {name: scores[name] for name in scores if sizes.get(name) == size}
            if of_size:
                (cells,) = system_rows({system: of_size}, MAIN)[1:]
                rows.append([title, str(len(of_size)), *cells])
    return rows


def name_rows(systems: Mapping[str, Scores], system: str) -> Rows:
    """A row for each name: the system's B-Cubed, and F0.5 of the others beside it."""
    others = [other for other in systems if other != system]
    columns = [*((system, key) for key in MAIN), *((other, _COMPARED) for other in others)]
    headings = [*(MEASURES[key].heading for key in MAIN), *(f"F0.5 {other}" for other in others)]
    lines: dict[str, Scores] = {
        **{name: {each: systems[each][name] for each in systems} for name in systems[system]},
        "mean": {each: mean_scores(scores) for each, scores in systems.items()},
        "standard error": {each: standard_errors(scores) for each, scores in systems.items()},
    }
    rows = [
        [title, *(format_score(scores[each][key]) for each, key in columns)]
        for title, scores in lines.items()
    ]
    return [[system, *headings], *rows]


def difference_rows(differences: Mapping[str, estimate.Difference], first: str) -> Rows:
    """A row for each system: difference, interval, sign test, names better and worse."""
    rows = ([system, *estimate.difference_cells(each)] for system, each in differences.items())
    return [[f"compared with {first}", "ΔF0.5", *estimate.DIFFERENCE_HEADINGS], *rows]


_FURTHER_HEADINGS = {
    "±F0.5": "standard error of its mean over names",
    "learning s": "seconds of processor time to learn, all threads together",
    "answering s": "the same to answer, similarities not included",
    "ΔF0.5": "mean difference of F0.5, paired by name",
    "sign test p": "of the two-sided test over names",
    "Brier": "mean squared error of the forecasts",
    "ECE": "expected calibration error",
    "slope": "calibration slope: below 1 for forecasts that are too extreme",
}


def score_legend(tables: Iterable[Sequence[Sequence[str]]]) -> str:
    """The meaning of the headings of tables, in one sentence."""
    meanings = {each.heading: each.meaning for each in MEASURES.values()} | _FURTHER_HEADINGS
    headings = {heading for heading, *_ in tables for heading in heading}
    return "; ".join(f"{each}: {meanings[each]}" for each in meanings if each in headings)
