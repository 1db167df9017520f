from dataclasses import replace

import pytest

from eval.studies.base import Result
from eval.studies.hbr.findings import Findings, Settings, compute_findings
from eval.studies.hbr.report import document, tables
from tests.eval.studies.made_up_groups import grouped

NAMES = tuple(f"m{number}" for number in range(44))


@pytest.fixture(scope="module")
def findings() -> Findings:
    return compute_findings(grouped(NAMES, size=24), Settings(samples=200))


@pytest.mark.slow
def test_hbr_and_the_worst_are_never_left_out(findings: Findings) -> None:
    (table,) = tables(findings)
    made = document(Result("made up", findings, [], ["Known."], "signature", "weps"))
    (every,) = (each for each in made.tables() if each.key == "people-1")
    rows, all_rows = ([row[0] for row in each.rows[1:]] for each in (table, every))
    assert "HBR" in rows
    assert len(rows) <= 10
    assert sorted(all_rows) == sorted([*NAMES, "HBR"])
    assert rows[-1] == all_rows[-1]
    left_out = " measures between the last two rows are left out."
    assert [left_out in each.note for each in made.figures()] == [True, True, False]


def test_without_people_the_terminal_shows_the_best() -> None:
    source = replace(grouped(NAMES, size=24), quality={})
    predicted, systems = tables(compute_findings(source, Settings(samples=200)))
    assert predicted.title.endswith("the best 20 of 44")
    assert systems.title.endswith("the best 20 of 24")
    assert len(systems.rows) == 21
