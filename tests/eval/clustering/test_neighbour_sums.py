"""The kernel: its two ways give what listing all pairs gives."""

import importlib

import numpy as np
import pytest
from scipy import sparse

from eval.clustering.membership import membership, signatures
from eval.clustering.neighbour_sums import neighbour_sums

kernel = importlib.import_module("eval.clustering.neighbour_sums")

BUDGETS = {
    "inclusion only": {"FEW_GROUPS": 20, "SET_BUDGET": 10**9},
    "products only": {"FEW_GROUPS": -1, "PAIR_BUDGET": 5},
    "some of each": {"FEW_GROUPS": 3, "PAIR_BUDGET": 50},
    "until the budget is spent": {"SET_BUDGET": 40},
    "as shipped": {},
}


def odd(c, k):
    """A function without any symmetry that could hide a mistake."""
    return (c > 0) * (c + 0.25 * k**2) + 3.0 * (k == 2)


def of_items(answer, key, function):
    """One sum per item of the key, pair by pair."""
    held = np.flatnonzero(key.any(axis=1))
    c, k = answer[held] @ answer[held].T, key[held] @ key[held].T
    return function(c, k).sum(axis=1)


def random_groups(rng, items, groups, most):
    sizes = rng.integers(0, most + 1, items)
    return np.array([rng.permutation(np.arange(groups) < size) for size in sizes]).astype(int)


def kernel_sums(answer, key, function):
    """Sums per item, sorted: signatures have no order that items could be matched by."""
    distinct = signatures(membership(sparse.csr_array(answer)), membership(sparse.csr_array(key)))
    sums = neighbour_sums(distinct, [function])[0]
    return np.sort(np.repeat(sums, distinct.weights.astype(int)))


@pytest.fixture(params=BUDGETS.values(), ids=BUDGETS)
def budgets(request, monkeypatch):
    for name, value in request.param.items():
        monkeypatch.setattr(kernel, name, value)


@pytest.mark.usefixtures("budgets")
@pytest.mark.parametrize("most", [1, 2, 4, 9])
@pytest.mark.parametrize("seed", range(4))
def test_agrees_with_all_pairs(most, seed):
    rng = np.random.default_rng(seed)
    answer, key = random_groups(rng, 40, 9, most), random_groups(rng, 40, 9, most)
    expected = np.sort(of_items(answer, key, odd))
    assert kernel_sums(answer, key, odd) == pytest.approx(expected, rel=1e-12)


@pytest.mark.usefixtures("budgets")
def test_items_in_all_of_many_groups():
    answer, key = np.ones((6, 15), dtype=int), np.ones((6, 14), dtype=int)
    answer[:3, 0] = key[2:, 3] = 0
    expected = np.sort(of_items(answer, key, odd))
    assert kernel_sums(answer, key, odd) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("budget", BUDGETS)
def test_the_two_ways_share_the_work_as_intended(budget, monkeypatch):
    for name, value in BUDGETS[budget].items():
        monkeypatch.setattr(kernel, name, value)
    rng = np.random.default_rng(5)
    groups = membership(sparse.csr_array(random_groups(rng, 40, 9, 4)))
    few = kernel._in_few_groups(signatures(groups, groups))
    share = {"inclusion only": 1.0, "products only": 0.0, "as shipped": 1.0}.get(budget)
    assert few.mean() == share if share is not None else 0 < few.mean() < 1


@pytest.mark.usefixtures("budgets")
def test_no_answer_groups_and_repeated_signatures():
    answer, key = np.zeros((30, 0), dtype=int), np.repeat(np.eye(3, dtype=int), 10, axis=0)
    assert list(kernel_sums(answer, key, lambda _c, k: k)) == [10.0] * 30
