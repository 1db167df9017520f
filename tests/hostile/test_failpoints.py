"""Some failpoints of each command; ``python -m tests.hostile.failpoints`` tries all of them."""

import subprocess
import sys

import pytest

from tests.hostile.scenarios import SCENARIOS

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="has no fork"),
]


def tried(*words: str, before: str = "") -> subprocess.CompletedProcess[str]:
    program = f"{before}\nfrom tests.hostile.failpoints import main; import sys; sys.exit(main())"
    command = [sys.executable, "-c", program, *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_writers_survive_failures():
    run = tried("--most", "3")
    assert run.returncode == 0, run.stdout + run.stderr
    assert all(f"| {scenario} | " in run.stdout for scenario in SCENARIOS)


CARELESS = """
import contextlib, weps_eval.tables
@contextlib.contextmanager
def careless(path, **_):
    with open(path, "wb") as file:
        yield file
weps_eval.tables.atomic_file = careless
"""


def test_a_careless_writer_is_found():
    run = tried("--most", "100", "--scenarios", "text-score", before=CARELESS)
    assert run.returncode == 1
    assert "is neither as before nor as it is to be" in run.stdout
