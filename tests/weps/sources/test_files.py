import os
from pathlib import Path

import pytest

from weps.errors import KeyFileError, SourceError
from weps.sources.files import entries, read_bytes, standing


def test_entries_are_sorted_and_hidden_ones_left_out(tmp_path):
    for name in ("b", ".c", "a"):
        (tmp_path / name).write_bytes(b"")
    assert entries(tmp_path) == (tmp_path / "a", tmp_path / "b")


def test_a_folder_that_cannot_be_listed(tmp_path):
    with pytest.raises(SourceError, match="no: cannot be listed"):
        entries(tmp_path / "no")


def test_a_place_one_may_not_look_at_counts_as_there(tmp_path, monkeypatch):
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    assert standing([tmp_path / "no"]) is None
    (tmp_path / "file").write_bytes(b"")
    assert standing([tmp_path / "file" / "below", tmp_path / "file"]) == tmp_path / "file"
    monkeypatch.setattr(Path, "stat", refuse)
    assert standing([tmp_path / "no"]) == tmp_path / "no"


def test_reading_whole_files(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"x" * (1 << 20))
    assert len(read_bytes(path, 1 << 20, SourceError)) == 1 << 20
    path.write_bytes(b"x" * ((1 << 20) + 1))
    with pytest.raises(KeyFileError, match="a: is over 1 MB"):
        read_bytes(path, 1 << 20, KeyFileError)


def test_what_is_no_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "."):
        with pytest.raises(SourceError, match="is not a file"):
            read_bytes(tmp_path / name, 10, SourceError)
    with pytest.raises(SourceError, match="no: cannot be read"):
        read_bytes(tmp_path / "no", 10, SourceError)
