"""The readers of WordNet, and PageRank over it."""

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from docs.benchmarks import wordnet as packing
from docs.benchmarks.wordnet import read_wordnet
from tests.cases import each_case
from tests.eval.text.made_up_wordnet import SYNSETS, numbered, packed, tiny, write
from weps.errors import SourceError
from weps_eval.text import wordnet
from weps_eval.text.wordnet import (
    PageRanks,
    Vector,
    WordNet,
    base_forms,
    load_wordnet,
    mean_vector,
    senses_of,
)


@each_case(
    ("word", "part", "places"),
    [
        ("policeman", "n", "n3"),
        ("Policemen", "n", "n3"),
        ("axes", "n", "n7 n8"),
        ("officers", "n", "n4 n3"),
        ("boxes", "n", "n10"),
        ("boxesful", "n", "n11"),
        ("boss", "n", "n9"),
        ("bosss", "n", ""),
        ("fired", "v", "v1 v2"),
        ("firing", "v", "v1 v2"),
        ("finishes", "v", "v3"),
        ("dismissed", "v", "v2"),
        ("quicker", "a", "a1"),
        ("faster", "r", "r1"),
        ("faster", "a", ""),
        ("fired", "n", ""),
        ("fires", "", "v1 v2"),
        ("Sterling", "", ""),
        ("", "", ""),
        ("fire", "x", ""),
    ],
)
def test_words_are_looked_up_in_any_form(tmp_path, word, part, places):
    found = tiny(tmp_path)
    assert senses_of(word, found, part) == numbered(found, places)


@each_case(
    ("word", "part", "forms"),
    [
        ("axes", "n", "ax axis"),
        ("was", "v", "be"),
        ("left", "v", "leave"),
        ("cities", "n", "city"),
        ("glass", "n", "glass"),
        ("better", "a", "better good well"),
        ("saw", "v", "saw see"),
        ("attorney general", "n", "attorney_general"),
    ],
)
def test_published_words_have_their_base_forms(word, part, forms):
    assert set(forms.split()) <= set(base_forms(word, load_wordnet(), part))


def test_all_synsets_and_pointers_are_read(tmp_path):
    found = tiny(tmp_path)
    assert len(found.synsets) == len(SYNSETS)
    assert found.synsets[0] == "n00000001"
    wanted = [
        numbered(found, f"{place} {target}")
        for place, (_, targets) in SYNSETS.items()
        for target in targets.split()
    ]
    assert found.pointers.tolist() == [list(pair) for pair in wanted]


def test_any_change_of_the_files_changes_the_digest(tmp_path):
    before = tiny(tmp_path).digest
    assert tiny(tmp_path).digest == before
    with (tmp_path / "adv.exc").open("a") as file:
        file.write("better well\n")
    assert read_wordnet(tmp_path).digest != before


@each_case(
    ("name", "line", "message"),
    [
        (
            "data.noun",
            "00000099 03 n 01 thing 0 002 @ 00000001 n 0000 | cut",
            "no line of a synset",
        ),
        ("data.noun", "00000099 03 n zz thing 0 000 | cut", "no line of a synset"),
        ("data.noun", "00000099 03", "no line of a synset"),
        ("data.noun", "00000099 03 n 01 thing 0 -01 | cut", "no line of a synset"),
        ("data.noun", "00000002 03 n 01 thing 0 000 | again", "was there before"),
        ("data.verb", "00000099 03 v 01 act 0 001 @ 00000077 n 0000 | x", "no synset n00000077"),
        ("index.noun", "thing n 1 0 1 0 00000077", "no synset n00000077"),
        ("index.noun", "thing n 2 0 2 0 00000001", "no line of a lemma"),
        ("index.noun", "thing n 1", "no line of a lemma"),
        ("index.noun", "thing n one 0 1 0 00000001", "no line of a lemma"),
        ("noun.exc", "caf\u00e9s caf\u00e9", "not ASCII"),
    ],
)
def test_a_malformed_line_is_named(tmp_path, name, line, message):
    path = write(tmp_path) / name
    number = len(path.read_text().splitlines()) + 1
    with path.open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    with pytest.raises(SourceError, match=f"{name}:{number}: .*{message}"):
        read_wordnet(tmp_path)


def test_a_file_beyond_all_bounds_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(packing, "_MOST_BYTES", 100)
    with pytest.raises(SourceError, match=r"data\.noun: is over 100 bytes"):
        tiny(tmp_path)


def contents(found: WordNet) -> str:
    lists = (found.synsets, found.pointers.tolist(), found.senses, found.exceptions)
    return hashlib.sha256(repr((*lists, found.digest)).encode()).hexdigest()


