"""Made-up runs."""

from collections.abc import Mapping
from typing import Any

from weps._schema import validate_data
from weps.errors import ValuesError
from weps_eval.benchmark.runs import Run
from weps_eval.clustering.measures import MEASURES

SCORER = "bcubed:extended|scorer:weps1|mean:names|names:3"


def run_of(f05: Mapping[str, float] | None = None, **changed: Any) -> Run:
    """A run in which every measure of a name is its F0.5; a corpus is given by what is changed."""
    f05 = f05 or {"Ada": 0.5, "Bea": 0.75, "Cleo": 1.0}
    scores = changed.get("scores", {name: dict.fromkeys(MEASURES, f) for name, f in f05.items()})
    corpus = {"title": "WePS-1", "layout": "weps-1", "digest": "3fa29b11c0de"}
    parts = {
        "kind": "weps run",
        "format": 1,
        "system": "paper",
        "configuration": {"classifier": "tree", "depth": 6},
        "how": "cv:5",
        "seed": 0,
        "signature": f"{SCORER}|weps:0.1.0|cv:5|seed:0",
        "weps": "0.1.0",
        "made": "weps benchmark --cv 5 corpus",
        "date": "2026-11-21",
        "machine": {"python": "3.12.1", "cores": 2},
        "seconds": {"learning": 12.5, "answering": 0.25},
        "scores": scores,
    }
    corpus |= {"names": len(scores)} | changed.pop("corpus", {})
    return validate_data(Run, {**parts, "corpus": corpus, **changed}, ValuesError)
