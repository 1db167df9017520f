"""Scores of several systems on the same names: table, summary, calibration and JSON."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.benchmark.compare_report import difference_data
from eval.benchmark.corpus import Corpus, count_forms
from eval.benchmark.trials import (
    Answers,
    Systems,
    Trial,
    correct_pages,
    score_answers,
    score_baselines,
)
from eval.calibration.forecasts import Forecasts, as_forecasts, by_name
from eval.calibration.reliability import Reliability, binned_reliability
from eval.calibration.scores import calibration_measures
from eval.clustering.scorers import mean_scores, scorer_for, standard_errors
from eval.stats.estimate import Estimate
from eval.stats.significance import (
    DIFFERENCE_HEADINGS,
    Difference,
    compare,
    difference_cells,
)
from weps._formatting import format_score
from weps.page_forms import PageForm
from weps.training.examples import Example, TrainingSettings

__all__ = [
    "SUBJECTS",
    "BenchmarkOutcome",
    "CalibrationSummary",
    "Results",
    "ScoredBenchmark",
    "calibration_data",
    "calibration_rows",
    "difference_rows",
    "differences_data",
    "judged_pairs",
    "name_rows",
    "results_data",
    "score_benchmark",
    "score_differences",
    "scored_data",
    "summarise_calibration",
    "system_rows",
]


@dataclass(frozen=True, slots=True, eq=False)
class BenchmarkOutcome:
    """The answers of several systems for the names of a corpus."""

    systems: Systems
    trials: Mapping[str, Trial]
    """System → its answers and what they cost."""
    corpus: Corpus
    examples: Mapping[str, Example]
    """Name → its pages in the form that they have, and its key."""
    how: str
    """What the systems learnt from, the seed excepted, for signatures: ``cv:5``."""
    learnt_on: str
    """The same in words."""
    settings: TrainingSettings
    language: str = ""
    """Version of the language pipeline, empty if no system needs one."""

    @property
    def forms(self) -> dict[PageForm, int]:
        """Form → how many names have pages of it, richest first."""
        return count_forms(self.corpus.forms.values())


def judged_pairs(examples: Iterable[Example]) -> int:
    """Pairs of pages that both stand in the key, over all names."""
    return sum(int(each.judged()[0].sum()) for each in examples)


SUBJECTS = {
    "pairs": "that two pages are about one person",
    "pages": "that a page stands with the right pages",
}
"""What is forecast of what."""
_SHOWN_SCORES = {"brier": ("Brier", 4), "ece": ("ECE", 4), "slope": ("slope", 2)}
"""Measures of the table, with heading and decimals."""
ForecastOutcomes = tuple[NDArray[np.float64], NDArray[np.bool_]]
"""Forecasts and what came of them, both of shape (forecasts,)."""


@dataclass(frozen=True, slots=True, eq=False)
class CalibrationSummary:
    """How good the forecasts of one system about one subject are; every name counts the same."""

    forecasts: int
    names: int
    measures: Mapping[str, Estimate]
    """See :func:`eval.calibration.scores`."""
    reliability: Reliability


def summarise_calibration(
    examples: Mapping[str, Example], answers: Answers
) -> dict[str, CalibrationSummary]:
    """Subject → scores of the forecasts of the answers; none where the keys have no page.

    Args:
        examples: by name, what is answered for.
        answers: of one system, for these names.
    """
    names = sorted(answers)
    forecasts_by_subject = {
        "pairs": [_of_pairs(examples[name], answers) for name in names],
        "pages": [_of_pages(examples[name], answers) for name in names],
    }
    return {
        subject: _summarise_forecasts(each)
        for subject, each in forecasts_by_subject.items()
        if any(len(forecast) for forecast, _ in each)
    }


def calibration_rows(systems: Mapping[str, Mapping[str, CalibrationSummary]]) -> list[list[str]]:
    """Heading, then one row for each system, with Brier score, ECE and slope of each subject."""
    headings = [heading for heading, _ in _SHOWN_SCORES.values()]
    heading = [cell for subject in SUBJECTS for cell in (subject, *headings)]
    return [
        ["calibration", *heading],
        *(
            [system, *(cell for subject in SUBJECTS for cell in _cells(of_system.get(subject)))]
            for system, of_system in systems.items()
        ),
    ]


def calibration_data(of_system: Mapping[str, CalibrationSummary]) -> dict[str, Any]:
    """The figures of one system in JSON form (docs/output.md)."""
    return {
        subject: {
            "forecasts": found.forecasts,
            "names": found.names,
            **{measure: _estimate_data(each) for measure, each in found.measures.items()},
        }
        for subject, found in of_system.items()
    }


def _of_pairs(example: Example, answers: Answers) -> ForecastOutcomes:
    judged, coreferent = example.judged()
    return answers[example.name].probability[judged], coreferent[judged]


def _of_pages(example: Example, answers: Answers) -> ForecastOutcomes:
    given = answers[example.name]
    judged, right = correct_pages(example, given.clustering)
    return given.page_confidence[judged], right[judged]


def _summarise_forecasts(by_example: Sequence[ForecastOutcomes]) -> CalibrationSummary:
    sizes = [len(forecast) for forecast, _ in by_example]
    name = np.repeat(np.arange(len(sizes)), sizes)
    forecast, happened = (np.concatenate(each) for each in zip(*by_example, strict=True))
    found: Forecasts = as_forecasts(forecast, happened, name, by_name(name))
    return CalibrationSummary(
        len(forecast), found.names, calibration_measures(found), binned_reliability(found)
    )


def _cells(found: CalibrationSummary | None) -> list[str]:
    if found is None:
        return ["–"] * (1 + len(_SHOWN_SCORES))
    figures = [
        "–" if isnan(value := found.measures[measure].value) else f"{value:.{decimals}f}"
        for measure, (_, decimals) in _SHOWN_SCORES.items()
    ]
    return [f"{found.forecasts:,}", *figures]


def _estimate_data(found: Estimate) -> dict[str, Any]:
    value, low, high = found
    return {
        "value": None if isnan(value) else value,
        "interval": None if isnan(low) else [low, high],
    }


_HEADINGS = {
    "bcubed_precision": "BEP",
    "bcubed_recall": "BER",
    "bcubed_f05": "F0.5",
    "bcubed_f02": "F0.2",
    "purity": "P",
    "inverse_purity": "IP",
    "purity_f05": "PF0.5",
    "purity_f02": "PF0.2",
    "rand": "Rand",
    "jaccard": "Jacc",
    "fowlkes_mallows": "FM",
}
"""Measures in the order of the tables, with their headings."""

_COMPARED_MEASURE = "bcubed_f05"
"""The measure that systems are compared by."""

Scores = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Results:
    """What was measured, and how."""

    signature: str
    systems: Mapping[str, Scores]
    """System → name → measure → value."""


def results_data(results: Results) -> dict[str, Any]:
    """The results in JSON form (docs/output.md)."""
    return {
        "signature": results.signature,
        "systems": {
            system: {
                "names": {name: dict(values) for name, values in scores.items()},
                "mean": mean_scores(scores),
                "standard_error": {
                    measure: value if len(scores) > 1 else None
                    for measure, value in standard_errors(scores).items()
                },
            }
            for system, scores in results.systems.items()
        },
    }


def system_rows(results: Results, measures: Collection[str] = tuple(_HEADINGS)) -> list[list[str]]:
    """Heading, then one row per system: means of the measures, and the standard error of F0.5."""
    rows = [
        [system, *(format_score(means[key]) for key in measures), _plus_minus(scores)]
        for system, scores in results.systems.items()
        for means in (mean_scores(scores),)
    ]
    return [["system", *(_HEADINGS[key] for key in measures), "±F0.5"], *rows]


def name_rows(results: Results, system: str) -> list[list[str]]:
    """Heading, then one row per name: the system's B-Cubed, and F0.5 of the others beside it."""
    scores = results.systems[system]
    others = [other for other in results.systems if other != system]
    measures = ("bcubed_precision", "bcubed_recall", "bcubed_f05")
    rows = [
        [
            name,
            *(format_score(values[key]) for key in measures),
            *_other_systems(results, others, name),
        ]
        for name, values in scores.items()
    ]
    means, errors = mean_scores(scores), standard_errors(scores)
    of_others = [results.systems[other] for other in others]
    rows += [
        [
            "mean",
            *(format_score(means[key]) for key in measures),
            *(format_score(mean_scores(other)["bcubed_f05"]) for other in of_others),
        ],
        [
            "standard error",
            *(format_score(errors[key]) for key in measures),
            *(format_score(standard_errors(other)["bcubed_f05"]) for other in of_others),
        ],
    ]
    heading = [
        system,
        *(_HEADINGS[key] for key in measures),
        *(f"F0.5 {other}" for other in others),
    ]
    return [heading, *rows]


