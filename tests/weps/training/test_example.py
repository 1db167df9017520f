import pytest

from tests.weps.builders import analysis_of, document
from tests.weps.training.cases import example_of, key_of
from weps.forms import Origin
from weps.similarity import pair_table, similarity
from weps.training import Example

WANTED = [similarity(each) for each in ("dice(token)", "overlap(token)", "linked")]
PAGES = [document("tides rise", rank=4), document("moons", rank=9), document("tides rise", rank=2)]


@pytest.fixture
def example() -> Example:
    table = pair_table(analysis_of(*PAGES), WANTED)
    return Example.of("T_B", table, key_of({4, 9}, {2}), Origin.LISTED)


def test_an_example_is_made_from_a_pair_table(example):
    assert (example.name, example.ranks, example.origin) == ("T_B", (4, 9, 2), Origin.LISTED)
    assert example.similarities == tuple(WANTED)
    assert example.values.tolist() == [[0, 0, 0], [1, 2, 0], [0, 0, 0]]
    assert example.judged()[1].tolist() == [True, False, False]


@pytest.mark.parametrize("places", [[], [1], [2, 0], [0, 1, 2], [1, 1]])
def test_an_example_is_narrowed_to_what_is_wanted_in_that_order(example, places):
    wanted = [WANTED[place] for place in places]
    narrow = example.narrowed(wanted)
    assert narrow.similarities == tuple(wanted)
    assert narrow.values.tolist() == example.values[:, places].tolist()
    kept = [(each.name, each.ranks, each.key, each.origin) for each in (narrow, example)]
    assert kept[0] == kept[1]


def test_pairs_are_judged_where_the_key_has_both_pages():
    key = key_of({1, 2}, {2, 3}, discarded=(4,))
    judged, coreferent = example_of(key, *[0.0] * 6).judged()
    expected = {"12": True, "13": False, "14": None, "23": True, "24": None, "34": None}
    assert judged.tolist() == [truth is not None for truth in expected.values()]
    assert coreferent.tolist() == [bool(truth) for truth in expected.values()]


@pytest.mark.parametrize("key", [key_of(), key_of({77, 78})])
def test_a_key_of_other_pages_judges_nothing(key):
    example = example_of(key, 0.5, 0.5, 0.5)
    judged, coreferent = example.judged()
    assert not judged.any()
    assert not coreferent.any()
    assert example.members().shape == (3, len(key.groups))
    assert not example.members().any()


def test_a_name_of_one_page_has_no_pairs():
    judged, coreferent = example_of(key_of({1})).judged()
    assert judged.shape == coreferent.shape == (0,)


def test_members_have_a_row_for_each_page_and_a_column_for_each_person():
    member = example_of(key_of({1, 2}, {2}, {7}), 0.5, 0.5, 0.5).members()
    assert member.tolist() == [[True, False, False], [True, True, False], [False, False, False]]
    assert member.dtype == bool
