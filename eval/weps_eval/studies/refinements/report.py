"""Tables, sections and JSON of the study; the paper's own figures stand beside ours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any, NamedTuple

from weps.page_forms import PageForm
from weps_eval.report.claims import CLAIM_COLUMNS
from weps_eval.report.document import Document
from weps_eval.report.tables import (
    SIGNED_ESTIMATE,
    TEXT,
    TWO,
    Column,
    Kind,
    Table,
    as_json,
    by_name,
    row_records,
)
from weps_eval.studies.base import Result, or_blank, section_of
from weps_eval.studies.refinements import claims
from weps_eval.studies.refinements.findings import (
    AGGREGATES,
    ATTRIBUTE_LOOKUP,
    FURTHER_ATTRIBUTES,
    SIZES,
    SUGGESTED,
    UNREFINED_NAME,
    Findings,
    Person,
    RefinementMeans,
    size_in_words,
)

_TYPED = (UNREFINED_NAME, "best-ae", ATTRIBUTE_LOOKUP, SUGGESTED, "best-all")
_MOST = 40
"""People in the table of the hardest."""
_PLAIN = Kind(str)
_FORM_REMARKS = {
    PageForm.PAGES: (
        "whole pages; n-grams of words within a sentence, without punctuation and with stop words "
        "inside but not at the ends",
        "by the English pipeline of weps, without the name searched for and persons of one word",
    ),
    PageForm.TOKENS: (
        "lists of content words as lower-case lemmas, without the name; n-grams span dropped "
        "words, and continue into title, snippet and address at the end of the lists",
        "none, since lists of words do not show them",
    ),
}
"""What is available of the pages, and how entities are found."""


def tables(findings: Findings) -> Iterator[Table]:
    """What the terminal shows."""
    yield from _kinds_tables(findings)
    yield from _together_tables(findings)
    yield from _attributes_tables(findings)
    yield _typed_table(findings)


def document(result: Result[Findings]) -> Document:
    """The study as a document."""
    findings = result.findings
    sections: dict[str, Iterable[Table]] = {
        "The data": [_data_table(findings)],
        "Every single kind": _kinds_tables(findings),
        "The best of several kinds": _together_tables(findings),
        "Which attribute is best": _attributes_tables(findings),
        "What a user could type": [_typed_table(findings)],
        "Person by person": [_hardest_table(findings)],
    }
    return result.document(
        "Query refinements",
        [
            "Artiles, Gonzalo and Amigó, The impact of query refinement in the Web People Search "
            "task (ACL-IJCNLP 2009), on the available pages: for each person of the key, the best "
            "refinement of every kind. A candidate is on at least one of the person's pages; its "
            "result is the pages that contain it. The best one has the highest F0.5 or, if several "
            "have it, the highest recall. Figures are means over people.",
        ],
        (section_of(title, each, ()) for title, each in sections.items()),
        other_data=False,
    )


def data(result: Result[Findings]) -> dict[str, Any]:
    """Signature, figures by size and kind, verdicts, and every person."""
    findings = result.findings
    return {
        "signature": result.signature,
        "made": result.made,
        "corpus": result.title,
        "form": str(findings.form),
        "names": list(findings.names),
        "figures": {
            size: by_name(
                _MEANS, [_KindRow.of(findings, kind, size) for kind in sorted(findings.kinds)]
            )
            for size in SIZES
        },
        "conclusions": row_records(
            [each for each in CLAIM_COLUMNS if each.key != "source"], result.judged
        ),
        "people": as_json(
            [
                {
                    "name": person.name,
                    "label": person.label,
                    "ranks": person.ranks,
                    "found": {kind: best and asdict(best) for kind, best in person.found.items()},
                }
                for person in findings.people
            ]
        ),
    }


def _data_table(findings: Findings) -> Table:
    text, entities = _FORM_REMARKS[findings.form]
    annotated = {person.name for person in findings.people if "best-ae" in person.found}
    people = [
        [f"people with {size_in_words(size)}", str(len(findings.by_size[size])), str(theirs)]
        for size, theirs in claims.PEOPLE.items()
    ]
    rows = [
        ["names", f"{len(findings.names)} ({findings.corpus})", "30 (WePS-2)"],
        *people,
        ["people", str(len(findings.people)), str(sum(claims.PEOPLE.values()))],
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


class _KindRow(NamedTuple):
    kind: str
    size: str
    means: RefinementMeans
    published: claims.PublishedMeans | None
    """None of kinds that the paper leaves out."""

    @classmethod
    def of(cls, findings: Findings, kind: str, size: str) -> _KindRow:
        published = claims.PUBLISHED_MEANS[size].get(kind)
        return cls(kind, size, findings.refinement_means(kind, size), published)


_TWO_OR_BLANK = or_blank(TWO)
_MEANS: tuple[Column[_KindRow], ...] = (
    Column("", lambda row: row.kind),
    Column("", lambda row: row.means.studied, key="studied", only="json"),
    Column("", lambda row: row.means.covered, key="covered", only="json"),
    Column("F", lambda row: row.means.f, TWO, "f"),
    Column("precision", lambda row: row.means.precision, TWO, "precision"),
    Column("recall", lambda row: row.means.recall, TWO, "recall"),
    Column("cover", lambda row: row.means.coverage, TWO, "coverage"),
)


def _published(part: str, header: str) -> Column[_KindRow]:
    return Column(
        f"{header}, paper",
        lambda row: getattr(row.published, part) if row.published else "",
        _TWO_OR_BLANK,
    )


_SIZE_COLUMNS = (
    *_MEANS,
    _published("f", "F"),
    _published("precision", "precision"),
    _published("recall", "recall"),
    _published("coverage", "cover"),
)


def _kinds_tables(findings: Findings) -> list[Table]:
    """Tables 1 to 3, in the order of the paper."""
    kinds = [kind for kind in claims.PUBLISHED_MEANS[SIZES[0]] if kind not in AGGREGATES]
    every = (*kinds, *FURTHER_ATTRIBUTES)
    return [_size_table(findings, size, at, every) for at, size in enumerate(SIZES, start=1)]


def _together_tables(findings: Findings) -> list[Table]:
    """Tables 4 to 6."""
    return [_size_table(findings, size, at, AGGREGATES) for at, size in enumerate(SIZES, start=4)]


def _size_table(findings: Findings, size: str, number: int, kinds: Iterable[str]) -> Table:
    people = len(findings.by_size[size])
    studied = len(findings.covered("best-ae", size))
    annotated = ""
    if studied not in {0, people}:
        annotated = f"; attributes were annotated for the names of {studied}"
    return Table(
        f"table-{number}",
        f"Table {number}: people with {size_in_words(size)}",
        _SIZE_COLUMNS,
        [_KindRow.of(findings, kind, size) for kind in kinds],
        f"{people} people here, {claims.PEOPLE[size]} in the paper{annotated}.",
    )


def _attributes_tables(findings: Findings) -> Iterator[Table]:
    """Table 7: which attribute gives the best one; none if attributes were not studied."""

    def ours(size: str) -> Column[str]:
        return Column(size, lambda kind: 100 * findings.best_attribute_share(kind, size).value, TWO)

    shares = claims.BEST_ATTRIBUTE_SHARES

    def theirs(number: int, size: str) -> Column[str]:
        return Column(f"{size}, paper", lambda kind: shares[kind][number], TWO)

    if "best-ae" in findings.kinds:
        won = ", ".join(str(len(findings.best_attributes(size))) for size in SIZES)
        published = ", ".join(map(str, claims.BEST_ATTRIBUTE_COUNTS.values()))
        yield Table(
            "table-7",
            "Table 7: how often each attribute is the best one, per cent of wins",
            [Column("", str), *map(ours, SIZES), *map(theirs, range(len(SIZES)), SIZES)],
            list(claims.BEST_ATTRIBUTE_SHARES),
            f"Attributes that tie all win: {won} wins here, {published} in the paper, inferred "
            "from its percentages.",
        )


def _typed_table(findings: Findings) -> Table:
    columns: list[Column[_KindRow]] = [
        Column("", lambda row: f"{row.kind}, {size_in_words(row.size)}"),
        *_MEANS[1:],
        Column(
            "F − best-all",
            lambda row: (
                "" if row.kind == "best-all" else findings.ahead(row.kind, "best-all", row.size)
            ),
            or_blank(SIGNED_ESTIMATE),
        ),
    ]
    kinds = [kind for kind in _TYPED if kind in findings.kinds]
    return Table(
        "typed",
        "What a user could type",
        columns,
        [_KindRow.of(findings, kind, size) for size in SIZES for kind in kinds],
        f"{UNREFINED_NAME}: no refinement, all pages are returned. {ATTRIBUTE_LOOKUP}: the values "
        "of the attributes annotated on the person's pages, on all pages whose text has them. "
        f"{SUGGESTED}: the word or name that weps shows for the person, on all pages that have it "
        "in text, title or snippet; nothing is shown where it would do no better than the name. "
        "The last column compares people who have both; in brackets its 95 % interval, "
        "bootstrapped over names.",
    )


def _ties(person: Person) -> int:
    best = (person.found[kind] for kind in person.tied_for("best-all"))
    return sum(each.ties for each in best if each)


def _found(kind: str, part: str, header: str, kind_of_cell: Kind = _TWO_OR_BLANK) -> Column[Person]:
    """A figure of a person's best refinement of a kind, blank if there is none."""

    def value(person: Person) -> object:
        best = person.found.get(kind)
        return getattr(best, part) if best else ""

    return Column(header, value, kind_of_cell)


