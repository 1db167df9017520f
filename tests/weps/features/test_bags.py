from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import contents, unhurried
from weps.features import Bags
from weps.features.bags import LazyStrings

BAGS = st.lists(st.lists(st.sampled_from("abcde"), max_size=6), max_size=5)


def test_strings_are_counted_document_by_document():
    bags = Bags.of([["a", "b", "a"], [], ["b"]])
    assert bags.strings == ("a", "b")
    assert bags.counts.toarray().tolist() == [[2, 1], [0, 0], [0, 1]]
    assert bags.counts.dtype == np.int32


def test_frequency_counts_documents_not_occurrences():
    assert Bags.of(["aab", "a", "", "ac"]).frequency.tolist() == [3, 1, 1]
    assert Bags.of([]).frequency.tolist() == []


def test_no_documents_make_no_rows():
    assert Bags.of([]).counts.shape == (0, 0)


def test_documents_without_strings_keep_their_row():
    assert Bags.of([[], []]).counts.shape == (2, 0)


def test_integer_codes_are_spelled_by_an_occurrence_of_theirs():
    words = ["x", "y", "x", "z"]
    bags = Bags.of_ids(np.array([0, 0, 1, 1]), np.array([7, -3, 7, 99]), 3, words.__getitem__)
    assert contents(bags) == [Counter("xy"), Counter("xz"), Counter()]


@given(BAGS)
@unhurried
def test_bags_give_back_what_went_in(given_bags):
    assert contents(Bags.of(given_bags)) == list(map(Counter, given_bags))


@given(BAGS)
@unhurried
def test_integer_codes_count_as_strings_do(given_bags):
    flat = [(row, string) for row, bag in enumerate(given_bags) for string in bag]
    rows = np.array([row for row, _ in flat], dtype=np.int64)
    ids = np.array([ord(string) for _, string in flat], dtype=np.int64)
    bags = Bags.of_ids(rows, ids, len(given_bags), lambda at: flat[at][1])
    assert contents(bags) == list(map(Counter, given_bags))


def test_a_string_is_spelled_only_when_read():
    spelled = []

    def spell(at: int) -> str:
        spelled.append(at)
        return str(at)

    strings = LazyStrings(np.array([4, 5, 6]), spell)
    assert (len(strings), spelled) == (3, [])
    assert (strings[1], strings[-1], spelled) == ("5", "6", [5, 6])
    assert strings[1:] == ["5", "6"]
    assert list(strings) == ["4", "5", "6"]
