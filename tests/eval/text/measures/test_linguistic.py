"""Head-word chains, and words with their place in trees, chunks and entities."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from weps.language.spacy_pipeline import BUILTIN_PIPELINE
from weps_eval.text.declaration import clipped_matches
from weps_eval.text.measures.linguistic import (
    ParsedWord,
    chain_precision,
    head_chains,
    parse_texts,
    typed_words,
)

SAT = ParsedWord("sat", "VERB", "root", 2, "VP", "")
CAT = ParsedWord("cat", "NOUN", "nsubj", 2, "NP", "")
THE_CAT = ((ParsedWord("the", "DET", "det", 1, "NP", ""), CAT, SAT),)
A_CAT = ((ParsedWord("a", "DET", "det", 1, "NP", ""), CAT, SAT),)
ROME_SAT = ((ParsedWord("rome", "PROPN", "nsubj", 2, "NP", "location"), CAT, SAT),)
TYPES = ["relation", "head", "level", "tag", "chunk", "all"]


def sentence(heads):
    """A tree: each word hangs from an earlier one, or is a top itself."""
    return tuple(
        ParsedWord("abc"[at % 3], "XY"[at % 2], f"r{head % 2}", min(head, at), "NP", "")
        for at, head in enumerate(heads)
    )


TEXTS = st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=9).map(sentence), max_size=3).map(
    tuple
)


@each_case(
    ("of", "expected"),
    [("form", (2 / 3 + 1 / 2 + 0 / 1) / 3), ("tag", 1), ("relation", 1)],
)
def test_chains_of_the_cat_and_a_cat(of, expected):
    output, reference = (head_chains(text, 4, of) for text in (THE_CAT, A_CAT))
    assert chain_precision(output, reference) == pytest.approx(expected)
    assert chain_precision(output, reference, output) == 1, "the reference that has it most often"
    alone = head_chains(((SAT._replace(head=0),),), 4, of)
    assert chain_precision(alone, output) == 1 / 3, "lengths that the output alone lacks count"


@each_case(
    ("by", "expected"),
    [
        ("relation", 3 / 9),  # nsubj: cat; root: cat, sat
        *(("head", 1 / 3), ("level", 3 / 9), ("tag", 2 / 4), ("chunk", 2 / 4), ("all", 2 / 4)),
    ],
)
def test_types_of_the_cat_and_a_cat(by, expected):
    overlap = clipped_matches(typed_words(THE_CAT, by), typed_words(A_CAT, by))
    assert overlap.jaccard == pytest.approx(expected)


def test_entities():
    assert typed_words(ROME_SAT, "entity") == {("location", "rome"): 1}
    assert typed_words(ROME_SAT, "all").total() == 3
    assert not typed_words(THE_CAT, "entity")


@given(text=TEXTS, other=TEXTS)
def test_trees_of_any_shape(text, other):
    chains, levels = head_chains(text, 9, "form"), typed_words(text, "level")
    for length, counter in enumerate(chains, start=1):
        deep = sum(count for (level, _), count in levels.items() if level == length)
        assert counter.total() == deep, "a word n levels down begins a chain of n words"
    assert typed_words(text, "relation").total() == levels.total()
    assert chain_precision(chains, chains) == 1
    assert 0 <= chain_precision(chains, head_chains(other, 9, "form")) <= 1
    for by in TYPES:
        ours, theirs = typed_words(text, by), typed_words(other, by)
        overlap = clipped_matches(ours, theirs).jaccard
        assert 0 <= overlap == clipped_matches(theirs, ours).jaccard <= 1
        assert clipped_matches(ours, ours).jaccard == 1


def test_a_text_is_parsed():
    [text, empty] = parse_texts([["Anna Baker saw mills in Rome!", "?"], []], BUILTIN_PIPELINE)
    (words,) = text
    heads = {word.form: words[word.head].form for word in words}
    assert " ".join(heads.values()) == "saw anna saw saw rome " + heads["rome"]
    assert [word.chunk for word in words] == ["NP", "NP", "VP", "NP", "PP", "NP"]
    assert [word.entity for word in words][-1] == "location"
    assert empty == ()
