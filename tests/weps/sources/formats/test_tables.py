"""Tables of pages are read alike, whatever they are written in."""

import csv
import gzip
import io
import json

import pytest

from tests.cases import each_case
from weps.errors import SourceError
from weps.html.cleaning import clean_page
from weps.sources.opening import open_source, read_pages

ROWS = [
    {"name": "Ann Lee", "url": "http://a.example/", "title": "Tides", "text": 'Ann Lee, "of" Ayr'},
    {"name": "Ann Lee", "url": "", "title": "", "text": "Ann Lee sails; she\nwrites."},
    {"name": "Bo Wu", "url": "http://b.example/", "title": "Rivers", "text": "Bo Wu – rivières"},
    {"name": "Ann Lee", "url": "http://c.example/", "title": "Nothing kept", "text": ""},
]


def separated(rows, delimiter=",", names=None):
    written = io.StringIO(newline="")
    writer = csv.writer(written, delimiter=delimiter)
    writer.writerow(names or rows[0])
    writer.writerows(row.values() for row in rows)
    return written.getvalue().encode("utf-8-sig")


def parquet(rows):
    arrow, tables = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    written = io.BytesIO()
    columns = {key: [row[key] for row in rows] for key in rows[0]} | {"other": [1] * len(rows)}
    tables.write_table(arrow.table(columns), written)
    return written.getvalue()


FORMS = {
    "csv": separated,
    "tsv": lambda rows: separated(rows, "\t"),
    "tab": lambda rows: separated(rows, "\t").decode("utf-8-sig").encode("utf-16"),
    "CSV": lambda rows: separated(rows).decode("utf-8-sig").encode("cp1252"),
    "parquet": parquet,
    "jsonl": lambda rows: "\n".join(json.dumps(row) for row in rows).encode(),
    "jsonl.gz": lambda rows: gzip.compress(FORMS["jsonl"](rows)),
    "csv.gz": lambda rows: gzip.compress(separated(rows)),
}


def pages_of(search):
    documents = [(page, clean_page(page)) for page in search.pages]
    return [(page.rank, page.url, page.title, each.blocks) for page, each in documents]


@each_case("form", FORMS)
def test_a_table_is_the_data_frame_of_its_rows_for_each_name(form, tmp_path):
    path = tmp_path / f"table.{form}"
    path.write_bytes(FORMS[form](ROWS))
    source = open_source(path)
    assert source.names == ("Ann_Lee", "Bo_Wu")
    for name in ("Ann Lee", "Bo Wu"):
        search = source.search(name)
        rows = [row for row in ROWS if row["name"] == name]
        expected, _ = read_pages(rows)
        assert (search.name, pages_of(search)) == (name, pages_of(expected))


def test_columns_are_known_by_name_and_mark_up_is_read_as_such(tmp_path):
    (tmp_path / "Ann Lee.csv").write_bytes(
        separated([{"": "<p>Ann <b>Lee</b>", "x": "Home"}], ";", [" HTML", "Title"])
    )
    (page,) = open_source(tmp_path / "Ann Lee.csv").search("Ann_Lee").pages
    assert (page.title, clean_page(page).blocks) == ("Home", ("Ann Lee",))


@each_case(
    "first",
    [
        '{"name": "Bo Wu", "url": "http://a.example", "text": null}',
        json.dumps({"text": "Bo Wu " * 2_000, "url": "http://a.example", "name": "Bo Wu"}),
        json.dumps({"name": "Bo Wu", "other": "x" * 9_000, "html": "<p>Bo Wu"}),
        '{"name": "Bo Wu", "title": "Bo Wu", "snippet": "of Merrow"}',
    ],
)
def test_a_row_of_any_order_length_and_content_begins_a_table(first, tmp_path):
    (tmp_path / "t.jsonl").write_text(f'{first}\n{{"name": "Ann Lee", "text": "Ann Lee"}}\n')
    assert open_source(tmp_path / "t.jsonl").names == ("Ann_Lee", "Bo_Wu")


def test_results_with_a_name_and_no_title_are_those_of_an_engine_that_names_pages(tmp_path):
    result = '{"name": "Home", "url": "http://a.example", "snippet": "Ann Lee"}'
    (tmp_path / "Ann Lee.jsonl").write_text(result)
    assert open_source(tmp_path / "Ann Lee.jsonl").names == ("Ann_Lee",)


def test_in_the_folder_of_a_name_all_rows_are_about_it(tmp_path):
    folder = tmp_path / "Cy Day"
    folder.mkdir()
    (folder / "table.csv").write_bytes(separated(ROWS))
    assert len(open_source(folder).search("Cy_Day").pages) == len(ROWS)


@each_case(
    ("content", "what"),
    [
        (b"name,text\n", "has no rows"),
        (b"name,text\nAnn Lee," + b"x" * 9_000_000, "damaged .field larger"),
    ],
)
def test_what_cannot_be_read_says_why(content, what, tmp_path):
    (tmp_path / "table.csv").write_bytes(content)
    usual = csv.field_size_limit()
    with pytest.raises(SourceError, match=what):
        open_source(tmp_path / "table.csv")
    assert csv.field_size_limit() == usual == 131_072  # programs have readers of their own


@each_case("line", ['{"name": "Ann Lee", "text"', '{"text": 3}'])
def test_a_damaged_table_is_told_and_does_not_hide_the_pages_beside_it(line, tmp_path):
    folder = tmp_path / "Ann Lee"
    folder.mkdir(exist_ok=True)
    (folder / "1.html").write_text("<p>Ann Lee")
    (folder / "table.jsonl").write_text(f'{{"name": "Ann Lee", "text": "Ann Lee"}}\n{line}\n')
    with pytest.raises(SourceError, match=r"damaged .(line 2|text of page 2): "):
        open_source(folder / "table.jsonl")
    search = open_source(folder).search("Ann_Lee")
    assert len(search.pages) == 1
    assert "damaged" in search.unread[0].reason
