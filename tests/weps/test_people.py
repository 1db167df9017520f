import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import analysis_of, dendrogram_of, document, documents, unhurried
from weps.clustering import Dendrogram, single_link
from weps.people import Answer, ExplainedMerge, PageScore, describe
from weps.records import Document
from weps.similarity import pair_table, similarity

COLUMNS = [similarity("dice(token)"), similarity("same_domain")]


def answer_of(
    pages: list[Document], dendrogram: Dendrogram | None = None, threshold: float = 0.5
) -> Answer:
    """The answer for these pages, by default with the words shared as probability."""
    table = pair_table(analysis_of(*pages), COLUMNS)
    tree = dendrogram or single_link(table.values[:, 0].astype(np.float64), len(pages))
    return describe(table, tree, threshold, model="a model", signature="a signature")


def three_pages() -> list[Document]:
    return [
        document("tides", rank=4, url="http://a.com", title="Tides", note="cut short"),
        document("moons", rank=7),
        document("tides", rank=9),
    ]


@pytest.fixture
def three() -> Answer:
    """Ranks 4 and 9 are one person, rank 7 another."""
    return answer_of(three_pages(), dendrogram_of(3, 0.2, 0.9, 0.3))


def ranks(answer: Answer) -> list[list[int]]:
    return [[page.rank for page in person.pages] for person in answer.people]


def test_people_are_numbered_largest_first(three):
    assert [person.id for person in three.people] == [1, 2]
    assert ranks(answer_of(three_pages(), dendrogram_of(3, 0.1, 0.1, 0.9))) == [[7, 9], [4]]


def test_people_of_one_size_are_told_in_order_of_rank():
    assert ranks(answer_of(three_pages(), dendrogram_of(3, 0, 0, 0))) == [[4], [7], [9]]


def test_a_page_is_told_as_it_was_found(three):
    assert three.people[0].pages[0] == PageScore(4, "http://a.com", "Tides", 0.9, "cut short")


@pytest.mark.parametrize(
    ("page", "title"),
    [
        (document("Tides and", "moons"), "Tides and"),
        (document("tide " * 50), ("tide " * 50)[:80]),
        (document(), ""),
    ],
)
def test_a_page_without_title_is_known_by_its_first_words(page, title):
    assert answer_of([page]).people[0].pages[0].title == title


def test_a_page_scores_its_closest_tie_within_the_person():
    tree = dendrogram_of(4, 0.9, 0.1, 0.6, 0.7, 0.2, 0.3)
    (person,) = answer_of([document("x", rank=rank) for rank in range(4)], tree).people
    assert [page.score for page in person.pages] == [0.9, 0.9, 0.7, 0.6]


def test_a_page_alone_scores_the_improbability_of_its_closest_tie(three):
    assert [page.score for page in three.people[1].pages] == [0.7]


def test_confidence_is_that_of_the_weakest_tie_that_holds():
    tree = dendrogram_of(4, 0.9, 0.1, 0.6, 0.7, 0.2, 0.3)
    (person,) = answer_of([document("x", rank=rank) for rank in range(4)], tree).people
    assert person.confidence == 0.6


def test_a_person_of_one_page_is_as_certain_as_the_page(three):
    assert three.people[1].confidence == 0.7


def test_merges_come_with_ranks_probability_and_evidence(three):
    (merge,) = three.merges
    assert isinstance(merge, ExplainedMerge)
    assert (merge.pages, merge.probability) == ((4, 9), 0.9)
    assert [(each.feature, each.shared) for each in merge.evidence] == [("token", ("tides",))]


def test_people_have_labels(three):
    assert [person.label for person in three.people] == ["tides", "moons"]


def test_the_answer_says_how_it_was_made(three):
    assert (three.name, three.model, three.signature) == ("Thomas Baker", "a model", "a signature")


def test_the_answer_is_a_clustering(three):
    assert three.clustering.groups == (frozenset({4, 9}), frozenset({7}))
    assert three.clustering.labels == ("tides", "moons")
    assert not three.clustering.discarded


def test_no_pages_no_people():
    answer = answer_of([])
    assert answer.people == answer.merges == ()


def test_the_only_page_is_a_person_for_certain():
    (person,) = answer_of([document(rank=3)]).people
    assert (person.id, person.confidence, person.label) == (1, 1.0, "")
    assert [(page.rank, page.score) for page in person.pages] == [(3, 1.0)]


@given(st.lists(documents, max_size=6), st.floats(0.01, 1))
@unhurried
def test_every_page_is_of_exactly_one_person(pages, threshold):
    pages = [document(*page.blocks, rank=rank) for rank, page in enumerate(pages)]
    answer = answer_of(pages, threshold=threshold)
    assert sorted(rank for group in ranks(answer) for rank in group) == list(range(len(pages)))
    assert len(answer.merges) == len(pages) - len(answer.people)
    assert all(0 <= page.score <= 1 for person in answer.people for page in person.pages)


@given(st.lists(documents, max_size=6), st.data())
@unhurried
def test_who_is_who_does_not_depend_on_the_order_of_the_pages(pages, data):
    pages = [document(*page.blocks, rank=rank) for rank, page in enumerate(pages)]
    moved = data.draw(st.permutations(pages))
    assert set(answer_of(moved).clustering.groups) == set(answer_of(pages).clustering.groups)
