"""The slider: every cut of the tree is the one that weps would have made."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests.browser.made import Made
from weps._formatting import format_probability

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.browser.report_page import ReportPage, View


@pytest.fixture(scope="module", params=["demo", "corrected", "real"])
def swept(
    request: pytest.FixtureRequest, open_report: Callable[[str], ReportPage]
) -> tuple[Made, dict[int, View]]:
    """A report, and what it shows wherever the slider stands."""
    page = open_report(request.param)
    page.open_details(".row:nth-child(-n + 15) .why")
    return request.getfixturevalue(request.param), page.sweep()


def test_it_goes_from_all_apart_to_all_in_one_unless_that_is_settled(
    swept: tuple[Made, dict[int, View]],
) -> None:
    made, views = swept
    least, most = (made.dendrogram.bounded_count(merges) for merges in (0, len(made.pages.ranks)))
    assert list(views) == list(range(least, most + 1))
    assert bool(made.answer.corrections) == (len(views) < len(made.pages.ranks))


def test_every_cut_is_that_of_the_dendrogram(swept: tuple[Made, dict[int, View]]) -> None:
    made, views = swept
    for held, view in views.items():
        assert view.partition == made.partition_after(held)
        assert sorted(view.cards) == sorted(view.people)


def test_every_score_is_that_of_the_beliefs(swept: tuple[Made, dict[int, View]]) -> None:
    made, views = swept
    for held, view in views.items():
        expected = made.scores_after(held)
        apart = {row.rank: abs(row.score - 100 * expected[row.rank]) for row in view.rows}
        assert max(apart.values()) <= 1, held


def test_every_neighbour_is_the_most_probable(swept: tuple[Made, dict[int, View]]) -> None:
    made, views = swept
    row_of = {rank: row for row, rank in enumerate(made.pages.ranks)}
    for view in views.values():
        for row in [row for row in view.rows if row.unfolded]:
            mates = view.people[row.card] - {row.rank}
            others = row_of.keys() - view.people[row.card]
            for told, pages in ((row.closest, mates), (row.rival, others)):
                near = [100 * made.alike[row_of[row.rank], row_of[page]] for page in pages]
                assert (told is None) == (not pages)
                assert told is None or abs(told - max(near)) <= 1


def test_an_unsure_page_may_belong_to_the_person_that_is_most_probable_on_average(
    swept: tuple[Made, dict[int, View]],
) -> None:
    made, views = swept
    row_of = {rank: row for row, rank in enumerate(made.pages.ranks)}
    unsure = [(view, row) for view in views.values() for row in view.rows if row.perhaps]
    assert unsure
    for view, row in unsure:
        near = {
            card: np.mean([made.alike[row_of[row.rank], row_of[page]] for page in pages])
            for card, pages in view.people.items()
            if card != row.card
        }
        assert near[row.perhaps] >= max(near.values()) - 0.001


def test_numbers_follow(swept: tuple[Made, dict[int, View]]) -> None:
    for view in swept[1].values():
        sizes = [len(person) for person in view.partition]
        assert view.figures == {
            "pages": len(view.rows),
            "people": len(sizes),
            "singles": sizes.count(1),
            "unsure": sum(row.unsure for row in view.rows),
        }
        assert view.told.startswith(f"{len(sizes)} p")


def test_the_largest_come_first_and_the_unsure_last(swept: tuple[Made, dict[int, View]]) -> None:
    for view in swept[1].values():
        unsure = {
            card: all(row.unsure for row in view.rows if row.card == card) for card in view.cards
        }
        order = [(unsure[card], -len(view.people[card])) for card in view.cards]
        assert order == sorted(order)


@pytest.mark.parametrize("which", ["demo", "corrected", "real"])
def test_at_wepss_choice_it_shows_the_answer(
    open_report: Callable[[str], ReportPage], request: pytest.FixtureRequest, which: str
) -> None:
    made: Made = request.getfixturevalue(which)
    page = open_report(which)
    first = page.view()
    pages = {each.rank: each for person in made.answer.people for each in person.pages}
    told = {row.rank: (row.score, row.unsure) for row in first.rows}
    shown = {rank: int(format_probability(page.score).rstrip("%")) for rank, page in pages.items()}
    assert told == {rank: (shown[rank], page.unsure) for rank, page in pages.items()}
    page.slide(0)
    assert page.view() != first
    page.click("#home")
    page.settle()
    assert page.view() == first


def test_arrow_keys_move_it_and_it_tells_what_it_does(report: ReportPage) -> None:
    before = len(report.view().partition)
    report.press_right("#slider")
    assert len(report.view().partition) == before - 1
    told = report.find("#slider").get_attribute("aria-valuetext")
    assert told
    assert told.startswith(f"{before - 1} people")


def test_the_next_steps_are_told_and_can_be_taken(report: ReportPage) -> None:
    before = report.view().partition
    for button, change in (("#join", -1), ("#part", 0), ("#part", 1)):
        report.click(button)
        report.settle()
        assert len(report.view().partition) == len(before) + change
        assert report.held == len(report.view().rows) - len(before) - change
    joined = report.texts("#join")[0]
    assert joined.startswith("One fewer (")


def test_a_chosen_person_who_is_no_more_gives_way_to_all_pages(report: ReportPage) -> None:
    largest = max(report.view().people.items(), key=lambda item: len(item[1]))[0]
    report.choose_person(largest)
    report.slide(0)
    assert len(report.view().shown) == len(report.view().rows)
