"""Corrections are made and matched to other pages."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.weps.corrections.cases import consistent, corrections_of, described
from weps.corrections.file import corrections_text, match_pages, page_identities, parse_corrections
from weps.corrections.model import Corrections, PageIdentity
from weps.corrections.operations import (
    choose_threshold,
    confirm_pages,
    mark_different,
    mark_same,
    move_pages,
    place_pages,
    remove_correction,
    rename_person,
    split_pages,
)
from weps.errors import CorrectionsError
from weps.records import Page

PEOPLE = [[1, 2, 3, 4], [5, 6], [7]]
NONE = Corrections()


@each_case(
    ("made", "line"),
    [
        (mark_same(NONE, [4, 1]), "same 1 4"),
        (mark_same(NONE, [5, 6, 7]), "same 5 6 7"),
        (mark_different(NONE, [4, 1], PEOPLE), "different 1 / 4"),
        (mark_different(NONE, [5, 1], PEOPLE), "different 1 / 5"),
        (mark_different(NONE, [5, 6, 2, 1], PEOPLE), "different 1 2 / 5 6"),
        (mark_different(NONE, [1, 2, 5], [[5, 6], [1, 2, 3]]), "different 1 2 / 5"),
        (mark_different(NONE, [5, 2, 1], PEOPLE, only=True), "apart 1 2 / 5"),
        (choose_threshold(NONE, 0.25), "threshold 0.25"),
        # Of the other pages of the person only the most typical is mentioned.
        (move_pages(NONE, [2, 3], 6, PEOPLE), "move 2 3 / 1 / 6"),
        (move_pages(NONE, [2, 3], 6, PEOPLE, {1: 0.5, 4: 0.9}), "move 2 3 / 4 / 6"),
        (move_pages(NONE, [2, 5], 7, PEOPLE), "move 2 5 / 1 6 / 7"),
        (move_pages(NONE, [2, 5], 6, PEOPLE), "move 2 / 1 / 6"),
        (move_pages(NONE, [7], 6, PEOPLE), "same 6 7"),
        (split_pages(NONE, [3, 4], PEOPLE), "split 3 4 / 1 2"),
        (split_pages(NONE, [4, 5], PEOPLE), "split 4 5 / 1 2 3 6"),
        (confirm_pages(NONE, [5, 6], PEOPLE), "confirm 5 6"),
        (confirm_pages(NONE, [1, 3], PEOPLE), "confirm 1 3"),
        (confirm_pages(NONE, [2], PEOPLE, {2: 4}), "confirm 2 / 4"),
        (confirm_pages(NONE, [2], PEOPLE, {2: 5}), "confirm 2 / 1"),
        (confirm_pages(NONE, [2], PEOPLE), "confirm 2 / 1"),
        (confirm_pages(NONE, [7], PEOPLE), "different 7 / 1 2 3 4 5 6"),
        (rename_person(NONE, 4, " The\tmaster\x00 "), "called 4 The master"),
        (place_pages(NONE, "keep", [9, 8]), "keep 8 9"),
        (place_pages(NONE, "exclude", [4, 3]), "exclude 3 4"),
        (place_pages(NONE, "unclear", [7]), "unclear 7"),
    ],
)
def test_an_edit_is_one_line(made, line):
    assert described(made) == [line]


def test_pages_of_several_people_are_confirmed_each():
    lines = ["confirm 6 / 5", "different 7 / 1 2 3 4 5 6"]
    assert described(confirm_pages(NONE, [7, 6], PEOPLE)) == lines


def test_pages_are_confirmed_with_those_confirmed_before():
    before = confirm_pages(confirm_pages(NONE, [2], PEOPLE, {2: 4}), [3], PEOPLE, {3: 1})
    assert described(before) == ["confirm 2 / 4", "confirm 3 / 2"]


def test_an_edit_is_added_once():
    before = corrections_of("same 1 4", "confirm 2 / 4")
    assert mark_same(before, [1, 4]) is before
    assert confirm_pages(before, [2], PEOPLE, {2: 4}) is before


def test_where_the_latest_applies_an_edit_that_is_there_already_comes_last():
    before = corrections_of("exclude 5", "called 1 A", "keep 5", "called 1 B")
    lines = ["called 1 A", "keep 5", "called 1 B"]
    assert described(place_pages(before, "exclude", [5])) == [*lines, "exclude 5"]
    assert described(rename_person(before, 1, "A"))[1:] == ["keep 5", "called 1 B", "called 1 A"]


def test_the_threshold_chosen_last_applies_and_gives_way_to_the_one_before():
    chosen = NONE
    for threshold in (0.5, 0.25, 0.5):
        chosen = choose_threshold(chosen, threshold)
    assert (described(chosen), chosen.threshold) == (["threshold 0.25", "threshold 0.5"], 0.5)
    assert remove_correction(chosen, 1).threshold == 0.25
    assert NONE.threshold is None


@each_case(
    ("attempt", "what"),
    [
        (lambda: mark_same(NONE, [1]), "same: at least two pages are needed"),
        (lambda: mark_same(NONE, []), "same: it should read"),
        (lambda: mark_different(NONE, [1, 2, 3], PEOPLE), "these are 3 pages of 1 people"),
        (lambda: mark_different(NONE, [1, 5, 7], PEOPLE), "these are 3 pages of 3 people"),
        (lambda: move_pages(NONE, [1, 2], 3, PEOPLE), "the pages belong to this person already"),
        (lambda: move_pages(NONE, [1], 99, PEOPLE), "there is no page 99"),
        (lambda: split_pages(NONE, [5, 6], PEOPLE), "these are all pages of the person"),
        (lambda: split_pages(NONE, [5, 99], PEOPLE), "there is no page 99"),
        (lambda: confirm_pages(NONE, [7], [[7]]), "different: it should read"),
        (lambda: rename_person(NONE, 1, "\x00"), "called: it should read"),
        (lambda: rename_person(NONE, 1, "a" * 201), "called: the name is longer than 200 char"),
        (lambda: remove_correction(NONE, 0), "there is no such correction to remove"),
        (lambda: remove_correction(corrections_of("same 1 2"), 1), "there is no such correction"),
        (lambda: remove_correction(corrections_of("same 1 2"), -1), "there is no such correction"),
    ],
)
def test_what_makes_no_sense_is_refused(attempt, what):
    with pytest.raises(CorrectionsError) as caught:
        attempt()
    assert caught.value.what.startswith(what)


def test_edits_that_contradict_are_refused():
    with pytest.raises(CorrectionsError, match=r"by “same 1 2” \(line 1\), but two by “"):
        move_pages(corrections_of("same 1 2"), [2], 5, PEOPLE)


@each_case(
    ("lines", "page", "refused"),
    [
        ("same 1 2", 2, "“same 1 2” (line 1)"),
        ("move 2 / 1 / 5", 2, "“move 2 / 1 / 5” (line 1)"),
        ("move 2 / 1 / 5", 5, "“move 2 / 1 / 5” (line 1)"),
        ("confirm 2 / 4", 4, "“confirm 2 / 4” (line 1)"),
        ("called 3 A", 3, "“called 3 A” (line 1)"),
        # That pages are not together is true of one about nobody of the name as well.
        ("different 7 / 1 2", 7, ""),
        ("move 2 / 1 / 5", 1, ""),
        ("split 3 / 1 2", 3, ""),
        ("split 3 4 / 1 2", 3, "“split 3 4 / 1 2” (line 1)"),
        ("keep 5; same 1 2", 5, ""),
    ],
)
@each_case("kind", ["exclude", "unclear"])
def test_a_page_of_a_person_is_not_set_aside(lines, page, refused, kind):
    before = corrections_of(*lines.split("; "))
    if not refused:
        assert described(place_pages(before, kind, [page]))[-1] == f"{kind} {page}"
        return
    with pytest.raises(CorrectionsError) as caught:
        place_pages(before, kind, [page])
    about = f"page {page} is about a person of this name by {refused}"
    assert caught.value.what == f"{about}, but set aside by “{kind} {page}”"
    kept = place_pages(corrections_of(f"{kind} {page}"), "keep", [page])
    both = corrections_of(*described(kept), *lines.split("; "))
    assert described(both)[:2] == [f"{kind} {page}", f"keep {page}"]


def test_page_after_page_moves_from_one_person_to_another():
    """The others of the first are not said to be others of it, or the second were refused."""
    first = move_pages(NONE, [2], 5, PEOPLE)
    second = move_pages(first, [3], 5, [[1, 3, 4], [2, 5, 6], [7]])
    assert described(second) == ["move 2 / 1 / 5", "move 3 / 1 / 5"]


def test_removing():
    before = corrections_of("same 1 2", "called 3 A", "different 1 / 3", f"page 2 {'a' * 12}")
    assert described(remove_correction(before, 2)) == ["same 1 2", "called 3 A"]
    assert remove_correction(before, 2).pages == {2: PageIdentity("a" * 12)}
    assert described(remove_correction(before, 0)) == ["called 3 A", "different 1 / 3"]
    assert remove_correction(before, 0).pages == {}


PAGES = {rank: PageIdentity(f"{rank:012x}", f"http://{rank}.example") for rank in range(1, 10)}


def test_identities_of_pages():
    page = Page(3, "http://a.example/\n" + "x" * 900, text="text")
    (mark,) = page_identities([page]).values()
    assert mark.url.startswith("http://a.example/ xx")
    assert len(mark.url) == 500
    assert page_identities([replace(page, rank=4)]) == {4: mark}
    (cut,) = page_identities([replace(page, url="x" * 499 + " y")]).values()
    assert cut.url == "x" * 499  # as it is read from a file


def test_pages_mentioned_and_no_others_have_marks():
    lines = ("same 1 4 99", "called 5 A", f"page 7 {7:012x}")
    found, lost = match_pages(corrections_of(*lines), PAGES)
    assert found.pages == {rank: PAGES[rank] for rank in (1, 4, 5)}
    assert described(found) == ["same 1 4 99", "called 5 A"]
    assert [each[:37] for each in lost] == ["line 1: page 99 is not among the page"]


@each_case(
    ("now", "expected"),
    [
        ({1: PAGES[4], 2: PAGES[1], 3: PAGES[2]}, "same 1 2"),
        ({1: PAGES[2], 2: PAGES[4], 4: PAGES[1]}, "same 2 4"),
        # An address tells a page whose content has changed.
        ({1: replace(PAGES[1], fingerprint="f" * 12), 5: PAGES[4]}, "same 1 5"),
        ({7: replace(PAGES[1], fingerprint="f" * 12), 5: PAGES[4]}, "same 5 7"),
        # The content counts more than the address and the rank.
        ({1: replace(PAGES[1], fingerprint="f" * 12), 5: PAGES[4], 6: PAGES[1]}, "same 5 6"),
    ],
)
def test_pages_are_found_at_other_ranks(now, expected):
    before, _ = match_pages(corrections_of("same 1 4"), PAGES)
    found, lost = match_pages(before, now)
    assert (described(found), lost) == ([expected], ())
    assert found.pages == {rank: now[rank] for rank in found.ranks}


def test_equal_pages_keep_their_order():
    twin = PageIdentity("a" * 12)
    before, _ = match_pages(corrections_of("different 1 / 2"), {1: twin, 2: twin})
    assert described(match_pages(before, {1: twin, 2: twin})[0]) == ["different 1 / 2"]
    assert described(match_pages(before, {2: twin, 5: twin})[0]) == ["different 5 / 2"]
    found, lost = match_pages(before, {9: twin})
    assert described(found) == ["different 9 / 2"]
    assert len(lost) == 1


def test_an_address_of_several_pages_identifies_none():
    before, _ = match_pages(corrections_of("same 1 2"), {1: PAGES[1], 2: PAGES[2]})
    other = replace(PAGES[1], fingerprint="f" * 12)
    now = {2: PAGES[2], 3: other, 4: replace(other, fingerprint="e" * 12)}
    assert [sentence[:14] for sentence in match_pages(before, now)[1]] == ["line 1: page 1"]


def test_a_page_that_is_gone_waits():
    before, _ = match_pages(corrections_of("", "same 1 4", "called 4 A"), PAGES)
    now = {1: PAGES[1], 4: PAGES[5]}
    found, lost = match_pages(before, now)
    assert lost == (
        "line 2: page 4 (http://4.example) is not among the pages; "
        "the correction is kept but has no effect: bring the page back, or remove the line",
    )
    assert described(found) == ["same 1 5", "called 5 A"]  # another page is fourth now
    assert found.pages == {1: PAGES[1], 5: PAGES[4]}
    again, lost = match_pages(parse_corrections(corrections_text(found)), PAGES)
    assert (described(again), lost) == (["same 1 4", "called 4 A"], ())


def test_of_several_pages_that_are_gone_each_waits_under_a_rank_of_its_own():
    before = corrections_of("same 1 5", f"page 1 {'f' * 12}")
    found, lost = match_pages(before, {rank: PAGES[rank] for rank in (1, 2, 3, 4)})
    assert (described(found), len(lost)) == (["same 5 6"], 2)


@each_case("line", ["same 1 3", "different 3 / 1", "move 1 / 2 / 3"])
def test_an_old_rank_and_a_new_one_of_the_same_page(line):
    # The page that was first is third now, and whoever wrote the line says 3 of it as well.
    before = corrections_of("", line, f"page 1 {1:012x}")
    with pytest.raises(CorrectionsError) as caught:
        match_pages(before, {1: PAGES[2], 2: PAGES[3], 3: PAGES[1]}, "mine.txt")
    assert str(caught.value) == (
        "mine.txt: line 2: ranks 3 and 1 mean the same page, which was 1 before; "
        "remove one of them from the line"
    )


@given(consistent(), st.permutations(range(15)))
def test_ranks_may_change_and_change_back(corrections, order):
    pages = {rank: PageIdentity(f"{rank:012x}") for rank in range(15)}
    there, lost = match_pages(replace(corrections, pages={}), pages)
    assert lost == ()
    assert there.entries == corrections.entries
    moved = {order[rank]: mark for rank, mark in pages.items()}
    away, _ = match_pages(there, moved)
    assert away.ranks == {order[rank] for rank in there.ranks}
    assert match_pages(away, pages)[0] == there
    assert match_pages(away, moved)[0] == away


@given(consistent(), st.sets(st.integers(0, 12)))
def test_nothing_is_lost_while_pages_are_gone(corrections, gone):
    pages = {rank: PageIdentity(f"{rank:012x}") for rank in range(13)}
    there, _ = match_pages(replace(corrections, pages={}), pages)
    away, lost = match_pages(
        there, {rank: mark for rank, mark in pages.items() if rank not in gone}
    )
    assert len(lost) == len(gone & there.ranks)
    assert match_pages(away, pages) == (there, ())
