"""Hostile inputs for as long as is wanted: ``python -m tests.hostile --hours 1``.

Prints every failure as it comes, with the command that repeats it, and at the end for each kind of
input how many were tried, handled and failed, and the worst time and memory.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import suppress
from itertools import count
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


def _write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _run(options: argparse.Namespace) -> int:
    """Try kinds in turn until the time is over or Ctrl-C; returns the exit status."""
    verdicts: defaultdict[str, list[Verdict]] = defaultdict(list)
    until = time.monotonic() + options.hours * 3600 if options.hours else float("inf")
    seeds = range(options.seed, options.seed + options.trials) if options.trials else None
    with suppress(KeyboardInterrupt):
        for seed, kind in ((s, k) for s in seeds or count(options.seed) for k in options.kinds):
            if time.monotonic() > until:
                break
            verdict = run_trial(KINDS[kind], f"{kind}:{seed}", options.keep)
            verdicts[kind].append(verdict)
            if verdict.failed:
                again = f"--kinds {kind} --seed {seed} --trials 1 --keep FOLDER"
                _write(
                    f"{kind}: {verdict.failed.strip()}\n  again: python -m tests.hostile {again}"
                )
    _write("| kind | tried | handled | failed | worst time, s | worst memory, MB |")
    _write("|---|--:|--:|--:|--:|--:|")
    for kind, found in verdicts.items():
        failed = sum(bool(each.failed) for each in found)
        worst = max(each.seconds for each in found), max(each.megabytes for each in found)
        counts = f"{len(found)} | {len(found) - failed} | {failed}"
        _write(f"| {kind} | {counts} | {worst[0]:.1f} | {worst[1]:.0f} |")
    return int(any(each.failed for found in verdicts.values() for each in found))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.hostile", description=__doc__)
    parser.add_argument("--hours", type=float, metavar="N")
    parser.add_argument("--trials", type=int, metavar="N", help="of each kind")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=[*KINDS], metavar="KIND")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="the first (default: 0)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="of one trial; it stays")
    options = parser.parse_args()
    if not (options.hours or options.trials):
        parser.error("give --hours or --trials")
    os.environ["OMP_NUM_THREADS"] = "1"
    with tempfile.TemporaryDirectory(prefix="hostile-base-") as place:
        os.environ["WEPS_CACHE"] = str(Path(place, "cache"))
        Base.make(Path(place))
        return _run(options)


if __name__ == "__main__":
    sys.exit(main())
