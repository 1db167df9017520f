from pathlib import Path

import pytest

from eval.answers import read_answer, systems_in, unanswered
from weps.errors import SourceError
from weps.records import Clustering
from weps.sources import write_clustering

ANSWER = Clustering((frozenset({1, 2}), frozenset({3})))


def folder_of_answers(folder: Path, *names: str) -> Path:
    folder.mkdir(parents=True)
    for name in names:
        write_clustering(ANSWER, folder / f"{name}.clust.xml")
    return folder


def test_a_folder_of_answers_is_one_system(tmp_path: Path) -> None:
    folder = folder_of_answers(tmp_path / "mine", "Ada")
    assert systems_in(folder) == {"mine": folder}


def test_a_folder_of_folders_is_one_system_each(tmp_path: Path) -> None:
    for system in ("b", "a"):
        folder_of_answers(tmp_path / "runs" / system, "Ada")
    (tmp_path / "runs" / "notes").mkdir()
    assert list(systems_in(tmp_path / "runs")) == ["a", "b"]


def test_the_current_folder_has_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder_of_answers(tmp_path / "mine", "Ada"))
    assert list(systems_in(Path())) == ["mine"]


@pytest.mark.parametrize("folder", ["empty", "missing"])
def test_no_answers_is_an_error_that_says_what_to_give(tmp_path: Path, folder: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(SourceError, match=r"NAME\.clust\.xml"):
        systems_in(tmp_path / folder)


@pytest.mark.parametrize("suffix", [".clust.xml", ".xml"])
def test_answers_are_read_under_either_suffix(tmp_path: Path, suffix: str) -> None:
    write_clustering(ANSWER, tmp_path / f"Ada{suffix}")
    assert read_answer(tmp_path, "Ada") == ANSWER


def test_names_without_an_answer_are_known(tmp_path: Path) -> None:
    folder = folder_of_answers(tmp_path / "mine", "Ada")
    assert unanswered(folder, ["Ada", "Bea"]) == ["Bea"]
    assert read_answer(folder, "Bea") is None
