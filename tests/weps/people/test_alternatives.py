import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.weps.builders import stump, unhurried
from weps.calibration import Calibration
from weps.clustering import LINKS, Dendrogram, Ruling
from weps.people.alternatives import alternatives, rows_of_nodes
from weps.portraits import Portrait
from weps.similarity import similarity

TITLE = similarity("dice(title)")


@st.composite
def dendrograms(draw: st.DrawFn) -> Dendrogram:
    size = draw(st.integers(0, 7))
    pairs = size * (size - 1) // 2
    probability = draw(st.lists(st.floats(0, 1), min_size=pairs, max_size=pairs))
    return LINKS[draw(st.sampled_from(sorted(LINKS)))](np.array(probability), size)


def portraits_of(tree: Dendrogram) -> list[Portrait]:
    return [Portrait(terms=(str(rows),)) for rows in rows_of_nodes(tree)]


@given(dendrograms())
@unhurried
def test_every_cluster_of_every_cut_is_a_node(tree):
    rows = rows_of_nodes(tree)
    assert len(rows) == max(2 * tree.size - 1, 0)
    for merges in range(max(tree.size, 1)):
        assert {tuple(each) for each in tree.clusters(merges)} <= set(rows)


@given(dendrograms(), st.data())
@unhurried
def test_nodes_are_made_of_the_nodes_they_name(tree, data):
    held = data.draw(st.integers(0, max(tree.size - 1, 0)))
    made = alternatives(
        tree,
        held,
        [10 * row for row in range(tree.size)],
        portraits_of(tree),
        stump([TITLE], TITLE),
    )
    rows = [{row} for row in range(tree.size)]
    for first, second in made.nodes:
        assert rows[first].isdisjoint(rows[second])
        rows.append(rows[first] | rows[second])
    assert [tuple(sorted(each)) for each in rows] == rows_of_nodes(tree)
    assert made.ranks == tuple(10 * row for row in range(tree.size))
    assert made.portraits == tuple(portraits_of(tree))
    assert (made.held, made.least, made.most) == (held, 0, max(tree.size - 1, 0))


def test_levels_are_what_readers_are_told_and_pairs_what_the_classifier_says():
    tree = LINKS["average"](np.array([0.8, 0.2, 0.2]), 3)
    model = stump([TITLE], TITLE, calibration=Calibration(0.5))
    made = alternatives(tree, 1, (1, 2, 3), portraits_of(tree), model)
    assert made.levels == (0.6667, 0.3333)
    assert made.probability.tolist() == [0.8, 0.2, 0.2]


def test_corrections_bound_the_merges():
    ruling = Ruling(
        np.array([0, 0, 1]), np.array([[False, True], [True, False]]), np.zeros(3, bool)
    )
    tree = LINKS["average"](np.array([0.1, 0.9, 0.9]), 3, None, ruling)
    made = alternatives(tree, 1, (1, 2, 3), portraits_of(tree), stump([TITLE], TITLE))
    assert (made.least, made.most) == (1, 1)
    assert made.levels == (1.0, 0.0)
