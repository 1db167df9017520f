"""Some hostile inputs of each kind; ``python -m tests.hostile --hours 1`` tries thousands."""

import json
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.hostile.__main__ import KINDS

TRIALS = 4
"""Of each kind: all of them together take less than two minutes."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def tried():
    """Asks for the verdict of a kind and a seed; every trial is a process of its own."""
    words = [sys.executable, "-m", "tests.hostile"]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        while process.stdout.readline() not in {"ready\n", ""}:
            pass

        def verdict(kind, seed):
            process.stdin.write(f"{kind} {seed}\n")
            return json.loads(process.stdout.readline())

        yield verdict
        process.stdin.close()


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_inputs_are_handled(tried, kind):
    @settings(max_examples=TRIALS, suppress_health_check=[HealthCheck.too_slow], database=None)
    @given(seed=st.integers(0, 10**9))
    def handled(seed):
        assert tried(kind, seed)["failed"] == "", f"--kinds {kind} --seed {seed} --trials 1"

    handled()


ACTS = """
import os, socket, sys, time
from tests.hostile import sandbox
sandbox.TIME_LIMIT, sandbox.MEMORY_LIMIT = 3.0, 500 << 20
def write(place): (place.inputs / "x").write_text("x")
def leak(place): (place.out / "x").write_text(sandbox.CANARY)
def connect(place): socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(("192.0.2.1", 9))
def say(place): print("Traceback (most recent call last):")
def sleep(place): time.sleep(9)
def end(place): os.abort()
def fail(place): 1 / 0
def take(place): len(b"x" * (500 << 20))
def nothing(place): pass
for act in (write, leak, connect, say, sleep, end, fail, take, nothing):
    failed = sandbox.run_trial(lambda rng, place: lambda: act(place) or "", "0").failed
    sys.stdout.write((failed or "handled").split()[0] + chr(10))
"""


def test_each_kind_of_failure_is_seen():
    words = [sys.executable, "-c", ACTS]
    run = subprocess.run(words, capture_output=True, text=True, check=True, timeout=200)
    told = [*"open,x,socket.connect:,says,hangs:,the,raises,takes".split(","), "handled"]
    assert run.stdout.split() == told
