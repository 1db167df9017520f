"""A report opened from disk: quiet, self-contained, for every eye and every paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.made import Made

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.browser.report_page import ReportPage

PHONE = (390, 844)
VIEWS = ("view-pages", "view-tree", "view-ties")
FEW = "details:not(:nth-child(n + 5 of .row, .card) *)"
TOOLS = ("#cut", "#tools", "#views", ".pick")


@pytest.mark.parametrize("which", ["demo", "corrected", "real", "hostile"])
def test_it_opens_without_a_word_and_asks_for_nothing(
    open_report: Callable[[str], ReportPage], which: str
) -> None:
    page = open_report(which)
    assert page.browser.complaints() == []
    assert page.browser.requests() == [page.address]


def test_it_shows_the_answer_first(report: ReportPage, demo: Made) -> None:
    view = report.view()
    assert view.partition == demo.partition
    assert view.shown == sorted(demo.pages.ranks)
    assert sorted(view.cards) == sorted(view.people)


@pytest.mark.parametrize("which", ["demo", "real", "hostile"])
def test_nothing_is_wider_than_a_phone(
    open_report: Callable[[str], ReportPage], which: str
) -> None:
    page = open_report(which)
    with page.browser.emulating(PHONE):
        page.choose_person("person-1")
        page.open_details()
        for view in VIEWS:
            page.look(view)
            assert page.browser.run("return document.documentElement.scrollWidth") <= PHONE[0]


def test_without_script_it_still_tells_everything(report: ReportPage, demo: Made) -> None:
    with report.browser.emulating(script=False):
        report.browser.open(report.address)
        # The driver's own scripts run all the same.
        assert not any(map(report.visible, [*TOOLS, "#correcting"]))
        assert report.view().partition == demo.partition
        assert report.visible(".tie")


def test_on_paper_there_are_pages_and_people_but_no_tools(report: ReportPage) -> None:
    report.pick(1)
    assert all(map(report.visible, [*TOOLS, "#correcting"]))
    with report.browser.emulating(media="print"):
        assert not any(map(report.visible, [*TOOLS, "#correcting"]))
        assert report.visible(".card")
        assert report.view().shown == sorted(row.rank for row in report.view().rows)


def test_the_dark_scheme_is_dark(report: ReportPage) -> None:
    colours = "return ['color', 'backgroundColor'].map((c) => getComputedStyle(document.body)[c])"
    light = report.browser.run(colours)
    with report.browser.emulating(scheme="dark"):
        assert [sum(map(int, c[4:-1].split(","))) > 382 for c in report.browser.run(colours)] == [
            True,
            False,
        ]
    assert report.browser.run(colours) == light


@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_no_barrier(report: ReportPage, view: str) -> None:
    report.choose_person("person-1")
    report.open_details(FEW)
    report.pick(report.view().shown[0])
    report.look(view)
    _no_barrier(report)


def test_axe_finds_no_barrier_in_the_network(report: ReportPage, demo: Made) -> None:
    report.draw_network(next(each.id for each in demo.answer.people if each.description.names))
    _no_barrier(report)


def _no_barrier(report: ReportPage) -> None:
    assert report.browser.barriers() == []
    with report.browser.emulating(scheme="dark"):
        assert report.browser.barriers("color-contrast") == []


def test_the_keyboard_alone_reaches_everything(report: ReportPage) -> None:
    for stop in ("#slider", ".card .choose", "#find", ".row .pick", "a.title", ".why > summary"):
        assert report.tab_to(stop), stop
