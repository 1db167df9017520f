"""Layers are annotated in processes and by the page; marks of sentences."""

from itertools import pairwise
from unittest.mock import patch

import numpy as np
import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st
from spacy.tokens import Doc

from tests.cases import each_case
from weps.errors import LanguageError
from weps.language import annotation as module
from weps.language.analysis import Layer
from weps.language.annotation import _read_sentences, annotate_pages, passage_documents

NLP = spacy.blank("en")
PROCESSED = [Layer.LEMMAS, Layer.PHRASES, Layer.ENTITIES, Layer.TAGS]
PAGE = ["Mary Vale saw mills in Rome !", "", "The  old\nmill burned"]
WORDS = st.sampled_from("Mary Vale Rome saw burned the old mill mills in , . ( 7 zebra".split())
PAGES = st.lists(st.lists(st.lists(WORDS, max_size=12).map(" ".join), max_size=4), max_size=4)


def plain(pages):
    return [{layer: list(marks) for layer, marks in page.items()} for page in pages]


def test_what_the_layers_find(pipeline):
    (page,) = plain(annotate_pages([PAGE], PROCESSED[:3], pipeline))
    phrases = {layer: [f"{at} {text}/{kind}" for at, text, kind in page[layer]] for layer in page}
    first = "mary/PROPN vale/PROPN see/VERB mill/NOUN in/ADP rome/PROPN".split()
    third = "the/DET old/ADJ mill/NOUN burn/VERB".split()
    assert phrases == {
        Layer.LEMMAS: [*(f"0 {each}" for each in first), *(f"2 {each}" for each in third)],
        Layer.PHRASES: ["0 Mary Vale/", "0 mills/", "0 Rome/", "2 The old mill/"],
        Layer.ENTITIES: ["0 Mary Vale/person", "0 Rome/location"],
    }


def test_tags_stand_on_words_as_written_and_on_punctuation(pipeline):
    (page,) = plain(annotate_pages([PAGE], [Layer.TAGS], pipeline))
    first = "Mary/PROPN Vale/PROPN saw/VERB mills/NOUN in/ADP Rome/PROPN".split()
    third = "The/DET old/ADJ mill/NOUN burned/VERB".split()
    tagged = [(at, f"{text}/{tag}") for at, text, tag in page[Layer.TAGS] if text != "!"]
    assert tagged == [*((0, each) for each in first), *((2, each) for each in third)]
    assert (0, "!") in [mark[:2] for mark in page[Layer.TAGS]]


def test_labels_of_other_pipelines_become_kinds(rules):
    labels = ["PER", "NORP", "GPE", "FAC", "ORG", "MISC", "WORK_OF_ART", "DATE", "EVT"]
    ((marks,),) = (
        page.values()
        for page in annotate_pages([["a " + " a ".join(labels)]], [Layer.ENTITIES], rules)
    )
    kinds = "person location location organisation product event".split()
    assert [kind for _, _, kind in marks] == kinds


def test_quantities_need_no_pipeline():
    (page,) = annotate_pages([["", "He paid $ 20."]], [Layer.QUANTITIES], "no such pipeline")
    assert set(page) == {Layer.QUANTITIES}
    assert {sentence for sentence, _, _ in page[Layer.QUANTITIES]} == {1}
    assert annotate_pages([PAGE, []], [], "no such pipeline") == [{}, {}]


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_missing_pipeline_is_an_error(jobs, monkeypatch):
    monkeypatch.setattr(module, "_FEWEST_CHARACTERS", 0)
    with pytest.raises(LanguageError):
        annotate_pages([PAGE, PAGE], PROCESSED, "no such pipeline", jobs)


@settings(max_examples=25)
@given(pages=PAGES)
def test_the_marks_of_a_page_depend_on_nothing_else(pipeline, pages):
    together = plain(annotate_pages(pages, PROCESSED, pipeline))
    assert together == [plain(annotate_pages([page], PROCESSED, pipeline))[0] for page in pages]
    assert together[::-1] == plain(annotate_pages(pages[::-1], PROCESSED, pipeline))


