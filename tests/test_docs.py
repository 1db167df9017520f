"""The documentation holds: its examples run, its links lead somewhere, its commands exist."""

import re
from pathlib import Path

import pytest

import run_weps

ROOT = Path(run_weps.__file__).parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(
        rf"^```{language}\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples_run(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for code in blocks(page, "python"):
        exec(compile(code, page.name, "exec"), {})  # noqa: S102 - it is our own documentation


def test_the_readme_has_an_example_for_python() -> None:
    assert blocks(ROOT / "README.md", "python")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_to_files_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_named_exist(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "\n".join(blocks(page, "sh")) + "\n".join(re.findall(r"`([^`\n]+)`", page.read_text()))
    for command in set(re.findall(r"\bweps ([a-z]+)\b", text)):
        with pytest.raises(SystemExit, match="0"):
            run_weps.main([command, "--help"])
    capsys.readouterr()
