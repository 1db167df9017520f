"""Exports of a result for other programs: spreadsheets, linked data, genealogy, networks, notes.

An export is a function of the result as ``NAME.json`` has it, so that a new result and a stored one
give the same. Every fact comes with the pages and sentences that state it and its certainty, and
nothing is composed of what two pages state. Text from the web stays in its place, whatever it has
of the language of the file, and is a link where it is a web address. All take time in proportion to
pages and facts.
"""

from __future__ import annotations

import io
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain, islice
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from weps._formatting import count_of, format_probability, join_items
from weps._lazy import import_library
from weps._version import VERSION
from weps.corrections.model import Marked
from weps.errors import ValuesError
from weps.people.facts import ATTRIBUTES, Fact
from weps.report.safe_text import bounded_text, clean_text, safe_link
from weps.results.files import (
    FACT_COLUMNS,
    PAGE_COLUMNS,
    Cell,
    csv_text,
    fact_rows,
    mark_cells,
    page_rows,
    table_cell,
)
from weps.results.stored import Page, Person, ResultFile, SetAsidePage


def _facts_by_attribute(person: Person) -> dict[str, list[Fact]]:
    """The facts of a person, attributes in the order in which they are shown."""
    found = defaultdict[str, list[Fact]](list)
    for fact in person.facts:
        found[fact.attribute].append(fact)
    return {each: found[each] for each in ATTRIBUTES if each in found}


def _told(fact: Fact) -> str:
    """A value, and what it is to the person."""
    return f"{fact.value} ({fact.detail})" if fact.detail else fact.value


def _person_title(person: Person) -> str:
    """What a person is called."""
    return clean_text(person.label) or f"person {person.id}"


def _page_title(page: Page | SetAsidePage) -> str:
    """What a page is called, on one line of bounded length."""
    return bounded_text(page.title) or bounded_text(page.url) or f"page {page.rank}"


# CSV and XLSX

_WIDTHS = {"label": 50, "title": 50, "url": 40, "sentence": 80, "value": 30, "query": 30}
"""Columns of a sheet that are wider than others, in characters."""
_MAX_ROWS = 1_048_575
"""Rows that a sheet can have below its head."""
_MAX_LINKS, _LONGEST_LINK = 65_000, 2_000
"""Links of a sheet that Excel opens, and their characters."""
_TIME_MADE = datetime(2000, 1, 1)
"""Of all workbooks, so that the same result gives the same bytes."""
_PEOPLE_COLUMNS = (
    *("name", "person", "label", "pages", "confidence", "one_person", "expected_people"),
    *("unsure", "query", "notes", "tags", "checked"),
)


def _people_rows(file: ResultFile, attributes: Sequence[str]) -> Iterator[tuple[Cell, ...]]:
    """A row for each person, with the values of each of the attributes."""
    for person in file.people:
        facts = _facts_by_attribute(person)
        yield (
            *(file.name, person.id, person.label, len(person.pages), person.confidence),
            *(person.one_person, person.expected_people, person.unsure),
            person.refinement.query if person.refinement else "",
            *mark_cells(person),
            *("; ".join(map(_told, facts.get(each, ()))) for each in attributes),
        )


def _as_workbook(file: ResultFile) -> bytes:
    """Sheets of people, pages and facts, as XLSX.

    Raises:
        OutputError: if XlsxWriter is not installed.
    """
    library = import_library("xlsxwriter", "xlsx")
    content, stated = io.BytesIO(), {fact.attribute for each in file.people for fact in each.facts}
    attributes = [each for each in ATTRIBUTES if each in stated]
    sheets: dict[str, tuple[Sequence[str], Iterable[Sequence[Cell]]]] = {
        "people": ((*_PEOPLE_COLUMNS, *attributes), _people_rows(file, attributes)),
        "pages": ([*PAGE_COLUMNS], page_rows(file)),
        "facts": ([*FACT_COLUMNS], fact_rows(file)),
    }
    with library.Workbook(content, {"in_memory": True}) as book:
        book.set_properties({"created": _TIME_MADE, "comments": f"weps {VERSION}"})
        head = book.add_format({"bold": True, "bottom": 1})
        for title, (columns, rows) in sheets.items():
            sheet = book.add_worksheet(title)
            for column, name in enumerate(columns):
                sheet.set_column(column, column, _WIDTHS.get(name, 14))
                sheet.write_string(0, column, name, head)
            number = 0
            for number, row in enumerate(islice(rows, _MAX_ROWS), start=1):
                for column, (name, value) in enumerate(zip(columns, row, strict=True)):
                    cell = table_cell(value)
                    link = safe_link(str(value)) if name == "url" and number < _MAX_LINKS else ""
                    if not isinstance(cell, str):
                        sheet.write_number(number, column, cell)
                    elif 0 < len(link) < _LONGEST_LINK:
                        sheet.write_url(number, column, link, string=cell)
                    elif cell:
                        sheet.write_string(number, column, cell)
            sheet.freeze_panes(1, 0)
            sheet.autofilter(0, 0, number, len(columns) - 1)
    return content.getvalue()


