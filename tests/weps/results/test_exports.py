"""Results for other programs, each opened by a reader of its form."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import gedcom7
import networkx
import openpyxl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.cases import each_case
from tests.weps.answers import answer_of
from tests.weps.report.conftest import HOSTILE
from weps.errors import OutputError, ValuesError
from weps.people.answer import Answer, ContextEntity, PersonDescription, SetAsidePage
from weps.people.facts import ATTRIBUTES, Fact, FactSource
from weps.people.pages import Pile
from weps.records import RESULT_SUFFIXES, Collection, Provenance
from weps.report.safe_text import clean_text
from weps.report.view import Report
from weps.results import exports, files
from weps.results.exports import export_files
from weps.results.stored import ResultFile, read_file, result_file

KINDS = ("facts", "xlsx", "jsonld", "gedcom", "graphml", "brief")


def fact(attribute: str, value: str, *pages: int, certainty: float = 0.9, **more: Any) -> Fact:
    sources = tuple(FactSource(page, f"It says {value}.") for page in pages)
    return Fact(attribute, value, certainty, sources, pages, **more)


def told(*facts: Fact, **parts: object) -> ResultFile:
    """Two people of pages 1, 2 and 3; the first has the facts."""
    answer = answer_of({1, 2}, {3}, **parts)
    names = (ContextEntity("Trinity College", "organisation", (1, 2)),)
    about = PersonDescription(stated="Ann Example – logician", facts=facts, names=names)
    first, second = answer.people
    return written(replace(answer, people=(replace(first, description=about), second)))


def written(answer: Answer) -> ResultFile:
    return result_file(Report(answer, provenance=Provenance((Collection("../pages", "x"),))))


def export(file: ResultFile, kind: str, person: int | None = None) -> bytes:
    [content] = export_files(file, Path(), "x", [RESULT_SUFFIXES[kind]], person).values()
    return content


def sheets(file: ResultFile) -> dict[str, list[tuple[Any, ...]]]:
    book = openpyxl.load_workbook(io.BytesIO(export(file, "xlsx")))
    assert {cell.data_type for sheet in book for row in sheet for cell in row} <= set("sn")
    assert {sheet.freeze_panes for sheet in book} == {"A2"}
    return {sheet.title: [*sheet.values] for sheet in book}


def individuals(file: ResultFile) -> list[gedcom7.types.GedcomStructure]:
    records = gedcom7.loads(export(file, "gedcom").decode())
    assert gedcom7.validate(records) == []
    return [each for each in records if each.tag == "INDI"]


def lines_of(record: gedcom7.types.GedcomStructure) -> list[str]:
    """The structures of a record but its sources, as lines."""
    below = (
        line
        for each in record.children
        if each.tag not in {"SOUR", "QUAY"}
        for line in lines_of(each)
    )
    return [" ".join(filter(None, (record.tag, record.text))), *below]


def people_of(file: ResultFile) -> list[dict[str, Any]]:
    data = json.loads(export(file, "jsonld"))
    assert data["@context"] == "https://schema.org"
    return [node for node in data["@graph"] if node["@type"] == "Person"]


EVERY = tuple(
    fact(each, "1921" if each.startswith("date") else f"a {each}", 1, 2) for each in ATTRIBUTES
)


def test_facts_are_rows_and_columns_of_a_workbook():
    contradicted = {"certainty": 0.3, "contradicted": True}
    found = sheets(told(*EVERY, fact("date of birth", "1922", 2, **contradicted)))
    [head, ann, other] = found["people"]
    assert head[-len(ATTRIBUTES) :] == tuple(ATTRIBUTES)
    about = dict(zip(head, ann, strict=True))
    assert (about["pages"], about["date of birth"], about["e-mail"]) == (
        2,
        "1921; 1922",
        "a e-mail",
    )
    assert other[-1] is None
    assert [row[4] for row in found["pages"][1:]] == [1, 2, 3]
    head, *rows = found["facts"]
    assert head == tuple(files.FACT_COLUMNS)
    assert Counter(row[3] for row in rows) == {**dict.fromkeys(ATTRIBUTES, 1), "date of birth": 2}
    assert rows[-1][3:] == (
        *("date of birth", "1922", None, 0.3, 1),
        *("2", 2, "http://2.example", "It says 1922."),
    )
    text = export(told(*EVERY), "facts").decode()
    assert [row["attribute"] for row in csv.DictReader(io.StringIO(text))] == [*ATTRIBUTES]


def test_addresses_are_links_of_a_workbook():
    book = openpyxl.load_workbook(io.BytesIO(export(told(*EVERY), "xlsx")))
    links = [cell.hyperlink.target for cell in book["pages"]["I"] if cell.hyperlink]
    assert links == ["http://1.example", "http://2.example", "http://3.example"]


def test_a_person_of_linked_data_has_the_properties_of_schema_org():
    details = ("daughters", "Wife", "cousin")
    relatives = [fact("relative", each, 1, detail=each) for each in details]
    ann, other = people_of(told(*EVERY[:-1], *relatives, fact("web site", "ann.example", 1)))
    assert other.keys() == {"@type", "@id", "name", "subjectOf"}
    assert (ann["birthDate"], ann["birthPlace"]) == (
        ["1921"],
        [{"@type": "Place", "name": "a birth place"}],
    )
    assert (ann["children"][0]["name"], ann["spouse"][0]["name"]) == ("daughters", "Wife")
    assert [each["name"] for each in ann["relatedTo"]] == ["a relative", "cousin"]
    assert ann["@reverse"] == {"creator": [{"@type": "CreativeWork", "name": "a work"}]}
    assert ann["url"] == ["http://ann.example"]
    assert ann["subjectOf"] == [{"@id": "#page-1"}, {"@id": "#page-2"}]
    first = ann["additionalProperty"][0]
    assert first["subjectOf"][1] == {
        "@type": "Quotation",
        "text": "It says 1921.",
        "isPartOf": {"@id": "#page-2"},
    }
    assert [each["value"] for each in first["valueReference"]] == [0.9, False]
    assert len(ann["additionalProperty"]) == len(ATTRIBUTES) + 3


def test_every_fact_is_a_structure_of_gedcom_with_its_sources():
    ann, _ = individuals(told(*EVERY))
    tags = Counter(each.tag for each in ann.children)
    assert tags == {
        "NAME": 2,
        "BIRT": 1,
        "DEAT": 1,
        "NATI": 1,
        "OCCU": 1,
        "RESI": 5,
        "EDUC": 3,
        "FACT": 3,
        "ASSO": 2,
        "NOTE": 1,
        "SOUR": 2,
    }
    assert lines_of(ann)[:6] == [
        *("INDI", "NAME Ann Example", "NAME a other name", "TYPE AKA"),
        *("BIRT", "DATE 1921"),
    ]
    cited = next(each for each in ann.children if each.tag == "OCCU").children
    assert [each.tag for each in cited] == ["SOUR", "SOUR"]
    assert lines_of(cited[0])[1:] == ["PAGE http://1.example", "DATA", "TEXT It says a occupation."]


@each_case(
    ("value", "lines"),
    [
        ("1921-05-03", ["DATE 3 MAY 1921"]),
        ("1921-05", ["DATE MAY 1921"]),
        ("0921", ["DATE 921"]),
        ("about 1920", ["DATE", "PHRASE about 1920"]),
    ],
)
def test_dates_of_gedcom(value, lines):
    ann, _ = individuals(told(fact("date of death", value, 1)))
    assert lines_of(ann.children[1]) == ["DEAT", *lines]


@each_case(
    ("places", "births"),
    [
        ([(1,)], [["BIRT", "DATE 1921", "PLAC town 0"]]),
        ([(2,)], [["BIRT", "DATE 1921"], ["BIRT", "PLAC town 0"]]),
        ([(2,), (1, 2)], [["BIRT", "DATE 1921", "PLAC town 1"], ["BIRT", "PLAC town 0"]]),
    ],
)
def test_a_birth_has_the_place_that_a_page_of_its_date_states(places, births):
    towns = [fact("birth place", f"town {at}", *pages) for at, pages in enumerate(places)]
    ann, _ = individuals(told(*towns, fact("date of birth", "1921", 1)))
    assert [lines_of(each) for each in ann.children if each.tag == "BIRT"] == births


@each_case(("certainty", "quality"), [(0.3, "0"), (0.5, "1"), (0.8, "2"), (1.0, "2")])
def test_certainty_is_the_quality_of_evidence(certainty, quality):
    text = export(told(fact("occupation", "baker", 1, certainty=certainty)), "gedcom").decode()
    assert f"3 QUAY {quality}\n" in text


def test_what_two_people_share_is_one_node_of_a_network():
    file = told(*EVERY, fact("affiliation", "Trinity College", 1))
    shared = replace(file.people[1], facts=(fact("affiliation", "TRINITY COLLEGE", 3),))
    graph = networkx.read_graphml(
        io.BytesIO(export(replace(file, people=(file.people[0], shared)), "graphml"))
    )
    kinds = Counter(kind for _, kind in graph.nodes(data="kind"))
    assert kinds == {
        **dict.fromkeys(ATTRIBUTES, 1),
        "affiliation": 2,
        "person": 2,
        "page": 3,
        "named organisation": 1,
    }
    [node] = [
        each
        for each, about in graph.nodes(data=True)
        if (about["label"], about["kind"]) == ("Trinity College", "affiliation")
    ]
    assert sorted(graph[node]) == ["page-1", "page-3", "person-1", "person-2"]
    assert graph.edges["person-1", node] == {"relation": "affiliation", "weight": 0.9}
    assert graph.edges["person-2", "page-3"] == {"relation": "page", "weight": 0.9}


def test_a_brief_tells_people_with_sources():
    aside = SetAsidePage(9, "http://9.example", "Oak", Pile.OTHER_NAME, "Not the name.")
    file = told(
        fact("date of birth", "1921", 1, 2, contradicted=True),
        fact("relative", "Bo", 1, detail="son", certainty=0.555),
        set_aside=(aside,),
    )
    marked = replace(file.people[0], notes=("The elder",), tags=("chemist",), checked=True)
    text = export(replace(file, people=(marked, file.people[1])), "brief").decode()
    assert "# Ann Example\n\n4 pages, 2 people." in text
    assert (
        "\n## 1. Ann Example – logician\n\n- born\n"
        "  - **1921**: 90%, contradicted by other pages, pages 1, 2\n"
        "    - “It says 1921.” – [page 1](<http://1.example>)\n"
    ) in text
    assert "  - **Bo (son)**: 56%, page 1\n" in text
    assert "- noted: The elder; chemist; checked\n" in text
    assert "- page 3: [Page 3](<http://3.example>), 90%\n" in text
    assert text.endswith("- page 9: [Oak](<http://9.example>), Not the name.\n")


_MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def outlines(text: str) -> dict[str, object]:
    """What readers make of exports in which this text is everywhere, but for the text itself."""
    facts = [
        replace(fact(each, text, 1, 2), sources=(FactSource(1, text),), detail=text)
        for each in ATTRIBUTES
    ]
    aside = SetAsidePage(9, text, text, Pile.OTHER_NAME, text)
    file = told(*facts, set_aside=(aside,), name=text)
    names = (ContextEntity(text, "person", (1,)),)
    page = replace(file.people[0].pages[0], url=text, title=text, notes=(text,))
    ann = replace(file.people[0], label=text, called=text, names=names, pages=(page,))
    file = replace(file, people=(ann, file.people[1]))
    rows = csv.reader(io.StringIO(export(file, "facts").decode(), newline=""))
    graph = networkx.read_graphml(io.BytesIO(export(file, "graphml")))
    linked = export(file, "jsonld").decode()
    assert "<" not in linked
    tokens = _MARKDOWN.parse(export(file, "brief").decode())
    marks = [
        each.type
        for token in tokens
        for each in (token, *(token.children or ()))
        if each.type != "text" and not each.type.startswith("link_")
    ]
    links = {each.attrs["href"] for token in tokens for each in token.children or () if each.attrs}
    assert {urlsplit(link).scheme for link in links} <= {"http", "https", "mailto"}
    sizes = {title: [len(row) for row in rows] for title, rows in sheets(file).items()}
    structures = [[line.split(" ")[0] for line in lines_of(each)] for each in individuals(file)]
    return {
        "csv": [len(row) for row in rows],
        "xlsx": sizes,
        "gedcom": [[tag for tag in tags if tag != "PHRASE"] for tags in structures],
        "graphml": Counter(kind for _, kind in graph.nodes(data="kind")),
        "jsonld": [each.keys() - {"url"} for each in people_of(file)],
        "brief": Counter(marks),
    }


INJECTIONS = (
    HOSTILE,
    '=HYPERLINK("http://evil.example")',
    "1\n0 @I7@ INDI\n1 NAME Eve",
    "\r\n# Eve\n\n- [x](javascript:alert(1)) ![](http://evil.example/a.png)",
    "@I1@",
    "]]>&#x41; <![CDATA[",
    "a\x85b\u2028c\x0b0 TRLR",
    "`*_~{}$\\ &amp; \ud800\ufffe\uffff",
    "javascript:alert(1)",
    "http://" + "a" * 3_000 + ".example/" + "é" * 900,
)


@pytest.fixture(scope="module")
def plain() -> dict[str, object]:
    return outlines("Eve")


@each_case("text", INJECTIONS)
def test_hostile_text_stays_in_its_place(text, plain):
    assert outlines(text) == plain


def tells_no_relation(text: str) -> bool:
    """Whether a text is no word for a relative, such as *SPOUSE*, which has a place of its own."""
    return text.casefold().removesuffix("s") not in exports._RELATION_OF


@given(st.text(min_size=1).filter(clean_text).filter(tells_no_relation))
@example("1. Eve")
@example("- Eve")
def test_any_text_stays_in_its_place(plain, text):
    assert outlines(text) == plain


def test_stored_results_give_the_same_bytes_as_new_ones(tmp_path):
    file = told(*EVERY)
    answer = answer_of({1, 2}, {3})
    about = PersonDescription(facts=file.people[0].facts)
    people = (replace(answer.people[0], description=about), answer.people[1])
    report = Report(
        replace(answer, people=people), provenance=Provenance((Collection("../pages", "x"),))
    )
    files.write_report(report, "Ann_Example", tmp_path)
    stored = read_file(tmp_path / "Ann_Example.json")
    for kind in KINDS:
        assert export(stored, kind) == export(result_file(report), kind), kind
        assert export(stored, kind) == export(stored, kind)


def test_a_person_alone(monkeypatch):
    file = told(*EVERY)
    assert [each["@id"] for each in people_of(replace(file, people=file.people[1:]))] == [
        "#person-2"
    ]
    suffixes = [RESULT_SUFFIXES["brief"]]
    [path] = export_files(file, Path("out"), "Ann.E", suffixes, 2)
    assert path == Path("out/Ann.E.person-2.md")
    assert b"logician" not in export(file, "brief", 2)
    with pytest.raises(ValuesError, match="there is no person 7"):
        export(file, "brief", 7)
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    with pytest.raises(
        OutputError, match=r"xlsxwriter is not installed; pip install 'weps\[xlsx\]'"
    ):
        export(file, "xlsx")


def test_long_lists_are_cut_where_programs_cut_them(monkeypatch):
    monkeypatch.setattr(exports, "_MAX_ROWS", 2)
    monkeypatch.setattr(exports, "_MAX_LINKS", 2)
    file = told(*EVERY)
    assert {title: len(rows) for title, rows in sheets(file).items()} == dict.fromkeys(
        ("people", "pages", "facts"), 3
    )
    many = tuple(fact("occupation", f"occupation {number}" * 9, 1) for number in range(2_000))
    assert len(sheets(told(*many))["people"][1][-1]) == 32_767
