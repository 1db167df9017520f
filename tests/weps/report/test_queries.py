import pytest

from weps.people import PageScore, Person
from weps.portraits import Portrait
from weps.refinement.suggest import Refinement
from weps.report.groups import Group
from weps.report.queries import Query, next_time


def person(pages: int, refinement: Refinement | None) -> Person:
    told = tuple(PageScore(rank, "", "", 0.9) for rank in range(pages))
    return Person(1, 0.9, told, Portrait(refinement=refinement))


def group(pages: int, refinement: Refinement | None) -> Group:
    told = person(pages, refinement)
    return Group(0, told.pages, told.portrait, 0, told)


@pytest.mark.parametrize(
    ("name", "added", "typed"),
    [
        ("Thomas Baker", "producer", '"Thomas Baker" producer'),
        ("Thomas Baker", "Elektra Records", '"Thomas Baker" "Elektra Records"'),
        ('Thomas "Tom" Baker', "producer", '"Thomas Tom Baker" producer'),
    ],
)
def test_what_is_typed(name, added, typed):
    assert Query.of(name, person(1, Refinement(added, 1, 1, 1))).text == typed


@pytest.mark.parametrize(
    ("pages", "precision", "recall", "words"),
    [
        (10, 1.0, 0.9, "finds 9 of 10 pages and no other"),
        (10, 0.9, 0.9, "finds 9 of 10 pages and 1 other"),
        (3, 0.5, 1.0, "finds all 3 pages and 3 others"),
        (2, 1.0, 1.0, "finds both pages and no other"),
        (2, 1.0, 0.5, "finds 1 of 2 pages and no other"),
        (1, 1.0, 1.0, "finds this page and no other"),
        (1, 1 / 3, 1.0, "finds this page and 2 others"),
    ],
)
def test_what_it_finds_in_plain_words(pages, precision, recall, words):
    query = Query.of("Ann", person(pages, Refinement("kelp", precision, recall, 0.5)))
    assert query.success == words


@pytest.mark.parametrize(
    ("found", "others", "pages"), [(1, 99, 100), (7, 3, 11), (95, 0, 95), (33, 67, 131)]
)
def test_counts_come_back_from_their_quotients(found, others, pages):
    told = Refinement("kelp", found / (found + others), found / pages, 0.5)
    query = Query.of("Ann", person(pages, told))
    assert (query.found, query.others) == (found, others)


def test_where_nothing_is_known_nothing_is_told():
    assert Query.of("Ann", person(1, None)) is None
    assert next_time("Ann", group(1, None)) == ""


def test_it_is_shown_escaped_and_in_one_piece():
    text = next_time("Ann <b>", group(1, Refinement("a&b", 1, 1, 1)))
    assert "<kbd><bdi>&quot;Ann &lt;b&gt;&quot; a&amp;b</bdi></kbd>" in text


def test_figures_have_four_digits():
    query = Query.of("Ann", person(3, Refinement("kelp", 1 / 3, 2 / 3, 0.5)))
    assert (query.precision, query.recall) == (0.3333, 0.6667)
