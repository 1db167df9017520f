"""The pipeline that is shipped is what its card says."""

import json
from typing import Any

import pytest
import spacy

from eval.language.accuracy import MICRO, Counts, folder_size
from eval.language.publishing import (
    LICENCE,
    SOURCES,
    PipelineMeasurements,
    licence_note,
    model_card,
)
from weps._files import resource_path

MEASURED = PipelineMeasurements(
    syntax={
        "A test": {
            "tags": 0.91,
            "upos": 0.92,
            "lemmas": 0.93,
            "uas": 0.84,
            "las": 0.85,
            "noun_chunks": 0.86,
        }
    },
    entities={"B test": {"PERSON": Counts(3, 1, 1), MICRO: Counts(3, 1, 2)}},
    footprint={"lemmas": 20000.4, "memory": 118.2},
    size=13_400_000,
    words={"syntax": {"C train": 1200}, "entities": {"D": 30, "E": 4000}},
    circumstances={"date": "2020-01-02"},
)


def test_the_card_tells_what_was_measured() -> None:
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


def test_tables_are_well_formed() -> None:
    tables = [line for line in model_card(MEASURED).splitlines() if line.startswith("|")]
    assert {line.count("|") for line in tables} == {8, 7 + 1, 3}


def test_the_licence_names_every_source_with_its_licence() -> None:
    text = licence_note()
    assert LICENCE in text
    for source in SOURCES:
        assert f"[{source.name}]({source.url})" in text
        assert source.licence in text


SHIPPED = resource_path("language/weps_en")
CARD = (SHIPPED.parent / "README.md").read_text("utf-8")
META: dict[str, Any] = json.loads((SHIPPED / "meta.json").read_text("utf-8"))
MOST = 14_500_000


def test_the_pipeline_is_small() -> None:
    assert folder_size(SHIPPED) <= MOST
    assert f"{folder_size(SHIPPED) / 1e6:.1f} MB on disk" in CARD


@pytest.mark.parametrize("name", [name for name in META["performance"] if "entities" not in name])
def test_card_and_pipeline_tell_the_same_of_syntax(name: str) -> None:
    (row,) = (
        line for line in CARD.splitlines() if line.startswith(f"| {name} |") and "/" not in line
    )
    figures = [float(cell) for cell in row.split("|")[2:-1]]
    assert figures == pytest.approx(list(META["performance"][name].values()), abs=0.0006)


@pytest.mark.parametrize("name", [name for name in META["performance"] if "entities" in name])
def test_card_and_pipeline_tell_the_same_of_entities(name: str) -> None:
    test = name.removesuffix(" entities")
    (row,) = (line for line in CARD.splitlines() if line.startswith(f"| {test} |") and "/" in line)
    micro = float(row.split("**")[-2])
    assert micro == pytest.approx(META["performance"][name]["micro"], abs=0.0006)


def test_the_licence_note_is_the_one_of_the_sources() -> None:
    assert (SHIPPED.parent / "LICENSE.md").read_text("utf-8") == licence_note()


def test_it_reads_a_plain_sentence() -> None:
    nlp = spacy.load(SHIPPED)
    doc = nlp("Thomas Baker studied chemistry in Paris .")
    assert [(ent.text, ent.label_) for ent in doc.ents] == [
        ("Thomas Baker", "PERSON"),
        ("Paris", "LOCATION"),
    ]
    assert [token.lemma_ for token in doc][2] == "study"
    assert [token.dep_ for token in doc][2] == "ROOT"
    assert set(nlp.get_pipe("ner").labels) == {  # type: ignore[attr-defined]
        "PERSON",
        "LOCATION",
        "ORGANISATION",
        "EVENT",
        "PRODUCT",
    }