@settings(max_examples=25)
@given(pages=PAGES, layers=st.sets(st.sampled_from(PROCESSED)))
def test_the_marks_of_a_layer_do_not_depend_on_the_other_layers(pipeline, pages, layers):
    every = plain(annotate_pages(pages, PROCESSED, pipeline))
    some = plain(annotate_pages(pages, layers, pipeline))
    assert some == [{layer: page[layer] for layer in layers} for page in every]


def test_the_process_that_recognises_names_changes_nothing(monkeypatch):
    pages = [["Ann Lee left Leeds for \ud800 Rome.", ""], [], ["Lee lives in York."] * 5, [""]]
    monkeypatch.setattr(module, "_GROUP_CHARACTERS", 40)
    marked = plain(annotate_pages(pages, [Layer.ENTITIES]))
    assert [[*page[Layer.ENTITIES]] != [] for page in marked] == [True, False, True, False]
    assert plain(module._annotate_group(pages, frozenset({Layer.ENTITIES}), "weps_en")) == marked
    for second in OSError("no processes"), None, b"[]":  # what is found in part is not kept
        answers = [b"[[], []]", second, b"[[]]"]
        with patch.object(module.IsolatedWork, "__call__", side_effect=answers):
            assert plain(annotate_pages(pages, [Layer.ENTITIES])) == marked


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [2, -1])
def test_processes_change_nothing(pipeline, jobs, monkeypatch):
    monkeypatch.setattr(module, "_FEWEST_CHARACTERS", 0)
    pages = [PAGE[number % 3 :] * (1 + number) for number in range(9)]
    expected = plain(annotate_pages(pages, list(Layer), pipeline))
    assert plain(annotate_pages(pages, list(Layer), pipeline, jobs)) == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    "hostile",
    [
        "\x00\x01\x1b\x7f",
        "x" * 1_000_000,
        *(each * 5_000 for each in ("(", "a(b", "http://", "1-", "'s", "word ")),
        "😀👩‍👩‍👧" * 500,
        "\u202eשלום עולם\u202c مرحبا",
        "x" + "\u0301" * 5_000,
        "\ud800",
        "\u200b\ufeff \u2028",
        "\N{NO-BREAK SPACE}" * 100,
    ],
    ids=lambda text: f"{text[:4]!a} x {len(text)}",
)
def test_hostile_text_spoils_no_other_sentence(pipeline, hostile):
    (page,) = plain(annotate_pages([[PAGE[0], hostile, PAGE[2]]], PROCESSED, pipeline))
    texts = {
        at: [text for sentence, text, _ in page[Layer.LEMMAS] if sentence == at] for at in (0, 2)
    }
    assert [len(words) for words in texts.values()] == [6, 4]
    assert all({0, 2} <= {sentence for sentence, _, _ in page[layer]} for layer in PROCESSED[:2])


def test_a_page_on_which_the_pipeline_fails_lacks_its_layers(pipeline, monkeypatch):
    def passages(page, nlp, real=module.passage_documents):
        if page == ["poison"]:
            raise ValueError("[E999] the pipeline fails")
        return real(page, nlp)

    monkeypatch.setattr(module, "passage_documents", passages)
    before, failed, after = plain(annotate_pages([PAGE, ["poison"], PAGE], PROCESSED, pipeline))
    assert failed == {}
    assert before == after == plain(annotate_pages([PAGE], PROCESSED, pipeline))[0]


def test_the_vocabulary_does_not_grow(pipeline):
    vocabulary = module.prepare_pipeline(pipeline, frozenset(PROCESSED))[0].vocab
    before = len(vocabulary.strings)
    annotate_pages([[f"unheard{number} of" for number in range(100)]], PROCESSED, pipeline)
    assert len(vocabulary.strings) == before


