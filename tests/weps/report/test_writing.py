"""What a report shows, escaped, and how it is written."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment
from jsonschema import Draft202012Validator
from markupsafe import escape

from tests.cases import each_case
from weps.errors import OutputError
from weps.key_terms.labels import Refinement
from weps.people.answer import Answer, PageScore, Part, Person, PersonDescription, SetAsidePage
from weps.people.pages import Pile
from weps.report import safe_text
from weps.report.view import PageLinks, Query, Report, groups_of
from weps.results.files import PAGE_COLUMNS, WRITERS, write_report
from weps.results.stored import as_json, result_file
from weps.sources.corpora import read_clustering


def test_every_node_is_a_group_and_people_come_first(cuttable):
    groups = groups_of(cuttable)
    assert [group.node for group in groups] == [5, 6, 4, 0, 1, 2, 3, 7, 8]
    assert [group.person for group in groups] == [*cuttable.people, *[None] * 6]
    assert {group.node: group.size for group in groups if group.size > 1} == {
        5: 2,
        6: 2,
        7: 4,
        8: 5,
    }
    for group in groups:
        assert group.description.terms[0].startswith(f"from {group.first.rank} to ")


def test_people_are_found_whatever_their_order_and_ids(cuttable):
    people = tuple(replace(each, id=each.id + 7) for each in reversed(cuttable.people))
    groups = groups_of(replace(cuttable, people=people))
    assert [group.node for group in groups[:4]] == [4, 6, 5, 0]
    assert [group.anchor for group in groups[2:4]] == ["person-8", "group-0"]


def test_the_larger_part_keeps_the_colour_and_the_smaller_gets_another(cuttable):
    tone = {group.node: group.tone for group in groups_of(cuttable)}
    assert (tone[5], tone[6]) == ("tone-0", "tone-1")
    assert tone[8] == tone[7] == tone[5]
    assert {tone[node] for node in range(5)} == {"tone-alone"}


def test_labels_are_what_a_user_calls_the_person_then_the_terms(answer):
    one, two, three = groups_of(answer)
    assert one.label == ["Ann the logician", "logic", "trinity college"]
    assert (two.label, three.label) == (["Person 2"], ["Old town"])
    assert replace(two, person=None).label == ["2 pages"]


@each_case(
    ("title", "label"),
    [
        ("A title", "A title"),
        ("", "Page 1"),
        ("\u202e", "Somebody"),
        ("x" * 99, "X" + "x" * 58 + "…"),
    ],
)
def test_a_page_without_terms_is_called_by_its_title(answer, title, label):
    group = groups_of(answer)[2]
    page = replace(group.first, title=title)
    assert replace(group, first=page, description=PersonDescription()).label == [label]


@each_case(
    ("name", "added", "text"),
    [
        ("Thomas Baker", "Elektra Records", '"Thomas Baker" "Elektra Records"'),
        ('Thomas "Tom" Baker', "film", '"Thomas Tom Baker" film'),
    ],
)
def test_names_and_phrases_are_quoted(name, added, text):
    assert Query.of(name, Refinement(added, 1, 1, 1), 1).query == text


@each_case(
    ("pages", "precision", "recall", "words"),
    [
        (10, 1.0, 0.9, "finds 9 of 10 pages and no other"),
        (3, 0.5, 1.0, "finds all 3 pages and 3 others"),
        (2, 1.0, 1.0, "finds both pages and no other"),
        (2, 1.0, 0.5, "finds 1 of 2 pages and no other"),
        (1, 1 / 3, 1.0, "finds this page and 2 others"),
    ],
)
def test_what_it_finds_in_plain_words(pages, precision, recall, words):
    assert Query.of("Ann", Refinement("kelp", precision, recall, 0.5), pages).outcome == words


@each_case(("found", "others", "pages"), [(1, 99, 100), (7, 3, 11), (95, 0, 95), (33, 67, 131)])
def test_counts_come_back_from_their_quotients(found, others, pages):
    added = Refinement("kelp", found / (found + others), found / pages, 0.5)
    query = Query.of("Ann", added, pages)
    assert (query.found, query.others) == (found, others)
    assert query.precision == round(found / (found + others), 4)
    assert Query.of("Ann", None, pages) is None


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_four_files_are_written_the_json_last(answer, tmp_path):
    folder = tmp_path / "a" / "b"
    files = write_report(Report(answer, {"rand": 0.5}, notes=("a note",)), "Ann_Example", folder)
    suffixes = (".csv", ".clust.xml", ".html", ".json")
    assert [path.name for path in files] == [f"Ann_Example{suffix}" for suffix in suffixes]
    assert set(contents(folder)) == {path.name for path in files}


def test_files_are_utf8_with_lf_and_the_same_every_time(hostile, tmp_path):
    odd = replace(hostile, name="Ann \ud800")
    for folder in ("first", "second"):
        write_report(Report(odd), "x", tmp_path / folder)
    assert contents(tmp_path / "first") == contents(tmp_path / "second")
    for data in contents(tmp_path / "first").values():
        assert data.decode("utf-8").endswith("\n")
        assert b"\r" not in data


@each_case("identifier", ["", ".", "..", "a/b", "a\\b", "../x", "a\x00", "a\nb"])
def test_an_identifier_is_a_file_name(identifier, answer, tmp_path):
    with pytest.raises(OutputError, match="is not a file name"):
        write_report(Report(answer), identifier, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_folder_in_the_way_of_a_file(answer, tmp_path):
    (tmp_path / "x.html").mkdir()
    with pytest.raises(OutputError, match=r"x\.html: cannot be written"):
        write_report(Report(answer), "x", tmp_path)
    assert {path.suffix for path in tmp_path.iterdir()} == {".csv", ".xml", ".html"}


def rows_of(answer: Answer) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(csv_of(answer), newline="")))


def csv_of(answer: Answer) -> str:
    report = Report(answer)
    return WRITERS[".csv"](report, lambda: result_file(report))


def titled(title: str) -> Answer:
    page = PageScore(3, "http://a.example/", title, 0.5)
    return Answer("Ann", (Person(1, 0.5, (page,), PersonDescription(("x",))),), (), "m", "s")


def test_one_row_per_page(answer):
    rows = rows_of(answer)
    assert [row["rank"] for row in rows] == ["0", "2", "7", "3", "5", "1"]
    about = ["Ann Example", "1", "Ann the logician", "0.81", "2", "1.0", "0", ""]
    page = ["https://college.example/staff?a=1&b=2", "Staff", '"Ann Example" "Trinity College"']
    person = ["0.35", "1.8", "", "", "", *("", "", "0") * 2]
    assert rows[1] == dict(zip(PAGE_COLUMNS, [*about, *page, *person], strict=True))
    assert (rows[0]["file"], rows[0]["fetched"]) == ("../Ann/page: 1.html", "2026-11-23T10:00:00Z")
    assert [row["unsure"] for row in rows] == ["0", "0", "1", "1", "1", "1"]
    assert [row["nearest"] for row in rows] == ["", "", "2", "3", "1", "2"]


def test_parts_of_a_person_are_numbered(answer, schema):
    parts = (Part("tides", 0.8, (0, 7)), Part("", 0.6, (3, 5)))
    first, second, third = answer.people
    whole = replace(first, pages=(*first.pages, *second.pages), parts=parts)
    told = replace(answer, people=(whole, third))
    assert [row["part"] for row in rows_of(told)] == ["1", "", "1", "2", "2", ""]
    data = json.loads(as_json(result_file(Report(told))))
    assert data["people"][0]["parts"][1] == {"label": "", "one_person": 0.6, "pages": [3, 5]}
    assert "parts" not in data["people"][1]
    assert not [*Draft202012Validator(schema("cluster")).iter_errors(data)]


@each_case(
    ("probabilities", "parts"),
    [
        ({5: 0.9, 6: 0.5, 7: 0.3, 8: 0.2}, {7: (5, 6), 8: (5, 6)}),
        ({5: 0.9, 6: 0.4, 7: 0.3, 8: 0.2}, {}),  # one part is none
        ({5: 0.9, 6: 0.9, 7: 0.6, 8: 0.2}, {}),
    ],
)
def test_groups_at_every_threshold_have_the_parts_that_are_probably_one_person(
    cuttable, probabilities, parts
):
    known = dict(cuttable.alternatives.descriptions)
    known |= {node: replace(known[node], one_person=one) for node, one in probabilities.items()}
    alternatives = replace(cuttable.alternatives, descriptions=known)
    groups = groups_of(replace(cuttable, alternatives=alternatives))
    assert {group.node: group.parts for group in groups if group.parts} == parts


def test_files_of_pages_are_written_relative_to_the_result(answer, tmp_path):
    texts = []
    for place in ("here", "far/away"):
        root = tmp_path / place
        saved = SetAsidePage(9, "", "Oak", Pile.OTHER_NAME, "No.", file=str(root / "pages/9.html"))
        write_report(Report(replace(answer, set_aside=(saved,))), "Ann", root / "out")
        texts.append({path.name: path.read_bytes() for path in (root / "out").iterdir()})
        [aside] = json.loads(texts[-1]["Ann.json"])["set_aside"]
        assert (root / "out" / aside["file"]).resolve() == root / "pages/9.html"
    assert texts[0] == texts[1]
    assert b'href="../pages/9.html"' in texts[0]["Ann.html"]


def test_pages_set_aside_come_last_with_the_reason_as_label(answer):
    page = SetAsidePage(9, "http://a.example", "Oak", Pile.OTHER_NAME, "The name is not there.")
    row = rows_of(replace(answer, set_aside=(page,)))[-1]
    assert {key: value for key, value in row.items() if value} == {
        "name": "Ann Example",
        "label": "set aside: The name is not there.",
        "rank": "9",
        "url": "http://a.example",
        "title": "Oak",
        "checked": "0",
    }


@each_case(
    ("title", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("\x00\t =1+1", "'=1+1"),
        ("two\r\nlines", "two lines"),
        ('quoted "word", comma; semicolon', 'quoted "word", comma; semicolon'),
    ],
)
def test_cells_compute_nothing_and_stay_on_their_line(title, cell):
    answer = titled(title)
    assert rows_of(answer)[0]["title"] == cell
    assert rows_of(replace(answer, name=title))[0]["name"] == cell


@given(st.text())
def test_any_title_makes_one_harmless_row(title):
    answer = titled(title)
    assert csv_of(answer).count("\n") == 2
    (row,) = rows_of(answer)
    assert set(row) == set(PAGE_COLUMNS)
    assert not row["title"].startswith(tuple("=+-@\t\r\n"))


@pytest.mark.parametrize("which", ["answer", "hostile", "crowd"])
def test_the_official_format_reads_back(which, tmp_path, request):
    answer = request.getfixturevalue(which)
    path = tmp_path / "answer.clust.xml"
    path.write_text(WRITERS[".clust.xml"](Report(answer), pytest.fail), "utf-8")
    assert read_clustering(path) == answer.clustering
    assert path.read_text("utf-8").count("<entity") == len(answer.people)


@each_case(
    ("text", "seen"),
    [
        ("  two   words ", "two words"),
        (" two\r\n\tlines\x00\x1b[0m ", "two lines [0m"),
        ("a\u202egnp.exe\u202c", "agnp.exe"),
        ("\u2066x\u2069\u200e\u200b\ufeff\u00ad", "x"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("👩\u200d🔬", "👩\u200d🔬"),
        ("e" + "\u0301" * 50, "e" + "\u0301" * 3),
        ("e" + "\u0301\u0301\u200d" * 50, "e" + "\u0301\u0301\u200d" * 2 + "\u0301\u0301"),
        ("ส" + "็" * 300, "ส" + "็" * 8),
        ("क" + "ा" * 300, "क" + "ा" * 8),
        ("ကြွှုံ့း" * 9, "ကြွှုံ့း" * 9),
        ("❤\ufe0f\u200d🔥" * 9, "❤\ufe0f\u200d🔥" * 9),
        ("\u200d \u2800", ""),
        ("\U000e0041\U000e007f\ud800", ""),
    ],
)
def test_text_is_clean(text, seen):
    assert safe_text.clean_text(text) == seen


def test_long_text_is_cut():
    cut = [safe_text.bounded_text(text, 6) for text in ("abcdef", "abcdefg", "abcd fg")]
    assert cut == ["abcdef", "abcde…", "abcd…"]
    cut = [safe_text.bounded_text(text, 6, keep_end=True) for text in ("abcdef", "abcdefg")]
    assert cut == ["abcdef", "…cdefg"]


def test_texts_that_are_empty_once_clean_are_left_out():
    assert safe_text.visible_texts(["a", "\u202e", " ", "bcd"], 2) == ["a", "b…"]


@pytest.fixture(scope="module")
def environment() -> Environment:
    environment = Environment(autoescape=True)
    safe_text.protect_environment(environment)
    return environment


@given(st.text())
def test_no_template_prints_unclean_text(environment, text):
    template = environment.from_string(
        "{{ x }}|{{ [x][0] ~ '' }}|{% for y in [x] %}{{ y }}{% endfor %}"
    )
    expected = escape(safe_text.bounded_text(text))
    assert template.render(x=text) == f"{expected}|{expected}|{expected}"
    assert not set(expected) & set("<>\"'")
    assert len(expected.unescape()) <= 120
    controls = {"LRE", "RLE", "LRO", "RLO", "PDF"}
    assert not {unicodedata.bidirectional(c) for c in expected} & controls
    assert not {unicodedata.category(c) for c in expected} & {"Cc", "Cs"}


@each_case(
    ("template", "printed"),
    [
        ("{{ x | text(6) }}", "&lt;&lt;&lt;&lt;&lt;…"),
        ("{{ x | text(300) }}", "&lt;" * 200),
        ("{{ x }}", "&lt;" * 119 + "…"),
        ("{{ '\u202e' | text or 'nothing' }}", "nothing"),
        ("{{ 7 }} {{ 0.5 }} {{ true }}", "7 0.5 True"),
        ("{% macro m(y) %}<b>{{ y | text(2) }}</b>{% endmacro %}{{ m(x) }}", "<b>&lt;…</b>"),
        ("{{ '<b>' | safe }}", "<b>"),
    ],
)
def test_bounds_are_set_before_text_is_escaped(environment, template, printed):
    assert environment.from_string(template).render(x="<" * 200) == printed


def links_of(url: str) -> PageLinks:
    return PageLinks.of(PageScore(1, url, "", 0.9))


@each_case(
    ("url", "link", "domain"),
    [
        ("http://www.a.example/x?y=1&z=2#f", "http://www.a.example/x?y=1&z=2#f", "a.example"),
        ("HTTPS://A.Example:8080/", "HTTPS://A.Example:8080/", "a.example"),
        ("http://a.example/é", "http://a.example/%C3%A9", "a.example"),
        ("http://münchen.example/", "http://m%C3%BCnchen.example/", "münchen.example"),
        ('http://a.example/"><b>', "http://a.example/%22%3E%3Cb%3E", "a.example"),
        ("http://bank.example@evil.example/", "http://bank.example@evil.example/", "evil.example"),
        (
            "http://bank.example\\@evil.example/",
            "http://bank.example%5C@evil.example/",
            "evil.example",
        ),
        ("http://a.example/\u202egpj", "http://a.example/gpj", "a.example"),
        ("http://a.example/\ud800", "http://a.example/", "a.example"),
    ],
)
def test_only_addresses_of_the_web_become_links(url, link, domain):
    assert (safe_text.safe_link(url), links_of(url).domain) == (link, domain)


def test_other_addresses_become_no_links():
    schemes = ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "//a.example/"]
    for url in (*schemes, "http://[", "http:///x", "", "http://a.example/" + "x" * 2000):
        assert (safe_text.safe_link(url), links_of(url).domain) == ("", "")


@each_case(
    ("path", "link"),
    [
        ("../Ann/page 1.HTML", "../Ann/page%201.HTML"),
        ("https://a.example/x.html", "https%3A//a.example/x.html"),
        ("/home/é?#.htm", "file:///home/%C3%A9%3F%23.htm"),
        ("C:/Ann/a.pdf", "file:///C%3A/Ann/a.pdf"),
        ("\udcff.txt", "%FF.txt"),
        ("pages.warc.gz", ""),
        ("page.exe", ""),
        ("", ""),
        ("x" * 2000 + ".html", ""),
    ],
)
def test_files_that_browsers_show_are_linked_to(path, link):
    assert safe_text.file_link(path) == link


@given(st.text())
def test_links_are_ascii_or_nothing(text):
    for url in (text, f"http://{text}", f"http://a.example/{text}"):
        link = safe_text.safe_link(url)
        assert link.isascii()
        assert not set(link) & set('<>"\\ \t\r\n')
        assert links_of(url).live == link
