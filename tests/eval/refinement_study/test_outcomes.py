import pytest

from eval.refinement_study.outcomes import AGGREGATES, Outcome, aggregated, in_pages, names_of
from tests.eval.refinement_study.made_up import person
from weps.refinement import Best


def best(hits: int, returned: int, wanted: int, *strings: str) -> Best:
    return Best(hits, returned, wanted, strings or ("x",))


def test_an_outcome_keeps_figures_and_three_strings():
    assert Outcome.of(best(1, 2, 1, *"abcd")) == Outcome(
        0.5, 1.0, pytest.approx(2 / 3), 4, ("a", "b", "c")
    )


@pytest.mark.parametrize(("pages", "size"), [(1, "1"), (2, "2"), (3, "≥3"), (90, "≥3")])
def test_size(pages, size):
    assert person({}, pages).size == size


def test_the_best_of_several_kinds():
    tokens, fax = best(1, 2, 2), best(2, 2, 2)
    found = aggregated({"tokens": tokens, "bigrams": None, "ae fax": fax})
    assert found == {"best-nl": tokens, "best-ae": fax, "best-all": fax}


def test_a_kind_without_candidates_was_studied_all_the_same():
    assert aggregated({"ae fax": None}) == {"best-ae": None, "best-all": None}


@pytest.mark.parametrize("kind", ["ae othername", "suggested", "name alone"])
def test_what_the_paper_leaves_out_is_no_part_of_the_best(kind):
    assert aggregated({kind: best(1, 1, 1)}) == {}


def test_every_kind_is_part_of_the_best_of_all():
    others = {kind for name, kinds in AGGREGATES.items() if name != "best-all" for kind in kinds}
    assert set(AGGREGATES["best-all"]) == others
    assert len(AGGREGATES["best-ae"]) == 15


def test_kinds_that_tie():
    someone = person({"ae fax": 0.5, "ae work": 0.8, "ae email": 0.8, "ae phone": None})
    assert set(someone.tied_for("best-ae")) == {"ae work", "ae email"}
    assert person({"ae fax": None}).tied_for("best-ae") == ()
    assert person({}).tied_for("best-ae") == ()


def test_names_once_each():
    people = [person({}, name=name) for name in ("B", "A", "B")]
    assert names_of(people) == ("B", "A")


@pytest.mark.parametrize(("size", "words"), [("1", "1 page"), ("2", "2 pages"), ("≥3", "≥3 pages")])
def test_sizes_in_words(size, words):
    assert in_pages(size) == words
