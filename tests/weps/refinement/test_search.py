from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import unhurried
from weps.features import Bags
from weps.refinement.search import Best, best_of, hits_of, search

PATTERSON = Bags.of(
    [
        ["republican", "politician", "kent"],
        ["republican", "politician", "kent", "kent"],
        ["republican", "politician"],
        ["politician", "ohio"],
        ["novel", "cross"],
        ["novel"],
    ]
)
POLITICIAN, NAMESAKE, WRITER = [0, 1, 2], [3], [4, 5]

strings = st.sampled_from("abcdef")
pages = st.lists(st.lists(strings, max_size=5), min_size=1, max_size=7)


@st.composite
def collections(draw: st.DrawFn) -> tuple[list[list[str]], list[list[int]]]:
    """Bags of strings, and people who may share pages."""
    bags = draw(pages)
    rows = st.sets(st.integers(0, len(bags) - 1), min_size=1).map(sorted)
    return bags, draw(st.lists(rows, max_size=4))


def by_hand(bags: list[list[str]], rows: list[int]) -> tuple[Fraction, set[str]] | None:
    """The definition, with sets and fractions."""
    holders = {
        string: {row for row, bag in enumerate(bags) if string in bag} for string in "abcdef"
    }
    rated = {
        string: Fraction(2 * len(pages & set(rows)), len(pages) + len(rows))
        for string, pages in holders.items()
        if pages & set(rows)
    }
    if not rated:
        return None
    best = max(rated.values())
    return best, {string for string, f in rated.items() if f == best}


def told(best: Best | None) -> tuple[Fraction, set[str]] | None:
    return best and (Fraction(2 * best.hits, best.returned + best.wanted), set(best.strings))


def test_republican_finds_all_and_only_the_politician():
    """The paper's example (section 3)."""
    best, _, _ = search(PATTERSON, [POLITICIAN, NAMESAKE, WRITER])
    assert (best.precision, best.recall, best.f) == (1, 1, 1)
    assert list(best.strings) == ["republican"]


def test_politician_also_finds_other_politicians():
    (best,) = search(Bags.of([["politician"]] * 4), [POLITICIAN])
    assert (best.precision, best.recall) == (0.75, 1)
    assert best.f == pytest.approx(6 / 7)


@pytest.mark.parametrize(
    ("target", "strings"),
    [(NAMESAKE, ["ohio"]), (WRITER, ["novel"]), ([2], ["republican"])],
)
def test_winners(target, strings):
    (best,) = search(PATTERSON, [target])
    assert list(best.strings) == strings


def test_who_has_no_string_has_no_refinement():
    assert search(Bags.of([[], ["x"]]), [[0], [1]])[0] is None


def test_nobody_is_searched_for():
    assert search(PATTERSON, []) == []


def test_of_equal_ones_those_that_return_more_of_the_person_come_first():
    bags = Bags.of([["few", "many"], ["many"], [], ["many"], ["many"], ["many"]])
    (best,) = search(bags, [[0, 1, 2]])  # 2·1/(1+3) = 2·2/(5+3)
    assert list(best.strings) == ["many", "few"]
    assert (best.hits, best.returned, best.wanted) == (2, 5, 3)


def test_ties_are_spelled_only_when_read():
    def refuse(_: int) -> str:
        raise AssertionError

    bags = Bags.of_ids(np.array([0, 0, 1]), np.array([3, 4, 4]), 2, refuse)
    (best,) = search(bags, [[0]])
    assert (best.f, len(best.strings)) == (1, 1)
    with pytest.raises(AssertionError):
        best.strings[0]


def test_only_candidates_are_chosen_but_every_page_is_a_result():
    found = Bags.of([["town", "york"], ["town", "york"], ["york"]])
    annotated = Bags(Bags.of([["town", "york"], [], []]).counts, found.strings)
    assert list(search(found, [[0, 1]], annotated)[0].strings) == ["town"]
    (nobodys,) = search(found, [[2]], annotated)
    assert nobodys is None


@given(collections())
@unhurried
def test_the_definition(collection):
    bags, targets = collection
    assert list(map(told, search(Bags.of(bags), targets))) == [
        by_hand(bags, rows) for rows in targets
    ]


@given(collections(), st.randoms())
@unhurried
def test_the_order_of_pages_does_not_matter(collection, random):
    bags, targets = collection
    order = list(range(len(bags)))
    random.shuffle(order)
    moved = [bags[row] for row in order]
    rows = [sorted(order.index(row) for row in target) for target in targets]
    assert list(map(told, search(Bags.of(moved), rows))) == list(
        map(told, search(Bags.of(bags), targets))
    )


@given(collections())
@unhurried
def test_one_person_at_a_time_is_the_same(collection):
    bags, targets = collection
    assert [told(search(Bags.of(bags), [rows])[0]) for rows in targets] == list(
        map(told, search(Bags.of(bags), targets))
    )


@given(collections())
@unhurried
def test_figures_are_shares(collection):
    bags, targets = collection
    for best in filter(None, search(Bags.of(bags), targets)):
        assert 0 < best.f <= 1
        harmonic = 2 / (1 / best.precision + 1 / best.recall)
        assert best.f == pytest.approx(harmonic)


def test_hits_count_pages_not_occurrences():
    hits = hits_of(PATTERSON, [POLITICIAN])
    assert hits[0, PATTERSON.strings.index("kent")] == 2


@pytest.mark.parametrize(
    ("several", "best"),
    [
        ([], None),
        ([None, None], None),
        ([Best(1, 1, 2, ("a",)), None], "a"),
        ([Best(1, 1, 2, ("a",)), Best(2, 2, 2, ("b",))], "b"),
        ([Best(1, 1, 3, ("a",)), Best(2, 5, 3, ("b",))], "b"),
        ([Best(2, 5, 3, ("a",)), Best(2, 5, 3, ("b",))], "a"),
    ],
)
def test_the_best_of_several_kinds(several, best):
    chosen = best_of(several)
    assert (chosen and chosen.strings[0]) == best
