from math import isnan

import pytest

from eval.studies.key_terms.findings import Findings
from tests.eval.studies.key_terms.made_up import findings, places, topic
from weps.key_terms.weighting import WEIGHTINGS


def test_means_are_over_topics():
    found = findings(topic(where=places(subjects=0.5)), topic(where=places(subjects=0.2)))
    assert found.probability("subjects").value == pytest.approx(0.35)
    assert found.ahead("subjects", "other phrases").value == pytest.approx(0.25)
    assert found.ahead("subjects", "other phrases")[1:] == pytest.approx((0.1, 0.4))
    assert found.count_higher("subjects", "heads") == "2 of 2"
    assert found.count_higher("heads", "modifiers") == "0 of 2"


def test_topics_without_a_word_there_are_left_out():
    empty = {**places(), "heads": (places()["heads"]._replace(hits=0, total=0))}
    found = findings(topic(where=places(heads=0.4)), topic(where=empty))
    assert found.probability("heads").value == pytest.approx(0.4)
    assert found.count_higher("heads", "modifiers") == "1 of 1"


def test_recall_and_noise_of_lists():
    short = {"tfsyntax": ["haiti"]}
    found = findings(topic(lists=short), topic(lists=short))
    assert found.recall("tf").value == pytest.approx(2 / 3)
    assert found.noise("tf").value == 2
    assert found.recall_ahead("tfsyntax", "tf").value == pytest.approx(-1 / 3)
    assert found.recall_ahead("tfsyntax", "tf", length=None).value == 0
    assert found.recall_ahead("tf", "tfsyntax", length=None).value == 0
    assert found.considered("tfsyntax").value == pytest.approx(1 / 50)
    assert found.median_candidates("tf") == 5


def test_as_many_terms_as_both_lists_have_are_fifty_at_most():
    long = {"tf": [*(f"x{number}" for number in range(50)), "haiti"], "okapi": ["x"] * 60}
    assert findings(topic(lists=long)).recall_ahead("tf", "okapi", length=None).value == 0


def test_the_seed_decides_the_resamples():
    topics = tuple(topic(where=places(heads=each * each % 97 / 100)) for each in range(12))
    first, second = (Findings("news", "sections", topics, seed) for seed in (0, 1))
    assert first.probability("heads").value == second.probability("heads").value
    assert first.probability("heads") != second.probability("heads")


def test_curves_are_means_at_equal_lengths():
    found = findings(topic(lists={"tf": ["haiti", "sea"]}), topic(lists={"tf": ["sea"]}))
    noise, recall = found.curve("tf")
    assert noise[:3].tolist() == [0, 0.5, 1]
    assert recall[:3].tolist() == pytest.approx([0, 1 / 6, 1 / 6])
    assert recall[-1] == recall[2]


def test_only_what_all_topics_have_is_studied():
    found = findings(topic(), topic(where={}))
    assert found.weightings == tuple(n for n, each in WEIGHTINGS.items() if not each.needs_tags)
    assert found.tagged
    assert not findings(topic(where={})).tagged


def test_one_topic_has_no_interval():
    assert isnan(findings(topic()).probability("heads").low)
