import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from tests.weps.builders import square, unhurried
from weps.features import Bags
from weps.measures import agree, condensed, contradict, cosine, dice, overlap, tf_idf

MEASURES = [dice, cosine, overlap]
BAGS = st.lists(st.lists(st.sampled_from("abcde"), max_size=6), max_size=5)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("", "", 0),
        ("abc", "", 0),
        ("abc", "xyz", 0),
        ("abc", "abc", 1),
        ("a", "abc", 2 / 4),
        ("ab", "bc", 2 / 4),
        ("abcd", "ab", 4 / 6),
        ("aaab", "abbb", 1),
    ],
)
def test_dice(first, second, expected):
    assert dice(Bags.of([first, second])) == pytest.approx([expected])


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [("", "", 0), ("abc", "", 0), ("ab", "bc", 1), ("abc", "cab", 3), ("aab", "aaa", 1)],
)
def test_overlap(first, second, expected):
    assert overlap(Bags.of([first, second])).tolist() == [expected]


@pytest.mark.parametrize(
    ("first", "second", "agreeing", "contradicting"),
    [("", "", 0, 0), ("a", "", 0, 0), ("ab", "bc", 1, 0), ("a", "b", 0, 1), ("aa", "a", 1, 0)],
)
def test_bags_agree_or_contradict_or_do_not_tell(first, second, agreeing, contradicting):
    bags = Bags.of([first, second])
    assert (agree(bags).tolist(), contradict(bags).tolist()) == ([agreeing], [contradicting])


# One of two documents holds b and c: idf(b) = 1 + ln(3/2); both hold a: idf(a) = 1 + ln(3/3).
RARE = 1 + math.log(3 / 2)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("", "", 0),
        ("ab", "", 0),
        ("ab", "cd", 0),
        ("ab", "ab", 1),
        ("aab", "aaaabb", 1),
        ("ab", "ac", 1 / (1 + RARE**2)),
        ("a", "ab", 1 / math.sqrt(1 + RARE**2)),
        ("ab", "aac", 2 / math.sqrt((1 + RARE**2) * (4 + RARE**2))),
    ],
)
def test_cosine(first, second, expected):
    assert cosine(Bags.of([first, second])) == pytest.approx([expected])


def test_tf_idf_of_three_documents():
    weights = tf_idf(Bags.of(["aab", "ac", "a"])).toarray()
    rare = 1 + math.log(4 / 2)
    assert weights == pytest.approx(np.array([[2, rare, 0], [1, 0, rare], [1, 0, 0]]))


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(("bags", "pairs"), [([], 0), (["a"], 0), ([""], 0), (["", "", ""], 3)])
def test_without_shared_evidence_every_similarity_is_zero(measure, bags, pairs):
    assert measure(Bags.of(bags)).tolist() == [0.0] * pairs


def test_pairs_stand_in_the_order_of_pdist():
    assert overlap(Bags.of(["abc", "a", "ab", "xyz"])).tolist() == [1, 2, 0, 1, 0, 0]


@given(st.integers(0, 7), st.randoms(use_true_random=False))
@unhurried
def test_condensed_is_the_upper_triangle(size, random):
    half = [random.choice([0, 0, 1.5, 3]) for _ in range(size * (size - 1) // 2)]
    matrix = square(half, size)
    np.fill_diagonal(matrix, 9)
    assert condensed(sparse.csr_array(matrix)).tolist() == half


@pytest.mark.parametrize("measure", MEASURES)
@given(bags=BAGS)
@unhurried
def test_similarities_are_bounded(measure, bags):
    values = measure(Bags.of(bags))
    most = max(map(len, bags), default=0) if measure is overlap else 1
    assert len(values) == len(bags) * (len(bags) - 1) // 2
    assert ((values >= 0) & (values <= most + 1e-12)).all()


@pytest.mark.parametrize("measure", MEASURES)
@given(bags=BAGS)
@unhurried
def test_a_similarity_is_positive_exactly_where_something_is_shared(measure, bags):
    first, second = np.triu_indices(len(bags), k=1)
    shared = [bool(set(bags[i]) & set(bags[j])) for i, j in zip(first, second, strict=True)]
    assert (measure(Bags.of(bags)) > 0).tolist() == shared


@pytest.mark.parametrize("measure", [dice, cosine])
@given(bags=BAGS.filter(len), others=BAGS)
@unhurried
def test_equal_bags_are_fully_similar(measure, bags, others):
    twice = Bags.of([bags[0], bags[0], *others])
    assert measure(twice)[:1] == pytest.approx([1.0 if bags[0] else 0.0])


@given(BAGS)
@unhurried
def test_dice_and_overlap_take_bags_as_sets(bags):
    once = [sorted(set(bag)) for bag in bags]
    for measure in (dice, overlap):
        assert measure(Bags.of(bags)).tolist() == measure(Bags.of(once)).tolist()
