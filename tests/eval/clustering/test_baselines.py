"""The answers that need no system."""

import pytest

from eval.clustering import BASELINES


@pytest.mark.parametrize(
    ("name", "groups"),
    [
        ("all_in_one", ({2, 5, 9},)),
        ("one_in_one", ({2}, {5}, {9})),
        ("combined", ({2, 5, 9}, {2}, {5}, {9})),
    ],
)
def test_groups_of_each_baseline(name, groups):
    assert BASELINES[name]([9, 2, 5]).groups == groups


@pytest.mark.parametrize("baseline", BASELINES.values(), ids=BASELINES)
def test_no_documents_make_no_groups(baseline):
    assert baseline(()).groups == ()


def test_baselines_are_all_there():
    assert list(BASELINES) == ["all_in_one", "one_in_one", "combined"]
