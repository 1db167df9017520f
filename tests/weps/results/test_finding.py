from pathlib import Path

import pytest

from weps.errors import SourceError
from weps.results import find_result


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("Ann_Example", "Bob_Example"):
        for suffix in (".json", ".html", ".csv"):
            (tmp_path / f"{name}{suffix}").touch()
    (tmp_path / "changes.json").touch()
    return tmp_path


@pytest.mark.parametrize("suffix", [".json", ".html", ".csv", ".clust.xml", ".corrections.txt"])
def test_every_file_of_a_result_leads_to_it(folder, suffix):
    assert find_result(folder / f"Ann_Example{suffix}") == folder / "Ann_Example.json"


@pytest.mark.parametrize("name", ["Ann_Example", "ann example"])
def test_a_folder_has_the_result_of_a_name(folder, name):
    assert find_result(folder, name) == folder / "Ann_Example.json"


def test_the_only_result_of_a_folder_needs_no_name(folder):
    (folder / "Bob_Example.html").unlink()
    assert find_result(folder) == folder / "Ann_Example.json"


def test_of_several_results_one_must_be_chosen(folder):
    with pytest.raises(SourceError, match=r"2 names \(Ann_Example, Bob_Example\).*--name"):
        find_result(folder)


@pytest.mark.parametrize(("name", "message"), [("Ann Exampel", "did you mean"), ("Zoe", "no res")])
def test_a_name_that_is_not_there_is_told(folder, name, message):
    with pytest.raises(SourceError, match=message):
        find_result(folder, name)


def test_a_folder_without_results_is_told(tmp_path):
    with pytest.raises(SourceError, match="holds no results"):
        find_result(tmp_path)
