"""What the studies of measures do with their options, their source and their results."""

import pytest

from tests.eval.studies.made_up_scores import write

pytestmark = pytest.mark.slow

STUDIES = ("heterogeneity", "hbr", "improvements", "correlation", "regression", "qarla", "orange")


@pytest.mark.parametrize("study", STUDIES)
def test_the_source_is_not_written_over(study, tmp_path, weps):
    source = write(tmp_path / "matrix.csv")
    before = source.read_bytes()
    (tmp_path / "folder").mkdir()
    status, _, error = weps("meta", study, source, "--json", tmp_path / "folder/../matrix.csv")
    assert status == 1
    assert "this is the source already; choose another file with --json" in error
    assert source.read_bytes() == before


def test_two_results_are_not_written_into_one_file(tmp_path, weps):
    source, result = write(tmp_path / "matrix.csv"), tmp_path / "result"
    status, _, error = weps("meta", "hbr", source, "--json", result, "--out", result)
    assert status == 1
    assert "this is the file of --json already; choose another file with --out" in error
    assert not result.exists()


def test_links_that_lead_nowhere_are_an_error(tmp_path, weps):
    (tmp_path / "round.csv").symlink_to(tmp_path / "round.csv")
    status, _, error = weps("meta", "hbr", tmp_path / "round.csv")
    assert status == 1
    assert len(error.splitlines()) == 1


@pytest.mark.parametrize("study", ["heterogeneity", "hbr", "correlation"])
def test_quiet_leaves_out_the_tables(study, tmp_path, weps):
    source = write(tmp_path / "matrix.csv")
    whole, brief = (weps("meta", study, source, *quiet)[1] for quiet in ((), ("--quiet",)))
    assert "What holds here" in whole
    assert "What holds here" not in brief
    assert set(brief.splitlines()) < set(whole.splitlines())


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (("correlation", "--human", "topic"), "the column 'topic' holds no human scores"),
        (("correlation", "--measures", ","), "--measures: no measure is named"),
        (("improvements", "--scale", "0", "inf"), "a scale cannot go from 0 to inf"),
    ],
)
def test_what_cannot_be_done_is_refused(line, message, tmp_path, weps, monkeypatch):
    monkeypatch.chdir(tmp_path)
    study, *options = line
    status, _, error = weps("meta", study, write(tmp_path / "matrix.csv"), *options)
    assert status == 1
    assert message in error
    assert len(error.splitlines()) == 1
