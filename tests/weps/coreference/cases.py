"""Trees made by hand and at random."""

from __future__ import annotations

import numpy as np

from weps.coreference.trees import LEAF

# A tree that asks two questions, a leaf alone, a tree that asks one.
TREES = {
    "roots": [0, 5, 6],
    "column": [0, 1, -1, -1, -1, -1, 1, -1, -1],
    "threshold": [0.5, 0.25, 0.0, 0.0, 0.0, 0.0, 0.75, 0.0, 0.0],
    "left": [1, 2, -1, -1, -1, -1, 7, -1, -1],
    "right": [4, 3, -1, -1, -1, -1, 8, -1, -1],
    "value": [0.0, 0.0, 0.125, 0.5, 1.0, 0.25, 0.0, 0.0, 0.75],
}
STUMP = {
    "column": [0, 1, -1, -1, -1],
    "threshold": [0.5, 0.25, 0.0, 0.0, 0.0],
    "left": [1, 2, -1, -1, -1],
    "right": [4, 3, -1, -1, -1],
    "probability": [0.4, 0.2, 0.0, 0.5, 1.0],
}
LINE = {"intercept": -0.5, "coefficients": [2.0, -0.25]}
MEAN = {
    "trees": {"base": 1.0, **TREES},
    "tree_columns": [0, 1],
    "linear": LINE,
    "linear_columns": [1, 0],
    "size_column": -1,
}
RANKING = {
    "rivals": [[0.0, 1.0], [0.5, 0.5], [1.0, 0.25]],
    "samples": [[0, 1], [1, 2], [2, 2]],
    "calibration": {"slope": 1.0, "shift": 0.0},
}
RULES = {"kind": "tree", "inner": STUMP, "seen": [1, 0], "ruled": [1], "weights": [-4.0]}
NONE: dict[str, list[float]] = {name: [] for name in TREES}


def pairs(*rows: tuple[float, ...]) -> np.ndarray:
    return np.array(rows, dtype=np.float32)


def random_data(random: np.random.Generator, trees: int, columns: int = 3) -> dict[str, list]:
    """Trees of random shape; thresholds are eighths, so that values meet them; leaves shares."""
    data: dict[str, list] = {name: [] for name in TREES}

    def add(depth: int) -> int:
        node = len(data["column"])
        leaf = depth == 0 or random.random() < 0.2
        data["column"].append(LEAF if leaf else int(random.integers(columns)))
        data["threshold"].append(float(random.integers(9)) / 8)
        data["value"].append(float(random.random(dtype=np.float32)))
        for side in ("left", "right"):
            data[side].append(LEAF)
        for side in () if leaf else ("left", "right"):
            data[side][node] = add(depth - 1)
        return node

    data["roots"] = [add(int(random.integers(5))) for _ in range(trees)]
    return data


def some_values(random: np.random.Generator, size: int = 40, columns: int = 3) -> np.ndarray:
    """Sixteenths: every other one may be a threshold."""
    return (random.integers(0, 17, (size, columns)) / 16).astype(np.float32)


def walked(data: dict[str, list], row: np.ndarray) -> list[float]:
    """The values of the leaves that one pair comes to, walk by walk."""
    values = []
    for root in data["roots"]:
        node = root
        while data["column"][node] != LEAF:
            smaller = row[data["column"][node]] <= data["threshold"][node]
            node = data["left" if smaller else "right"][node]
        values.append(data["value"][node])
    return values


QUICK = {"rounds": 8, "leaves": 5, "leaf": 5, "share_of_columns": 1.0}
TREE_SETTINGS = {"depth": 4, "leaf": 7, "seed": 3}


def some_pairs(
    seed: int, size: int = 200, parts: int = 16
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Values in so many parts of 1, who is coreferent (mostly by column 0), and weights."""
    random = np.random.default_rng(seed)
    values = (random.integers(0, parts + 1, (size, 3)) / parts).astype(np.float32)
    coreferent = random.random(size) < 0.1 + 0.8 * values[:, 0] * values[:, 1]
    coreferent[:2] = True, False
    return values, coreferent, random.random(size) + 0.1


def unseen(values: np.ndarray, seed: int) -> np.ndarray:
    """The values, and as many again at random between 0 and 1."""
    random = np.random.default_rng(seed)
    return np.concatenate([values, random.random(values.shape, dtype=np.float32)])
