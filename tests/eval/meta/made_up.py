"""Small topics, with ties, and shares by looking at every single comparison."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from hypothesis import strategies as st

from weps_eval.meta.heterogeneity import PairwisePreferences
from weps_eval.meta.orange import Similarities

FEW_VALUES = [-np.inf, 0.0, 0.25, 0.5, 0.75, 1.0]
Kept = Callable[[int, int, int], bool]


def topic(
    measures: int, peers: int, models: int, values: Callable[..., np.ndarray]
) -> Similarities:
    """A topic whose values come from a function of a shape."""
    return Similarities(
        values((measures, peers, models)),
        values((measures, models, models)),
        values((measures, peers, peers)),
    )


def random_topic(seed: int, measures: int = 2, peers: int = 4, models: int = 5) -> Similarities:
    """A topic of random numbers, in which nothing is tied."""
    return topic(measures, peers, models, np.random.default_rng(seed).random)


@st.composite
def topics(draw: st.DrawFn, fewest: int = 4) -> list[Similarities]:
    """One to three topics with the same measures, and few values."""
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    measures = draw(st.integers(1, 3))
    shapes = st.lists(
        st.tuples(st.integers(1, 4), st.integers(fewest, fewest + 2)), min_size=1, max_size=3
    )
    values = partial(generator.choice, FEW_VALUES)
    return [topic(measures, *shape, values) for shape in draw(shapes)]


def triples(models: list[int], kept: Kept) -> Iterator[tuple[int, int, int]]:
    """All triples of these models that are kept."""
    for one in models:
        for two in models:
            yield from ((one, two, three) for three in models if kept(one, two, three))


def queen_by_looking(
    topic: Similarities, text: np.ndarray, models: list[int], measures: list[int], kept: Kept
) -> float:
    """QUEEN of a text with these similarities, shape (measures, all models)."""
    passed = [
        all(text[x, one] >= topic.references[x, two, three] for x in measures)
        for one, two, three in triples(models, kept)
    ]
    return sum(passed) / len(passed)


def heterogeneities(preferences: PairwisePreferences, sets: np.ndarray) -> np.ndarray:
    """H of sets of measures, shape (sets, measures)."""
    members = np.packbits(sets, axis=1, bitorder="little")
    counts = preferences.count(members, lambda block: [block.higher & block.lower])
    return counts[0] / preferences.pairs


def heterogeneity(values: np.ndarray, group: np.ndarray | None = None) -> float:
    """H of all the measures over all pairs of one group."""
    preferences = PairwisePreferences.sampled(values, 0, group)
    return float(heterogeneities(preferences, np.ones((1, len(values)), np.bool_))[0])
