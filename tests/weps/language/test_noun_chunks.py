"""Sentences are written ``word/POS/label/head``, the head as a position from 1 (0 is the root)."""

from itertools import pairwise

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import Doc

from weps.language.noun_chunks import noun_chunks

VOCABULARY = spacy.blank("en").vocab


def parsed(sentence: str) -> Doc:
    words, pos, deps, heads = zip(*(part.rsplit("/", 3) for part in sentence.split()), strict=True)
    positions = [int(head) - 1 if head != "0" else at for at, head in enumerate(heads)]
    return Doc(VOCABULARY, words, pos=list(pos), deps=list(deps), heads=positions)


def phrases(doc: Doc) -> list[str]:
    return [doc[begin:end].text for begin, end, _ in noun_chunks(doc)]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        pytest.param(
            "The/DET/det/3 old/ADJ/amod/3 mill/NOUN/nsubj/4 burned/VERB/root/0 ././PUNCT/punct/4",
            ["The old mill"],
            id="subject",
        ),
        pytest.param(
            "She/PRON/nsubj/2 lives/VERB/root/0 in/ADP/case/5 a/DET/det/5 barn/NOUN/obl/2",
            ["She", "a barn"],
            id="preposition stays outside",
        ),
        pytest.param(
            "Thomas/PROPN/nsubj/4 J./PROPN/flat/1 Baker/PROPN/flat:name/1 sings/VERB/root/0",
            ["Thomas J. Baker"],
            id="name continues to the right",
        ),
        pytest.param(
            "Efrem/PROPN/root/0 Jones/PROPN/flat/1 ,/PUNCT/punct/4 Jr./PROPN/nmod:desc/1"
            " ,/PUNCT/punct/6 mayor/NOUN/appos/1",
            ["Efrem Jones , Jr.", "mayor"],
            id="title after a comma, apposition apart",
        ),
        pytest.param(
            "Professor/NOUN/nmod:desc/2 Vale/PROPN/nsubj/3 taught/VERB/root/0 Greek/PROPN/obj/3",
            ["Professor Vale", "Greek"],
            id="title before",
        ),
        pytest.param(
            "the/DET/det/2 man/NOUN/nmod:poss/5 's/PART/case/2 big/ADJ/amod/5 house/NOUN/root/0",
            ["the man 's big house"],
            id="possessor inside",
        ),
        pytest.param(
            "John/PROPN/nmod:poss/5 of/ADP/case/3 Gaunt/PROPN/nmod/1 's/PART/case/1"
            " house/NOUN/root/0",
            ["John of Gaunt 's house"],
            id="the longer phrase stands",
        ),
        pytest.param(
            "cats/NOUN/nsubj/6 ,/PUNCT/punct/3 mice/NOUN/conj/1 and/CCONJ/cc/5 dogs/NOUN/conj/1"
            " sleep/VERB/root/0",
            ["cats", "mice", "dogs"],
            id="conjuncts apart",
        ),
        pytest.param(
            "black/ADJ/amod/4 and/CCONJ/cc/3 white/ADJ/conj/1 photographs/NOUN/root/0",
            ["black and white photographs"],
            id="conjuncts inside a modifier",
        ),
        pytest.param(
            "Is/AUX/cop/5 the/DET/det/3 woman/NOUN/nsubj/5 a/DET/det/5 doctor/NOUN/root/0",
            ["the woman", "a doctor"],
            id="subject is no modifier of the predicate noun",
        ),
        pytest.param(
            "not/ADV/advmod/4 the/DET/det/4 then/ADV/advmod/4 president/NOUN/root/0",
            ["the then president"],
            id="adverb inside, not at the edge",
        ),
        pytest.param(
            "a/DET/det/5 bold/ADJ/amod/5 ,/PUNCT/punct/4 new/ADJ/conj/2 plan/NOUN/root/0"
            " to/PART/mark/7 win/VERB/acl/5",
            ["a bold , new plan"],
            id="comma inside, clause outside",
        ),
        pytest.param(
            "both/CCONJ/cc:preconj/2 Rome/PROPN/root/0 and/CCONJ/cc/4 Athens/PROPN/conj/2",
            ["Rome", "Athens"],
            id="conjunctions outside",
        ),
        pytest.param(
            "web/NOUN/compound/3 site/NOUN/goeswith/1 design/NOUN/root/0 ,/PUNCT/punct/5"
            " Room/NOUN/appos/3 12/NUM/nummod/5",
            ["web site design", "Room 12"],
            id="compounds and numbers",
        ),
        pytest.param(
            '"/PUNCT/punct/2 Dusty/ADJ/amod/3 roads/NOUN/root/0 "/PUNCT/punct/3',
            ["Dusty roads"],
            id="no punctuation at the edges",
        ),
        pytest.param("run/VERB/root/0 fast/ADV/advmod/1", [], id="no nominal"),
    ],
)
def test_phrases(sentence: str, expected: list[str]) -> None:
    assert phrases(parsed(sentence)) == expected


def test_serves_as_syntax_iterator() -> None:
    doc = parsed("The/DET/det/2 mill/NOUN/nsubj/3 burned/VERB/root/0")
    doc.noun_chunks_iterator = noun_chunks
    assert [(span.text, span.label_) for span in doc.noun_chunks] == [("The mill", "NP")]


def test_reads_a_part_of_a_document() -> None:
    doc = parsed("She/PRON/nsubj/2 saw/VERB/root/0 a/DET/det/4 mill/NOUN/obj/2")
    assert [(begin, end) for begin, end, _ in noun_chunks(doc[2:4])] == [(2, 4)]


def test_needs_a_parse() -> None:
    with pytest.raises(ValueError, match="parsed"):
        list(noun_chunks(Doc(VOCABULARY, ["word"])))


LABELS = "det amod nummod compound flat nmod:poss case cc punct conj nsubj obl acl appos".split()


@st.composite
def trees(draw: st.DrawFn) -> Doc:
    """Any tree at all, as a bad parser would leave."""
    size = draw(st.integers(1, 12))
    order = draw(st.permutations(range(size)))
    heads = [0] * size
    for at, word in enumerate(order):
        heads[word] = order[draw(st.integers(0, at - 1))] if at else word
    pos = draw(st.lists(st.sampled_from(["NOUN", "PRON", "VERB", "DET"]), min_size=size))
    deps = draw(st.lists(st.sampled_from(LABELS), min_size=size))
    return Doc(VOCABULARY, ["w"] * size, pos=pos[:size], deps=deps[:size], heads=heads)


@given(trees())
def test_phrases_are_in_order_and_never_overlap(doc: Doc) -> None:
    found = [(begin, end) for begin, end, _ in noun_chunks(doc)]
    assert all(0 <= begin < end <= len(doc) for begin, end in found)
    assert all(end <= begin for (_, end), (begin, _) in pairwise(found))
