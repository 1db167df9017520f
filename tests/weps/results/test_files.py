"""The page and the table of all names of a folder."""

from __future__ import annotations

import csv
import os
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from tests.cases import each_case
from tests.weps.answers import answer_of
from weps._cache import Cache
from weps.corrections.model import Correction, Corrections
from weps.language.analysis import Layer
from weps.people.answer import Answer, PersonDescription
from weps.people.context import find_context_entities
from weps.reading import PageForm, Reader
from weps.records import Collection, Page, Provenance, Search, UnreadInput
from weps.report.view import Report
from weps.results import files
from weps.sources.opening import open_source

PLACE = Provenance((Collection("../pages", "x"),))
EVIL = "<script>alert(1)</script>"


def write(folder: Path, identifier: str, answer: Answer) -> None:
    files.write_report(Report(answer, provenance=PLACE), identifier, folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Results of three names, one of which is damaged."""
    folder = tmp_path / "out"
    labelled = [
        replace(person, description=PersonDescription((EVIL,)))
        for person in answer_of({1, 2}, {3}, {4}, {5}, nearest={3: 1}).people
    ]
    line = PersonDescription(stated="Zoë Case – printer")
    labelled[1] = replace(labelled[1], description=line)
    unread = (UnreadInput("a.png", "not a page"),) * 2
    many = answer_of(name="Zoë Case", cautions=("A caution.",), unread=unread)
    corrections = Corrections((Correction("same", ((1, 2),)), Correction("keep", ((5,),))))
    zoe = replace(many, people=tuple(labelled), corrections=corrections)
    write(folder, "Zoë_Case", zoe)
    write(folder, "ann_lee", answer_of({7}, name="ann lee"))
    write(folder, "Bad", answer_of({1}))
    (folder / "Bad.json").write_text("{}")
    return folder


def test_all_names_are_in_order_with_what_is_to_be_known_of_them(folder):
    page_path, table_path = files.write_index(folder)
    text = page_path.read_text("utf-8")
    page = BeautifulSoup(text, "lxml")
    rows = {row.th.a.text: row for row in page.select("tbody tr")}
    assert list(rows) == ["ann lee", "Bad", "Zoë Case"]
    assert "not a result" in rows["Bad"].text
    zoe = rows["Zoë Case"]
    figures = [f"{cell.text} {cell['data-label']}" for cell in zoe.select("td[data-label]")]
    assert figures == ["5 pages", "4 people", "1 unsure page", "1 remark", "2 corrections"]
    assert "2 inputs could not be read" in zoe.text
    assert zoe.select_one("td[title]")["title"] == "A caution."
    assert "· printer (1)" in zoe.text  # below the name
    assert "and 1 other person" in zoe.text
    links = [a["href"] for a in zoe.select("a")]
    assert links == ["Zo%C3%AB_Case.html", *(f"Zo%C3%AB_Case.html#person-{n}" for n in (1, 2, 3))]
    assert [each.text for each in page.select(".figures b")] == ["6", "5"]
    assert EVIL not in text
    assert page.find("meta", {"http-equiv": "Content-Security-Policy"})
    assert not page.select("img, link, [src]")
    rows = list(csv.DictReader(table_path.read_text("utf-8").splitlines()))
    assert [(row["name"], row["person"], row["pages"], row["best_score"]) for row in rows] == [
        ("ann lee", "1", "1", "0.9"),
        ("Zoë Case", "1", "2", "0.9"),
        ("Zoë Case", "2", "1", "0.4"),
        ("Zoë Case", "3", "1", "0.9"),
        ("Zoë Case", "4", "1", "0.9"),
    ]
    assert (rows[1]["label"], rows[1]["report"]) == (EVIL, "Zoë_Case.html")


def test_the_same_results_give_the_same_bytes_anywhere(folder, tmp_path):
    before = [path.read_bytes() for path in files.write_index(folder)]
    elsewhere = folder.rename(tmp_path / "elsewhere")
    assert [path.read_bytes() for path in files.write_index(elsewhere)] == before


def test_an_index_follows_its_results_and_goes_with_the_last(folder):
    files.update_index(folder)
    assert not (folder / "index.html").exists()
    page, table = files.write_index(folder)
    write(folder, "ann_lee", answer_of({7}, {8}, {9}, name="ann lee"))
    files.update_index(folder)
    assert 'data-label="people">3<' in page.read_text("utf-8")
    for path in folder.glob("*.json"):
        path.unlink()
    files.update_index(folder)
    assert not page.exists()
    assert not table.exists()


@each_case(
    ("change", "is_written"),
    [
        (lambda _: None, False),
        (lambda folder: (folder / "Zoë_Case.json").touch(), True),
        (lambda folder: (folder / "Zoë_Case.json").unlink(), True),
        (lambda folder: (folder / "Zoë_Case.html").unlink(), True),
        (lambda folder: (folder / "people.csv").unlink(), True),
        (lambda folder: write(folder, "Bo_Wu", answer_of({1})), True),
    ],
)
def test_an_index_is_written_again_where_a_result_has_changed(folder, tmp_path, change, is_written):
    place = Path(tempfile.mkdtemp(dir=tmp_path))
    for path in folder.iterdir():
        if not path.name.startswith("Bad"):
            os.utime(shutil.copy(path, place), (1, 1))
    (page, _) = files.write_index(place)
    before = page.stat().st_ino
    change(place)
    files.write_index(place)
    assert (page.stat().st_ino != before) == is_written


@pytest.mark.parametrize("name", ["index.html", "people.csv"])
def test_files_of_others_are_never_replaced(folder, name):
    (folder / name).write_text("mine")
    assert files.write_index(folder) == ()
    files.update_index(folder)
    assert (folder / name).read_text() == "mine"
    assert not {"index.html", "people.csv"} - {name} & {path.name for path in folder.iterdir()}


def test_an_index_is_no_page_and_pages_called_index_are(folder):
    files.write_index(folder)
    pages = folder / "pages" / "Ann_Lee"
    pages.mkdir(parents=True)
    (pages / "index.html").write_text("<p>Ann Lee")
    assert open_source(folder / "pages").names == ("Ann_Lee",)
    (page,) = open_source(pages).search("Ann Lee").pages
    assert page.read_content() == b"<p>Ann Lee"
    (folder / "pages" / "index.html").write_bytes((folder / "index.html").read_bytes())
    assert open_source(folder / "pages").names == ("Ann_Lee",)


def search(*texts: str) -> Search:
    pages = (Page(rank, content=f"<p>{text}".encode()) for rank, text in enumerate(texts, start=1))
    return Search("Ann Lee", tuple(pages))


MINE = search("Ann Lee met Tom Fox in Oslo.", "Ann Lee sings.", "Nobody.")
OTHERS = search("Ann Lee of Bergen.", "Ann Lee sings loudly.")


def read(pages: Search, cache: Cache) -> None:
    """Everything that is ever kept of pages."""
    analysis = Reader(cache=cache).read(pages, PageForm.PAGES, tuple(Layer))
    find_context_entities(analysis, Reader().language, cache)


def test_pages_are_forgotten_at_any_rank_but_not_what_others_need(tmp_path):
    cache = Cache(tmp_path / "cache")
    read(OTHERS, cache)
    others = cache.usage().entries
    read(MINE, cache)
    mine = cache.usage().entries - others
    assert mine > len(MINE.pages) * len(Layer)
    moved = [Page(page.rank + 7, content=page.content) for page in reversed(MINE.pages)]
    assert files.forget_pages(Search(MINE.name, tuple(moved)), Reader(cache=cache)) == mine
    assert cache.usage().entries == others
    assert (
        files.forget_pages(MINE, Reader(cache=cache)) == 3
    )  # read once more, to know what to forget
    assert cache.usage().entries == others


@pytest.mark.parametrize("pages", [MINE, Search("Ann Lee", ())])
def test_without_cache_or_pages_there_is_nothing_to_forget(pages):
    assert files.forget_pages(pages, Reader()) == 0


def test_a_missing_pipeline_costs_only_what_it_made(tmp_path):
    cache = Cache(tmp_path / "cache")
    Reader(cache=cache).read(MINE, PageForm.PAGES)
    assert files.forget_pages(MINE, Reader("no_such_pipeline", cache)) == 3


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("Ann Lee", 0),
        ("ÉMILE Noël", 1),
        ("田中 太郎", 1),
        ("An Lee", 2),
        ("Ann", 0),
        ("", 2),
        (".", 2),
    ],
)
def test_what_mentions_a_name_is_forgotten_in_any_case(tmp_path, name, left):
    cache = Cache(tmp_path / "cache")
    texts = search("ANN LEE knew émile noël.", "Ann Lee and 田中太郎さん.")
    reader = Reader(cache=cache)
    reader.read(texts, PageForm.PAGES)
    assert files.forget_mentions(name, reader) == 2 - left
    assert cache.usage().entries == left
    assert files.forget_mentions(name, Reader()) == 0
