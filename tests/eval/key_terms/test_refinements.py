import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.eval.cli.conftest import write_weps2
from tests.eval.studies.made_up_people import outcome, person
from tests.weps.builders import analysis_of, contents, documents
from weps._files import word_list
from weps.errors import KeyFileError
from weps.features.bags import Bags
from weps.language.analysis import analyse_documents
from weps.reading import PageForm, Reader
from weps.sources.opening import open_source
from weps_eval.key_terms import refinements
from weps_eval.stats import bootstrap_weights


def test_attributes_page_by_page():
    attributes = {
        1: {"work": ("Queen II", "QUEEN  II!", "Jazz"), "fax": ()},
        3: {"work": ("queen ii",), "phone": ("(254) 634-8600", "@@")},
        9: {"award": ("Edgar",)},
    }
    bags = refinements._attribute_bags([1, 2, 3], attributes)
    assert {name: contents(each) for name, each in bags.items()} == {
        "work": [{"queen ii": 2, "jazz": 1}, {}, {"queen ii": 1}],
        "fax": [{}, {}, {}],
        "phone": [{}, {}, {"254 634 8600": 1, "@@": 1}],
    }


def found(text: str, n: int) -> set[str]:
    return set(contents(refinements._word_runs(analysis_of(text), n))[0])


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


@given(st.lists(documents, max_size=3), st.integers(1, 5))
def test_no_run_begins_or_ends_with_a_stop_word(pages, n):
    stop = word_list("stopwords/english.txt")
    for bag in contents(refinements._word_runs(analyse_documents("Thomas Baker", pages), n)):
        for run in bag:
            words = run.split()
            assert len(words) == n
            assert stop.isdisjoint((words[0], words[-1]))
            assert not stop.union(("thomas", "baker")).issuperset(words)


strings = st.sampled_from("abcdef")
pages = st.lists(st.lists(strings, max_size=5), min_size=1, max_size=7)


@st.composite
def collections(draw: st.DrawFn) -> tuple[list[list[str]], list[list[int]]]:
    """Bags of strings, and people who may share pages."""
    bags = draw(pages)
    rows = st.sets(st.integers(0, len(bags) - 1), min_size=1).map(sorted)
    return bags, draw(st.lists(rows, max_size=4))


def by_hand(bags: list[list[str]], rows: list[int]) -> tuple[float, set[str]] | None:
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
    return float(best), {string for string, f in rated.items() if f == best}


def figures_of(best: refinements.Refinement | None) -> tuple[float, set[str]] | None:
    return best and (best.f, set(best.examples))


def refinement(hits: int, returned: int, wanted: int, string: str) -> refinements.Refinement:
    return refinements.Refinement(
        hits / returned, hits / wanted, 2 * hits / (returned + wanted), 1, (string,)
    )


def test_of_equal_ones_those_that_return_more_of_the_person_come_first():
    bags = Bags.of([["few", "many"], ["many"], [], ["many"], ["many"], ["many"]])
    (best,) = refinements.best_refinements(bags, [[0, 1, 2]])  # 2·1/(1+3) = 2·2/(5+3)
    assert list(best.examples) == ["many", "few"]
    assert (best.precision, best.recall) == (2 / 5, 2 / 3)


def test_ties_are_spelled_only_when_read():
    def refuse(_: int) -> str:
        raise AssertionError

    bags = Bags.of_ids(np.array([0, 0, 1]), np.array([3, 4, 4]), 2, refuse)
    (best,) = refinements.best_refinements(bags, [[0]])
    assert (best.f, len(best.examples)) == (1, 1)
    with pytest.raises(AssertionError):
        best.examples[0]


def test_only_candidates_are_chosen_but_every_page_is_a_result():
    found = Bags.of([["town", "york"], ["town", "york"], ["york"]])
    annotated = Bags(Bags.of([["town", "york"], [], []]).counts, found.strings)
    assert list(refinements.best_refinements(found, [[0, 1]], annotated)[0].examples) == ["town"]
    (of_no_candidate,) = refinements.best_refinements(found, [[2]], annotated)
    assert of_no_candidate is None