_FIRST_EXAMPLE = Kind(lambda examples: examples[0] if examples else "")


_PERSON_COLUMNS: tuple[Column[Person], ...] = (
    Column("name", lambda person: person.name.replace("_", " ")),
    Column("person", lambda person: person.label, TEXT),
    Column("pages", lambda person: len(person.ranks), _PLAIN),
    _found("best-all", "f", "F"),
    _found("best-all", "precision", "precision"),
    _found("best-all", "recall", "recall"),
    Column("ties", _ties, _PLAIN),
    _found("best-all", "examples", "best refinement", _FIRST_EXAMPLE),
    _found("best-ae", "examples", "best attribute", _FIRST_EXAMPLE),
    _found("best-ae", "f", "its F"),
    _found(SUGGESTED, "examples", "suggested", _FIRST_EXAMPLE),
    _found(SUGGESTED, "f", "its F"),
)


def _hardest_table(findings: Findings) -> Table:
    several = (person for person in findings.people if person.size != SIZES[0])
    known = [(best.f, person) for person in several if (best := person.found["best-all"])]
    known.sort(key=lambda each: (each[0], each[1].name, each[1].ranks))
    return Table(
        "hardest",
        "People with two pages or more, the hardest first",
        _PERSON_COLUMNS,
        [person for _, person in known[:_MOST]],
        "If several are equally good, one is shown.",
    )
