"""What is written of a study, and where."""

from argparse import Namespace
from pathlib import Path

import pytest

from weps.cli.options import check_outputs
from weps.errors import OutputError, ValuesError
from weps_eval.studies.running import study


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
