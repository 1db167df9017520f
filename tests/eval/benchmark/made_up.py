"""Made-up runs."""

from collections.abc import Mapping
from typing import Any

from eval.benchmark.runs import Run, RunCorpus
from eval.clustering.measures import MEASURES

SCORER = "bcubed:extended|scorer:weps1|mean:names|names:3"


def run_of(f05: Mapping[str, float] | None = None, **changed: Any) -> Run:
    """A run in which every measure of a name is its F0.5."""
    f05 = f05 or {"Ada": 0.5, "Bea": 0.75, "Cleo": 1.0}
    parts: dict[str, Any] = {
        "system": "paper",
        "configuration": {"classifier": "tree", "depth": 6},
        "corpus": RunCorpus("WePS-1", "weps-1", "3fa29b11c0de"),
        "how": "cv:5",
        "seed": 0,
        "signature": f"{SCORER}|weps:0.1.0|cv:5|seed:0",
        "made": "weps benchmark --cv 5 corpus",
        "date": "2026-11-21",
        "machine": {"python": "3.12.1", "cores": 2},
        "seconds": {"learning": 12.5, "answering": 0.25},
        "scores": {name: dict.fromkeys(MEASURES, value) for name, value in f05.items()},
        "weps": "0.1.0",
    }
    return Run(**{**parts, **changed})
