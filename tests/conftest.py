"""Fixtures shared by all tests."""

import os
from pathlib import Path

import pytest
from hypothesis import settings


@pytest.fixture(scope="session")
def weps_data() -> Path:
    """The folder of research data, which is not part of the project."""
    folder = os.environ.get("WEPS_DATA")
    if not folder:
        pytest.skip("research data not available: set WEPS_DATA to its folder")
    path = Path(folder).resolve()
    if not path.is_dir():
        pytest.fail(f"WEPS_DATA names {path}, which is no folder")
    return path


# Properties are about values, never about time: no deadlines on a busy machine.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
