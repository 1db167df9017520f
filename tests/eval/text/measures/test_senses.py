"""WordNet, PageRank over it, and measures over its senses."""

import hashlib
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from docs.benchmarks.wordnet import read_wordnet
from tests.cases import each_case
from tests.eval.text.made_up_wordnet import numbered, packed, tiny
from weps.errors import SourceError, ValuesError
from weps_eval.text.measures import senses as module
from weps_eval.text.measures.senses import (
    Alignment,
    PageRanks,
    Signature,
    Word,
    WordNet,
    Words,
    _gram_matches,
    _grams_of,
    _weighted_overlaps,
    all_pairs,
    load_wordnet,
    senses_of,
    vector_ranks,
)


def text(words: str) -> Words:
    """From ``officer/n fired/v``."""
    return tuple(Word(*word.split("/")) for word in words.split())


def weighted_overlap(first: Signature, second: Signature) -> float:
    return _weighted_overlaps(first, [second]).item()


def readings(ranks: PageRanks, first: str, second: str) -> dict[str, str]:
    """The sense of each word of the first text: part of speech and offset, or empty."""
    aligned = Alignment.of([text(first), text(second)], ranks)
    senses = sorted({each for word in text(first + " " + second) for each in _senses(word, ranks)})
    found = aligned.read(text(first), text(second))
    names = ranks.wordnet.synsets
    return {
        word.form: "" if sense is None else names[senses[sense]] for word, sense in found.items()
    }


def _senses(word: Word, ranks: PageRanks) -> tuple[int, ...]:
    return ranks.wordnet.senses.get((word.form, word.part), ())


@each_case(
    ("first", "second", "wanted"),
    [
        ("officer/n", "policeman/n", "n3"),
        ("officer/n", "soldier/n", "n4"),
        ("fire/v", "gun/n", "v1"),
        ("fire/v", "job/n", "v2"),
        ("terminate/v", "job/n", "v2"),
        ("officer/n fire/v", "officer/n fire/v", "n4 v1"),
        ("officer/n", "", "n4"),
    ],
)
def test_words_take_the_sense_next_to_the_other_text(tmp_path, first, second, wanted):
    found = tiny(tmp_path)
    places = [found.synsets[number] for number in numbered(found, wanted)]
    assert list(readings(PageRanks(found), first, second).values()) == places


def test_texts_with_too_many_senses_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_MOST_SENSES", 3)
    ranks = PageRanks(tiny(tmp_path), 1000)
    Alignment.of([text("officer/n gun/n")], ranks)
    with pytest.raises(ValuesError, match=r"have 4 senses, more than the 3 .*at once$"):
        Alignment.of([text("officer/n gun/n job/n")], ranks)


def test_published_words_are_compared_in_all_dimensions():
    """Computed by a program of its own in float64; corruption in the sense most alike."""
    wordnet = load_wordnet()
    first, second, third, fourth = (
        wordnet.senses[word, "n"] for word in ("car", "banana", "policeman", "corruption")
    )
    for dimensions, wanted in ((None, (0.23008, 0.29258)), (1000, (0.04545, 0.02552))):
        known = PageRanks(wordnet, dimensions)
        signatures = [
            Signature(vector_ranks(each))
            for each in map(known.weights, (first[0], second[0], third[0], *fourth))
        ]
        exact = np.array([_weighted_overlaps(each, signatures) for each in signatures])
        assert (exact[0, 1], exact[2, 3:].max()) == pytest.approx(wanted, abs=2e-5)
        shape = len(signatures), len(wordnet.synsets)
        estimates, errors = all_pairs((each.ranks for each in signatures), shape)
        assert (np.abs(estimates - exact) < errors).all()
        assert errors.max() < 0.1


def test_the_example_of_the_paper():
    wordnet = load_wordnet()
    found = readings(
        PageRanks(wordnet),
        "officer/n fire/v",
        "several/a policeman/n terminate/v corruption/n probe/n",
    )
    assert found["fire"] == wordnet.synsets[wordnet.senses["fire", "v"][3]]
    assert found["officer"] == wordnet.synsets[wordnet.senses["officer", "n"][2]]


ORDERS = st.lists(st.integers(0, 9), unique=True, max_size=7)
WORDS = st.frozensets(st.sampled_from("abc"), max_size=3)


def ranks_of(order: list[int], size: int = 10) -> NDArray[np.float32]:
    """The rank of each dimension, given those that are not zero, largest first."""
    ranks = np.full(size, np.inf, dtype=np.float32)
    ranks[order] = np.arange(1, len(order) + 1)
    return ranks


def signature(order: list[int], unknown: str | frozenset[str] = "") -> Signature:
    return Signature(ranks_of(order), frozenset(unknown))


SIGNATURES = st.builds(signature, ORDERS, WORDS)


