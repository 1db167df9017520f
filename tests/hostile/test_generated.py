"""Some hostile inputs of each kind; ``python -m tests.hostile --hours 1`` tries thousands."""

import random
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow


def test_hostile_inputs_are_handled():
    """Four of each kind, others in each run, in less than two minutes."""
    seed = random.randrange(10**9)  # noqa: S311 - no secret
    words = [sys.executable, "-m", "tests.hostile", "--trials", "4", "--seed", str(seed)]
    run = subprocess.run(words, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.count(" | 4 | 4 | 0 | ") == 10


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
