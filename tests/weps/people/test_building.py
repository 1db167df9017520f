import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import (
    analysis_of,
    dendrogram_of,
    document,
    documents,
    square,
    stump,
    unhurried,
)
from weps.clustering.dendrogram import Dendrogram, calibrate_dendrogram
from weps.clustering.linkage import LINKAGES, Constraints, average_linkage, single_linkage
from weps.coreference.base import Calibration
from weps.people.answer import UNSURE, Answer, PageScore, RelatedPage
from weps.people.building import (
    PageDescription,
    build_alternatives,
    build_people,
    explain_merges,
    neighbour_pairs,
    node_rows,
    order_clusters,
)
from weps.people.description import PersonDescription, describe_people
from weps.records import Document
from weps.similarity import pair_table, parse_similarity

TITLE = parse_similarity("dice(title)")


@st.composite
def dendrograms(draw: st.DrawFn) -> Dendrogram:
    size = draw(st.integers(0, 7))
    pairs = size * (size - 1) // 2
    probability = draw(st.lists(st.floats(0, 1), min_size=pairs, max_size=pairs))
    return LINKAGES[draw(st.sampled_from(sorted(LINKAGES)))](np.array(probability), size)


def portraits_of(tree: Dendrogram) -> list[PersonDescription]:
    return [PersonDescription(terms=(str(rows),)) for rows in node_rows(tree)]


@given(dendrograms())
@unhurried
def test_every_cluster_of_every_cut_is_a_node(tree):
    rows = node_rows(tree)
    assert len(rows) == max(2 * tree.size - 1, 0)
    for merges in range(max(tree.size, 1)):
        assert {tuple(each) for each in tree.clusters(merges)} <= set(rows)


@given(dendrograms(), st.data())
@unhurried
def test_nodes_are_made_of_the_nodes_they_name(tree, data):
    held = data.draw(st.integers(0, max(tree.size - 1, 0)))
    made = build_alternatives(
        tree,
        explain_merges(tree, held, range(tree.size)),
        [10 * row for row in range(tree.size)],
        portraits_of(tree),
        stump([TITLE], TITLE),
    )
    rows = [{row} for row in range(tree.size)]
    for first, second in made.nodes:
        assert rows[first].isdisjoint(rows[second])
        rows.append(rows[first] | rows[second])
    assert [tuple(sorted(each)) for each in rows] == node_rows(tree)
    assert made.ranks == tuple(10 * row for row in range(tree.size))
    assert made.descriptions == tuple(portraits_of(tree))
    assert (made.kept_merges, made.min_merges, made.max_merges) == (held, 0, max(tree.size - 1, 0))


def test_levels_are_what_readers_are_told_and_pairs_what_the_classifier_says():
    tree = LINKAGES["average"](np.array([0.8, 0.2, 0.2]), 3)
    model = stump([TITLE], TITLE, calibration=Calibration(0.5))
    merges = explain_merges(calibrate_dendrogram(tree, model.calibration), 1, (1, 2, 3))
    made = build_alternatives(tree, merges, (1, 2, 3), portraits_of(tree), model)
    assert made.levels == (0.6667, 0.3333)
    assert made.probability.tolist() == [0.8, 0.2, 0.2]


def test_corrections_bound_the_merges():
    ruling = Constraints(
        np.array([0, 0, 1]), np.array([[False, True], [True, False]]), np.zeros(3, bool)
    )
    tree = LINKAGES["average"](np.array([0.1, 0.9, 0.9]), 3, None, ruling)
    merges = explain_merges(tree, 1, (1, 2, 3))
    made = build_alternatives(tree, merges, (1, 2, 3), portraits_of(tree), stump([TITLE], TITLE))
    assert (made.min_merges, made.max_merges) == (1, 1)
    assert made.levels == (1.0, 0.0)


TOLD = PageDescription(document("tides", rank=4), "On tides.", "0a1b", 1.0, confirmed=True)
COLUMNS = [parse_similarity("dice(token)"), parse_similarity("same_domain")]


