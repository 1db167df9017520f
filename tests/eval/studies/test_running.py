"""What is written of a study, and where; the row that decides on a claim."""

from argparse import Namespace
from math import nan
from pathlib import Path

import pandas
import pytest

from tests.cases import each_case
from tests.eval.studies.made_up_scores import matrix
from weps.cli.options import check_outputs
from weps.errors import OutputError, ValuesError
from weps_eval.report.tables import DOES_NOT_HOLD, HOLDS, NOT_STUDIED, UNDECIDED
from weps_eval.stats import Estimate
from weps_eval.studies.frames import Frame, Frames, holds
from weps_eval.studies.running import study
from weps_eval.text.testbed import write_matrix


def options(**paths: Path) -> Namespace:
    return Namespace(**{"json": None, "report": None, **paths})


def test_results_are_written_into_files_of_their_own(tmp_path):
    source = tmp_path / "source.csv"
    source.touch()
    with pytest.raises(OutputError, match="this is the source already"):
        check_outputs(options(source=source, json=source))
    with pytest.raises(OutputError, match="this is the file of --json already"):
        check_outputs(options(json=tmp_path / "a", keep=tmp_path / "a"))
    with pytest.raises(OutputError, match="no such folder"):
        check_outputs(options(json=tmp_path / "missing" / "a"))
    check_outputs(options(source=source, json=tmp_path / "a", report=tmp_path / "made"))
    assert (tmp_path / "made").is_dir()


def test_an_unknown_study_is_an_error():
    with pytest.raises(ValuesError, match="there is no study 'oranges'"):
        study("oranges", "source.csv")


def test_a_matrix_and_a_data_frame_are_studied_like_their_file(tmp_path):
    made, path = matrix(), tmp_path / "table 1.csv"
    write_matrix(made, path)
    of_file = study("correlation", path).data()
    assert study("correlation", made).data() == of_file
    of_frame = study("correlation", pandas.read_csv(path)).data()
    assert of_frame["conclusions"] == of_file["conclusions"]
    (remark,) = study("correlation", [path, made]).data()["remarks"]
    assert remark.endswith("compared with those of table 2.csv.")
    with pytest.raises(ValuesError, match="unknown column 'topic'"):
        study("correlation", made.to_pandas().drop(columns="topic"))


LOW, HIGH = (0.1, 0.05, 0.15), (0.15, 0.1, 0.18)
OPEN, OVER, UNKNOWN = (0.3, 0.1, 0.5), (0.25, 0.22, 0.28), (0.1, nan, nan)


@each_case(
    ("shares", "word", "told"),
    [
        ([LOW], HOLDS, "10 % (5 to 15)"),
        ([LOW, HIGH], HOLDS, "15.0 % (10.0 to 18.0)"),
        ([HIGH, LOW], HOLDS, "15.0 % (10.0 to 18.0)"),
        ([LOW, OPEN, OVER], DOES_NOT_HOLD, "25.0 % (22.0 to 28.0)"),
        ([LOW, OPEN, UNKNOWN], UNDECIDED, "30 % (10 to 50)"),
        ([UNKNOWN, LOW], UNDECIDED, "10.0 %"),
        ([], NOT_STUDIED, ""),
    ],
)
def test_the_worst_row_decides(shares, word, told):
    frames = Frames({"shares": Frame({"share": [Estimate(*each) for each in shares]})}, {})
    verdict = holds("shares.share", "at most", 0.2, worst=True, percent=True)(frames)
    assert (verdict.word, verdict.figures) == (word, told)
    turned = Frame({"share": [Estimate(-mean, -high, -low) for mean, low, high in shares]})
    mirrored = holds("shares.share", "above 0", worst=True)(Frames({"shares": turned}, {}))
    assert mirrored.word == (DOES_NOT_HOLD if {LOW, HIGH, OPEN, OVER} & set(shares) else word)
