import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.text.senses.all_pairs import all_pairs
from eval.text.senses.signatures import Signature, weighted_overlap, weighted_overlaps
from eval.text.wordnet.ranks import Vector

ORDERS = st.lists(st.integers(0, 9), unique=True, max_size=7)
WORDS = st.frozensets(st.sampled_from("abc"), max_size=3)


def vector(order: list[int]) -> Vector:
    weights = np.arange(len(order), 0, -1, dtype=np.float32)
    return Vector(np.array(order, dtype=np.int32), weights)


def signature(order: list[int], unknown: str | frozenset[str] = "") -> Signature:
    return Signature(vector(order), frozenset(unknown))


SIGNATURES = st.builds(signature, ORDERS, WORDS)


def named(one: Signature, first: list[str]) -> list[str]:
    """All dimensions in their order, those words first that are said to be."""
    words = sorted(one.unknown, key=lambda word: (word not in first, word))
    return words + list(map(str, one.vector.synsets.tolist()))


def by_the_book(first: Signature, second: Signature) -> float:
    """Equation 3.2, word for word."""
    both = sorted(first.unknown & second.unknown)
    ours, theirs = named(first, both), named(second, both)
    shared = set(ours) & set(theirs)
    if not shared:
        return 0.0
    gained = sum(1 / (ours.index(name) + theirs.index(name) + 2) for name in shared)
    return gained / sum(1 / (2 * place) for place in range(1, len(shared) + 1))


@pytest.mark.parametrize(
    ("first", "second", "wanted"),
    [
        (signature([4, 7, 1]), signature([4, 7, 1]), 1.0),
        (signature([4, 7]), signature([7, 4]), (1 / 3 + 1 / 3) / (1 / 2 + 1 / 4)),
        (signature([4, 7]), signature([1, 7, 2]), (1 / 4) / (1 / 2)),
        (signature([4]), signature([7]), 0.0),
        (signature([]), signature([7]), 0.0),
        (signature([]), signature([]), 0.0),
        (signature([], "a"), signature([], "ab"), 1.0),
        (signature([4], "a"), signature([4], "b"), (1 / 4) / (1 / 2)),
        (signature([4]), signature([4], "b"), (1 / 3) / (1 / 2)),
        (signature([4], "ab"), signature([4], "b"), (1 / 2 + 1 / 5) / (1 / 2 + 1 / 4)),
    ],
)
def test_worked_examples(first: Signature, second: Signature, wanted: float) -> None:
    assert weighted_overlap(first, second) == pytest.approx(wanted)


@given(SIGNATURES, st.lists(SIGNATURES, max_size=4))
def test_all_are_equation_3_2(one: Signature, others: list[Signature]) -> None:
    wanted = [by_the_book(one, other) for other in others]
    assert weighted_overlaps(one, others) == pytest.approx(wanted)


@given(SIGNATURES, SIGNATURES)
def test_bounds_and_symmetry(first: Signature, second: Signature) -> None:
    found = weighted_overlap(first, second)
    assert 0 <= found <= 1
    assert weighted_overlap(second, first) == pytest.approx(found)
    empty = not first.unknown and not len(first.vector.synsets)
    assert weighted_overlap(first, first) == (0 if empty else 1)


@given(ORDERS, ORDERS, st.permutations(range(10)))
def test_numbers_are_but_names(first: list[int], second: list[int], others: list[int]) -> None:
    renamed = [signature([others[number] for number in order]) for order in (first, second)]
    assert weighted_overlap(*renamed) == pytest.approx(
        weighted_overlap(signature(first), signature(second))
    )


@given(st.lists(ORDERS, max_size=5))
def test_all_pairs_are_each_pair(orders: list[list[int]]) -> None:
    found = all_pairs([vector(order) for order in orders])
    wanted = [
        [weighted_overlap(signature(one), signature(other)) for other in orders] for one in orders
    ]
    assert found == pytest.approx(np.array(wanted).reshape(found.shape))
    assert (found == found.T).all()
