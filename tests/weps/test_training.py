from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

from tests.weps.builders import analysis_of, document, smoothed, unhurried
from weps.clustering import Dendrogram, single_link
from weps.errors import WepsError
from weps.forms import Origin
from weps.model import Model
from weps.records import Clustering
from weps.similarity import pair_table, similarity
from weps.training import Example, Settings, answer, folds, grow, learn_threshold, train

SMALL = Settings(depth=4, leaf=2, repeats=1)
ALL = np.inf


def key_of(*groups: set[int], discarded: tuple[int, ...] = ()) -> Clustering:
    return Clustering(tuple(map(frozenset, groups)), frozenset(discarded))


def example_of(key: Clustering, *probabilities: float, name: str = "n") -> Example:
    """An example whose single column is the probability itself; ranks run from 1."""
    size = int((1 + np.sqrt(1 + 8 * len(probabilities))) / 2) if probabilities else 1
    values = np.array(probabilities, dtype=np.float32).reshape(-1, 1)
    return Example(name, tuple(range(1, size + 1)), values, key)


def random_example(random: np.random.Generator, size: int, people: int = 3) -> Example:
    """Pages of some people; the first of two columns tells them apart most of the time."""
    person = random.integers(0, people, size)
    first, second = np.triu_indices(size, k=1)
    same = (person[first] == person[second]).astype(np.float64)
    values = np.stack([same * 0.5 + random.random(len(same)) * 0.7, random.random(len(same))], 1)
    groups = [set((np.flatnonzero(person == p) + 1).tolist()) for p in set(person.tolist())]
    return Example(
        f"n{size}", tuple(range(1, size + 1)), values.astype(np.float32), key_of(*groups)
    )


def exact(given_answer: Clustering, key: Clustering, _ranks: object) -> float:
    """1 for the key itself, 0 for anything else."""
    return float(set(given_answer.groups) == set(key.groups))


def unseen(example: Example) -> tuple[Example, Dendrogram]:
    probability = example.values[:, 0].astype(np.float64)
    return example, single_link(probability, len(example.ranks))


def test_pairs_are_judged_where_the_key_has_both_pages():
    key = key_of({1, 2}, {2, 3}, discarded=(4,))
    judged, coreferent = example_of(key, *[0.0] * 6).judged()
    expected = {"12": True, "13": False, "14": None, "23": True, "24": None, "34": None}
    assert judged.tolist() == [truth is not None for truth in expected.values()]
    assert coreferent.tolist() == [bool(truth) for truth in expected.values()]


@pytest.mark.parametrize("key", [key_of(), key_of({77, 78})])
def test_a_key_of_other_pages_judges_nothing(key):
    judged, coreferent = example_of(key, 0.5, 0.5, 0.5).judged()
    assert not judged.any()
    assert not coreferent.any()


def test_a_name_of_one_page_has_no_pairs():
    judged, coreferent = example_of(key_of({1})).judged()
    assert judged.shape == coreferent.shape == (0,)


def test_an_example_is_made_from_a_pair_table():
    analysis = analysis_of(document("tides", rank=4), document("tides", rank=9))
    table = pair_table(analysis, [similarity("dice(token)")])
    example = Example.of("T_B", table, key_of({4, 9}), Origin.LISTED)
    assert (example.name, example.ranks, example.values.tolist()) == ("T_B", (4, 9), [[1.0]])
    assert example.judged()[1].tolist() == [True]
    assert example.origin is Origin.LISTED


@given(st.integers(0, 40), st.integers(1, 7), st.integers(0, 99))
@unhurried
def test_folds_partition(size, parts, seed):
    made = folds(size, parts, seed)
    assert sorted(index for part in made for index in part) == list(range(size))
    assert len(made) == min(size, parts)
    assert max(map(len, made), default=0) - min(map(len, made), default=0) <= 1


def test_folds_depend_on_the_seed_alone():
    assert folds(20, 5, 1) == folds(20, 5, 1)
    assert folds(20, 5, 1) != folds(20, 5, 2)


