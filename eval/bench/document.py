"""A benchmark as a document: which system is better, on which names, and how sure each may be."""

from __future__ import annotations

from collections.abc import Iterator

from eval.bench.absent import absent_lines
from eval.bench.scoring import Scored
from eval.bench.setting import setting_of
from eval.bench.tables import hardest_rows, measured_rows, name_rows, what_rows
from eval.bench.trust import SUBJECTS
from eval.calibration.drawings import reliability_figure
from eval.calibration.tables import measures_table
from eval.document import Document, Section, Table
from eval.published import differing, standing_for, table_2
from eval.results import difference_rows

__all__ = ["document"]

_MEASURES = (
    "Means over names, F0.5 with its standard error: B-Cubed precision (BEP) and recall (BER), "
    "their F, and F of purity and inverse purity (PF0.5). Seconds of processor time, all threads "
    "together, to learn and to answer, similarities not included; baselines learn nothing."
)
_DIFFERENCES = (
    "Mean difference of F0.5, paired by name, with its 95 % interval, bootstrapped over names; "
    "p of the two-sided sign test over names."
)


def document(scored: Scored, made: str) -> Document:
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
            *(_trust(scored, subject) for subject in SUBJECTS),
            _names(scored),
        ],
        scored.results.signature,
        made,
    )


def _summary(scored: Scored) -> Iterator[str]:
    setting = setting_of(scored.outcome)
    yield (
        f"Answered for: {setting.answered_for}; at hand of the pages: {setting.pages}. Learnt "
        f"from: {setting.learnt_on}. No system has seen the names that it answers for: what it "
        "learns, where it stops and how it is calibrated comes from the other names alone."
    )
    if lines := list(absent_lines(scored.outcome.systems, scored.outcome.forms)):
        yield f"{'; '.join(line.strip() for line in lines)}."


def _systems(scored: Scored) -> Section:
    first = scored.systems[0]
    what = what_rows(scored)
    tables = [Table("systems", "How good they are", measured_rows(scored), _MEASURES)]
    if scored.differences:
        rows = difference_rows(scored.differences, first)
        tables.append(Table("differences", f"Compared with {first}", rows, _DIFFERENCES))
    tables.append(Table("configurations", "What they are", what, left=len(what[0]) - 2))
    return Section("The systems", tables=tables)


def _paper(scored: Scored) -> Iterator[Section]:
    """Beside what the paper reports, if a system stands for one of the paper's."""
    if ours := standing_for(scored.outcome.systems.configurations):
        rows = differing(setting_of(scored.outcome))
        yield Section(
            "Beside the paper",
            tables=(
                Table("table-2", "Published and measured here", table_2(scored.results, ours)),
                Table("what-differs", "What differs", rows, left=len(rows[0])),
            ),
        )


def _trust(scored: Scored, subject: str) -> Section:
    """How far the probabilities of one kind can be taken at their word."""
    found = {
        system: of_system[subject]
        for system, of_system in scored.trust.items()
        if subject in of_system
    }
    if not found:
        return Section(f"Probabilities of {subject}", ("The keys judge none of them.",))
    forecasts = next(iter(found.values())).forecasts
    told = (
        f"What is forecast {SUBJECTS[subject]}, and what came of it, for {forecasts:,} {subject} "
        "that the keys judge; every name counts the same."
    )
    title = f"Probability {SUBJECTS[subject]}"
    bins = {system: each.reliability for system, each in found.items()}
    figures = {system: each.measures for system, each in found.items()}
    return Section(
        f"Probabilities of {subject}",
        (told,),
        (reliability_figure(bins, title, f"reliability-of-{subject}"),),
        (measures_table(figures, f"calibration-of-{subject}"),),
    )


def _names(scored: Scored) -> Section:
    last = scored.systems[-1]
    return Section(
        "Name by name",
        tables=(
            Table("hardest", f"Hardest for {last}", hardest_rows(scored, last)),
            Table("names", "F0.5 of all systems", name_rows(scored)),
        ),
    )
