"""Why here: what pages share, the tree, the network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.browser.made import Made
from weps.report.safe_text import clean_text

if TYPE_CHECKING:
    from tests.browser.report_page import ReportPage


def _shared(report: ReportPage, where: str) -> set[str]:
    return set(report.texts(f"{where} q"))


def test_why_here_shows_what_the_closest_page_and_the_rival_share(
    report: ReportPage, demo: Made
) -> None:
    person = max(demo.answer.people, key=lambda each: len(each.pages))
    page = person.pages[0]
    report.unfold(f"#page-{page.rank} .why")
    for kind, near in (("closest", page.closest), ("rival", page.rival)):
        where = f"#page-{page.rank} .{kind}"
        assert near is not None
        pair = demo.answer.pairs[min(page.rank, near.rank), max(page.rank, near.rank)]
        told = {clean_text(s.strip("· ")) for each in pair.evidence for s in each.shared}
        assert _shared(report, where) <= told
        assert bool(_shared(report, where)) == bool(told)
        assert str(near.rank) in report.texts(f"{where} p a")[0]


def test_rarity_is_told(report: ReportPage, demo: Made) -> None:
    pages = len(demo.pages.ranks)
    report.open_details()
    assert any(f" of {pages} pages" in text for text in report.texts(".why small"))


def test_why_here_follows_the_slider(report: ReportPage) -> None:
    report.open_details()
    report.slide(0)
    assert not report.visible(".why .closest")
    report.slide(report.most)
    assert report.visible(".why .closest")
    assert not report.visible(".why .rival")


def test_a_card_tells_the_ties_that_made_it(report: ReportPage, demo: Made) -> None:
    person = max(demo.answer.people, key=lambda each: len(each.pages))
    report.choose_person(f"person-{person.id}")
    report.unfold(f"#person-{person.id} .together")
    ties = report.texts(f"#person-{person.id} .together li .level")
    assert len(ties) == len(person.pages) - 1


def test_every_explained_pair_can_be_read(report: ReportPage, demo: Made) -> None:
    report.look("view-ties")
    assert len(report.texts(".ties > .tie")) == len(demo.answer.pairs)


def test_the_tree_has_a_leaf_for_every_page_and_a_line_that_moves(
    report: ReportPage, demo: Made
) -> None:
    report.look("view-tree")
    assert report.visible("#tree")
    assert len(report.texts("#tree .leaf")) == len(demo.pages.ranks)
    assert len(report.texts("#tree .merges path")) == len(demo.pages.ranks) - 1
    assert _toned(report) == demo.alternatives.kept_merges
    before = report.find("#threshold").get_attribute("d")
    report.slide(1)
    assert _toned(report) == 1
    assert report.find("#threshold").get_attribute("d") != before


def _toned(report: ReportPage) -> int:
    return len(report.texts("#tree .merges path[class^=tone]"))


def test_the_network_has_a_mark_for_every_name(report: ReportPage, demo: Made) -> None:
    person = next(each for each in demo.answer.people if len(each.description.names) > 1)
    report.draw_network(person.id)
    assert report.visible("#network svg")
    assert len(report.texts("#network svg .name")) == len(person.description.names)
    assert len(report.texts("#network .listed li")) == len(person.description.names)
    report.press_escape()
    assert not report.visible("#network")