# JSON-LD

_PROPERTIES: dict[str, tuple[str, str]] = {
    "date of birth": ("birthDate", ""),
    "date of death": ("deathDate", ""),
    "birth place": ("birthPlace", "Place"),
    "nationality": ("nationality", "Country"),
    "other name": ("alternateName", ""),
    "occupation": ("hasOccupation", "Occupation"),
    "affiliation": ("affiliation", "Organization"),
    "award": ("award", ""),
    "school": ("alumniOf", "EducationalOrganization"),
    "degree": ("hasCredential", "EducationalOccupationalCredential"),
    "major": ("knowsAbout", ""),
    "mentor": ("knows", "Person"),
    "relative": ("relatedTo", "Person"),
    "phone": ("telephone", ""),
    "fax": ("faxNumber", ""),
    "e-mail": ("email", ""),
    "web site": ("url", ""),
}
"""Attribute → property of a Person of schema.org, and type of its value. A place is no home."""
_RELATIONS = {
    "children": "child children daughter son",
    "parent": "father mother parent",
    "sibling": "brother sibling sister twin",
    "spouse": "husband spouse widow widower wife",
}
_RELATION_OF = {word: each for each, words in _RELATIONS.items() for word in words.split()}
"""Detail of a relative → property."""


def _as_linked_data(file: ResultFile) -> str:
    """The people and pages as JSON-LD, in terms of schema.org.

    Facts are properties of the people, and with certainty and sources ``additionalProperty``.
    """
    graph: list[dict[str, Any]] = []
    for person in file.people:
        node: dict[str, Any] = {
            "@type": "Person",
            "@id": f"#person-{person.id}",
            "name": file.name,
            "description": person.label,
            "alternateName": [person.called] * bool(person.called),
            "subjectOf": [{"@id": f"#page-{page.rank}"} for page in person.pages],
            "additionalProperty": [],
        }
        for fact in person.facts:
            about, kind = _PROPERTIES.get(fact.attribute, ("", ""))
            if fact.attribute == "relative":
                about = _RELATION_OF.get(fact.detail.casefold().removesuffix("s"), about)
            value = fact.value
            if about == "url":
                value = safe_link(value if "://" in value else f"http://{value}")
            if about and value:
                node.setdefault(about, []).append({"@type": kind, "name": value} if kind else value)
            elif fact.attribute == "work":
                works = node.setdefault("@reverse", {"creator": []})["creator"]
                works.append({"@type": "CreativeWork", "name": value})
            node["additionalProperty"].append(
                {
                    "@type": "PropertyValue",
                    "propertyID": fact.attribute,
                    "value": fact.value,
                    **({"description": fact.detail} if fact.detail else {}),
                    "valueReference": [
                        {"@type": "PropertyValue", "propertyID": each, "value": value}
                        for each, value in (
                            ("certainty", fact.certainty),
                            ("contradicted", fact.contradicted),
                        )
                    ],
                    "subjectOf": [
                        {
                            "@type": "Quotation",
                            "text": source.sentence,
                            "isPartOf": {"@id": f"#page-{source.page}"},
                        }
                        for source in fact.sources
                    ],
                }
            )
        graph.append(node)
    graph += (
        {
            "@type": "WebPage",
            "@id": f"#page-{page.rank}",
            "name": page.title,
            "url": safe_link(page.url),
        }
        for page in file.pages
    )
    filled = [{key: value for key, value in node.items() if value} for node in graph]
    data = {"@context": "https://schema.org", "@graph": filled}
    # A page that has it as a script is not left by text.
    return json.dumps(data, ensure_ascii=False, indent=1).replace("<", "\\u003c") + "\n"


