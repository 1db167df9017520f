"""Corrections constrain the clustering, are made, and are asked for where they change most."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, logit

from tests.cases import each_case
from tests.weps.corrections.cases import consistent, corrections_of, described
from weps.clustering.dendrogram import average_linkage
from weps.corrections.edits import (
    ShownPeople,
    add_correction,
    apply_edit,
    build_constraints,
    choose_questions,
    constrained_dendrogram,
    join_resembling,
    most_probable_shift,
    remove_correction,
    shift_probabilities,
)
from weps.corrections.model import Correction, Corrections, PageIdentity
from weps.errors import CorrectionsError
from weps.similarity.columns import condense_matrix, square_matrix

PEOPLE = [[1, 2, 3, 4], [5, 6], [7]]
NONE = Corrections()


def edited(kind, pages, before=NONE, people=PEOPLE, scores=None, closest=None, **more):
    """The corrections after an edit of these people."""
    return apply_edit(
        kind, before, pages, ShownPeople(people, scores or {}, closest or {}, [8, 9]), **more
    )


@each_case(
    ("kind", "pages", "more", "line"),
    [
        ("same", [4, 1], {}, "same 1 4"),
        ("same", [5, 6, 7], {}, "same 5 6 7"),
        ("different", [4, 1], {}, "different 1 / 4"),
        ("different", [5, 1], {}, "different 1 / 5"),
        ("different", [5, 6, 2, 1], {}, "different 1 2 / 5 6"),
        ("different", [1, 2, 5], {"people": [[5, 6], [1, 2, 3]]}, "different 1 2 / 5"),
        ("apart", [5, 2, 1], {}, "apart 1 2 / 5"),
        # Of the other pages of the person only the most typical is mentioned.
        ("move", [2, 3], {"to": 6}, "move 2 3 / 1 / 6"),
        ("move", [2, 3], {"to": 6, "scores": {1: 0.5, 4: 0.9}}, "move 2 3 / 4 / 6"),
        ("move", [2, 5], {"to": 7}, "move 2 5 / 1 6 / 7"),
        ("move", [2, 5], {"to": 6}, "move 2 / 1 / 6"),
        ("move", [7], {"to": 6}, "same 6 7"),
        ("split", [3, 4], {}, "split 3 4 / 1 2"),
        ("split", [4, 5], {}, "split 4 5 / 1 2 3 6"),
        ("confirm", [5, 6], {}, "confirm 5 6"),
        ("confirm", [1, 3], {}, "confirm 1 3"),
        ("confirm", [2], {"closest": {2: 4}}, "confirm 2 / 4"),
        ("confirm", [2], {"closest": {2: 5}}, "confirm 2 / 1"),
        ("confirm", [2], {}, "confirm 2 / 1"),
        ("confirm", [7], {}, "different 7 / 1 2 3 4 5 6"),
        ("confirm", [7, 6], {}, "confirm 6 / 5; different 7 / 1 2 3 4 5 6"),
        ("called", [4], {"name": " The\tmaster\x00 "}, "called 4 The master"),
        ("keep", [9, 8], {}, "keep 8 9"),
        ("exclude", [4, 3], {}, "exclude 3 4"),
        ("unclear", [7], {}, "unclear 7"),
        ("note", [9, 4], {"name": " His\nson "}, "note 4 9: His son"),
        ("person-checked", [7, 4], {}, "person-checked 4 7"),
    ],
)
def test_an_edit_is_a_line(kind, pages, more, line):
    assert described(edited(kind, pages, **more)) == line.split("; ")


def test_pages_are_confirmed_with_those_confirmed_before():
    before = edited("confirm", [2], closest={2: 4})
    lines = ["confirm 2 / 4", "confirm 3 / 2"]
    assert described(edited("confirm", [3], before, closest={3: 1})) == lines


def test_an_edit_is_added_once():
    before = corrections_of("same 1 4", "confirm 2 / 4", "checked 1")
    assert edited("checked", [1], before) is before
    assert edited("same", [1, 4], before) is before
    assert edited("confirm", [2], before, closest={2: 4}) is before


def test_no_more_is_added_than_is_read_again():
    notes = [f"note {rank}: {'é' * 2_000}" for rank in range(300)]
    with pytest.raises(CorrectionsError, match="over 1 MB; remove some first"):
        edited("note", [1], corrections_of(*notes), name="one more")


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
    ("kind", "pages", "more", "what"),
    [
        ("same", [1], {}, "same: at least two pages are needed"),
        ("different", [1, 2, 3], {}, "these are 3 pages of 1 people"),
        ("different", [1, 5, 7], {}, "these are 3 pages of 3 people"),
        ("move", [1, 2], {"to": 3}, "the pages belong to this person already"),
        ("move", [1], {"to": 99}, "there is no page 99"),
        ("keep", [1], {}, "page 1 is not set aside"),
        ("split", [5, 6], {}, "these are all pages of the person"),
        ("split", [5, 99], {}, "there is no page 99"),
        ("confirm", [7], {"people": [[7]]}, "different: it should read"),
        ("person-tag", [8], {"name": "a"}, "page 8 is set aside"),
        ("tag", [1], {"name": " "}, "tag: it should read"),
        ("called", [1], {"name": "\x00"}, "called: it should read"),
        ("called", [1], {"name": "a" * 201}, "called: the name is longer than 200 char"),
    ],
)
def test_what_makes_no_sense_is_refused(kind, pages, more, what):
    with pytest.raises(CorrectionsError) as caught:
        edited(kind, pages, **more)
    assert caught.value.what.startswith(what)


@pytest.mark.parametrize("number", [-1, 1])
def test_a_correction_that_is_not_there_is_not_removed(number):
    with pytest.raises(CorrectionsError, match="there is no such correction"):
        remove_correction(corrections_of("same 1 2"), number)


def test_edits_that_contradict_are_refused():
    with pytest.raises(CorrectionsError, match=r"by “same 1 2” \(line 1\), but two by “"):
        edited("move", [2], corrections_of("same 1 2"), to=5)


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
    first = edited("move", [2], to=5)
    second = edited("move", [3], first, [[1, 3, 4], [2, 5, 6], [7]], to=5)
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
    made = Corrections(tuple(corrections))
    return constrained_dendrogram(made, average_linkage, condense_matrix(square), list(ranks))


TWO_GROUPS = [
    [1.0, 0.9, 0.8, 0.4, 0.5],
    [0.9, 1.0, 0.9, 0.4, 0.4],
    [0.8, 0.9, 1.0, 0.4, 0.4],
    [0.4, 0.4, 0.4, 1.0, 0.9],
    [0.5, 0.4, 0.4, 0.9, 1.0],
]
"""Pages 0 to 2 and 3 to 4 are in one cluster each, after three merges."""


@each_case(
    ("kept", "options", "expected"),
    [
        # Typical are page 1 of the first group, and of the second the earlier of two alike.
        (3, {}, [(1, 3)]),
        # Whether pages are misplaced is asked where no more clusters can be asked about.
        (4, {}, [(0, 3)]),
        # The gain is the cost of an error times its probability: of a single page and one other
        # 2 / 2 / 5 · .9, of groups of three and two 2 · 3 · 2 / 5 / 5 · 2.5 / 6.
        (0, {"most": 3}, [(0, 1), (1, 2), (3, 4)]),
        (3, {"most": 3}, [(1, 3), (0, 1), (0, 2)]),
        (3, {"asked": [(1, 3)]}, [(0, 1)]),
        (3, {"answerable": {0, 2, 4}}, [(0, 4)]),
        (3, {"answerable": {0}}, []),
    ],
)
def test_the_pairs_of_the_greatest_gain_are_asked_about_once(kept, options, expected):
    assert choose_questions(dendrogram(TWO_GROUPS), kept, **options) == expected


@pytest.mark.parametrize(
    "answer",
    [Correction("different", ((1,), (4,))), Correction("same", ((1, 4),))],
    ids=str,
)
def test_what_corrections_decide_is_not_asked_about(answer):
    tree = dendrogram(TWO_GROUPS, [answer])
    for kept in range(tree.min_merges, min(tree.max_merges, 4) + 1):
        cluster_of = {row: rows for rows in tree.clusters(kept) for row in rows}
        for pair in choose_questions(tree, kept, 99):
            assert pair != (0, 3)
            ours, theirs = (cluster_of[row] for row in pair)
            assert ours == theirs or answer.kind == "same" or not {0, 3} <= {*ours, *theirs}


@given(st.integers(2, 6), st.data())
def test_the_first_question_is_about_the_groups_of_the_greatest_gain(size, data):
    values = data.draw(st.lists(st.floats(0.01, 0.99), min_size=size**2, max_size=size**2))
    square = np.array(values).reshape(size, size)
    tree = dendrogram((square + square.T) / 2)
    clusters = tree.clusters(data.draw(st.integers(0, size - 2)))
    shown, gains = square_matrix(tree.probability, size, diagonal=1.0), {}
    for one, other in combinations(range(len(clusters)), 2):
        ours, theirs = len(clusters[one]), len(clusters[other])
        cost = 2 * ours * theirs / (ours + theirs) / size
        probability = shown[np.ix_(clusters[one], clusters[other])].mean()
        gains[one, other] = cost * probability
    [(first, second)] = choose_questions(tree, size - len(clusters))
    asked = sorted(at for at, rows in enumerate(clusters) for row in (first, second) if row in rows)
    assert first < second
    assert gains[tuple(asked)] == pytest.approx(max(gains.values()))


def test_rows_are_numbered_by_the_first_that_must_be_together():
    corrections = corrections_of("same 20 40", "different 20 / 30", "confirm 50 / 60")
    constraints = build_constraints(corrections, [10, 20, 30, 40, 50])
    assert constraints.components.tolist() == [0, 1, 2, 1, 3]
    assert np.argwhere(constraints.conflicts).tolist() == [[1, 2], [2, 1]]
    assert constraints.confirmed_pages.tolist() == [False, False, False, False, True]
    assert constraints.required_merges == 1


def test_pages_that_are_not_there_still_tie_others():
    corrections = corrections_of("same 1 99", "same 99 3", "different 99 / 2")
    constraints = build_constraints(corrections, [1, 2, 3])
    assert constraints.components.tolist() == [0, 1, 0]
    assert constraints.cannot_link.tolist() == [True, False, True]


def test_contradictions_make_no_constraints():
    entries = tuple(Correction(kind, ((1,), (2,))) for kind in ("confirm", "different"))
    with pytest.raises(CorrectionsError, match="are one person by"):
        build_constraints(Corrections(entries), [1, 2])


@given(consistent(), st.permutations(range(15)))
def test_it_is_closed_and_says_no_more_than_follows(corrections, ranks):
    constraints = build_constraints(corrections, ranks)
    size = len(ranks)
    same, different = np.zeros((2, size, size), dtype=bool)
    pairs = np.triu_indices(size, k=1)
    same[pairs], different[pairs] = constraints.must_link, constraints.cannot_link
    one, two = same | same.T | np.eye(size, dtype=bool), different | different.T
    row = {rank: number for number, rank in enumerate(ranks)}
    by_hand, apart = np.eye(size, dtype=bool), np.zeros((size, size), dtype=bool)
    for ours in corrections.same:
        for first, second in combinations([row[rank] for rank in ours], 2):
            by_hand[first, second] = by_hand[second, first] = True
    for _ in range(4):
        by_hand = by_hand @ by_hand
    for left, right in corrections.different:
        rows = np.ix_([row[rank] for rank in left], [row[rank] for rank in right])
        apart[rows] = True
    assert (one == by_hand).all()
    assert (two == (by_hand @ (apart | apart.T) @ by_hand)).all()


PAIRS = np.array([0.9, 0.5, 0.5, 0.5, 0.2, 0.8])
"""Probabilities of pairs of the rows 0 to 3: 01, 02, 03, 12, 13, 23."""
RANKS = [1, 2, 3, 4]


@each_case(
    ("lines", "observed"),
    [
        (["different 1 / 2"], [logit(0.9)]),
        (["different 2 / 3 4"], [(logit(0.5) + logit(0.2)) / 2]),
        (["split 1 2 / 3", "different 3 / 4"], [0.0, logit(0.8)]),
        (["move 1 / 2 99 / 3"], [logit(0.9)]),
    ],
)
def test_each_different_is_one_observation(lines, observed):
    shift = most_probable_shift(np.array(observed))
    found = shift_probabilities(PAIRS, corrections_of(*lines), RANKS)
    np.testing.assert_allclose(found, expit(logit(PAIRS) + shift), rtol=0, atol=1e-12)


@each_case(
    "lines",
    [
        [],
        ["same 1 2"],
        ["confirm 1 / 2"],
        ["called 1 A"],
        ["different 1 / 99"],
        ["apart 1 / 2"],
        ["threshold 0.4"],
    ],
)
def test_what_shifts_nothing(lines):
    assert shift_probabilities(PAIRS, corrections_of(*lines), RANKS) is PAIRS


@each_case(
    ("lines", "likeness"),
    [
        (["same 1 2"], [0.95, 0.95, 0.5, 0.35]),
        (["same 1 2 99"], [0.95, 0.95, 0.5, 0.35]),
        (["move 1 / 99 / 2 3"], [0.8, 2.4 / 3, 2 / 3, 1.5 / 3]),
    ],
)
def test_pages_that_resemble_those_of_one_person_are_more_probably_its_own(lines, likeness):
    found = join_resembling(PAIRS, corrections_of(*lines), RANKS)
    first, second = np.triu_indices(4, k=1)
    weight = (np.array(likeness)[first] * np.array(likeness)[second]) ** 2
    np.testing.assert_allclose(found, 1 - (1 - PAIRS) * (1 - weight), rtol=0, atol=1e-12)


@each_case("lines", [[], ["same 1 99"], ["different 1 / 2"], ["called 1 A"]])
def test_what_makes_no_pages_more_alike(lines):
    assert join_resembling(PAIRS, corrections_of(*lines), RANKS) is PAIRS


@given(st.lists(st.floats(-9, 9), min_size=1, max_size=9))
def test_the_shift_is_the_most_probable(logits):
    def log_posterior(shift: np.ndarray) -> np.ndarray:
        return -(shift**2) / 2 + np.log(expit(-(np.array(logits)[:, np.newaxis] + shift))).sum(0)

    grid = np.linspace(-len(logits), 0, 20_001)
    found = most_probable_shift(np.array(logits))
    assert -len(logits) <= found <= 0
    assert found == pytest.approx(grid[log_posterior(grid).argmax()], abs=1e-3)


@pytest.mark.parametrize("certain", [0.0, 1.0])
def test_certainty_is_no_infinity(certain):
    found = shift_probabilities(np.array([certain]), corrections_of("different 1 / 2"), [1, 2])
    shift = most_probable_shift(logit(np.array([abs(certain - 1e-4)])))
    assert found[0] == pytest.approx(expit(logit(abs(certain - 1e-4)) + shift), abs=1e-12)


def test_corrections_constrain_the_clusters_and_shift_the_other_pairs():
    corrections = corrections_of("different 1 / 2", "same 1 4")
    tree = constrained_dendrogram(corrections, average_linkage, PAIRS, RANKS)
    assert [tree.clusters(merges) for merges in (tree.min_merges, tree.max_merges)] == [
        [[0, 3], [1], [2]],
        [[0, 2, 3], [1]],
    ]
    assert tree.probability[[0, 2]].tolist() == [0, 1]
    assert 0 < tree.probability[5] < 0.8


def test_without_corrections_the_dendrogram_is_that_of_the_linkage():
    tree = constrained_dendrogram(NONE, average_linkage, PAIRS, RANKS)
    assert tree.merges == average_linkage(PAIRS, 4).merges
    assert tree.probability is PAIRS
