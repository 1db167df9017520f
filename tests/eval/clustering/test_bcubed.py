"""B-Cubed, and membership of several clusters."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from tests.cases import each_case
from weps.errors import KeyFileError
from weps_eval.clustering.bcubed import (
    as_membership,
    bcubed,
    disjoint_labels,
    from_groups,
)

BCUBED = sys.modules["weps_eval.clustering.bcubed"]  # the function hides it in the package
ITEMS = st.integers(1, 12)
LABELS = st.integers(-1, 4)


@st.composite
def matrices(draw, items):
    """A clustering of the items, most of them in a few groups, some in many."""
    groups = draw(st.integers(1, 7))
    row = st.lists(st.booleans(), min_size=groups, max_size=groups)
    return np.array(draw(st.lists(row, min_size=items, max_size=items)), dtype=int)


@st.composite
def pairs_of_matrices(draw, complete=False):
    items = draw(ITEMS)
    answer, key = draw(matrices(items)), draw(matrices(items))
    if complete:
        answer[~answer.any(axis=1), 0] = 1
        key[~key.any(axis=1), 0] = 1
    key[0, 0] = 1  # a key without items has no score
    return answer, key


@st.composite
def pairs_of_labels(draw):
    items = draw(ITEMS)
    labels = st.lists(LABELS, min_size=items, max_size=items)
    answer, key = np.array(draw(labels)), np.array(draw(labels))
    key[0] = max(key[0], 0)
    return answer, key


def by_definition(answer, key):
    held = [e for e in range(len(key)) if key[e].any()]
    c = {(e, f): int((answer[e] & answer[f]).sum()) for e in held for f in held}
    k = {(e, f): int((key[e] & key[f]).sum()) for e in held for f in held}

    def mean_over(shared, missing):
        of_items = []
        for e in held:
            met = [f for f in held if shared[e, f]]
            shares = [min(c[e, f], k[e, f]) / shared[e, f] for f in met]
            of_items.append(sum(shares) / len(met) if met else missing)
        return sum(of_items) / len(of_items)

    return mean_over(c, 1.0), mean_over(k, 0.0)


def score(answer, key):
    return bcubed(sparse.csr_array(answer), sparse.csr_array(key))


def of_labels(labels):
    groups = range(max(labels.max(), 0) + 1)
    return np.array([[int(label == group) for group in groups] for label in labels])


# Two items, each with its row of groups: the pair of different items counts for one half of each
# item's mean, its own pair for the other; both follow min(c, k) / c and min(c, k) / k.
@each_case(
    ("case", "answer", "key", "precision", "recall"),
    [
        ("same groups", [[1], [1]], [[1], [1]], 1, 1),
        ("joined wrongly", [[1], [1]], [[1, 0], [0, 1]], 1 / 2, 1),
        ("torn apart", [[1, 0], [0, 1]], [[1], [1]], 1, 1 / 2),
        ("two categories, one cluster", [[1], [1]], [[1, 1], [1, 1]], 1, 1 / 2),
        ("one category, two clusters", [[1, 1], [1, 1]], [[1], [1]], 1 / 2, 1),
        ("two categories, two clusters", [[1, 1], [1, 1]], [[1, 1], [1, 1]], 1, 1),
        ("one item missing", [[1], [0]], [[1], [1]], 1, 1 / 4),
        ("both missing", [[0], [0]], [[1], [1]], 1, 0),
    ],
)
def test_worked_cases(case, answer, key, precision, recall):
    assert score(answer, key) == pytest.approx((precision, recall), abs=1e-15), case


@pytest.mark.parametrize("most", [3, 10**6])
@given(pairs_of_matrices())
def test_agrees_with_the_definition(most, pair):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BCUBED, "_PAIRS", most)
        assert score(*pair) == pytest.approx(by_definition(*pair), abs=1e-12)
    assert score(*pair) == pytest.approx(by_definition(*pair), abs=1e-12)
    assert all(0 <= value <= 1 for value in score(*pair))
    assert score(pair[1], pair[1]) == (1, 1)


@given(pairs_of_labels())
def test_labels_and_matrices_agree(pair):
    answer, key = pair
    expected = score(of_labels(answer), of_labels(key))
    assert bcubed(answer, key) == pytest.approx(expected, abs=1e-12)
    assert bcubed(answer, sparse.csr_array(of_labels(key))) == expected


@each_case("groups", [3, 300, 79_000])
def test_labels_and_matrices_agree_on_many_items(groups):
    # 79,000 labels on each side no longer fit 32 bits together.
    answer, key = np.random.default_rng(1).integers(-1, groups, (2, 20_000))
    key = np.where(np.arange(20_000) % 3, answer, key)
    matrix = sparse.csr_array((key >= 0, (np.arange(20_000), np.maximum(key, 0))))
    assert bcubed(answer, key) == pytest.approx(bcubed(answer, matrix), abs=1e-12)


def test_labels_of_items_that_the_answer_misses():
    assert bcubed(np.array([-1, -1, -1]), np.array([0, 0, 1])) == (1, 0)
    assert bcubed(np.array([-1, 4, 4]), np.array([0, 0, 0])) == pytest.approx((1, 4 / 9))


@given(pairs_of_labels(), st.integers(10**6, 2**40), st.randoms(use_true_random=False))
def test_names_of_labels_do_not_matter(pair, offset, random):
    answer, key = pair
    names = [offset + label for label in range(5)]
    random.shuffle(names)
    renamed = np.array([names[label] if label >= 0 else -7 for label in answer])
    assert bcubed(renamed, key) == pytest.approx(bcubed(answer, key), abs=1e-12)


@given(pairs_of_matrices(complete=True))
def test_swapping_key_and_answer_swaps_precision_and_recall(pair):
    answer, key = pair
    assert score(key, answer) == pytest.approx(score(answer, key)[::-1], abs=1e-12)


def test_numbers_in_a_matrix_count_as_one_and_explicit_zeros_as_nothing():
    entries = ([2.0, 0.0, 5.0], ([0, 0, 1], [0, 1, 0]))
    weighted = sparse.coo_array(entries, shape=(2, 2))
    assert bcubed(weighted, np.array([3, 3])) == (1, 1)
    assert weighted.nnz == 3, "the caller's matrix stays as it was"


@each_case(
    ("answer", "key", "problem"),
    [
        (np.array([0, 1]), np.array([0, 1, 1]), "2 items in the answer, 3 in the key"),
        (sparse.csr_array((4, 1)), np.array([0, 1, 1]), "4 items in the answer, 3 in the key"),
        (np.array([0, 1]), np.array([-1, -1]), "no item in any group"),
        (np.array([], dtype=int), np.array([], dtype=int), "no item in any group"),
        (np.array([0.5, 1.0]), np.array([0, 1]), "float64"),
        (np.array([[0, 1]]), np.array([0, 1]), r"shape \(1, 2\)"),
    ],
)
def test_what_cannot_be_scored_is_refused(answer, key, problem):
    with pytest.raises(KeyFileError, match=problem):
        bcubed(answer, key)


@pytest.mark.parametrize("groups", [([[1, 1, 2]], [[1], [2]]), ([[1, 2]], [[1, 2], [2, 2]])])
def test_a_group_names_an_item_once(groups):
    assert disjoint_labels(*groups) is None
    with pytest.raises(KeyFileError, match="an item twice"):
        from_groups(*groups)


def test_labels_become_columns_and_negative_ones_empty_rows():
    found = as_membership(np.array([7, -1, 3, 7])).toarray()
    assert found.tolist() == [[0, 1], [0, 0], [1, 0], [0, 1]]


def test_groups_get_a_row_for_every_item_of_either():
    answer, key = from_groups([{5, 2}], [{2}, {9, 2}])
    assert answer.toarray().tolist() == [[1], [1], [0]]
    assert key.toarray().tolist() == [[1, 1], [0, 0], [0, 1]]
    assert [each.shape for each in from_groups([], [{4}])] == [(1, 0), (1, 1)]


@pytest.mark.parametrize("most", [2, 9])
def test_many_items_in_many_groups_agree_with_the_definition(most):
    random = np.random.default_rng(most)
    answer, key = (
        np.array([random.permutation(np.arange(9) < size) for size in random.integers(0, most, 60)])
        for _ in range(2)
    )
    answer, key = answer.astype(int), key.astype(int)
    assert score(answer, key) == pytest.approx(by_definition(answer, key), abs=1e-12)
