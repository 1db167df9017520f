import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

from eval.language.sentences import MISSING, OUTSIDE, Sentence, annotated, grouped, iob, recased

NAMED = Sentence(("Ada", "slept", "."), (True, False, False), entities=("B-PERSON", MISSING, "O"))
PARSED = Sentence(
    ("Ada", "slept"),
    (True, True),
    tags=("NNP", "VBD"),
    pos=("PROPN", "VERB"),
    lemmas=("Ada", "sleep"),
    heads=(1, 1),
    deps=("nsubj", "ROOT"),
)


def test_a_document_has_the_entities_and_sentences_of_its_parts() -> None:
    doc = annotated(spacy.blank("en").vocab, [NAMED, NAMED])
    assert doc.text == "Ada slept. Ada slept. "
    assert [token.is_sent_start for token in doc] == [True, False, False] * 2
    assert [(ent.text, ent.label_) for ent in doc.ents] == [("Ada", "PERSON")] * 2
    assert [token.ent_iob_ for token in doc] == ["B", "", "O"] * 2
    assert not doc.has_annotation("DEP")


def test_heads_are_counted_from_the_beginning_of_the_document() -> None:
    doc = annotated(spacy.blank("en").vocab, [PARSED, PARSED])
    assert [token.head.i for token in doc] == [1, 1, 3, 3]
    assert [sent.text for sent in doc.sents] == ["Ada slept", "Ada slept"]
    assert [token.lemma_ for token in doc] == ["Ada", "sleep"] * 2
    assert [token.tag_ for token in doc] == ["NNP", "VBD"] * 2
    assert not doc.has_annotation("ENT_IOB")


@given(st.lists(st.integers(1, 50), max_size=30), st.integers(1, 100))
def test_groups_keep_all_sentences_in_order(lengths: list[int], size: int) -> None:
    sentences = [Sentence(("a",) * length, (True,) * length) for length in lengths]
    groups = list(grouped(sentences, size))
    assert [each for group in groups for each in group] == sentences
    assert all(sum(len(each.words) for each in group[:-1]) < size for group in groups)


@pytest.mark.parametrize(
    ("spans", "tags"),
    [
        ([], ["O", "O", "O"]),
        ([(0, 1, "A")], ["B-A", "O", "O"]),
        ([(1, 3, "A")], ["O", "B-A", "I-A"]),
        ([(0, 1, "A"), (1, 3, "A")], ["B-A", "B-A", "I-A"]),
    ],
)
def test_spans_become_tags(spans: list[tuple[int, int, str]], tags: list[str]) -> None:
    assert iob(3, spans) == tags


def test_case_changes_words_only() -> None:
    assert recased(NAMED, str.upper).words == ("ADA", "SLEPT", ".")
    assert recased(NAMED, str.upper).entities == NAMED.entities
    assert OUTSIDE != MISSING
