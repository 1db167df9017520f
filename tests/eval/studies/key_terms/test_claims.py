import pytest

from tests.cases import each_case
from tests.eval.studies.key_terms.made_up import findings, places, topic
from weps_eval.report.claims import DOES_NOT_HOLD, HOLDS, NOT_STUDIED, UNDECIDED, judge_claims
from weps_eval.stats.estimate import Estimate
from weps_eval.studies.key_terms.claims import CLAIMS, judge_not_better, sample_size
from weps_eval.studies.key_terms.findings import WordShare

pytestmark = pytest.mark.usefixtures("any_sample_size")

PAPER = places(**{"-1": 0.39, "any_distance": 0.25, "+1": 0.05, "subjects": 0.3, "modifiers": 0.3})
PAPER = {**PAPER, "other words": PAPER["subjects"]}


def judged(*topics):
    return judge_claims(CLAIMS, findings(*topics), sample_size)


def words(*topics):
    return [verdict.word for _, verdict in judged(*topics)]


def test_all_hold_where_they_hold():
    terms = {name: ["sea"] for name in ("tf", "likelihood_ratio", "okapi")}
    ours = topic(where=PAPER, lists=terms)
    assert words(ours, ours) == [HOLDS] * len(CLAIMS)
    shown = judged(ours, ours)[0][1].figures
    assert (shown[:22], shown[-5:]) == ("0.390 − 0.250: +0.140 ", "+56 %")


def test_none_holds_where_the_contrary_does():
    against = places(**{"-1": 0.05, "+1": 0.9, "heads": 0.5, "other_phrases": 0.5})
    against = {**against, "last nouns": against["heads"]}
    better = {"likelihood_ratio": ["haiti", "un", "democracy"], "tfsyntax": ["sea"]}
    ours = topic(where=against, lists=better, words=5)
    assert words(ours, ours) == [DOES_NOT_HOLD] * len(CLAIMS)


@pytest.mark.parametrize(
    ("first", "second", "word", "rival"),
    [
        ({"+2": 0.9, "+3": 0.35}, {"+2": 0.0, "+3": 0.35}, DOES_NOT_HOLD, "+3"),
        ({"+2": 0.35, "+3": 0.2}, {"+2": 0.0, "+3": 0.2}, UNDECIDED, "+2"),
    ],
)
def test_a_distance_that_is_surely_better_decides_before_one_that_may_be(
    first, second, word, rival
):
    peak = judged(*(topic(where=places(**{"-1": 0.3} | each)) for each in (first, second)))[1][1]
    assert (peak.word, peak.figures[:13]) == (word, f"−1 against {rival}")


GOOD = ["haiti", "un", "democracy"]


@each_case(
    ("where", "lists", "fails"),
    [
        ({"+1": 0.95}, {}, {"peak", "fall", "below"}),
        ({"+2": 0.95}, {}, {"peak"}),
        ({"any distance": 0.95}, {}, {"before"}),
        ({"other phrases": 0.95}, {}, {"subjects"}),
        ({"heads": 0.95}, {}, {"heads"}),
        ({"last nouns": 0.95}, {}, {"noun heads"}),
        ({}, {"tf": GOOD}, {"tfsyntax", "equal length"}),
        ({}, {"tf": ["sea", *GOOD]}, {"tfsyntax"}),
        ({}, {"likelihood_ratio": GOOD}, {"tfsyntax", "equal length", "others"}),
        ({}, {"okapi": GOOD}, {"tfsyntax", "equal length", "others"}),
        ({}, {"tfsyntax": [*GOOD, *("x" * size for size in range(1, 9))]}, {"vocabulary"}),
    ],
)
def test_each_claim_rests_on_its_own_figures(where, lists, fails):
    rules = (
        *("before", "peak", "fall", "below", "subjects", "heads", "noun heads"),
        *("tfsyntax", "equal length", "others", "vocabulary"),
    )
    plain = {name: ["sea"] for name in ("tf", "likelihood_ratio", "okapi")}
    shown = {**PAPER, **{place: WordShare(round(100 * each), 100) for place, each in where.items()}}
    ours = topic(where=shown, lists=plain | {"tfsyntax": ["haiti"]} | lists, words=10)
    assert {
        rule for rule, word in zip(rules, words(ours, ours), strict=True) if word != HOLDS
    } == fails


def test_without_tags_only_statistics_are_judged():
    found = judged(topic(where={}), topic(where={}))
    assert {each.text for each, verdict in found if verdict.word != NOT_STUDIED} == {
        "Likelihood ratio and Okapi are no better than TF."
    }


def test_no_better_is_at_most_a_little_better():
    for word, difference in (
        (HOLDS, (-0.1, -0.2, 0.02)),
        (UNDECIDED, (0.01, 0.0, 0.03)),
        (DOES_NOT_HOLD, (0.05, 0.03, 0.07)),
    ):
        assert judge_not_better(Estimate(*difference), 0.0200001).word == word
