from pathlib import Path

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

from eval.language.mixing import write_documents, write_syntax
from eval.language.readers import Sentence, annotated_document
from eval.language.training import as_in_use, recipe_settings, sentence_reader, train_parts
from tests.eval.language.made_up import write_data
from weps.errors import OutputError

NLP = spacy.blank("en")
SENTENCE = Sentence(
    ("Ada", "ca", "n't", "e-mail", "."),
    (True, False, True, False, True),
    entities=("B-PERSON", "O", "O", "", "O"),
)


def test_tokens_are_those_of_the_tokeniser_and_starts_are_preset() -> None:
    doc = as_in_use(NLP, annotated_document(NLP.vocab, [SENTENCE, SENTENCE]))
    once = ["Ada", "ca", "n't", "e", "-", "mail", "."]
    assert [token.text for token in doc] == once * 2
    assert [token.is_sent_start for token in doc] == [True, *[False] * 6] * 2


@given(st.lists(st.lists(st.from_regex(r"[^\s\x00]{1,8}", fullmatch=True), min_size=1), min_size=1))
def test_the_text_is_the_same_and_no_token_is_white(sentences: list[list[str]]) -> None:
    given_ = [Sentence(tuple(words), (True,) * len(words)) for words in sentences]
    gold = annotated_document(NLP.vocab, given_)
    doc = as_in_use(NLP, gold)
    assert doc.text == gold.text
    assert sum(bool(token.is_sent_start) for token in doc) == len(sentences)
    assert not any(token.is_space for token in doc)


def test_the_reader_pairs_gold_with_what_is_read(tmp_path: Path) -> None:
    write_documents([[SENTENCE]], tmp_path / "a.spacy")
    (example,) = sentence_reader(tmp_path / "a.spacy")(NLP)
    assert example.get_aligned_ner() == ["U-PERSON", "O", "O", None, None, None, "O"]


def test_the_recipes_tell_steps_and_seeds() -> None:
    assert set(recipe_settings()) == {"steps", "seeds"}
    assert recipe_settings(3)["steps"] == "syntax 3, entities 3"


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_training_that_stops_is_an_error_and_its_log_says_why(tmp_path: Path, jobs: int) -> None:
    write_syntax(write_data(tmp_path / "data", times=1), tmp_path / "syntax")
    (tmp_path / "syntax" / "train.spacy").write_bytes(b"damaged")
    with pytest.raises(OutputError, match="syntax and entities stopped"):
        train_parts(tmp_path, jobs, steps=1)
    assert "entities" in (tmp_path / "entities.log").read_text("utf-8")
