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


def test_very_many_are_cut_short():
    lines = [f"different {rank} / {rank + 1}" for rank in range(99)]
    with pytest.raises(CorrectionsError, match=r"; and 79 more; take back"):
        refuse_contradictions(said("same " + " ".join(map(str, range(100))), *lines))


def test_a_very_long_chain_is_cut_short():
    lines = [f"same {rank} {rank + 1}" for rank in range(30)]
    (only,) = told(said(*lines, "different 0 / 30"))
    assert only.startswith("pages 0 and 30 are one person by “same 0 1” and “same 1 2” and ")
    assert only.endswith(" and “same 19 20” and 10 more, but two by “different 0 / 30”")


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