@given(st.integers(0, 2**31 - 1))
@unhurried
def test_a_tree_is_grown_on_judged_pairs_with_a_name_s_weight_shared_among_them(seed):
    random = np.random.default_rng(seed)
    examples = [random_example(random, size) for size in (4, 6, 9)]
    values, truth, weights = [], [], []
    for example in examples:
        judged, coreferent = example.judged()
        values.append(example.values[judged])
        truth.append(coreferent[judged])
        weights.append(np.full(judged.sum(), 1 / np.sqrt(judged.sum())))
    reference = DecisionTreeClassifier(max_depth=4, min_samples_leaf=2, random_state=0)
    reference.fit(np.concatenate(values), np.concatenate(truth), np.concatenate(weights))
    pairs = random.random((50, 2)).astype(np.float32)
    predicted = grow(examples, SMALL).predict(pairs)
    np.testing.assert_allclose(predicted, smoothed(reference, pairs), atol=1e-12)


@pytest.mark.parametrize(
    ("key", "expected"), [(key_of({1, 2, 3}), 4 / 5), (key_of({1}, {2}, {3}), 1 / 5)]
)
def test_three_pairs_of_one_kind_leave_some_doubt(key, expected):
    tree = grow([example_of(key, 0.1, 0.5, 0.9)], SMALL)
    assert tree.predict(np.zeros((1, 1), dtype=np.float32)) == pytest.approx([expected])


def test_a_name_whose_pairs_nobody_judged_teaches_nothing():
    known = random_example(np.random.default_rng(0), 8)
    silent = Example("s", (1, 2), np.ones((1, 2), dtype=np.float32), key_of())
    assert grow([known, silent], SMALL).to_data() == grow([known], SMALL).to_data()


@pytest.mark.parametrize(
    ("key", "low", "high"),
    [
        (key_of({1, 2, 3}), 0.0, 0.3),
        (key_of({1, 2}, {3}), 0.3, 0.9),
        (key_of({1}, {2}, {3}), 0.9, ALL),
    ],
)
def test_the_threshold_lies_in_the_gap_that_gives_the_best_answer(key, low, high):
    example = example_of(key, 0.9, 0.1, 0.3)
    assert low < learn_threshold([unseen(example)], exact) < high


def test_the_threshold_stands_in_the_middle_of_its_gap():
    example = example_of(key_of({1, 2}, {3}), 0.75, 0.0, 0.25)
    assert learn_threshold([unseen(example)], exact) == pytest.approx(0.5)


def test_the_widest_of_equally_good_gaps_is_preferred():
    narrow = example_of(key_of({1, 2}, {3}), 0.3, 0.0, 0.2)
    wide = example_of(key_of({1, 2}, {3}), 0.9, 0.0, 0.4)
    assert learn_threshold([unseen(narrow), unseen(wide)], exact) == pytest.approx(0.65)


def test_each_name_counts_once_in_the_threshold():
    many = [unseen(example_of(key_of({1, 2}), 0.4)) for _ in range(2)]
    large = unseen(example_of(key_of(*[{rank} for rank in range(1, 7)]), *[0.6] * 15))
    assert learn_threshold([*many, large], exact) < 0.4


def test_every_threshold_is_as_good_where_nothing_merges():
    assert 0 < learn_threshold([], exact) <= 1
    assert 0 < learn_threshold([unseen(example_of(key_of({1})))], exact) <= 1


@given(st.integers(0, 2**31 - 1))
@unhurried
def test_no_other_threshold_is_better(seed):
    random = np.random.default_rng(seed)
    examples = [unseen(random_example(random, size)) for size in (3, 4, 5)]

    def total(threshold: float) -> float:
        model = [(each, tree.cut(threshold)) for each, tree in examples]
        return sum(
            exact(key_of(*[{each.ranks[row] for row in rows} for rows in clusters]), each.key, ())
            for each, clusters in model
        )

    every = {merge.probability for _, tree in examples for merge in tree.merges} | {2.0}
    assert total(learn_threshold(examples, exact)) == max(map(total, every))


