import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from tests.cases import each_case
from tests.weps.builders import analysis_of, dendrogram_of, document, documents, square
from weps._formatting import round_probability
from weps.clustering.confidence import PageConfidence
from weps.clustering.dendrogram import (
    LINKAGES,
    Constraints,
    Dendrogram,
    Threshold,
    average_linkage,
    single_linkage,
)
from weps.coreference.base import Calibration
from weps.key_terms.labels import labels_and_words, suggest_refinements
from weps.people.answer import (
    UNSURE,
    Answer,
    ContextEntity,
    PageScore,
    PersonDescription,
    build_alternatives,
    build_people,
    cut_limits,
    describe_people,
    node_rows,
    order_clusters,
    relate_pages,
)
from weps.people.context import ContextEntities
from weps.records import Document
from weps.similarity.columns import pair_table, parse_similarity

CONFIDENCE = Calibration(), PageConfidence()


@st.composite
def dendrograms(draw: st.DrawFn) -> Dendrogram:
    size = draw(st.integers(0, 7))
    pairs = size * (size - 1) // 2
    probability = draw(st.lists(st.floats(0, 1), min_size=pairs, max_size=pairs))
    return LINKAGES[draw(st.sampled_from(sorted(LINKAGES)))](np.array(probability), size)


def descriptions_of(tree: Dendrogram) -> dict[int, PersonDescription]:
    return {
        node: PersonDescription(terms=(str(rows),)) for node, rows in enumerate(node_rows(tree))
    }


@given(dendrograms(), st.data())
def test_nodes_are_made_of_the_nodes_they_name(tree, data):
    kept = data.draw(st.integers(0, max(tree.size - 1, 0)))
    ranks, descriptions = [10 * row for row in range(tree.size)], descriptions_of(tree)
    made = build_alternatives(
        tree, tree.levels.tolist(), ranks, descriptions, *CONFIDENCE, kept=kept
    )
    rows = [{row} for row in range(tree.size)]
    for first, second in made.nodes:
        assert rows[first].isdisjoint(rows[second])
        rows.append(rows[first] | rows[second])
    assert [tuple(sorted(each)) for each in rows] == node_rows(tree)
    assert set(map(tuple, tree.clusters(kept))) <= set(node_rows(tree))
    assert (made.ranks, made.descriptions) == (tuple(ranks), descriptions)
    assert (made.kept_merges, made.min_merges, made.max_merges) == (kept, 0, max(tree.size - 1, 0))
    nodes = made.nodes_of_rows(kept)
    assert sorted(set(nodes)) == sorted(
        node_rows(tree).index(tuple(c)) for c in tree.clusters(kept)
    )
    threshold = made.threshold_of(kept)
    if threshold is None:
        before, after = (1.0, *made.levels, 0.0)[kept : kept + 2]
        assert before == pytest.approx(after, abs=1e-15)
    else:
        assert 0 <= threshold <= 1
        assert Threshold(threshold).merges(tree) == kept


def test_corrections_bound_the_merges():
    constraints = Constraints(
        np.array([0, 0, 1]), np.array([[False, True], [True, False]]), np.zeros(3, bool)
    )
    tree = LINKAGES["average"](np.array([0.1, 0.9, 0.9]), 3, None, constraints)
    made = build_alternatives(
        tree, tree.levels.tolist(), (1, 2, 3), descriptions_of(tree), *CONFIDENCE, kept=1
    )
    assert (made.min_merges, made.max_merges) == (1, 1)
    assert made.levels == (1.0, 0.0)


