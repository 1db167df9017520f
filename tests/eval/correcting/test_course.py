from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.clustering import scorer
from eval.correcting import course
from eval.judge import Judge
from tests.eval.correcting.cases import example, model
from tests.weps.builders import unhurried
from weps.forms import Origin
from weps.records import Clustering
from weps.stopping import Threshold

JUDGE = Judge(scorer("weps2"))


def test_a_split_teaches_that_others_are_apart_too():
    # Pairs 12, 13, 14, 23, 24, 34: two pairs of namesakes are put together.
    name = example([0.55, 0.1, 0.1, 0.1, 0.1, 0.55], {1}, {2}, {3}, {4})
    found = course(name, model(), JUDGE)
    assert found.answer == Clustering((frozenset({1, 2}), frozenset({3, 4})))
    assert found.anew == pytest.approx((2 / 3, 1.0))
    assert found.alone == pytest.approx((2 / 3, 6 / 7, 1.0))
    assert (found.pages, found.people, found.best) == (4, 4, 1.0)


def test_pages_that_are_the_same_bring_their_likes_along():
    # 3 and 4 are as near to 1 and 2 as these are far from one another.
    name = example([0.4, 0.9, 0.1, 0.6, 0.9, 0.1], {1, 2, 3, 4})
    found = course(name, model("single", 0.7), JUDGE)
    assert found.anew[-1] == found.alone[-1] == 1


def test_pages_set_aside_are_never_corrected():
    name = example([0.9, 0.9, 0.9], {1}, {2}, discarded={3})
    found = course(name, model(), JUDGE)
    assert (found.pages, found.people, len(found.alone)) == (2, 2, 2)


def test_a_page_of_two_people_goes_with_the_one_of_more_pages():
    name = example([0.1] * 6, {1, 2, 3}, {3, 4})
    found = course(name, model(), JUDGE)
    given = Clustering((frozenset({1, 2, 3}), frozenset({4})))
    assert found.best == JUDGE.scores(given, name.key, name.ranks)["bcubed_f05"] < 1
    assert found.alone[-1] == found.anew[-1] == found.best


def test_of_equally_large_people_a_page_goes_with_the_first():
    name = example([0.9, 0.1, 0.1], {1, 2}, {2, 3})
    assert len(course(name, model(), JUDGE).alone) == 1  # nothing is wrong


def test_it_stops_as_names_of_its_origin_do():
    name = example([0.6], {1, 2})
    others = [each for each in Origin if each is not name.origin]
    stopping = {**dict.fromkeys(others, Threshold(0.9)), name.origin: Threshold(0.5)}
    assert len(course(name, replace(model(), stopping=stopping), JUDGE).anew) == 1


def test_pages_of_the_key_that_are_not_there_are_not_counted():
    name = example([0.9], {1, 2, 9}, {8})
    found = course(name, model(), Judge(scorer("weps1")))
    assert (found.pages, found.people) == (2, 1)


@given(st.integers(1, 8), st.data(), st.sampled_from(["single", "average", "complete"]))
@unhurried
def test_every_course_ends_at_the_best(size, data, link):
    pairs = size * (size - 1) // 2
    generator = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    person = data.draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))
    groups = [{r + 1 for r in range(size) if person[r] == one} for one in set(person)]
    name = example(generator.random(pairs).tolist() or [], *groups)
    if size == 1:
        name = example([], {1})
    found = course(name, model(link), JUDGE)
    assert found.anew[0] == found.alone[0]
    assert found.anew[-1] == found.alone[-1] == found.best == 1
    assert course(name, model(link), JUDGE) == found
