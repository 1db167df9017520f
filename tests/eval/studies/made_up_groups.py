"""Made-up instances in groups, judged by people or labelled."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from tests.eval.studies.made_up_scores import matrix, write
from weps_eval.studies.measures import GroupedInstances
from weps_eval.tables import Instances, write_instances

NAMES = ("rouge(n=1)", "rouge(n=2)", "cosine", "dice", "hwcm", "gramsim", "dp_o")


def grouped(
    names: tuple[str, ...] = NAMES,
    groups: int = 6,
    size: int = 8,
    *,
    noise: float = 1.0,
    seed: int = 0,
) -> GroupedInstances:
    """Each measure is what people say with noise of its own; the later, the more of it."""
    generator = np.random.default_rng(seed)
    group = np.repeat(np.arange(groups), size)
    quality = generator.integers(1, 6, groups * size).astype(float)
    spread = noise * (1 + np.arange(len(names)) / 2)[:, None]
    return GroupedInstances(
        "made up",
        names,
        quality + spread * generator.normal(size=(len(names), len(group))),
        group,
        tuple(f"t{each}" for each in range(groups)),
        tuple(f"s{each}" for each in np.tile(np.arange(size), groups)),
        {"quality": quality},
        False,
        ("topic", "topics"),
        (),
        "matrix:none",
    )


def alike(
    groups: int = 40, noise: float = 1.5, names: tuple[str, ...] = tuple("abcdefghijkl")
) -> GroupedInstances:
    """Measures equally good, twelve by default, each with its own errors."""
    source = grouped(names, groups=groups)
    errors = np.random.default_rng(1).normal(size=source.values.shape)
    return replace(source, values=source.quality["quality"] + noise * errors)


def labelled(**more: int) -> GroupedInstances:
    """The same, people's upper half positive."""
    found = grouped(**more)  # type: ignore[arg-type]
    label = (found.quality["quality"] > 3).astype(float)
    return replace(
        found, quality={"label": label}, labelled=True, system=(), called=("name", "names")
    )


def instances(**more: int) -> Instances:
    found = labelled(**more)
    return Instances(
        found.measures,
        found.values,
        found.quality["label"] > 0,
        found.group.astype(np.int32),
        found.groups,
    )


def write_source(folder: Path, kind: str) -> Path:
    """A matrix with scores of people, one that is ``unjudged``, or ``pairs``, as a study reads."""
    source = folder / f"{kind}.csv"
    if kind == "pairs":
        write_instances(instances(groups=4, size=20), source)
        return source
    found = matrix()
    return write(
        source,
        replace(found, criteria=(), human=np.empty((0, len(found.topic))))
        if kind == "unjudged"
        else found,
    )
