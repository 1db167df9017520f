"""Studies of measures at scale: wall time and memory of each command on large made-up files.

Needs no data. From the project's root: ``python -m docs.benchmarks.meta_scale [STUDY …]``, with
``--quick`` for a tenth of the topics and groups and a third of the measures.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from weps_eval.tables.files import write_instances
from weps_eval.tables.instances import Instances
from weps_eval.text.matrix import MeasureMatrix, write_matrix

Floats = NDArray[np.float64]
STUDIES = ("improvements", "regression", "correlation", "heterogeneity", "hbr")
OF_INSTANCES = ("heterogeneity", "hbr")
MEASURES, TOPICS, SYSTEMS = 300, 2_000, 25
GROUPS = 50
FACTORS = 6


def main() -> None:
    """Make the files, run the studies, print what each took."""
    parser = argparse.ArgumentParser()
    parser.add_argument("studies", nargs="*", metavar="STUDY", help=f"of {', '.join(STUDIES)}")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    less, scale = (3, 10) if options.quick else (1, 1)
    with tempfile.TemporaryDirectory() as folder:
        matrix, instances = Path(folder) / "matrix.csv", Path(folder) / "instances.npz"
        write_made_up(matrix, instances, MEASURES // less, TOPICS // scale, GROUPS // scale)
        for study in options.studies or STUDIES:
            print(f"{study} matrix: {told(study, matrix)}", flush=True)
            if study in OF_INSTANCES:
                print(f"{study} labelled instances: {told(study, instances)}", flush=True)


def write_made_up(matrix: Path, instances: Path, measures: int, topics: int, groups: int) -> None:
    """The same outputs as a matrix in topics, and as labelled instances in groups."""
    values, human = made_up(measures, topics)
    names = tuple(f"m{number:03d}" for number in range(measures))
    topic, system = np.divmod(np.arange(len(human)), SYSTEMS)
    answers = (tuple(f"{kind}{each}" for each in of) for kind, of in (("t", topic), ("s", system)))
    write_matrix(MeasureMatrix(*answers, names, values, ("quality",), human[None]), matrix)
    group = (np.arange(len(human)) * groups // len(human)).astype(np.int32)
    called = tuple(f"g{number}" for number in range(groups))
    write_instances(Instances(names, values, human >= 4, group, called), instances)


def made_up(measures: int, topics: int) -> tuple[Floats, Floats]:
    """Measures of a few factors with noise, to three digits, and scores from 1 to 5."""
    drawn = np.random.default_rng(0)
    by_system, by_topic = (
        drawn.normal(size=(FACTORS, SYSTEMS)),
        drawn.normal(size=(FACTORS, topics)),
    )
    factors = by_system[:, None, :] / 2 + 0.4 * by_topic[:, :, None]
    factors = (factors + drawn.normal(size=(FACTORS, topics, SYSTEMS))).reshape(FACTORS, -1)
    weights = 0.4 * drawn.normal(size=(measures, FACTORS)) + [1, 0.6, 0.4, 0.2, 0.1, 0]
    noise = drawn.uniform(0.5, 2.5, (measures, 1)) * drawn.normal(size=(measures, len(factors[0])))
    values = 1 / (1 + np.exp(-(weights @ factors + noise) / 2))
    human = 3 + 0.8 * factors[0] + 0.6 * drawn.normal(size=len(factors[0]))
    return values.round(3), human.round().clip(1, 5)


def told(study: str, source: Path) -> str:
    """Wall time and the most memory held by one command."""
    start = time.perf_counter()
    command = [sys.executable, "run_weps.py", "meta", study, str(source)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)  # noqa: S603 - our own command
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    took = f"{time.perf_counter() - start:,.0f} s, {usage.ru_maxrss / 1024:,.0f} MB"
    return took if not process.returncode else f"{took}, failed"


if __name__ == "__main__":
    main()
