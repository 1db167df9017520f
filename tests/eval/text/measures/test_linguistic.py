"""Syntax, roles and entities of parsed texts: worked examples, and trees of any shape."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.eval.text.made_up_topic import topic
from weps.language.spacy_pipeline import BUILTIN_PIPELINE
from weps_eval.text.declaration import Measure, clipped_matches
from weps_eval.text.measures.linguistic import (
    ParsedWord,
    _head_chains,
    _phrase_labels,
    _subtrees,
    _typed_words,
    _verb_roles,
    _whole_entities,
    chain_precision,
    parse_texts,
)
from weps_eval.text.scoring import _measure_scores
from weps_eval.text.topic import TextTools, TopicTexts

SAT = ParsedWord("sat", "VERB", "root", 2, "VP", "")
CAT = ParsedWord("cat", "NOUN", "nsubj", 2, "NP", "")
THE_CAT = ((ParsedWord("the", "DET", "det", 1, "NP", ""), CAT, SAT),)
A_CAT = ((ParsedWord("a", "DET", "det", 1, "NP", ""), CAT, SAT),)
TYPES = ["relation", "head", "level", "tag", "chunk", "phrase", "all"]


def tree(heads):
    """A tree: each word hangs from an earlier one, or is a top itself."""
    return tuple(
        ParsedWord(
            "abc"[at % 3],
            ("NOUN", "VERB", "DET")[at % 3],
            ("nsubj", "obj", "case")[head % 3],
            min(head, at),
            "NP",
            "",
        )
        for at, head in enumerate(heads)
    )


TREES = st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=9).map(tree), max_size=3).map(
    tuple
)


@each_case(
    ("of", "expected"),
    [("form", (2 / 3 + 1 / 2 + 0 / 1) / 3), ("tag", 1), ("relation", 1)],
)
def test_chains_of_the_cat_and_a_cat(of, expected):
    output, reference = (_head_chains(text, 4, of) for text in (THE_CAT, A_CAT))
    assert chain_precision(output, reference) == pytest.approx(expected)
    assert chain_precision(output, reference, output) == 1, "the reference that has it most often"
    alone = _head_chains(((SAT._replace(head=0),),), 4, of)
    assert chain_precision(alone, output) == 1 / 3, "lengths that the output alone lacks count"


@each_case(
    ("by", "expected"),
    [
        ("relation", 3 / 9),  # nsubj: cat; root: cat, sat
        *(("head", 1 / 3), ("level", 3 / 9), ("tag", 2 / 4), ("chunk", 2 / 4), ("all", 2 / 4)),
        ("phrase", 3 / 7),  # NP: cat; S: cat, sat
    ],
)
def test_types_of_the_cat_and_a_cat(by, expected):
    overlap = clipped_matches(_typed_words(THE_CAT, by), _typed_words(A_CAT, by))
    assert overlap.jaccard == pytest.approx(expected)


@given(text=TREES, other=TREES)
def test_trees_of_any_shape(text, other):
    chains, levels = _head_chains(text, 9, "form"), _typed_words(text, "level")
    for length, counter in enumerate(chains, start=1):
        deep = sum(count for (level, _), count in levels.items() if level == length)
        assert counter.total() == deep, "a word n levels down begins a chain of n words"
    assert _typed_words(text, "relation").total() == levels.total()
    assert chain_precision(chains, chains) == 1
    assert 0 <= chain_precision(chains, _head_chains(other, 9, "form")) <= 1
    for by in TYPES:
        ours, theirs = _typed_words(text, by), _typed_words(other, by)
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


def sentence(*words):
    """Words from ``form TAG relation head``, and perhaps a kind of entity."""
    return tuple(
        ParsedWord(form, tag, relation, int(head), "", "".join(entity))
        for form, tag, relation, head, *entity in map(str.split, words)
    )


SOLD = sentence(
    "mills NOUN nsubj:pass 2",
    "were AUX aux:pass 2",
    "sold VERB ROOT 2",
    "by ADP case 4",
    "anna PROPN obl:agent 2 person",
    "lee PROPN flat 4 person",
    "in ADP case 7",
    "rome PROPN obl 2 location",
)
"""Mills were sold by Anna Lee in Rome."""


def test_phrases_are_projected_from_content_words():
    assert _phrase_labels(SOLD) == ["NP", "", "S", "", "PP", "NP", "", "PP"]
    assert [dict(each) for each in _subtrees((SOLD,), 3)] == [
        {"NP": 2, "S": 1, "PP": 2},
        {"(NP NOUN)": 1, "(NP PROPN)": 1, "(S NP AUX VERB PP PP)": 1}
        | {"(PP ADP PROPN NP)": 1, "(PP ADP PROPN)": 1},
        {
            "(S (NP NOUN) AUX VERB (PP ADP PROPN NP) (PP ADP PROPN))": 1,
            "(PP ADP PROPN (NP PROPN))": 1,
        },
    ]


@each_case(
    ("of", "verb", "expected"),
    [
        (
            "match",
            False,
            {("A1", ("mills",)), ("A0", ("by", "anna", "lee")), ("AM", ("in", "rome"))},
        ),
        ("roles", True, {("A1", "sold", ""), ("A0", "sold", ""), ("AM", "sold", "")}),
        (
            "words",
            False,
            {("A1", "mills"), ("A0", "by"), ("A0", "anna"), ("A0", "lee"), ("AM", "in")}
            | {("AM", "rome")},
        ),
    ],
)
def test_roles_are_read_off_the_relations_to_verbs(of, verb, expected):
    assert _verb_roles((SOLD,), of, verb=verb).keys() == expected


def test_active_and_passive_have_the_same_roles():
    active = sentence(
        "anna PROPN nsubj 1", "sold VERB ROOT 1", "mills NOUN obj 1", "here ADV advmod 1"
    )
    ours = _verb_roles((active,), "roles", verb=True)
    assert ours == _verb_roles((SOLD,), "roles", verb=True)


def test_neighbouring_words_of_a_kind_are_one_entity():
    assert _whole_entities((SOLD, SOLD)) == {("person", "anna", "lee"): 2, ("location", "rome"): 2}


@each_case(
    ("name", "expected"),
    [
        ("be", 2 / 4),  # sold–anna, sold–mills of also saw–bakers, saw–rome
        *(("be(relation=true)", 2 / 4), ("be(part=precision)", 1), ("cp_stm", 1), ("hwcm", 1)),
        ("ne_m", 1 / 2),  # Anna of Anna and Rome
        ("sr_o", 2 / 4),
        *(("sr_o(of=match)", 2 / 4), ("sr_o(of=roles)", 2 / 4), ("SR-Rv", 2 / 4)),
    ],
)
def test_an_output_that_is_half_of_the_reference(name, expected):
    made = topic(["Anna sold mills."], ["Anna sold mills. Bakers saw Rome."])
    (found,) = _measure_scores(Measure.parse(name), TopicTexts(made, TextTools()))
    assert found == pytest.approx(expected)


@given(text=TREES, other=TREES)
def test_what_a_text_shares_with_itself_is_all(text, other):
    trees = _subtrees(text, 5)
    assert chain_precision(trees, trees) == 1
    assert 0 <= chain_precision(trees, _subtrees(other, 5)) <= 1
    assert trees[0].total() == sum(bool(each) for one in text for each in _phrase_labels(one))
    words, whole = (_verb_roles(text, of, verb=False) for of in ("words", "match"))
    assert whole.total() == _verb_roles(text, "roles", verb=True).total() <= words.total()
