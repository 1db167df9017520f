"""Rules: what agreeing and contradicting evidence of identity adds to a pair's log odds.

Such evidence is rare, so a classifier learns little of it from a few names; rules say it outright.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from weps.similarity import Similarity

__all__ = ["RULES", "ruled_columns"]

RULES: dict[str, Mapping[str, float]] = {
    "none": {},
    "identity": {
        "contradict(middle_initial)": -2.0,
        "agree(honorific)": 2.0,
        "contradict(honorific)": -2.0,
        "contradict(birth_year)": -2.0,
        "agree(email_domain)": 2.0,
        "contradict(email_domain)": -2.0,
        "agree(home_page)": 2.0,
        "agree(phone)": 2.0,
    },
}
"""Name → similarity → what one unit of it adds to the log odds of coreference.

Our own: one figure for all, checked on WePS-1 by cross-validation; weights from 1 to 4 chosen one
by one did no better.
"""


def ruled_columns(
    similarities: Sequence[Similarity], rules: Mapping[str, float]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    """Divide the columns of a pair table between a classifier and rules.

    Args:
        similarities: the columns.
        rules: similarity → weight; those that are no column are passed over, since not every form
            of page offers them.

    Returns:
        The columns without a rule, those with one, and the weights of these.
    """
    names = list(map(str, similarities))
    seen = [column for column, name in enumerate(names) if name not in rules]
    ruled = [column for column, name in enumerate(names) if name in rules]
    weights = [rules[names[column]] for column in ruled]
    return np.array(seen, np.int32), np.array(ruled, np.int32), np.array(weights, np.float64)
