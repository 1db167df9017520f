import pytest

from weps.errors import FeatureError
from weps.key_terms import WEIGHTINGS, Position, weighting
from weps.key_terms.statistics import tf

PLAIN = ["tf", "likelihood_ratio", "okapi"]


SPREAD = [f"{name}+spread" for name in PLAIN]


def test_the_weightings_of_the_paper_come_first():
    syntactic = ["tfsyntax", "subject", "modifier", *(f"{name}+verb" for name in PLAIN)]
    assert list(WEIGHTINGS) == [*PLAIN, *syntactic, *SPREAD]


@pytest.mark.parametrize("name", WEIGHTINGS)
def test_a_weighting_is_found_by_its_name_and_says_what_it_is(name):
    found = weighting(name)
    assert found.name == name
    assert found.description
    assert ("2004" in found.source) != found.spread


def test_what_looks_at_positions_needs_tags():
    assert [name for name, each in WEIGHTINGS.items() if not each.needs_tags] == PLAIN + SPREAD


def test_positions_are_counted_by_tf_alone():
    counted = {each.statistic for each in WEIGHTINGS.values() if each.counted != Position.ANYWHERE}
    assert counted == {tf}


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("likelihood", "did you mean likelihood_ratio"),
        ("", "there are: tf, "),
        ("xyz", "there are"),
    ],
)
def test_an_unknown_weighting_is_told(name, remedy):
    with pytest.raises(FeatureError, match=remedy):
        weighting(name)
