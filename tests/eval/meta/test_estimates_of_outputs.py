import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.linear_model import LinearRegression

from tests.cases import each_case
from weps.errors import ValuesError
from weps_eval.meta import estimates as module
from weps_eval.meta.estimates import (
    pooled_pairs,
    pooled_scores,
    relative_scores,
    weighted_subscores,
)

SIMILARITY = [[1, 0.5, 0.25], [0.6, 1, 0], [0.1, 0.3, 1]]
HUMAN = [3, 6, 9]


def test_a_worked_example():
    found = pooled_scores(SIMILARITY, HUMAN, [0, 0.3, 0.7])
    expected = [[7, 3, 5.25], [6, 3, 6], [np.nan] * 3]
    assert found == pytest.approx(np.array(expected), nan_ok=True)


@given(
    arrays(float, (5, 5), elements=st.integers(0, 4).map(lambda each: each / 4)),
    arrays(float, 5, elements=st.integers(1, 5).map(float)),
)
def test_it_is_the_formula(similarity, human):
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


@each_case(
    ("similarity", "human", "message"),
    [
        ([[1, 0.5]], [1, 2], r"shape \(1, 2\) do not match 2 human scores"),
        ([[1, -0.5], [0, 1]], [1, 2], "output 0 to output 1 is below 0"),
        ([[1, np.inf], [0, 1]], [1, 2], "infinite"),
        ([[1, 0], [0, 1]], [1, np.nan], "NaN"),
    ],
)
def test_what_does_not_fit_is_refused(similarity, human, message):
    with pytest.raises(ValuesError, match=message):
        pooled_scores(similarity, human, [0])  # type: ignore[arg-type]


@given(
    arrays(float, (5, 5), elements=st.integers(0, 4).map(lambda each: each / 4)),
    arrays(float, 5, elements=st.integers(1, 5).map(float)),
    st.sampled_from([0, 0.3, 1]),
)
def test_two_that_are_ranked_are_scored_by_the_others(similarity, human, threshold):
    found = pooled_pairs(similarity, human, threshold)
    for x, y in np.ndindex(5, 5):
        left = [each for each in range(5) if each != y]
        own = similarity[np.ix_(left, left)]
        alone = np.nan if x == y else pooled_scores(own, human[left], [threshold])[0, left.index(x)]
        assert found[x, y] == pytest.approx(alone, nan_ok=True)


def test_outputs_alike_to_the_same_degree_are_ranked_by_nothing():
    # scored by all others, the best is last: it alone does not profit from itself
    human = np.array([1.0, 2.0, 3.0, 4.0])
    assert (np.diff(pooled_scores(np.ones((4, 4)), human, [0])[0]) < 0).all()
    found = pooled_pairs(np.ones((4, 4)), human)
    assert found == pytest.approx(found.T, nan_ok=True)


TOPIC, SYSTEM = np.delete(np.indices((12, 4)).reshape(2, -1), [5, 22], axis=1)
"""Twelve topics, four systems, two of which have not answered one of them."""
BY_TOPIC, BY_SYSTEM = TOPIC % 3, SYSTEM // 2
WEIGHTS, OFFSET = np.array([0.5, -0.25, 1.0, 0.125]), 2.0


def made_up(seed=0):
    """Human scores, and similarities of each topic's outputs; x to y is not y to x."""
    generator = np.random.default_rng(seed)
    sizes = np.bincount(TOPIC).tolist()
    tables = {topic: generator.random((size, size)) for topic, size in enumerate(sizes)}
    return tables, generator.integers(1, 6, len(TOPIC)).astype(float)


def term(tables, human, x, system):
    """yᵢⱼ Sim(x, xᵢⱼ), one output at a time; 0 for x itself and systems without answer."""
    rows = [each for each in range(len(TOPIC)) if TOPIC[each] == TOPIC[x]]
    for place, other in enumerate(rows):
        if SYSTEM[other] == system and other != x:
            return human[other] * tables[TOPIC[x]][rows.index(x), place]
    return 0.0


@each_case(
    ("fold", "pools"),
    [(BY_TOPIC, {each: range(4) for each in range(3)}), (BY_SYSTEM, {0: [2, 3], 1: [0, 1]})],
)
@each_case("seed", range(3))
def test_it_is_equation_1_with_weights_of_the_other_folds(fold, pools, seed):
    tables, human = made_up(seed)
    found = weighted_subscores(tables, human, TOPIC, SYSTEM, fold)
    for x in range(len(TOPIC)):
        pool = pools[fold[x]]
        seen = [each for each in range(len(TOPIC)) if fold[each] != fold[x]]
        rows = [[term(tables, human, each, system) for system in pool] for each in seen]
        model = LinearRegression().fit(rows, human[seen])
        expected = np.zeros(4)
        for weight, system in zip(model.coef_, pool, strict=True):
            expected[system] = weight * term(tables, human, x, system)
        assert found[0, x] == pytest.approx(model.intercept_)
        assert found[1:, x] == pytest.approx(expected)


