"""The runner of studies, on a study of nothing."""

import json
import sys
from argparse import Namespace
from pathlib import Path

import pytest

from weps._version import VERSION
from weps.cli.console import Console
from weps.errors import OutputError
from weps_eval.report.claims import HOLDS, Claim, SampleSize, Verdict, judge_claims
from weps_eval.report.document import Section
from weps_eval.report.tables import Column, Table
from weps_eval.studies.base import Result, Study, check_outputs, first_and, section_of

CLAIM: Claim[int] = Claim("it is so", "somebody", "always", lambda _: Verdict(HOLDS, "1"))
COLUMNS: list[Column[int]] = [Column("number", str, key="number")]


def table(rows: int) -> Table:
    return Table(f"numbers-{rows}", f"Numbers to {rows}", COLUMNS, range(rows))


def result(*claims: Claim[int]) -> Result[int]:
    judged = judge_claims(claims, 2, lambda _: SampleSize(10, 30, "villages", "huts"))
    return Result("made up", 2, judged, ["A remark."], "seed:0", "weps meta nothing", "villages")


STUDY = Study(
    lambda _: None,
    lambda *_: result(CLAIM),
    lambda findings: [table(findings), table(0)],
    lambda found: found.document("Nothing", ["Opening."], [Section("All", tables=[table(2)])]),
    lambda found: found.data(findings=found.findings),
)


def options(**paths: Path) -> Namespace:
    return Namespace(**{"json": None, "report": None, **paths})


def test_verdicts_come_first():
    made = STUDY.document(result(CLAIM))
    assert made.title == "Nothing on made up"
    assert [each.title for each in made.sections] == ["What holds here", "All"]
    assert (made.summary[0], made.summary[-1]) == ("Opening.", "A remark.")
    assert "are not reproduced" in made.summary[1]
    assert "villages" in next(made.tables()).note
    assert [each.title for each in STUDY.document(result()).sections] == ["All"]


def test_data_have_figures_between_how_they_were_made_and_verdicts():
    found = STUDY.data(result(CLAIM))
    assert list(found) == [
        "signature",
        "made",
        "source",
        "resampled",
        "remarks",
        "findings",
        "conclusions",
    ]
    assert [each["verdict"] for each in found["conclusions"]] == [HOLDS]


def test_the_first_few_and_those_that_must_be_there():
    assert first_and([4, 2, 0, 1, 3], 2, [1, 4]) == [4, 2, 1]
    assert first_and([4, 2], 5) == [4, 2]


def test_a_signature_is_one_line_without_what_is_unknown():
    line = Namespace(seed=0, line="weps")
    found = Result.of(line, 2, [], [], title="x", digest="table:1", level=None, most=3)
    assert found.signature == f"table:1|most:3|seed:0|weps:{VERSION}"


def test_tables_with_rows_and_verdicts_are_printed(capsys):
    assert STUDY.run(options(), Console()) == 0
    out = capsys.readouterr().out
    assert out.startswith("A remark.\n\nNumbers to 2\nnumber\n0\n1\n\nWhat holds here\n")
    assert out.endswith("\n\nseed:0\n")
    assert "Numbers to 0" not in out


def test_only_what_is_asked_for_is_written(tmp_path, capsys, monkeypatch):
    with monkeypatch.context() as without:  # templates are loaded for pages only
        without.setitem(sys.modules, "jinja2", None)
        STUDY.run(options(json=tmp_path / "n.json"), Console(quiet=True))
    assert json.loads((tmp_path / "n.json").read_text())["findings"] == 2
    STUDY.run(options(report=tmp_path / "made"), Console(quiet=True))
    assert capsys.readouterr().out.splitlines()[-1] == (
        f"report: {tmp_path / 'made' / 'index.html'}, with 5 files beside it"
    )


def test_results_are_written_into_files_of_their_own(tmp_path):
    source = tmp_path / "source.csv"
    source.touch()
    with pytest.raises(OutputError, match="this is the source already"):
        check_outputs(options(source=source, json=source))
    with pytest.raises(OutputError, match="this is the file of --json already"):
        check_outputs(options(json=tmp_path / "a", keep=tmp_path / "a"))


def test_a_section_without_rows_is_left_out():
    assert section_of("None", [table(0)], ()) is None
    section = section_of("Some", [table(0), table(1)], ())
    assert section is not None
    assert [each.key for each in section.tables] == ["numbers-1"]
