from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

from tests.weps.builders import smoothed, unhurried
from tests.weps.training.cases import COLUMNS, example_of, key_of, random_example
from weps.coreference import CLASSIFIERS
from weps.errors import SourceError
from weps.growing import grow_tree
from weps.training import Example
from weps.training.classifiers import GROWERS, Grower, grow, pair_weight, pairs_of

SIZES = (4, 6, 9, 30)
SILENT = Example("s", (1, 2), COLUMNS, np.ones((1, 2), dtype=np.float32), key_of())


def random_examples(seed: int) -> list[Example]:
    random = np.random.default_rng(seed)
    return [random_example(random, size) for size in SIZES]


def test_every_kind_grows_what_it_is_called():
    assert set(GROWERS) == set(CLASSIFIERS)
    for kind in GROWERS:
        assert type(grow(kind, random_examples(0), seed=0)) is CLASSIFIERS[kind]


@given(st.integers(0, 2**31 - 1))
@unhurried
def test_the_pairs_are_those_judged_and_a_name_s_weight_is_shared_among_them(seed):
    random = np.random.default_rng(seed)
    examples = [random_example(random, size) for size in SIZES]
    examples[1] = Example("k", *_half_judged(examples[1]))
    values, coreferent, weights = pairs_of(examples)
    expected = [example.values[example.judged()[0]] for example in examples]
    np.testing.assert_array_equal(values, np.concatenate(expected))
    truth = [example.judged()[1][example.judged()[0]] for example in examples]
    np.testing.assert_array_equal(coreferent, np.concatenate(truth))
    assert weights.mean() == pytest.approx(1)
    ends = np.cumsum([len(part) for part in expected])[:-1]
    for part in np.split(weights, ends):
        assert part == pytest.approx(part[0])
        assert part[0] / weights[0] == pytest.approx(np.sqrt(len(expected[0]) / len(part)))


def _half_judged(example: Example) -> tuple[object, ...]:
    return example.ranks, example.similarities, example.values, key_of({1, 3}, {2})


@pytest.mark.parametrize(("judged", "weight"), [(0, 1), (1, 1), (4, 1 / 2), (10_000, 1 / 100)])
def test_a_pair_weighs_less_the_more_there_are(judged, weight):
    assert pair_weight(judged) == pytest.approx(weight)


@pytest.mark.parametrize("most", [1, 5, 15, 10_000])
def test_a_name_of_more_pairs_than_are_taken_keeps_its_weight(most):
    examples = random_examples(1)
    every, _, weights = pairs_of(examples)
    some, _, taken = pairs_of(examples, most, seed=3)
    pairs = [size * (size - 1) // 2 for size in SIZES]
    kept = [min(count, most) for count in pairs]
    assert len(some) == sum(kept)
    whole = np.array([part.sum() for part in np.split(weights, np.cumsum(pairs)[:-1])])
    thin = np.array([part.sum() for part in np.split(taken, np.cumsum(kept)[:-1])])
    assert thin / thin.sum() == pytest.approx(whole / whole.sum())
    assert {*map(tuple, some.tolist())} <= {*map(tuple, every.tolist())}
    assert len({*map(tuple, some.tolist())}) == len(some)


def test_the_values_taken_keep_their_truth():
    """Column 0 is 1 for coreferent pairs and 0 for others."""
    examples = []
    for example in random_examples(1):
        values = example.values.copy()
        values[:, 0] = example.judged()[1]
        examples.append(Example("n", example.ranks, COLUMNS, values, example.key))
    values, coreferent, _ = pairs_of(examples, 12, seed=0)
    np.testing.assert_array_equal(values[:, 0] > 0, coreferent)


def test_which_pairs_are_taken_depends_on_the_seed_alone():
    first, again, other = (pairs_of(random_examples(1), 9, seed)[0] for seed in (0, 0, 1))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


@given(st.integers(0, 2**31 - 1))
@unhurried
def test_a_tree_is_what_scikit_learn_grows_on_these_pairs(seed):
    examples = random_examples(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GROWERS, "tree", Grower(grow_tree, {"depth": 4, "leaf": 2}))
        tree = grow("tree", examples, seed=5)
    reference = DecisionTreeClassifier(max_depth=4, min_samples_leaf=2, random_state=5)
    reference.fit(*pairs_of(examples))
    pairs = np.random.default_rng(seed).random((50, 2)).astype(np.float32)
    np.testing.assert_allclose(tree.predict(pairs), smoothed(reference, pairs), atol=1e-12)


@pytest.mark.parametrize("kind", GROWERS)
def test_a_classifier_is_grown_as_was_chosen(monkeypatch, kind):
    told = {}

    def watching(values, coreferent, weights, **choices):
        told.update(choices, pairs=len(values))
        assert len(values) == len(coreferent) == len(weights)

    chosen = GROWERS[kind]
    monkeypatch.setitem(GROWERS, kind, Grower(watching, chosen.choices, most_pairs=7))
    grow(kind, random_examples(2), seed=11)
    assert told == {**chosen.choices, "seed": 11, "pairs": 6 + 7 + 7 + 7}


@pytest.mark.parametrize(
    ("key", "coreferent"), [(key_of({1, 2, 3}), True), (key_of({1}, {2}, {3}), False)]
)
@pytest.mark.parametrize(("kind", "most"), [("tree", 1 / 5), ("boosted", 1 / 5), ("forest", 1 / 3)])
def test_three_pairs_of_one_kind_leave_some_doubt(kind, most, key, coreferent):
    """As if one more of either kind had been seen; trees of a forest have seen one to three."""
    classifier = grow(kind, [example_of(key, 0.1, 0.5, 0.9)], seed=0)
    (found,) = classifier.predict(np.zeros((1, 1), dtype=np.float32))
    doubt = 1 - found if coreferent else found
    assert 1 / 5 - 1e-6 < doubt < most + 1e-6


@pytest.mark.parametrize("kind", GROWERS)
def test_the_same_pairs_grow_the_same_classifier_and_silent_names_change_nothing(kind):
    known = random_examples(0)
    data = [grow(kind, each, seed=0).to_data() for each in (known, known, [*known, SILENT])]
    assert data[0] == data[1] == data[2]


@pytest.mark.parametrize("examples", [[], [SILENT], [SILENT, SILENT]])
@pytest.mark.parametrize("learn", [pairs_of, partial(grow, "tree", seed=0)], ids=["pairs", "tree"])
def test_without_judged_pairs_there_is_nothing_to_learn_from(learn, examples):
    with pytest.raises(SourceError, match="nothing to learn from") as caught:
        learn(examples)
    assert caught.value.remedy
