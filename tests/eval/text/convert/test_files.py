from pathlib import Path

import pytest

from eval.text.convert.files import lines_of, number_of, one_file, same_length
from weps.errors import SourceError, ValuesError


@pytest.mark.parametrize(
    ("raw", "lines"),
    [
        (b"a \r\n\n b\n", ["a", "", "b"]),
        (b"a", ["a"]),
        ("\ufeffä\u2028ö\n".encode(), ["ä\u2028ö"]),
        (b"", [""]),
    ],
)
def test_lines(tmp_path: Path, raw: bytes, lines: list[str]) -> None:
    (tmp_path / "a").write_bytes(raw)
    assert lines_of(tmp_path / "a") == lines


def test_text_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\xff")
    with pytest.raises(SourceError, match="not valid UTF-8"):
        lines_of(tmp_path / "a")


@pytest.mark.parametrize("cell", ["", "-", "nan", "inf", "1,5"])
def test_cells_without_a_finite_number(cell: str) -> None:
    with pytest.raises(ValuesError, match=r"a, line 2: expected a finite number"):
        number_of(cell, Path("a"), 2)


def test_one_file_of_a_pattern(tmp_path: Path) -> None:
    for name in ("a.de", "b.en", "c.en"):
        (tmp_path / name).touch()
    assert one_file(tmp_path, "*.de").name == "a.de"
    with pytest.raises(SourceError, match="2 files match"):
        one_file(tmp_path, "*.en")


def test_lengths() -> None:
    same_length(["a"], 1, Path("a"))
    with pytest.raises(ValuesError, match="a: there are 1 lines where 2 are expected"):
        same_length(["a"], 2, Path("a"))
