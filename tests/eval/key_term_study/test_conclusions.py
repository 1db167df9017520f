import pytest

from eval.feature_study.rules import DOES_NOT_HOLD, HOLDS, NOT_STUDIED, UNDECIDED
from eval.key_term_study.conclusions import CONCLUSIONS, judged, not_better
from eval.ordering import Estimate
from tests.eval.key_term_study.made_up import findings, places, topic

PAPER = places(**{"-1": 0.39, "any_distance": 0.25, "+1": 0.05, "subjects": 0.3, "modifiers": 0.3})
PAPER = {**PAPER, "other words": PAPER["subjects"]}


def words(*topics):
    return [verdict.word for _, verdict in judged(findings(*topics))]


def test_all_hold_where_they_hold():
    terms = {name: ["sea"] for name in ("tf", "likelihood_ratio", "okapi")}
    ours = topic(where=PAPER, lists=terms)
    assert words(ours, ours) == [HOLDS] * len(CONCLUSIONS)


def test_what_is_shown_of_the_distance():
    told = judged(findings(topic(where=PAPER), topic(where=PAPER)))[0][1].figures
    assert told.startswith("0.390 − 0.250: +0.140")
    assert told.endswith("+56 %")


def test_none_holds_where_the_contrary_does():
    against = places(**{"-1": 0.05, "+1": 0.9, "heads": 0.5, "other_phrases": 0.5})
    against = {**against, "last nouns": against["heads"]}
    better = {"likelihood_ratio": ["haiti", "un", "democracy"], "tfsyntax": ["sea"]}
    ours = topic(where=against, lists=better, words=5)
    assert words(ours, ours) == [DOES_NOT_HOLD] * len(CONCLUSIONS)


def test_topics_that_differ_leave_it_open():
    swapped = {**PAPER, "subjects": PAPER["other phrases"], "other phrases": PAPER["subjects"]}
    found = judged(findings(topic(where=PAPER), topic(where=swapped)))
    words_of = {each.source: verdict.word for each, verdict in found}
    assert words_of["section 4.2, figure 2"] == UNDECIDED


def test_without_tags_only_statistics_are_judged():
    found = judged(findings(topic(where={}), topic(where={})))
    assert {each.claim for each, verdict in found if verdict.word != NOT_STUDIED} == {
        "Likelihood ratio and Okapi are no better than TF."
    }


@pytest.mark.parametrize(
    ("difference", "expected"),
    [
        ((-0.1, -0.2, 0.02), HOLDS),
        ((0.01, 0.0, 0.03), UNDECIDED),
        ((0.05, 0.03, 0.07), DOES_NOT_HOLD),
    ],
)
def test_no_better_is_at_most_a_little_better(difference, expected):
    assert not_better(Estimate(*difference), 0.0200001).word == expected
