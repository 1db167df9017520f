"""Other systems, simulated: what only POSIX has is missing for weps, in all of its processes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cases import each_case

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
SIMULATION = """
import builtins, fcntl, os, sys, types

PLATFORM = {platform!r}
MODULES = "fcntl resource termios tty pty pwd grp posix curses".split()
NAMES = '''O_NONBLOCK O_NOFOLLOW O_NOCTTY O_DIRECTORY O_CLOEXEC fork forkpty geteuid getuid
getegid getgid getpgid setsid killpg mkfifo set_blocking sched_getaffinity fchmod fchown chown
statvfs sysconf wait uname nice getloadavg openpty ttyname register_at_fork'''.split()


class Without(types.ModuleType):
    def __init__(self, module, gone, **others):
        super().__init__(module.__name__)
        self.__dict__.update(_of=module, _gone=set(gone), **others)

    def __getattr__(self, name):
        if name in self._gone:
            raise AttributeError(name)
        return getattr(self._of, name)

    def __setattr__(self, name, value):
        setattr(self._of, name, value)


def locking(file, mode, size):
    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, size, os.lseek(file, 0, os.SEEK_CUR))


SEEN = {{"sys": Without(sys, (), platform=PLATFORM)}}
if PLATFORM == "win32":
    SEEN["os"] = Without(os, NAMES)
    SEEN["msvcrt"] = types.SimpleNamespace(locking=locking, LK_NBLCK=2)
imported = builtins.__import__


def simulated(name, globals=None, *others, **named):
    if (globals or {{}}).get("__name__", "").split(".")[0] in {{"weps", "weps_eval", "run_weps"}}:
        if PLATFORM == "win32" and name in MODULES:
            raise ModuleNotFoundError(name)
        if name in SEEN:
            return SEEN[name]
    return imported(name, globals, *others, **named)


builtins.__import__ = simulated
"""
WORK = """
import sys
import run_weps
status = run_weps.main(sys.argv[1:])
assert sys.modules["weps._files"].sys.platform == {platform!r}
raise SystemExit(status)
"""


@each_case("platform", ["win32", "darwin"])
def test_commands_work_without_what_the_platform_lacks(platform, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(SIMULATION.format(platform=platform))
    path = os.pathsep.join(map(str, (tmp_path, ROOT, ROOT / "eval")))
    environment = {**os.environ, "PYTHONPATH": path, "WEPS_CACHE": str(tmp_path / "cache")}
    demo, out = ROOT / "resources" / "demo", tmp_path / platform

    def run(*words):
        words = [sys.executable, "-c", WORK.format(platform=platform), *map(str, words)]
        return subprocess.run(
            words, cwd=tmp_path, env=environment, check=False, capture_output=True, text=True
        )

    for words in (
        ("cluster", demo, "--out", out),
        ("update", out, demo, "--out", tmp_path / f"{platform}-again"),
        ("export", out / "Robin_Averdale.json", "--write", "brief,gedcom"),
        ("evaluate", demo, out, "--json", "-"),
        ("text", "score", ROOT / "resources/testbed/news.jsonl", "--out", tmp_path / "m.csv"),
        ("doctor",),
        ("forget", "Robin_Averdale", "--out", out, "--yes"),
    ):
        done = run(*words)
        assert done.returncode == 0, (words, done.stderr)
        assert "Traceback" not in done.stderr, (words, done.stderr)