def test_the_files_of_a_folder_are_packed(tmp_path):
    assert contents(load_wordnet(packed(tmp_path))) == contents(read_wordnet(tmp_path))


def test_another_file_is_refused(tmp_path):
    np.savez(tmp_path / "other.npz", synsets=np.zeros(3))
    with pytest.raises(SourceError, match=r"other\.npz: cannot be read"):
        load_wordnet(tmp_path / "other.npz")


def test_what_comes_with_weps_is_the_published_database():
    """The digest was made of what ``read_wordnet`` returns for Debian's wordnet-base 1:3.0-37."""
    found = load_wordnet()
    assert contents(found) == "de10da9ba13c3f2194cbf2e63b37a194acc73897a0e820ceab98654e66c19a83"
    assert len(found.synsets) == len(set(found.synsets)) == 117_659
    assert found.pointers.shape == (377_592, 2)
    assert found.pointers.dtype == np.int32
    assert [sum(name[0] == part for name in found.synsets) for part in "nvar"] == [
        82_115,
        13_767,
        18_156,
        3_621,
    ]


PLACES = st.integers(0, 5)


def of_pointers(pairs: list[tuple[int, int]]) -> WordNet:
    pointers = np.array(pairs, dtype=np.int32).reshape(-1, 2)
    return WordNet(tuple("abcdef"), pointers, {}, {}, "")


@given(st.lists(st.tuples(PLACES, PLACES), max_size=12))
def test_a_step_leads_to_any_neighbour_alike(pairs):
    neighbours = {frozenset(pair) for pair in pairs if pair[0] != pair[1]}
    wanted = np.zeros((6, 6))
    for first, second in map(tuple, neighbours):
        wanted[first, second] = wanted[second, first] = 1
    wanted /= np.maximum(wanted.sum(axis=0), 1)
    assert np.allclose(PageRanks(of_pointers(pairs)).graph.toarray(), wanted)


def walked(found: WordNet, start: NDArray[np.float64]) -> NDArray[np.float64]:
    """Equation 3.1, word for word."""
    matrix = PageRanks(found).graph.toarray().astype(np.float64)
    vector = start
    for _ in range(30):
        vector = 0.85 * matrix @ vector + 0.15 * start
    return vector


def dense(vector: Vector, size: int) -> NDArray[np.float64]:
    whole = np.zeros(size)
    whole[vector.synsets] = vector.weights
    return whole


def test_each_walk_is_equation_3_1(tmp_path):
    found = tiny(tmp_path)
    seeds = list(range(len(found.synsets)))
    wanted = walked(found, np.eye(len(seeds)))
    assert np.allclose(list(PageRanks(found).walks(seeds)), wanted.T, atol=1e-6)
    vectors = [dense(vector, len(seeds)) for vector in PageRanks(found).vectors(seeds)]
    assert np.allclose(vectors, wanted.T, atol=1e-6)


def test_a_walk_from_several_synsets_is_the_mean_of_theirs(tmp_path):
    found = tiny(tmp_path)
    seeds = numbered(found, "n3 v2 v3")
    start = np.zeros(len(found.synsets))
    start[list(seeds)] = 1 / 3
    together = mean_vector(PageRanks(found).vectors(seeds))
    assert np.allclose(dense(together, len(start)), walked(found, start), atol=1e-6)
    assert (np.diff(together.weights) <= 0).all()
    assert (together.weights > 0).all()


def test_only_the_largest_dimensions_are_kept(tmp_path):
    found = tiny(tmp_path)
    [start] = numbered(found, "n3")
    [whole] = PageRanks(found).vectors([start])
    assert whole.synsets[0] == start
    for count in (1, 2, 5):
        [kept] = PageRanks(found, count).vectors([start])
        assert kept.synsets.tolist() == whole.synsets[:count].tolist()
        assert kept.weights.tolist() == whole.weights[:count].tolist()


def test_the_order_asked_for_is_kept_and_walks_are_not_repeated(tmp_path, monkeypatch):
    found = PageRanks(tiny(tmp_path))
    first, second = found.vectors([4, 2])
    monkeypatch.setattr(PageRanks, "walks", lambda *_: [])
    assert found.vectors([2, 4, 2]) == [second, first, second]
    assert found.vectors([]) == []


def test_what_memory_keeps_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(wordnet, "_MOST_KEPT", 1)
    ranks = PageRanks(tiny(tmp_path))
    first, second = ranks.vectors([4, 2])
    assert ranks.vectors([2])[0] is second
    again = ranks.vectors([4])[0]
    assert again is not first
    assert again.weights.tolist() == first.weights.tolist()
