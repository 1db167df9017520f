"""A benchmark as a document: tables shared with the terminal, protocol, and the paper's figures.

The paper's figures are those of EMNLP 2009, table 2. Features that pages lack are reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import chain
from math import isnan
from textwrap import wrap
from typing import NamedTuple

from weps._formatting import count_of, format_interval, format_score
from weps.features.registry import all_features
from weps.page_forms import PageForm
from weps.systems import Configuration, parse_configuration
from weps_eval.benchmark.corpus import FORM_TITLES
from weps_eval.benchmark.scoring import (
    SUBJECTS,
    BenchmarkOutcome,
    Results,
    ScoredBenchmark,
    difference_rows,
    judged_pairs,
    system_rows,
)
from weps_eval.benchmark.trials import Systems, Trial
from weps_eval.clustering.scorers import mean_scores
from weps_eval.report.document import Document, Figure, Section
from weps_eval.report.figures.canvas import has_matplotlib
from weps_eval.report.figures.reliability import plot_reliability
from weps_eval.report.tables import Table
from weps_eval.stats.estimate import Estimate

_WIDTH = 100


def missing_feature_lines(systems: Systems, forms: Mapping[PageForm, int]) -> Iterator[str]:
    """For each form, which features its pages do without, and which systems that makes equal.

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
            lines = wrap(text, _WIDTH, subsequent_indent="  ", break_on_hyphens=False)
            yield from (line.replace("\0", " ") for line in lines)
        used = systems.used(form)
        yield from (f"  {name} has nothing to compare {form} by" for name in used if not used[name])
        for group in systems.groups(form):
            if len(group) > 1 and (columns := used[group[0]]):
                yield f"  {' = '.join(group)} for {form}: the same {len(columns)} similarities"


Rows = list[list[str]]
_HARDEST = 10
"""Names in the table of the hardest ones."""
_MAIN = ("bcubed_f05", "bcubed_precision", "bcubed_recall")
_SHOWN = ("bcubed_precision", "bcubed_recall", "bcubed_f05", "bcubed_f02", "purity_f05")


def with_cost(rows: Rows, trials: Mapping[str, Trial]) -> Rows:
    """Rows of systems with the seconds that these took; baselines take none."""
    costs = {
        system: [f"{trial.learning:.1f}", f"{trial.answering:.1f}"]
        for system, trial in trials.items()
    }
    heading, *others = rows
    return [
        [*heading, "learning s", "answering s"],
        *([*row, *costs.get(row[0], ["–", "–"])] for row in others),
    ]


def _configuration_rows(scored: ScoredBenchmark) -> Rows:
    systems = scored.outcome.systems
    chosen = {system: each.as_data() for system, each in systems.configurations.items()}
    choices = list(dict.fromkeys(chain(*chosen.values())))
    rows = [
        [
            system,
            *(str(each.get(choice, "")) for choice in choices),
            str(len(systems.wanted[system])),
        ]
        for system, each in chosen.items()
    ]
    return [["system", *choices, "similarities"], *rows]


def _name_rows(scored: ScoredBenchmark) -> Rows:
    """The F0.5 of every system on each name."""
    systems, examples = scored.results.systems, scored.outcome.examples
    rows = [
        [
            name,
            str(len(examples[name].ranks)),
            *(format_score(scores[name]["bcubed_f05"]) for scores in systems.values()),
        ]
        for name in scored.outcome.corpus.names
    ]
    return [["name", "pages", *systems], *rows]


def _hardest_rows(scored: ScoredBenchmark, system: str) -> Rows:
    """The names with the lowest F0.5 of a system, the hardest first."""
    scores, examples = scored.results.systems[system], scored.outcome.examples
    answers = scored.outcome.trials[system].answers
    rows = [["name", "pages", "people in the key", "people in the answer", "F0.5", "BEP", "BER"]]
    for name in sorted(scores, key=lambda name: (scores[name]["bcubed_f05"], name))[:_HARDEST]:
        example, answer = examples[name], answers[name].clustering
        sizes = (len(example.ranks), len(example.key.groups), len(answer.groups))
        figures = (format_score(scores[name][measure]) for measure in _MAIN)
        rows.append([name, *map(str, sizes), *figures])
    return rows


class PublishedResult(NamedTuple):
    """A line of the table: B-Cubed, α = 0.5, mean over the 30 names of WePS-2."""

    system: str
    f05: float
    precision: float
    recall: float


