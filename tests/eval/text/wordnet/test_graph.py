from dataclasses import replace
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from eval.text.wordnet import WordNet
from eval.text.wordnet.graph import transitions
from tests.eval.text.wordnet.database import numbered, published, tiny

PLACES = st.integers(0, 5)


def of_pointers(pairs: list[tuple[int, int]]) -> WordNet:
    pointers = np.array(pairs, dtype=np.int32).reshape(-1, 2)
    return WordNet(tuple("abcdef"), pointers, {}, {}, "")


@given(st.lists(st.tuples(PLACES, PLACES), max_size=12))
def test_a_step_leads_to_any_neighbour_alike(pairs: list[tuple[int, int]]) -> None:
    neighbours = {frozenset(pair) for pair in pairs if pair[0] != pair[1]}
    wanted = np.zeros((6, 6))
    for first, second in map(tuple, neighbours):
        wanted[first, second] = wanted[second, first] = 1
    wanted /= np.maximum(wanted.sum(axis=0), 1)
    assert np.allclose(transitions(of_pointers(pairs)).toarray(), wanted)


def test_directions_do_not_matter(tmp_path: Path) -> None:
    found = tiny(tmp_path)
    turned = replace(found, pointers=found.pointers[:, ::-1])
    assert (transitions(found) != transitions(turned)).nnz == 0


def test_repeated_pointers_and_those_to_itself_are_no_edges(tmp_path: Path) -> None:
    found = tiny(tmp_path)
    quick, quickly = numbered(found, "a1 r1")
    graph = transitions(found)
    assert graph[quick, quickly] == graph[quickly, quick] == 1
    assert graph[quickly, quickly] == 0


def test_the_published_graph() -> None:
    graph = transitions(published())
    sums = graph.sum(axis=0)
    assert graph.nnz == 367_578
    assert (sums == 0).sum() == 1_009
    assert np.allclose(sums[sums > 0], 1, atol=1e-4)
