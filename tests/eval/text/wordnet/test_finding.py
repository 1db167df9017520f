from pathlib import Path

import pytest

from eval.text.wordnet import finding, wordnet
from tests.eval.text.wordnet.database import SYNSETS, write
from weps.errors import SourceError


def test_a_folder_is_read(tmp_path: Path) -> None:
    assert len(wordnet(write(tmp_path)).synsets) == len(SYNSETS)


def test_the_first_place_that_has_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finding, "PLACES", (tmp_path / "none", write(tmp_path / "there")))
    assert len(wordnet().synsets) == len(SYNSETS)


def test_where_it_is_absent_the_remedy_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finding, "PLACES", (tmp_path / "none",))
    with pytest.raises(SourceError, match="not installed; install Debian's package wordnet-base"):
        wordnet()
