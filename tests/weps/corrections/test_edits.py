"""Corrections are made, and questions asked where they change most."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.weps.corrections.cases import corrections_of, described
from weps.clustering.dendrogram import Dendrogram
from weps.clustering.linkage import LINKAGES
from weps.corrections.edits import (
    add_correction,
    choose_questions,
    confirm_pages,
    mark_different,
    move_pages,
    remove_correction,
    split_pages,
)
from weps.corrections.model import Correction, Corrections, PageIdentity, constrained_dendrogram
from weps.errors import CorrectionsError
from weps.similarity.pairs import condense_matrix

PEOPLE = [[1, 2, 3, 4], [5, 6], [7]]
NONE = Corrections()


@each_case(
    ("made", "line"),
    [
        (add_correction(NONE, "same", [4, 1]), "same 1 4"),
        (add_correction(NONE, "same", [5, 6, 7]), "same 5 6 7"),
        (mark_different(NONE, [4, 1], PEOPLE), "different 1 / 4"),
        (mark_different(NONE, [5, 1], PEOPLE), "different 1 / 5"),
        (mark_different(NONE, [5, 6, 2, 1], PEOPLE), "different 1 2 / 5 6"),
        (mark_different(NONE, [1, 2, 5], [[5, 6], [1, 2, 3]]), "different 1 2 / 5"),
        (mark_different(NONE, [5, 2, 1], PEOPLE, only=True), "apart 1 2 / 5"),
        (add_correction(NONE, "threshold", threshold=0.25), "threshold 0.25"),
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
        (add_correction(NONE, "called", [4], name=" The\tmaster\x00 "), "called 4 The master"),
        (add_correction(NONE, "keep", [9, 8]), "keep 8 9"),
        (add_correction(NONE, "exclude", [4, 3]), "exclude 3 4"),
        (add_correction(NONE, "unclear", [7]), "unclear 7"),
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
    assert add_correction(before, "same", [1, 4]) is before
    assert confirm_pages(before, [2], PEOPLE, {2: 4}) is before


def test_where_the_latest_applies_an_edit_that_is_there_already_comes_last():
    before = corrections_of("exclude 5", "called 1 A", "keep 5", "called 1 B")
    lines = ["called 1 A", "keep 5", "called 1 B"]
    assert described(add_correction(before, "exclude", [5])) == [*lines, "exclude 5"]
    assert described(add_correction(before, "called", [1], name="A"))[1:] == [
        "keep 5",
        "called 1 B",
        "called 1 A",
    ]


def test_the_threshold_chosen_last_applies_and_gives_way_to_the_one_before():
    chosen = NONE
    for threshold in (0.5, 0.25, 0.5):
        chosen = add_correction(chosen, "threshold", threshold=threshold)
    assert (described(chosen), chosen.threshold) == (["threshold 0.25", "threshold 0.5"], 0.5)
    assert remove_correction(chosen, 1).threshold == 0.25
    assert NONE.threshold is None


@each_case(
    ("attempt", "what"),
    [
        (lambda: add_correction(NONE, "same", [1]), "same: at least two pages are needed"),
        (lambda: add_correction(NONE, "same", []), "same: it should read"),
        (lambda: mark_different(NONE, [1, 2, 3], PEOPLE), "these are 3 pages of 1 people"),
        (lambda: mark_different(NONE, [1, 5, 7], PEOPLE), "these are 3 pages of 3 people"),
        (lambda: move_pages(NONE, [1, 2], 3, PEOPLE), "the pages belong to this person already"),
        (lambda: move_pages(NONE, [1], 99, PEOPLE), "there is no page 99"),
        (lambda: split_pages(NONE, [5, 6], PEOPLE), "these are all pages of the person"),
        (lambda: split_pages(NONE, [5, 99], PEOPLE), "there is no page 99"),
        (lambda: confirm_pages(NONE, [7], [[7]]), "different: it should read"),
        (lambda: add_correction(NONE, "called", [1], name="\x00"), "called: it should read"),
        (
            lambda: add_correction(NONE, "called", [1], name="a" * 201),
            "called: the name is longer than 200 char",
        ),
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
        assert described(add_correction(before, kind, [page]))[-1] == f"{kind} {page}"
        return
    with pytest.raises(CorrectionsError) as caught:
        add_correction(before, kind, [page])
    about = f"page {page} is about a person of this name by {refused}"
    assert caught.value.what == f"{about}, but set aside by “{kind} {page}”"
    kept = add_correction(corrections_of(f"{kind} {page}"), "keep", [page])
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


def dendrogram(square, corrections=()):
    square = np.array(square, dtype=float)
    ranks = range(1, len(square) + 1)
    return constrained_dendrogram(
        list(corrections), LINKAGES["average"], condense_matrix(square), list(ranks)
    )


TWO_GROUPS = [
    [1.0, 0.9, 0.8, 0.4, 0.5],
    [0.9, 1.0, 0.9, 0.4, 0.4],
    [0.8, 0.9, 1.0, 0.4, 0.4],
    [0.4, 0.4, 0.4, 1.0, 0.9],
    [0.5, 0.4, 0.4, 0.9, 1.0],
]
"""Pages 0 to 2 and 3 to 4 are in one cluster each, after three merges."""


def test_the_gain_is_the_cost_of_an_error_times_its_probability():
    [best] = choose_questions(dendrogram(TWO_GROUPS), 3)
    # Typical are page 1 of the first group, and of the second the earlier of two alike.
    assert best.rows == (1, 3)
    assert not best.together
    assert best.probability == pytest.approx(2.5 / 6)
    assert best.gain == pytest.approx(2.5 / 6 * 2 * 3 * 2 / 5 / 5)


def test_a_doubtful_cluster_is_asked_about_by_the_parts_of_its_merge():
    [best] = choose_questions(dendrogram(TWO_GROUPS), 4)
    assert best.rows == (1, 3)
    assert best.together
    assert best.gain == pytest.approx((1 - 2.5 / 6) * 2 * 3 * 2 / 5 / 5)


@each_case(
    ("options", "expected"),
    [
        ({"most": 99}, {(1, 3), (0, 1), (0, 2), (3, 4)}),
        ({"asked": [(1, 3)]}, {(0, 1)}),
        ({"answerable": {0, 2, 4}}, {(0, 4)}),
        ({"answerable": {0}}, set()),
    ],
)
def test_no_pair_is_asked_about_twice_and_none_that_may_not_be_asked_about(options, expected):
    found = choose_questions(dendrogram(TWO_GROUPS), 3, **options)
    assert {each.rows for each in found} == expected
    gains = [each.gain for each in found]
    assert gains == sorted(gains, reverse=True)


@pytest.mark.parametrize(
    "answer",
    [Correction("different", ((1,), (4,))), Correction("same", ((1, 4),))],
    ids=str,
)
def test_what_corrections_decide_is_not_asked_about(answer):
    tree = dendrogram(TWO_GROUPS, [answer])
    for kept in range(tree.min_merges, min(tree.max_merges, 4) + 1):
        cluster_of = {row: rows for rows in tree.clusters(kept) for row in rows}
        for each in choose_questions(tree, kept, 99):
            assert each.rows != (0, 3)
            both = {row for page in each.rows for row in cluster_of[page]}
            assert each.together or answer.kind == "same" or not {0, 3} <= both


@given(st.integers(0, 9), st.data())
def test_every_question_names_two_pages_that_are_together_as_it_says(size, data):
    values = data.draw(st.lists(st.floats(0.01, 0.99), min_size=size * size, max_size=size * size))
    square = np.array(values).reshape(size, size)
    tree = dendrogram((square + square.T) / 2)
    kept = data.draw(st.integers(0, max(size - 1, 0)))
    cluster_of = {row: at for at, rows in enumerate(tree.clusters(kept)) for row in rows}
    for each in choose_questions(tree, kept, 5):
        first, second = each.rows
        assert first < second
        assert each.together == (cluster_of[first] == cluster_of[second])
        assert 0 <= each.gain <= 1


def test_a_single_page_raises_no_question():
    assert choose_questions(Dendrogram(1, np.empty(0), ()), 0) == []
