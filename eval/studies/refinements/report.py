"""The paper's tables with our figures beside the paper's, and two of our own.

The study as a document.

The study as JSON knows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from math import isnan
from typing import Any

from eval.report.claims import JudgedClaim, claims_table
from eval.report.document import Document, Section
from eval.report.tables import Table
from eval.studies.refinements import paper
from eval.studies.refinements.findings import Findings, RefinementMeans, best_attribute_share
from eval.studies.refinements.people import (
    AGGREGATES,
    ATTRIBUTE_LOOKUP,
    FURTHER_ATTRIBUTES,
    SIZES,
    SUGGESTED,
    UNREFINED_NAME,
    Person,
    RefinementOutcome,
    size_in_words,
)
from weps._formatting import format_interval, format_number
from weps.page_forms import PageForm

__all__ = [
    "Study",
    "best_attributes_table",
    "build_document",
    "conclusions_table",
    "hardest_table",
    "kinds_tables",
    "study_data",
    "together_tables",
    "typed_table",
]

_FIGURES = ["F", "precision", "recall", "cover"]
_HEADING = ["", *_FIGURES, *(f"{each}, paper" for each in _FIGURES)]
_TYPED = (UNREFINED_NAME, "best-ae", ATTRIBUTE_LOOKUP, SUGGESTED, "best-all")


def kinds_tables(findings: Findings) -> list[Table]:
    """Tables 1 to 3: every kind by itself, people by size."""
    return [
        _size_table(findings, size, number, [*_by_itself(size), *FURTHER_ATTRIBUTES])
        for number, size in enumerate(SIZES, start=1)
    ]


def together_tables(findings: Findings) -> list[Table]:
    """Tables 4 to 6: the best of several kinds."""
    return [
        _size_table(findings, size, number, AGGREGATES)
        for number, size in enumerate(SIZES, start=len(SIZES) + 1)
    ]


def best_attributes_table(findings: Findings) -> Table:
    """Table 7: which attribute gives the best one."""
    won = {size: findings.best_attributes(size) for size in SIZES}
    rows = [
        [
            kind,
            *(
                format_number(
                    100 * best_attribute_share(won[size], [kind], findings.names).value, 2
                )
                for size in SIZES
            ),
        ]
        + [f"{theirs:.2f}" for theirs in paper.BEST_ATTRIBUTE_SHARES[kind]]
        for kind in paper.BEST_ATTRIBUTE_SHARES
    ]
    ours = ", ".join(str(len(each)) for each in won.values())
    theirs = ", ".join(map(str, paper.BEST_ATTRIBUTE_COUNTS.values()))
    return Table.of_text(
        "table-7",
        "Table 7: attributes that give the best one, per cent of wins",
        [["", *SIZES, *(f"{size}, paper" for size in SIZES)], *rows],
        f"Where several tie, each of them wins: {ours} wins here, {theirs} in the paper, of which "
        "its percentages are whole numbers.",
    )


def typed_table(findings: Findings) -> Table:
    """What somebody could type, next to what is best."""
    rows = [
        [
            f"{kind}, {size_in_words(size)}",
            *_our_cells(findings, kind, size),
            _difference_to_best(findings, kind, size),
        ]
        for size in SIZES
        for kind in _TYPED
        if kind in findings.kinds
    ]
    return Table.of_text(
        "typed",
        "What somebody could type",
        [["", *_FIGURES, "F − best-all"], *rows],
        f"{UNREFINED_NAME}: no refinement, all pages are returned. {ATTRIBUTE_LOOKUP}: the values "
        "of the "
        "attributes annotated on the person's pages, on all pages whose text has them. "
        f"{SUGGESTED}: the word or name that weps shows for the person, on all pages that have it "
        "in text, title or snippet; there is none where it would do no better than the name alone. "
        "The last column compares people who have both; in brackets its 95 % interval, "
        "bootstrapped over names.",
    )


def hardest_table(findings: Findings, most: int = 40) -> Table:
    """People with several pages whose best refinement is worst."""
    several = (person for person in findings.people if person.size != SIZES[0])
    known = [(best.f, person) for person in several if (best := person.found["best-all"])]
    rows = [
        _person_row(person)
        for _, person in sorted(known, key=lambda each: (each[0], each[1].name, each[1].ranks))
    ]
    heading = ["name", "person", "pages", "F", "precision", "recall", "ties", "best refinement"]
    heading += ["best attribute", "its F", "suggested", "its F"]
    return Table.of_text(
        "hardest",
        "People with two pages or more, the hardest first",
        [heading, *rows[:most]],
        "Of several that are equally good one is told.",
        left=2,
    )


def _by_itself(size: str) -> Iterator[str]:
    """The kinds of Tables 1 to 3 in the paper's order."""
    return (kind for kind in paper.PUBLISHED_MEANS[size] if kind not in AGGREGATES)


