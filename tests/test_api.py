"""The public interface is what docs/api.md promises, and costs nothing until it is used."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import eval as evaluation  # the package, not the builtin
import weps
from weps._version import VERSION
from weps.errors import WepsError

PAGE = Path(__file__).resolve().parents[1] / "docs" / "api.md"
PACKAGES = pytest.mark.parametrize("package", [weps, evaluation], ids=["weps", "eval"])


def documented(package: str) -> list[str]:
    section = PAGE.read_text("utf-8").split(f"\n## {package}\n")[1].split("\n## ")[0]
    return re.findall(r"^\| `(\w+)` \| \S", section, re.MULTILINE)


@PACKAGES
def test_the_page_lists_what_the_package_exports(package):
    assert documented(package.__name__) == sorted(package.__all__)


@PACKAGES
def test_every_public_name_is_there_under_its_own_name(package):
    assert {name: getattr(package, name).__name__ for name in package.__all__} == {
        name: name for name in package.__all__
    }
    assert set(dir(package)) - {"__version__"} == set(package.__all__)


@PACKAGES
def test_other_names_are_attribute_errors(package):
    with pytest.raises(AttributeError, match="no_such_thing"):
        package.no_such_thing  # noqa: B018 - asking is the test


def test_importing_the_packages_imports_nothing_heavy():
    code = "import weps, eval, sys; sys.exit(bool({'numpy', 'scipy', 'bs4'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_public_error_is_the_one_that_is_raised():
    assert weps.WepsError is WepsError


def test_the_version_is_that_of_the_package():
    assert weps.__version__ == VERSION


FIRST = "import sys; sys.path.insert(0, {root!r}); "
"""What docs/api.md advises; tests run from the folder of the project, not from an installed one."""


@pytest.mark.parametrize(
    ("file", "before", "theirs"),
    [
        ("eval.py", "", True),
        ("eval/__init__.py", "", True),
        ("eval/notes.txt", "", False),
        ("eval.py", FIRST, False),
        ("eval/__init__.py", FIRST, False),
    ],
)
def test_a_file_called_eval_in_the_current_folder_may_hide_the_package(
    tmp_path, file, before, theirs
):
    root = str(PAGE.parents[1])
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).touch()
    code = f"{before.format(root=root)}import eval as layer; print(hasattr(layer, 'bcubed'))"
    words = {"cwd": tmp_path, "capture_output": True, "text": True}
    environment = {**os.environ, "PYTHONPATH": root}
    run = subprocess.run([sys.executable, "-c", code], check=True, env=environment, **words)
    assert run.stdout == f"{not theirs}\n"
    # A script, as the command is, looks in its own folder; the builtin is never hidden.
    script = tmp_path / "elsewhere" / "script.py"
    script.parent.mkdir()
    script.write_text("import weps; from eval import bcubed; print(eval('1 + 1'))")
    run = subprocess.run([sys.executable, str(script)], check=True, env=environment, **words)
    assert run.stdout == "2\n"
