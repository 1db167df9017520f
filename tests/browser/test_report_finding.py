"""Finding one's way: search, filters, one person at a time, addresses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tests.browser.made import Made
from weps.report.view import Report
from weps.report.writing import write_report

if TYPE_CHECKING:
    from tests.browser.report_page import ReportPage


def _largest(report: ReportPage) -> tuple[str, frozenset[int]]:
    return max(report.view().people.items(), key=lambda item: len(item[1]))


def test_what_is_typed_is_found_in_titles(report: ReportPage, demo: Made) -> None:
    titles = {page.rank: page.title for person in demo.answer.people for page in person.pages}
    word = max(titles[1].split(), key=len)
    report.type("#find", f" {word.upper()} ")
    found = report.view().shown
    assert {rank for rank, title in titles.items() if word in title} <= set(found)
    assert 0 < len(found) < len(titles)
    assert report.texts("#found") == [f"{len(found)} of {len(titles)} pages"]
    report.type("#find", "no page says this")
    assert report.view().shown == []
    assert report.visible("#none")


def test_a_label_finds_all_pages_of_the_person(report: ReportPage) -> None:
    card, ranks = _largest(report)
    report.type("#find", report.texts(f"#{card} .choose")[0])
    assert ranks <= set(report.view().shown)


def test_the_filter_leaves_unsure_pages(report: ReportPage, demo: Made) -> None:
    pages = [page for person in demo.answer.people for page in person.pages]
    report.click("#only-unsure")
    assert set(report.view().shown) == {page.rank for page in pages if page.unsure}
    report.click("#only-unsure")
    assert len(report.view().shown) == len(pages)


def test_pages_can_be_looked_through_from_the_least_sure_on(report: ReportPage, demo: Made) -> None:
    pages = [page for person in demo.answer.people for page in person.pages]
    ranks = sorted(page.rank for page in pages)
    report.click("#least-sure")
    assert report.view().shown == [
        page.rank for page in sorted(pages, key=lambda page: (page.score, page.rank))
    ]
    report.click("#least-sure")
    assert report.view().shown == ranks


def test_the_filter_leaves_pages_with_a_problem_where_there_are_any(
    report: ReportPage, open_url: Callable[[str], ReportPage], demo: Made, tmp_path: Path
) -> None:
    assert not report.visible("#only-noted")
    first, *others = demo.answer.people
    pages = (replace(first.pages[0], note="cut short"), *first.pages[1:])
    answer = replace(demo.answer, people=(replace(first, pages=pages), *others))
    files = write_report(Report(answer), "Noted", tmp_path)
    page = open_url(next(file for file in files if file.suffix == ".html").as_uri())
    page.click("#only-noted")
    assert page.view().shown == [pages[0].rank]


def test_choosing_a_person_leaves_the_pages_of_the_person(report: ReportPage) -> None:
    card, ranks = _largest(report)
    everything = report.view().shown
    report.choose_person(card)
    assert set(report.view().shown) == ranks
    assert report.find(f"#{card} .choose").get_attribute("aria-current") == "true"
    report.click("#all")
    assert report.view().shown == everything


def test_a_chip_leads_to_its_person(report: ReportPage) -> None:
    row = report.view().rows[0]
    report.click(f"#page-{row.rank} .place > .chip")
    assert set(report.view().shown) == report.view().people[row.card]


def test_an_address_can_name_a_person(report: ReportPage) -> None:
    card, ranks = _largest(report)
    report.load(f"#{card}")
    assert set(report.view().shown) == ranks


def test_going_back_shows_what_was_there(report: ReportPage) -> None:
    card, _ = _largest(report)
    report.choose_person(card)
    report.browser.driver.back()
    report.browser.until("!document.querySelector('.choose[aria-current]')")
    assert len(report.view().shown) == len(report.view().rows)
