import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from eval.meta.regression import (
    cross_validated,
    folds,
    multiple,
    pooled_pairs,
    pooled_scores,
    pooled_values,
)
from eval.meta.regression import pooled as module
from weps.errors import ValuesError

SIMILARITY = [[1, 0.5, 0.25], [0.6, 1, 0], [0.1, 0.3, 1]]
HUMAN = [3, 6, 9]


def test_a_worked_example() -> None:
    found = pooled_scores(SIMILARITY, HUMAN, [0, 0.3, 0.7])
    expected = [[7, 3, 5.25], [6, 3, 6], [np.nan] * 3]
    assert found == pytest.approx(np.array(expected), nan_ok=True)


@given(
    arrays(float, (5, 5), elements=st.integers(0, 4).map(lambda each: each / 4)),
    arrays(float, 5, elements=st.integers(1, 5).map(float)),
)
def test_it_is_the_formula(similarity: np.ndarray, human: np.ndarray) -> None:
    thresholds = [0, 0.25, 0.6, 1, 1.1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_BLOCK", 60)  # some thresholds at a time
        found = pooled_scores(similarity, human, thresholds)
    for row, limit in enumerate(thresholds):
        for x in range(5):
            near = [j for j in range(5) if j != x and similarity[x, j] >= limit]
            weight = sum(similarity[x, j] for j in near)
            total = sum(similarity[x, j] * human[j] for j in near)
            expected = total / weight if weight else np.nan
            assert found[row, x] == pytest.approx(expected, nan_ok=True)
    assert (np.diff(np.isnan(found).sum(axis=1)) >= 0).all()  # coverage falls with the threshold
    known = found[~np.isnan(found)]
    assert ((known >= human.min() - 1e-9) & (known <= human.max() + 1e-9)).all()


def test_terms_are_what_equation_1_adds_up() -> None:
    found = pooled_values(SIMILARITY, HUMAN, threshold=0.2)
    assert found == pytest.approx(np.array([[0, 1.8, 0], [3, 0, 1.8], [2.25, 0, 0]]))


def test_weights_are_learned_over_other_topics() -> None:
    generator = np.random.default_rng(0)
    weights, offset = np.array([0.3, 0.1, 0.6, 0.2]), 1.5
    values = []
    for _ in range(6):
        similarity, human = generator.random((4, 4)), generator.random(4)
        values.append(pooled_values(similarity, human))
    terms = np.concatenate(values, axis=1)
    scores = weights @ terms + offset
    topic = np.repeat(np.arange(6), 4)
    assert cross_validated(multiple, terms, scores, folds(topic)) == pytest.approx(scores)


@pytest.mark.parametrize(
    ("similarity", "human", "told"),
    [
        ([[1, 0.5]], [1, 2], r"shape \(1, 2\) do not fit 2 human scores"),
        ([[1, -0.5], [0, 1]], [1, 2], "output 0 to output 1 is below 0"),
        ([[1, np.inf], [0, 1]], [1, 2], "infinite"),
        ([[1, 0], [0, 1]], [1, np.nan], "NaN"),
    ],
)
def test_what_does_not_fit_is_refused(similarity: object, human: object, told: str) -> None:
    with pytest.raises(ValuesError, match=told):
        pooled_scores(similarity, human, [0])  # type: ignore[arg-type]


@given(
    arrays(float, (5, 5), elements=st.integers(0, 4).map(lambda each: each / 4)),
    arrays(float, 5, elements=st.integers(1, 5).map(float)),
    st.sampled_from([0, 0.3, 1]),
)
def test_two_that_are_ranked_are_scored_by_the_others(
    similarity: np.ndarray, human: np.ndarray, threshold: float
) -> None:
    found = pooled_pairs(similarity, human, threshold)
    for x, y in np.ndindex(5, 5):
        left = [each for each in range(5) if each != y]
        own = similarity[np.ix_(left, left)]
        alone = np.nan if x == y else pooled_scores(own, human[left], [threshold])[0, left.index(x)]
        assert found[x, y] == pytest.approx(alone, nan_ok=True)


def test_outputs_alike_to_the_same_degree_are_ranked_by_nothing() -> None:
    # scored by all others, the best is last: it alone does not profit from itself
    human = np.array([1.0, 2.0, 3.0, 4.0])
    assert (np.diff(pooled_scores(np.ones((4, 4)), human, [0])[0]) < 0).all()
    found = pooled_pairs(np.ones((4, 4)), human)
    assert found == pytest.approx(found.T, nan_ok=True)
