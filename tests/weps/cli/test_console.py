import io
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from weps._formatting import text_width
from weps._parallel import Progress
from weps.cli.cluster import _write_people, warn_unread
from weps.cli.console import Console
from weps.people.answer import Answer, PageScore, Part, Person, PersonDescription
from weps.records import UnreadInput

ERASED = "\x1b[2K"
"""ECMA-48, erase in line."""


class Terminal(io.StringIO):
    """A stream that a person looks at."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminals(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Terminal, Terminal]]:
    """Puts terminals in the place of standard output and standard error."""

    def put(**environment: str) -> tuple[Terminal, Terminal]:
        for name in ("NO_COLOR", "TERM", "COLUMNS"):
            monkeypatch.delenv(name, raising=False)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        streams = Terminal(), Terminal()
        monkeypatch.setattr("sys.stdout", streams[0])
        monkeypatch.setattr("sys.stderr", streams[1])
        return streams

    return put


@pytest.mark.parametrize(
    ("environment", "heading"),
    [
        ({}, "\x1b[1mwho\x1b[0m"),
        ({"TERM": "xterm", "NO_COLOR": ""}, "\x1b[1mwho\x1b[0m"),
        ({"NO_COLOR": "1"}, "who"),
        ({"TERM": "dumb"}, "who"),
    ],
)
def test_styles_are_for_terminals_of_people_who_want_them(terminals, environment, heading):
    output, _ = terminals(**environment)
    Console().write_table([["who"], ["Ann"]])
    assert output.getvalue() == f"{heading}\nAnn\n"


def test_pipes_get_neither_styles_nor_progress_and_always_the_same_width(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "37")
    console = Console()
    console.write("who")
    console.show_progress("reading pages", 1, 2)
    assert capsys.readouterr() == ("who\n", "")
    assert console.width == 100


ROWS = [["name", "pages"], ["token", "7"], ["title and url", "12"]]


def test_text_in_a_pipe_is_as_wide_as_its_cells(capsys):
    Console().write_table([*ROWS, ["[bold]\x1b[1m" + 150 * "x", "1"]])
    heading, first, second, _ = capsys.readouterr().out.splitlines()
    assert heading.split() == ["name", "pages"]
    assert [len(line) for line in (heading, first, second)] == [167] * 3
    Console().write_table(ROWS, left=[])
    assert capsys.readouterr().out.splitlines()[1] == "        token      7"
    Console().write_table(ROWS, left=2)
    assert capsys.readouterr().out.splitlines()[1] == "token          7"


def test_a_table_on_a_terminal_folds_text_but_no_figures(terminals):
    output, _ = terminals(COLUMNS="16", NO_COLOR="1")
    Console().write_table(ROWS)
    assert output.getvalue().splitlines()[2:] == ["title and     12", "url"]


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weps.cli.console._PROGRESS_DELAY", 0.0)


def test_in_a_pipe_too_figures_follow_below_but_no_text_is_folded(capsys):
    head, row = [f"measure {number}" for number in range(12)], ["0.123"] * 12
    Console().write_table([["system", "about", *head], ["mine", 90 * "x", *row]], left=2)
    first, second = (each.splitlines() for each in capsys.readouterr().out.split("\n\n"))
    assert first[1].split() == ["mine", 90 * "x", *row[:6]]
    assert second[1].split() == ["mine", *row[6:]]
    assert len(second[0]) <= 100


def test_figures_for_which_there_is_no_room_follow_below_with_the_first_column(terminals):
    output, _ = terminals(COLUMNS="30", TERM="dumb")
    rows = [["system", *(f"F{number}" for number in range(9))], ["mine", *["0.12"] * 9]]
    Console().write_table(rows)
    first, second, third = output.getvalue().split("\n\n")
    assert first == "system    F0    F1    F2    F3\nmine    0.12  0.12  0.12  0.12"
    assert third == "system    F8\nmine    0.12\n"
    assert second.count("0.12") == 4


@pytest.mark.usefixtures("at_once")
def test_progress_is_one_line_that_goes_when_the_work_is_done(terminals):
    output, aside = terminals()
    progress: Progress = Console().show_progress
    for done in range(2):
        progress("reading pages", done, 2)
    assert "reading pages" in aside.getvalue()
    assert "1/2" in aside.getvalue()
    progress("reading pages", 2, 2)
    assert aside.getvalue().endswith(ERASED)
    assert output.getvalue() == ""


@pytest.mark.usefixtures("at_once")
def test_what_is_written_meanwhile_takes_the_place_of_progress(terminals):
    output, aside = terminals()
    console = Console()
    console.show_progress("reading pages", 1, 0)
    console.warn("a fault")
    console.write("an answer")
    assert aside.getvalue().endswith(f"{ERASED}weps: warning: a fault\n")
    console.show_progress("clustering", 1_000, 2_000)
    assert "clustering" in aside.getvalue()
    assert "1000/2000" in aside.getvalue()
    console.write("another")
    assert aside.getvalue().endswith(ERASED)
    assert output.getvalue() == "an answer\nanother\n"


@pytest.mark.usefixtures("at_once")
def test_progress_controls_no_terminal(terminals):
    _, aside = terminals()
    Console().show_progress("reading\x1b[2J [bold]pages", 1, 2)
    assert "reading�[2J [bold]pages" in aside.getvalue()


def test_quiet_leaves_out_progress_and_details_but_neither_answers_nor_faults(terminals):
    output, aside = terminals(TERM="dumb")
    for quiet in (True, False):
        console = Console(quiet=quiet)
        console.write("answer")
        console.write_detail("detail")
        console.write_status("progress")
        console.warn("fault")
        console.error("failure")
    said, told = output.getvalue().split(), aside.getvalue().split("\n")
    assert said == ["answer", "answer", "detail"]
    faults = ["weps: warning: fault", "weps: error: failure"]
    assert told == [*faults, "progress", *faults, ""]


@pytest.mark.parametrize(
    ("encoding", "expected"), [("utf-8", "王 �[31m\nñ�\n"), ("latin-1", "? ?[31m\nñ?\n")]
)
def test_text_from_the_web_controls_no_terminal(terminals, monkeypatch, encoding, expected):
    output, _ = terminals()
    monkeypatch.setattr(Terminal, "encoding", encoding)
    Console().write("王 \x1b[31m\nñ\u202e")
    assert output.getvalue() == expected


def person(number: int, terms: str, pages: int, score: float) -> Person:
    """A person of so many pages, all of one score, which is that of their being one person."""
    return Person(
        id=number,
        confidence=score,
        pages=tuple(PageScore(rank, "", "", score) for rank in range(pages)),
        description=PersonDescription(
            terms=tuple(filter(None, terms.split(","))),
            one_person=score,
            expected_people=2 - score,
        ),
    )


def table(*people: Person, columns: int = 100) -> list[str]:
    """Lines of the table of people on a plain terminal."""
    with redirect_stdout(Terminal()) as output, pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(columns))
        patch.setenv("NO_COLOR", "1")
        _write_people(answer(*people), Console())
    return output.getvalue().splitlines()


def answer(*people: Person) -> Answer:
    return Answer("Ann Lee", people, (), "model", "signature")


TIDES = person(1, "tides,Leeds", 1234, 0.97)
JAZZ = person(2, "jazz", 2, 0.42)
PARTS = Part("Ann Lee – reefs", 0.81, (0, 1)), Part("", 0.5, (3, 4))


@each_case(
    ("people", "expected"),
    [
        ([], []),
        (
            [TIDES, JAZZ, *(person(number, "", 1, 0.9) for number in (3, 4))],
            [
                "   who           pages  confidence",
                "1  tides, Leeds  1,234  one person: almost certain, 97%",
                "2  jazz              2  may be two people (one: 42%)",
                "and 2 people with one page each",
            ],
        ),
        ([person(1, "tides", 1, 0.9)], ["1 person with one page"]),
        ([person(1, "", 1, 0.9)] * 34, ["34 people with one page each"]),
        (
            [replace(person(3, "tides", 5, 0.4), parts=PARTS), JAZZ],
            [
                "     who         pages  confidence",
                "  3  tides           5  probably two people (one: 40%)",
                "3.1  reefs           2  one person: likely, 81%",
                "3.2  (no label)      2  one person: plausible, 50%",
                "  2  jazz            2  may be two people (one: 42%)",
            ],
        ),
        (
            [person(1, "", 2, 0.8), person(2, "", 1, 0.9)],
            [
                "   who         pages  confidence",
                "1  (no label)      2  one person: likely, 80%",
                "and 1 person with one page",
            ],
        ),
    ],
)
def test_few_and_many_people(people, expected):
    assert table(*people) == expected


@each_case(
    ("columns", "line"),
    [
        (60, "1  tides, Leeds  1,234  one person: almost certain, 97%"),
        (59, "1  tides, Leeds  1,234  97%"),
        (30, "1  tides…  1,234  97%"),
    ],
)
def test_what_there_is_no_room_for_is_cut_or_left_out(columns, line):
    assert table(TIDES, columns=columns)[1] == line


def test_wide_labels_stand_in_columns_too():
    lines = table(person(1, "王小明,海洋", 2, 0.9), person(2, "Zoe\u0308", 2, 0.9))
    assert lines[1:] == [
        "1  王小明, 海洋      2  one person: likely, 90%",
        "2  Zoe\u0308               2  one person: likely, 90%",
    ]


def test_markup_of_terminals_in_labels_is_harmless_and_does_not_shift_columns():
    lines = table(person(1, "\x1b[31mred\r\n,\u202ebdi", 2, 0.9), person(2, "tides", 2, 0.9))
    assert lines[1] == "1  �[31mred , �bdi      2  one person: likely, 90%"
    assert text_width(lines[1]) == text_width(lines[2])


people = st.builds(
    person,
    st.integers(1, 200),
    st.text(st.sampled_from("ab ,王ｱ\u0308"), max_size=80),
    st.integers(1, 12),
    st.floats(0, 1),
)


@given(st.lists(people, max_size=6), st.integers(36, 130))
def test_no_line_is_wider_than_the_terminal(several, columns):
    lines = table(*several, columns=columns)
    assert all(text_width(line) <= columns for line in lines)
    assert len(lines) == expected_lines(several)


def expected_lines(several: list[Person]) -> int:
    alone = sum(len(each.pages) == 1 for each in several)
    return (len(several) - alone + 1) * (len(several) > alone) + (alone > 0)


def test_what_could_not_be_read_is_grouped_by_reason_and_bounded(capsys):
    images = [UnreadInput(f"pictures/{number}.png", "not a page: image/png") for number in range(9)]
    others = [UnreadInput("a\nb\x1b[31m" + "x" * 90, f"reason {number:02}") for number in range(12)]
    warn_unread([*others, *images], Console(quiet=True))
    first, *groups, last = capsys.readouterr().err.splitlines()
    assert first == "weps: warning: 21 inputs could not be read"
    shown = "pictures/0.png, pictures/1.png, pictures/2.png and 6 more"
    assert groups[0] == f"  not a page: image/png: {shown}"
    assert groups[1].startswith("  reason 00: a b�[31mxxx")
    assert (len(groups), max(map(len, groups))) == (10, 93)
    assert last == "  for other reasons, which the report lists: 3"
    warn_unread([], Console())
    assert capsys.readouterr().err == ""
