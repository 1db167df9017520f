"""The documentation site builds without warnings, and the notebook shows what its cells give."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from docs.notebook import read_notebook, run_notebook
from weps._version import VERSION

ROOT = Path(__file__).resolve().parents[1]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site."""
    folder = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "docs", str(folder)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def test_the_site_has_every_page_and_loads_nothing_from_elsewhere(site):
    pages = {path.stem for path in site.glob("*.html")}
    assert "tutorial" in pages
    for source in (ROOT / "docs").glob("*.md"):  # none is replaced by a page of Sphinx's own
        title = re.match("# ([^`*]+?)(?: |$)", source.read_text("utf-8"), re.MULTILINE)
        built = (site / f"{source.stem}.html").read_text("utf-8")
        assert title is None or f"<h1>{title[1]}" in built, source.name
    for path in site.rglob("*.html"):
        loaded = re.findall(
            r"<(?:script|link|img|iframe)[^>]+(?:src|href)=\"([^\"]+)", path.read_text()
        )
        assert [address for address in loaded if "//" in address] == [], path.name


def test_the_site_has_every_command_schema_and_public_name(site):
    commands = (site / "commands.html").read_text("utf-8")
    for command in ("cluster", "serve", "text-score", "meta-qarla", "study-features"):
        assert f'id="weps-{command}"' in commands
    schemas = (site / "schemas.html").read_text("utf-8")
    assert all(f">{path.name}</" in schemas for path in (ROOT / "docs/schema").glob("*.json"))
    names = (site / "python.html").read_text("utf-8")
    for name in ("weps.cluster", "weps.Answer", "weps.Answer.people", "weps_eval.bcubed"):
        assert f'id="{name}"' in names


def test_the_citation_is_of_this_version():
    assert f"\nversion: {VERSION}\n" in (ROOT / "CITATION.cff").read_text("utf-8")


def test_the_notebook_shows_what_its_cells_give(monkeypatch):
    monkeypatch.chdir(ROOT / "docs")
    stored = read_notebook()
    assert run_notebook(stored) == stored
