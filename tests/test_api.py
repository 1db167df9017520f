"""The public interface is what docs/api.md promises, and costs nothing until it is used."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import eval as evaluation  # the package, not the builtin
import weps
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
    assert set(package.__all__) <= set(dir(package))


@PACKAGES
def test_other_names_are_attribute_errors(package):
    with pytest.raises(AttributeError, match="no_such_thing"):
        package.no_such_thing  # noqa: B018 - asking is the test


def test_importing_the_packages_imports_nothing_heavy():
    code = "import weps, eval, sys; sys.exit(bool({'numpy', 'scipy', 'bs4'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_public_error_is_the_one_that_is_raised():
    assert weps.WepsError is WepsError
