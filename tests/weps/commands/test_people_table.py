import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import unhurried
from weps.commands.console import Style
from weps.commands.fitting import width
from weps.commands.people_table import people_table
from weps.people import Answer, PageScore, Person
from weps.portraits import Portrait
from weps.refinement.suggest import Refinement


def person(number: int, terms: str, pages: int, score: float, refinement: str = "") -> Person:
    """A person of so many pages, all of one score; terms stand between commas."""
    found = Refinement(refinement, 1.0, 1.0, 1.0) if refinement else None
    return Person(
        id=number,
        confidence=score,
        pages=tuple(PageScore(rank, "", "", score) for rank in range(pages)),
        portrait=Portrait(terms=tuple(filter(None, terms.split(","))), refinement=found),
    )


def table(*people: Person, columns: int = 100) -> list[str]:
    return [line.text for line in people_table(answer(*people), columns)]


def answer(*people: Person) -> Answer:
    return Answer("Ann Lee", people, (), "model", "signature")


TIDES = person(1, "tides,Leeds", 1234, 0.97, "oceanography")
JAZZ = person(2, "jazz", 2, 0.42)


def test_people_with_several_pages_have_a_line_each_and_the_others_one_together():
    assert table(TIDES, JAZZ, *(person(number, "", 1, 0.9) for number in (3, 4))) == [
        "   who           pages  confidence           search next time",
        '1  tides, Leeds  1,234  almost certain, 97%  "Ann Lee" oceanography',
        "2  jazz              2  uncertain, 42%",
        "and 2 people with one page each",
    ]


@pytest.mark.parametrize(
    ("people", "expected"),
    [
        ([], []),
        ([person(1, "tides", 1, 0.9)], ["1 person with one page"]),
        ([person(1, "", 1, 0.9)] * 34, ["34 people with one page each"]),
        (
            [person(1, "", 2, 0.8), person(2, "", 1, 0.9)],
            [
                "   who         pages  confidence",
                "1  (no label)      2  likely, 80%",
                "and 1 person with one page",
            ],
        ),
    ],
)
def test_few_and_many_people(people, expected):
    assert table(*people) == expected


@pytest.mark.parametrize(
    ("columns", "line"),
    [
        (90, '1  tides, Leeds  1,234  almost certain, 97%  "Ann Lee" oceanography'),
        (67, '1  tides, Leeds  1,234  almost certain, 97%  "Ann Lee" oceanography'),
        (66, "1  tides, Leeds  1,234  almost certain, 97%"),
        (60, "1  tides, Leeds  1,234  almost certain, 97%"),
        (59, '1  tides, Leeds  1,234  97%         "Ann Lee" oceanography'),
        (30, "1  tides…    1,234  97%"),
    ],
)
def test_what_there_is_no_room_for_is_cut_or_left_out(columns, line):
    assert table(TIDES, columns=columns)[1] == line


def test_queries_take_room_from_labels_that_are_long():
    long = person(1, "tides of the northern sea,Leeds,oceanography", 2, 0.97, "tides")
    assert table(long, columns=85)[1] == (
        '1  tides of the northern sea, Leeds, o…      2  almost certain, 97%  "Ann Lee" tides'
    )
    assert "Ann Lee" not in table(long, columns=84)[1]


def test_a_name_that_a_user_gave_is_the_label():
    called = Person(id=1, confidence=1.0, pages=TIDES.pages[:2], called="Ann the elder")
    assert table(called)[1].startswith("1  Ann the elder  ")


def test_wide_labels_stand_in_columns_too():
    lines = table(person(1, "王小明,海洋", 2, 0.9), person(2, "Zoe\u0308", 2, 0.9))
    assert lines[1:] == [
        "1  王小明, 海洋      2  likely, 90%",
        "2  Zoe\u0308               2  likely, 90%",
    ]


def test_markup_of_terminals_in_labels_is_harmless_and_does_not_shift_columns():
    lines = table(person(1, "\x1b[31mred\r\n,\u202ebdi", 2, 0.9), person(2, "tides", 2, 0.9))
    assert lines[1] == "1  �[31mred , �bdi      2  likely, 90%"
    assert width(lines[1]) == width(lines[2])


def test_the_heading_is_bold_and_what_is_unsure_dim():
    lines = people_table(answer(TIDES, JAZZ, person(3, "", 1, 0.9)), 80)
    assert [line.style for line in lines] == [Style.BOLD, Style.PLAIN, Style.DIM, Style.DIM]


people = st.builds(
    person,
    st.integers(1, 200),
    st.text(st.sampled_from("ab ,王ｱ\u0308"), max_size=80),
    st.integers(1, 12),
    st.floats(0, 1),
    st.text("xy ", max_size=40),
)


@given(st.lists(people, max_size=6), st.integers(36, 130))
@unhurried
def test_no_line_is_wider_than_the_terminal(several, columns):
    lines = table(*several, columns=columns)
    assert all(width(line) <= columns for line in lines)
    assert len(lines) == expected_lines(several)


def expected_lines(several: list[Person]) -> int:
    alone = sum(len(each.pages) == 1 for each in several)
    return (len(several) - alone + 1) * (len(several) > alone) + (alone > 0)
