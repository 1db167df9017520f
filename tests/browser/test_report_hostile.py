"""Titles, snippets, texts and names full of mark-up and script stay text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.browser.hostile import ATTACKS
from weps.report.safe_text import clean_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.browser.made import Made
    from tests.browser.report_page import ReportPage

LONGEST = 120
ALLOWED = set(
    """html head meta title style body a p h1 h2 h3 h4 ul ol li b i q small bdi mark kbd span div
    dl dt dd code output label input button select option datalist textarea form header main
    section article nav footer dialog details summary script svg g path rect circle text""".split()
)


@pytest.fixture(scope="module")
def page(open_report: Callable[[str], ReportPage]) -> ReportPage:
    """The report, after everything in it was used."""
    page = open_report("hostile")
    page.open_details()
    page.sweep()
    page.browser.run("""for (const button of document.querySelectorAll(".draw")) {
        button.click();
        button.ownerDocument.querySelector("dialog").close();
    }""")
    page.type("#find", ATTACKS[0])
    page.type("#find", " ")
    page.pick(1, 2)
    page.act("same")
    page.pick(3)
    page.type("#called", ATTACKS[2])
    page.act("rename")
    page.open_details()
    return page


def test_no_script_of_theirs_has_run(page: ReportPage) -> None:
    assert page.browser.run("return window.pwned === undefined")
    assert page.browser.complaints() == []
    assert page.browser.requests() == [page.address]


def test_no_element_or_attribute_is_theirs(page: ReportPage) -> None:
    elements = set(
        page.browser.run("""return [...document.querySelectorAll("*")].map((e) =>
        e.localName)""")
    )
    assert elements <= ALLOWED
    names = set(
        page.browser.run("""return [...document.querySelectorAll("*")].flatMap((e) =>
        e.getAttributeNames())""")
    )
    assert not {name for name in names if name.startswith("on") or name in {"src", "srcdoc"}}
    assert page.browser.run("return document.scripts.length") == 2
    assert page.browser.run("return document.querySelectorAll('style, meta').length") == 6


def test_links_lead_to_the_web_or_within_the_page(page: ReportPage) -> None:
    links = page.browser.run("""return [...document.querySelectorAll("[href]")].map((e) =>
        e.getAttribute("href"))""")
    assert all(re.match(r"https?://|#|blob:", link) for link in links)


def test_an_address_with_a_broken_end_opens_the_report(
    open_url: Callable[[str], ReportPage], hostile: Made
) -> None:
    for end in ("%E0%A4%A", "__proto__", "numbers", "tie-1-999", '"]<b>'):
        page = open_url(f"{hostile.html.as_uri()}#{end}")
        page.browser.ready()
        assert page.browser.complaints() == []


def test_what_they_wrote_can_be_read(page: ReportPage, hostile: Made) -> None:
    pages = [page for person in hostile.answer.people for page in person.pages]
    titles = [clean_text(page.title) for page in sorted(pages, key=lambda page: page.rank)]
    for title, told in zip(titles, page.texts(".row .title"), strict=True):
        assert told == title or (told[-1] == "…" and title.startswith(told[:-1]))
        assert len(told) <= LONGEST


def test_nothing_is_turned_or_hidden(page: ReportPage) -> None:
    text = page.browser.run("return document.documentElement.textContent")
    assert not re.search("[\u200b\u202a-\u202e\u2066-\u2069\ufeff]", text)
    assert page.visible("h1")
    assert page.browser.run("return [...document.querySelectorAll('.row')].length") == len(
        page.view().shown
    )
