from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from eval.report.document import Document, Figure, Section, Table, check
from weps.errors import OutputError

FOLDER = Path("out")


def with_parts(*parts: Figure | Table) -> Document:
    figures = [part for part in parts if isinstance(part, Figure)]
    tables = [part for part in parts if isinstance(part, Table)]
    return Document("t", (), [Section("s", (), figures, tables)], "", "")


def figure(key: str) -> Figure:
    return Figure(key, "", None)


def test_a_good_document_passes(document):
    check(document, FOLDER)


@pytest.mark.parametrize("key", ["a", "A1", "curves-of-tokens", "2009"])
def test_keys_of_letters_digits_and_hyphens(key):
    check(with_parts(figure(key)), FOLDER)


@pytest.mark.parametrize(
    "key", ["", ".", "a/b", "../a", "a b", "a_b", "é", "a.svg", "-a", "a-", "a\n", "<b>", "١"]
)
def test_other_keys_are_refused(key, table):
    for part in (figure(key), replace(table, key=key)):
        with pytest.raises(OutputError, match="is no key of a figure or table; use letters"):
            check(with_parts(part), FOLDER)


def test_a_key_names_one_thing(table):
    for twin in (figure("claims"), figure("Claims"), replace(table, title="another")):
        with pytest.raises(OutputError) as caught:
            check(with_parts(table, twin), FOLDER)
        expected = "out: two parts of the document have the key 'claims'; give each its own"
        assert str(caught.value) == expected


@pytest.mark.parametrize("key", ["index", "Index"])
def test_the_name_of_the_whole_is_taken(key):
    with pytest.raises(OutputError, match="two parts of the document have the key 'index'"):
        check(with_parts(figure(key)), FOLDER)


@pytest.mark.parametrize("rows", [[], [[]], [["a", "b"], ["c"]], [["a"], ["b", "c"]]])
def test_a_table_has_a_heading_and_rows_as_long(rows, table):
    with pytest.raises(OutputError, match="'claims' needs a heading, and rows as long as it"):
        check(with_parts(replace(table, rows=rows)), FOLDER)


def test_a_table_may_be_empty_below_its_heading(table):
    check(with_parts(replace(table, rows=[["a", "b"]])), FOLDER)
