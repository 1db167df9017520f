"""The study of WePS corpora as a document: Table 1 and figures 1 to 7 of the paper, and more."""

from __future__ import annotations

from dataclasses import dataclass

from eval.document import Document, Section, Table
from eval.feature_study import drawings, paper, tables
from eval.feature_study.conclusions import Conclusion
from eval.feature_study.findings import Findings
from eval.feature_study.panels import PANELS
from eval.feature_study.rivals import Rivals
from eval.instances import Instances
from eval.judging.numerals import count, percent, share_between, signed_between
from eval.judging.rules import Verdict
from eval.judging.tables import claims_table
from eval.ordering import estimate
from weps.features import features

__all__ = ["CorpusStudy", "document"]

_LIMIT = 0.2
_SETS = ("all", "non-linguistic", "tokens")
_NAMES = "name"


@dataclass(frozen=True, slots=True, eq=False)
class CorpusStudy:
    """What was studied, and what was found."""

    corpora: dict[str, Instances]
    """Title → its pairs of pages."""
    findings: Findings
    rivals: Rivals
    verdicts: tuple[tuple[Conclusion, Verdict], ...]
    remarks: tuple[str, ...]
    """What the reader must know of how it was made: pages left out, features not studied."""
    signature: str
    made: str


def document(study: CorpusStudy) -> Document:
    """The study as a document."""
    return Document(
        "Which evidence tells people apart",
        [
            "The feature study of Artiles, Amigó and Gonzalo, The role of named entities in Web "
            "People Search (EMNLP 2009), on the pages at hand: every pair of pages of a name is an "
            "instance, coreferent or not, and features are judged by how they rank them.",
            *study.remarks,
        ],
        [
            _conclusions(study),
            _pairs(study),
            *_single(study),
            *_measures(study),
            *_redundancy(study),
            _together(study),
            _choice(study),
            _names(study),
        ],
        study.signature,
        study.made,
    )


def conclusions_table(study: CorpusStudy) -> Table:
    """Claim, verdict, figures, rule and source, one row each."""
    return claims_table(
        study.verdicts,
        "conclusions",
        "The paper's conclusions",
        "In brackets: 95 % interval, bootstrapped over names. Undecided: the interval leaves it "
        "open.",
    )


def _conclusions(study: CorpusStudy) -> Section:
    words = [verdict.word for _, verdict in study.verdicts]
    told = ", ".join(f"{word} {words.count(word)}" for word in dict.fromkeys(words))
    return Section(
        "What holds here",
        (f"Of the paper's conclusions {len(words)} are tested here: {told}.",),
        tables=(conclusions_table(study),),
    )


def _pairs(study: CorpusStudy) -> Section:
    heading = ["", "coreferent", "others", "pairs", "names"]
    ours = [tables.counts_row(title, pairs) for title, pairs in study.corpora.items()]
    if len(ours) > 1:
        ours.append(tables.counts_row("all", study.findings.studied))
    theirs = [[title, *map(count, counts), ""] for title, *counts in paper.TABLE_1]
    table = Table("table-1", "Pairs of pages", [heading, *ours, *theirs])
    return Section("The pairs", tables=(table,))


def _single(study: CorpusStudy) -> list[Section]:
    """Figures 1 to 4 and those like them, then the figures of all."""
    findings = study.findings
    sections = []
    for panel in PANELS:
        chosen = [
            str(each)
            for each in features()
            if str(each) in findings.rankings
            and (panel.holds(each) or str(each) == findings.plan.base)
        ]
        if len(chosen) > 1:
            figure = drawings.curves_figure(findings, panel.key, panel.title, chosen, panel.note)
            sections.append(Section(panel.section, figures=figure, quotes=panel.quotes))
    every = (tables.rankings_table(findings, _NAMES), tables.precision_table(findings))
    return [*sections, Section("Every feature by itself", tables=every)]


def _measures(study: CorpusStudy) -> list[Section]:
    rivals = study.rivals
    if not rivals.features:
        return []
    first, *others = rivals.measures
    rows = [
        [name, *(share_between(rivals.average_precision(name, each)) for each in rivals.measures)]
        for name in rivals.features
    ]
    means = [
        f"{first} − {other}, mean over features: {signed_between(rivals.ahead(first, other))}; "
        f"{first} is better for {rivals.wins(first, other)} of {len(rivals.features)}."
        for other in others
    ]
    table = Table("measures", "Average precision", [["", *rivals.measures], *rows])
    return [Section("Dice, cosine, overlap", means, tables=(table,), quotes=(paper.MEASURES,))]


def _redundancy(study: CorpusStudy) -> list[Section]:
    findings = study.findings
    if len(findings.rankings) < 2:
        return []
    headings = {str(each): each.family for each in features() if str(each) in findings.rankings}
    figures = drawings.redundancy_figure(
        findings, "figure-5", f"Redundancy with {findings.plan.base}", headings, _LIMIT
    )
    table = tables.redundancy_table(findings, _NAMES)
    told = f"{findings.plan.base} ranks {percent(findings.ranked_by_base())} of all pairs of pairs."
    return [Section("Redundancy", (told,), figures, (table,), (paper.REDUNDANCY,))]


def _together(study: CorpusStudy) -> Section:
    findings = study.findings
    figures = (
        *drawings.correlation_figure(findings, "figure-6", "MaxPWA and trees", _SETS),
        *drawings.pairs_figure(findings, "figure-7", "All, non-linguistic, tokens", _SETS),
    )
    told = (
        f"Over {len(findings.bounds)} combinations, MaxPWA and the PWA of trees correlate with "
        f"Pearson's r = {share_between(findings.pearson)}, "
        f"Spearman's ρ = {share_between(findings.spearman)}; over those whose MaxPWA is not below "
        f"that of {findings.plan.base}, with r = {share_between(findings.among_better)}."
    )
    return Section(
        "Features together",
        (told,),
        figures,
        (_sets_table(findings), tables.bounds_table(findings, _NAMES)),
        paper.BOUNDS,
    )


def _sets_table(findings: Findings) -> Table:
    """The combinations of figure 7, with the paper's accuracies."""
    seed = findings.plan.seed
    rows = [
        [
            name,
            share_between(estimate(found.max_pwa, seed=seed)),
            share_between(estimate(found.tree_pwa, seed=seed)),
            share_between(found.accuracy),
            paper.ACCURACY.get(name, ""),
        ]
        for name in _SETS
        if (found := findings.bound_of(name))
    ]
    counts = findings.tested.counts
    most = max(counts.positive, counts.negative) / counts.total
    heading = ["", "MaxPWA", "PWA of trees", "accuracy of trees", "accuracy in the paper"]
    return Table(
        "figure-7-figures",
        "The combinations of figure 7",
        [heading, *rows],
        "Accuracy: the share of pairs that the tree labels right. Labelling all pairs alike is "
        f"right for {percent(most)} of those here, for 50.4 % of the paper's WePS-2.",
    )


def _choice(study: CorpusStudy) -> Section:
    findings = study.findings
    return Section(
        "Which to choose",
        figures=drawings.additions_figure(findings, "greedy-search", "Greedy search by MaxPWA"),
        tables=(tables.additions_table(findings.search), tables.gains_table(findings.search)),
    )


def _names(study: CorpusStudy) -> Section:
    told = (
        "Only pairs of the same name are compared here, which one tree has judged in each division."
    )
    return Section("Name by name", (told,), tables=(tables.groups_table(study.findings, _NAMES),))
