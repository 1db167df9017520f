"""A benchmark: systems answer for names that they have not seen, and are scored and compared.

Systems under test train on the same names and answer for the same others. Similarities are computed
once, for the union of the systems; each system uses its columns, and features that pages lack are
reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isnan
from textwrap import wrap
from time import process_time
from typing import Any

import numpy as np

from weps._formatting import count_of, format_interval, format_score
from weps._parallel import Progress, log_progress, partial_progress
from weps.clustering.confidence import correctly_placed, people_in
from weps.features.registry import all_features
from weps.reading import PageForm, available_similarities
from weps.records import Clustering
from weps.similarity.columns import Similarity
from weps.sources.base import Source
from weps.systems import Configuration, parse_configuration, similarities_of
from weps.training import (
    Example,
    ExampleAnswer,
    TrainingSettings,
    answer_example,
    examples_without,
    train,
)
from weps_eval import stats
from weps_eval.benchmark.comparison import (
    COMPARED,
    Comparison,
    compare_systems,
    comparison_sections,
    names_section,
    results_data,
    size_rows,
    systems_section,
)
from weps_eval.benchmark.corpus import FORM_TITLES, Corpus, count_forms
from weps_eval.calibration.scores import (
    as_forecasts,
    binned_reliability,
    calibration_measures,
)
from weps_eval.clustering.measures import (
    BASELINES,
    MEASURES,
    Scorer,
    Scores,
    bcubed_f05,
    one_in_one,
    scorer_for,
)
from weps_eval.report import charts, document, tables

Columns = tuple[Similarity, ...]
Answers = Mapping[str, ExampleAnswer]
"""Name → answer."""


def _judge_answer(
    example: Example, answer: Clustering
) -> dict[str, tuple[stats.Flags, stats.Flags]]:
    """What the key can judge of an answer, and what of that is right.

    Returns:
        Subject of forecasts → two arrays. ``pairs``, of shape (pairs,): pairs of pages of the key,
        and those about one person. ``pages``, (pages,): pages of the key, and those that stand with
        the right ones, see :func:`weps.clustering.confidence.correctly_placed`. ``people``,
        (groups,): groups with several pages of the key, and those about one person.
    """
    member = example.members().astype(np.int32)
    shared, judged = member @ member.T > 0, np.asarray(member.any(axis=1))
    row = {rank: number for number, rank in enumerate(example.ranks)}
    clusters = [sorted(row[rank] for rank in group) for group in answer.groups]
    counts = [people_in(rows, shared, judged) for rows in clusters]
    pages, people = np.array(counts).reshape(-1, 2).T
    return {
        "pairs": example.judged(),
        "pages": (judged, correctly_placed(clusters, shared, judged)),
        "people": (pages > 1, people < 1 + 1e-9),
    }


def _answer_without_evidence(
    training: Sequence[Example], test: Sequence[Example]
) -> dict[str, ExampleAnswer]:
    """Name of a test example → every page by itself, forecast as often right as in training."""
    outcomes = [_judge_answer(each, one_in_one(each.ranks)) for each in training]
    # Shares of what happened, as if it had once more and once more not.
    pairs, pages = (
        float(
            np.concatenate([[True, False], *(right[judged] for judged, right in judgements)]).mean()
        )
        for judgements in ([each[subject] for each in outcomes] for subject in ("pairs", "pages"))
    )
    return {
        each.name: ExampleAnswer(
            one_in_one(each.ranks),
            np.full(len(each.values), pairs),
            np.full(len(each.ranks), pages),
            np.ones(len(each.ranks)),
        )
        for each in test
    }


@dataclass(frozen=True, slots=True)
class Trial:
    """The answers of a system for names that it has not seen, and what they cost."""

    answers: Answers
    learning: float
    """Seconds of processor time, those of all threads together."""
    answering: float
    """Seconds of processor time without that of similarities."""

    @classmethod
    def joined(cls, trials: Sequence[Trial]) -> Trial:
        """All answers and all costs."""
        return cls(
            {name: given for each in trials for name, given in each.answers.items()},
            sum(each.learning for each in trials),
            sum(each.answering for each in trials),
        )


def evaluate_parts(  # noqa: PLR0913, PLR0917 - the names, the system, and who is told
    examples: Sequence[Example],
    similarities: Sequence[Similarity],
    parts: Sequence[Sequence[int]],
    configuration: Configuration,
    settings: TrainingSettings,
    progress: Progress = log_progress,
) -> Trial:
    """The answers of a system for each part, trained on the other parts only.

    Training divides the other parts again, to choose the stopping rule and to calibrate (nested
    cross-validation).
    """
    trials = []
    for number, held_out in enumerate(parts):
        rest, unseen = examples_without(examples, held_out), [examples[i] for i in held_out]
        fold = partial_progress(progress, f"fold {number + 1} of {len(parts)}", number, len(parts))
        trials.append(evaluate_transfer(rest, unseen, similarities, configuration, settings, fold))
    return Trial.joined(trials)


def evaluate_transfer(  # noqa: PLR0913, PLR0917 - the names, the system, and who is told
    training: Sequence[Example],
    test: Sequence[Example],
    similarities: Sequence[Similarity],
    configuration: Configuration,
    settings: TrainingSettings,
    progress: Progress = log_progress,
) -> Trial:
    """Answers of a system for the test examples, learnt from the training examples.

    Without a single similarity there is no reason to put pages together, and none are.
    """
    started = process_time()
    if not similarities:
        return Trial(_answer_without_evidence(training, test), process_time() - started, 0.0)
    model = train(training, bcubed_f05, configuration, similarities, settings, progress)
    learnt = process_time()
    answers = {each.name: answer_example(each, model) for each in test}
    return Trial(answers, learnt - started, process_time() - learnt)


def examples_of_form(
    examples: Mapping[str, Mapping[PageForm, Example]], form: PageForm, columns: Columns
) -> list[Example]:
    """The examples of the names that have the form, with these similarities."""
    return [each[form].with_similarities(columns) for each in examples.values() if form in each]


@dataclass(frozen=True, slots=True)
class Systems:
    """Configurations to compare on the same pages."""

    configurations: Mapping[str, Configuration]
    """System as written → how it learns and answers."""

    @classmethod
    def parse(cls, texts: Sequence[str]) -> Systems:
        """The systems that are written so, see :func:`weps.systems.parse_configuration`.

        Raises:
            FeatureError: if one cannot be read.
        """
        return cls({text: parse_configuration(text) for text in texts})

    @property
    def wanted(self) -> dict[str, Columns]:
        """System → the similarities that it asks for, for pages of any form."""
        return {
            name: similarities_of("+".join(each.for_form(form).features for form in PageForm))
            for name, each in self.configurations.items()
        }

    @property
    def union(self) -> Columns:
        """The similarities of all systems."""
        features = (
            each.for_form(form).features
            for each in self.configurations.values()
            for form in PageForm
        )
        return similarities_of("+".join(features))

    def used(self, form: PageForm) -> dict[str, Columns]:
        """System → the similarities that it uses for pages of the form."""
        return {
            name: available_similarities(similarities_of(each.for_form(form).features), form)
            for name, each in self.configurations.items()
        }

    def missing(self, form: PageForm) -> dict[str, Columns]:
        """System → what it asks for and does without for pages of the form."""
        return {
            name: tuple(
                each
                for each in similarities_of(self.configurations[name].for_form(form).features)
                if each not in columns
            )
            for name, columns in self.used(form).items()
        }


SUBJECTS = {
    "pairs": "that two pages are about one person",
    "pages": "that a page stands with the right pages",
    "people": "that all pages of a person, of several, are about one person",
}
"""Subject of forecasts → what is forecast."""
_FORECASTS = {"pairs": "probability", "pages": "page_confidence", "people": "one_person"}
"""Subject of forecasts → attribute of an answer that has them."""
_WIDTH = 100


@dataclass(frozen=True, slots=True, eq=False)
class CalibrationSummary:
    """Calibration of the forecasts of one system about one subject; every name counts the same."""

    forecasts: int
    """Number of forecasts."""
    names: int
    """Number of names."""
    measures: Mapping[str, stats.Estimate]
    """See :func:`weps_eval.calibration.scores.calibration_measures`."""
    reliability: Sequence[tuple[float, stats.Estimate]]
    """See :func:`weps_eval.calibration.scores.binned_reliability`."""


def _summarise_calibration(
    examples: Mapping[str, Example], answers: Answers
) -> dict[str, CalibrationSummary]:
    """Subject → calibration of the answers' forecasts; none where the keys have no page."""
    names = sorted(answers)
    judgements = [_judge_answer(examples[name], answers[name].clustering) for name in names]
    summaries = {}
    for subject, attribute in _FORECASTS.items():
        judged, right = zip(*(each[subject] for each in judgements), strict=True)
        forecast = np.concatenate([getattr(answers[name], attribute) for name in names])
        counts = np.concatenate(judged)
        if counts.any():
            name_of = np.repeat(np.arange(len(names)), [each.sum() for each in judged])
            forecasts = as_forecasts(forecast[counts], np.concatenate(right)[counts], name_of)
            summaries[subject] = CalibrationSummary(
                len(name_of),
                forecasts.names,
                calibration_measures(forecasts),
                binned_reliability(forecasts),
            )
    return summaries


