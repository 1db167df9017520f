"""Recorded runs of systems on corpora, and what they say when they are compared."""

from eval.runs.comparing import COMPARED, Compared, compare_sides
from eval.runs.files import read_runs, write_run
from eval.runs.record import FORMAT, Run, RunCorpus
from eval.runs.sides import Side, Spread, side_of, spread
from eval.runs.verdicts import Verdict, Word

__all__ = [
    "COMPARED",
    "FORMAT",
    "Compared",
    "Run",
    "RunCorpus",
    "Side",
    "Spread",
    "Verdict",
    "Word",
    "compare_sides",
    "read_runs",
    "side_of",
    "spread",
    "write_run",
]
