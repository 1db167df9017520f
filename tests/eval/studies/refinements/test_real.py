"""The study on real pages of one name."""

from pathlib import Path

import pytest

from eval.studies.refinements.people import Person, Plan, people_of
from weps.page_forms import PageForm
from weps.reading import Reader
from weps.sources.opening import open_source


@pytest.fixture(scope="module")
def people(weps_data: Path) -> dict[str, Person]:
    source = open_source(weps_data / "corpora" / "weps-2")
    found = people_of("JAMES_PATTERSON", source, Plan(PageForm.TOKENS, Reader()))
    return {person.label: person for person in found}


def test_the_hundred_pages_of_the_paper_are_in_the_study(people):
    assert sum(len(person.ranks) for person in people.values()) == 100
    writer = people["WRITER"].found
    assert writer["name alone"].precision == 0.95


def test_the_best_token_of_the_writer(people):
    best = people["WRITER"].found["tokens"]
    assert (best.examples, best.precision) == (("book",), 1)
    assert best.recall == pytest.approx(90 / 95)


def test_attributes_are_precise_and_have_a_low_recall(people):
    best = people["WRITER"].found["best-ae"]
    assert (best.examples, best.precision) == (("author",), 1)
    assert best.recall < 0.5


def test_what_could_be_typed_finds_the_comedian(people):
    assert people["COMEDIAN"].found["suggested"].f == 1
