"""Shortcuts of one letter, in a report on disk and in an index of many names; how that is used."""

import pytest

from tests.weps.answers import answer_of
from weps.report.view import Report
from weps.results.files import write_index, write_report

FOCUSED = "return document.activeElement.closest('.row')?.id"


def press(page, *keys):
    for key in keys:
        page.browser.driver.switch_to.active_element.send_keys(key)


def test_pages_are_gone_through_selected_and_corrected_without_a_mouse(report):
    ranks = [row.rank for row in report.view().rows if row.shown]
    press(report, "j", "j", "j", "k")
    assert report.browser.run(FOCUSED) == f"page-{ranks[1]}"
    outline = "return getComputedStyle(document.activeElement).outlineStyle"
    assert report.browser.run(outline) != "none"
    press(report, " ", "j", "j", " ")
    assert "2 pages of" in report.texts("#selection")[0]
    press(report, "s")
    chosen = sorted((ranks[1], ranks[3]))
    said = "return [...document.querySelectorAll('#said li')].map((line) => line.dataset.line)"
    assert report.browser.run(said) == [f"same {chosen[0]} {chosen[1]}"]
    press(report, "j", "u")
    assert report.browser.run(said) == []
    press(report, "d")  # nothing is selected
    assert report.browser.run(said) == []
    assert report.browser.complaints() == []


def test_at_the_end_of_a_portion_the_next_one_is_shown(open_report):
    page = open_report("portioned")
    press(page, *"jjjjjjjj")
    shown = page.browser.run(
        "return [...document.querySelectorAll('#view-pages .rows > .row')].map((row) => row.id)"
    )
    assert len(shown) == 14
    assert page.browser.run(FOCUSED) == shown[7]


@pytest.mark.parametrize("field", ["#find", "#called", "#to"])
def test_letters_typed_in_a_field_stay_there(report, field):
    report.pick(1)
    report.browser.run("document.querySelector(arguments[0]).focus()", field)
    press(report, "j", "s", "?")
    assert report.browser.run("return document.activeElement.matches(arguments[0])", field)
    assert not report.visible("dialog")
    if field != "#to":
        assert report.find(field).get_property("value") == "js?"


def test_the_keys_are_listed_and_can_be_turned_off(report):
    press(report, "?")
    listed = dict(zip(report.texts("#shortcuts dt"), report.texts("#shortcuts dd"), strict=True))
    assert {"j", "k", "Space", "s", "d", "u", "?"} <= listed.keys()
    assert report.browser.barriers() == []
    with report.browser.emulating(scheme="dark"):
        assert report.browser.barriers("color-contrast") == []
    report.click("#shortcuts input")
    press(report, "j")
    report.press_escape()
    report.load()  # it is remembered
    press(report, "j", "?")
    assert report.browser.run(FOCUSED) is None
    assert not report.visible("dialog")
    assert not report.visible("[aria-keyshortcuts]")
    report.click("#keys")
    report.click("#shortcuts input")
    report.press_escape()
    press(report, "j")
    assert report.browser.run(FOCUSED)


def test_keys_of_the_browser_are_left_to_it(report):
    prevented = """
    const always = {key: arguments[0], cancelable: true, bubbles: true};
    const event = new KeyboardEvent("keydown", {...always, ...arguments[1]});
    document.body.dispatchEvent(event);
    return event.defaultPrevented;
    """
    for held in ("ctrlKey", "altKey", "metaKey"):
        assert not report.browser.run(prevented, "j", {held: True})
    assert report.browser.run(prevented, "j", {})
    for key in ("s", "x", "/", "Tab"):  # nothing is selected
        assert not report.browser.run(prevented, key, {})


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    """Forty names, the first of fewer pages than the last."""
    folder = tmp_path_factory.mktemp("index")
    for number in range(1, 41):
        made = answer_of(set(range(number)), {100}, name=f"Ann {number}")
        write_report(Report(made), f"Ann_{number}", folder)
    return write_index(folder)[0]


def test_an_index_is_sorted_searched_and_gone_through(index, open_url):
    page = open_url(index.as_uri())
    names = "return [...document.querySelectorAll('.names tbody tr')]" + (
        ".filter((row) => row.checkVisibility()).map((row) => row.querySelector('bdi').textContent)"
    )
    assert page.browser.run(names) == [f"Ann {number}" for number in range(1, 41)]
    page.click(".names thead th:nth-child(2) button")
    assert page.browser.run(names)[:2] == ["Ann 40", "Ann 39"]
    page.type("#filter", "ann 1")
    assert page.browser.run(names)[0] == "Ann 19"
    assert page.texts("#matching") == ["11 of 40"]
    page.browser.run("document.activeElement.blur()")
    press(page, "j", "j")
    assert page.browser.run("return document.activeElement.textContent") == "Ann 18"
    assert page.browser.barriers() == []
    with page.browser.emulating(scheme="dark"):
        assert page.browser.barriers("color-contrast") == []
    with page.browser.emulating((390, 844)):
        assert page.browser.run("return document.documentElement.scrollWidth") <= 390
    page.load()  # it is remembered
    assert page.browser.run(names)[0] == "Ann 19"
    assert page.browser.complaints() == []
