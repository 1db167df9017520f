"""The pipeline that is shipped is what its card says."""

import json
from typing import Any

import pytest
import spacy

from eval.language.footprint import size
from eval.language.licence import licence_note
from weps.resources import resource

SHIPPED = resource("language/weps_en")
CARD = (SHIPPED.parent / "README.md").read_text("utf-8")
META: dict[str, Any] = json.loads((SHIPPED / "meta.json").read_text("utf-8"))
MOST = 14_500_000


def test_the_pipeline_is_small() -> None:
    assert size(SHIPPED) <= MOST
    assert f"{size(SHIPPED) / 1e6:.1f} MB on disk" in CARD


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