def answer_of(
    pages: list[Document],
    dendrogram: Dendrogram | None = None,
    merges: int | None = None,
    beliefs: list[float] | None = None,
    called: list[tuple[int, str]] | tuple[()] = (),
    told: list[PageDescription] | None = None,
) -> Answer:
    """The answer for these pages.

    By default the words shared are the probability, merges from one half on are held, and every
    page stands in the right place for certain.
    """
    table = pair_table(analysis_of(*pages), COLUMNS)
    tree = dendrogram or single_linkage(table.values[:, 0].astype(np.float64), len(pages))
    held = len(tree.kept_merges(0.5)) if merges is None else merges
    scores = np.ones(len(pages)) if beliefs is None else np.array(beliefs)
    nodes = node_rows(tree)
    drawn = dict(zip(nodes, describe_people(nodes, table, None), strict=True))
    told = told or [
        PageDescription(page, "", "", score, False)
        for page, score in zip(pages, scores.tolist(), strict=True)
    ]
    clusters = order_clusters(tree.clusters(held), scores)
    people = build_people(clusters, tree, told, drawn, called)
    merged = explain_merges(tree, held, [page.rank for page in pages])
    return Answer("Thomas Baker", people, merged, "a model", "a signature")


def blank_pages(number: int) -> list[Document]:
    return [document("x", rank=rank) for rank in range(number)]


def three_pages() -> list[Document]:
    return [
        document("tides", rank=4, url="http://a.com", title="Tides", note="cut short"),
        document("moons", rank=7),
        document("tides", rank=9),
    ]


@pytest.fixture
def three() -> Answer:
    """Ranks 4 and 9 are one person, rank 7 another."""
    return answer_of(three_pages(), dendrogram_of(3, 0.2, 0.9, 0.3), 1, [0.91, 0.34, 0.71])


def ranks(answer: Answer) -> list[list[int]]:
    return [[page.rank for page in person.pages] for person in answer.people]


def test_people_are_numbered_largest_first(three):
    assert [person.id for person in three.people] == [1, 2]
    assert ranks(answer_of(three_pages(), dendrogram_of(3, 0.1, 0.1, 0.9))) == [[7, 9], [4]]


def test_people_of_one_size_are_told_in_order_of_rank():
    assert ranks(answer_of(three_pages(), dendrogram_of(3, 0, 0, 0))) == [[4], [7], [9]]


def test_a_page_is_told_as_it_was_found(three):
    page = three.people[0].pages[0]
    assert page == PageScore(
        4,
        "http://a.com",
        "Tides",
        0.91,
        "cut short",
        closest=RelatedPage(9, 0.9),
        rival=RelatedPage(7, 0.2),
    )


def test_what_is_told_of_a_page_besides_is_passed_on():
    ((found,),) = (each.pages for each in answer_of([TOLD.document], told=[TOLD]).people)
    assert (found.excerpt, found.fingerprint, found.confirmed) == ("On tides.", "0a1b", True)


def test_people_all_of_whose_pages_are_unsure_come_last():
    tree = dendrogram_of(4, 0.9, 0.1, 0.1, 0.1, 0.1, 0.2)
    assert ranks(answer_of(blank_pages(4), tree, 1, [0.4, 0.49994, 0.9, 0.3])) == [[2], [0, 1], [3]]
    assert ranks(answer_of(blank_pages(4), tree, 1, [0.4, 0.49996, 0.9, 0.3])) == [[0, 1], [2], [3]]


@pytest.mark.parametrize(
    ("called", "expected"),
    [
        ([], ["", ""]),
        ([(7, "Bo")], ["", "Bo"]),
        ([(4, "Ann"), (9, "Bea")], ["Bea", ""]),
        ([(9, "Bea"), (4, "Ann"), (5, "Nobody")], ["Ann", ""]),
    ],
)
def test_a_person_is_called_what_was_said_last_of_any_page(called, expected):
    tree = dendrogram_of(3, 0.2, 0.9, 0.3)
    people = answer_of(three_pages(), tree, 1, [0.9, 0.9, 0.9], called).people
    assert [person.assigned_name for person in people] == expected
    assert [person.label for person in people] == [
        name or other for name, other in zip(expected, ["Tides", "moons"], strict=True)
    ]


