import math
from pathlib import Path

import numpy as np
import pytest

from tests.cases import each_case
from tests.eval.cli.conftest import write_weps2
from tests.eval.studies.refinements.made_up import findings, outcome, person
from tests.weps.builders import analysis_of
from weps.errors import KeyFileError
from weps.page_forms import PageForm
from weps.reading import Reader
from weps.sources.opening import open_source
from weps_eval.stats.estimate import resample_weights
from weps_eval.studies.refinements.claims import ATTRIBUTES
from weps_eval.studies.refinements.findings import (
    ATTRIBUTE_LOOKUP,
    FURTHER_ATTRIBUTES,
    SUGGESTED,
    UNREFINED_NAME,
    CollectedResults,
    Plan,
    RefinementOutcome,
    aggregate_kinds,
    look_up_attributes,
    people_of,
    unjudged_ranks,
)
from weps_eval.studies.refinements.search import BestRefinement, attribute_bags

PEOPLE = (
    person({"tokens": outcome(0.8, 1.0, 0.67), "bigrams": 0.5}, name="A"),
    person({"tokens": outcome(0.4, 0.5, 0.33), "bigrams": None}, name="A"),
    person({"tokens": None, "bigrams": 1.0}, name="B"),
    person({"bigrams": 1.0}, name="C"),
)
FOUND = findings(*PEOPLE)
MORE = "≥3"


def test_people_by_size_and_kinds_that_were_studied():
    found = findings(*(person({"tokens": None}, pages) for pages in (1, 2, 3, 4)))
    assert [len(people) for people in found.by_size.values()] == [1, 1, 2]
    assert found.kinds == {"tokens", "best-nl", "best-all"}


def test_share_of_people_with_a_high_f_and_who_is_covered():
    people = [person({"tokens": f}) for f in (0.9, 0.89, None)]
    found = findings(*people, person({"ae fax": 1.0}))
    assert found.share_above("tokens", 0.9, people).value == 0.5
    assert [value for _, value in found.covered("tokens", MORE)] == [1, 1, 0]


def test_means_over_the_people_who_have_a_candidate():
    found = FOUND.refinement_means("tokens", MORE)
    assert (found.studied, found.covered) == (3, 2)
    values = (found.f.value, found.precision.value, found.recall.value, found.coverage.value)
    assert values == pytest.approx((0.6, 0.75, 0.5, 2 / 3))
    nobody = FOUND.refinement_means("ae fax", MORE)
    assert (nobody.studied, nobody.covered) == (0, 0)
    assert math.isnan(nobody.f.value)
    assert math.isnan(nobody.coverage.value)


def test_intervals_are_those_of_resampled_names():
    times = resample_weights(3)
    sums = times @ np.array([1.0, 0.25, 0.0])
    total = times @ np.array([2.0, 1.0, 0.0])
    samples = sums[total > 0] / total[total > 0]
    found = FOUND.mean([(PEOPLE[0], 1.0), (PEOPLE[1], 0.0), (PEOPLE[2], 0.25)])
    assert found.value == pytest.approx(1.25 / 3)
    assert (found.low, found.high) == pytest.approx(tuple(np.percentile(samples, [2.5, 97.5])))


def test_differences_are_paired_by_person_and_by_name():
    assert FOUND.ahead("tokens", "bigrams", MORE).value == pytest.approx(0.3)
    assert FOUND.ahead("bigrams", "tokens", MORE).value == pytest.approx(-0.3)
    assert math.isnan(FOUND.ahead("tokens", "ae fax", MORE).value)
    first = [(PEOPLE[0], 0.9), (PEOPLE[2], 0.5)]
    second = [(each, value - 0.2) for each, value in first]
    found = findings(PEOPLE[0], PEOPLE[2]).difference_of_means(first, second)
    assert found == pytest.approx((0.2, 0.2, 0.2))


def test_attributes_that_tie_all_win():
    found = findings(
        person({"ae work": 0.8, "ae fax": 0.8, "ae email": 0.5}),
        person({"ae work": 1.0}),
        person({"ae work": None}),
        person({"tokens": 1.0}),
    )
    won = [kind for _, kind in found.best_attributes(MORE)]
    assert won == ["ae fax", "ae work", "ae work"]
    assert found.best_attribute_share("ae work", MORE).value == 2 / 3
    assert found.best_attribute_share("ae email", MORE).value == 0


PAGES = ["He leads Acme Tools, York", "the acme-tools of York", "Acme and tools", "York"]


def found(values: dict[int, list[str]], rows: list[int], *pages: str) -> tuple | None:
    analysis = analysis_of(*pages)
    ranks = [page.rank for page in analysis.documents]
    attributes = {rank: {"work": several} for rank, several in values.items()}
    bags = list(attribute_bags(ranks, attributes).values())
    (best,) = look_up_attributes(analysis, bags, [rows])
    return best and (best.hits, best.returned, set(best.strings))


@each_case(
    ("values", "expected"),
    [
        ({1: ["Acme Tools"]}, (2, 2, {"acme tools"})),
        ({1: ["Acme Tools"], 2: ["York"]}, (2, 2, {"acme tools"})),
        ({2: ["York"]}, (2, 3, {"york"})),
        ({1: ["Acme"], 2: ["tools"]}, (2, 3, {"acme", "tools"})),
        ({1: ["Whitby"]}, None),
        ({4: ["Acme Tools"]}, None),
        ({}, None),
    ],
)
def test_results_are_the_pages_whose_text_has_the_value(values, expected):
    assert found(values, [0, 1], *PAGES) == expected


