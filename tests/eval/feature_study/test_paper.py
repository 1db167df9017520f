import pytest

from eval.feature_study.paper import TABLE_1


@pytest.mark.parametrize(("title", "coreferent", "others", "pairs"), TABLE_1)
def test_pairs_are_the_coreferent_ones_and_the_others(
    title: str, coreferent: int, others: int, pairs: int
) -> None:
    assert coreferent + others == pairs, title


def test_both_are_the_sum_of_the_two() -> None:
    first, second, both = (counts for _, *counts in TABLE_1)
    assert both == [one + other for one, other in zip(first, second, strict=True)]
    assert both[-1] == 293_914
