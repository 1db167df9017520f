from eval.language.accuracy import MICRO, Counts
from eval.language.card import Measured, card
from eval.language.licence import LICENCE, SOURCES, licence_note

MEASURED = Measured(
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
    text = card(MEASURED)
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
    tables = [line for line in card(MEASURED).splitlines() if line.startswith("|")]
    assert {line.count("|") for line in tables} == {8, 7 + 1, 3}


def test_the_licence_names_every_source_with_its_licence() -> None:
    text = licence_note()
    assert LICENCE in text
    for source in SOURCES:
        assert f"[{source.name}]({source.url})" in text
        assert source.licence in text