# GEDCOM

_MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split()
_ISO_DATE = re.compile("([0-9]{4})(?:-(0[1-9]|1[0-2])(?:-([0-3][0-9]))?)?", re.ASCII)
_TAGS: dict[str, tuple[str, str]] = {
    "date of birth": ("BIRT", "DATE"),
    "date of death": ("DEAT", "DATE"),
    "birth place": ("BIRT", "PLAC"),
    "other name": ("NAME", ""),
    "nationality": ("NATI", ""),
    "occupation": ("OCCU", ""),
    "location": ("RESI", "PLAC"),
    "phone": ("RESI", "PHON"),
    "fax": ("RESI", "FAX"),
    "e-mail": ("RESI", "EMAIL"),
    "web site": ("RESI", "WWW"),
    "school": ("EDUC", ""),
    "degree": ("EDUC", ""),
    "major": ("EDUC", ""),
}
"""Attribute → structure of an individual, and the one in it that has the value, if not itself."""
_GOOD, _FAIR = 0.8, 0.5
"""Certainty from which evidence has quality 2 (secondary) and 1 (questionable): pages of the Web
are never primary evidence, 3."""


def _as_gedcom(file: ResultFile) -> str:
    """The people as individuals and the pages as sources of GEDCOM 7.0.

    Relatives, whose families are not known, are associates.
    """
    lines = ["0 HEAD", "1 GEDC", "2 VERS 7.0", "1 SOUR weps", f"2 VERS {VERSION}"]
    pages = {page.rank: page for page in file.pages}
    for person in file.people:
        lines += [f"0 @I{person.id}@ INDI", _line(1, "NAME", file.name.replace("/", " "))]
        for fact, *places in _events(person):
            lines += _fact_lines(fact)
            lines += (_line(2, "PLAC", each.value) for each in places)
            for each in (fact, *places):
                for source in each.sources:
                    if source.page in pages:
                        lines += _citation(2, pages[source.page], each.certainty, source.sentence)
        lines.append(_line(1, "NOTE", _person_title(person)))
        for page in person.pages:
            lines += _citation(1, page, page.score)
    for rank, found in sorted(pages.items()):
        lines += [f"0 @S{rank}@ SOUR", _line(1, "TITL", _page_title(found))]
        if address := safe_link(found.url):
            lines.append(_line(1, "PUBL", address))
    return "\n".join([*lines, "0 TRLR", ""])


def _line(level: int, tag: str, text: str = "") -> str:
    """A line of GEDCOM; a sign at the begin of its text makes no pointer of it."""
    line = clean_text(text)
    return f"{level} {tag} {'@' if line.startswith('@') else ''}{line}".rstrip()


def _citation(
    level: int, page: Page | SetAsidePage, certainty: float, sentence: str = ""
) -> Iterator[str]:
    """The lines that cite a page."""
    yield f"{level} SOUR @S{page.rank}@"
    yield _line(level + 1, "PAGE", safe_link(page.url) or f"page {page.rank}")
    if sentence:
        yield _line(level + 1, "DATA")
        yield _line(level + 2, "TEXT", sentence)
    yield _line(level + 1, "QUAY", str((certainty >= _FAIR) + (certainty >= _GOOD)))


def _events(person: Person) -> Iterator[list[Fact]]:
    """The facts, names first; a date of birth is with the place if a page states both."""
    facts = _facts_by_attribute(person)
    places = dict.fromkeys(facts.pop("birth place", ()))
    place_on = {rank: place for place in reversed(places) for rank in place.pages}
    for fact in chain(facts.pop("other name", ()), *facts.values()):
        ranks = fact.pages if fact.attribute == "date of birth" else ()
        place = next((place_on[rank] for rank in ranks if place_on.get(rank) in places), None)
        yield [fact, *([place] if place else ())]
        if place:
            del places[place]
    yield from ([place] for place in places)


