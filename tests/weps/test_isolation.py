import os
import signal
import sys
import threading
import time
from collections import deque

import pytest

from tests.cases import each_case
from weps import _isolation
from weps._isolation import IsolatedWork

MISBEHAVE = "tests.weps.made_work:misbehave"


@each_case("length", [0, 1, 100_000, 5_000_000])
def test_answers_are_those_of_the_function(length):
    data = bytes(range(256)) * (length // 256 + 1)
    with IsolatedWork(MISBEHAVE) as work:
        assert [work(data[:length].hex().encode()) for _ in range(2)] == [
            data[:length].hex().encode()[::-1]
        ] * 2


@each_case("what", ["match", "sleep", "fill", "end", "raise"])
def test_what_goes_wrong_ends_the_process_and_no_other_work(what):
    with IsolatedWork(MISBEHAVE) as work:
        work(b"limit 1")
        assert [work(b"before"), work(what.encode()), work(b"after")] == [b"erofeb", None, b"retfa"]


@each_case("ahead", [0, 1, 3, 9])
def test_inputs_may_be_handed_over_ahead(ahead):
    long = [b"xy" * 1_000_000, b"cd" * 1_000_000]
    inputs = [b"ab", b"end", b"bc", *long, b"raise", b"ef", b"fg", b"gh", b"end", b"end", b"hi"]
    waiting, results = deque(), []
    with IsolatedWork(MISBEHAVE) as work:
        for each in inputs:
            waiting.append(work.begin(each))
            if len(waiting) > ahead:
                results.append(waiting.popleft()())
        results += (each() for each in waiting)
    ending = {b"end", b"raise"}
    assert results == [None if each in ending else each[::-1] for each in inputs]


@pytest.mark.parametrize("what", ["interrupt", "print"])
def test_what_is_no_answer_of_the_process(what):
    with IsolatedWork(MISBEHAVE) as work:
        assert [work(what.encode()), work(b"ab")] == [what.encode()[::-1], b"ba"]


def test_the_next_work_of_a_kind_has_the_same_process():
    with IsolatedWork(MISBEHAVE) as work:
        work(b"a")
        process = work._process
    with IsolatedWork(MISBEHAVE) as work, IsolatedWork(MISBEHAVE) as other:
        assert [work(b"ab"), other(b"ab")] == [b"ba", b"ba"]
        assert work._process is process is not other._process
    process.kill()
    process.communicate()
    with IsolatedWork(MISBEHAVE) as work:  # one that was killed in the meantime is no answer
        assert work(b"ab") == b"ba"


def test_what_is_done_meanwhile_begins_once_and_with_the_first_input(monkeypatch):
    begun = []
    monkeypatch.setattr(IsolatedWork, "_take_idle", lambda _: None)
    with IsolatedWork(MISBEHAVE, lambda: begun.append(1)) as work:
        assert not begun
        assert [work(b"ab"), work(b"cd")] == [b"ba", b"dc"]
    assert begun == [1]


def test_the_process_ends_with_work_that_is_interrupted():
    work = IsolatedWork(MISBEHAVE)
    work(b"a")
    process = work._process

    def interrupt():
        # An interrupt that comes just before the process is waited for is seen only after that.
        while True:
            time.sleep(0.5)
            if process.poll() is not None:
                return
            os.kill(os.getpid(), signal.SIGINT)

    # Loading polars leaves a handler behind that lets system calls go on after a signal.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(KeyboardInterrupt), work:
        work(b"sleep")
    assert process.returncode == -signal.SIGKILL
    assert (process.stdin.closed, process.stdout.closed) == (True, True)


def test_cleaning_is_prepared_once(monkeypatch):
    monkeypatch.setattr(_isolation, "_IDLE", idle := {})
    for _ in range(2):
        _isolation.prepare_cleaning()
        for _ in range(6000):
            if idle:
                break
            time.sleep(0.01)
    ((process, inputs),) = idle.values()
    with IsolatedWork(_isolation.CLEANING) as clean:
        assert b'"blocks":["Ren\\u00e9"]' in clean(b'{"rank": 1}\nRen\xe9')
        assert (clean._process, clean._inputs) == (process, inputs + 1)
    _isolation._end_idle()


@pytest.mark.parametrize("executable", ["/nowhere", "/bin/true"])
def test_where_no_process_can_be_started(monkeypatch, executable):
    monkeypatch.setattr(sys, "executable", executable)
    with pytest.raises(OSError, match=executable), IsolatedWork(MISBEHAVE) as work:
        work(b"a")
