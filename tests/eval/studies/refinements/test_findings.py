import math

import numpy as np
import pytest

from eval.stats.estimate import resample_weights
from eval.studies.refinements.findings import (
    best_attribute_share,
    best_attributes,
    difference_of_means,
    mean_difference,
    mean_over_people,
    refinement_means,
)
from tests.eval.studies.refinements.made_up import findings, outcome, person


def test_people_by_size():
    found = findings(*(person({}, pages) for pages in (1, 2, 3, 4)))
    assert {size: len(people) for size, people in found.by_size.items()} == {
        "1": 1,
        "2": 1,
        "≥3": 2,
    }


def test_kinds_that_were_studied():
    assert findings(person({"tokens": None}), person({"ae fax": 1.0})).kinds == {
        "tokens", "ae fax", "best-nl", "best-ae", "best-all"
    }  # fmt: skip


def test_share_of_people_with_a_high_f():
    people = [person({"tokens": f}) for f in (0.9, 0.89, None)]
    assert findings(*people).share_above("tokens", 0.9, people).value == 0.5


def test_who_is_covered():
    found = findings(person({"tokens": 0.5}), person({"tokens": None}), person({"ae fax": 1.0}))
    assert [value for _, value in found.covered("tokens", "≥3")] == [1, 0]


NAMES = ("A", "B", "C")
PEOPLE = [
    person({"tokens": outcome(0.8, 1.0, 0.67), "bigrams": 0.5}, name="A"),
    person({"tokens": outcome(0.4, 0.5, 0.33), "bigrams": None}, name="A"),
    person({"tokens": None, "bigrams": 1.0}, name="B"),
    person({"bigrams": 1.0}, name="C"),
]


def test_means_over_the_people_who_have_a_candidate():
    found = refinement_means(PEOPLE, "tokens", NAMES)
    assert (found.studied, found.covered) == (3, 2)
    values = (found.f.value, found.precision.value, found.recall.value, found.coverage.value)
    assert values == pytest.approx((0.6, 0.75, 0.5, 2 / 3))


def test_a_kind_that_nobody_has():
    found = refinement_means(PEOPLE, "ae fax", NAMES)
    assert (found.studied, found.covered) == (0, 0)
    assert math.isnan(found.f.value)
    assert math.isnan(found.coverage.value)


def test_intervals_are_those_of_resampled_names():
    values = [(PEOPLE[0], 1.0), (PEOPLE[1], 0.0), (PEOPLE[2], 0.25)]
    times = resample_weights(3)
    held = times @ np.array([1.0, 0.25, 0.0])
    total = times @ np.array([2.0, 1.0, 0.0])
    drawn = held[total > 0] / total[total > 0]
    found = mean_over_people(values, NAMES)
    assert found.value == pytest.approx(1.25 / 3)
    assert (found.low, found.high) == pytest.approx(tuple(np.percentile(drawn, [2.5, 97.5])))


def test_the_seed_decides_the_resamples():
    names = [f"N{number}" for number in range(12)]
    values = [(person({}, name=name), at * at % 97 / 100) for at, name in enumerate(names)]
    nothing = [(each, 0.0) for each, _ in values]
    for found in (
        [mean_over_people(values, names, seed) for seed in (0, 1)],
        [difference_of_means(values, nothing, names, seed) for seed in (0, 1)],
    ):
        assert found[0].value == found[1].value
        assert found[0] != found[1]


def test_one_name_has_no_interval():
    found = mean_over_people([(PEOPLE[0], 1.0)], ["A"])
    assert found.value == 1
    assert math.isnan(found.low)
    assert math.isnan(difference_of_means([(PEOPLE[0], 1.0)], [(PEOPLE[0], 0.5)], ["A"]).low)


def test_differences_are_paired_by_person():
    assert mean_difference(PEOPLE, "tokens", "bigrams", NAMES).value == pytest.approx(0.3)
    assert mean_difference(PEOPLE, "bigrams", "tokens", NAMES).value == pytest.approx(-0.3)
    assert math.isnan(mean_difference(PEOPLE, "tokens", "ae fax", NAMES).value)


def test_differences_between_people_are_paired_by_name():
    first = [(person({}, name=name), value) for name, value in (("A", 0.9), ("B", 0.5))]
    second = [(each, value - 0.2) for each, value in first]
    found = difference_of_means(first, second, ("A", "B"))
    assert found == pytest.approx((0.2, 0.2, 0.2))


def test_the_order_of_people_does_not_matter():
    assert refinement_means(PEOPLE[::-1], "bigrams", NAMES) == refinement_means(
        PEOPLE, "bigrams", NAMES
    )


PEOPLE_WINS = [
    person({"ae work": 0.8, "ae fax": 0.8, "ae email": 0.5}),
    person({"ae work": 1.0}),
    person({"ae work": None}),
    person({"tokens": 1.0}),
]


def test_attributes_that_tie_all_win():
    assert [kind for _, kind in best_attributes(PEOPLE_WINS)] == ["ae fax", "ae work", "ae work"]


def test_shares_of_all_wins():
    won = best_attributes(PEOPLE_WINS)
    assert best_attribute_share(won, ["ae work"], ["ANN_LEE"]).value == 2 / 3
    assert best_attribute_share(won, ["ae work", "ae fax"], ["ANN_LEE"]).value == 1
    assert best_attribute_share(won, ["ae email"], ["ANN_LEE"]).value == 0
