import json
from collections.abc import Sequence

from tests.eval.studies.refinements.made_up import findings, outcome, person, uniform
from weps_eval.report.claims import judge_claims
from weps_eval.report.document import Document, write_document
from weps_eval.report.tables import Table
from weps_eval.studies.base import Result
from weps_eval.studies.refinements.claims import CLAIMS, sample_size
from weps_eval.studies.refinements.findings import Findings
from weps_eval.studies.refinements.report import data, document, tables

KINDS = {
    "tokens": outcome(0.95, 0.9, 1.0),
    "ae work": outcome(0.5, 1.0, 1 / 3),
    "ae fax": 0.5,
    "ae othername": 0.4,
    "suggested": outcome(0.9, text="York"),
    "name alone": 0.2,
}
FOUND = uniform(KINDS)


def result(found: Findings) -> Result[Findings]:
    judged = judge_claims(CLAIMS, found, sample_size)
    return Result("WePS-2", found, judged, ["Known."], "signature", "weps study")


def table(key: str, made: Document | None = None) -> Table:
    (named,) = (each for each in (made or document(result(FOUND))).tables() if each.key == key)
    return named


def row(rows: Sequence[Sequence[str]], first: str) -> list[str]:
    (found,) = (list(each) for each in rows if each[0] == first)
    return found[1:]


def test_the_document_says_how_it_was_made(tmp_path):
    made = document(result(FOUND))
    assert (made.signature, made.made) == ("signature", "weps study")
    assert "Known." in made.summary
    names = {path.name for path in write_document(made, tmp_path)}
    assert names >= {"index.html", "conclusions.csv", "hardest.md", "typed.csv", "data.csv"}
    assert names >= {f"table-{number}.csv" for number in range(1, 8)}


def test_the_terminal_shows_tables_1_to_7_and_what_could_be_typed():
    numbered = [f"table-{number}" for number in range(1, 8)]
    assert [each.key for each in tables(FOUND)] == [*numbered, "typed"]
    without = [each.key for each in tables(uniform({"tokens": 1.0}))]
    assert without == [*numbered[:-1], "typed"]


def test_data_for_machines():
    found = data(result(FOUND))
    assert found["figures"]["≥3"]["tokens"]["covered"] == 4
    assert found["figures"]["≥3"]["ae work"]["f"] == {"value": 0.5, "low": 0.5, "high": 0.5}
    assert found["people"][0]["found"]["ae work"]["f"] == 0.5
    assert [*found["conclusions"][0]] == ["claim", "verdict", "n", "figures"]
    found = data(result(uniform({"tokens": None})))
    assert found["figures"]["1"]["tokens"]["f"] == {"value": None, "low": None, "high": None}
    assert found["figures"]["1"]["tokens"]["coverage"]["value"] == 0
    assert "NaN" not in json.dumps(found)


def test_tables_1_to_6():
    rows = table("table-3").rows
    assert row(rows, "tokens") == ["0.95", "0.90", "1.00", "1.00", "0.87", "0.90", "0.86", "1.00"]
    assert row(rows, "bigrams") == ["–"] * 4 + ["0.79", "0.95", "0.70", "1.00"]
    assert row(rows, "ae othername") == ["0.40", "1.00", "1.00", "1.00", "", "", "", ""]
    assert [each[0] for each in rows[1:4]] == ["ae affiliation", "ae award", "ae birthplace"]
    assert table("table-3").note == "4 people here, 125 in the paper."
    rows = table("table-6").rows
    assert row(rows, "best-nl")[:4] == ["0.95", "0.90", "1.00", "1.00"]
    assert row(rows, "best-ner")[:4] == ["–"] * 4
    some = document(result(findings(person(KINDS), person({"tokens": 1.0}))))
    assert table("table-3", some).note.endswith("; attributes were annotated for the names of 1.")


def test_table_7():
    rows = table("table-7").rows
    assert row(rows, "ae work") == ["50.00", "50.00", "50.00", "3.23", "8.38", "8.56"]
    assert row(rows, "ae award")[:3] == ["0.00"] * 3
    assert "8, 8, 8 wins here, 711, 179, 187 in the paper" in table("table-7").note
