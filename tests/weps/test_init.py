import subprocess
import sys

import pytest

import weps


@pytest.mark.parametrize("name", weps.__all__)
def test_every_public_name_can_be_had(name: str) -> None:
    assert getattr(weps, name).__name__ == name


def test_a_name_that_is_not_public_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_thing"):
        weps.no_such_thing  # noqa: B018 - asking is the test


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = "import weps, sys; sys.exit(bool({'numpy', 'scipy', 'bs4'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