def _fact_lines(fact: Fact) -> Iterator[str]:
    """The lines of a fact but those of its sources."""
    value, shown = fact.value, ATTRIBUTES[fact.attribute]
    if fact.attribute in {"mentor", "relative"}:
        yield "1 ASSO @VOID@"
        yield _line(2, "PHRASE", value)
        yield _line(2, "ROLE", "OTHER")
        yield _line(3, "PHRASE", fact.detail or shown)
    else:
        tag, inner = _TAGS.get(fact.attribute, ("FACT", ""))
        yield _line(1, tag, "" if inner else value.replace("/", " ") if tag == "NAME" else value)
        if tag in {"EDUC", "FACT", "NAME"}:
            yield _line(2, "TYPE", "AKA" if tag == "NAME" else shown)
        if inner == "DATE" and (stated := _ISO_DATE.fullmatch(value)):
            year, month, day = (each and each.lstrip("0") for each in stated.groups())
            month = month and _MONTHS[int(month) - 1]
            yield _line(2, inner, " ".join(filter(None, (day, month, year))))
        elif inner:
            yield _line(2, inner, "" if inner == "DATE" else value)
            if inner == "DATE":
                yield _line(3, "PHRASE", value)
        if fact.detail:
            yield _line(2, "NOTE", fact.detail)
    if fact.contradicted:
        yield _line(2, "NOTE", "other pages state another value")


# GraphML

_GRAPH_KEYS = {
    "label": ("node", "string"),
    "kind": ("node", "string"),
    "url": ("node", "string"),
    "relation": ("edge", "string"),
    "weight": ("edge", "double"),
    "detail": ("edge", "string"),
}
"""Attribute of the graph → what has it, and its type."""


def _as_graph(file: ResultFile) -> str:
    """People, pages, facts and the names near them as a network, as GraphML.

    What several people share, such as an affiliation, is one node.
    """
    nodes, numbers = dict[str, dict[str, str]](), dict[tuple[str, str], str]()
    edges = dict[tuple[str, str], dict[str, object]]()
    for page in file.pages:
        nodes[f"page-{page.rank}"] = {
            "label": _page_title(page),
            "kind": "page",
            "url": safe_link(page.url),
        }

    def shared(kind: str, text: str) -> str:
        """The node of a fact or a name."""
        key = numbers.setdefault((kind, text.casefold()), f"value-{len(numbers) + 1}")
        nodes.setdefault(key, {"label": bounded_text(text), "kind": kind})
        return key

    for person in file.people:
        own = f"person-{person.id}"
        nodes[own] = {
            "label": bounded_text(_person_title(person)),
            "kind": "person",
        }
        for page in person.pages:
            edges[own, f"page-{page.rank}"] = {"relation": "page", "weight": page.score}
        for fact in person.facts:
            key = shared(fact.attribute, fact.value)
            stated = {
                "relation": ATTRIBUTES.get(fact.attribute, fact.attribute),
                "weight": fact.certainty,
            }
            edges.setdefault((own, key), {**stated, "detail": clean_text(fact.detail)})
            for rank in fact.pages:
                edges[key, f"page-{rank}"] = {"relation": "stated on"}
        for each in person.names:
            key = shared(f"named {each.kind}", each.text)
            edges[own, key] = {"relation": "named near"}
            for rank in each.pages:
                edges[key, f"page-{rank}"] = {"relation": "named on"}

    def data(values: dict[str, Any]) -> str:
        """The attributes of a node or an edge that are known."""
        return "".join(
            f'<data key="{key}">{escape(str(value))}</data>'
            for key, value in values.items()
            if value not in {"", None}
        )

    keys = (
        f'<key id="{key}" for="{of}" attr.name="{key}" attr.type="{kind}"/>'
        for key, (of, kind) in _GRAPH_KEYS.items()
    )
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"'
            ' xmlns:y="http://www.yworks.com/xml/graphml">',
            '<key id="look" for="node" yfiles.type="nodegraphics"/>',  # yEd shows labels of these
            *keys,
            f'<graph id={quoteattr(clean_text(file.name))} edgedefault="undirected">',
            *(
                f'<node id="{key}">{data(values)}<data key="look"><y:ShapeNode><y:NodeLabel>'
                f"{escape(values['label'])}</y:NodeLabel></y:ShapeNode></data></node>"
                for key, values in nodes.items()
            ),
            *(
                f'<edge source="{one}" target="{other}">{data(values)}</edge>'
                for (one, other), values in edges.items()
                if {one, other} <= nodes.keys()
            ),
            "</graph>",
            "</graphml>",
            "",
        ]
    )


def as_network(file: ResultFile) -> Any:
    """The network as a ``networkx.Graph``; raises an OutputError if the library is missing."""
    return import_library("networkx").parse_graphml(_as_graph(file))