@dataclass(frozen=True, eq=False)
class Benchmark:
    """The answers of several systems for the names of a corpus, and all figures about them.

    Example:
        >>> found = weps_eval.cross_validate(["paper", "paper:link=average"], corpus, 2)
        >>> sorted(found.scores)
        ['all_in_one', 'combined', 'one_in_one', 'paper', 'paper:link=average']
    """

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
    tools: Mapping[str, str]
    """What pages were read with, as far as a system needs it, such as ``language`` → version."""

    @property
    def forms(self) -> dict[PageForm, int]:
        """Form → number of names that have pages of it, richest first."""
        return count_forms(self.corpus.forms.values())

    @property
    def signature(self) -> str:
        """Everything that decides the scores, in one line."""
        source = self.corpus.source
        scorer = scorer_for(source).signature(source, self.corpus.names)
        tools = map(":".join, self.tools.items())
        return "|".join([scorer, self.how, f"seed:{self.settings.seed}", *tools])

    @cached_property
    def scores(self) -> dict[str, Scores]:
        """System or baseline → name → measure → value."""
        source, names = self.corpus.source, self.corpus.names
        scorer = scorer_for(source)
        of_systems = {
            system: score_answers(
                {name: trial.answers[name].clustering for name in names}, source, scorer
            )
            for system, trial in self.trials.items()
        }
        return of_systems | score_baselines(names, source, scorer)

    @cached_property
    def comparisons(self) -> list[Comparison]:
        """Every two systems by F0.5, paired by name; none of a single system."""
        scores = {system: self.scores[system] for system in self.trials}
        return compare_systems(scores, [COMPARED]) if len(scores) > 1 else []

    @cached_property
    def calibration(self) -> dict[str, dict[str, CalibrationSummary]]:
        """System → subject → calibration of its forecasts."""
        return {
            system: _summarise_calibration(self.examples, trial.answers)
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
                "calibration": {
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
                    for subject, summary in self.calibration[system].items()
                },
            }
        return {
            **data,
            "forms": {name: str(form) for name, form in sorted(self.corpus.forms.items())},
            "comparisons": [each.as_data() for each in self.comparisons],
        }


