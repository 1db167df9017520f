"""Commands of commands: each module is imported when it is called, and not before."""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace

import pytest

from run_weps import Command, _add_commands
from weps._options import cli_option
from weps.cli.console import Console
from weps.cli.options import check_writable, write_json
from weps.errors import OutputError


@dataclass(frozen=True, kw_only=True)
class Depth:
    depth: int = cli_option("how deep", 0)


def dig(options: Depth, _console: Console) -> int:
    return options.depth + 1


INNER = {
    "leaf": Command("a_leaf", "do it", "--depth 3"),
    "digger": Command("a_leaf:dig", "do it"),
    "other": Command("no_such_module", "do nothing"),
}


@pytest.fixture(autouse=True)
def _modules(monkeypatch: pytest.MonkeyPatch) -> None:
    leaf = ModuleType("a_leaf")
    leaf.STUDY = SimpleNamespace(options=Depth, run=dig)  # type: ignore[attr-defined]
    leaf.dig = dig  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "a_leaf", leaf)


@pytest.fixture
def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tree")
    commands = {**INNER, "branch": Command("", "do one of two things", "", "task", INNER)}
    _add_commands(parser, "command", commands)
    return parser


@pytest.mark.parametrize("words", [["leaf"], ["digger"], ["branch", "leaf"]])
def test_the_called_command_is_what_runs(parser, words):
    options = parser.parse_args([*words, "--depth", "3"])
    assert options.run(options, Console()) == 4


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
    os.mkfifo(tmp_path / "pipe")
    for place, told in {tmp_path: "cannot be written", tmp_path / "pipe": "- for standard"}.items():
        with pytest.raises(OutputError, match=told):
            write_json(place, {})
