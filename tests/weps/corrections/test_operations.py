import pytest

from tests.weps.corrections.cases import corrections_of, described
from weps.corrections.model import Corrections, PageIdentity
from weps.corrections.operations import (
    confirm_pages,
    mark_different,
    mark_same,
    move_pages,
    remove_correction,
    rename_person,
    split_pages,
    undo_last,
)
from weps.errors import CorrectionsError

PEOPLE = [[1, 2, 3, 4], [5, 6], [7]]
NONE = Corrections()


@pytest.mark.parametrize(
    ("made", "line"),
    [
        (mark_same(NONE, [4, 1]), "same 1 4"),
        (mark_same(NONE, [5, 6, 7]), "same 5 6 7"),
        (mark_different(NONE, [4, 1], PEOPLE), "different 1 / 4"),
        (mark_different(NONE, [5, 1], PEOPLE), "different 1 / 5"),
        (mark_different(NONE, [5, 6, 2, 1], PEOPLE), "different 1 2 / 5 6"),
        (mark_different(NONE, [1, 2, 5], [[5, 6], [1, 2, 3]]), "different 1 2 / 5"),
        (move_pages(NONE, [2, 3], 6, PEOPLE), "move 2 3 / 1 4 / 5 6"),
        (move_pages(NONE, [2, 5], 7, PEOPLE), "move 2 5 / 1 3 4 6 / 7"),
        (move_pages(NONE, [2, 5], 6, PEOPLE), "move 2 / 1 3 4 / 5 6"),
        (move_pages(NONE, [7], 6, PEOPLE), "same 5 6 7"),
        (split_pages(NONE, [3, 4], PEOPLE), "split 3 4 / 1 2"),
        (split_pages(NONE, [4, 5], PEOPLE), "split 4 5 / 1 2 3 6"),
        (confirm_pages(NONE, [5, 6], PEOPLE), "confirm 5 6"),
        (confirm_pages(NONE, [1, 3], PEOPLE), "confirm 1 3"),
        (confirm_pages(NONE, [2], PEOPLE, {2: 4}), "confirm 2 / 4"),
        (confirm_pages(NONE, [2], PEOPLE, {2: 5}), "confirm 2 / 1"),
        (confirm_pages(NONE, [2], PEOPLE), "confirm 2 / 1"),
        (confirm_pages(NONE, [7], PEOPLE), "different 7 / 1 2 3 4 5 6"),
        (rename_person(NONE, 4, " The\tmaster\x00 "), "called 4 The master"),
    ],
)
def test_what_is_said(made, line):
    assert described(made) == [line]


@pytest.mark.parametrize(
    ("pages", "lines"),
    [
        ([1, 5], ["confirm 1 / 2", "confirm 5 / 6"]),
        ([7, 6], ["confirm 6 / 5", "different 7 / 1 2 3 4 5 6"]),
    ],
)
def test_pages_of_several_people_are_confirmed_each(pages, lines):
    assert described(confirm_pages(NONE, pages, PEOPLE)) == lines


def test_pages_are_confirmed_with_those_confirmed_before():
    said = confirm_pages(confirm_pages(NONE, [2], PEOPLE, {2: 4}), [3], PEOPLE, {3: 1})
    assert described(said) == ["confirm 2 / 4", "confirm 3 / 2"]


def test_what_was_said_before_is_said_once():
    said = corrections_of("same 1 4", "confirm 2 / 4")
    assert mark_same(said, [1, 4]) is said
    assert confirm_pages(said, [2], PEOPLE, {2: 4}) is said


@pytest.mark.parametrize(
    ("attempt", "what"),
    [
        (lambda: mark_same(NONE, [1]), "same: at least two pages are needed"),
        (lambda: mark_same(NONE, []), "same: it should read"),
        (lambda: mark_different(NONE, [1, 2, 3], PEOPLE), "these are 3 pages of 1 people"),
        (lambda: mark_different(NONE, [1], PEOPLE), "these are 1 pages of 1 people"),
        (lambda: mark_different(NONE, [1, 5, 7], PEOPLE), "these are 3 pages of 3 people"),
        (lambda: move_pages(NONE, [1, 2], 3, PEOPLE), "the pages belong to this person already"),
        (lambda: move_pages(NONE, [1], 99, PEOPLE), "there is no page 99"),
        (lambda: split_pages(NONE, [5, 6], PEOPLE), "these are all pages of the person"),
        (lambda: split_pages(NONE, [5, 99], PEOPLE), "there is no page 99"),
        (lambda: confirm_pages(NONE, [7], [[7]]), "different: it should read"),
        (lambda: rename_person(NONE, 1, "\x00"), "called: it should read"),
        (
            lambda: rename_person(NONE, 1, "a" * 201),
            "called: the name is longer than 200 characters",
        ),
        (lambda: undo_last(NONE), "there is no such correction to remove"),
        (lambda: remove_correction(corrections_of("same 1 2"), 1), "there is no such correction"),
        (lambda: remove_correction(corrections_of("same 1 2"), -1), "there is no such correction"),
    ],
)
def test_what_makes_no_sense_is_refused(attempt, what):
    with pytest.raises(CorrectionsError) as caught:
        attempt()
    assert caught.value.what.startswith(what)


@pytest.mark.parametrize(
    "attempt",
    [
        lambda said: mark_different(said, [1, 2], PEOPLE),
        lambda said: split_pages(said, [1], PEOPLE),
        lambda said: move_pages(said, [2], 5, PEOPLE),
    ],
)
def test_what_contradicts_is_refused_by_name(attempt):
    with pytest.raises(CorrectionsError, match=r"by “same 1 2” \(line 1\), but two by “"):
        attempt(corrections_of("same 1 2"))


def test_taking_back():
    said = corrections_of("same 1 2", "called 3 A", "different 1 / 3", f"page 2 {'a' * 12}")
    assert described(undo_last(said)) == ["same 1 2", "called 3 A"]
    assert undo_last(said).pages == {2: PageIdentity("a" * 12)}
    assert described(remove_correction(said, 0)) == ["called 3 A", "different 1 / 3"]
    assert remove_correction(said, 0).pages == {}
