import json
from pathlib import Path

import pytest

from tests.cases import each_case
from tests.eval.cli.conftest import NAMES, mixed, results
from tests.eval.studies.made_up_people import outcome, person, refined, uniform
from weps_eval.key_terms.refinements import AGGREGATES, ATTRIBUTES, SIZES
from weps_eval.report.tables import DOES_NOT_HOLD, HOLDS, NOT_STUDIED, UNDECIDED
from weps_eval.studies.refinements import (
    BEST_ATTRIBUTE_COUNTS,
    BEST_ATTRIBUTE_SHARES,
    PEOPLE,
    PUBLISHED_MEANS,
    RefinedPeople,
)
from weps_eval.studies.running import study

__all__ = ["mixed", "results"]

pytestmark = pytest.mark.usefixtures("any_sample_size")

PRECISE = outcome(0.6, 1.0, 0.4)
PAPER = {
    "tokens": 0.95,
    "bigrams": 0.9,
    "trigrams": 0.8,
    "fourgrams": 0.7,
    "fivegrams": 0.6,
    "ner person": 0.7,
    "ae affiliation": PRECISE,
    "ae work": 0.3,
}
"""People for whom the paper concludes right, as far as one kind of person can tell."""
KEYS = (
    *("good", "perfect", "attributes", "always", "fewer", "precise", "recall", "affiliation"),
    *("single", "entities", "words", "lengths"),
)
"""Conclusions in their order."""


def words(found: RefinedPeople) -> dict[str, str]:
    judged = study("refinements", found).judged
    return {key: verdict.word for key, (_, verdict) in zip(KEYS, judged, strict=True)}


def with_parts(**changes: object) -> dict[str, object]:
    return PAPER | {kind.replace("_", " "): best for kind, best in changes.items()}


def test_what_holds_for_people_like_the_papers():
    found = words(uniform(PAPER))
    assert {name for name, word in found.items() if word != HOLDS} == {"always", "fewer", "single"}


@each_case(
    ("name", "found", "word"),
    [
        ("good", {"tokens": 0.84}, DOES_NOT_HOLD),
        ("good", {"tokens": 0.85}, HOLDS),
        ("perfect", {"tokens": 0.89}, DOES_NOT_HOLD),
        ("attributes", with_parts(ae_work=0.96), UNDECIDED),
        ("precise", with_parts(ae_work=outcome(0.7, 0.8, 0.6)), DOES_NOT_HOLD),
        ("recall", with_parts(ae_work=outcome(0.9, 1.0, 0.9)), DOES_NOT_HOLD),
        ("affiliation", with_parts(ae_work=0.7), DOES_NOT_HOLD),
        ("affiliation", with_parts(ae_work=PRECISE), UNDECIDED),
        ("single", PAPER, DOES_NOT_HOLD),
        ("single", with_parts(ae_work=PRECISE, ae_fax=PRECISE), HOLDS),
        ("entities", with_parts(ner_person=0.5), DOES_NOT_HOLD),
        ("words", with_parts(tokens=0.8, bigrams=0.8, ner_person=1.0), DOES_NOT_HOLD),
        ("lengths", with_parts(fivegrams=0.75), DOES_NOT_HOLD),
        ("lengths", with_parts(fivegrams=0.7), UNDECIDED),
    ],
)
def test_the_figures_decide(name, found, word):
    assert words(uniform(found))[name] == word


def test_some_cannot_use_attributes_and_fewer_of_those_with_one_page():
    none = {"ae work": None, "tokens": 1.0}
    people = [
        each
        for name in "ABC"
        for each in (
            person(none, 1, name),
            person(PAPER, 2, name),
            person(none, 2, name),
            person(PAPER, 3, name),
            person(PAPER, 3, name),
            person(none, 3, name),
        )
    ]
    found = words(refined(*people))
    assert (found["always"], found["fewer"]) == (HOLDS, HOLDS)


def test_one_name_decides_nothing_nor_does_what_was_not_studied():
    assert HOLDS not in words(uniform(PAPER, names=1)).values()
    found = words(uniform({"tokens": 1.0}))
    assert {name for name, word in found.items() if word == NOT_STUDIED} == {
        "attributes", "always", "fewer", "precise", "recall", "affiliation", "single", "entities"
    }  # fmt: skip


def test_sizes_and_kinds_are_ours():
    ours = {kind for kinds in AGGREGATES.values() for kind in kinds} | AGGREGATES.keys()
    assert tuple(PEOPLE) == tuple(PUBLISHED_MEANS) == tuple(BEST_ATTRIBUTE_COUNTS) == SIZES
    assert all(set(figures) == ours for figures in PUBLISHED_MEANS.values())


