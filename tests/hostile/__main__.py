"""Hostile inputs for as long as is wanted: ``python -m tests.hostile --hours 1``.

Prints every failure as it comes, with the command that repeats it, and at the end for each kind of
input how many were tried, handled and failed, and the worst time and memory. Without a limit of
time or number it answers trials that are asked for: a line with kind and seed each on standard
input, a verdict as JSON on standard output.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import count, islice
from pathlib import Path

from tests.hostile.archives import archive_as_source, archives
from tests.hostile.commands import command_lines, requests
from tests.hostile.pages import names, pages
from tests.hostile.sandbox import Generator, Verdict, run_trial
from tests.hostile.stored import Base, caches, corrections, models, results

KINDS: dict[str, Generator] = {
    "pages": pages,
    "names": names,
    "archives": archives,
    "archive-as-source": archive_as_source,
    "results": results,
    "corrections": corrections,
    "models": models,
    "caches": caches,
    "requests": requests,
    "command-lines": command_lines,
}


@dataclass
class _Counts:
    """What came of the trials of a kind."""

    tried: int = 0
    failed: int = 0
    seconds: float = 0.0
    megabytes: float = 0.0

    def add(self, verdict: Verdict) -> None:
        self.tried += 1
        self.failed += bool(verdict.failed)
        self.seconds = max(self.seconds, verdict.seconds)
        self.megabytes = max(self.megabytes, verdict.megabytes)


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _run(options: argparse.Namespace) -> int:
    """Try kinds in turn until the time is over or Ctrl-C; returns the exit status."""
    counts = {kind: _Counts() for kind in options.kinds}
    until = time.monotonic() + options.hours * 3600 if options.hours else float("inf")
    with suppress(KeyboardInterrupt):
        for kind, seed in _trials(options):
            if time.monotonic() > until:
                break
            verdict = run_trial(KINDS[kind], f"{kind}:{seed}", options.keep)
            counts[kind].add(verdict)
            if verdict.failed:
                again = f"--kinds {kind} --seed {seed} --trials 1 --keep FOLDER"
                _write(
                    f"{kind}: {verdict.failed.strip()}\n  again: python -m tests.hostile {again}"
                )
    _write("| kind | tried | handled | failed | worst time, s | worst memory, MB |")
    _write("|---|--:|--:|--:|--:|--:|")
    for kind, each in counts.items():
        handled = each.tried - each.failed
        worst = f"{each.seconds:.1f} | {each.megabytes:.0f}"
        _write(f"| {kind} | {each.tried} | {handled} | {each.failed} | {worst} |")
    return int(any(each.failed for each in counts.values()))


def _trials(options: argparse.Namespace) -> Iterator[tuple[str, int]]:
    seeds = count(options.seed)
    for seed in islice(seeds, options.trials) if options.trials else seeds:
        for kind in options.kinds:
            yield kind, seed


def _answer() -> int:
    """Trials that are asked for, one a line."""
    _write("ready")
    for line in sys.stdin:
        kind, seed = line.split()
        _write(json.dumps(asdict(run_trial(KINDS[kind], f"{kind}:{seed}"))))
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description=__doc__)
    parser.add_argument("--hours", type=float, metavar="N")
    parser.add_argument("--trials", type=int, metavar="N", help="of each kind")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=[*KINDS], metavar="KIND")
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="the first one (default: 0)"
    )
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="of one trial; it stays")
    options = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = "1"
    with tempfile.TemporaryDirectory(prefix="hostile-base-") as place:
        os.environ["WEPS_CACHE"] = str(Path(place, "cache"))
        Base.make(Path(place))
        return _run(options) if options.hours or options.trials else _answer()


if __name__ == "__main__":
    sys.exit(main())