@given(collections())
def test_the_definition(collection):
    bags, targets = collection
    assert list(map(figures_of, refinements.best_refinements(Bags.of(bags), targets))) == [
        by_hand(bags, rows) for rows in targets
    ]


@each_case(
    ("several", "best"),
    [
        ([], None),
        ([None, None], None),
        ([refinement(1, 1, 2, "a"), None], "a"),
        ([refinement(1, 1, 2, "a"), refinement(2, 2, 2, "b")], "b"),
        ([refinement(1, 1, 3, "a"), refinement(2, 5, 3, "b")], "b"),
        ([refinement(2, 5, 3, "a"), refinement(2, 5, 3, "b")], "a"),
    ],
)
def test_the_best_of_several_kinds(several, best):
    chosen = refinements._best_of_kinds(several)
    assert (chosen and chosen.examples[0]) == best


def test_the_best_of_what_was_studied():
    tokens, fax = refinement(1, 2, 2, "x"), refinement(2, 2, 2, "x")
    found = refinements._aggregate_kinds({"tokens": tokens, "bigrams": None, "ae fax": fax})
    assert found == {"best-nl": tokens, "best-ae": fax, "best-all": fax}
    assert refinements._aggregate_kinds({"ae fax": None}) == {"best-ae": None, "best-all": None}
    assert not refinements._aggregate_kinds(dict.fromkeys(["ae othername", "suggested"], tokens))


PAGES = ["He leads Acme Tools, York", "the acme-tools of York", "Acme and tools", "York"]


def looked_up(values: dict[int, list[str]], rows: list[int], *pages: str) -> tuple | None:
    analysis = analysis_of(*pages)
    ranks = [page.rank for page in analysis.documents]
    attributes = {rank: {"work": several} for rank, several in values.items()}
    bags = list(refinements._attribute_bags(ranks, attributes).values())
    (best,) = refinements._look_up_attributes(analysis, bags, [rows])
    return best and (best.precision, best.recall, set(best.examples))


@each_case(
    ("values", "expected"),
    [
        ({1: ["Acme Tools"]}, (1, 1, {"acme tools"})),
        ({1: ["Acme Tools"], 2: ["York"]}, (1, 1, {"acme tools"})),
        ({2: ["York"]}, (2 / 3, 1, {"york"})),
        ({1: ["Acme"], 2: ["tools"]}, (2 / 3, 1, {"acme", "tools"})),
        ({1: ["Whitby"]}, None),
        ({4: ["Acme Tools"]}, None),
        ({}, None),
    ],
)
def test_results_are_the_pages_whose_text_has_the_value(values, expected):
    assert looked_up(values, [0, 1], *PAGES) == expected


def test_lists_of_words_have_only_some_words_of_a_value():
    pages = ["professor greek history", "greek professor", "tide"]
    assert looked_up({1: ["Professor of Greek Histories"]}, [0], *pages) == (
        1,
        1,
        {"professor of greek histories"},
    )


def test_values_of_which_lists_of_words_keep_nothing_are_no_candidates():
    assert looked_up({1: ["1944"]}, [0], "born york", "tide") is None
    assert looked_up({1: ["1944"]}, [0], "Born 1944 in York", "tide") == (1, 1, {"1944"})


NAME = "JAMES_PATTERSON"
KEY = """<clustering><entity id="2" name="GONE"><doc rank="9"/></entity>
<entity id="0" name="POLITICIAN"><doc rank="1"/><doc rank="3"/></entity>
<entity id="1" name="NAMESAKE"><doc rank="2"/></entity>
<discarded><doc rank="4"/><doc rank="5" notes="Not included in annotation"/></discarded>
</clustering>"""
TOKENS = """001\t0\trepublican politician kent
002\t0\tpolitician ohio
003\t0\trepublican politician novel
004\t0\tpolitician
005\t0\trepublican
006\t0\tnovel
"""
ATTRIBUTED = """1\toccupation\tpolitician
1\taffiliation\tRepublicans
3\taffiliation\tRepublicans
2\toccupation\tpolitician
1\tOther name\tJim
2\tOther name\tOhio
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """The paper's example (section 3) in small; page 6 is neither grouped nor discarded."""
    root = write_weps2(tmp_path / "corpus", (), (NAME,))
    (root / "gold_standard" / f"{NAME}.xml").write_text(KEY)
    (root / "tokens" / f"{NAME}.txt").write_text(TOKENS)
    (root / "attributes").mkdir()
    (root / "attributes" / f"{NAME}.txt").write_text(ATTRIBUTED)
    return root


