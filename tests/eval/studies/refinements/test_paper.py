import pytest

from eval.studies.refinements.claims import (
    ATTRIBUTES,
    BEST_ATTRIBUTE_COUNTS,
    BEST_ATTRIBUTE_SHARES,
    PEOPLE,
    PUBLISHED_MEANS,
)
from eval.studies.refinements.findings import AGGREGATES, SIZES


def test_sizes_and_kinds_are_ours():
    ours = {kind for kinds in AGGREGATES.values() for kind in kinds} | AGGREGATES.keys()
    assert tuple(PEOPLE) == tuple(PUBLISHED_MEANS) == tuple(BEST_ATTRIBUTE_COUNTS) == SIZES
    assert all(set(figures) == ours for figures in PUBLISHED_MEANS.values())


def test_people():
    assert sum(PEOPLE.values()) == 552


@pytest.mark.parametrize("size", SIZES)
def test_f_of_the_means_is_near_the_mean_of_f(size):
    """A misread digit would tear them apart; means of F are not F of means."""
    for found in PUBLISHED_MEANS[size].values():
        assert found.f == pytest.approx(
            2 * found.precision * found.recall / (found.precision + found.recall), abs=0.06
        )


@pytest.mark.parametrize("place", range(3))
def test_the_percentages_of_wins_are_whole_numbers_of_more_wins_than_people(place):
    total = list(BEST_ATTRIBUTE_COUNTS.values())[place]
    wins = [round(BEST_ATTRIBUTE_SHARES[kind][place] * total / 100) for kind in ATTRIBUTES]
    assert sum(wins) == total
    for kind, own in zip(ATTRIBUTES, wins, strict=True):
        assert BEST_ATTRIBUTE_SHARES[kind][place] == pytest.approx(100 * own / total, abs=0.006)
    size = SIZES[place]
    assert total > PEOPLE[size] * PUBLISHED_MEANS[size]["best-ae"].coverage