def test_an_answer_gives_ranks():
    tree = grow([example_of(key_of({1, 2}, {3}), 0.9, 0.1, 0.1)] * 4, SMALL)
    example = Example("n", (4, 7, 9), np.array([[0.1], [0.9], [0.1]], np.float32), key_of())
    model = Model((similarity("linked"),), tree, {Origin.SEARCH: 0.5, Origin.LISTED: 1.1})
    assert set(answer(example, model).groups) == {frozenset({4, 9}), frozenset({7})}
    listed = replace(example, origin=Origin.LISTED)
    assert set(answer(listed, model).groups) == {frozenset({4}), frozenset({7}), frozenset({9})}


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    random = np.random.default_rng(1)
    return [random_example(random, size) for size in (5, 8, 10, 12, 15, 20)]


COLUMNS = [similarity("dice(token)"), similarity("linked")]


def test_the_same_examples_train_the_same_model(examples):
    first, second = (train(examples, COLUMNS, exact, SMALL) for _ in range(2))
    assert first.tree.to_data() == second.tree.to_data()
    assert first.thresholds == second.thresholds
    assert first.similarities == tuple(COLUMNS)


def test_training_tells_people_apart(examples):
    model = train(examples, COLUMNS, pair_agreement, SMALL)
    fresh = random_example(np.random.default_rng(9), 15)
    together = key_of(set(fresh.ranks))
    assert pair_agreement(answer(fresh, model), fresh.key, fresh.ranks) > pair_agreement(
        together, fresh.key, fresh.ranks
    )


def pair_agreement(given_answer: Clustering, key: Clustering, ranks: tuple[int, ...]) -> float:
    """Share of pairs on which answer and key agree (Rand)."""

    def matrix(clustering: Clustering) -> np.ndarray:
        return np.array(
            [[any({a, b} <= g for g in clustering.groups) for a in ranks] for b in ranks]
        )

    return float((matrix(given_answer) == matrix(key)).mean())


def test_the_threshold_is_learnt_where_the_tree_had_not_seen_the_name(examples, monkeypatch):
    seen = []

    def watching(rest: list[Example], settings: Settings):
        seen.append({each.name for each in rest})
        return grow(rest, settings)

    monkeypatch.setattr("weps.training.grow", watching)
    train(examples, COLUMNS, exact, Settings(leaf=2, folds=3, repeats=2))
    names = {each.name for each in examples}
    *held_out, final = seen
    assert final == names
    assert len(held_out) == 3 * 2
    assert sorted(name for rest in held_out for name in names - rest) == sorted([*names, *names])
    assert held_out[:3] != held_out[3:]


@pytest.mark.parametrize(
    ("listed", "taught_by"), [(0, [6, 6]), (1, [5, 6]), (2, [6, 6]), (5, [6, 5]), (6, [6, 6])]
)
def test_five_names_of_an_origin_teach_its_threshold_else_all_do(
    examples, monkeypatch, listed, taught_by
):
    numbers = []
    monkeypatch.setattr(
        "weps.training.learn_threshold", lambda unseen, _: numbers.append(len(unseen)) or 0.5
    )
    kept = [replace(each, origin=Origin.LISTED) for each in examples[:listed]]
    model = train([*kept, *examples[listed:]], COLUMNS, exact, SMALL)
    assert list(model.thresholds) == list(Origin)
    assert numbers == taught_by


@pytest.mark.parametrize("count", [0, 1])
def test_too_few_names_to_learn_from_is_said(examples, count):
    with pytest.raises(WepsError):
        train(examples[:count], COLUMNS, exact, SMALL)


def test_names_without_judged_pairs_are_too_few_to_learn_from():
    silent = example_of(key_of(), 0.5, 0.5, 0.5)
    with pytest.raises(WepsError):
        train([silent, silent, silent], [similarity("linked")], exact, SMALL)
