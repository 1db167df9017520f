"""A pipeline is trained and published."""

import json
from typing import Any

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.eval.language.made_up import write_data
from weps._files import resource_path
from weps.errors import OutputError
from weps_eval.language.accuracy import MICRO, Counts, folder_size
from weps_eval.language.publishing import (
    PipelineMeasurements,
    licence_note,
    model_card,
)
from weps_eval.language.readers import Sentence, annotated_document
from weps_eval.language.training import (
    as_in_use,
    recipe_settings,
    sentence_reader,
    train_parts,
    write_documents,
    write_syntax,
)

NLP = spacy.blank("en")
SENTENCE = Sentence(
    ("Ada", "ca", "n't", "e-mail", "."),
    (True, False, True, False, True),
    entities=("B-PERSON", "O", "O", "", "O"),
)


def test_tokens_are_those_of_the_tokeniser_and_starts_are_preset():
    doc = as_in_use(NLP, annotated_document(NLP.vocab, [SENTENCE, SENTENCE]))
    once = ["Ada", "ca", "n't", "e", "-", "mail", "."]
    assert [token.text for token in doc] == once * 2
    assert [token.is_sent_start for token in doc] == [True, *[False] * 6] * 2


@given(st.lists(st.lists(st.from_regex(r"[^\s\x00]{1,8}", fullmatch=True), min_size=1), min_size=1))
def test_the_text_is_the_same_and_no_token_is_white(sentences):
    given_ = [Sentence(tuple(words), (True,) * len(words)) for words in sentences]
    gold = annotated_document(NLP.vocab, given_)
    doc = as_in_use(NLP, gold)
    assert doc.text == gold.text
    assert sum(bool(token.is_sent_start) for token in doc) == len(sentences)
    assert not any(token.is_space for token in doc)


def test_the_reader_pairs_gold_with_what_is_read(tmp_path):
    write_documents([[SENTENCE]], tmp_path / "a.spacy")
    (example,) = sentence_reader(tmp_path / "a.spacy")(NLP)
    assert example.get_aligned_ner() == ["U-PERSON", "O", "O", None, None, None, "O"]


def test_the_recipes_state_steps_and_seeds():
    assert set(recipe_settings()) == {"steps", "seeds"}
    assert recipe_settings(3)["steps"] == "syntax 3, entities 3"


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_training_that_stops_is_an_error_with_its_reason_in_the_log(tmp_path, jobs):
    write_syntax(write_data(tmp_path / "data", times=1), tmp_path / "syntax")
    (tmp_path / "syntax" / "train.spacy").write_bytes(b"damaged")
    with pytest.raises(OutputError, match="syntax and entities stopped"):
        train_parts(tmp_path, jobs, steps=1)
    assert "entities" in (tmp_path / "entities.log").read_text("utf-8")


LAYERS = ("tags", "upos", "lemmas", "uas", "las", "noun_chunks")
MEASURED = PipelineMeasurements(
    syntax={"A test": dict(zip(LAYERS, (0.91, 0.92, 0.93, 0.84, 0.85, 0.86), strict=True))},
    entities={"B test": {"PERSON": Counts(3, 1, 1), MICRO: Counts(3, 1, 2)}},
    footprint={"lemmas": 20000.4, "memory": 118.2},
    size=13_400_000,
    words={"syntax": {"C train": 1200}, "entities": {"D": 30, "E": 4000}},
    circumstances={"date": "2020-01-02"},
)


def test_the_card_reports_what_was_measured():
    text = model_card(MEASURED)
    for fact in (
        "| A test | 0.910 | 0.920 | 0.930 | 0.840 | 0.850 | 0.860 |",
        "| B test | 0.75 / 0.75 / **0.750** | – | – | – | – | 0.75 / 0.60 / **0.667** |",
        "| lemmas | 20,000 |",
        "13.4 MB on disk; 118 MB resident",
        "1,200 words. C train 1,200.",
        "4,030 words. D 30; E 4,000.",
        "- date: 2020-01-02",
        "bad at",
    ):
        assert fact in text


SHIPPED = resource_path("language/weps_en")
CARD = (SHIPPED.parent / "README.md").read_text("utf-8")
META: dict[str, Any] = json.loads((SHIPPED / "meta.json").read_text("utf-8"))
MOST = 14_500_000


def test_the_pipeline_is_small_and_comes_with_its_licence():
    assert folder_size(SHIPPED) <= MOST
    assert f"{folder_size(SHIPPED) / 1e6:.1f} MB on disk" in CARD
    assert (SHIPPED.parent / "LICENSE.md").read_text("utf-8") == licence_note()


@each_case(("name", "performance"), META["performance"].items())
def test_card_and_pipeline_report_the_same_accuracy(name, performance):
    of_entities = name.endswith(" entities")
    (row,) = (
        line
        for line in CARD.splitlines()
        if line.startswith(f"| {name.removesuffix(' entities')} |") and ("/" in line) == of_entities
    )
    cells = row.split("**")[-2:-1] if of_entities else row.split("|")[2:-1]
    figures = [performance["micro"]] if of_entities else list(performance.values())
    assert list(map(float, cells)) == pytest.approx(figures, abs=0.0006)


def test_it_reads_a_plain_sentence():
    nlp = spacy.load(SHIPPED)
    doc = nlp("Thomas Baker studied chemistry in Paris .")
    assert [(ent.text, ent.label_) for ent in doc.ents] == [
        ("Thomas Baker", "PERSON"),
        ("Paris", "LOCATION"),
    ]
    assert (doc[2].lemma_, doc[2].dep_) == ("study", "ROOT")
    labels = "EVENT LOCATION ORGANISATION PERSON PRODUCT"
    assert sorted(nlp.get_pipe("ner").labels) == labels.split()  # type: ignore[attr-defined]
