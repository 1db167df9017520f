from itertools import combinations, permutations
from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from eval.meta.heterogeneity.reliability import (
    additive_gains,
    corroboration,
    corroboration_by_group,
)
from eval.meta.heterogeneity.sets import as_sets
from eval.meta.heterogeneity.verdicts import Verdicts
from weps.errors import ValuesError

VALUES = st.integers(0, 3).map(float)
STUDY = st.tuples(st.integers(1, 4), st.integers(2, 10)).flatmap(
    lambda shape: st.tuples(
        arrays(float, shape, elements=VALUES), arrays(float, shape[1], elements=VALUES)
    )
)
Study = tuple[np.ndarray, np.ndarray]


def by_looking(values: np.ndarray, quality: np.ndarray) -> tuple[float, float]:
    pairs = list(permutations(range(len(quality)), 2))
    confirmed = [all(x[i] >= x[j] for x in values) for i, j in pairs]
    real = [quality[i] >= quality[j] for i, j in pairs]
    both = sum(c and r for c, r in zip(confirmed, real, strict=True))
    return both / sum(confirmed) if any(confirmed) else nan, both / sum(real)


def test_by_hand() -> None:
    values, quality = [[1, 2, 3], [1, 3, 2]], [1, 2, 2]
    found = corroboration(
        Verdicts.exact(values), Verdicts.exact(quality), as_sets([(0,), (1,), (0, 1), ()], 2)
    )
    assert found.improvements == 4  # the tie of the last two counts both ways round
    assert found.corroborated.tolist() == [3, 3, 2, 6]
    assert found.real.tolist() == [3, 3, 2, 4]
    assert found.reliability.tolist() == [1, 1, 1, 4 / 6]
    assert found.sensitivity.tolist() == [3 / 4, 3 / 4, 2 / 4, 1]


@given(STUDY)
def test_it_is_what_looking_at_every_pair_finds(study: Study) -> None:
    values, quality = study
    measures = range(len(values))
    chosen = [each for size in (1, 2, 3) for each in combinations(measures, size)]
    verdicts, judged = Verdicts.exact(values), Verdicts.exact(quality)
    found = corroboration(verdicts, judged, as_sets(chosen, len(values)))
    expected = [by_looking(values[list(each)], quality) for each in chosen]
    for index, shares in enumerate((found.reliability, found.sensitivity)):
        assert shares.tolist() == pytest.approx([e[index] for e in expected], nan_ok=True)


@given(STUDY)
def test_additive_gains_compare_two_measures_with_the_better_one(study: Study) -> None:
    values, quality = study
    gains = additive_gains(Verdicts.exact(values), Verdicts.exact(quality))
    reliability = [by_looking(row[np.newaxis], quality)[0] for row in values]
    expected = [
        by_looking(values[[a, b]], quality)[0] - max(reliability[a], reliability[b])
        for a, b in combinations(range(len(values)), 2)
    ]
    assert gains.tolist() == pytest.approx(expected, nan_ok=True)


@given(STUDY)
def test_more_measures_are_never_more_sensitive(study: Study) -> None:
    values, quality = study
    nested = as_sets([range(k) for k in range(len(values) + 1)], len(values))
    found = corroboration(Verdicts.exact(values), Verdicts.exact(quality), nested)
    assert found.sensitivity[0] == 1
    assert (np.diff(found.sensitivity) <= 0).all()


@given(STUDY, st.data())
def test_counts_of_groups_add_up(study: Study, data: st.DataObject) -> None:
    values, quality = study
    size = len(quality)
    group = np.array(data.draw(st.lists(st.integers(0, 3), min_size=size, max_size=size)))
    sets = np.tri(len(values), dtype=bool)
    parts = corroboration_by_group(values, quality, sets, group)
    assert len(parts) == (np.bincount(group) > 1).sum()
    if parts:
        whole = corroboration(Verdicts.exact(values, group), Verdicts.exact(quality, group), sets)
        assert sum(part.corroborated for part in parts).tolist() == whole.corroborated.tolist()
        assert sum(part.real for part in parts).tolist() == whole.real.tolist()
        assert sum(part.improvements for part in parts) == whole.improvements


def test_measures_that_never_agree_have_no_reliability() -> None:
    found = corroboration(
        Verdicts.exact([[1, 2], [2, 1]]), Verdicts.exact([1, 2]), as_sets([(0, 1)], 2)
    )
    assert isnan(found.reliability[0])
    assert found.sensitivity[0] == 0


def test_a_random_measure_adds_no_reliability_and_a_noisy_aspect_does() -> None:
    generator = np.random.default_rng(0)
    aspects = generator.random((3, 2000))
    noise = generator.random(2000)
    verdicts = Verdicts.sampled(np.vstack([aspects, noise]), 100_000)
    quality = Verdicts.sampled(aspects.sum(axis=0), 100_000)  # the same seed, the same pairs
    gains = additive_gains(verdicts, quality)
    assert (gains[[0, 1, 3]] > 0.1).all()
    assert gains[[2, 4, 5]] == pytest.approx(0, abs=0.03)


@pytest.mark.parametrize("quality", [[[1, 2, 3], [1, 2, 3]], [1, 2]])
def test_quality_that_does_not_fit(quality: list) -> None:
    verdicts = Verdicts.exact([[1, 2, 3]])
    with pytest.raises(ValuesError, match="do not fit"):
        corroboration(verdicts, Verdicts.exact(quality), as_sets([(0,)], 1))