def test_lists_of_words_have_only_some_words_of_a_value():
    pages = ["professor greek history", "greek professor", "tide"]
    assert found({1: ["Professor of Greek Histories"]}, [0], *pages) == (
        1,
        1,
        {"professor of greek histories"},
    )


def test_values_of_which_lists_of_words_keep_nothing_are_no_candidates():
    assert found({1: ["1944"]}, [0], "born york", "tide") is None
    assert found({1: ["1944"]}, [0], "Born 1944 in York", "tide") == (1, 1, {"1944"})


def best(hits: int, returned: int, wanted: int, *strings: str) -> BestRefinement:
    return BestRefinement(hits, returned, wanted, strings or ("x",))


def test_the_best_of_several_kinds():
    tokens, fax = best(1, 2, 2), best(2, 2, 2)
    found = aggregate_kinds({"tokens": tokens, "bigrams": None, "ae fax": fax})
    assert found == {"best-nl": tokens, "best-ae": fax, "best-all": fax}


def test_what_was_studied_without_candidates_and_what_the_paper_leaves_out():
    assert aggregate_kinds({"ae fax": None}) == {"best-ae": None, "best-all": None}
    assert not aggregate_kinds(dict.fromkeys(["ae othername", "suggested"], best(1, 1, 1)))


def test_kinds_that_tie():
    someone = person({"ae fax": 0.5, "ae work": 0.8, "ae email": 0.8, "ae phone": None})
    assert set(someone.tied_for("best-ae")) == {"ae work", "ae email"}
    assert person({"ae fax": None}).tied_for("best-ae") == ()
    assert person({}).tied_for("best-ae") == ()


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
    corpus: Path, collected: CollectedResults = CollectedResults.JUDGED
) -> list[dict[str, RefinementOutcome | None]]:
    source, plan = open_source(corpus), Plan(PageForm.TOKENS, Reader(), collected)
    return [person.found for person in people_of(NAME, source, plan)]


def test_people_with_their_labels_and_pages(corpus):
    people = people_of(NAME, open_source(corpus), Plan(PageForm.TOKENS, Reader()))
    people_found = [(person.name, person.label, person.ranks) for person in people]
    assert people_found == [(NAME, "POLITICIAN", (1, 3)), (NAME, "NAMESAKE", (2,))]


def test_republican_is_perfect_and_politician_is_not(corpus):
    politician, namesake = found_people(corpus)
    assert politician["tokens"] == RefinementOutcome(1, 1, 1, 1, ("republican",))
    assert namesake["tokens"] == RefinementOutcome(1, 1, 1, 1, ("ohio",))
    assert namesake["ae occupation"] == RefinementOutcome(
        0.5, 1, pytest.approx(2 / 3), 1, ("politician",)
    )


@pytest.mark.parametrize(
    ("collected", "pages", "precision"),
    [
        (CollectedResults.ALL, 6, 2 / 3),
        (CollectedResults.JUDGED, 5, 1),
        (CollectedResults.GROUPED, 3, 1),
    ],
)
def test_pages_that_count(corpus, collected, pages, precision):
    politician, _ = found_people(corpus, collected)
    assert politician[UNREFINED_NAME].precision == pytest.approx(2 / pages)
    assert politician[UNREFINED_NAME].recall == 1
    assert politician["tokens"].precision == pytest.approx(precision)


def test_attributes_of_all_kinds_were_studied_if_any_was(corpus):
    (politician, _) = found_people(corpus)
    assert politician.keys() >= {*ATTRIBUTES, *FURTHER_ATTRIBUTES}
    assert politician["ae fax"] is None
    (corpus / "attributes" / f"{NAME}.txt").unlink()
    assert found_people(corpus)[0].keys().isdisjoint({*ATTRIBUTES, ATTRIBUTE_LOOKUP, "best-ae"})


def test_what_is_suggested(corpus):
    politician, namesake = found_people(corpus)
    assert politician[SUGGESTED].examples == ("republican",)
    assert namesake[SUGGESTED] == RefinementOutcome(1, 1, 1, 1, ("ohio",))
    politician, _ = found_people(corpus, CollectedResults.ALL)
    assert politician[SUGGESTED] == RefinementOutcome(
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
    assert unjudged_ranks(source, NAME) == frozenset()
    for ending in (".xml", ".clust.xml"):
        (keys / f"{NAME}{ending}").write_text(UNJUDGED)
        assert unjudged_ranks(source, NAME) == {2, 5}
        (keys / f"{NAME}{ending}").write_text("<clustering>")
        with pytest.raises(KeyFileError):
            unjudged_ranks(source, NAME)
    (keys / f"{NAME}.clust.xml").write_text("<clustering></clustering>")
    assert unjudged_ranks(source, NAME) == frozenset()


@pytest.mark.slow
def test_the_writer_and_the_comedian_of_the_paper(weps_data):
    source = open_source(weps_data / "corpora" / "weps-2")
    people = people_of(NAME, source, Plan(PageForm.TOKENS, Reader()))
    assert sum(len(person.ranks) for person in people) == 100
    found = {person.label: person.found for person in people}
    writer = found["WRITER"]
    assert writer["name alone"].precision == 0.95
    assert (writer["tokens"].examples, writer["tokens"].precision) == (("book",), 1)
    assert writer["tokens"].recall == pytest.approx(90 / 95)
    assert (writer["best-ae"].examples, writer["best-ae"].precision) == (("author",), 1)
    assert writer["best-ae"].recall < 0.5
    assert found["COMEDIAN"]["suggested"].f == 1
