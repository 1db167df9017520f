"""Fixtures shared by all tests."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

# Tests run one to a core already; threads of scikit-learn, which wait for each other in a loop,
# would take many times the processor's time. Libraries read this when they are loaded.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest
from hypothesis import settings

import run_weps

Weps = Callable[..., tuple[int, str, str]]


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


@pytest.fixture(scope="session", autouse=True)
def cache_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The cache of one worker's tests, and of the processes that they start, not the user's own."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WEPS_CACHE", str(folder))
        for variable in ("BRAVE_API_KEY", "WEPS_SEARXNG_URL"):
            patch.delenv(variable, raising=False)
        yield folder


@pytest.fixture
def weps(capsys: pytest.CaptureFixture[str]) -> Weps:
    """Run a command; gives exit status, standard output, standard error."""

    def run(*words: object) -> tuple[int, str, str]:
        status = run_weps.main([str(word) for word in words])
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


# What is started in the background of a shell ignores Ctrl-C, and so would the processes of tests.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Properties are about values, never about time: no deadlines on a busy machine.
settings.register_profile("fast", deadline=None, max_examples=20)
settings.register_profile("ci", deadline=None, max_examples=50)
settings.load_profile("ci" if os.environ.get("CI") else "fast")