@pytest.mark.parametrize("fold", [BY_TOPIC, BY_SYSTEM], ids=["topics", "systems"])
def test_no_estimate_sees_the_score_of_its_output(fold):
    tables, human = made_up()
    before = weighted_subscores(tables, human, TOPIC, SYSTEM, fold).sum(axis=0)
    for x in range(len(TOPIC)):
        after = weighted_subscores(
            tables, np.where(np.arange(len(human)) == x, 99, human), TOPIC, SYSTEM, fold
        ).sum(axis=0)
        assert after[x] == before[x]
        assert (after != before).any()


def test_nor_those_of_other_systems_that_are_left_out_with_its_own():
    tables, human = made_up()
    other = np.where(BY_SYSTEM == 0, human[::-1] + 7, human)
    before, after = (
        weighted_subscores(tables, each, TOPIC, SYSTEM, BY_SYSTEM) for each in (human, other)
    )
    assert (after[:, BY_SYSTEM == 0] == before[:, BY_SYSTEM == 0]).all()
    assert (after[:, BY_SYSTEM == 1] != before[:, BY_SYSTEM == 1]).any()


def test_known_weights_are_found_again():
    """People's scores solve the equation in every topic."""
    generator = np.random.default_rng(1)
    topic, system = np.indices((9, 4)).reshape(2, -1)
    tables = {each: generator.random((4, 4)) * 0.3 for each in range(9)}
    human = np.empty((9, 4))
    for each, table in tables.items():
        apart = table * ~np.eye(4, dtype=bool)
        human[each] = np.linalg.solve(np.eye(4) - apart * WEIGHTS, np.full(4, OFFSET))
    found = weighted_subscores(tables, human.ravel(), topic, system, topic)
    assert found[0] == pytest.approx(OFFSET)
    assert found.sum(axis=0) == pytest.approx(human.ravel())


@pytest.mark.parametrize("fold", [np.zeros(46, int), np.arange(46) % 3])
def test_folds_that_would_show_scores_are_refused(fold):
    tables, human = made_up()
    with pytest.raises(ValuesError, match="no scores to learn from, or share topics and systems"):
        weighted_subscores(tables, human, TOPIC, SYSTEM, fold)


def test_the_score_is_where_the_line_crosses_one_half():
    # the first system beats those of 1, 2, 4 on .9, .7, .3 of the topics: .5 at 3
    rates = np.full((4, 4), 0.5)
    rates[0, 1:] = 0.9, 0.7, 0.3
    assert relative_scores(rates, [0, 1, 2, 4])[0] == pytest.approx(3)
    rates[0, 1:] = 0.4, 0.3, 0.1
    assert relative_scores(rates, [0, 1, 2, 4])[0] == pytest.approx(0)  # below all others
    assert relative_scores(rates, [0, 1, 2, 4], (0.5, 5))[0] == 0.5  # moved into the range
    rates[0, 1:] = 1.0, 0.9, 0.7
    assert relative_scores(rates, [0, 1, 2, 4], (0.5, 5))[0] == 5


@given(st.integers(0, 100))
def test_it_is_a_regression_on_the_others(seed):
    generator = np.random.default_rng(seed)
    human, rates = generator.random(6), generator.random((6, 6))
    found = relative_scores(rates, human)
    for system in range(6):
        others = np.arange(6) != system
        slope, intercept = np.polyfit(human[others], rates[system, others], 1)
        assert found[system] == pytest.approx((0.5 - intercept) / slope)
    wild = human.copy()
    wild[2] = 50
    assert relative_scores(rates, wild)[2] == found[2]  # its own score is not seen


def test_level_lines_and_single_systems_say_nothing():
    assert np.isnan(relative_scores(np.full((3, 3), 0.5), [1, 2, 3])).all()
    assert np.isnan(relative_scores(np.random.default_rng(0).random((3, 3)), [2, 2, 2])).all()
    assert np.isnan(relative_scores([[0.5, 1], [0, 0.5]], [1, 2])).all()


def test_rates_of_other_systems_are_refused():
    with pytest.raises(ValuesError, match="do not match 3 human scores"):
        relative_scores(np.full((2, 2), 0.5), [1, 2, 3])