@each_case(
    ("size", "kept", "limits"),
    [
        (50, 20, (0, 49)),
        (100, 80, (20, 99)),
        (600, 0, (0, 100)),
        (600, 300, (200, 400)),
        (600, 599, (499, 599)),
        (1500, 700, (500, 900)),
    ],
)
def test_other_answers_are_not_far_from_the_answer(size, kept, limits):
    tree = LINKAGES["single"](np.zeros(size * (size - 1) // 2), size)
    assert cut_limits(tree, kept) == limits


COLUMNS = [parse_similarity("dice(token)"), parse_similarity("same_domain")]


def answer_of(
    pages: list[Document],
    dendrogram: Dendrogram | None = None,
    merges: int | None = None,
    beliefs: list[float] | None = None,
    called: list[tuple[int, str]] | tuple[()] = (),
    copies: list[list[int]] | tuple[()] = (),
) -> Answer:
    """The answer for these pages.

    By default the words shared are the probability, merges from one half on are kept, and every
    page stands in the right place for certain.
    """
    table = pair_table(analysis_of(*pages), COLUMNS)
    tree = dendrogram or single_linkage(table.values[:, 0].astype(np.float64), len(pages))
    kept = Threshold(0.5).merges(tree) if merges is None else merges
    scores = np.ones(len(pages)) if beliefs is None else np.array(beliefs)
    nodes = node_rows(tree)
    found = list(describe_people(nodes, table.analysis, context_of(*[""] * len(pages))))
    described_pages = [
        PageScore(page.rank, page.url, page.title, round_probability(score))
        for page, score in zip(pages, scores.tolist(), strict=True)
    ]
    clusters = order_clusters(tree.clusters(kept), scores)
    built = relate_pages(clusters, tree, described_pages, copies)
    descriptions = dict(zip(nodes, found, strict=True))
    people = build_people(clusters, built, scores, descriptions, called)
    return Answer("Thomas Baker", people, (), "a model", "a signature")


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
    assert [(person.id, person.confidence) for person in three.people] == [(1, 0.81), (2, 0.34)]
    assert ranks(answer_of(three_pages(), dendrogram_of(3, 0.1, 0.1, 0.9))) == [[7, 9], [4]]
    assert ranks(answer_of(three_pages(), dendrogram_of(3, 0, 0, 0))) == [[4], [7], [9]]


def test_a_near_duplicate_names_the_first_of_its_person():
    tree = dendrogram_of(4, 0.9, 0.9, 0.1, 0.9, 0.1, 0.1)
    answer = answer_of(blank_pages(4), tree, 2, copies=[[0, 1, 3], [2]])
    copied = {page.rank: page.copy_of for person in answer.people for page in person.pages}
    assert copied == {0: None, 1: 0, 2: None, 3: None}


def test_people_all_of_whose_pages_are_unsure_come_last():
    tree = dendrogram_of(4, 0.9, 0.1, 0.1, 0.1, 0.1, 0.2)
    answer = answer_of(blank_pages(4), tree, 1, [0.4, 0.49994, 0.9, 0.3])
    assert ranks(answer) == [[2], [0, 1], [3]]
    assert [person.unsure for person in answer.people] == [False, True, True]
    assert [page.rank for page in answer.unsure] == [0, 1, 3]
    assert ranks(answer_of(blank_pages(4), tree, 1, [0.4, 0.49996, 0.9, 0.3])) == [[0, 1], [2], [3]]


@each_case(
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
def test_closest_and_rival_are_the_most_probable_pages_within_and_without(size, data):
    unit = st.floats(0, 1)
    pairs = size * (size - 1) // 2
    found = np.array(data.draw(st.lists(unit, min_size=pairs, max_size=pairs)))
    merges = data.draw(st.integers(0, max(size - 1, 0)))
    tree = average_linkage(found, size)
    answer = answer_of(blank_pages(size), tree, merges)
    between = square(found, size)
    for person in answer.people:
        own = {page.rank for page in person.pages}
        for page in person.pages:
            others = own - {page.rank}, set(range(size)) - own
            for related, ranks_there in zip((page.closest, page.rival), others, strict=True):
                assert (related is None) == (not ranks_there)
                if related:
                    best = max(between[page.rank, each] for each in ranks_there)
                    assert related.rank in ranks_there
                    assert related.probability == pytest.approx(best, abs=1e-4)


@each_case(("belief", "unsure"), [(0.0, True), (0.4999, True), (0.49996, False), (UNSURE, False)])
def test_a_page_is_unsure_if_the_rounded_score_is_below_one_half(belief, unsure):
    answer = answer_of(blank_pages(3), dendrogram_of(3, 0, 0, 0), 0, [belief, 0.9, 0.9])
    assert [page.rank for page in answer.unsure] == [0] * unsure
    # Of equally near people the first is named.
    assert nearest(answer) == {0: 1 if unsure else None, 1: None, 2: None}


def nearest(answer: Answer) -> dict[int, int | None]:
    return {page.rank: page.nearest for person in answer.people for page in person.pages}


@given(st.integers(2, 7), st.data())
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


def test_the_answer_is_a_clustering(three):
    assert three.clustering.groups == (frozenset({4, 9}), frozenset({7}))
    assert three.clustering.labels == ("Tides", "moons")
    assert not three.clustering.discarded


@given(st.lists(documents, max_size=6), st.data())
def test_every_page_is_of_exactly_one_person_in_whatever_order(pages, data):
    pages = [document(*page.blocks, rank=rank) for rank, page in enumerate(pages)]
    merges = data.draw(st.integers(0, max(len(pages) - 1, 0)))
    answer = answer_of(pages, merges=merges)
    assert sorted(rank for group in ranks(answer) for rank in group) == list(range(len(pages)))
    assert len(pages) - len(answer.people) == merges
    moved = data.draw(st.permutations(pages))
    assert set(answer_of(moved).clustering.groups) == set(answer_of(pages).clustering.groups)


WORDS = "Thomas Baker kelp Kelp tides York Minster producer records Elektra Records ibex".split()


def context_of(*rows: str) -> ContextEntities:
    """Letters stand for people; for each page those on it."""
    letters = sorted(set("".join(rows)))
    present = np.array([[letter in row for letter in letters] for row in rows], dtype=np.int32)
    counts = sparse.csr_array(present.reshape(len(rows), len(letters)))
    return ContextEntities(tuple(letters), ("person",) * len(letters), counts)


def names(groups: list[list[int]], *rows: str) -> list[str]:
    """The names of each group, best first."""
    found = list(describe_people(groups, analysis_of(*["kelp"] * len(rows)), context_of(*rows)))
    return ["".join(named.text for named in each.names) for each in found]


def test_those_on_most_pages_come_first_then_the_rarest():
    assert names([[0, 1]], "abc", "bc", "c", "c") == ["bca"]
    assert names([[0], [1, 2]], "ab", "b", "c") == ["ab", "cb"]
    assert names([[0]], "abcdefghijklmnopq") == ["abcdefghijklmno"]  # fifteen at most


def test_names_have_the_ranks_of_the_group():
    (found,) = describe_people(
        [[2, 0]], analysis_of("kelp", "kelp", "kelp"), context_of("a", "a", "ab")
    )
    assert found.names == (ContextEntity("a", "person", (1, 3)), ContextEntity("b", "person", (3,)))


texts = st.lists(
    st.lists(st.sampled_from(WORDS), max_size=10).map(" ".join), min_size=1, max_size=5
)


@given(texts, st.data())
def test_a_description_depends_on_its_own_group_alone(pages, data):
    rows = st.sets(st.sampled_from(range(len(pages))), min_size=1).map(sorted)
    groups = data.draw(st.lists(rows, max_size=5))
    rank = [data.draw(st.text("abcd", max_size=4)) for _ in pages]
    analysis, context = analysis_of(*pages), context_of(*rank)
    found = list(describe_people(groups, analysis, context))
    assert found == [next(describe_people([rows], analysis, context)) for rows in groups]
    for each, label in zip(found, labels_and_words(groups, analysis), strict=True):
        assert {*each.terms} <= {*label.terms, *label.words} - {*each.words}
    assert [each.refinement for each in found] == suggest_refinements(groups, analysis)


@each_case(
    ("stated", "cited", "labels"),
    [
        # Each passage has words of its own.
        (("", ""), ("“Moths of Ely”", "“Rowing in Kew”"), ("“Moths of Ely”", "“Rowing in Kew”")),
        (("", ""), ("“Moths of Ely”", "“Ely moths”"), ("“Moths of Ely”", "“Ely moths”")),
        (("Ann Lee – poet", ""), ("", ""), ("Ann Lee – poet", "boat")),
        (("Ann Lee – poet", ""), ("“Moths of Ely”", ""), ("Ann Lee – poet – “Moths of Ely”",)),
    ],
)
def test_labels_tell_people_apart(stated, cited, labels):
    terms = (("fen", "wing"), ("fen", "boat"))
    described = [
        PersonDescription(own, stated=line, cited=each)
        for own, line, each in zip(terms, stated, cited, strict=True)
    ]
    pages = [PageScore(row, "", "", 1.0) for row in range(2)]
    clusters = [(0,), (1,)]
    people = build_people(
        clusters, pages, np.ones(2), dict(zip(clusters, described, strict=True)), ()
    )
    for person, expected in zip(people, labels, strict=False):
        assert person.label.startswith(expected)