@given(st.integers(0, 6), st.data())
@unhurried
def test_closest_and_rival_are_the_most_probable_pages_within_and_without(size, data):
    unit = st.floats(0, 1)
    pairs = size * (size - 1) // 2
    found = np.array(data.draw(st.lists(unit, min_size=pairs, max_size=pairs)))
    merges = data.draw(st.integers(0, max(size - 1, 0)))
    tree = average_linkage(found, size)
    answer = answer_of(blank_pages(size), tree, merges)
    between = square(found, size)
    near = set()
    for person in answer.people:
        own = {page.rank for page in person.pages}
        for page in person.pages:
            for told, others in (
                (page.closest, own - {page.rank}),
                (page.rival, set(range(size)) - own),
            ):
                assert (told is None) == (not others)
                if told:
                    near.add(tuple(sorted((page.rank, told.rank))))
                    assert told.rank in others
                    assert np.isclose(
                        told.probability,
                        max(between[page.rank, each] for each in others),
                        atol=1e-4,
                    )
    assert neighbour_pairs(answer.people) == near


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


@pytest.mark.parametrize(
    ("merges", "expected"),
    [
        (0, [[0], [1], [2], [3]]),
        (1, [[0, 2], [1], [3]]),
        (2, [[0, 2], [1, 3]]),
        (3, [[0, 1, 2, 3]]),
    ],
)
def test_as_many_merges_are_held_as_asked_for(merges, expected):
    tree = dendrogram_of(4, 0.1, 0.9, 0.2, 0.3, 0.8, 0.1)
    answer = answer_of(blank_pages(4), tree, merges)
    assert ranks(answer) == expected
    assert [merge.pages for merge in answer.merges] == [(0, 2), (1, 3), (1, 2)]
    assert [merge.kept for merge in answer.merges] == [number < merges for number in range(3)]


def test_pages_score_what_is_believed_of_them(three):
    scores = {page.rank: page.score for person in three.people for page in person.pages}
    assert scores == {4: 0.91, 7: 0.34, 9: 0.71}


def test_confidence_is_the_mean_score_of_the_pages(three):
    assert [person.confidence for person in three.people] == [0.81, 0.34]


@pytest.mark.parametrize(
    ("belief", "unsure"), [(0.0, True), (0.4999, True), (0.49996, False), (UNSURE, False)]
)
def test_a_page_is_unsure_if_the_score_that_is_told_is_below_one_half(belief, unsure):
    (person,) = answer_of(blank_pages(1), beliefs=[belief]).people
    assert person.pages[0].unsure is unsure
    assert person.unsure is unsure


@pytest.mark.parametrize(
    ("beliefs", "unsure", "people"),
    [
        ([0.9, 0.1, 0.9], [7], [False, True]),
        ([0.9, 0.9, 0.1], [9], [False, False]),
        ([0.1, 0.1, 0.1], [4, 9, 7], [True, True]),
        ([0.9, 0.9, 0.9], [], [False, False]),
    ],
)
def test_a_person_is_unsure_if_all_pages_are(beliefs, unsure, people):
    answer = answer_of(three_pages(), dendrogram_of(3, 0.2, 0.9, 0.3), 1, beliefs)
    assert [page.rank for page in answer.unsure] == unsure
    assert [person.unsure for person in answer.people] == people


def nearest(answer: Answer) -> dict[int, int | None]:
    return {page.rank: page.nearest for person in answer.people for page in person.pages}


def test_an_unsure_page_tells_the_other_person_it_is_nearest_to():
    # Rank 4 is closest to rank 2, but on average to 0 and 1, and its own are 3 and 4.
    pairs = square([0.9, 0, 0, 0.4, 0, 0, 0.4, 0, 0.45, 0.8], 5)[np.triu_indices(5, k=1)]
    tree = single_linkage(pairs, 5)
    assert ranks(answer_of(blank_pages(5), tree, 2)) == [[0, 1], [3, 4], [2]]
    told = nearest(answer_of(blank_pages(5), tree, 2, [0.9, 0.9, 0.1, 0.9, 0.1]))
    assert told == {0: None, 1: None, 2: 2, 3: None, 4: 3}
    pairs[8] = 0.39
    told = nearest(
        answer_of(blank_pages(5), single_linkage(pairs, 5), 2, [0.9, 0.9, 0.1, 0.9, 0.1])
    )
    assert told == {0: None, 1: None, 2: 2, 3: None, 4: 1}