def found_people(
    corpus: Path, collected: refinements.CollectedResults = refinements.CollectedResults.JUDGED
) -> list[dict[str, refinements.Refinement | None]]:
    people = refinements.people_of(NAME, open_source(corpus), PageForm.TOKENS, Reader(), collected)
    return [person.found for person in people]


def test_republican_is_perfect_and_politician_is_not(corpus):
    politician, namesake = found_people(corpus)
    assert politician["tokens"] == refinements.Refinement(1, 1, 1, 1, ("republican",))
    assert namesake["tokens"] == refinements.Refinement(1, 1, 1, 1, ("ohio",))
    assert namesake["ae occupation"] == refinements.Refinement(
        0.5, 1, pytest.approx(2 / 3), 1, ("politician",)
    )


@pytest.mark.parametrize(
    ("collected", "pages", "precision"),
    [
        (refinements.CollectedResults.ALL, 6, 2 / 3),
        (refinements.CollectedResults.JUDGED, 5, 1),
        (refinements.CollectedResults.GROUPED, 3, 1),
    ],
)
def test_pages_that_count(corpus, collected, pages, precision):
    politician, _ = found_people(corpus, collected)
    assert politician[refinements.UNREFINED_NAME].precision == pytest.approx(2 / pages)
    assert politician[refinements.UNREFINED_NAME].recall == 1
    assert politician["tokens"].precision == pytest.approx(precision)


def test_attributes_of_all_kinds_were_studied_if_any_was(corpus):
    (politician, _) = found_people(corpus)
    assert politician.keys() >= {*refinements.ATTRIBUTES, *refinements.FURTHER_ATTRIBUTES}
    assert politician["ae fax"] is None
    (corpus / "attributes" / f"{NAME}.txt").unlink()
    assert (
        found_people(corpus)[0]
        .keys()
        .isdisjoint({*refinements.ATTRIBUTES, refinements.ATTRIBUTE_LOOKUP, "best-ae"})
    )


def test_what_is_suggested(corpus):
    politician, namesake = found_people(corpus)
    assert politician[refinements.SUGGESTED].examples == ("republican",)
    assert namesake[refinements.SUGGESTED] == refinements.Refinement(1, 1, 1, 1, ("ohio",))
    politician, _ = found_people(corpus, refinements.CollectedResults.ALL)
    assert politician[refinements.SUGGESTED] == refinements.Refinement(
        2 / 3, 1, pytest.approx(0.8), 1, ("republican",)
    )


def test_a_name_without_a_key(corpus):
    (corpus / "gold_standard" / f"{NAME}.xml").unlink()
    with pytest.raises(KeyFileError, match="JAMES_PATTERSON has no key"):
        found_people(corpus)


UNJUDGED = """<clustering>
<entity id="0"><doc rank="1" notes="Not included in annotation"/></entity>
<discarded><doc rank="2" notes="Not included in annotation"/><doc rank="3" notes="GENEALOGY"/>
<doc rank="4"/><doc rank="5" notes=" not INCLUDED in annotation "/></discarded></clustering>"""


def test_pages_set_aside_unseen(corpus):
    source, keys = open_source(corpus), corpus / "gold_standard"
    (keys / f"{NAME}.xml").unlink()
    assert refinements.unjudged_ranks(source, NAME) == frozenset()
    for ending in (".xml", ".clust.xml"):
        (keys / f"{NAME}{ending}").write_text(UNJUDGED)
        assert refinements.unjudged_ranks(source, NAME) == {2, 5}
        (keys / f"{NAME}{ending}").write_text("<clustering>")
        with pytest.raises(KeyFileError):
            refinements.unjudged_ranks(source, NAME)
    (keys / f"{NAME}.clust.xml").write_text("<clustering></clustering>")
    assert refinements.unjudged_ranks(source, NAME) == frozenset()


