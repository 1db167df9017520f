from itertools import combinations

import pytest
from hypothesis import given

from tests.weps.builders import unhurried
from tests.weps.corrections.cases import consistent
from weps.corrections import Correction, refuse_contradictions
from weps.corrections.contradictions import person_of
from weps.corrections.lines import parse
from weps.errors import CorrectionsError


def said(*lines: str) -> list[Correction]:
    return [parse(line) for line in lines]


def told(corrections: list[Correction]) -> list[str]:
    try:
        refuse_contradictions(corrections)
    except CorrectionsError as error:
        return error.what.split("; ")
    return []


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["same 1 2", "different 3 / 4"], []),
        (
            ["same 1 4 7", "different 7 / 9 1"],
            ["pages 7 and 1 are one person by “same 1 4 7”, but two by “different 7 / 1 9”"],
        ),
        (
            ["different 1 / 3", "same 1 2", "confirm 2 / 3"],
            [
                "pages 1 and 3 are one person by “same 1 2” and “confirm 2 / 3”, "
                "but two by “different 1 / 3”"
            ],
        ),
        (
            ["same 1 2", "same 2 3", "same 3 4", "same 1 9 4", "different 1 / 4"],
            ["pages 1 and 4 are one person by “same 1 4 9”, but two by “different 1 / 4”"],
        ),
        (
            ["same 1 5", "same 5 4", "same 1 2", "same 2 3", "same 3 4", "different 1 / 4"],
            [
                "pages 1 and 4 are one person by “same 1 5” and “same 4 5”, "
                "but two by “different 1 / 4”"
            ],
        ),
        (
            ["same 1 2", "same 3 4", "different 1 3 / 2 4"],
            [
                "pages 1 and 2 are one person by “same 1 2”, but two by “different 1 3 / 2 4”",
                "pages 3 and 4 are one person by “same 3 4”, but two by “different 1 3 / 2 4”",
            ],
        ),
        (
            ["same 3 1000 2000", "different 1000 3 / 2000"],
            [
                "pages 3 and 2000 are one person by “same 3 1000 2000”, "
                "but two by “different 3 1000 / 2000”"
            ],
        ),
        (
            ["split 1 2 / 3", "move 3 / 4 / 2"],
            ["pages 2 and 3 are one person by “move 3 / 4 / 2”, but two by “split 1 2 / 3”"],
        ),
    ],
)
def test_each_is_told_with_the_shortest_chain(lines, expected):
    assert told(said(*lines)) == expected


def test_a_page_on_both_sides():
    line = Correction("different", ((4,), (4, 5)), line=3)
    assert told([line]) == ["page 4 is on both sides of “different 4 / 4 5” (line 3)"]


def test_all_are_told_in_one_error():
    with pytest.raises(CorrectionsError) as caught:
        refuse_contradictions(said("same 1 2", "different 1 / 2", "split 2 / 1"), "a file")
    assert str(caught.value) == (
        "a file: pages 1 and 2 are one person by “same 1 2”, but two by “different 1 / 2”; "
        "pages 2 and 1 are one person by “same 1 2”, but two by “split 2 / 1”; "
        "take back one of the corrections of each contradiction"
    )


@pytest.mark.parametrize(
    ("found", "end"), [(20, "20”"), (21, "; and 1 more"), (99, "; and 79 more")]
)
def test_very_many_are_cut_short(found, end):
    lines = [f"different {rank} / {rank + 1}" for rank in range(found)]
    with pytest.raises(CorrectionsError) as caught:
        refuse_contradictions(said("same " + " ".join(map(str, range(found + 1))), *lines))
    assert caught.value.what.endswith(end)


@pytest.mark.parametrize(("length", "end"), [(20, ""), (21, " and 1 more"), (30, " and 10 more")])
def test_a_very_long_chain_is_cut_short(length, end):
    lines = [f"same {rank} {rank + 1}" for rank in range(length)]
    (only,) = told(said(*lines, f"different 0 / {length}"))
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
    (only,) = told(said("same 1 10 11", line))
    assert only.endswith(f"but two by “{quoted}”")


@given(consistent())
@unhurried
def test_persons_are_those_that_chains_of_same_make(corrections):
    person = person_of(corrections.said)
    assert person.keys() == corrections.ranks
    reach = {rank: {rank} for rank in corrections.ranks}
    for _ in corrections.said:
        for ours in corrections.same:
            whole = set().union(*(reach[rank] for rank in ours))
            for rank in whole:
                reach[rank] = whole | reach[rank]
    for one, other in combinations(sorted(corrections.ranks), 2):
        assert (person[one] == person[other]) == (other in reach[one])