def score_answers(
    answers: Mapping[str, Clustering | None],
    source: Source,
    scorer: Scorer,
    further: Sequence[str] = (),
) -> Scores:
    """Name → scores, for the names of a source that have a key.

    Args:
        answers: of each name.
        source: with the keys.
        scorer: the rules.
        further: measures of other fields to be computed, too.
    """
    measures = dict.fromkeys((*MEASURES, *further))
    return {
        name: scorer.scores(answer, key, source.ranks(name), measures)
        for name, answer in answers.items()
        if (key := source.key(name)) is not None
    }


def score_baselines(
    names: Sequence[str], source: Source, scorer: Scorer, further: Sequence[str] = ()
) -> dict[str, Scores]:
    """Baseline → name → scores, see :func:`score_answers`."""
    documents = {
        name: scorer.documents(key, source.ranks(name))
        for name in names
        if (key := source.key(name)) is not None
    }
    return {
        title: score_answers(
            {name: make(documents[name]) for name in documents}, source, scorer, further
        )
        for title, make in BASELINES.items()
    }


def missing_feature_lines(systems: Systems, forms: Mapping[PageForm, int]) -> Iterator[str]:
    """For each form, which features its pages do without, and which systems that leaves none.

    Args:
        systems: what was compared.
        forms: form → how many names have pages of it.
    """
    for form, names in forms.items():
        missing = {each.feature for columns in systems.missing(form).values() for each in columns}
        if missing:
            # No feature is broken over lines.
            listed = (str(each).replace(" ", "\0") for each in all_features() if each in missing)
            text = f"not used for {form} ({count_of(names, 'name')}): {', '.join(listed)}"
            for line in wrap(text, _WIDTH, subsequent_indent="  ", break_on_hyphens=False):
                yield line.replace("\0", " ")
        for name, columns in systems.used(form).items():
            if not columns:
                yield f"  {name} has nothing to compare {form} by"