def score_differences(results: Results, systems: Sequence[str]) -> dict[str, Difference]:
    """Each system but the first → how its F0.5 differs from that of the first, name by name."""
    names = sorted(results.systems[systems[0]])
    first, *others = (
        [results.systems[system][name][_COMPARED_MEASURE] for name in names] for system in systems
    )
    return {
        system: compare(first, other) for system, other in zip(systems[1:], others, strict=True)
    }


def difference_rows(found: Mapping[str, Difference], first: str) -> list[list[str]]:
    """Heading, then one row per system: difference, interval, sign test, names better and worse."""
    rows = ([system, *difference_cells(each)] for system, each in found.items())
    return [[f"compared with {first}", "ΔF0.5", *DIFFERENCE_HEADINGS], *rows]


def differences_data(found: Mapping[str, Difference], first: str) -> list[dict[str, Any]]:
    """The differences in JSON form (docs/output.md)."""
    return [
        {"first": first, "second": second, **difference_data(_COMPARED_MEASURE, each)}
        for second, each in found.items()
    ]


def _other_systems(results: Results, others: Sequence[str], name: str) -> list[str]:
    return [format_score(results.systems[other][name]["bcubed_f05"]) for other in others]


def _plus_minus(scores: Scores) -> str:
    return format_score(standard_errors(scores)["bcubed_f05"])


