"""Training of the two parts from their recipes, each in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weps.errors import OutputError
from weps.resources import resource

if TYPE_CHECKING:
    from thinc.api import Config

__all__ = ["PARTS", "settings", "train_part", "train_parts"]

PARTS = ("syntax", "entities")
_BEST = "model-best"


def train_part(part: str, work: Path, steps: int | None = None) -> None:
    """Train a part by ``recipe/PART.cfg`` on ``work/PART/*.spacy``.

    The best pipeline so far stands in ``work/PART/model-best`` from the first evaluation on, so
    that a stop loses nothing.

    Args:
        part: one of :data:`PARTS`.
        work: where the training files are and the pipelines go.
        steps: how many steps to make, instead of the recipe's number.
    """
    from spacy.training.initialize import init_nlp  # noqa: PLC0415 - takes half a second
    from spacy.training.loop import train  # noqa: PLC0415

    import eval.language.reader  # noqa: F401, PLC0415 - registers the reader of the recipes

    folder = work / part
    paths = {f"paths.{name}": str(folder / f"{name}.spacy") for name in ("train", "dev")}
    train(init_nlp(_recipe(part, steps, paths)), folder)


def train_parts(work: Path, jobs: int, steps: int | None = None) -> dict[str, Path]:
    """Train both parts, side by side unless ``jobs`` is 1; part → its best pipeline.

    Raises:
        OutputError: if a training stops.
    """
    running: list[subprocess.Popen[bytes]] = []
    try:
        for part in PARTS:
            running.append(_start(part, work, steps))
            if jobs == 1:
                running[-1].wait()
        failed = [part for part, each in zip(PARTS, running, strict=True) if each.wait()]
    finally:
        for each in running:
            each.terminate()  # after an interrupt; those that have ended are not touched
    if failed:
        raise OutputError(
            f"training of {' and '.join(failed)} stopped", where=work, remedy="see the logs there"
        )
    return {part: work / part / _BEST for part in PARTS}


def settings(steps: int | None = None) -> dict[str, str]:
    """What the card tells of the recipes."""
    recipes = {part: _recipe(part, steps, {}) for part in PARTS}
    return {
        "steps": ", ".join(f"{p} {each['training']['max_steps']}" for p, each in recipes.items()),
        "seeds": ", ".join(f"{p} {each['system']['seed']}" for p, each in recipes.items()),
    }


def _recipe(part: str, steps: int | None, changes: dict[str, Any]) -> Config:
    from spacy.util import load_config  # noqa: PLC0415 - importing spaCy takes half a second

    if steps is not None:
        often = {"training.max_steps": steps, "training.eval_frequency": max(1, steps // 2)}
        changes = {**changes, **often}
    return load_config(resource(f"language/recipe/{part}.cfg"), changes, interpolate=False)


def _start(part: str, work: Path, steps: int | None) -> subprocess.Popen[bytes]:
    """A process of its own, so that each part has its seeds, its memory and its core."""
    command = [sys.executable, "-m", __name__, part, str(work), *([str(steps)] if steps else [])]
    with (work / f"{part}.log").open("wb") as log:
        return subprocess.Popen(  # noqa: S603 - our own module
            command,
            stdout=log,
            stderr=subprocess.STDOUT,
            env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"},
        )


if __name__ == "__main__":
    train_part(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]) if sys.argv[3:] else None)
