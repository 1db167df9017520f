"""Instances made up, and what they say in a form that can be compared."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from weps_eval.tables.instances import Instances

NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
NUMBERS = st.floats(allow_nan=False)


def small() -> Instances:
    """Two measures of four instances in two groups."""
    values = np.array([[0.5, 0.25, 0.0, 1.0], [3.0, 2.0, np.inf, -1.5]])
    positive = np.array([True, False, False, True])
    group = np.array([0, 0, 1, 1], dtype=np.int32)
    return Instances(("dice(token)", "length"), values, positive, group, ("Ada", "Bo"))


@st.composite
def instances(draw: st.DrawFn) -> Instances:
    """Instances of both labels; every group has one, in order of first appearance."""
    measures = draw(
        st.lists(
            NAMES.filter(lambda name: name not in ("label", "group")),
            min_size=1,
            max_size=3,
            unique=True,
        )
    )
    groups = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    size = draw(st.integers(max(2, len(groups)), 6))
    row = st.lists(NUMBERS, min_size=size, max_size=size)
    values = draw(st.lists(row, min_size=len(measures), max_size=len(measures)))
    positive = [True, False, *draw(st.lists(st.booleans(), min_size=size - 2, max_size=size - 2))]
    further = st.lists(
        st.integers(0, len(groups) - 1), min_size=size - len(groups), max_size=size - len(groups)
    )
    group = [*range(len(groups)), *draw(further)]
    return Instances(
        tuple(measures),
        np.array(values),
        np.array(positive),
        np.array(group, dtype=np.int32),
        tuple(groups),
    )


def contents(given: Instances) -> tuple[Any, ...]:
    """All that the instances say."""
    return (
        given.measures,
        given.values.tolist(),
        given.positive.tolist(),
        given.group.tolist(),
        given.groups,
    )