_HARDEST = 10
"""Names in the table of the hardest ones."""


def judged_pairs(examples: Iterable[Example]) -> int:
    """Number of pairs of pages that both stand in the key, over all names."""
    return sum(int(each.judged()[0].sum()) for each in examples)


_DIAGRAM_NOTE = (
    "Reliability diagram (Murphy and Winkler 1977): where forecasts are calibrated, as much "
    "happens as is forecast; below that line they are too high. Points: bins of about equally many "
    "forecasts; shaded: 95 % intervals, bootstrapped over names."
)
_CALIBRATION_NOTE = (
    "Brier score and ECE: the lower the better; slope and intercept of calibrated forecasts are 1 "
    "and 0, and a slope below 1 is overconfident. In brackets: 95 % interval, bootstrapped over "
    "names."
)
_CALIBRATION_MEASURES = {
    "brier": "Brier score",
    "ece": "ECE, bins of equal count",
    "slope": "calibration slope",
    "intercept": "calibration intercept",
}
"""Measures in the order of the table of the document, with their names."""


def build_document(benchmark: Benchmark, made: str, *, drawn: bool = True) -> document.Document:
    """The benchmark as a document.

    Args:
        benchmark: what was found.
        made: the command line.
        drawn: whether with figures.
    """
    title, scores, forms = benchmark.corpus.title, benchmark.scores, benchmark.forms
    pairs = judged_pairs(benchmark.examples.values())
    available = (
        FORM_TITLES[form] + f" ({count_of(names, 'name')})" * (len(forms) > 1)
        for form, names in forms.items()
    )
    summary = [
        f"Answered for: {count_of(sum(forms.values()), 'name')} of {title}, {pairs:,} pairs; "
        f"available of the pages: {', '.join(available)}. Learnt from: {benchmark.learnt_on}. No "
        "system has seen the names that it answers for: what it learns, where it stops and how it "
        "is calibrated comes from the other names alone."
    ]
    if lines := list(missing_feature_lines(benchmark.systems, forms)):
        summary.append(f"{'; '.join(line.strip() for line in lines)}.")
    trials, sizes = benchmark.trials, benchmark.corpus.mixed_sizes
    seconds = {system: (each.learning, each.answering) for system, each in trials.items()}
    sections = [systems_section(scores, tuple(MEASURES), seconds, drawn=drawn)]
    if sizes:
        by_size = tables.Table.of_text(
            "sizes", "By number of pages", size_rows(scores, sizes), left=3
        )
        sections.append(document.Section("Mixed names", tables=(by_size,)))
    of_trials = {system: scores[system] for system in trials}
    sections += comparison_sections(of_trials, benchmark.comparisons) or [names_section(of_trials)]
    sections += [_calibration_section(benchmark, subject, drawn=drawn) for subject in SUBJECTS]
    last, examples = list(benchmark.trials)[-1], benchmark.examples
    of_last, answers = scores[last], benchmark.trials[last].answers
    hardest = [["name", "pages", "people in the key", "people in the answer", "F0.5", "BEP", "BER"]]
    for name in sorted(of_last, key=lambda name: (of_last[name][COMPARED], name))[:_HARDEST]:
        example, answer = examples[name], answers[name].clustering
        counts = (len(example.ranks), len(example.key.groups), len(answer.groups))
        measures = ("bcubed_f05", "bcubed_precision", "bcubed_recall")
        figures = (format_score(of_last[name][measure]) for measure in measures)
        hardest.append([name, *map(str, counts), *figures])
    by_name = tables.Table.of_text("hardest", f"Hardest for {last}", hardest)
    sections.append(document.Section("The hardest names", tables=(by_name,)))
    return document.Document(
        f"Web people search on {title}", summary, sections, benchmark.signature, made
    )


