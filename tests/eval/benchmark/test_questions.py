"""A simulated user answers questions."""

import pytest

from tests.eval.benchmark.test_corrections import SCORER, example, model
from weps_eval.benchmark.corrections import simulate_corrections
from weps_eval.benchmark.questions import (
    question_gain_line,
    question_rows,
    questions_data,
    simulate_questions,
)

# Pairs 12, 13, 14, 23, 24, 34: the answer is {1, 2}, {3, 4}.
PROBABILITIES = [0.6, 0.4, 0.4, 0.4, 0.4, 0.6]


def test_answers_correct_what_they_are_about_and_a_known_name_raises_no_more_questions():
    one_person = simulate_questions(example(PROBABILITIES, {1, 2, 3, 4}), model(), SCORER)
    assert one_person.scores["chosen"] == pytest.approx((2 / 3, 1, 1, 1, 1, 1))
    apart = simulate_questions(example(PROBABILITIES, {1}, {2}, {3}, {4}), model(), SCORER)
    assert apart.scores["chosen"][-1] == 1
    assert apart.scores["chosen"][0] == apart.scores["at random"][0] == pytest.approx(2 / 3)


def test_pages_that_the_key_does_not_judge_are_not_asked_about():
    found = simulate_questions(example(PROBABILITIES, {1}, discarded={2, 3, 4}), model(), SCORER)
    assert {len(set(scores)) for scores in found.scores.values()} == {1}


def test_the_table_puts_answers_beside_as_many_corrections():
    names = [example(PROBABILITIES, {1, 2, 3, 4}), example(PROBABILITIES, {1, 2}, {3, 4})]
    questions = [simulate_questions(each, model(), SCORER) for each in names]
    corrections = [simulate_corrections(each, model(), SCORER) for each in names]
    rows = question_rows(questions, corrections)
    assert rows[0] == ["mean F0.5 after", "0", "1", "3", "5"]
    assert rows[1] == ["answers to questions, chosen", "0.83", "1.00", "1.00", "1.00"]
    assert rows[3] == ["corrections of the largest errors", "0.83", "1.00", "1.00", "1.00"]
    assert question_gain_line(questions).startswith("five answers add +0.167")
    data = questions_data(questions)
    assert data["after"]["chosen"]["5"] == 1
    assert data["gain"]["better"] == data["gain"]["equal"] == 1
