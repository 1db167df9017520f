"""A benchmark as a document: tables shared with the terminal, protocol, and the paper's figures.

The paper's figures are those of EMNLP 2009, table 2. Features that pages lack are reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from math import isnan
from textwrap import wrap

from weps._formatting import count_of, format_interval, format_score
from weps.features.registry import all_features
from weps.page_forms import PageForm
from weps.systems import parse_configuration
from weps.training.examples import Example
from weps_eval.benchmark.corpus import FORM_TITLES
from weps_eval.benchmark.scoring import (
    SUBJECTS,
    Benchmark,
    Rows,
    difference_rows,
    system_rows,
)
from weps_eval.benchmark.trials import Systems
from weps_eval.clustering.scorers import mean_scores
from weps_eval.report.charts import draw_reliability
from weps_eval.report.document import Document, Section
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


_HARDEST = 10
"""Names in the table of the hardest ones."""
_MAIN = ("bcubed_f05", "bcubed_precision", "bcubed_recall")
_SHOWN = ("bcubed_precision", "bcubed_recall", "bcubed_f05", "bcubed_f02", "purity_f05")


_TABLE_2 = (
    ("ML-NON LING", 0.83, 0.91, 0.77),
    ("S-1", 0.82, 0.87, 0.79),
    ("ML-ALL", 0.81, 0.89, 0.76),
    ("S-2", 0.81, 0.85, 0.80),
    ("S-3", 0.81, 0.93, 0.73),
    ("S-4", 0.72, 0.82, 0.66),
    ("average of WePS-2 systems", 0.61, 0.74, 0.63),
)
"""System, then B-Cubed F, precision and recall, α = 0.5, means over the 30 names of WePS-2; S-1 to
S-4 are the four best participants."""
COUNTERPARTS = {
    "ML-NON LING": parse_configuration("paper"),
    "ML-ALL": parse_configuration("paper:features=all"),
}
"""System of the paper → the configuration that stands for it."""


_PAPER_PROTOCOL = {
    "answered for": "30 names of WePS-2, 110,187 pairs",
    "learnt on": "WePS-1, 183,727 pairs",
    "pages": "whole pages",
    "similarities": "69 in ML-ALL",
    "not used": "none",
}
"""Circumstances of the table (sections 3.1 and 4.1, table 1)."""


def paper_tables(benchmark: Benchmark) -> tuple[Rows, Rows] | None:
    """The paper's table 2 with ours beside it, and what differs between the circumstances.

    None if no system stands for one of the paper's.
    """
    ours = _paper_counterparts(benchmark.systems)
    if not ours:
        return None
    rows = [["EMNLP 2009, table 2", "F0.5", "Pre.", "Rec.", "here", "F0.5", "BEP", "BER"]]
    for theirs, *published in _TABLE_2:
        here = [""] * 4
        if system := ours.get(theirs):
            means = mean_scores(benchmark.scores[system])
            here = [system, *(format_score(means[measure]) for measure in _MAIN)]
        rows.append([theirs, *map(format_score, published), *here])
    differing = [
        [what, text, _PAPER_PROTOCOL[what]]
        for what, text in protocol_of(benchmark).items()
        if text != _PAPER_PROTOCOL[what]
    ]
    return rows, [["what differs", "here", "paper"], *differing]


def _paper_counterparts(systems: Systems) -> dict[str, str]:
    """System of the paper → ours that stands for it, the first if several do."""
    return {
        theirs: next(ours for ours, each in systems.configurations.items() if each == wanted)
        for theirs, wanted in COUNTERPARTS.items()
        if wanted in systems.configurations.values()
    }


def protocol_of(benchmark: Benchmark) -> dict[str, str]:
    """The circumstances of a benchmark in words, by what they are about."""
    systems, forms = benchmark.systems, benchmark.forms
    names, pairs = count_of(sum(forms.values()), "name"), judged_pairs(benchmark.examples.values())
    wanted = set(chain(*systems.wanted.values()))
    not_used = [
        f"{len(missing)} of {len(wanted)} similarities for {form}"
        for form in forms
        if (missing := set(chain(*systems.missing(form).values())))
    ]
    return {
        "answered for": f"{names} of {benchmark.corpus.title}, {pairs:,} pairs",
        "learnt on": benchmark.learnt_on,
        "pages": ", ".join(
            FORM_TITLES[form] + (f" ({count_of(names, 'name')})" if len(forms) > 1 else "")
            for form, names in forms.items()
        ),
        "similarities": ", ".join(
            f"{len(systems.wanted[ours])} in {theirs}"
            for theirs, ours in _paper_counterparts(systems).items()
        ),
        "not used": ", ".join(not_used) or "none",
    }


def judged_pairs(examples: Iterable[Example]) -> int:
    """Number of pairs of pages that both stand in the key, over all names."""
    return sum(int(each.judged()[0].sum()) for each in examples)


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
    "bins of about equally many forecasts, with 95 % intervals bootstrapped over names. At the "
    "foot: how the forecasts spread."
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


def build_document(benchmark: Benchmark, made: str) -> Document:
    """The benchmark as a document.

    Args:
        benchmark: what was found.
        made: the command line.
    """
    setting = protocol_of(benchmark)
    summary = [
        f"Answered for: {setting['answered for']}; available of the pages: {setting['pages']}. "
        f"Learnt from: {setting['learnt on']}. No system has seen the names that it answers for: "
        "what it learns, where it stops and how it is calibrated comes from the other names alone."
    ]
    if lines := list(missing_feature_lines(benchmark.systems, benchmark.forms)):
        summary.append(f"{'; '.join(line.strip() for line in lines)}.")
    sections = [Section("The systems", tables=list(_system_tables(benchmark)))]
    if beside := paper_tables(benchmark):
        tables = (
            Table.of_text("table-2", "Published and measured here", beside[0]),
            Table.of_text("what-differs", "What differs", beside[1], left=3),
        )
        sections.append(Section("Beside the paper", tables=tables))
    sections += [_calibration(benchmark, subject) for subject in SUBJECTS]
    sections.append(Section("Name by name", tables=list(_name_tables(benchmark))))
    title = f"Web people search on {benchmark.corpus.title}"
    return Document(title, summary, sections, benchmark.signature, made)


def _system_tables(benchmark: Benchmark) -> Iterator[Table]:
    """Scores, differences from the first, and configurations."""
    systems, first = benchmark.systems, next(iter(benchmark.trials))
    rows = system_rows(benchmark.scores, _SHOWN, benchmark.trials)
    yield Table.of_text("systems", "How good they are", rows, _MEASURES_NOTE)
    if benchmark.differences:
        rows = difference_rows(benchmark.differences, first)
        yield Table.of_text("differences", f"Compared with {first}", rows, _DIFFERENCES_NOTE)
    configurations = {system: each.as_data() for system, each in systems.configurations.items()}
    choices = list(dict.fromkeys(chain(*configurations.values())))
    rows = [["system", *choices, "similarities"]]
    for system, each in configurations.items():
        cells = (str(each.get(choice, "")) for choice in choices)
        rows.append([system, *cells, str(len(systems.wanted[system]))])
    yield Table.of_text("configurations", "What they are", rows, left=len(rows[0]) - 2)


def _calibration(benchmark: Benchmark, subject: str) -> Section:
    """Calibration of the probabilities of one kind."""
    summaries = {
        system: of_system[subject]
        for system, of_system in benchmark.calibration.items()
        if subject in of_system
    }
    if not summaries:
        return Section(f"Probabilities of {subject}", ("The keys judge none of them.",))
    forecasts = next(iter(summaries.values())).forecasts
    explanation = (
        f"What is forecast {SUBJECTS[subject]}, and what came of it, for {forecasts:,} {subject} "
        "that the keys judge; every name counts the same."
    )
    title = f"Probability {SUBJECTS[subject]}"
    bins = {system: each.reliability for system, each in summaries.items()}
    rows = [["", *summaries]]
    for measure, name in _CALIBRATION_MEASURES.items():
        rows.append(
            [name, *(_with_interval(each.measures[measure]) for each in summaries.values())]
        )
    table = Table.of_text(
        f"calibration-of-{subject}", "How good the probabilities are", rows, _CALIBRATION_NOTE
    )
    figure = draw_reliability(f"reliability-of-{subject}", title, bins, _DIAGRAM_NOTE)
    return Section(f"Probabilities of {subject}", (explanation,), (figure,), (table,))


def _with_interval(figure: Estimate) -> str:
    """The figure and its interval, a dash for either if it is not known."""
    known = not isnan(figure.value) and isnan(figure.low)
    return format_interval(figure) + (" (–)" if known else "")


def _name_tables(benchmark: Benchmark) -> Iterator[Table]:
    """The names with the lowest F0.5 of the last system, and the F0.5 of every system."""
    system, examples = list(benchmark.trials)[-1], benchmark.examples
    scores, answers = benchmark.scores[system], benchmark.trials[system].answers
    rows = [["name", "pages", "people in the key", "people in the answer", "F0.5", "BEP", "BER"]]
    for name in sorted(scores, key=lambda name: (scores[name]["bcubed_f05"], name))[:_HARDEST]:
        example, answer = examples[name], answers[name].clustering
        sizes = (len(example.ranks), len(example.key.groups), len(answer.groups))
        figures = (format_score(scores[name][measure]) for measure in _MAIN)
        rows.append([name, *map(str, sizes), *figures])
    yield Table.of_text("hardest", f"Hardest for {system}", rows)
    rows = [["name", "pages", *benchmark.scores]]
    for name in benchmark.corpus.names:
        figures = (format_score(each[name]["bcubed_f05"]) for each in benchmark.scores.values())
        rows.append([name, str(len(examples[name].ranks)), *figures])
    yield Table.of_text("names", "F0.5 of all systems", rows)
