"""The rules by which the two official scorers differ, on cases small enough to do by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.clustering import MEASURES, SCORERS, scorer
from weps.errors import FeatureError, KeyFileError
from weps.records import Clustering

KEY = Clustering((frozenset({1, 2}), frozenset({3})), discarded=frozenset({7, 8}))
RESULTS = (1, 2, 3, 7, 8)

GROUPS = st.lists(st.frozensets(st.integers(0, 12), min_size=1), max_size=5)
CLUSTERINGS = st.builds(
    Clustering, GROUPS.map(tuple), st.frozensets(st.integers(0, 12), max_size=4)
)


def clustering(*groups):
    return Clustering(tuple(map(frozenset, groups)))


@pytest.mark.parametrize(
    ("rule", "answer", "name", "weps1", "weps2"),
    [
        ("perfect", [{1, 2}, {3}], "bcubed_f05", 1, 1),
        ("missing alone", [{1, 2}], "bcubed_precision", 1, 1),
        ("missing alone is found by 1.2", [{1, 2}], "bcubed_recall", 2 / 3, 1),
        ("missing together", [{3}], "bcubed_recall", 1 / 3, 1),
        ("missing together, wrongly", [{1}], "bcubed_precision", 1, 2 / 3),
        ("missing together, wrongly: recall", [{1}], "bcubed_recall", 1 / 6, 2 / 3),
        ("nothing grouped", [], "bcubed_precision", 1, 5 / 9),
        ("nothing grouped: recall", [], "bcubed_recall", 0, 1),
        ("discarded in the answer", [{1, 2, 7, 8}, {3}], "bcubed_precision", 1, 1),
        ("discarded lowers purity in 1.1", [{1, 2, 7, 8}, {3}], "purity", 3 / 5, 1),
        ("missing vanishes from purity in 1.1", [{1, 2}], "purity", 1, 1),
        ("missing lowers inverse purity in 1.1", [{1, 2}], "inverse_purity", 2 / 3, 1),
        ("unknown documents lower purity in 1.1", [{1, 2}, {3, 55}], "purity", 3 / 4, 1),
        ("pairs are those of the key", [{1, 2, 7}, {3, 8, 55}], "rand", 1, 1),
    ],
)
def test_rules(rule, answer, name, weps1, weps2):
    found = [
        scorer(which).score(clustering(*answer), KEY, RESULTS)[name] for which in ("weps1", "weps2")
    ]
    assert found == pytest.approx([weps1, weps2]), rule


def test_weps2_treats_what_the_answer_discards_as_missing():
    answer = Clustering((frozenset({1, 2}),), discarded=frozenset({3}))
    expected = scorer("weps2").score(clustering({1, 2}, {3}), KEY, RESULTS)
    assert scorer("weps2").score(answer, KEY, RESULTS) == expected


def test_weps2_keeps_corpus_documents_only_and_makes_one_person_of_forgotten_ones():
    key = clustering({1, 2, 30}, {31}, {3})
    assert scorer("weps2").documents(key, (1, 2, 3, 4, 5)) == {1, 2, 3, 4, 5}
    scores = scorer("weps2").score(clustering({1, 2}, {3}, {4, 5}), key, (1, 2, 3, 4, 5))
    assert set(scores.values()) == {1.0}


def test_weps1_scores_the_documents_of_the_key_whatever_the_corpus_holds():
    assert scorer("weps1").documents(KEY, ()) == {1, 2, 3}


@pytest.mark.parametrize("which", SCORERS)
def test_no_answer_scores_zero(which):
    assert scorer(which).score(None, KEY, RESULTS) == dict.fromkeys(MEASURES, 0.0)


@pytest.mark.parametrize("which", SCORERS)
def test_a_key_without_documents_cannot_score(which):
    with pytest.raises(KeyFileError, match="no document to score"):
        scorer(which).score(clustering({1}), Clustering((), frozenset({1, 2})), (1, 2))


def test_an_unknown_scorer_lists_the_known_ones():
    with pytest.raises(FeatureError, match="weps3: unknown scorer; choose from weps1, weps2"):
        scorer("weps3")


@pytest.mark.parametrize("which", SCORERS)
@given(answer=CLUSTERINGS, key=CLUSTERINGS, results=st.frozensets(st.integers(0, 12)))
def test_every_measure_stays_within_bounds(which, answer, key, results):
    if not scorer(which).documents(key, results):
        return
    scores = scorer(which).score(answer, key, results)
    assert list(scores) == list(MEASURES)
    assert all(0 <= value <= 1 for value in scores.values())


@pytest.mark.parametrize("which", SCORERS)
@given(key=CLUSTERINGS, results=st.frozensets(st.integers(0, 12)))
def test_the_key_scores_one_by_its_own_rules(which, key, results):
    persons = scorer(which).persons(key, results)
    if persons:
        scores = scorer(which).score(Clustering(tuple(persons)), key, results)
        assert scores == dict.fromkeys(MEASURES, 1.0)


@pytest.mark.parametrize("which", SCORERS)
@given(answer=CLUSTERINGS, order=st.randoms(use_true_random=False))
def test_order_of_groups_and_shift_of_ranks_change_nothing(which, answer, order):
    shuffled = order.sample(answer.groups, len(answer.groups))
    moved = [frozenset(rank + 100 for rank in group) for group in shuffled]
    key = clustering({101, 102}, {103})
    expected = scorer(which).score(answer, clustering({1, 2}, {3}), range(13))
    found = scorer(which).score(Clustering(tuple(moved)), key, range(100, 113))
    assert found == pytest.approx(expected, abs=1e-12)
