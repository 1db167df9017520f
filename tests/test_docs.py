"""The documentation holds: its examples run, its links lead somewhere, its commands exist."""

import os
import re
import shlex
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path

import pytest

import run_weps
from tests.cases import each_case
from weps.systems import parse_configuration

ROOT = Path(run_weps.__file__).parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])


@pytest.fixture(scope="module")
def parser() -> ArgumentParser:
    return run_weps._parser()


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(
        rf"^```{language}\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )


@pytest.mark.slow
def test_python_examples_run():
    """In another process, since some register what other tests must not see."""
    code = "\n".join(
        f"exec(compile({block!r}, {page.name!r}, 'exec'), {{'__name__': 'example'}})"
        for page in PAGES
        for block in blocks(page, "python")
    )
    checks = "\n".join(block for page in PAGES for block in blocks(page, "pycon"))
    code += f"\nimport doctest\nchecks = doctest.DocTestParser().get_doctest({checks!r}, "
    code += "{}, 'checks', None, 0)\nassert not doctest.DocTestRunner().run(checks).failed"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


@pytest.mark.slow
def test_examples_of_contributing_pass_lint_and_types(tmp_path):
    """As modules of the folders that they are said to go to, by the rules of these."""
    folders = ("weps/features", "eval/weps_eval/text/measures", "weps/sources/formats")
    examples = blocks(ROOT / "CONTRIBUTING.md", "python")
    types = ["mypy", "--config-file", "pyproject.toml", "--cache-dir", tmp_path / "cache"]
    environment = {**os.environ, "MYPYPATH": os.pathsep.join([str(ROOT), str(ROOT / "eval")])}
    for number, (folder, example) in enumerate(zip(folders, examples, strict=True)):
        (tmp_path / f"example_{number}.py").write_text(example)
        placed = ("--no-cache", "--stdin-filename", f"{folder}/example.py", "-")
        for check in (
            ("ruff", "check", *placed),
            ("ruff", "format", "--check", *placed),
            (*types, tmp_path / f"example_{number}.py"),
        ):
            words = [sys.executable, "-m", *map(str, check)]
            done = subprocess.run(
                words,
                cwd=ROOT,
                env=environment,
                input=example,
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_the_tutorial_shows_what_its_commands_print(tmp_path, monkeypatch, capsys):
    page = ROOT / "docs" / "first-name.md"
    shown, corrections = blocks(page, "text")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    run_weps.main(["cluster", str(ROOT / "resources/demo")])
    seconds = re.compile(r"[\d.]+ s$", re.MULTILINE)
    assert seconds.sub("", capsys.readouterr().out) == seconds.sub("", shown)
    Path("weps-out/Robin_Averdale.corrections.txt").write_text(corrections, "utf-8")
    run_weps.main(["cluster", str(ROOT / "resources/demo")])
    said = re.search(r"rises to (F0\.5 [\d.]+)", page.read_text("utf-8"))
    assert said[1] in capsys.readouterr().out


@each_case("page", PAGES)
def test_links_to_files_lead_somewhere(page):
    targets = re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_commands_named_exist(capsys):
    text = "\n".join(
        code
        for page in PAGES
        for code in (*blocks(page, "sh"), *re.findall(r"`([^`\n]+)`", page.read_text("utf-8")))
    )
    for command in set(re.findall(r"\bweps ([a-z]+)\b", text)):
        with pytest.raises(SystemExit, match="0"):
            run_weps.main([command, "--help"])
    capsys.readouterr()


def calls(page: Path) -> list[list[str]]:
    """The words of every call of weps that a page shows whole, without redirection."""
    lines = "\n".join(blocks(page, "sh")).replace("\\\n", " ").splitlines()
    lines += re.findall(r"`([^`\n]+)`", page.read_text("utf-8"))
    told = [found[1] for line in lines if (found := re.search(r"\bweps (.*?)(?: > |$)", line))]
    return [shlex.split(call, comments=True) for call in told if "…" not in call]


@each_case("page", PAGES)
def test_calls_shown_have_options_that_exist(page, parser, capsys):
    for words in calls(page):
        try:
            parser.parse_args(words)
        except SystemExit:  # a command of commands, when it is named alone, prints its help
            told = capsys.readouterr()
            assert "are required" in told.err or not told.err, f"weps {shlex.join(words)}"


@each_case("page", PAGES)
def test_systems_named_exist(page):
    for system in re.findall(r"--system[ =]'?([\w:=,+().-]*[\w)])", page.read_text("utf-8")):
        if not re.search(r"[A-Z]{2}|\.py:", system):  # what the reader is to put there
            parse_configuration(system)
