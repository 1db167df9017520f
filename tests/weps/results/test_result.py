"""Answers for programs: pages from anywhere, tables, explanations, corrections, saved files."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

import weps as package
from tests.cases import each_case
from tests.weps.report.conftest import HOSTILE
from weps._files import resource_path
from weps.corrections.model import (
    CORRECTION_KINDS,
    Correction,
    Corrections,
    corrections_text,
    parse_line,
    read_corrections,
)
from weps.errors import CorrectionsError, InputTypeError, OutputError, SourceError, ValuesError
from weps.pipeline import build_answer
from weps.records import Search
from weps.report.html import as_notebook_html
from weps.results import result as result_module
from weps.results.files import PAGE_COLUMNS
from weps.results.result import DECIDING, ResultMaker, ResultOptions
from weps.results.stored import as_json, read_file, read_result, result_file
from weps.sources.opening import read_pages

NAME = "Ada Lovell"
TRADES = ("baker of rye bread in Port Merrow", "baker of rye bread in Merrow", "sailor at sea")
TEXTS = [f"Ada Lovell is a {trade}. Ada Lovell writes." for trade in TRADES]
ROWS = [
    {"url": f"http://{number}.example/", "title": "Ada Lovell", "html": f"<p>{text}"}
    for number, text in enumerate(TEXTS, start=1)
]
COLUMNS = {key: [row[key] for row in ROWS] for key in ROWS[0]}


class Frame(dict):
    """What pandas and polars have in common."""

    columns = property(list)


@pytest.fixture(scope="module")
def answer():
    return package.cluster(ROWS, name=NAME)


@pytest.fixture(scope="module")
def demo():
    return package.cluster(resource_path("demo"))


def frames():
    yield "columns", lambda: Frame(COLUMNS)
    yield "arrow", lambda: pa.table(COLUMNS)
    for library in ("pandas", "polars"):
        yield library, lambda library=library: pytest.importorskip(library).DataFrame(COLUMNS)


@pytest.mark.parametrize("made", [pytest.param(make, id=name) for name, make in frames()])
def test_any_data_frame_gives_the_pages_of_its_rows(made):
    assert read_pages(made(), NAME) == read_pages(ROWS, NAME)


def test_cells_may_be_missing_and_unknown_columns_are_told():
    gaps = [None, float("nan"), type("NAType", (), {})()]
    rows = [{"text": "x", "title": gap, "rank": gap, "titel": 1, "more": 1} for gap in gaps]
    with pytest.warns(UserWarning, match="not read: titel, more; did you mean 'title'"):
        search, _ = read_pages(rows, "A")
    assert read_pages(rows, "A", ["titel", "more"]) == (search, None)
    assert [(page.rank, page.title) for page in search.pages] == [(1, ""), (2, ""), (3, "")]
    search, _ = read_pages(["plain text", {"html": b"<p>\xe9", "rank": np.int64(7)}], "A")
    assert [(page.rank, page.content, page.charset) for page in search.pages] == [
        (1, b"plain text", "utf-8"),
        (7, b"<p>\xe9", ""),
    ]


@each_case(
    ("pages", "name", "message"),
    [
        ([], "A", "there are no pages"),
        ([{"address": "x"}], "A", "url"),
        (
            Frame(titel=["x"], n=[1]),
            "A",
            "content among the columns titel, n; did you mean 'title'",
        ),
        ({"text": "x"}, "A", "expected pages, got dict"),
        (7, "A", "expected pages, got int"),
        ([["x"]], "A", "dictionary for each page, got list"),
        ([{"text": 7}], "A", "text of page 1: expected text, got '7'"),
        ([{"text": "x", "rank": 1.5}], "A", "rank of page 1: expected a whole number"),
        ([{"text": "x", "rank": True}], "A", "rank of page 1"),
        ([{"text": "x"}, {"text": "y", "rank": 1}], "A", "several pages have the rank 1"),
        (["x"], "", "name='Ann Lee'"),
        ([{"text": "x", "name": "A"}, {"text": "x", "name": "B"}], "", "2 names (A, B)"),
    ],
)
def test_pages_that_are_none_are_refused_with_a_remedy(pages, name, message):
    with pytest.raises(SourceError, match=re.escape(message)):
        package.cluster(pages, name=name)


def test_a_source_of_several_names_needs_one(tmp_path):
    for name in ("Ada_Lovell", "Bea_Lovell"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "1.html").write_text("<p>x")
    with pytest.raises(SourceError, match="choose one: name="):
        read_pages(tmp_path)
    assert read_pages(str(tmp_path), "bea lovell")[0].name == "Bea Lovell"


def test_the_name_given_is_one_of_the_source():
    with pytest.raises(SourceError, match="no results for 'Ann Lee'"):
        read_pages(resource_path("demo"), "Ann Lee")


def test_labels_are_in_the_order_of_the_pages_given(answer):
    turned = [{**row, "rank": rank} for rank, row in enumerate(ROWS, start=1)][::-1]
    backward = package.cluster(turned, name=NAME)
    assert backward.answer == answer.answer
    assert backward.labels.tolist() == answer.labels.tolist()[::-1]
    groups = {frozenset(np.flatnonzero(answer.labels == each) + 1) for each in answer.labels}
    assert groups == set(answer.clustering.groups)


def test_the_answer_to_a_folder_is_that_of_the_command(demo, weps, tmp_path):
    saved = demo.save(tmp_path / "ours")
    assert weps("cluster", resource_path("demo"), "--out", tmp_path / "theirs")[0] == 0
    for path in saved:
        theirs = (tmp_path / "theirs" / path.name).read_text("utf-8")
        if path.suffix == ".json":
            assert json.loads(theirs).pop("digest")
            theirs = re.sub(r'^ "digest".*\n', "", theirs, flags=re.MULTILINE)
        if path.suffix != ".html":  # that of the command has scores
            assert path.read_text("utf-8") == theirs
    assert package.read_result(saved[-1]).provenance.collections


def test_a_correction_makes_another_answer_in_which_people_keep_their_ids(demo, tmp_path):
    first, second = demo.people[:2]
    pages = [first.pages[0].rank, second.pages[0].rank]
    before = demo.clustering
    both = [page.rank for person in (first, second) for page in person.pages]
    united = demo.correct("same", both)
    assert demo.clustering == before
    assert len({united.labels[rank - 1] for rank in both}) == 1
    ids = {page.rank: each.id for each in demo.people for page in each.pages}
    kept = [any(ids[page.rank] == each.id for page in each.pages) for each in united.people]
    assert all(kept)
    renamed = united.correct("called", pages[0], name="Robin the Elder")
    assert renamed.people[0].label == "Robin the Elder"
    excluded = demo.correct("exclude", pages[0])
    assert excluded.labels[pages[0] - 1] == -1
    assert excluded.correct("keep", pages[0]).labels[pages[0] - 1] >= 0
    moved = demo.correct("move", pages[1], to=pages[0])
    assert moved.labels[pages[1] - 1] == moved.labels[pages[0] - 1]
    assert moved.explain(*pages).pair.said == "same"
    assert demo.correct("confirm", pages[0]).correct("different", pages)
    assert demo.correct("split", pages[0]).labels[pages[0] - 1] != demo.labels[pages[0] - 1]
    for changed in (united, excluded, moved):
        assert as_json(result_file(changed.with_corrections(demo.corrections))) == as_json(
            result_file(demo)
        )
    learnt = demo.correct("different", [page.rank for page in first.pages[:2]]).correct("learn")
    assert learnt.corrections.learn
    assert learnt.learning_effect() == ()
    renamed.save(tmp_path)
    kept = read_corrections(tmp_path / "Robin_Averdale.corrections.txt")
    assert kept.entries == renamed.corrections.entries
    assert set(kept.pages) == set(both)


MARKS = st.builds(
    Correction,
    st.sampled_from([kind for kind, each in CORRECTION_KINDS.items() if each.marks]),
    st.sets(st.integers(1, 3), min_size=1).map(lambda pages: (tuple(sorted(pages)),)),
    st.just("His son"),
).map(lambda mark: mark if CORRECTION_KINDS[mark.kind].longest else replace(mark, name=""))


@given(st.lists(MARKS), st.sampled_from(["same 1 3", "exclude 2", "learn", "threshold 0.9"]))
def test_marks_change_no_answer_and_undoing_them_restores_every_byte(answer, marks, line):
    """Alone and among corrections, added and read again, in results and when they are learnt."""
    corrected = answer.with_corrections(Corrections((parse_line(line),)))
    for before in (answer, corrected):
        entries = before.corrections.entries
        marked = before.with_corrections(Corrections((*entries, *marks)))
        again = build_answer(before.prepared, None, marked.corrections)
        for made in (marked.answer, again):
            assert replace(made, corrections=before.corrections) == before.answer
        assert marked.learning_effect() == before.learning_effect()
        assert marked.questions() == before.questions()
        undone = marked.with_corrections(Corrections(marked.corrections.entries[: len(entries)]))
        assert as_json(result_file(undone)) == as_json(result_file(before))
        text = [corrections_text(each.corrections) for each in (undone, before)]
        assert text[0] == text[1]


def test_marks_are_in_every_file_and_follow_their_pages(demo, tmp_path):
    rank = demo.people[0].pages[-1].rank
    made = demo.correct("note", rank, name="=His | son").correct("tag", [rank], name="chemist")
    made = made.correct("person-checked", rank).correct("person-note", rank, name="The elder")
    aside = demo.people[1].pages[0].rank
    made = made.correct("exclude", aside).correct("checked", aside)
    folder = tmp_path / "results"
    made.save(folder)
    stored = read_file(folder / "Robin_Averdale.json")
    person = stored.people[0]
    page = next(page for page in person.pages if page.rank == rank)
    assert (person.notes, person.tags, person.checked) == (("The elder",), (), True)
    assert (page.notes, page.tags, page.checked) == (("=His | son",), ("chemist",), False)
    assert next(page for page in stored.set_aside if page.rank == aside).checked
    assert stored.corrections == (f"exclude {aside}",)
    html = BeautifulSoup((folder / "Robin_Averdale.html").read_bytes(), "lxml")
    shown = {
        each.parent.get("id") or each.parent.parent["id"]: each.text
        for each in html.select(".marks")
    }
    told = {
        f"page-{rank}": "=His | sonchemist",
        f"page-{aside}": "Checked",
        "person-1": "The elderChecked",
    }
    assert shown == told
    row = next(row for row in made.to_arrow().to_pylist() if row["rank"] == rank)
    assert [row[key] for key in ("notes", "tags", "checked", "person_notes", "person_checked")] == [
        "=His | son",
        "chemist",
        False,
        "The elder",
        True,
    ]
    new = tmp_path / "Robin_Averdale"
    new.mkdir()
    (new / "1.html").write_text("<p>Robin Averdale is a chemist in Port Merrow.")
    updated, _ = package.update(read_result(folder / "Robin_Averdale.json"), new)
    assert updated.corrections.entries == made.corrections.entries
    assert updated.corrections.marks("page")([rank]).tags == ("chemist",)


@each_case(
    ("words", "message"),
    [
        (("joined", [1, 2]), "there is no correction 'joined'; did you mean 'join'"),
        (("same", [1, 9]), "there is no page 9"),
        (("same", []), "give pages"),
        (("move", [1]), "to= for move"),
        (("learn", [1]), "give none"),
        (("keep", [1]), "page 1 is not set aside"),
        (("called", 1), "called"),
    ],
)
def test_corrections_that_are_none_are_refused(answer, words, message):
    with pytest.raises(CorrectionsError, match=message):
        answer.correct(*words)


def test_any_two_pages_are_explained(demo):
    explained = next(iter(demo.answer.pairs))
    others = next(
        (one, two)
        for one in range(1, 31)
        for two in range(one + 1, 31)
        if (one, two) not in demo.answer.pairs
    )
    for pair in (explained, others[::-1]):
        found = demo.explain(*pair)
        assert found.pair.pages == tuple(sorted(pair))
        assert re.match(rf"Pages {min(pair)} and {max(pair)} are one person: \d+%\n", str(found))
        assert repr(found) == str(found)
    assert demo.explain(*explained).pair == demo.answer.pairs[explained]


@each_case(
    ("use", "message"),
    [
        (lambda _: package.cluster(["x"], name="A", also=5), "a person's name, got int"),
        (lambda _: package.cluster(["x"], name="A", also=[5]), "a person's name, got int"),
        (lambda found: found.correct("called", 1, name=5), "name: expected a text, got int"),
        (
            lambda found: found.correct("move", [1], to=[2]),
            "to: expected the rank of a page, got l",
        ),
    ],
)
def test_other_types_are_one_clear_error(answer, use, message):
    with pytest.raises(InputTypeError, match=message):
        use(answer)


@pytest.mark.parametrize("pair", [(1, 1), (1, 99), ("1", 2)])
def test_pages_that_are_not_there_are_not_explained(answer, pair):
    with pytest.raises(ValuesError, match="ranks of two pages"):
        answer.explain(*pair)


def test_tables_have_the_columns_of_the_csv_and_a_row_for_each_page(demo, monkeypatch):
    table = demo.to_arrow()
    assert table.column_names == list(PAGE_COLUMNS)
    assert pa.table(demo) == table
    assert dict(zip(table["rank"].to_pylist(), table["person"].to_pylist(), strict=True)) == {
        page.rank: person.id for person in demo.people for page in person.pages
    }
    for library in ("arrow", "pandas"):
        monkeypatch.setitem(sys.modules, library.replace("arrow", "pyarrow"), None)
        with pytest.raises(OutputError, match=f"{library} is not installed; pip install"):
            getattr(demo, f"to_{library}")()


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_data_frames_have_the_rows_of_the_table(demo, library):
    module = pytest.importorskip(library)
    frame = demo.to_pandas() if library == "pandas" else module.DataFrame(demo)
    assert list(frame.columns) == list(PAGE_COLUMNS)
    assert list(frame["rank"]) == demo.to_arrow()["rank"].to_pylist()
    assert package.cluster(frame[["url", "title"]], name="Robin Averdale").labels.shape == (30,)


def test_a_file_is_no_folder(answer, tmp_path):
    with pytest.raises(OutputError, match="expected a folder"):
        answer.save(tmp_path / "answer.html")
    assert (tmp_path / "new" / "Ada_Lovell.html") in answer.save(tmp_path / "new")


def test_what_notebooks_show_is_escaped_and_short():
    texts = [f"{HOSTILE} {NAME} {text}" for text in TEXTS]
    rows = [{"title": HOSTILE * 50, "text": text} for text in texts]
    made = package.cluster(rows, name=f"{NAME} {HOSTILE}").correct("called", 1, name=HOSTILE)
    shown = made._repr_html_()
    soup = BeautifulSoup(shown, "html.parser")
    assert not soup.find_all(["script", "img", "style", "a", "title"])
    assert not re.search("[\x00-\x09\x0b-\x1f\u202a-\u202e]", shown)
    assert len(soup.find_all("tr")) == 1 + len(made.people)
    assert "1 other person" in as_notebook_html(
        SimpleNamespace(name="A", people=made.people[:1] * 31, alternatives=None, set_aside=())
    )


def test_questions_lead_to_corrections_and_are_not_asked_again(demo):
    first, *others = demo.questions()
    assert len(others) == 4
    assert all(one < two for one, two in (first, *others))
    assert first not in demo.questions(5, asked=[first])
    changed = demo.correct("different", first)
    assert first not in changed.questions()


SUPPORT = {
    "weps._cache",
    "weps._isolation",
    "weps._lazy",
    "weps._files",
    "weps._options",
    "weps._parallel",
    "weps._version",
    "weps.errors",
    "weps.results",
    "weps.results.changes",
    "weps.results.stored",
    "weps.sources",
    "weps.systems",
}
"""Modules and packages that decide nothing: pages and the model are part of the digest."""


def test_the_digest_names_every_module_that_decides_a_result():
    program = "import sys, weps.results.result; print(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    modules = {name for name in run.stdout.split() if name.startswith("weps.")}
    known = (*DECIDING, *SUPPORT - {"weps.results"})
    below = tuple(f"{name}." for name in known)
    assert {name for name in modules if not name.startswith(below)} <= {*known, "weps.results"}
    assert not [name for name in DECIDING if name.startswith(("weps.cli", "weps.app", "weps.web"))]


def test_only_results_with_exports_depend_on_these(monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr(result_module, "source_digest", lambda *names: asked.append(names) or "0")
    for suffixes in ((".json", ".csv"), (".json", ".ged")):
        maker = ResultMaker(ResultOptions(), tmp_path, None, suffixes=suffixes)
        maker._digest(Search("Ann Lee", ()), tmp_path, Corrections(), "")
    assert asked == [DECIDING, (*DECIDING, "weps.results.exports")]


ABOUT = (
    "{0} is a marine biologist at the University of York who studies corals near Whitby.",
    "{0} plays for Leeds Rovers. The goalkeeper saved two penalties in the final in Hull.",
    "{0}, a watchmaker of Merrow, was born in 1821 and made clocks for the Royal Navy.",
    "Corals near Whitby. The marine biologist {0} of the University of York measures them.",
    "Leeds Rovers won the final in Hull. Their goalkeeper {0} saved two penalties.",
    "Museum of clocks: a clock by {0} (born 1821), watchmaker in Merrow, for the Royal Navy.",
)
"""Pages about a biologist, a goalkeeper and a watchmaker, each about one of them."""


@each_case(
    "name",
    "Ann Lee,Nguyễn Văn An,Søren Kjær,María José Ñúñez,Séamus Ó Briain,Jan van der Berg,Li He,"
    "محمد الأحمد,王伟,Ольга Петрова,สมชาย ใจดี,Sukarno".split(","),
)
def test_the_same_pages_about_another_name_are_of_the_same_people(name):
    found = package.cluster([page.format(name) for page in ABOUT], name=name)
    places = found.labels.tolist()
    assert [places.index(place) for place in places] == [0, 1, 2, 0, 1, 2]
    assert {person.description.stated.removeprefix(name)[:14] for person in found.people} == {
        " – marine biol",
        " – goalkeeper",
        " (born 1821) –",
    }
