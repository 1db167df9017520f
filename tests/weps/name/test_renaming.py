"""Tests for renaming: where a name is from does not decide the answer to the same pages."""

from dataclasses import replace

import pytest

from docs.benchmarks.renaming import renamer
from weps import pretrained
from weps._files import resource_path
from weps.pipeline import build_answer, prepare_search
from weps.records import Search
from weps.sources.opening import open_source

NAMES = (
    "Priya Natarajan",
    "Jean-Luc Moreau",
    "Siobhan O'Brien",
    "Jürgen Groß",
    "Nguyễn Thị Lan",
    "Дмитрий Иванов",
    "राहुल शर्मा",
)


def answer_to(search: Search):
    return build_answer(prepare_search(search, pretrained("default", "none")))


@pytest.fixture(scope="module")
def original():
    source = open_source(resource_path("demo"))
    search = source.search(source.names[0])
    return search, answer_to(search)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_demo_is_answered_alike_under_other_names(original, name):
    search, expected = original
    rename = renamer(search.name, name)
    found = answer_to(replace(search, name=name, pages=tuple(map(rename, search.pages))))
    assert found.clustering == expected.clustering
    aside = [(page.rank, page.pile) for page in expected.set_aside]
    assert [(page.rank, page.pile) for page in found.set_aside] == aside
    # The first has middle initials, the last one only relatives of the name.
    for person, other in zip(expected.people[:3], found.people, strict=False):
        assert other.label.replace(name, search.name) == person.label
