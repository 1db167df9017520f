from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.text.measures import senses as alignment
from eval.text.measures.senses import (
    Alignment,
    Signature,
    Word,
    Words,
    all_pairs,
    part_of_speech,
    sense_words_of,
    weighted_overlap,
    weighted_overlaps,
)
from eval.text.wordnet.pagerank import PageRanks, Vector
from tests.eval.text.wordnet.database import numbered, published, tiny
from weps.errors import ValuesError


def text(words: str) -> Words:
    """From ``officer/n fired/v``."""
    return tuple(Word(*word.split("/")) for word in words.split())


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


@pytest.mark.parametrize(
    ("first", "second", "wanted"),
    [
        ("officer/n", "policeman/n", "n3"),
        ("officer/n", "soldier/n", "n4"),
        ("fire/v", "gun/n", "v1"),
        ("fire/v", "job/n", "v2"),
        ("terminate/v", "job/n", "v2"),
        ("officer/n fire/v", "officer/n fire/v", "n4 v1"),
        ("officer/n", "", "n4"),
        ("officer/n", "the/x", "n4"),
    ],
)
def test_words_take_the_sense_next_to_the_other_text(
    tmp_path: Path, first: str, second: str, wanted: str
) -> None:
    found = tiny(tmp_path)
    places = [found.synsets[number] for number in numbered(found, wanted)]
    assert list(readings(PageRanks(found), first, second).values()) == places


def test_unknown_words_have_no_sense_and_closed_ones_no_reading(tmp_path: Path) -> None:
    found = readings(PageRanks(tiny(tmp_path)), "sterling/n fire/v the/x", "gun/n")
    assert list(found) == ["sterling", "fire"]
    assert found["sterling"] == ""


def test_texts_without_words_align(tmp_path: Path) -> None:
    assert Alignment.of([(), ()], PageRanks(tiny(tmp_path))).read((), ()) == {}


def test_texts_with_too_many_senses_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alignment, "_MOST_SENSES", 3)
    ranks = PageRanks(tiny(tmp_path))
    Alignment.of([text("officer/n gun/n")], ranks)
    with pytest.raises(ValuesError, match="have 4 senses, more than the 3"):
        Alignment.of([text("officer/n gun/n job/n")], ranks)


def test_the_example_of_the_paper() -> None:
    wordnet = published()
    found = readings(
        PageRanks(wordnet),
        "officer/n fire/v",
        "several/a policeman/n terminate/v corruption/n probe/n",
    )
    assert found["fire"] == wordnet.synsets[wordnet.senses["fire", "v"][3]]
    assert found["officer"] == wordnet.synsets[wordnet.senses["officer", "n"][2]]


ORDERS = st.lists(st.integers(0, 9), unique=True, max_size=7)
WORDS = st.frozensets(st.sampled_from("abc"), max_size=3)


def vector(order: list[int]) -> Vector:
    weights = np.arange(len(order), 0, -1, dtype=np.float32)
    return Vector(np.array(order, dtype=np.int32), weights)


def signature(order: list[int], unknown: str | frozenset[str] = "") -> Signature:
    return Signature(vector(order), frozenset(unknown))


SIGNATURES = st.builds(signature, ORDERS, WORDS)


def named(one: Signature, first: list[str]) -> list[str]:
    """All dimensions in their order, those words first that are said to be."""
    words = sorted(one.unknown, key=lambda word: (word not in first, word))
    return words + list(map(str, one.vector.synsets.tolist()))


def by_the_book(first: Signature, second: Signature) -> float:
    """Equation 3.2, word for word."""
    both = sorted(first.unknown & second.unknown)
    ours, theirs = named(first, both), named(second, both)
    shared = set(ours) & set(theirs)
    if not shared:
        return 0.0
    gained = sum(1 / (ours.index(name) + theirs.index(name) + 2) for name in shared)
    return gained / sum(1 / (2 * place) for place in range(1, len(shared) + 1))