@pytest.mark.slow
def test_the_writer_and_the_comedian_of_the_paper(weps_data):
    source = open_source(weps_data / "corpora" / "weps-2")
    people = refinements.people_of(NAME, source, PageForm.TOKENS, Reader())
    assert sum(len(person.ranks) for person in people) == 100
    found = {person.label: person.found for person in people}
    writer = found["WRITER"]
    assert writer["name alone"].precision == 0.95
    assert (writer["tokens"].examples, writer["tokens"].precision) == (("book",), 1)
    assert writer["tokens"].recall == pytest.approx(90 / 95)
    assert (writer["best-ae"].examples, writer["best-ae"].precision) == (("author",), 1)
    assert writer["best-ae"].recall < 0.5
    assert found["COMEDIAN"]["suggested"].f == 1


PEOPLE = (
    person({"tokens": outcome(0.8, 1.0, 0.67), "bigrams": 0.5}, name="A"),
    person({"tokens": outcome(0.4, 0.5, 0.33), "bigrams": None}, name="A"),
    person({"tokens": None, "bigrams": 1.0}, name="B"),
    person({"bigrams": 1.0}, name="C"),
)
FIGURES = refinements.PeopleFigures("ABC", PEOPLE)
EVERYBODY = np.ones(4, bool)


def test_people_by_size_and_who_has_a_candidate():
    some = refinements.PeopleFigures(
        "A", [person({"tokens": None}, pages, "A") for pages in (1, 2, 3, 4)]
    )
    assert [people.tolist() for people in some.of_size.values()] == [
        [True, False, False, False],
        [False, True, False, False],
        [False, False, True, True],
    ]
    np.testing.assert_equal(FIGURES.has_candidate("tokens"), [1, 1, 0, math.nan])
    assert FIGURES.sample_size(EVERYBODY, "tokens")[:2] == (1, 2)
    assert FIGURES.sample_size(EVERYBODY)[:2] == (3, 4)


def test_means_over_the_people_who_have_a_candidate():
    for part, expected in (("f", 0.6), ("precision", 0.75), ("recall", 0.5)):
        assert FIGURES.mean(FIGURES.figure("tokens", part), EVERYBODY)[0] == pytest.approx(expected)
    assert FIGURES.mean(FIGURES.has_candidate("tokens"), EVERYBODY)[0] == pytest.approx(2 / 3)
    assert np.isnan(FIGURES.mean(FIGURES.figure("ae fax"), EVERYBODY)).all()
    lead = FIGURES.figure("tokens") - FIGURES.figure("bigrams")
    assert FIGURES.mean(lead, EVERYBODY)[0] == pytest.approx(0.3)


def test_resamples_are_those_of_names():
    times = bootstrap_weights(3, 10_000, 0)[1:]
    sums, total = times @ np.array([1.0, 0.25, 0.0]), times @ np.array([2.0, 1.0, 0.0])
    value, *samples = FIGURES.mean(np.array([1.0, 0.0, 0.25, math.nan]), EVERYBODY)
    assert value == pytest.approx(1.25 / 3)
    expected = np.divide(sums, total, out=np.full_like(sums, math.nan), where=total > 0)
    np.testing.assert_allclose(samples, expected)
    assert np.isnan(
        refinements.PeopleFigures("A", PEOPLE[:2]).mean(np.ones(2), EVERYBODY[:2])[1:]
    ).all()


def test_attributes_that_tie_all_win():
    found = refinements.PeopleFigures(
        ["ANN_LEE"],
        [
            person({"ae work": 0.8, "ae fax": 0.8, "ae email": 0.5}),
            person({"ae work": 1.0}),
            person({"ae work": None}),
            person({"tokens": 1.0}),
        ],
    )
    won = dict(zip(refinements.ATTRIBUTES, found.wins.tolist(), strict=True))
    assert {kind: wins for kind, wins in won.items() if any(wins)} == {
        "ae fax": [True, False, False, False],
        "ae work": [True, True, False, False],
    }
