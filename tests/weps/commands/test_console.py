import io
from collections.abc import Callable

import pytest

from weps.commands.console import Console, Style
from weps.progress import Progress

ERASED = "\r\x1b[K"


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
    ("environment", "expected"),
    [
        ({}, "\x1b[1mwho\x1b[0m\nplain\n"),
        ({"TERM": "xterm", "NO_COLOR": ""}, "\x1b[1mwho\x1b[0m\nplain\n"),
        ({"NO_COLOR": "1"}, "who\nplain\n"),
        ({"TERM": "dumb"}, "who\nplain\n"),
    ],
)
def test_styles_are_for_terminals_of_people_who_want_them(terminals, environment, expected):
    output, _ = terminals(**environment)
    console = Console()
    console.say("who", Style.BOLD)
    console.say("plain")
    assert output.getvalue() == expected


def test_pipes_get_neither_styles_nor_progress_and_always_the_same_width(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "37")
    console = Console()
    console.say("who", Style.DIM)
    console.work("reading pages", 1, 2)
    assert capsys.readouterr() == ("who\n", "")
    assert console.width == 100


def test_a_terminal_has_the_width_that_it_says(terminals):
    terminals(COLUMNS="37")
    assert Console().width == 37


def test_progress_stands_in_one_line_and_goes_when_the_work_is_done(terminals):
    output, aside = terminals()
    progress: Progress = Console().work
    for done in range(3):
        progress("reading pages", done, 2)
    assert aside.getvalue() == f"\rreading pages 0/2{ERASED}\rreading pages 1/2{ERASED}"
    assert output.getvalue() == ""


def test_what_is_told_meanwhile_takes_the_place_of_progress(terminals):
    output, aside = terminals()
    console = Console()
    console.work("reading pages", 1, 0)
    console.warn("a fault")
    console.say("an answer")
    assert aside.getvalue() == f"\rreading pages 1{ERASED}weps: warning: a fault\n"
    console.work("reading pages", 1_000, 2_000)
    console.say("another")
    assert aside.getvalue().endswith(f"\rreading pages 1,000/2,000{ERASED}")
    assert output.getvalue() == "an answer\nanother\n"


@pytest.mark.parametrize(
    ("done", "total", "line"),
    [(0, 0, "\rreading"), (7, 0, "\rreading 7"), (0, 2, "\rreading 0/2"), (2, 2, "")],
)
def test_progress_gives_the_figures_that_there_are(terminals, done, total, line):
    _, aside = terminals()
    Console().work("reading", done, total)
    assert aside.getvalue() == line


def test_progress_fits_in_a_line_whatever_it_says(terminals):
    _, aside = terminals(COLUMNS="12")
    Console().work("reading\x1b[2J pages", 1, 2)
    assert aside.getvalue() == "\rreading�[2…"


def test_a_dumb_terminal_has_no_line_that_changes(terminals):
    _, aside = terminals(TERM="dumb")
    Console().work("reading pages", 1, 2)
    assert aside.getvalue() == ""


def test_quiet_leaves_out_progress_and_details_but_neither_answers_nor_faults(terminals):
    output, aside = terminals(TERM="dumb")
    for quiet in (True, False):
        console = Console(quiet=quiet)
        console.say("answer")
        console.detail("detail")
        console.progress("progress")
        console.warn("fault")
        console.error("failure")
    said, told = output.getvalue().split(), aside.getvalue().split("\n")
    assert said == ["answer", "answer", "detail"]
    faults = ["weps: warning: fault", "weps: error: failure"]
    assert told == [*faults, "progress", *faults, ""]


def test_quiet_shows_no_line_that_changes(terminals):
    _, aside = terminals()
    Console(quiet=True).work("reading pages", 1, 2)
    assert aside.getvalue() == ""


@pytest.mark.parametrize(
    ("encoding", "expected"), [("utf-8", "王 �[31m\nñ�\n"), ("latin-1", "? ?[31m\nñ?\n")]
)
def test_text_from_the_web_controls_no_terminal(terminals, monkeypatch, encoding, expected):
    output, _ = terminals()
    monkeypatch.setattr(Terminal, "encoding", encoding)
    Console().say("王 \x1b[31m\nñ\u202e")
    assert output.getvalue() == expected