TABLE_2 = (
    PublishedResult("ML-NON LING", 0.83, 0.91, 0.77),
    PublishedResult("S-1", 0.82, 0.87, 0.79),
    PublishedResult("ML-ALL", 0.81, 0.89, 0.76),
    PublishedResult("S-2", 0.81, 0.85, 0.80),
    PublishedResult("S-3", 0.81, 0.93, 0.73),
    PublishedResult("S-4", 0.72, 0.82, 0.66),
    PublishedResult("average of WePS-2 systems", 0.61, 0.74, 0.63),
)
"""S-1 to S-4 are the four best participants of WePS-2."""
COUNTERPARTS = {
    "ML-NON LING": parse_configuration("paper"),
    "ML-ALL": parse_configuration("paper:features=all"),
}
"""System of the paper → the configuration that stands for it."""


@dataclass(frozen=True, slots=True)
class EvaluationProtocol:
    """Under which circumstances a table came about, in words."""

    answered_for: str
    learnt_on: str
    pages: str
    similarities: str
    not_used: str


PAPER_PROTOCOL = EvaluationProtocol(
    answered_for="30 names of WePS-2, 110,187 pairs",
    learnt_on="WePS-1, 183,727 pairs",
    pages="whole pages",
    similarities="69 in ML-ALL",
    not_used="none",
)
"""Sections 3.1 and 4.1, table 1."""


def paper_counterparts(systems: Mapping[str, Configuration]) -> dict[str, str]:
    """System of the paper → ours that stands for it, the first if several do."""
    return {
        theirs: next(ours for ours, each in systems.items() if each == wanted)
        for theirs, wanted in COUNTERPARTS.items()
        if wanted in systems.values()
    }


def table_2(results: Results, ours: Mapping[str, str]) -> Rows:
    """Heading and published lines, ours beside those that they stand for.

    Args:
        results: our figures.
        ours: see :func:`paper_counterparts`.
    """
    rows = [["EMNLP 2009, table 2", "F0.5", "Pre.", "Rec.", "here", "F0.5", "BEP", "BER"]]
    for theirs, *published in TABLE_2:
        here = [""] * 4
        if system := ours.get(theirs):
            means = mean_scores(results.systems[system])
            here = [system, *(format_score(means[measure]) for measure in _MAIN)]
        rows.append([theirs, *map(format_score, published), *here])
    return rows


def protocol_differences(protocol: EvaluationProtocol) -> Rows:
    """Heading, and what differs between our circumstances and the paper's, one row each."""
    theirs = asdict(PAPER_PROTOCOL)
    rows = [
        [what.replace("_", " "), ours, theirs[what]]
        for what, ours in asdict(protocol).items()
        if ours != theirs[what]
    ]
    return [["what differs", "here", "paper"], *rows]


def protocol_of(outcome: BenchmarkOutcome) -> EvaluationProtocol:
    """Whose names, learnt from what, compared by what."""
    systems, forms = outcome.systems, outcome.forms
    names, pairs = count_of(sum(forms.values()), "name"), judged_pairs(outcome.examples.values())
    wanted = set(chain(*systems.wanted.values()))
    return EvaluationProtocol(
        answered_for=f"{names} of {outcome.corpus.title}, {pairs:,} pairs",
        learnt_on=outcome.learnt_on,
        pages=", ".join(
            FORM_TITLES[form] + (f" ({count_of(names, 'name')})" if len(forms) > 1 else "")
            for form, names in forms.items()
        ),
        similarities=", ".join(
            f"{len(systems.wanted[ours])} in {theirs}"
            for theirs, ours in paper_counterparts(systems.configurations).items()
        ),
        not_used=", ".join(
            f"{len(missing)} of {len(wanted)} similarities for {form}"
            for form in forms
            if (missing := set(chain(*systems.missing(form).values())))
        )
        or "none",
    )


_MEASURES_NOTE = (
    "Means over names, F0.5 with its standard error: B-Cubed precision (BEP) and recall (BER), "
    "their F, and F of purity and inverse purity (PF0.5). Seconds of processor time, all threads "
    "together, to learn and to answer, similarities not included; baselines learn nothing."
)
_DIFFERENCES_NOTE = (
    "Mean difference of F0.5, paired by name, with its 95 % interval, bootstrapped over names; "
    "p of the two-sided sign test over names."
)
_DIAGRAM_NOTE = (
    "On the dashed line as much happens as is forecast; below it forecasts are too high. Marks: "
    "bins of about equally many forecasts, with 95 % intervals bootstrapped over names. Beneath: "
    "how the forecasts spread."
)
_CALIBRATION_NOTE = (
    "Brier score, log loss, ECE, MCE and reliability: the lower the better; resolution: the "
    "higher; slope and intercept of calibrated forecasts are 1 and 0, and a slope below 1 is "
    "overconfident. In brackets: 95 % interval, bootstrapped over names."
)
_CALIBRATION_MEASURES = {
    "brier": "Brier score",
    "log_loss": "log loss",
    "ece": "ECE, bins of equal count",
    "ece_equal_width": "ECE, bins of equal width",
    "mce": "MCE",
    "reliability": "reliability",
    "resolution": "resolution",
    "uncertainty": "uncertainty",
    "slope": "calibration slope",
    "intercept": "calibration intercept",
}
"""Measures in the order of the table, with their names."""


