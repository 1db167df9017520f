"""Means of systems, and agreement of measures with people."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tests.cases import each_case
from weps_eval.text.matrix import MeasureMatrix
from weps_eval.text.summary import system_agreement, system_means

NONE = float("nan")


def matrix(*rows: tuple[str, str, float, float]) -> MeasureMatrix:
    """Topic, system, value, what people thought."""
    topic, system, value, human = zip(*rows, strict=True) if rows else ((), (), (), ())
    return MeasureMatrix(
        topic, system, ("m",), np.array([value], float), ("c",), np.array([human], float)
    )


ROWS = (
    ("t1", "A", 0.1, 1.0),
    ("t1", "B", 0.3, 2.0),
    ("t1", "C", 0.2, 4.0),
    ("t2", "B", 0.9, NONE),
    ("t2", "C", 0.4, 5.0),
    ("t3", "A", 0.6, 2.0),
    ("t3", "B", 0.5, 4.0),
    ("t3", "C", 0.9, 5.0),
    ("t3", "D", 0.0, NONE),
)


def test_means_are_over_the_topics_of_each_system():
    means = system_means(matrix(*ROWS))
    assert means.systems == ("A", "B", "C", "D")
    assert means.topics.tolist() == [2, 3, 3, 1]
    assert means.values == pytest.approx(np.array([[0.35, 1.7 / 3, 0.5, 0.0]]))
    assert means.overall == pytest.approx([3.9 / 9])


def test_agreement_is_over_the_topics_on_which_all_were_judged():
    found = system_agreement(matrix(*ROWS), "c")
    assert (found.systems, found.topics) == (3, 2)
    ours, people = [0.7, 0.8, 1.1], [3.0, 6.0, 9.0]
    assert found.pearson == pytest.approx([stats.pearsonr(ours, people).statistic])
    assert found.kendall.tolist() == [1.0]


@each_case(
    ("rows", "systems", "topics"),
    [
        ((), 0, 0),
        ([row for row in ROWS if row[1] in "AB"], 2, 2),
        ([("t1", "A", 0.1, 1.0), ("t2", "B", 0.2, 2.0), ("t3", "C", 0.3, 3.0)], 3, 0),
        ([("t1", "A", 0.1, NONE)], 0, 0),
    ],
)
def test_no_agreement(rows, systems, topics):
    found = system_agreement(matrix(*rows), "c")
    assert (found.systems, found.topics) == (systems, topics)
    assert not found.is_defined
    assert np.isnan([found.pearson, found.kendall]).all()


@each_case(
    ("values", "people"),
    [((0.5, 0.5, 0.5), (1, 2, 3)), ((1, 2, 3), (4, 4, 4)), ((1, 2, np.inf), (1, 2, 3))],
)
def test_no_coefficient_where_systems_are_alike_or_endless(values, people):
    rows = [("t", *row) for row in zip("ABC", values, people, strict=True)]
    found = system_agreement(matrix(*rows), "c")
    assert found.is_defined
    assert np.isnan([found.pearson, found.kendall]).all()


@given(st.permutations(range(6)))
def test_equal_means_are_tied_in_whatever_order_they_are_added_up(order):
    thirds = {"A": (11, 13, 13, 11, 10, 14), "B": (10, 14, 12, 12, 11, 13), "C": (6,) * 6}
    rows = [
        (f"t{topic}", system, value, thirds[system][topic] / 3)
        for topic in order
        for system, value in zip("ABC", (0.3, 0.2, 0.1), strict=True)
    ]
    ties = stats.kendalltau((3, 2, 1), (4, 4, 2)).statistic
    assert system_agreement(matrix(*rows), "c").kendall == pytest.approx([ties])


cells = st.tuples(st.integers(0, 20), st.one_of(st.none(), st.integers(0, 5)))
tables = st.dictionaries(st.tuples(st.sampled_from("tuv"), st.sampled_from("ABCDE")), cells)


@given(tables, st.randoms())
def test_brute_force(table, random):
    rows = [
        (*key, value, NONE if human is None else human) for key, (value, human) in table.items()
    ]
    random.shuffle(rows)
    found = system_agreement(matrix(*rows), "c")
    judged = {key: cell for key, cell in table.items() if cell[1] is not None}
    systems = {system for _, system in judged}
    by_topic = defaultdict(set)
    for topic, system in judged:
        by_topic[topic].add(system)
    shared = {topic for topic, present in by_topic.items() if present == systems}
    assert (found.systems, found.topics) == (len(systems), len(shared))
    if not found.is_defined:
        return
    pairs = [
        np.mean([judged[topic, system] for topic in sorted(shared)], axis=0) for system in systems
    ]
    ours, people = np.array(pairs).T
    if np.ptp(ours) > 0 and np.ptp(people) > 0:
        assert found.pearson[0] == pytest.approx(stats.pearsonr(ours, people).statistic)
        tau = stats.kendalltau(ours.round(9), people.round(9)).statistic
        assert found.kendall[0] == pytest.approx(tau)
