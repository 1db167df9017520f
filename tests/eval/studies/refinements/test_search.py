from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.weps.builders import analysis_of, contents, documents
from weps._files import word_list
from weps.features.bags import Bags
from weps.language.analysis import Layer, analyse_documents
from weps.page_forms import PageForm
from weps_eval.studies.refinements.search import (
    BestRefinement,
    attribute_bags,
    best_of_kinds,
    best_refinements,
    kinds_for_form,
    layers_of_kinds,
    word_runs,
)

WORDS = {"tokens", "bigrams", "trigrams", "fourgrams", "fivegrams"}
ENTITIES = {"ner location", "ner organisation", "ner person"}


@each_case(
    ("form", "names", "layers"),
    [
        (PageForm.PAGES, WORDS | ENTITIES, {Layer.ENTITIES}),
        (PageForm.TOKENS, WORDS, set()),
        (PageForm.RESULTS, set(), set()),
    ],
)
def test_kinds_of_a_form_and_the_layers_they_need(form, names, layers):
    kinds = kinds_for_form(form)
    assert sorted(kind.name for kind in kinds) == sorted(names)
    assert layers_of_kinds(kinds) == layers


def test_attributes_page_by_page():
    attributes = {
        1: {"work": ("Queen II", "QUEEN  II!", "Jazz"), "fax": ()},
        3: {"work": ("queen ii",), "phone": ("(254) 634-8600", "@@")},
        9: {"award": ("Edgar",)},
    }
    bags = attribute_bags([1, 2, 3], attributes)
    assert {name: contents(each) for name, each in bags.items()} == {
        "work": [{"queen ii": 2, "jazz": 1}, {}, {"queen ii": 1}],
        "fax": [{}, {}, {}],
        "phone": [{}, {}, {"254 634 8600": 1, "@@": 1}],
    }


def found(text: str, n: int) -> set[str]:
    return set(contents(word_runs(analysis_of(text), n))[0])


@each_case(
    ("text", "n", "expected"),
    [
        ("the College of Law", 1, {"college", "law"}),
        ("the College of Law", 2, set()),
        ("the College of Law", 3, {"college of law"}),
        ("online since 1999", 1, {"online", "1999"}),
        ("Kent, Ohio. Tides rise", 2, {"kent ohio", "tides rise"}),
        ("York's tides", 2, {"york tides"}),
        ("I x", 1, {"x"}),
        ("alignment via structured multilabel", 4, {"alignment via structured multilabel"}),
        ("a b c d e f", 5, {"b c d e f"}),
    ],
)
def test_runs(text, n, expected):
    assert found(text, n) == expected


@each_case(
    ("n", "expected"),
    [
        (1, {"j", "knight"}),
        (2, {"thomas j", "j baker", "baker knight"}),
        (3, {"thomas j baker", "j baker knight"}),
    ],
)
def test_the_name_alone_adds_nothing_to_the_query(n, expected):
    assert found("Thomas J. Baker Knight", n) == expected
    assert found("Thomas Baker", n) == set()
    assert found("Baker and Baker", n) == set()


def test_runs_are_counted_page_by_page():
    bags = contents(word_runs(analysis_of("tides tides", "moons", ""), 1))
    assert bags == [{"tides": 2}, {"moons": 1}, {}]


@given(st.lists(documents, max_size=3), st.integers(1, 5))
def test_no_run_begins_or_ends_with_a_stop_word(pages, n):
    stop = word_list("stopwords/english.txt")
    for bag in contents(word_runs(analyse_documents("Thomas Baker", pages), n)):
        for run in bag:
            words = run.split()
            assert len(words) == n
            assert stop.isdisjoint((words[0], words[-1]))
            assert not stop.union(("thomas", "baker")).issuperset(words)


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


def figures_of(best: BestRefinement | None) -> tuple[Fraction, set[str]] | None:
    return best and (Fraction(2 * best.hits, best.returned + best.wanted), set(best.strings))


def test_republican_finds_all_and_only_the_politician():
    """The paper's example (section 3)."""
    found = best_refinements(PATTERSON, [POLITICIAN, NAMESAKE, WRITER, [2]])
    assert (found[0].precision, found[0].recall, found[0].f) == (1, 1, 1)
    assert [list(best.strings) for best in found] == [
        ["republican"],
        ["ohio"],
        ["novel"],
        ["republican"],
    ]


def test_politician_also_finds_other_politicians():
    (best,) = best_refinements(Bags.of([["politician"]] * 4), [POLITICIAN])
    assert (best.precision, best.recall) == (0.75, 1)
    assert best.f == pytest.approx(6 / 7)


def test_who_has_no_string_has_no_refinement():
    assert best_refinements(Bags.of([[], ["x"]]), [[0], [1]])[0] is None


def test_of_equal_ones_those_that_return_more_of_the_person_come_first():
    bags = Bags.of([["few", "many"], ["many"], [], ["many"], ["many"], ["many"]])
    (best,) = best_refinements(bags, [[0, 1, 2]])  # 2·1/(1+3) = 2·2/(5+3)
    assert list(best.strings) == ["many", "few"]
    assert (best.hits, best.returned, best.wanted) == (2, 5, 3)


def test_ties_are_spelled_only_when_read():
    def refuse(_: int) -> str:
        raise AssertionError

    bags = Bags.of_ids(np.array([0, 0, 1]), np.array([3, 4, 4]), 2, refuse)
    (best,) = best_refinements(bags, [[0]])
    assert (best.f, len(best.strings)) == (1, 1)
    with pytest.raises(AssertionError):
        best.strings[0]


def test_only_candidates_are_chosen_but_every_page_is_a_result():
    found = Bags.of([["town", "york"], ["town", "york"], ["york"]])
    annotated = Bags(Bags.of([["town", "york"], [], []]).counts, found.strings)
    assert list(best_refinements(found, [[0, 1]], annotated)[0].strings) == ["town"]
    (of_no_candidate,) = best_refinements(found, [[2]], annotated)
    assert of_no_candidate is None


@given(collections())
def test_the_definition(collection):
    bags, targets = collection
    assert list(map(figures_of, best_refinements(Bags.of(bags), targets))) == [
        by_hand(bags, rows) for rows in targets
    ]


@each_case(
    ("several", "best"),
    [
        ([], None),
        ([None, None], None),
        ([BestRefinement(1, 1, 2, ("a",)), None], "a"),
        ([BestRefinement(1, 1, 2, ("a",)), BestRefinement(2, 2, 2, ("b",))], "b"),
        ([BestRefinement(1, 1, 3, ("a",)), BestRefinement(2, 5, 3, ("b",))], "b"),
        ([BestRefinement(2, 5, 3, ("a",)), BestRefinement(2, 5, 3, ("b",))], "a"),
    ],
)
def test_the_best_of_several_kinds(several, best):
    chosen = best_of_kinds(several)
    assert (chosen and chosen.strings[0]) == best