# Markdown

_MARKDOWN = re.compile(r"[\\`*_{}\[\]<~^$]|&(?=[#\w])")
"""What begins mark-up within a line; at its begin no text from the web stands."""


def _plain(text: str) -> str:
    """Text in a line of Markdown, without mark-up of its own."""
    return _MARKDOWN.sub(r"\\\g<0>", clean_text(text))


def _link(title: str, address: str) -> str:
    """A link, or the title where the address is none of the web."""
    link = safe_link(address)
    return f"[{_plain(title)}](<{link}>)" if link else _plain(title)


def _noted(marked: Marked) -> str:
    """What users noted of a person or a page."""
    notes, tags, checked = mark_cells(marked)
    return _plain("; ".join(filter(None, (notes, tags, "checked" * checked))))


def _as_brief(file: ResultFile) -> str:
    """A brief in Markdown: each person with facts, their sources, and the pages."""
    pages = count_of(sum(1 for _ in file.pages), "page")
    lines = [
        f"# {_plain(file.name)}",
        "",
        f"{pages}, {count_of(len(file.people), 'person', 'people')}. Percentages are estimated "
        "probabilities: that a fact is true of the person, that a page is about the person.",
    ]
    for person in file.people:
        urls = {page.rank: page.url for page in person.pages}
        lines += ["", f"## {person.id}. {_plain(_person_title(person))}", ""]
        for attribute, facts in _facts_by_attribute(person).items():
            lines.append(f"- {ATTRIBUTES[attribute]}")
            for fact in facts:
                told = [format_probability(fact.certainty)]
                told += ["contradicted by other pages"] * fact.contradicted
                noun = "page" if len(fact.pages) == 1 else "pages"
                told.append(f"{noun} {join_items(fact.pages, most=10)}")
                lines.append(f"  - **{_plain(_told(fact))}**: {', '.join(told)}")
                lines += (
                    f"    - “{_plain(source.sentence)}” – "
                    f"{_link(f'page {source.page}', urls.get(source.page, ''))}"
                    for source in fact.sources
                )
        lines += [f"- noted: {noted}"] if (noted := _noted(person)) else []
        if person.names:
            named = (f"{_plain(each.text)} ({each.kind})" for each in person.names)
            lines.append(f"- named near: {', '.join(named)}")
        lines += ["", f"Pages ({format_probability(person.confidence)}):", ""]
        lines += (
            f"- page {page.rank}: {_link(_page_title(page), page.url)}, "
            f"{'; '.join(filter(None, (format_probability(page.score), _noted(page))))}"
            for page in person.pages
        )
    if file.set_aside:
        lines += ["", "## Set aside", ""]
        lines += (
            f"- page {page.rank}: {_link(_page_title(page), page.url)}, {_plain(page.reason)}"
            for page in file.set_aside
        )
    return "\n".join([*lines, ""])


_EXPORTS: dict[str, Callable[[ResultFile], str | bytes]] = {
    ".facts.csv": lambda file: csv_text([[*FACT_COLUMNS], *fact_rows(file)]),
    ".xlsx": _as_workbook,
    ".jsonld": _as_linked_data,
    ".ged": _as_gedcom,
    ".graphml": _as_graph,
    ".md": _as_brief,
}


def export_files(
    file: ResultFile,
    folder: Path,
    identifier: str,
    suffixes: Iterable[str],
    person: int | None = None,
) -> dict[Path, bytes]:
    """The exports of a result, by their paths.

    Args:
        file: the result.
        folder: of the files.
        identifier: the name as a file name.
        suffixes: of files; those that are no exports are left out.
        person: id of the only person who is wanted; None for all.

    Raises:
        ValuesError: if there is no such person.
        OutputError: if a library is missing.
    """
    if person is not None:
        people = tuple(each for each in file.people if each.id == person)
        if not people:
            raise ValuesError(f"there is no person {person}", where=folder / identifier)
        file = replace(file, people=people, set_aside=())
        identifier += f".person-{person}"
    found = {each: _EXPORTS[each](file) for each in _EXPORTS if each in suffixes}
    return {
        # A lone surrogate has no bytes in UTF-8; a question mark stands for it.
        folder / f"{identifier}{suffix}": (
            content.encode(errors="replace") if isinstance(content, str) else content
        )
        for suffix, content in found.items()
    }
