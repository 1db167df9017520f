"""Made-up labelled instances, and what trees reach on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import nan

import numpy as np
import pytest
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from weps_eval import stats
from weps_eval.ranking.labelled import Bound, Combination, TreeSettings
from weps_eval.stats import Estimate, PairCounts, resampled_shares
from weps_eval.studies import features
from weps_eval.tables import Instances

UNKNOWN = Estimate(nan, nan, nan)
SMALL = TreeSettings(depth=3, leaf=3, repeats=2)
"""Trees that a few dozen instances can teach."""


def made(
    values: Sequence[Sequence[float]],
    positive: Sequence[bool],
    group: Sequence[int] | None = None,
    measures: Sequence[str] = (),
) -> Instances:
    """Instances of measures ``m0``, ``m1`` … if not called otherwise, of groups ``g0`` …"""
    members = np.array(group if group is not None else [0] * len(positive), dtype=np.int32)
    return Instances(
        tuple(measures) or tuple(f"m{number}" for number in range(len(values))),
        np.array(values, dtype=np.float64),
        np.array(positive, dtype=np.bool_),
        members,
        tuple(f"g{number}" for number in range(int(members.max()) + 1)),
    )


def noisy(
    measures: Sequence[str] = ("m0", "m1", "m2", "m3"), groups: int = 6, size: int = 20
) -> Instances:
    """So many instances of every group; each measure tells less than the one before it."""
    generator = np.random.default_rng(8)
    positive = generator.random(groups * size) < 0.4
    values = [
        generator.integers(0, 5 + 2 * number, len(positive)) + 2 * positive
        for number in range(len(measures))
    ]
    return made(values, positive, np.repeat(np.arange(groups), size), measures)


@st.composite
def instances(draw: st.DrawFn, measures: int = 3, groups: int = 3) -> Instances:
    """Few distinct values, both labels; the first groups have an instance each."""
    size = draw(st.integers(max(groups, 2), 25))
    values = draw(arrays(float, (measures, size), elements=st.integers(0, 3).map(float)))
    rest = draw(arrays(bool, size - 2))
    members = draw(arrays(np.int64, size - groups, elements=st.integers(0, groups - 1)))
    return made(values, [True, False, *rest], [*range(groups), *members])


def tally(shares: Sequence[float], comparisons: float = 100) -> PairCounts:
    """Groups that are compared with themselves only."""
    total = np.diag([comparisons] * len(shares))
    return PairCounts(total * np.diag(shares), total)


def bound_of(
    name: str,
    max_pwa: Sequence[float],
    tree_pwa: Sequence[float],
    tree_auc: Sequence[float] | None = None,
) -> Bound:
    """A combination with these figures in each group; trees tie nothing if not said otherwise."""
    trees = [tally(tree_pwa), tally(tree_pwa if tree_auc is None else tree_auc)]
    measures = ("token", "lemma") if name == "all" else ("token",)
    return Bound(Combination(name, "set", measures), tally(max_pwa), *trees, UNKNOWN)


@contextmanager
def resamples(number: int) -> Iterator[None]:
    """Groups are drawn that often only: drawing takes longer than studying."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(features, "_RESAMPLES", min(number, 50))
        patch.setattr(stats, "_RESAMPLES", number)
        patch.setattr(resampled_shares, "__defaults__", (False, 0, number))
        yield
