import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from eval.report.claims import VERDICT
from eval.report.render import as_html, write_document
from eval.studies.refinements.claims import assess_claims
from eval.studies.refinements.report import (
    Study,
    best_attributes_table,
    build_document,
    conclusions_table,
    hardest_table,
    kinds_tables,
    study_data,
    together_tables,
    typed_table,
)
from tests.eval.studies.refinements.made_up import findings, outcome, person, uniform
from weps.page_forms import PageForm

FOUND = uniform({"tokens": 1.0, "ae work": 0.5, "name alone": 0.1})


def study() -> Study:
    return Study(
        "WePS-2",
        PageForm.TOKENS,
        FOUND,
        assess_claims(FOUND),
        ["Known."],
        "signature",
        "weps study",
    )


def test_the_document_can_be_written(tmp_path):
    names = {path.name for path in write_document(build_document(study()), tmp_path)}
    assert names >= {"index.html", "conclusions.csv", "hardest.md", "typed.csv"}
    assert names >= {f"table-{number}.csv" for number in range(1, 8)}


def test_the_same_study_gives_the_same_document():
    assert as_html(build_document(study())) == as_html(build_document(study()))


def test_it_says_how_it_was_made():
    made = build_document(study())
    assert (made.signature, made.made) == ("signature", "weps study")
    assert "Known." in made.summary


def test_without_attributes_there_is_no_table_7():
    found = uniform({"tokens": 1.0})
    made = build_document(replace(study(), findings=found, verdicts=assess_claims(found)))
    assert "table-7" not in {table.key for table in made.tables()}


@pytest.mark.parametrize("form", [PageForm.PAGES, PageForm.TOKENS])
def test_what_differs_is_told(form):
    made = build_document(replace(study(), form=form))
    (data,) = (table for table in made.tables() if table.key == "data")
    told = {each[0]: each[1:] for each in data.rows}
    assert told["people with 1 page"] == ["4", "335"]
    assert told["people"] == ["12", "552"]
    assert told["attributes"][0].startswith("annotated for 4 of the names")


def test_verdicts_are_badges():
    table = conclusions_table(study())
    assert {each[1] for each in table.rows[1:]} <= {*VERDICT.marks, "not studied"}


def test_data_for_machines():
    data = study_data(study())
    assert data["figures"]["≥3"]["tokens"]["covered"] == 4
    assert data["figures"]["≥3"]["ae work"]["f"] == {"value": 0.5, "low": 0.5, "high": 0.5}
    assert data["people"][0]["found"]["ae work"]["f"] == 0.5
    assert len(data["conclusions"]) == 12


def test_what_is_not_known_is_null():
    found = uniform({"tokens": None})
    data = study_data(replace(study(), findings=found, verdicts=assess_claims(found)))
    assert data["figures"]["1"]["tokens"]["f"] == {"value": None, "low": None, "high": None}
    assert data["figures"]["1"]["tokens"]["coverage"]["value"] == 0
    assert "NaN" not in json.dumps(data)


FOUND_TABLES = {
    "tokens": outcome(0.95, 0.9, 1.0),
    "ae work": outcome(0.5, 1.0, 1 / 3),
    "ae fax": 0.5,
    "ae othername": 0.4,
    "suggested": outcome(0.9, text="York"),
    "name alone": 0.2,
}


def row(rows: Sequence[Sequence[str]], first: str) -> list[str]:
    (found,) = (list(each) for each in rows if each[0] == first)
    return found[1:]


def test_tables_1_to_3():
    tables = kinds_tables(uniform(FOUND_TABLES))
    assert [table.key for table in tables] == ["table-1", "table-2", "table-3"]
    rows = tables[2].rows
    assert row(rows, "tokens") == ["0.95", "0.90", "1.00", "1.00", "0.87", "0.90", "0.86", "1.00"]
    assert row(rows, "bigrams") == ["–"] * 4 + ["0.79", "0.95", "0.70", "1.00"]
    assert row(rows, "ae othername") == ["0.40", "1.00", "1.00", "1.00", "", "", "", ""]
    assert [each[0] for each in rows[1:4]] == ["ae affiliation", "ae award", "ae birthplace"]
    assert tables[2].note == "4 people here, 125 in the paper."


def test_people_of_names_without_attributes_are_told():
    table = kinds_tables(findings(person(FOUND_TABLES), person({"tokens": 1.0})))[2]
    assert table.note.endswith("; attributes were annotated for the names of 1.")


def test_tables_4_to_6():
    tables = together_tables(uniform(FOUND_TABLES))
    assert [table.key for table in tables] == ["table-4", "table-5", "table-6"]
    assert row(tables[2].rows, "best-nl")[:4] == ["0.95", "0.90", "1.00", "1.00"]
    assert row(tables[2].rows, "best-ner")[:4] == ["–"] * 4


def test_table_7():
    table = best_attributes_table(uniform(FOUND_TABLES))
    assert row(table.rows, "ae work") == ["50.00", "50.00", "50.00", "3.23", "8.38", "8.56"]
    assert row(table.rows, "ae award")[:3] == ["0.00"] * 3
    assert "8, 8, 8 wins here, 711, 179, 187 in the paper" in table.note


def test_what_somebody_could_type():
    rows = typed_table(uniform(FOUND_TABLES)).rows
    assert row(rows, "suggested, ≥3 pages")[-1].startswith("−0.050")
    assert row(rows, "best-all, 1 page")[-1] == ""
    assert [each[0] for each in rows[1:5]] == [
        "name alone, 1 page", "best-ae, 1 page", "suggested, 1 page", "best-all, 1 page"
    ]  # fmt: skip


def test_the_hardest_first():
    people = [
        person({"tokens": 1.0}, name="EASY_ONE"),
        person(FOUND_TABLES | {"tokens": outcome(0.6, text="plus")}, name="HARD_ONE"),
        person({"tokens": 0.1}, pages=1),
        person({"tokens": None}),
    ]
    heading, *rows = hardest_table(findings(*people)).rows
    assert [each[0] for each in rows] == ["HARD ONE", "EASY ONE"]
    told = dict(zip(heading, rows[0], strict=False))
    assert (told["best refinement"], told["F"], told["pages"]) == ("plus", "0.60", "3")
    assert rows[0][-2:] == ["York", "0.90"]
    assert rows[1][-4:] == [""] * 4


@pytest.mark.parametrize("most", [0, 1])
def test_only_so_many_of_the_hardest(most):
    assert len(hardest_table(uniform(FOUND_TABLES), most).rows) == 1 + most


def test_kinds_that_tie_share_their_ties():
    someone = person({"tokens": 0.9, "bigrams": 0.9, "trigrams": 0.8})
    heading, told = hardest_table(findings(someone)).rows
    assert told[heading.index("ties")] == "2"