@pytest.mark.parametrize(
    ("first", "second", "wanted"),
    [
        (signature([4, 7, 1]), signature([4, 7, 1]), 1.0),
        (signature([4, 7]), signature([7, 4]), (1 / 3 + 1 / 3) / (1 / 2 + 1 / 4)),
        (signature([4, 7]), signature([1, 7, 2]), (1 / 4) / (1 / 2)),
        (signature([4]), signature([7]), 0.0),
        (signature([]), signature([7]), 0.0),
        (signature([]), signature([]), 0.0),
        (signature([], "a"), signature([], "ab"), 1.0),
        (signature([4], "a"), signature([4], "b"), (1 / 4) / (1 / 2)),
        (signature([4]), signature([4], "b"), (1 / 3) / (1 / 2)),
        (signature([4], "ab"), signature([4], "b"), (1 / 2 + 1 / 5) / (1 / 2 + 1 / 4)),
    ],
)
def test_worked_examples(first: Signature, second: Signature, wanted: float) -> None:
    assert weighted_overlap(first, second) == pytest.approx(wanted)


@given(SIGNATURES, st.lists(SIGNATURES, max_size=4))
def test_all_are_equation_3_2(one: Signature, others: list[Signature]) -> None:
    wanted = [by_the_book(one, other) for other in others]
    assert weighted_overlaps(one, others) == pytest.approx(wanted)


@given(SIGNATURES, SIGNATURES)
def test_bounds_and_symmetry(first: Signature, second: Signature) -> None:
    found = weighted_overlap(first, second)
    assert 0 <= found <= 1
    assert weighted_overlap(second, first) == pytest.approx(found)
    empty = not first.unknown and not len(first.vector.synsets)
    assert weighted_overlap(first, first) == (0 if empty else 1)


@given(ORDERS, ORDERS, st.permutations(range(10)))
def test_numbers_are_but_names(first: list[int], second: list[int], others: list[int]) -> None:
    renamed = [signature([others[number] for number in order]) for order in (first, second)]
    assert weighted_overlap(*renamed) == pytest.approx(
        weighted_overlap(signature(first), signature(second))
    )


@given(st.lists(ORDERS, max_size=5))
def test_all_pairs_are_each_pair(orders: list[list[int]]) -> None:
    found = all_pairs([vector(order) for order in orders])
    wanted = [
        [weighted_overlap(signature(one), signature(other)) for other in orders] for one in orders
    ]
    assert found == pytest.approx(np.array(wanted).reshape(found.shape))
    assert (found == found.T).all()


@pytest.mark.parametrize(
    ("tag", "part"),
    [
        ("NOUN", "n"),
        ("PROPN", "n"),
        ("VERB", "v"),
        ("ADJ", "a"),
        ("ADV", "r"),
        ("NUM", ""),
        ("X", ""),
        ("AUX", "x"),
        ("DET", "x"),
        ("", "x"),
    ],
)
def test_tags_of_open_classes_have_parts(tag: str, part: str) -> None:
    assert part_of_speech(tag) == part
    assert Word("any", part).open == (part != "x")


def test_letters_are_the_stem_or_the_form_in_lower_case() -> None:
    assert Word("Fired").letters == "fired"
    assert Word("Fired", "v", "fire").letters == "fire"


def test_sentences_become_words() -> None:
    sentences = [["The", "Guns"], ["fired"]]
    assert sense_words_of(sentences) == (
        ("the", "", "the"),
        ("guns", "", "guns"),
        ("fired", "", "fired"),
    )
    tagged = sense_words_of(sentences, [["DET", "NOUN"], ["VERB"]], lambda word: word[:3])
    assert tagged == (("the", "x", "the"), ("guns", "n", "gun"), ("fired", "v", "fir"))
    assert sense_words_of([]) == ()


def test_tags_without_tokens_are_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        sense_words_of([["one"]], [["NUM", "NOUN"]])