def named(one: Signature, first: list[str]) -> list[str]:
    """All dimensions in their order, those words first that are said to be."""
    words = sorted(one.unknown, key=lambda word: (word not in first, word))
    known = np.flatnonzero(np.isfinite(one.ranks)).tolist()
    return words + [str(each) for each in sorted(known, key=lambda each: one.ranks[each])]


def by_the_book(first: Signature, second: Signature) -> float:
    """Equation 3.2, word for word."""
    both = sorted(first.unknown & second.unknown)
    ours, theirs = named(first, both), named(second, both)
    shared = set(ours) & set(theirs)
    if not shared:
        return 0.0
    gained = sum(1 / (ours.index(name) + theirs.index(name) + 2) for name in shared)
    return gained / sum(1 / (2 * place) for place in range(1, len(shared) + 1))


@given(SIGNATURES, st.lists(SIGNATURES, max_size=4))
def test_all_are_equation_3_2(one, others):
    wanted = [by_the_book(one, other) for other in others]
    assert _weighted_overlaps(one, others) == pytest.approx(wanted)


@given(st.lists(ORDERS.filter(bool), max_size=5), st.integers(1, 1000), st.integers(1, 12))
@example([[0, 1, 6, 4], [0, 5, 6, 4]], 4, 1)  # 4 is a little more once it is coded
def test_all_pairs_are_each_pair(orders, head, rows):
    wanted = [
        [weighted_overlap(signature(one), signature(other)) for other in orders] for one in orders
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_HEAD", head)
        patch.setattr(module, "_ROWS", rows)
        found, errors = all_pairs(map(ranks_of, orders), (len(orders), 10))
    assert (np.abs(found - np.array(wanted).reshape(found.shape)) <= errors).all()
    assert (found == found.T).all()


def test_many_ranks_are_compared_in_product_form():
    """Vectors with the same places by chance differ as much as those of senses do."""
    chance = np.random.default_rng(0)
    common = np.log(np.arange(1, 90_001))
    orders = [np.argsort(common + chance.normal(0, 0.7, 90_000))[: 80_000 + k] for k in range(20)]
    signatures = [Signature(ranks_of(order.tolist(), 90_000)) for order in orders]
    found, errors = all_pairs((each.ranks for each in signatures), (20, 90_000))
    wanted = np.array([_weighted_overlaps(each, signatures) for each in signatures])
    assert (np.abs(found - wanted) < errors).all()
    assert errors.max() < 0.03


@given(st.integers(0, 2000), st.integers(1, 40))
def test_the_first_dimensions_have_ranks_of_their_own(zeros, kinds):
    generator = np.random.default_rng(zeros)
    weights = (10.0 ** -generator.integers(0, kinds, 4000)).astype(np.float32)
    weights[:zeros] = 0
    order = np.argsort(-weights, kind="stable")
    ranks, left = vector_ranks(weights), 4000 - zeros
    assert (np.isfinite(ranks) == (weights > 0)).all()
    first = min(1000, left)
    assert ranks[order[:first]].tolist() == list(range(1, first + 1))
    assert ranks[weights > 0].sum(dtype=np.float64) == pytest.approx(left * (left + 1) / 2)


ALL = [(1, None), (2, None), (2, 4)]
"""n and skip of GROUGE-1, -2 and -SU4."""
FORMS = "the officers policeman fired terminated job gun sterling boss".split()
TEXTS = st.lists(st.sampled_from(FORMS), max_size=8).map(lambda forms: plain(" ".join(forms)))


def plain(words: str) -> Words:
    """Words of any part of speech, but for ``the``."""
    return tuple(Word(word, "x" if word == "the" else "", word) for word in words.split())


@pytest.fixture(scope="module")
def ranks(tmp_path_factory: pytest.TempPathFactory) -> PageRanks:
    return PageRanks(tiny(tmp_path_factory.mktemp("wordnet")))


def score(
    ranks: PageRanks, measure: tuple[int, int | None], output: Words, reference: Words, beta: float
) -> float:
    """GROUGE with a weight for letters."""
    matches = [
        _gram_matches(output, reference, *measure, reader)
        for reader in (None, Alignment.of([output, reference], ranks))
    ]
    (letters, total), (senses, same) = matches
    assert total == same
    return (beta * letters + (1 - beta) * senses) / total if total else 0.0


def by_the_book_of_grouge(
    ranks: PageRanks,
    measure: tuple[int, int | None],
    output: Words,
    reference: Words,
    beta: float,
) -> float:
    """Equations 3.3 and 3.4, n-gram by n-gram."""
    alignment = Alignment.of([output, reference], ranks)

    def signature(words: Words, read: dict[Word, int | None]) -> Signature:
        open_words = [word for word in words if word.part != "x"]
        unknown = frozenset(word.form for word in open_words if read[word] is None)
        senses = {sense for word in open_words if (sense := read[word]) is not None}
        return alignment._signature((frozenset(senses), unknown))

    whole = signature(output, alignment.read(output, reference))
    read = alignment.read(reference, output)
    theirs, ours = (Counter(_grams_of(text, *measure)) for text in (reference, output))
    gained = sum(
        beta * min(count, ours[gram]) + (1 - beta) * weighted_overlap(whole, signature(gram, read))
        for gram, count in theirs.items()
    )
    if not theirs and ours:
        return 0.0
    return gained / theirs.total() if theirs else float(output == reference)


@given(TEXTS, TEXTS, st.sampled_from(ALL), st.sampled_from([0.0, 0.5, 0.9]))
@example(plain("officers"), plain("the officers"), (2, None), 0.0)
def test_all_are_equations_3_3_and_3_4(ranks, output, reference, measure, beta):
    wanted = by_the_book_of_grouge(ranks, measure, output, reference, beta)
    assert score(ranks, measure, output, reference, beta) == pytest.approx(wanted)
    assert 0 <= wanted <= 1 + 1e-9


@given(st.lists(TEXTS, min_size=2, max_size=4))
def test_company_does_not_matter(ranks, texts):
    together = Alignment.of(texts, ranks)
    alone = Alignment.of(texts[:2], ranks)
    for measure in ALL:
        here, there = (_gram_matches(*texts[:2], *measure, each) for each in (together, alone))
        assert here == pytest.approx(there)


@given(TEXTS, TEXTS)
def test_estimates_that_are_too_close_are_compared_exactly(ranks, first, second):
    aligned = Alignment.of([first, second], ranks)
    assert replace(aligned, errors=aligned.errors + 2, _readings={}).read(
        first, second
    ) == aligned.read(first, second)


@each_case(
    ("measures", "output", "reference", "wanted"),
    [
        (ALL, "", "gun job", 0.0),
        (ALL, "", "", 1.0),
        (ALL[1:2], "gun", "gun", 1.0),
        (ALL[1:2], "the gun", "gun", 0.0),
        (ALL[:1], "sterling", "sterling", 1.0),
    ],
)
def test_texts_without_n_grams_match_as_wholes(ranks, measures, output, reference, wanted):
    texts = plain(output), plain(reference)
    assert {score(ranks, measure, *texts, 0.5) for measure in measures} == {wanted}


@each_case(
    ("word", "part", "places"),
    [
        ("policeman", "n", "n3"),
        ("Policemen", "n", "n3"),
        ("axes", "n", "n7 n8"),
        ("officers", "n", "n4 n3"),
        ("boxesful", "n", "n11"),
        ("boss", "n", "n9"),
        ("fired", "v", "v1 v2"),
        ("finishes", "v", "v3"),
        ("quicker", "a", "a1"),
        ("faster", "r", "r1"),
        ("fires", "", "v1 v2"),
        ("", "", ""),
    ],
)
def test_words_are_looked_up_in_any_form(tmp_path, word, part, places):
    found = tiny(tmp_path)
    assert senses_of(word, found, part) == numbered(found, places)


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


def test_each_walk_is_equation_3_1(tmp_path, monkeypatch):
    found = tiny(tmp_path)
    seeds = list(range(len(found.synsets)))
    wanted = walked(found, np.eye(len(seeds)))
    ranks = PageRanks(found)
    ranks.walk(seeds)
    monkeypatch.setattr(PageRanks, "_walks", lambda *_: pytest.fail("they are kept"))
    assert np.allclose([ranks.weights(seed) for seed in seeds], wanted.T, atol=1e-6)


@given(questions=st.lists(st.lists(PLACES, max_size=4), max_size=6))
def test_what_was_asked_for_long_ago_is_walked_again(questions):
    found = of_pointers([(0, 1), (1, 2), (2, 3), (3, 4), (1, 4)])
    wanted, ranks = walked(found, np.eye(6)).T, PageRanks(found)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_MOST_KEPT", 3)
        for question in questions:
            ranks.walk(question)
            assert all(np.allclose(ranks.weights(each), wanted[each]) for each in question)
    assert sorted(ranks._places.values()) == list(range(len(ranks._places)))


def test_a_walk_from_several_synsets_is_the_mean_of_theirs(tmp_path):
    found = tiny(tmp_path)
    seeds = numbered(found, "n3 v2 v3")
    start = np.zeros(len(found.synsets))
    start[list(seeds)] = 1 / 3
    together = np.mean([*map(PageRanks(found).weights, seeds)], axis=0)
    assert np.allclose(together, walked(found, start), atol=1e-6)


def test_only_the_largest_dimensions_are_kept(tmp_path):
    found = tiny(tmp_path)
    [start] = numbered(found, "n3")
    whole = PageRanks(found).weights(start)
    order = np.argsort(-whole, kind="stable")
    assert order[0] == start
    for count in (1, 2, 5):
        kept = PageRanks(found, count).weights(start)
        assert np.flatnonzero(kept).tolist() == sorted(order[:count].tolist())
        assert (kept[order[:count]] == whole[order[:count]]).all()