@each_case("size", SIZES)
def test_f_of_the_means_is_near_the_mean_of_f(size):
    """A misread digit would tear them apart; means of F are not F of means."""
    for found in PUBLISHED_MEANS[size].values():
        f, precision, recall, _ = found
        assert f == pytest.approx(2 * precision * recall / (precision + recall), abs=0.06)


@each_case("place", range(3))
def test_the_percentages_of_wins_are_whole_numbers_of_more_wins_than_people(place):
    total = list(BEST_ATTRIBUTE_COUNTS.values())[place]
    wins = [round(BEST_ATTRIBUTE_SHARES[kind][place] * total / 100) for kind in ATTRIBUTES]
    assert sum(wins) == total
    for kind, own in zip(ATTRIBUTES, wins, strict=True):
        assert BEST_ATTRIBUTE_SHARES[kind][place] == pytest.approx(100 * own / total, abs=0.006)
    size = SIZES[place]
    assert total > PEOPLE[size] * PUBLISHED_MEANS[size]["best-ae"][-1]


KINDS = {
    "tokens": outcome(0.95, 0.9, 1.0),
    "ae work": outcome(0.5, 1.0, 1 / 3),
    "ae fax": 0.5,
    "ae othername": 0.4,
    "suggested": outcome(0.9, text="York"),
    "name alone": 0.2,
}


def test_tables_stand_beside_those_of_the_paper():
    tables = {each.key: each for each in study("refinements", uniform(KINDS)).tables()}
    rows = {key: {row[0]: row[1:] for row in each.rows} for key, each in tables.items()}
    for key, kind, expected in (
        ("table-3", "tokens", "0.95 0.90 1.00 1.00 0.87 0.90 0.86 1.00"),
        ("table-3", "bigrams", "– – – – 0.79 0.95 0.70 1.00"),
        ("table-3", "ae othername", "0.40 1.00 1.00 1.00    "),
        ("table-6", "best-nl", "0.95 0.90 1.00 1.00 0.89 0.95 0.85 1.00"),
        ("table-7", "ae work", "50.00 50.00 50.00 3.23 8.38 8.56"),
    ):
        assert " ".join(rows[key][kind]) == expected
    assert tables["table-3"].note == "4 people here, 125 in the paper."
    assert "8, 8, 8 wins here, 711, 179, 187 in the paper" in tables["table-7"].note
    some = study("refinements", refined(person(KINDS), person({"tokens": 1.0}))).tables()
    (note,) = (each.note for each in some if each.key == "table-3")
    assert note.endswith("; attributes were annotated for the names of 1.")
    words_only = study("refinements", uniform({"tokens": 1.0})).tables()
    assert "table-7" not in {each.key for each in words_only}


TRADES = "oven", "keel"
STUDY = "--quiet", "study", "refinements"


@pytest.fixture
def trades(mixed: Path) -> Path:
    """The corpus of that name, with a word of their own for the baker and the sailor."""
    for file in (mixed / "tokens").iterdir():
        lines = [f"{rank:03}\t0\t{TRADES[rank % 2]} bread tide" for rank in range(1, 7)]
        file.write_text("\n".join(lines) + "\n")
    return mixed


@pytest.mark.slow
def test_a_corpus_of_word_lists(weps, trades, tmp_path):
    json_file, report = tmp_path / "study.json", tmp_path / "report"
    words = ("study", "refinements", trades, "--json", json_file)
    status, out, _ = weps(*words, "--report", report)
    assert status == 0
    assert "nearly the same" in out
    assert "Table 6: people with ≥3 pages" in out
    assert "Left out, because less than content words without case is available: ADA_LOVELL." in out
    assert "corpus:sha256-" in out
    assert (report / "index.html").stat().st_size > 10_000
    data = json.loads(json_file.read_text())
    assert (data["form"], data["names"]) == ("tokens", list(NAMES[1:]))
    assert {person["found"]["best-all"]["f"] for person in data["people"]} == {1.0}
    weps(*words)
    assert json.loads(json_file.read_text()) | {"made": data["made"]} == data


@pytest.mark.slow
def test_what_cannot_be_studied(weps, mixed, results):
    (mixed / "attributes").mkdir()
    (mixed / "attributes" / f"{NAMES[1]}.txt").write_text("1\twork\tx\nno rank\n")
    for words, message in (
        ((results,), "no name has the text of its pages"),
        ((mixed, "--form", "pages"), "no name has whole pages"),
        ((mixed,), f"{NAMES[1]}.txt, line 2: 'no rank' is not a rank"),
        ((mixed, "--json", results / "missing" / "study.json"), "no such folder"),
    ):
        status, _, err = weps(*STUDY, *words)
        assert status == 1
        assert message in err
