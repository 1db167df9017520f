"""Scores of several systems on the same names: table, summary, calibration and JSON."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np

from weps._formatting import format_score
from weps.page_forms import PageForm
from weps.records import HtmlReader
from weps.training.examples import Example, TrainingSettings
from weps_eval.benchmark.corpus import Corpus, count_forms
from weps_eval.benchmark.trials import (
    Answers,
    Systems,
    Trial,
    correct_pages,
    pure_groups,
    score_answers,
    score_baselines,
)
from weps_eval.calibration.forecasts import as_forecasts, by_name
from weps_eval.calibration.reliability import Reliability, binned_reliability
from weps_eval.calibration.scores import calibration_measures
from weps_eval.clustering.measures import MEASURES
from weps_eval.clustering.scorers import Scores, mean_scores, scorer_for, standard_errors
from weps_eval.stats.arrays import Flags, Floats
from weps_eval.stats.estimate import Estimate
from weps_eval.stats.significance import (
    DIFFERENCE_HEADINGS,
    Difference,
    compare,
    difference_cells,
    difference_data,
)


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
    encoder: str = ""
    """Identity of the sentence encoder, empty if no system needs one."""
    html: HtmlReader = HtmlReader.FAST
    """How the pages were cleaned."""

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
    "people": "that all pages of a person, of several, are about one person",
}
"""What is forecast of what."""
_COMPARED = "bcubed_f05"
"""The measure that systems are compared by."""
_SHOWN_SCORES = {"brier": ("Brier", 4), "ece": ("ECE", 4), "slope": ("slope", 2)}
"""Measures of the table, with heading and decimals."""
_Outcomes = tuple[Floats, Flags]
"""Forecasts and what came of them, both of shape (forecasts,)."""


@dataclass(frozen=True, slots=True, eq=False)
class CalibrationSummary:
    """How good the forecasts of one system about one subject are; every name counts the same."""

    forecasts: int
    names: int
    measures: Mapping[str, Estimate]
    """See :func:`weps_eval.calibration.scores`."""
    reliability: Reliability


def summarise_calibration(
    examples: Mapping[str, Example], answers: Answers
) -> dict[str, CalibrationSummary]:
    """Subject → scores of the forecasts of the answers; none where the keys have no page.

    Args:
        examples: by name, what is answered for.
        answers: of one system, for these names.
    """
    pairs, pages, people = [], [], []
    for name in sorted(answers):
        example, given = examples[name], answers[name]
        judged, coreferent = example.judged()
        pairs.append((given.probability[judged], coreferent[judged]))
        judged, right = correct_pages(example, given.clustering)
        pages.append((given.page_confidence[judged], right[judged]))
        several, pure = pure_groups(example, given.clustering)
        people.append((given.one_person[several], pure[several]))
    return {
        subject: _summarise_forecasts(by_example)
        for subject, by_example in zip(SUBJECTS, (pairs, pages, people), strict=True)
        if any(len(forecast) for forecast, _ in by_example)
    }


def _summarise_forecasts(by_example: Sequence[_Outcomes]) -> CalibrationSummary:
    sizes = [len(forecast) for forecast, _ in by_example]
    name = np.repeat(np.arange(len(sizes)), sizes)
    forecast, happened = (np.concatenate(each) for each in zip(*by_example, strict=True))
    found = as_forecasts(forecast, happened, name, by_name(name))
    return CalibrationSummary(
        len(forecast), found.names, calibration_measures(found), binned_reliability(found)
    )


def calibration_rows(systems: Mapping[str, Mapping[str, CalibrationSummary]]) -> list[list[str]]:
    """Heading, then one row for each system, with Brier score, ECE and slope of each subject."""
    headings = [heading for heading, _ in _SHOWN_SCORES.values()]
    rows = [["calibration", *(cell for subject in SUBJECTS for cell in (subject, *headings))]]
    for system, found in systems.items():
        cells = (cell for subject in SUBJECTS for cell in _calibration_cells(found.get(subject)))
        rows.append([system, *cells])
    return rows


def _calibration_cells(found: CalibrationSummary | None) -> list[str]:
    if found is None:
        return ["–"] * (1 + len(_SHOWN_SCORES))
    figures = [
        "–" if isnan(value := found.measures[measure].value) else f"{value:.{decimals}f}"
        for measure, (_, decimals) in _SHOWN_SCORES.items()
    ]
    return [f"{found.forecasts:,}", *figures]


def calibration_data(of_system: Mapping[str, CalibrationSummary]) -> dict[str, Any]:
    """The figures of one system in JSON form (docs/output.md)."""
    return {
        subject: {
            "forecasts": found.forecasts,
            "names": found.names,
            **{
                measure: {
                    "value": None if isnan(each.value) else each.value,
                    "interval": None if isnan(each.low) else [each.low, each.high],
                }
                for measure, each in found.measures.items()
            },
        }
        for subject, found in of_system.items()
    }


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


def system_rows(results: Results, measures: Collection[str] = tuple(MEASURES)) -> list[list[str]]:
    """Heading, then one row per system: means of the measures, and the standard error of F0.5."""
    rows = [["system", *(MEASURES[key].heading for key in measures), "±F0.5"]]
    for system, scores in results.systems.items():
        means, error = mean_scores(scores), standard_errors(scores)["bcubed_f05"]
        rows.append([system, *(format_score(means[key]) for key in measures), format_score(error)])
    return rows


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


def legend(tables: Iterable[Sequence[Sequence[str]]]) -> str:
    """What the headings of tables stand for, in one sentence."""
    known = {each.heading: each.meaning for each in MEASURES.values()} | _FURTHER_HEADINGS
    headings = {heading for heading, *_ in tables for heading in heading}
    return "; ".join(f"{each}: {known[each]}" for each in known if each in headings)


_SIZE_MEASURES = ("bcubed_precision", "bcubed_recall", "bcubed_f05")


def size_rows(results: Results, corpus: Corpus) -> list[list[str]]:
    """Heading, then a row for each system and size of mixed names, and for all other names.

    Sizes without an answer are left out: in every division their names stood on both sides.
    """
    sizes = corpus.mixed_sizes
    rows = [["names", "", "system", *(MEASURES[key].heading for key in _SIZE_MEASURES), "±F0.5"]]
    for size in (None, *dict.fromkeys(sizes.values())):
        for system, scores in results.systems.items():
            chosen = {name: scores[name] for name in scores if sizes.get(name) == size}
            if not chosen:
                continue
            means, error = mean_scores(chosen), standard_errors(chosen)["bcubed_f05"]
            title = "not mixed" if size is None else f"mixed, {size:,} pages"
            cells = (format_score(means[key]) for key in _SIZE_MEASURES)
            rows.append([title, str(len(chosen)), system, *cells, format_score(error)])
    return rows


def name_rows(results: Results, system: str) -> list[list[str]]:
    """Heading, then one row per name: the system's B-Cubed, and F0.5 of the others beside it."""
    systems, main = results.systems, ("bcubed_precision", "bcubed_recall", "bcubed_f05")
    others = [other for other in systems if other != system]
    columns = [*((system, key) for key in main), *((other, "bcubed_f05") for other in others)]
    headings = [*(MEASURES[key].heading for key in main), *(f"F0.5 {other}" for other in others)]
    lines: dict[str, Scores] = {
        name: {each: of_names[name] for each, of_names in systems.items()}
        for name in systems[system]
    }
    means = {each: mean_scores(scores) for each, scores in systems.items()}
    errors = {each: standard_errors(scores) for each, scores in systems.items()}
    rows = [
        [title, *(format_score(scores[each][key]) for each, key in columns)]
        for title, scores in [*lines.items(), ("mean", means), ("standard error", errors)]
    ]
    return [[system, *headings], *rows]


