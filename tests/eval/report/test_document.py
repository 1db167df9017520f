from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from eval.report.document import Document, Figure, Section
from eval.report.tables import Table
from weps.errors import OutputError

FOLDER = Path("out")


def with_parts(*parts: Figure | Table) -> Document:
    figures = [part for part in parts if isinstance(part, Figure)]
    tables = [part for part in parts if isinstance(part, Table)]
    return Document("t", (), [Section("s", (), figures, tables)], "", "")


def figure(key: str) -> Figure:
    return Figure(key, "", None)


def test_a_good_document_passes(document):
    document.check_keys(FOLDER)


@pytest.mark.parametrize("key", ["a", "A1", "curves-of-tokens", "2009"])
def test_keys_of_letters_digits_and_hyphens(key):
    with_parts(figure(key)).check_keys(FOLDER)


@pytest.mark.parametrize(
    "key", ["", ".", "a/b", "../a", "a b", "a_b", "é", "a.svg", "-a", "a-", "a\n", "<b>", "١"]
)
def test_other_keys_are_refused(key, table):
    for part in (figure(key), replace(table, key=key)):
        with pytest.raises(OutputError, match="is not a key of a figure or table; use letters"):
            with_parts(part).check_keys(FOLDER)


def test_a_key_names_one_thing(table):
    for twin in (figure("claims"), figure("Claims"), replace(table, title="another")):
        with pytest.raises(OutputError) as caught:
            with_parts(table, twin).check_keys(FOLDER)
        expected = "out: two parts of the document have the key 'claims'; give each its own"
        assert str(caught.value) == expected


@pytest.mark.parametrize("key", ["index", "Index"])
def test_the_name_of_the_whole_is_taken(key):
    with pytest.raises(OutputError, match="two parts of the document have the key 'index'"):
        with_parts(figure(key)).check_keys(FOLDER)
