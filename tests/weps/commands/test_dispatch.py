"""Commands of commands: each module is imported when it is called, and not before."""

from __future__ import annotations

import argparse
import sys
from types import ModuleType

import pytest

from weps.commands.dispatch import Command, add_commands

INNER = {"leaf": Command("a_leaf", "do it"), "other": Command("no_such_module", "do nothing")}


@pytest.fixture(autouse=True)
def _modules(monkeypatch: pytest.MonkeyPatch) -> None:
    leaf = ModuleType("a_leaf")
    leaf.arguments = lambda parser: parser.add_argument("--depth", type=int)  # type: ignore[attr-defined]
    leaf.run = lambda options: options.depth + 1  # type: ignore[attr-defined]
    branch = ModuleType("a_branch")
    branch.arguments = lambda parser: add_commands(parser, "task", INNER)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "a_leaf", leaf)
    monkeypatch.setitem(sys.modules, "a_branch", branch)


@pytest.fixture
def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tree")
    commands = {**INNER, "branch": Command("a_branch", "do one of two things")}
    add_commands(parser, "command", commands)
    return parser


@pytest.mark.parametrize("words", [["leaf"], ["branch", "leaf"]])
def test_the_called_command_is_what_runs(parser: argparse.ArgumentParser, words: list[str]) -> None:
    options = parser.parse_args([*words, "--depth", "3"])
    assert options.run(options) == 4


def test_names_of_the_levels_are_kept(parser: argparse.ArgumentParser) -> None:
    options = parser.parse_args(["branch", "leaf", "--quiet"])
    assert (options.command, options.task, options.quiet) == ("branch", "leaf", True)


def test_a_second_line_finds_the_options_declared(parser: argparse.ArgumentParser) -> None:
    assert [parser.parse_args(["leaf", "--depth", each]).depth for each in "12"] == [1, 2]


def test_help_lists_commands_without_importing_them(
    parser: argparse.ArgumentParser, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        parser.parse_args(["branch", "--help"])
    told = capsys.readouterr().out
    assert "Do one of two things." in told
    assert "do nothing" in told


def test_a_command_of_commands_wants_one(
    parser: argparse.ArgumentParser, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        parser.parse_args(["branch"])
    assert "TASK" in capsys.readouterr().err
