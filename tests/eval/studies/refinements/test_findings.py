import math

import numpy as np
import pytest

from eval.stats.estimate import resample_weights
from eval.studies.refinements.findings import Findings
from tests.eval.studies.refinements.made_up import findings, outcome, person

PEOPLE = (
    person({"tokens": outcome(0.8, 1.0, 0.67), "bigrams": 0.5}, name="A"),
    person({"tokens": outcome(0.4, 0.5, 0.33), "bigrams": None}, name="A"),
    person({"tokens": None, "bigrams": 1.0}, name="B"),
    person({"bigrams": 1.0}, name="C"),
)
FOUND = findings(*PEOPLE)
MORE = "≥3"


def test_people_by_size_and_kinds_that_were_studied():
    found = findings(*(person({"tokens": None}, pages) for pages in (1, 2, 3, 4)))
    assert [len(people) for people in found.by_size.values()] == [1, 1, 2]
    assert found.kinds == {"tokens", "best-nl", "best-all"}


def test_share_of_people_with_a_high_f_and_who_is_covered():
    people = [person({"tokens": f}) for f in (0.9, 0.89, None)]
    found = findings(*people, person({"ae fax": 1.0}))
    assert found.share_above("tokens", 0.9, people).value == 0.5
    assert [value for _, value in found.covered("tokens", MORE)] == [1, 1, 0]


def test_means_over_the_people_who_have_a_candidate():
    found = FOUND.refinement_means("tokens", MORE)
    assert (found.studied, found.covered) == (3, 2)
    values = (found.f.value, found.precision.value, found.recall.value, found.coverage.value)
    assert values == pytest.approx((0.6, 0.75, 0.5, 2 / 3))
    nobody = FOUND.refinement_means("ae fax", MORE)
    assert (nobody.studied, nobody.covered) == (0, 0)
    assert math.isnan(nobody.f.value)
    assert math.isnan(nobody.coverage.value)


def test_the_order_of_people_does_not_matter():
    other = Findings(FOUND.names, PEOPLE[::-1])
    assert other.refinement_means("bigrams", MORE) == FOUND.refinement_means("bigrams", MORE)


def test_intervals_are_those_of_resampled_names():
    times = resample_weights(3)
    sums = times @ np.array([1.0, 0.25, 0.0])
    total = times @ np.array([2.0, 1.0, 0.0])
    samples = sums[total > 0] / total[total > 0]
    found = FOUND.mean([(PEOPLE[0], 1.0), (PEOPLE[1], 0.0), (PEOPLE[2], 0.25)])
    assert found.value == pytest.approx(1.25 / 3)
    assert (found.low, found.high) == pytest.approx(tuple(np.percentile(samples, [2.5, 97.5])))


def test_the_seed_decides_the_resamples_and_one_name_has_no_interval():
    people = tuple(person({}, name=f"N{number}") for number in range(12))
    values = [(each, at * at % 97 / 100) for at, each in enumerate(people)]
    nothing = [(each, 0.0) for each in people]
    names = tuple(each.name for each in people)
    first, second = (Findings(names, people, seed) for seed in (0, 1))
    for one, other in (
        (first.mean(values), second.mean(values)),
        (first.difference_of_means(values, nothing), second.difference_of_means(values, nothing)),
    ):
        assert one.value == other.value
        assert one != other
    alone = findings(PEOPLE[0])
    assert alone.mean([(PEOPLE[0], 1.0)]).value == 1
    assert math.isnan(alone.mean([(PEOPLE[0], 1.0)]).low)
    assert math.isnan(alone.difference_of_means([(PEOPLE[0], 1.0)], [(PEOPLE[0], 0.5)]).low)


def test_differences_are_paired_by_person_and_by_name():
    assert FOUND.ahead("tokens", "bigrams", MORE).value == pytest.approx(0.3)
    assert FOUND.ahead("bigrams", "tokens", MORE).value == pytest.approx(-0.3)
    assert math.isnan(FOUND.ahead("tokens", "ae fax", MORE).value)
    first = [(PEOPLE[0], 0.9), (PEOPLE[2], 0.5)]
    second = [(each, value - 0.2) for each, value in first]
    found = findings(PEOPLE[0], PEOPLE[2]).difference_of_means(first, second)
    assert found == pytest.approx((0.2, 0.2, 0.2))


def test_attributes_that_tie_all_win():
    found = findings(
        person({"ae work": 0.8, "ae fax": 0.8, "ae email": 0.5}),
        person({"ae work": 1.0}),
        person({"ae work": None}),
        person({"tokens": 1.0}),
    )
    won = [kind for _, kind in found.best_attributes(MORE)]
    assert won == ["ae fax", "ae work", "ae work"]
    assert found.best_attribute_share("ae work", MORE).value == 2 / 3
    assert found.best_attribute_share("ae email", MORE).value == 0
