"""The tables of the study."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from eval.document import Table
from eval.judging.numerals import count, percent, share, share_between, signed_between
from eval.judging.rules import Verdict
from eval.judging.tables import MARKS
from eval.key_term_study.conclusions import CONCLUSIONS, Conclusion
from eval.key_term_study.findings import LENGTH, LENGTHS, Findings
from eval.key_term_study.places import DISTANCES, PAIRS, at
from weps.key_terms import WEIGHTINGS

__all__ = [
    "Judged",
    "data_table",
    "distance_table",
    "overview_table",
    "pairs_table",
    "recall_table",
    "topics_table",
]

Judged = Sequence[tuple[Conclusion, Verdict]]
_MOST_TOPICS = 60
"""Of which a table tells one by one."""


def overview_table(judged: Sequence[tuple[str, Judged]]) -> Table:
    """Claims and verdicts, a column for each collection."""
    rows = [
        [claim.claim, *(verdicts[number][1].word for _, verdicts in judged)]
        for number, claim in enumerate(CONCLUSIONS)
    ]
    heading = ["the paper concludes", *(title for title, _ in judged)]
    return Table(
        "overview",
        "The paper's conclusions",
        [heading, *rows],
        "By 95 % intervals, bootstrapped over topics. Undecided: the interval leaves it open.",
        left=len(heading),
        marks=MARKS,
    )


def data_table(collections: Sequence[Findings]) -> Table:
    """What the topics are made of; the paper's own beside them."""
    rows = [
        [
            each.title,
            count(len(each.topics)),
            count(median(topic.documents for topic in each.topics)),
            count(median(topic.words for topic in each.topics)),
            count(median(topic.concepts for topic in each.topics)),
        ]
        for each in collections
    ]
    heading = ["", "topics", "documents", "distinct words", "key concepts"]
    theirs = ["the paper's (Spanish news)", "8", "100", "–", "at most 216"]
    return Table(
        "data",
        "The topics",
        [heading, *rows, theirs],
        "Documents, distinct content words and key concepts: of the middle topic. The paper: nine "
        "lists of up to 24 concepts for each topic.",
    )


def distance_table(findings: Findings, key: str) -> Table:
    """Figure 1 in figures."""
    places = [*map(at, DISTANCES), "any distance", "any word"]
    rows = [
        [
            place.replace("-", "−"),
            share_between(findings.probability(place)),
            signed_between(findings.ahead(place, "any distance")),
        ]
        for place in places
    ]
    heading = ["distance", "probability", "− any distance"]
    return Table(
        key,
        "Key concepts by distance from the verb",
        [heading, *rows],
        "Content words only, those of verbs and of clauses without a verb in the last row alone.",
    )


def pairs_table(findings: Findings, key: str) -> Table:
    """Figures 2 and 3 in figures."""
    rows = []
    for first, second in PAIRS.values():
        rows.append(
            [
                f"{first} against {second}",
                share_between(findings.probability(first)),
                share_between(findings.probability(second)),
                signed_between(findings.ahead(first, second)),
                findings.wins(first, second),
            ]
        )
    heading = ["", "the former", "the latter", "difference", "higher in topics"]
    return Table(
        key,
        "Subjects, heads and modifiers",
        [heading, *rows],
        "Last nouns: or names, the heads of English subjects; other words: all else in subjects.",
    )


def recall_table(findings: Findings, key: str) -> Table:
    """Recall and noise of every weighting."""
    heading = ["", *(f"R, {each} terms" for each in LENGTHS), f"noise, {LENGTH} terms"]
    rows = [
        [
            name,
            *(share_between(findings.recall(name, each)) for each in LENGTHS),
            f"{findings.noise(name).value:.1f}",
            signed_between(findings.recall_ahead(name, "tf")),
            count(findings.median_candidates(name)),
            percent(findings.considered(name).value),
        ]
        for name in findings.weightings
    ]
    heading += ["R − tf", "candidates", "of the words"]
    told = "; ".join(f"{each}: {WEIGHTINGS[each].description}" for each in findings.weightings)
    return Table(
        key,
        "Recall and noise of every weighting",
        [heading, *rows],
        f"R − tf with {LENGTH} terms. Candidates: of the middle topic; a shorter list is taken "
        f"whole. {told}.",
    )


def topics_table(findings: Findings, key: str) -> tuple[Table, ...]:
    """Figure 5 in figures: recall topic by topic; none if there are too many."""
    if len(findings.topics) > _MOST_TOPICS:
        return ()
    rows = [
        [
            topic.title,
            str(topic.documents),
            str(topic.concepts),
            *(share(topic.curves[name].recall_at(LENGTH)) for name in findings.weightings),
        ]
        for topic in findings.topics
    ]
    heading = ["", "documents", "concepts", *findings.weightings]
    return (Table(key, f"Recall with {LENGTH} terms, by topic", [heading, *rows]),)