@dataclass(frozen=True, slots=True, eq=False)
class ScoredBenchmark:
    """An outcome and all figures about it."""

    outcome: BenchmarkOutcome
    results: Results
    """Of the systems and of the baselines."""
    differences: Mapping[str, Difference]
    """System → how its F0.5 differs from that of the first."""
    calibration: Mapping[str, Mapping[str, CalibrationSummary]]
    """System → subject → how good its forecasts are."""

    @property
    def systems(self) -> list[str]:
        """The systems under test; the first is what the others are compared with."""
        return list(self.outcome.systems.wanted)


def score_benchmark(outcome: BenchmarkOutcome, scorer: str | None = None) -> ScoredBenchmark:
    """Score the answers beside the baselines.

    Args:
        outcome: the answers.
        scorer: see :func:`eval.clustering.scorers.scorer_for`.
    """
    source, names = outcome.corpus.source, outcome.corpus.names
    scoring = scorer_for(source, scorer)
    answers = {system: trial.answers for system, trial in outcome.trials.items()}
    scores = {
        system: score_answers({name: given[name].clustering for name in names}, source, scoring)
        for system, given in answers.items()
    }
    signature = "|".join([scoring.signature(source, names), *_circumstances(outcome)])
    results = Results(signature, {**scores, **score_baselines(names, source, scoring)})
    return ScoredBenchmark(
        outcome,
        results,
        score_differences(results, list(answers)),
        {
            system: summarise_calibration(outcome.examples, given)
            for system, given in answers.items()
        },
    )


def scored_data(scored: ScoredBenchmark) -> dict[str, Any]:
    """The figures in JSON form, with what each system is and used (docs/output.md)."""
    outcome, data = scored.outcome, results_data(scored.results)
    systems = outcome.systems
    for system, configuration in systems.configurations.items():
        data["systems"][system] |= {
            "configuration": configuration.as_data(),
            "similarities": {
                str(form): list(map(str, systems.used(form)[system])) for form in outcome.forms
            },
            "absent": {
                str(form): list(map(str, systems.missing(form)[system])) for form in outcome.forms
            },
            "calibration": calibration_data(scored.calibration[system]),
        }
    forms = {name: str(form) for name, form in sorted(outcome.corpus.forms.items())}
    comparisons = differences_data(scored.differences, scored.systems[0])
    return {**data, "forms": forms, "comparisons": comparisons}


def _circumstances(outcome: BenchmarkOutcome) -> Iterator[str]:
    """The part of the signature that states how the systems came about."""
    yield outcome.how
    yield f"seed:{outcome.settings.seed}"
    if outcome.systems.common:
        yield "features:common"
    if outcome.language:
        yield f"language:{outcome.language}"