def _size_table(findings: Findings, size: str, number: int, kinds: Iterable[str]) -> Table:
    rows = [[kind, *_our_cells(findings, kind, size), *_paper_cells(kind, size)] for kind in kinds]
    people = len(findings.by_size[size])
    return Table.of_text(
        f"table-{number}",
        f"Table {number}: people with {size_in_words(size)}",
        [_HEADING, *rows],
        f"{people} people here, {paper.PEOPLE[size]} in the paper{_annotated(findings, size)}.",
    )


def _annotated(findings: Findings, size: str) -> str:
    """How many of the people have names with annotated attributes, if not all."""
    studied = findings.refinement_means("best-ae", size).studied
    if studied in (0, len(findings.by_size[size])):
        return ""
    return f"; attributes were annotated for the names of {studied}"


def _our_cells(findings: Findings, kind: str, size: str) -> list[str]:
    found = findings.refinement_means(kind, size)
    return [
        format_number(each.value, 2)
        for each in (found.f, found.precision, found.recall, found.coverage)
    ]


def _paper_cells(kind: str, size: str) -> list[str]:
    found = paper.PUBLISHED_MEANS[size].get(kind)
    return [format_number(each, 2) for each in found] if found else [""] * len(_FIGURES)


def _difference_to_best(findings: Findings, kind: str, size: str) -> str:
    return (
        ""
        if kind == "best-all"
        else format_interval(findings.ahead(kind, "best-all", size), signed=True)
    )


def _person_row(person: Person) -> list[str]:
    best = person.found["best-all"]
    told = (
        [format_number(best.f, 2), format_number(best.precision, 2), format_number(best.recall, 2)]
        if best
        else [""] * 3
    )
    ties = sum(each.ties for kind in person.tied_for("best-all") if (each := person.found[kind]))
    return [
        person.name.replace("_", " "),
        person.label,
        str(len(person.ranks)),
        *told,
        str(ties),
        *_outcome_cells(best)[:1],
        *_outcome_cells(person.found.get("best-ae")),
        *_outcome_cells(person.found.get(SUGGESTED)),
    ]


def _outcome_cells(best: RefinementOutcome | None) -> list[str]:
    return [best.examples[0], format_number(best.f, 2)] if best else ["", ""]


_FORM_REMARKS = {
    PageForm.PAGES: (
        "whole pages; n-grams of words within a sentence, punctuation passed over, stop words "
        "inside, none at the ends",
        "by the English pipeline of weps; the name searched for and persons of one word left out",
    ),
    PageForm.TOKENS: (
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
    form: PageForm
    findings: Findings
    verdicts: Sequence[JudgedClaim]
    remarks: Sequence[str]
    """What the reader must know of how it was made."""
    signature: str
    made: str


def build_document(study: Study) -> Document:
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
            *_attribute_sections(findings),
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


def _attribute_sections(findings: Findings) -> Iterable[Section]:
    if "best-ae" in findings.kinds:
        yield Section("Which attribute is best", tables=(best_attributes_table(findings),))


def _data_table(study: Study) -> Table:
    findings = study.findings
    text, entities = _FORM_REMARKS[study.form]
    annotated = {person.name for person in findings.people if "best-ae" in person.found}
    people = [
        [f"people with {size_in_words(size)}", str(len(findings.by_size[size])), str(theirs)]
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
    return Table.of_text("data", "What differs", [["", "here", "in the paper"], *rows], left=3)


def study_data(study: Study) -> dict[str, Any]:
    """Signature, figures by size and kind, verdicts, and every person."""
    findings = study.findings
    return {
        "signature": study.signature,
        "made": study.made,
        "corpus": study.title,
        "form": str(study.form),
        "names": list(findings.names),
        "figures": {
            size: {
                kind: _row(findings.refinement_means(kind, size)) for kind in sorted(findings.kinds)
            }
            for size in SIZES
        },
        "conclusions": [
            {"claim": each.text, "verdict": verdict.word, "figures": verdict.figures}
            for each, verdict in study.verdicts
        ],
        "people": [
            {
                "name": person.name,
                "label": person.label,
                "ranks": list(person.ranks),
                "found": {kind: best and asdict(best) for kind, best in person.found.items()},
            }
            for person in findings.people
        ],
    }


def _row(found: RefinementMeans) -> dict[str, Any]:
    """The figures with their intervals; null for what is not known."""
    estimates = {part: getattr(found, part) for part in ("f", "precision", "recall", "coverage")}
    return {"studied": found.studied, "covered": found.covered} | {
        part: {name: _known(value) for name, value in each._asdict().items()}
        for part, each in estimates.items()
    }


def _known(value: float) -> float | None:
    return None if isnan(value) else value
