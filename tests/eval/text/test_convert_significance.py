"""Published tables of significant improvements."""

from pathlib import Path

import numpy as np
import pytest

from weps.errors import ValuesError
from weps_eval.text.convert import read_official

TABLE = """ Ann.3 B-1.0 HUMAN.0 Cy.12
Ann.3 - 0.02* 0.1** 0.3***
B-1.0 -0.02 - 0.08 0.2**
HUMAN.0 -0.1 -0.08 - 0.1*
Cy.12 -0.3 -0.2* -0.1 -
"""
SYSTEMS = ("Cyril", "B-1", "Ann", "Dora")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "ad-ranking-names.csv").write_text("71 0.1 90 Cy.12 Cyril\n70 0.1 90 Ann.3 Ann\n")
    (tmp_path / "table.csv").write_text(TABLE)
    return tmp_path / "table.csv"


def test_rows_improve_columns(table):
    found = read_official(table, SYSTEMS)
    assert found.systems == ("Cyril", "B-1", "Ann")
    assert found.unknown == ("HUMAN",)
    # Cyril improves B-1 by the test, though not by the mean.
    assert found.improves.tolist() == [
        [False, True, False],
        [True, False, False],
        [True, True, False],
    ]


def test_stars_may_be_more(table):
    assert np.argwhere(read_official(table, SYSTEMS, 3).improves).tolist() == [[2, 0]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TABLE.replace("B-1.0 -0.02", "B-2.0 -0.02"), "line 3: 'B-2.0 .*' is not the row"),
        (TABLE.replace(" 0.2**", ""), "line 3: .* is not the row"),
        (TABLE.replace("0.08 ", "0,08 "), "line 3: '0,08' is no difference with stars"),
        ("\n".join(TABLE.splitlines()[:3]), "there are 2 rows for 4 systems"),
        (TABLE + "Cy.12 - - - -\n", "line 6: .* is not the row"),
        (TABLE.replace("Ann.3", "Eve.3").replace("B-1.0", "Fay.0"), "knows 1 of the 4 systems"),
    ],
)
def test_faulty_tables_are_refused(table, text, message):
    table.write_text(text)
    with pytest.raises(ValuesError, match=message):
        read_official(table, SYSTEMS)


def test_the_published_table_of_tests(weps_data):
    path = weps_data / "text/wmt21_deen/humaneval/ad-DA-diff-wilcoxon-rs-deen.csv"
    found = read_official(path, ("happypoet", "NVIDIA-NeMo", "Borderline", "UF"), 1)
    assert set(found.unknown) >= {"HUMAN"}
    better = {
        (found.systems[row], found.systems[column])
        for row, column in zip(*found.improves.nonzero(), strict=True)
    }
    assert better >= {("Borderline", "NVIDIA-NeMo"), ("UF", "happypoet")}
    assert ("Borderline", "UF") not in better
