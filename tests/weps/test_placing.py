from __future__ import annotations

import os
from pathlib import Path

import pytest

from weps.errors import OutputError
from weps.placing import put_in_place


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_files_are_put_in_place_of_older_ones(tmp_path):
    (tmp_path / "a").write_bytes(b"old")
    put_in_place({tmp_path / "a": b"new", tmp_path / "b": b"\x00\r\n"})
    assert contents(tmp_path) == {"a": b"new", "b": b"\x00\r\n"}


def test_a_folder_that_is_missing(tmp_path):
    with pytest.raises(OutputError) as caught:
        put_in_place({tmp_path / "none" / "a": b""})
    assert str(caught.value) == (
        f"{tmp_path / 'none' / 'a'}: cannot be written (No such file or directory); "
        "choose a folder in which you may write, with enough room"
    )


@pytest.mark.parametrize("fails_at", [1, 2])
def test_what_was_there_stays_when_the_disk_is_full(fails_at, tmp_path, monkeypatch):
    really, calls = Path.write_bytes, []
    (tmp_path / "a").write_bytes(b"old")

    def fill_up(path: Path, data: bytes) -> int:
        calls.append(path)
        written = really(path, data[:1])
        if len(calls) == fails_at:
            raise OSError(28, "No more")
        return written

    monkeypatch.setattr(Path, "write_bytes", fill_up)
    with pytest.raises(OutputError, match=r"cannot be written \(No more\)"):
        put_in_place({tmp_path / "a": b"new", tmp_path / "b": b"new"})
    assert contents(tmp_path) == {"a": b"old"}


def test_a_killed_run_leaves_no_half_written_name(tmp_path, monkeypatch):
    def killed(_: Path, target: Path) -> None:
        raise KeyboardInterrupt(str(target))

    monkeypatch.setattr(Path, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        put_in_place({tmp_path / "a": b"new"})
    assert contents(tmp_path) == {}


def test_a_link_stays_and_what_it_leads_to_is_replaced(tmp_path):
    there, folder = tmp_path / "there", tmp_path / "links"
    folder.mkdir()
    there.write_bytes(b"old")
    (folder / "a").symlink_to(there)
    (folder / "b").symlink_to(tmp_path / "new")
    put_in_place({folder / "a": b"1", folder / "b": b"2"})
    assert all(link.is_symlink() for link in folder.iterdir())
    assert (there.read_bytes(), (tmp_path / "new").read_bytes()) == (b"1", b"2")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["links", "new", "there"]


def test_a_pipe_or_a_device_is_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "a")
    with pytest.raises(OutputError, match="is a device or a pipe"):
        put_in_place({tmp_path / "a": b""})
    assert [path.name for path in tmp_path.iterdir() if path.is_fifo()] == ["a"]
    assert len(list(tmp_path.iterdir())) == 1