def build_document(scored: ScoredBenchmark, made: str) -> Document:
    """The benchmark as a document.

    Args:
        scored: what was found.
        made: the command line.
    """
    return Document(
        f"Web people search on {scored.outcome.corpus.title}",
        [*_summary(scored)],
        [
            _systems(scored),
            *_paper(scored),
            *(_calibration(scored, subject) for subject in SUBJECTS),
            _names(scored),
        ],
        scored.results.signature,
        made,
    )


def _summary(scored: ScoredBenchmark) -> Iterator[str]:
    setting = protocol_of(scored.outcome)
    yield (
        f"Answered for: {setting.answered_for}; available of the pages: {setting.pages}. Learnt "
        f"from: {setting.learnt_on}. No system has seen the names that it answers for: what it "
        "learns, where it stops and how it is calibrated comes from the other names alone."
    )
    if lines := list(missing_feature_lines(scored.outcome.systems, scored.outcome.forms)):
        yield f"{'; '.join(line.strip() for line in lines)}."


def _systems(scored: ScoredBenchmark) -> Section:
    first = scored.systems[0]
    what = _configuration_rows(scored)
    rows = with_cost(system_rows(scored.results, _SHOWN), scored.outcome.trials)
    tables = [Table.of_text("systems", "How good they are", rows, _MEASURES_NOTE)]
    if scored.differences:
        rows = difference_rows(scored.differences, first)
        tables.append(
            Table.of_text("differences", f"Compared with {first}", rows, _DIFFERENCES_NOTE)
        )
    tables.append(Table.of_text("configurations", "What they are", what, left=len(what[0]) - 2))
    return Section("The systems", tables=tables)


def _paper(scored: ScoredBenchmark) -> Iterator[Section]:
    """Beside what the paper reports, if a system stands for one of the paper's."""
    if ours := paper_counterparts(scored.outcome.systems.configurations):
        rows = protocol_differences(protocol_of(scored.outcome))
        yield Section(
            "Beside the paper",
            tables=(
                Table.of_text(
                    "table-2", "Published and measured here", table_2(scored.results, ours)
                ),
                Table.of_text("what-differs", "What differs", rows, left=len(rows[0])),
            ),
        )


def _calibration(scored: ScoredBenchmark, subject: str) -> Section:
    """How far the probabilities of one kind are calibrated."""
    found = {
        system: of_system[subject]
        for system, of_system in scored.calibration.items()
        if subject in of_system
    }
    if not found:
        return Section(f"Probabilities of {subject}", ("The keys judge none of them.",))
    forecasts = next(iter(found.values())).forecasts
    explanation = (
        f"What is forecast {SUBJECTS[subject]}, and what came of it, for {forecasts:,} {subject} "
        "that the keys judge; every name counts the same."
    )
    title = f"Probability {SUBJECTS[subject]}"
    bins = {system: each.reliability for system, each in found.items()}
    picture = plot_reliability(bins, title) if has_matplotlib() else None
    rows = [
        [name, *(_with_interval(each.measures[measure]) for each in found.values())]
        for measure, name in _CALIBRATION_MEASURES.items()
    ]
    return Section(
        f"Probabilities of {subject}",
        (explanation,),
        (Figure(f"reliability-of-{subject}", title, picture, _DIAGRAM_NOTE),),
        (
            Table.of_text(
                f"calibration-of-{subject}",
                "How good the probabilities are",
                [["", *found], *rows],
                _CALIBRATION_NOTE,
            ),
        ),
    )


def _with_interval(figure: Estimate) -> str:
    """The figure and its interval, a dash for either if it is not known."""
    known = not isnan(figure.value) and isnan(figure.low)
    return format_interval(figure) + (" (–)" if known else "")


def _names(scored: ScoredBenchmark) -> Section:
    last = scored.systems[-1]
    return Section(
        "Name by name",
        tables=(
            Table.of_text("hardest", f"Hardest for {last}", _hardest_rows(scored, last)),
            Table.of_text("names", "F0.5 of all systems", _name_rows(scored)),
        ),
    )
