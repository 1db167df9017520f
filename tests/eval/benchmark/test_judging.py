"""Answers are corrected, and asked about, by a simulated user."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from weps.cli.console import Console
from weps.clustering.dendrogram import Threshold
from weps.model import Model
from weps.reading import Origin
from weps.records import Clustering
from weps.training import Example
from weps_eval.benchmark import judging
from weps_eval.clustering.measures import SCORING_RULES

SCORER = SCORING_RULES["weps2"]


class FirstColumn:
    """A classifier whose probabilities are the first column."""

    kind = "first-column"

    def predict(self, values):
        return values[:, 0].astype(np.float64)

    def to_data(self):
        return {}


def model(link="average", level=0.5):
    return Model((), FirstColumn(), link, dict.fromkeys(Origin, Threshold(level)))


def example(probabilities, *groups, discarded=frozenset()):
    """A name of pages 1 to n with the probabilities of its pairs, and its key."""
    size = round((1 + (1 + 8 * len(probabilities)) ** 0.5) / 2)
    values = np.array(probabilities, dtype=np.float32)[:, np.newaxis]
    key = Clustering(tuple(map(frozenset, groups)), frozenset(discarded))
    return Example("A_Name", tuple(range(1, size + 1)), (), values, key)


def made_up(name, best, anew, alone):
    asked = dict.fromkeys(("chosen", "at random"), (anew[0],) * 6)
    scores = {"anew": tuple(anew), "alone": tuple(alone), **asked}
    return judging.Course(name, 10, 3, Clustering(()), best, scores)


def test_a_split_teaches_that_others_are_apart_too():
    # Pairs 12, 13, 14, 23, 24, 34: two pairs of namesakes are put together.
    name = example([0.55, 0.1, 0.1, 0.1, 0.1, 0.55], {1}, {2}, {3}, {4})
    found = judging.simulate_user(name, model(), SCORER)
    assert found.answer == Clustering((frozenset({1, 2}), frozenset({3, 4})))
    assert found.scores["anew"] == pytest.approx((2 / 3, 1.0))
    assert found.scores["alone"] == pytest.approx((2 / 3, 6 / 7, 1.0))
    assert (found.pages, found.people, found.best) == (4, 4, 1.0)


@each_case(
    ("name", "rule", "pages", "people", "answers"),
    [
        (example([0.9, 0.9, 0.9], {1}, {2}, discarded={3}), "weps2", 2, 2, 2),  # set aside
        (example([0.9], {1, 2, 9}, {8}), "weps1", 2, 1, 1),  # not there
        (example([0.9, 0.1, 0.1], {1, 2}, {2, 3}), "weps2", 3, 2, 1),  # of the first of equals
    ],
)
def test_only_pages_that_count_are_corrected(name, rule, pages, people, answers):
    found = judging.simulate_user(name, model(), SCORING_RULES[rule])
    assert (found.pages, found.people, len(found.scores["alone"])) == (pages, people, answers)


def test_a_page_of_two_people_goes_with_the_one_of_more_pages():
    name = example([0.1] * 6, {1, 2, 3}, {3, 4})
    found = judging.simulate_user(name, model(), SCORER)
    given = Clustering((frozenset({1, 2, 3}), frozenset({4})))
    assert found.best == SCORER.scores(given, name.key, name.ranks)["bcubed_f05"] < 1
    assert found.scores["alone"][-1] == found.scores["anew"][-1] == found.best


@given(st.integers(1, 8), st.data(), st.sampled_from(["single", "average", "complete"]))
def test_every_curve_ends_at_the_best(size, data, link):
    pairs = size * (size - 1) // 2
    generator = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    person = data.draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))
    groups = [{r + 1 for r in range(size) if person[r] == one} for one in set(person)]
    name = example(generator.random(pairs).tolist() or [], *groups)
    if size == 1:
        name = example([], {1})
    found = judging.simulate_user(name, model(link), SCORER)
    assert found.scores["anew"][0] == found.scores["alone"][0]
    assert found.scores["anew"][-1] == found.scores["alone"][-1] == found.best == 1
    assert judging.simulate_user(name, model(link), SCORER) == found


@each_case(
    ("groups", "people", "correction"),
    [
        # A group of two people: the smaller piece is split off.
        ([{1, 2, 3, 4, 5}], "aaabb", "split 4 5 / 1 2 3"),
        # A person in two groups: they are joined, each by a page.
        ([{1, 2}, {3, 4, 5}], "aaaaa", "join 1 3"),
        # A page among others, whose person is elsewhere.
        ([{1, 2, 3}, {4, 5}], "aabbb", "move 3 / 1 / 4"),
        # The largest first, of equally large ones that with the first page.
        ([{1, 2, 3}, {4, 5, 6, 7, 8}], "aabcccdd", "split 7 8 / 4 5 6"),
        ([{1, 2, 3}, {4, 5, 6}], "aabccd", "split 3 / 1 2"),
        # Where another person is at home, a piece is not, however large.
        ([{1, 2, 3, 4, 5, 6}, {7}], "aaaabbb", "move 5 6 / 1 / 7"),
        # Pages that the key does not know are not mentioned.
        ([{1, 2, 3, 4}], "aab?", "split 3 / 1 2"),
        ([{1, 2}, {3, 4}], "aaa?", "join 1 3"),
        ([{1}, {2, 3}], "abb", None),
        ([{1, 2}], "a?", None),
    ],
)
def test_what_the_user_corrects_first(groups, people, correction):
    persons = {rank: ord(who) for rank, who in enumerate(people, start=1) if who != "?"}
    groups = list(map(frozenset, groups))
    step = judging._next_correction(groups, persons)
    assert (str(step) if step else None) == correction


@st.composite
def answered(draw: st.DrawFn) -> tuple[list[frozenset[int]], dict[int, int]]:
    size = draw(st.integers(0, 12))
    group = draw(st.lists(st.integers(0, 4), min_size=size, max_size=size))
    person = draw(st.lists(st.integers(0, 4), min_size=size, max_size=size))
    persons = {rank: who for rank, who in enumerate(person) if who}
    parts = [frozenset(i for i, each in enumerate(group) if each == one) for one in set(group)]
    return parts, persons


@given(answered())
def test_one_thing_after_another_leads_to_the_key(case):
    groups, persons = case
    everybody = frozenset().union(*groups)
    sizes = []
    while step := judging._next_correction(groups, persons):
        before = groups
        assert len({persons[rank] for rank in step.same}) <= 1
        left, right = step.different or ((), ())
        assert {persons[rank] for rank in left}.isdisjoint(persons[rank] for rank in right)
        pages, goal = frozenset(step.groups[0]), frozenset(step.groups[2:] and step.groups[2])
        if step.kind == "join":  # by a page of each; the smaller piece is what moves
            who = {persons[rank] for rank in pages}
            found = (group for group in groups if group & pages)
            pieces = [frozenset(r for r in group if persons.get(r) in who) for group in found]
            goal, pages = sorted(pieces, key=lambda piece: (-len(piece), min(piece)))
        sizes.append(len(pages))
        moved = [group | pages if group & goal else group - pages for group in groups]
        groups = [*filter(None, moved), *([] if goal else [pages])]
        assert frozenset().union(*groups) == everybody
        assert sum(map(len, groups)) == len(everybody)
        wrong = [sorted(g & persons.keys()) for g in groups if g not in before]
        assert wrong
    assert sizes == sorted(sizes, reverse=True)
    known = {frozenset(group & persons.keys()) for group in groups} - {frozenset()}
    assert known == {
        frozenset(rank for rank in persons if persons[rank] == who) for who in set(persons.values())
    }


QUICK = made_up("A", 1.0, [0.5, 0.96, 1.0], [0.5, 0.6, 0.7, 0.96, 1.0])
POOR = made_up("B", 0.9, [0.7, 0.9], [0.7, 0.8, 0.9])
DONE = made_up("C", 1.0, [1.0], [1.0])


def test_means_over_names():
    data = judging.simulation_data([QUICK, POOR, DONE])["corrections"]
    alone = data["alone"]
    assert list(map(int, alone["after"])) == list(judging.CORRECTION_STEPS)
    assert [*alone["after"].values()][:4] == pytest.approx([2.2 / 3, 2.4 / 3, 2.6 / 3, 2.86 / 3])
    assert (alone["to_good"], alone["to_best"]) == (1.5, 2.0)
    saved = data["saved"]
    assert [saved[key] for key in ("difference", "better", "worse", "equal")] == [1.0, 2, 0, 1]
    assert judging.simulation_data([POOR])["corrections"]["anew"]["to_good"] is None


COURSES = [
    made_up("A_Name", 1.0, [0.5, 0.96, 1.0], [0.5, 0.6, 0.96, 1.0]),
    made_up("B_Name", 0.9, [0.7, 0.9], [0.7, 0.9]),
]


def test_tables_and_json_of_corrections(capsys):
    data = json.loads(json.dumps(judging.simulation_data(COURSES), allow_nan=False))
    judging.show_simulation(COURSES, data, Console())
    names, ways, answers = (
        [re.split(" {2,}", line.strip()) for line in block.splitlines()]
        for block in capsys.readouterr().out.split("\n\n")
    )
    assert [row[:-2] for row in names] == [
        ["name", "pages", "people", "F0.5", "best", "to 0.95", "(alone)"],
        ["A_Name", "10", "3", "0.50", "1.00", "1", "2"],
        ["B_Name", "10", "3", "0.70", "0.90", "–", "–"],
    ]
    *ways, saved = ways
    assert [row[0:1] + row[-2:] for row in ways] == [
        ["mean F0.5 after corrections", "to 0.95", "to best"],
        ["clustered again", "1.0", "1.5"],
        ["corrected pages only", "2.0", "2.0"],
    ]
    assert saved == [
        "clustering again saves 0.5 (+0.0 to +1.0) corrections to the best; fewer on 1, more on 0, "
        "as many on 1 names"
    ]
    assert answers[0] == ["mean F0.5 after", "0", "1", "3", "5"]
    assert answers[3] == ["corrections of the largest errors", "0.60", "0.93", "0.95", "0.95"]
    assert answers[4][0].startswith("five answers add +0.000")
    assert data["corrections"]["names"]["A_Name"] == {
        "pages": 10,
        "people": 3,
        "best": 1.0,
        "anew": [0.5, 0.96, 1.0],
        "alone": [0.5, 0.6, 0.96, 1.0],
    }


# Pairs 12, 13, 14, 23, 24, 34: the answer is {1, 2}, {3, 4}.
PROBABILITIES = [0.6, 0.4, 0.4, 0.4, 0.4, 0.6]


def test_answers_correct_what_they_are_about_and_a_known_name_raises_no_more_questions():
    one_person = judging.simulate_user(example(PROBABILITIES, {1, 2, 3, 4}), model(), SCORER)
    assert one_person.scores["chosen"] == pytest.approx((2 / 3, 1, 1, 1, 1, 1))
    apart = judging.simulate_user(example(PROBABILITIES, {1}, {2}, {3}, {4}), model(), SCORER)
    assert apart.scores["chosen"][-1] == 1
    assert apart.scores["chosen"][0] == apart.scores["at random"][0] == pytest.approx(2 / 3)
    unjudged = example(PROBABILITIES, {1}, discarded={2, 3, 4})
    scores = judging.simulate_user(unjudged, model(), SCORER).scores
    assert {len(set(scores[way])) for way in ("chosen", "at random")} == {1}
