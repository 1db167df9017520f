"""Corrections, and the constraints that follow."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, logit

from tests.cases import each_case
from tests.weps.corrections.cases import consistent, corrections_of
from weps.clustering.linkage import average_linkage
from weps.corrections.file import parse_line
from weps.corrections.model import (
    Correction,
    Corrections,
    check_consistency,
    constrained_dendrogram,
    join_resembling,
    most_probable_shift,
    person_numbers,
    shift_probabilities,
)
from weps.errors import CorrectionsError


def parsed(*lines: str) -> list[Correction]:
    return [parse_line(line) for line in lines]


def contradictions(corrections: list[Correction]) -> list[str]:
    try:
        check_consistency(corrections)
    except CorrectionsError as error:
        return error.what.split("; ")
    return []


@each_case(
    ("lines", "expected"),
    [
        ("same 1 2; different 3 / 4", []),
        ("same 1 4 7; different 7 / 9 1", ["7 and 1: same 1 4 7: different 7 / 1 9"]),
        (
            "different 1 / 3; same 1 2; confirm 2 / 3",
            ["1 and 3: same 1 2 + confirm 2 / 3: different 1 / 3"],
        ),
        (
            "same 1 2; same 2 3; same 3 4; same 1 9 4; different 1 / 4",
            ["1 and 4: same 1 4 9: different 1 / 4"],
        ),
        (
            "same 1 5; same 5 4; same 1 2; same 2 3; same 3 4; different 1 / 4",
            ["1 and 4: same 1 5 + same 4 5: different 1 / 4"],
        ),
        (
            "same 1 2; same 3 4; different 1 3 / 2 4",
            ["1 and 2: same 1 2: different 1 3 / 2 4", "3 and 4: same 3 4: different 1 3 / 2 4"],
        ),
        (
            "same 3 1000 2000; different 1000 3 / 2000",
            ["3 and 2000: same 3 1000 2000: different 3 1000 / 2000"],
        ),
        ("split 1 2 / 3; move 3 / 4 / 2", ["2 and 3: move 3 / 4 / 2: split 1 2 / 3"]),
    ],
)
def test_contradictions_are_listed_with_the_shortest_chain(lines, expected):
    """Expected: the pages, the chain and the line that separates them."""
    sentences = []
    for pages, chain, line in (each.split(": ") for each in expected):
        by = " and ".join(f"“{each}”" for each in chain.split(" + "))
        sentences.append(f"pages {pages} are one person by {by}, but two by “{line}”")
    assert contradictions(parsed(*lines.split("; "))) == sentences


def test_a_page_on_both_sides():
    line = Correction("different", ((4,), (4, 5)), line=3)
    assert contradictions([line]) == ["page 4 is on both sides of “different 4 / 4 5” (line 3)"]


@pytest.mark.parametrize(("found", "end"), [(20, "20”"), (21, "; and 1 more")])
def test_very_many_are_cut_short(found, end):
    lines = [f"different {rank} / {rank + 1}" for rank in range(found)]
    with pytest.raises(CorrectionsError) as caught:
        check_consistency(parsed("same " + " ".join(map(str, range(found + 1))), *lines))
    assert caught.value.what.endswith(end)


@pytest.mark.parametrize(("length", "end"), [(20, ""), (21, " and 1 more")])
def test_a_very_long_chain_is_cut_short(length, end):
    lines = [f"same {rank} {rank + 1}" for rank in range(length)]
    (only,) = contradictions(parsed(*lines, f"different 0 / {length}"))
    assert only.startswith(f"pages 0 and {length} are one person by “same 0 1” and “same 1 2” and ")
    assert only.endswith(f" and “same 19 20”{end}, but two by “different 0 / {length}”")


@pytest.mark.parametrize(
    ("line", "quoted"),
    [
        ("different 1 / 11 12 13 14 15 16 17 18 19", "different 1 / 11 12 13 14 15 16 17 18 19"),
        ("different 10 / 11 12 13 14 15 16 17 18 19", "different 10 / 11 12 13 14 15 16 17 18…"),
    ],
)
def test_long_lines_are_quoted_in_part(line, quoted):
    (only,) = contradictions(parsed("same 1 10 11", line))
    assert only.endswith(f"but two by “{quoted}”")


@given(consistent())
def test_persons_are_those_that_chains_of_same_make(corrections):
    person = person_numbers(corrections.entries)
    assert person.keys() == corrections.ranks
    reach = {rank: {rank} for rank in corrections.ranks}
    for _ in corrections.entries:
        for ours in corrections.same:
            whole = set().union(*(reach[rank] for rank in ours))
            for rank in whole:
                reach[rank] = whole | reach[rank]
    for one, other in combinations(sorted(corrections.ranks), 2):
        assert (person[one] == person[other]) == (other in reach[one])


def test_rows_are_numbered_by_the_first_that_must_be_together():
    constraints = corrections_of("same 20 40", "different 20 / 30", "confirm 50 / 60").constraints(
        [10, 20, 30, 40, 50]
    )
    assert constraints.components.tolist() == [0, 1, 2, 1, 3]
    assert np.argwhere(constraints.conflicts).tolist() == [[1, 2], [2, 1]]
    assert constraints.confirmed_pages.tolist() == [False, False, False, False, True]
    assert constraints.required_merges == 1


def test_pages_that_are_not_there_still_tie_others():
    constraints = corrections_of("same 1 99", "same 99 3", "different 99 / 2").constraints(
        [1, 2, 3]
    )
    assert constraints.components.tolist() == [0, 1, 0]
    assert constraints.cannot_link.tolist() == [True, False, True]


def test_only_the_first_group_is_confirmed():
    constraints = corrections_of("confirm 1 / 2", "confirm 3 4").constraints([1, 2, 3, 4])
    assert constraints.confirmed_pages.tolist() == [True, False, True, True]


def test_contradictions_make_no_constraints():
    entries = tuple(Correction(kind, ((1,), (2,))) for kind in ("confirm", "different"))
    with pytest.raises(CorrectionsError, match="are one person by"):
        Corrections(entries).constraints([1, 2])


@given(consistent(), st.permutations(range(15)))
def test_it_is_closed_and_says_no_more_than_follows(corrections, ranks):
    constraints = corrections.constraints(ranks)
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


@each_case(
    ("line", "same", "different"),
    [
        ("same 4 1 7", ((1, 4, 7),), ()),
        ("different 9 / 4 1", (), (((9,), (1, 4)),)),
        ("apart 9 / 4 1", (), (((9,), (1, 4)),)),
        ("threshold 0.4", (), ()),
        ("split 7 8 / 1 2", ((7, 8),), (((7, 8), (1, 2)),)),
        ("split 7 / 1", ((7,),), (((7,), (1,)),)),
        ("move 7 / 1 2 / 4 5", ((4, 5, 7),), (((7,), (1, 2)),)),
        ("confirm 1 2", ((1, 2),), ()),
        ("confirm 7 / 1 2", ((1, 2, 7),), ()),
        ("called 3 The harbour master", (), ()),
    ],
)
def test_what_each_kind_says(line, same, different):
    corrections = corrections_of(line)
    assert (corrections.same, corrections.different) == (same, different)


def test_the_parts_of_all_corrections():
    corrections = corrections_of(
        "called 3 A", "confirm 1 2", "called 4 B # 2", "confirm 5 / 1", "called 3 C"
    )
    assert corrections.assigned_names == ((3, "A"), (4, "B # 2"), (3, "C"))
    assert corrections.confirmed == {1, 2, 5}
    assert corrections.ranks == {1, 2, 3, 4, 5}
    assert len(corrections) == 5


PAIRS = np.array([0.9, 0.5, 0.5, 0.5, 0.2, 0.8])
"""Of rows 0 to 3: 01, 02, 03, 12, 13, 23."""
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
    found = shift_probabilities(PAIRS, corrections_of(*lines).entries, RANKS)
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
    assert shift_probabilities(PAIRS, corrections_of(*lines).entries, RANKS) is PAIRS


@each_case(
    ("lines", "likeness"),
    [
        (["same 1 2"], [0.95, 0.95, 0.5, 0.35]),
        (["same 1 2 99"], [0.95, 0.95, 0.5, 0.35]),
        (["move 1 / 99 / 2 3"], [0.8, 2.4 / 3, 2 / 3, 1.5 / 3]),
    ],
)
def test_pages_that_resemble_those_of_one_person_are_more_probably_its_own(lines, likeness):
    found = join_resembling(PAIRS, corrections_of(*lines).entries, RANKS)
    first, second = np.triu_indices(4, k=1)
    weight = (np.array(likeness)[first] * np.array(likeness)[second]) ** 2
    np.testing.assert_allclose(found, 1 - (1 - PAIRS) * (1 - weight), rtol=0, atol=1e-12)


@each_case("lines", [[], ["same 1 99"], ["different 1 / 2"], ["called 1 A"]])
def test_what_makes_no_pages_more_alike(lines):
    assert join_resembling(PAIRS, corrections_of(*lines).entries, RANKS) is PAIRS


def test_a_worked_example():
    # Of one pair at even odds: the shift s at which s = -1 / (1 + exp(-s)).
    shift = most_probable_shift(np.zeros(1))
    assert shift == pytest.approx(-0.40106, abs=1e-5)
    assert shift == pytest.approx(-1 / (1 + np.exp(-shift)))


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
    found = shift_probabilities(
        np.array([certain]), corrections_of("different 1 / 2").entries, [1, 2]
    )
    shift = most_probable_shift(logit(np.array([abs(certain - 1e-4)])))
    assert found[0] == pytest.approx(expit(logit(abs(certain - 1e-4)) + shift), abs=1e-12)


def test_corrections_constrain_the_clusters_and_shift_the_other_pairs():
    corrections = corrections_of("different 1 / 2", "same 1 4").entries
    tree = constrained_dendrogram(corrections, average_linkage, PAIRS, RANKS)
    assert [tree.clusters(merges) for merges in (tree.min_merges, tree.max_merges)] == [
        [[0, 3], [1], [2]],
        [[0, 2, 3], [1]],
    ]
    assert tree.probability[[0, 2]].tolist() == [0, 1]
    assert 0 < tree.probability[5] < 0.8


def test_without_corrections_the_dendrogram_is_that_of_the_linkage():
    tree = constrained_dendrogram((), average_linkage, PAIRS, RANKS)
    assert tree.merges == average_linkage(PAIRS, 4).merges
    assert tree.probability is PAIRS
