from pathlib import Path

import pytest

from weps._cache import Cache


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "a" / "cache")