def test_of_equally_near_persons_the_one_told_first_is_named():
    answer = answer_of(blank_pages(3), dendrogram_of(3, 0, 0, 0), 0, [0.1, 0.1, 0.1])
    assert nearest(answer) == {0: 2, 1: 1, 2: 1}


def test_a_page_is_near_nobody_else_if_the_score_that_is_told_is_sure():
    answer = answer_of(blank_pages(2), dendrogram_of(2, 0), 0, [0.49996, 0.49994])
    assert nearest(answer) == {0: None, 1: 1}


@pytest.mark.parametrize("pages", [1, 3])
def test_where_there_is_nobody_else_nobody_is_near(pages):
    tree = single_linkage(np.ones(pages * (pages - 1) // 2), pages)
    answer = answer_of(blank_pages(pages), tree, pages - 1, [0.1] * pages)
    assert set(nearest(answer).values()) == {None}


@given(st.integers(2, 7), st.data())
@unhurried
def test_the_nearest_person_has_the_greatest_mean_probability(size, data):
    unit = st.floats(0, 1)
    pairs = data.draw(st.lists(unit, min_size=size * (size - 1) // 2, max_size=21))
    pairs = np.array(pairs[: size * (size - 1) // 2])
    beliefs = data.draw(st.lists(unit, min_size=size, max_size=size))
    merges = data.draw(st.integers(0, size - 1))
    answer = answer_of(blank_pages(size), average_linkage(pairs, size), merges, beliefs)
    between = square(pairs, size)
    for person in answer.people:
        assert np.isclose(person.confidence, np.mean([p.score for p in person.pages]), atol=2e-4)
        for page in person.pages:
            means = {
                other.id: np.mean([between[page.rank, each.rank] for each in other.pages])
                for other in answer.people
                if other is not person
            }
            assert (page.nearest is not None) == (page.unsure and bool(means))
            if page.nearest is not None:
                assert np.isclose(means[page.nearest], max(means.values()))


def test_merges_come_with_ranks_and_probability(three):
    assert [(merge.pages, merge.probability, merge.kept) for merge in three.merges] == [
        ((4, 9), 0.9, True),
        ((7, 9), 0.3, False),
    ]


def test_a_merge_is_as_probable_as_its_link_says_and_shown_by_its_best_pair():
    tree = average_linkage(np.array([0.9, 0.6, 0.4]), 3)
    answer = answer_of(blank_pages(3), tree, 2)
    assert [(each.pages, each.probability) for each in answer.merges] == [
        ((0, 1), 0.9),
        ((0, 2), 0.5),
    ]


def test_people_have_labels(three):
    assert [person.label for person in three.people] == ["Tides", "moons"]


def test_the_answer_says_how_it_was_made(three):
    assert (three.name, three.model, three.signature) == ("Thomas Baker", "a model", "a signature")


def test_the_answer_is_a_clustering(three):
    assert three.clustering.groups == (frozenset({4, 9}), frozenset({7}))
    assert three.clustering.labels == ("Tides", "moons")
    assert not three.clustering.discarded


def test_no_pages_no_people():
    answer = answer_of([])
    assert answer.people == answer.merges == ()


def test_the_only_page_is_a_person_for_certain():
    (person,) = answer_of([document(rank=3)]).people
    assert (person.id, person.confidence, person.label) == (1, 1.0, "")
    assert [(page.rank, page.score) for page in person.pages] == [(3, 1.0)]


@given(st.lists(documents, max_size=6), st.data())
@unhurried
def test_every_page_is_of_exactly_one_person(pages, data):
    pages = [document(*page.blocks, rank=rank) for rank, page in enumerate(pages)]
    merges = data.draw(st.integers(0, max(len(pages) - 1, 0)))
    answer = answer_of(pages, merges=merges)
    assert sorted(rank for group in ranks(answer) for rank in group) == list(range(len(pages)))
    assert sum(merge.kept for merge in answer.merges) == len(pages) - len(answer.people) == merges


@given(st.lists(documents, max_size=6), st.data())
@unhurried
def test_who_is_who_does_not_depend_on_the_order_of_the_pages(pages, data):
    pages = [document(*page.blocks, rank=rank) for rank, page in enumerate(pages)]
    moved = data.draw(st.permutations(pages))
    assert set(answer_of(moved).clustering.groups) == set(answer_of(pages).clustering.groups)
