import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weps.html.unpack import MAX_BYTES, unpack

PAGE = b"<html><p>John Smith, baker of London"
HEADER = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=koi8-r\r\n\r\n"


@pytest.mark.parametrize(
    ("content", "data", "charset"),
    [
        (b"", b"", ""),
        (PAGE, PAGE, ""),
        (gzip.compress(PAGE), PAGE, ""),
        (HEADER + PAGE, PAGE, "koi8-r"),
        (HEADER.replace(b"\r\n", b"\n") + PAGE, PAGE, "koi8-r"),
        (HEADER + gzip.compress(PAGE), PAGE, "koi8-r"),
        (b"HTTP/ explained", b"HTTP/ explained", ""),
    ],
)
def test_wrappings_come_off(content: bytes, data: bytes, charset: str) -> None:
    body = unpack(content)
    assert (body.data, body.charset, body.note) == (data, charset, "")


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"%PDF-1.4 ...", "a PDF file"),
        (b"\n%PDF-1.4 ...", "a PDF file"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "an Office file"),
        (b"PK\x03\x04\x14", "an Office or zip file"),
        (b"\x89PNG\r\n", "an image"),
        (b"GIF89a", "an image"),
        (b"\xff\xd8\xff\xe0", "an image"),
        (bytes(range(256)) * 4, "binary data"),
        (gzip.compress(b"%PDF-1.4"), "a PDF file"),
        (b"\x1f\x8b" + b"no gzip at all", ""),
    ],
)
def test_what_is_no_page_is_named(content: bytes, kind: str) -> None:
    body = unpack(content)
    assert body.data == b""
    assert body.note == (f"not a web page but {kind}" if kind else "")


def test_a_long_page_is_cut_with_a_note() -> None:
    body = unpack(b"word " * MAX_BYTES)
    assert len(body.data) == MAX_BYTES
    assert "2,000,000" in body.note


def test_a_gzip_bomb_inflates_no_further_than_the_bound() -> None:
    body = unpack(gzip.compress(b"word " * 10 * MAX_BYTES))
    assert len(body.data) == MAX_BYTES
    assert "2,000,000" in body.note


def test_a_gzip_stream_cut_short_gives_what_it_has() -> None:
    whole = b"".join(b"line %d\n" % i for i in range(20_000))
    assert whole.startswith(unpack(gzip.compress(whole)[:20_000]).data[:1_000])
    assert len(unpack(gzip.compress(whole)[:20_000]).data) > 1_000


def test_layers_without_end_are_refused() -> None:
    content = PAGE
    for _ in range(9):
        content = gzip.compress(content)
    assert unpack(content).note == "not a web page but an archive"


@given(st.binary())
def test_never_fails(content: bytes) -> None:
    assert len(unpack(content).data) <= max(len(content), MAX_BYTES)