def score_differences(results: Results, systems: Sequence[str]) -> dict[str, Difference]:
    """Each system but the first → how its F0.5 differs from that of the first, name by name."""
    names = sorted(results.systems[systems[0]])
    first, *others = (
        [results.systems[system][name][_COMPARED] for name in names] for system in systems
    )
    return {
        system: compare(first, other) for system, other in zip(systems[1:], others, strict=True)
    }


def difference_rows(found: Mapping[str, Difference], first: str) -> list[list[str]]:
    """Heading, then one row per system: difference, interval, sign test, names better and worse."""
    rows = ([system, *difference_cells(each)] for system, each in found.items())
    return [[f"compared with {first}", "ΔF0.5", *DIFFERENCE_HEADINGS], *rows]


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
        scorer: see :func:`weps_eval.clustering.scorers.scorer_for`.
    """
    source, names = outcome.corpus.source, outcome.corpus.names
    scoring = scorer_for(source, scorer)
    answers = {system: trial.answers for system, trial in outcome.trials.items()}
    scores = {
        system: score_answers({name: given[name].clustering for name in names}, source, scoring)
        for system, given in answers.items()
    }
    signature = [
        scoring.signature(source, names),
        outcome.how,
        f"seed:{outcome.settings.seed}",
        *(["features:common"] if outcome.systems.common else []),
        *([f"language:{outcome.language}"] if outcome.language else []),
        *([f"encoder:{outcome.encoder}"] if outcome.encoder else []),
        *([f"html:{outcome.html}"] if outcome.html is not HtmlReader.FAST else []),
    ]
    scores |= score_baselines(names, source, scoring)
    results = Results("|".join(signature), scores)
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
        used, absent = (
            {str(form): list(map(str, columns(form)[system])) for form in outcome.forms}
            for columns in (systems.used, systems.missing)
        )
        data["systems"][system] |= {
            "configuration": configuration.as_data(),
            "similarities": used,
            "absent": absent,
            "calibration": calibration_data(scored.calibration[system]),
        }
    first = scored.systems[0]
    return {
        **data,
        "forms": {name: str(form) for name, form in sorted(outcome.corpus.forms.items())},
        "comparisons": [
            {"first": first, "second": second, **difference_data(_COMPARED, each)}
            for second, each in scored.differences.items()
        ],
    }
