from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import eval.document as package
from eval.document import Document, write_document
from weps.errors import OutputError


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_every_public_name_exists():
    assert all(hasattr(package, name) for name in package.__all__)


def test_the_files_the_page_last(document, tmp_path):
    written = write_document(document, tmp_path / "a" / "b")
    names = ["curve.svg", "curve.png", "claims.csv", "claims.md", "index.md", "index.html"]
    assert written == [tmp_path / "a" / "b" / name for name in names]
    assert set(contents(tmp_path / "a" / "b")) == set(names)


def test_pictures_are_written_as_they_are(document, tmp_path):
    write_document(document, tmp_path)
    (figure, _) = document.figures()
    assert (tmp_path / "curve.svg").read_text("utf-8") == figure.picture.svg
    assert (tmp_path / "curve.png").read_bytes() == figure.picture.png


@pytest.mark.parametrize("which", ["document", "hostile"])
def test_the_same_document_gives_the_same_bytes(which, request, tmp_path):
    for folder in ("first", "second"):
        write_document(request.getfixturevalue(which), tmp_path / folder)
    assert contents(tmp_path / "first") == contents(tmp_path / "second")
    for name, data in contents(tmp_path / "first").items():
        if not name.endswith(".png"):
            assert data.decode("utf-8").endswith("\n")
            assert b"\r" not in data


def test_lone_surrogates_do_not_stop_a_document(document, tmp_path):
    odd = replace(document, title="A \ud800study", made="\udfff")
    assert b"<h1>A study</h1>" in write_document(odd, tmp_path)[-1].read_bytes()
    (section, *_) = document.sections
    (figure,) = section.figures
    drawn = replace(figure, picture=replace(figure.picture, svg="<svg>\ud800</svg>"))
    write_document(replace(document, sections=[replace(section, figures=[drawn])]), tmp_path)
    assert (tmp_path / "curve.svg").read_bytes() == b"<svg>?</svg>"


def test_a_bad_key_leaves_no_folder(document, tmp_path):
    (section, *_) = document.sections
    bad = replace(section, figures=[replace(section.figures[0], key="../curve")])
    with pytest.raises(OutputError, match=r"'\.\./curve' is no key"):
        write_document(replace(document, sections=[bad]), tmp_path / "out")
    assert contents(tmp_path) == {}


def test_a_file_where_the_folder_should_be(document: Document, tmp_path):
    (tmp_path / "out").write_bytes(b"kept")
    with pytest.raises(OutputError, match="is a file where a folder should be"):
        write_document(document, tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == b"kept"