def _calibration_section(benchmark: Benchmark, subject: str, *, drawn: bool) -> document.Section:
    """Calibration of the probabilities of one kind."""
    heading = f"Probabilities of {subject}"
    summaries = {
        system: of_system[subject]
        for system, of_system in benchmark.calibration.items()
        if subject in of_system
    }
    if not summaries:
        return document.Section(heading, ("The keys judge none of them.",))
    forecasts = next(iter(summaries.values())).forecasts
    explanation = (
        f"What is forecast {SUBJECTS[subject]}, and what came of it, for {forecasts:,} {subject} "
        "that the keys judge; every name counts the same."
    )
    rows = [[subject, *summaries]]
    for measure, name in _CALIBRATION_MEASURES.items():
        rows.append([name])
        for value in (each.measures[measure] for each in summaries.values()):
            has_no_interval = isnan(value.low) and not isnan(value.value)
            rows[-1].append(format_interval(value) + " (–)" * has_no_interval)
    table = tables.Table.of_text(
        f"calibration-of-{subject}", "How good the probabilities are", rows, _CALIBRATION_NOTE
    )
    if not drawn:
        return document.Section(heading, (explanation,), tables=(table,))
    lines = [charts.Series("calibrated", np.arange(2.0), np.arange(2.0), reference=True)]
    told = []
    for system, summary in summaries.items():
        forecast = np.array([mean for mean, _ in summary.reliability])
        share, low, high = np.array([happened for _, happened in summary.reliability]).T
        lines.append(charts.Series(system, forecast, share, (low, high)))
        worst = np.abs(forecast - share).argmax()
        told.append(
            f"{system}: forecasts from {forecast[0]:.2f} to {forecast[-1]:.2f}, shares from "
            f"{share[0]:.2f} to {share[-1]:.2f}, farthest off at {forecast[worst]:.2f}, of which "
            f"{share[worst]:.2f} happened"
        )
    figure = charts.draw_trends(
        f"reliability-of-{subject}",
        f"Probability {SUBJECTS[subject]}",
        lines,
        ("forecast probability", "share that happened"),
        _DIAGRAM_NOTE,
        alt=f"Probability {SUBJECTS[subject]}. Against the forecast probability, in bins, the "
        f"share that happened: {'; '.join(told)}.",
    )
    return document.Section(heading, (explanation,), (figure,), (table,))
