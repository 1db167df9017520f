"""What the paper reports (EMNLP 2009, table 2), beside our figures and what differs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from eval.clustering import mean, two_decimals
from eval.results import Results
from weps.configuration import Configuration, configuration

__all__ = [
    "COUNTERPARTS",
    "PAPER",
    "TABLE_2",
    "Published",
    "Setting",
    "differing",
    "standing_for",
    "table_2",
]


@dataclass(frozen=True, slots=True)
class Published:
    """A line of the table: B-Cubed, α = 0.5, mean over the 30 names of WePS-2."""

    system: str
    f05: float
    precision: float
    recall: float


TABLE_2 = (
    Published("ML-NON LING", 0.83, 0.91, 0.77),
    Published("S-1", 0.82, 0.87, 0.79),
    Published("ML-ALL", 0.81, 0.89, 0.76),
    Published("S-2", 0.81, 0.85, 0.80),
    Published("S-3", 0.81, 0.93, 0.73),
    Published("S-4", 0.72, 0.82, 0.66),
    Published("average of WePS-2 systems", 0.61, 0.74, 0.63),
)
"""S-1 to S-4 are the four best participants of WePS-2."""
COUNTERPARTS = {
    "ML-NON LING": configuration("paper"),
    "ML-ALL": configuration("paper:features=all"),
}
"""System of the paper → the configuration that stands for it."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Under which circumstances a table came about, in words."""

    answered_for: str
    learnt_on: str
    pages: str
    similarities: str
    not_used: str


PAPER = Setting(
    answered_for="30 names of WePS-2, 110,187 pairs",
    learnt_on="WePS-1, 183,727 pairs",
    pages="whole pages",
    similarities="69 in ML-ALL",
    not_used="none",
)
"""Sections 3.1 and 4.1, table 1."""


def standing_for(systems: Mapping[str, Configuration]) -> dict[str, str]:
    """System of the paper → ours that stands for it, the first if several do."""
    return {
        theirs: next(ours for ours, each in systems.items() if each == wanted)
        for theirs, wanted in COUNTERPARTS.items()
        if wanted in systems.values()
    }


def table_2(results: Results, ours: Mapping[str, str]) -> list[list[str]]:
    """Heading and published lines, ours beside those that they stand for.

    Args:
        results: our figures.
        ours: see :func:`standing_for`.
    """
    heading = ["EMNLP 2009, table 2", "F0.5", "Pre.", "Rec.", "here", "F0.5", "BEP", "BER"]
    rows = [_published(line) + _ours(results, ours.get(line.system)) for line in TABLE_2]
    return [heading, *rows]


def differing(here: Setting) -> list[list[str]]:
    """Heading, and what differs between our circumstances and the paper's, one row each."""
    theirs = asdict(PAPER)
    rows = [
        [what.replace("_", " "), ours, theirs[what]]
        for what, ours in asdict(here).items()
        if ours != theirs[what]
    ]
    return [["what differs", "here", "paper"], *rows]


def _published(line: Published) -> list[str]:
    return [line.system, *map(two_decimals, (line.f05, line.precision, line.recall))]


def _ours(results: Results, system: str | None) -> list[str]:
    if system is None:
        return [""] * 4
    means: Mapping[str, float] = mean(results.systems[system])
    measures = ("bcubed_f05", "bcubed_precision", "bcubed_recall")
    return [system, *(two_decimals(means[measure]) for measure in measures)]
