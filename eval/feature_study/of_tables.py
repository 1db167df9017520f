"""The study of anyone's table of measures as a document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eval.document import Document, Section, Table
from eval.feature_study import drawings, tables
from eval.feature_study.findings import Findings
from eval.judging.numerals import percent, share_between

__all__ = ["TableStudy", "document"]

_SHOWN = 8
"""Curves in one figure, beside the base."""
_GROUPS = "group"


@dataclass(frozen=True, slots=True, eq=False)
class TableStudy:
    """What was studied, and what was found."""

    title: str
    findings: Findings
    remarks: tuple[str, ...]
    signature: str
    made: str


def document(study: TableStudy) -> Document:
    """The study as a document."""
    return Document(
        f"Which measures tell the instances of {study.title} apart",
        [
            "Every measure is judged by how it ranks positive instances above negative ones "
            "(PWA, MaxPWA and redundancy: Artiles, Amigó and Gonzalo, EMNLP 2009, section 4).",
            *study.remarks,
        ],
        [
            _single(study.findings),
            _redundancy(study.findings),
            *_together(study.findings),
            *_groups(study.findings),
        ],
        study.signature,
        study.made,
    )


def _best(findings: Findings) -> list[str]:
    """The base, then the measures with the highest average precision."""
    ordered = sorted(
        findings.rankings.values(), key=lambda each: (-each.average_precision.value, each.measure)
    )
    others = [each.measure for each in ordered if each.measure != findings.plan.base]
    return [findings.plan.base, *others[:_SHOWN]]


def _single(findings: Findings) -> Section:
    heading = ["", "positive", "negative", "instances", "groups"]
    counted = Table("instances", "Instances", [heading, tables.counts_row("all", findings.studied)])
    figure = drawings.curves_figure(findings, "curves", "Precision and recall", _best(findings))
    every = (counted, tables.rankings_table(findings, _GROUPS), tables.precision_table(findings))
    return Section("Each measure by itself", figures=figure, tables=every)


def _redundancy(findings: Findings) -> Section:
    base, headings = findings.plan.base, dict.fromkeys(findings.rankings, "")
    if len(headings) < 2:
        return Section("Redundancy", ("There is one measure only.",))
    figure = drawings.redundancy_figure(
        findings, "redundancy-bars", f"Redundancy with {base}", headings, None
    )
    told = f"{base} ranks {percent(findings.ranked_by_base())} of all pairs of instances."
    table = tables.redundancy_table(findings, _GROUPS)
    return Section("Redundancy", (told,), figure, (table,))


def _together(findings: Findings) -> Sequence[Section]:
    told = (
        f"Over {len(findings.bounds)} combinations, MaxPWA and the PWA of decision trees, "
        f"cross-validated, correlate with Pearson's r = {share_between(findings.pearson)}, "
        f"Spearman's ρ = {share_between(findings.spearman)}; over those whose MaxPWA is not below "
        f"that of {findings.plan.base}, with r = {share_between(findings.among_better)}."
    )
    scattered = drawings.correlation_figure(
        findings, "bound-and-trees", "MaxPWA and trees", ["all"]
    )
    steps = drawings.additions_figure(findings, "search-steps", "Greedy search by MaxPWA")
    search = (tables.additions_table(findings.search), tables.gains_table(findings.search))
    return [
        Section("Measures together", (told,), scattered, (tables.bounds_table(findings, _GROUPS),)),
        Section("Which to choose", figures=steps, tables=search),
    ]


def _groups(findings: Findings) -> list[Section]:
    if len(findings.tested.groups) < 2:
        return []
    told = (
        "Only instances of the same group are compared here, which one tree has judged in each "
        "division."
    )
    return [Section("Group by group", (told,), tables=(tables.groups_table(findings, _GROUPS),))]