def test_a_proper_noun_or_a_word_without_lemma_stands_in_lower_case():
    words, lemmas = ["Leeds", "mills", "Odd", "--"], ["Leed", "mill", "", "x"]
    doc = Doc(NLP.vocab, words, lemmas=lemmas, pos=["PROPN", "NOUN", "X", "X"])
    expected = [(0, "leeds", "PROPN"), (1, "mill", "NOUN"), (2, "odd", "X")]
    assert list(module._EXTRACT[Layer.LEMMAS](doc)) == expected


def test_the_embedded_pipeline_gives_every_layer():
    (page,) = annotate_pages([["Thomas Baker lived in Boston for two years."]], list(Layer))
    assert all([*page[layer]] for layer in Layer)
    assert (0, "live", "VERB") in page[Layer.LEMMAS]
    assert (0, "Thomas Baker", "") in page[Layer.PHRASES]
    assert (0, "Boston", "location") in page[Layer.ENTITIES]
    assert list(page[Layer.TAGS])[-2:] == [(0, "years", "NOUN"), (0, ".", "PUNCT")]


SENTENCES = st.lists(st.text("ab 1.,(\n\t\x00é😀\u202e", max_size=30), max_size=8)


@given(SENTENCES)
def test_every_token_keeps_its_sentence_whose_start_is_preset(sentences):
    found = [""] * len(sentences)
    for document, numbers in passage_documents(sentences, NLP):
        assert not any(token.is_space for token in document)
        changes = [True, *(a != b for a, b in pairwise(numbers))]
        assert [token.is_sent_start for token in document] == changes
        for token, number in zip(document, numbers, strict=True):
            found[number] += token.text
    assert found == ["".join(sentence.split()) for sentence in sentences]


@each_case(
    ("lengths", "expected"),
    [
        ([], []),
        ([0, 0], []),
        ([1000, 1000], [2000]),
        ([1000, 1000, 1], [2000, 1]),
        ([700, 700, 700], [1400, 700]),
        ([900, 0, 1101], [1900, 101]),
        ([5000], [2000, 2000, 1000]),
    ],
)
def test_passages_are_of_bounded_size(lengths, expected):
    found = passage_documents(["word " * length for length in lengths], NLP)
    assert [len(document) for document, _ in found] == expected


def test_long_sentences_and_words_are_cut_and_lone_surrogates_replaced():
    ((document, numbers),) = passage_documents(["word " * 1001], NLP)
    assert [token.i for token in document if token.is_sent_start] == [0, 500, 1000]
    assert set(numbers) == {0}
    ((document, _),) = passage_documents(["x" * 1001, "a \ud800 b"], NLP)
    assert [token.text for token in document] == ["x" * 500, "x" * 500, "x", "a", "?", "b"]


@each_case(
    ("mentions", "most", "expected"),
    [
        ([0, 0, 0, 1, 0, 0], 30, [0, 0, 1, 1, 1, 0]),
        ([1, 0, 0, 0, 0, 1], 40, [1, 1, 0, 0, 1, 1]),
        ([0, 0, 0, 0, 0, 0], 20, [1, 1, 0, 0, 0, 0]),
        ([0, 0, 1, 0, 0, 0], 60, [1, 1, 1, 1, 1, 1]),
        ([0, 0, 1, 0, 0, 0], 5, [0, 0, 0, 0, 0, 0]),
        ([0, 0, 0, 0, 0, 0, 1], 60, [1, 1, 1, 1, 1, 1, 0]),  # the last one is too long
    ],
)
def test_the_sentences_nearest_to_a_mention(mentions, most, expected):
    sizes = np.array([10, 10, 10, 10, 10, 10, 150][: len(mentions)])
    chosen = _read_sentences(sizes, np.array(mentions, dtype=bool), most)
    assert chosen.astype(int).tolist() == expected
