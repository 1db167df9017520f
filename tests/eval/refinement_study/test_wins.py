from eval.refinement_study.wins import win_share, wins
from tests.eval.refinement_study.made_up import person

PEOPLE = [
    person({"ae work": 0.8, "ae fax": 0.8, "ae email": 0.5}),
    person({"ae work": 1.0}),
    person({"ae work": None}),
    person({"tokens": 1.0}),
]


def test_attributes_that_tie_all_win():
    assert [kind for _, kind in wins(PEOPLE)] == ["ae fax", "ae work", "ae work"]


def test_shares_of_all_wins():
    won = wins(PEOPLE)
    assert win_share(won, ["ae work"], ["ANN_LEE"]).value == 2 / 3
    assert win_share(won, ["ae work", "ae fax"], ["ANN_LEE"]).value == 1
    assert win_share(won, ["ae email"], ["ANN_LEE"]).value == 0
