"""The study as a document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from eval.document import Document, Section, Table
from eval.judging.rules import Verdict
from eval.judging.tables import claims_table
from eval.refinement_study import paper
from eval.refinement_study.conclusions import Conclusion
from eval.refinement_study.findings import Findings
from eval.refinement_study.outcomes import in_pages
from eval.refinement_study.tables import (
    hardest_table,
    kinds_tables,
    together_tables,
    typed_table,
    wins_table,
)
from weps.forms import Form

__all__ = ["Study", "conclusions_table", "document"]

_TEXT = {
    Form.PAGES: (
        "whole pages; n-grams of words within a sentence, punctuation passed over, stop words "
        "inside, none at the ends",
        "by the English pipeline of weps; the name searched for and persons of one word left out",
    ),
    Form.TOKENS: (
        "lists of content words as lemmas in lower case, the name left out; n-grams run across "
        "what was dropped, and on into title, snippet and address, which end the lists",
        "none: lists of words do not show them",
    ),
}
"""What is at hand of the pages, and how entities are found."""


@dataclass(frozen=True)
class Study:
    """What was studied, and what was found."""

    title: str
    """Of the corpus."""
    form: Form
    findings: Findings
    verdicts: Sequence[tuple[Conclusion, Verdict]]
    remarks: Sequence[str]
    """What the reader must know of how it was made."""
    signature: str
    made: str


def document(study: Study) -> Document:
    """The study as a document."""
    findings = study.findings
    return Document(
        f"Query refinements on {study.title}",
        [
            "Artiles, Gonzalo and Amigó, The impact of query refinement in the Web People Search "
            "task (ACL-IJCNLP 2009), on the pages at hand: for each person of the key the best "
            "refinement of every kind. A candidate stands on at least one of the person's pages, "
            "its result is the pages that have it, the best one has the highest F0.5; of equal "
            "ones, that with the higher recall. Figures are means over people.",
            *study.remarks,
        ],
        [
            Section("What holds here", tables=(conclusions_table(study),)),
            Section("The data", tables=(_data_table(study),)),
            Section("Every kind by itself", tables=kinds_tables(findings)),
            Section("The best of several kinds", tables=together_tables(findings)),
            *_attributes(findings),
            Section("What somebody could type", tables=(typed_table(findings),)),
            Section("Person by person", tables=(hardest_table(findings),)),
        ],
        study.signature,
        study.made,
    )


def conclusions_table(study: Study) -> Table:
    """Claim, verdict, figures, rule and source, one row each."""
    return claims_table(
        study.verdicts,
        "conclusions",
        "The paper's conclusions",
        "In brackets: 95 % interval, bootstrapped over names. Undecided: the interval leaves it "
        "open.",
    )


def _attributes(findings: Findings) -> Iterable[Section]:
    if "best-ae" in findings.kinds:
        yield Section("Which attribute is best", tables=(wins_table(findings),))


def _data_table(study: Study) -> Table:
    findings = study.findings
    text, entities = _TEXT[study.form]
    annotated = {person.name for person in findings.people if "best-ae" in person.found}
    people = [
        [f"people with {in_pages(size)}", str(len(findings.by_size[size])), str(theirs)]
        for size, theirs in paper.PEOPLE.items()
    ]
    rows = [
        ["names", f"{len(findings.names)} ({study.title})", "30 (WePS-2)"],
        *people,
        ["people", str(len(findings.people)), str(sum(paper.PEOPLE.values()))],
        [
            "text",
            text,
            "pages as plain text; n-grams of two to five tokens without stop words at the ends",
        ],
        ["entities", entities, "by the Stanford recogniser"],
        [
            "attributes",
            f"annotated for {len(annotated)} of the names; values are equal if their words are",
            "annotated for all names",
        ],
    ]
    return Table("data", "What differs", [["", "here", "in the paper"], *rows], left=3)
