"""Commands of commands: each module is imported when it is called, and not before."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from argparse import ArgumentTypeError
from types import ModuleType

import pytest

from weps.cli.commands import Command, add_commands
from weps.cli.options import (
    add_reading,
    check_writable,
    parse_probability,
    parse_whole_number,
    reader_from_options,
    write_json,
)
from weps.errors import OutputError
from weps.records import HtmlReader

INNER = {"leaf": Command("a_leaf", "do it"), "other": Command("no_such_module", "do nothing")}


@pytest.fixture(autouse=True)
def _modules(monkeypatch: pytest.MonkeyPatch) -> None:
    leaf = ModuleType("a_leaf")
    leaf.add_arguments = lambda parser: parser.add_argument("--depth", type=int)  # type: ignore[attr-defined]
    leaf.run_command = lambda options: options.depth + 1  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "a_leaf", leaf)


@pytest.fixture
def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tree")
    commands = {**INNER, "branch": Command("", "do one of two things", "task", INNER)}
    add_commands(parser, "command", commands)
    return parser


@pytest.mark.parametrize("words", [["leaf"], ["branch", "leaf"]])
def test_the_called_command_is_what_runs(parser, words):
    options = parser.parse_args([*words, "--depth", "3"])
    assert options.run(options) == 4


def test_names_of_the_levels_are_kept(parser):
    options = parser.parse_args(["branch", "leaf", "--quiet"])
    assert (options.command, options.task, options.quiet) == ("branch", "leaf", True)


def test_a_second_line_finds_the_options_declared(parser):
    assert [parser.parse_args(["leaf", "--depth", each]).depth for each in "12"] == [1, 2]


def test_help_lists_commands_without_importing_them(parser, capsys):
    with pytest.raises(SystemExit):
        parser.parse_args(["branch", "--help"])
    told = capsys.readouterr().out
    assert "Do one of two things." in told
    assert "do nothing" in told


def test_a_command_of_commands_wants_one(parser, capsys):
    with pytest.raises(SystemExit, match=r"^0$"):
        parser.parse_args(["branch"])
    assert "do nothing" in capsys.readouterr().out
    with pytest.raises(SystemExit, match=r"^2$"):
        parser.parse_args(["branch", "--quiet"])
    assert "required: TASK" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("read", "text", "value"),
    [
        (parse_whole_number, "0", 0),
        (parse_whole_number, "40", 40),
        (parse_probability, "0", 0.0),
        (parse_probability, "0.25", 0.25),
        (parse_probability, "1", 1.0),
    ],
)
def test_numbers_are_read(read, text, value):
    assert read(text) == value


@pytest.mark.parametrize(
    ("read", "texts", "message"),
    [
        (parse_whole_number, ["-1", "1.5", "two", "", "1e3"], "expected a whole number from 0"),
        (
            parse_probability,
            ["-0.1", "1.01", "half", "", "nan", "inf"],
            "expected a number from 0 to 1",
        ),
    ],
)
def test_other_numbers_are_refused(read, texts, message):
    for text in texts:
        with pytest.raises(ArgumentTypeError, match=re.escape(f"{message}, got {text!r}")):
            read(text)


@pytest.mark.parametrize(("path", "told"), [("", "a folder"), ("no/file.json", "no such folder")])
def test_what_cannot_be_written_is_told(tmp_path, path, told):
    with pytest.raises(OutputError, match=told):
        check_writable(tmp_path / path)


def test_json_is_written_if_asked_for(tmp_path):
    write_json(None, {})
    write_json(tmp_path / "out.json", {"name": "Amigó"})
    text = (tmp_path / "out.json").read_text("utf-8")
    assert "Amigó" in text
    assert json.loads(text) == {"name": "Amigó"}
    os.mkfifo(tmp_path / "nobody reads")
    for place in (tmp_path, tmp_path / "nobody reads"):
        with pytest.raises(OutputError, match="cannot be written"):
            write_json(place, {})


@pytest.mark.parametrize(
    ("words", "html"),
    [([], HtmlReader.FAST), (["--html", "beautifulsoup"], HtmlReader.BEAUTIFULSOUP)],
)
def test_what_reads_the_markup(words, html):
    parser = argparse.ArgumentParser()
    add_reading(parser)
    assert reader_from_options(parser.parse_args([*words, "--no-cache"])).html is html


def test_a_reader_of_markup_that_there_is_not(capsys):
    parser = argparse.ArgumentParser()
    add_reading(parser)
    with pytest.raises(SystemExit):
        parser.parse_args(["--html", "lxml"])
    assert "expected one of fast, beautifulsoup, got 'lxml'" in capsys.readouterr().err
