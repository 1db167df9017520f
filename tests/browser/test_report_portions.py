"""Reports of many pages: the script makes what is looked at, and shows a portion at a time."""

import re

import pytest

_EVERY = (
    "return Object.fromEntries([...document.querySelectorAll(arguments[0])]"
    ".map((element) => [element.id, element.outerHTML]))"
)


@pytest.fixture
def portioned_report(open_report):
    return open_report("portioned")


def _made(page, kind):
    """The elements of a kind by id, without what only one of the two kinds of reports needs."""
    found = page.browser.run(_EVERY, kind)
    for irrelevant in (
        r'<a class="reason".*?</a>',  # leads to a pair where there is no script
        r'<(div class="near|ol).*?</(div|ol)>',  # filled when it is unfolded
        r' (hidden|rel|title|aria-hidden|preserveAspectRatio|viewBox|data-\w+)="[^"]*"',
        r"\s",
    ):
        found = {
            each: re.sub(irrelevant, "", html, flags=re.DOTALL) for each, html in found.items()
        }
    return {each: "".join(sorted(re.split("(?=[< ])", html))) for each, html in found.items()}


@pytest.mark.parametrize("kind", [".row", ".card", ".ties > .tie"])
def test_what_the_script_makes_is_what_templates_make(open_report, kind):
    made = []
    for which in ("demo", "packed"):
        page = open_report(which)
        page.look("view-ties")
        for card in page.view().cards:
            page.browser.run("document.querySelector(arguments[0]).click()", f"#{card} .choose")
        page.click("#all")
        made.append(_made(page, kind))
    assert made[0].keys() == made[1].keys()
    for each, html in made[0].items():
        assert html == made[1][each]


def test_a_portion_is_shown_and_more_on_request(portioned_report, portioned):
    page, ranks = portioned_report, sorted(portioned.pages.ranks)
    assert page.view().shown == ranks[:7]
    assert page.texts("#view-pages .portions span") == [f"1 to 7 of {len(ranks)} pages"]
    more, everything = "#view-pages .portions button", "#view-pages .portions button:last-child"
    page.click(more)
    assert page.view().shown == ranks[:14]
    assert page.browser.run("return document.activeElement.closest('.row').dataset.rank") == str(
        ranks[7]
    )
    page.click(everything)
    assert page.view().shown == ranks
    assert not page.visible("#view-pages .portions")


def test_everything_can_be_found(portioned_report, portioned):
    page = portioned_report
    last = max(portioned.answer.people[-1].pages, key=lambda each: each.rank)
    page.type("#find", last.title)
    assert last.rank in page.view().shown
    assert f"person-{portioned.answer.people[-1].id}" in page.view().cards


def test_a_link_leads_to_a_page_beyond_the_portion(portioned_report, portioned):
    rank = max(portioned.pages.ranks)
    for anchor in (f"#page-{rank}", f"#tie-{'-'.join(map(str, max(portioned.answer.pairs)))}"):
        portioned_report.load(anchor)
        assert portioned_report.visible(anchor)
    portioned_report.load()
    portioned_report.choose_person("person-1")
    links = portioned_report.texts(".relations .on a")
    portioned_report.click(f".relations .on a[href='#page-{links[-1]}']")
    assert portioned_report.visible(f"#page-{links[-1]}")


def test_a_selection_is_kept_where_it_is_not_shown(portioned_report, portioned):
    page, ranks = portioned_report, sorted(portioned.pages.ranks)
    page.pick(ranks[0])
    page.type("#find", "no page says this")
    page.type("#find", " ")
    assert page.find(f"#page-{ranks[0]} > .pick").is_selected()
    page.click("#clear")
    assert not page.find(f"#page-{ranks[0]} > .pick").is_selected()


def test_without_script_it_says_what_is_missing(portioned_report):
    page = portioned_report
    assert not page.visible("#unpacking")
    with page.browser.emulating(script=False):
        page.browser.open(page.address)
        assert "needs JavaScript" in page.texts("#unpacking")[0]
        assert page.visible("#unpacking")
