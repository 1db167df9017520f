"""Corrections made in a report on disk: the file that it offers says what was clicked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.made import Made
from weps.corrections import operations
from weps.corrections.file import parse_corrections
from weps.corrections.model import Corrections

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.browser.report_page import ReportPage

FILE = "Robin_Averdale.corrections.txt"


def _saved(report: ReportPage) -> Corrections:
    """What the file says that the page offers."""
    report.click("#save")
    text = report.browser.downloaded(FILE)
    assert text == report.find("#file").get_attribute("value")
    return parse_corrections(text)


def _card(report: ReportPage, rank: int) -> str:
    return next(row.card for row in report.view().rows if row.rank == rank)


def test_nothing_is_offered_before_something_is_selected(report: ReportPage) -> None:
    assert not report.visible("#correcting")
    report.pick(1)
    assert report.visible("#correcting")
    report.click("#clear")
    assert not report.visible("#correcting")


def test_two_people_are_the_same(report: ReportPage, demo: Made) -> None:
    first, second, *_ = demo.people
    report.pick_people(_card(report, first[0]), _card(report, second[0]))
    report.act("same")
    assert _saved(report).entries == operations.mark_same(Corrections(), first + second).entries


@pytest.mark.parametrize("whole", [True, False])
def test_two_people_or_pages_are_not_the_same(report: ReportPage, demo: Made, whole: bool) -> None:
    people = demo.people
    if whole:
        pages = people[0] + people[1]
        report.pick_people(*(_card(report, ranks[0]) for ranks in people[:2]))
    else:
        pages = people[0][:2]
        report.pick(*pages)
    report.act("different")
    assert _saved(report).entries == operations.mark_different(Corrections(), pages, people).entries


def test_some_pages_are_somebody_else(report: ReportPage, demo: Made) -> None:
    people = demo.people
    report.pick(*people[0][:2])
    report.act("split")
    assert (
        _saved(report).entries
        == operations.split_pages(Corrections(), people[0][:2], people).entries
    )


@pytest.mark.parametrize("pages", [1, 2])
def test_pages_move_to_another_person(report: ReportPage, demo: Made, pages: int) -> None:
    people = demo.people
    moved, target = people[0][:pages], people[1][0]
    report.pick(*moved)
    report.choose_entry("#to", str(target))
    report.act("move")
    assert (
        _saved(report).entries
        == operations.move_pages(Corrections(), moved, target, people).entries
    )


@pytest.mark.parametrize("which", ["a person", "a page", "a page alone"])
def test_what_stands_right_is_confirmed(report: ReportPage, demo: Made, which: str) -> None:
    people = demo.people
    pages = {"a person": people[0], "a page": people[0][:1], "a page alone": people[-1]}[which]
    report.pick(*pages)
    report.act("confirm")
    told = (page for person in demo.answer.people for page in person.pages)
    closest = {page.rank: page.closest.rank for page in told if page.closest}
    wanted = operations.confirm_pages(Corrections(), pages, people, closest)
    assert _saved(report).entries == wanted.entries


def test_a_person_is_called_something_else(report: ReportPage, demo: Made) -> None:
    name = "The <b>harbour</b> master’s “son” / 7 # no comment"
    ranks = demo.people[1]
    report.pick_people(_card(report, ranks[0]))
    report.type("#called", f"  {name.replace(' ', '  ')} ")
    report.act("rename")
    assert _saved(report).entries == operations.rename_person(Corrections(), ranks[0], name).entries
    assert not report.browser.run("return document.querySelectorAll('#said b').length")


def test_the_file_tells_which_pages_were_meant(report: ReportPage, demo: Made) -> None:
    report.pick(1, 2)
    report.act("same")
    marks = _saved(report).pages
    assert set(marks) == {1, 2}
    assert {rank: mark.fingerprint for rank, mark in marks.items()} == dict(
        zip((1, 2), demo.pages.fingerprints[:2], strict=True)
    )


def test_undo_takes_the_last_one_back(report: ReportPage) -> None:
    for pages in ((1, 2), (3, 4)):
        report.pick(*pages)
        report.act("same")
    report.click("#undo")
    assert [each.same for each in _saved(report).entries] == [(1, 2)]
    report.click("#undo")
    assert not report.visible("#correcting")


def test_corrections_of_another_cut_are_of_the_people_shown_there(report: ReportPage) -> None:
    report.slide(report.most)
    ranks = report.view().shown
    report.pick(1)
    report.act("split")
    (said,) = _saved(report).entries
    assert said.groups == ((1,), tuple(ranks[1:]))


def test_corrections_that_were_applied_are_shown_and_kept(
    open_report: Callable[[str], ReportPage], corrected: Made
) -> None:
    page = open_report("corrected")
    said = corrected.answer.corrections
    assert len(page.texts("#said li")) == len(said.entries)
    assert any("Harbour <i>master</i>" in text for text in page.texts(".card .choose"))
    pages = [person[0] for person in corrected.people if len(person) > 1][:2]
    page.pick(*pages)
    page.act("same")
    assert _saved(page).entries == operations.mark_same(said, pages).entries
