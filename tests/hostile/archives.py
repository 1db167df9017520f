"""Archives of pages and lists of results that want more than to be read."""

from __future__ import annotations

import gzip
import io
import json
import plistlib
import random
import zipfile
import zlib
from typing import Any

from tests.hostile.pages import (
    amount,
    clustered,
    folder_of_pages,
    good_page,
    hostile_page,
    hostile_text,
    mutated,
)
from tests.hostile.sandbox import Place, Trial, command
from tests.weps.sources.formats.made_files import (
    har,
    mhtml,
    opendocument,
    part,
    pdf,
    single_file,
    warc,
    word,
    zipped,
)

_BOMB = 200 << 20
"""Bytes that a small file inflates to."""
_ADDRESS = "http://a.example/"


def _valid_file(rng: random.Random) -> tuple[str, bytes]:
    """The suffix of a file, and its content as it should be."""
    page = good_page("cook")
    record = (_ADDRESS, 200, "text/html", page)
    return rng.choice(
        (
            (".zip", zipped({"1.html": page, "2.txt": b"Ann Lee"})),
            (".warc", warc(record, record, compressed=False)),
            (".warc.gz", warc(record)),
            (".har", har(record)),
            (".mhtml", mhtml(part("text/html", page.decode()), part("text/css", "p {}"))),
            (".pdf", pdf("Ann Lee cooks", "in Port Merrow")),
            (".html", single_file(page.decode())),
            (".docx", word("Ann Lee cooks")),
            (".odt", opendocument("Ann Lee cooks")),
            (".rtf", rb"{\rtf1\ansi\ansicpg1252 Ann Lee {\b cooks}\par caf\'e9}"),
            (".eml", b"From: a@b.example\nTo: c\nSubject: =?utf-8?q?Ann?=\n\nAnn Lee cooks\n"),
            (".webarchive", plistlib.dumps({"WebMainResource": {"WebResourceData": page}})),
            (".har.gz", gzip.compress(har(record))),
            (".wacz", zipped({"archive/a.warc.gz": warc(record), "pages/pages.jsonl": b"{}"})),
            (".csv", b"url,title,snippet\nhttp://a.example/,Ann,Ann Lee cooks\n" * 3),
            (".jsonl", b'{"url": "http://a.example/", "title": "Ann Lee"}\n' * 3),
            (
                ".html",
                b'<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DT><A HREF="http://a.example/">A</A>',
            ),
        )
    )


def _changed_file(rng: random.Random) -> tuple[str, bytes]:
    """Some bytes changed, or inside of what is compressed."""
    suffix, content = _valid_file(rng)
    if content.startswith(b"\x1f\x8b") and rng.random() < 0.5:
        return suffix, gzip.compress(mutated(rng, gzip.decompress(content)))
    return rng.choice((suffix, suffix, ".html", ".bin")), mutated(rng, content)


_FOLDERS = (*"||a/|../|../../out/|/tmp/|C:\\|a/../../|./|__MACOSX/|1_files/".split("|"), "x/" * 200)


def _hostile_zip(rng: random.Random) -> tuple[str, bytes]:
    into = io.BytesIO()
    inner = zipped({"1.html": good_page("smith")})
    with zipfile.ZipFile(into, "w", rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as made:
        for number in range(amount(rng, 300)):
            name = rng.choice(_FOLDERS) + rng.choice((f"{number}.html", "x.zip", "é\u202e.htm"))
            member = zipfile.ZipInfo(name, (rng.randint(1980, 2107), 1, 1, 0, 0, 0))
            link = rng.random() < 0.1
            member.external_attr = 0o120777 << 16 if link else 0
            content = rng.choice((good_page("cook"), b"", bytes(99), inner, b"<p>Ann Lee"))
            made.writestr(member, b"../../secret.html" if link else content)
        if rng.random() < 0.05:
            made.writestr("bomb.html", bytes(_BOMB), zipfile.ZIP_DEFLATED)
    return rng.choice((".zip", ".wacz", ".html")), into.getvalue()


def _hostile_warc(rng: random.Random) -> tuple[str, bytes]:
    """Lengths that are not those of the content, and codings that were not used."""
    lengths = ("-1", "0", "7", str(10**30), "abc", "", "1, 2")
    codings = ("chunked", "gzip", "br", "zstd", "deflate", "x", "gzip, br, gzip")
    made = b""
    for number in range(rng.randint(1, 5)):
        body = rng.choice((good_page("cook"), bytes(amount(rng, 10**6)), b"", hostile_page(rng)))
        names = rng.sample(("Content-Length", "Transfer-Encoding", "Content-Encoding"), 2)
        head = "".join(f"{name}: {rng.choice((*lengths, *codings))}\r\n" for name in names)
        kind = rng.choice(("text/html", "text/html; charset=x", "", "image/png", "a" * 9999))
        block = f"HTTP/1.1 {rng.choice((200, 404, 0))} OK\r\nContent-Type: {kind}\r\n{head}\r\n"
        content = block.encode() + body
        fields = {
            "WARC-Type": rng.choice(("response", "resource", "revisit", "x")),
            "WARC-Record-ID": f"<urn:x:{number}>",
            "WARC-Date": rng.choice(("2020-01-01T00:00:00Z", "x", "9999999")),
            "WARC-Target-URI": rng.choice((_ADDRESS, "x", "file:///etc/passwd", "http://[")),
            "Content-Type": "application/http; msgtype=response",
            "Content-Length": str(rng.choice((len(content), len(content), 0, 10**12, -3))),
        }
        made += b"WARC/1.0\r\n" + "".join(f"{k}: {v}\r\n" for k, v in fields.items()).encode()
        made += b"\r\n" + content + b"\r\n\r\n"
    return ".warc", gzip.compress(made) if rng.random() < 0.5 else made


HOSTILE_VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 1e308, 10**30, "", "x" * 100_000, "\0", "\ud800", "../../etc/passwd",
    "/dev/zero", "http://[", "javascript:alert(1)", [], {}, [[]] * 99, {"url": "x"}, "=1+1",
    "\u202e<script>", float("nan"), float("inf"), "9" * 5000,
)  # fmt: skip


def changed_value(rng: random.Random, value: Any, depth: int = 0) -> Any:
    """JSON with a value replaced, removed, doubled or nested somewhere in it."""
    inside = sorted(value) if isinstance(value, dict) else []
    if isinstance(value, list):
        inside = [*range(len(value))]
    if not inside or depth > 12 or rng.random() < 0.08:
        nested: Any = value
        for _ in range(rng.choice((0, 0, 3, 90))):
            nested = [nested] if rng.random() < 0.5 else {"results": nested}
        return rng.choice((*HOSTILE_VALUES, nested))
    chosen = rng.choice(inside)
    made: Any = dict(value) if isinstance(value, dict) else list(value)
    match rng.randrange(8):
        case 0:
            del made[chosen]
        case 1 if isinstance(made, list):
            made[chosen:chosen] = [made[chosen]] * amount(rng, 100)
        case 2 if isinstance(made, dict):
            made[rng.choice(("x", "", "name", "people", "\ud800"))] = made.pop(chosen)
        case _:
            made[chosen] = changed_value(rng, made[chosen], depth + 1)
    return made


def as_json(value: Any) -> bytes:
    return json.dumps(value).encode()


def _hostile_json(rng: random.Random) -> tuple[str, bytes]:
    """A HAR file or a list of results with other values."""
    name, content = rng.choice(
        (
            (".har", har((_ADDRESS, 200, "text/html", good_page("cook")))),
            (".json", as_json({"results": [{"url": _ADDRESS, "title": "Ann Lee"}] * 3})),
            (".json", as_json([_ADDRESS] * 3)),
        )
    )
    value = json.loads(content)
    for _ in range(rng.randint(1, 3)):
        value = changed_value(rng, value)
    number = rng.choice((b"9" * amount(rng, 200_000), b"1e99999999999999999999", b"200"))
    return name, as_json(value).replace(b"200", number, 1)


def _hostile_mhtml(rng: random.Random) -> tuple[str, bytes]:
    encodings = ("base64", "quoted-printable", "8bit", "binary", "x-uuencode", "")
    body = rng.choice((hostile_text(rng, 50_000), "<iframe src='cid:a'>" * amount(rng, 5_000)))
    made = mhtml(*(part("text/html", body, rng.choice(encodings)) for _ in range(amount(rng, 50))))
    if rng.random() < 0.3:  # a boundary that begins with itself, parts in parts
        made = made.replace(b"text/html", b'multipart/related; boundary="----Boundary--x----"')
    return ".mhtml", made


def _hostile_document(rng: random.Random) -> tuple[str, bytes]:
    """Text that nests, repeats or inflates in documents, and messages within messages."""
    many = amount(rng, 100_000)
    marks = (("<w:p><w:r>", "</w:r></w:p>"), ("<text:span>", "</text:span>"), ("&#65;", ""))
    start, end = rng.choice((*marks, ("Ann Lee ", ""), ("&x;", ""), (" " * 2_000, "")))
    text = start * many + "Ann Lee" + end * many
    group = rng.choice(
        (b"{\\b ", b"\\'e9", b"\\uc9999999\\u-9999 ", b"{\\fonttbl{\\f0\\fcharset9 x;}}")
    )
    nests = b"Subject: Ann\nContent-Type: message/rfc822\n\n"
    parts = b"--b\nContent-Type: text/html\n\n<p>Ann Lee\n"
    mixed = b"MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
    message = rng.choice(
        (nests * many, mixed + parts * many, b"X: y\n" * many, b" =?utf-8?q?A?=\n" * many)
    )
    return rng.choice(
        (
            (".docx", word(text)),
            (".odt", opendocument(text)),
            (".rtf", b"{\\rtf1 " + group * many + b"Ann Lee" + b"}" * many),
            (".eml", b"From: a@b.example\nTo: c\nSubject: Ann\n" + message + b"\nAnn Lee"),
        )
    )


def _hostile_pdf(rng: random.Random) -> tuple[str, bytes]:
    """Pages that are their own parents, streams that inflate, numbers that are none."""
    made = pdf(*["Ann Lee " * amount(rng, 1000)] * amount(rng, 60))
    changes = (
        (b"/Kids [3 0 R", b"/Kids [2 0 R 2 0 R"), (b"/Count ", b"/Count -9999999999"),
        (b"/Parent 2 0 R", b"/Parent 3 0 R"), (b"/Length ", b"/Length 99999999"),
        (b"startxref\n", b"startxref\n-"), (b"(Ann", b"<" * 9999 + b"(Ann"),
    )  # fmt: skip
    for old, new in rng.sample(changes, rng.randint(0, 3)):
        made = made.replace(old, new)
    if rng.random() < 0.2:
        bomb = zlib.compress(bytes(_BOMB))
        head = f"<< /Length {len(bomb)} /Filter /FlateDecode >>\nstream\n".encode()
        made = made.replace(b"<< /Title", b"<< /X 1 >>\nendobj\n4 0 obj\n" + head + bomb, 1)
    return ".pdf", made


def _hostile_list(rng: random.Random) -> tuple[str, bytes]:
    separator = rng.choice((",", ";", "\t", '","'))
    cells = (*'url title snippet =1 " \0 \u202e'.split(" "), _ADDRESS, "x" * 200_000, "", "\n")
    rows = "\n".join(
        separator.join(rng.choices(cells, k=rng.randint(1, 5))) for _ in range(amount(rng, 30))
    )
    text = f"url{separator}title\n{rows}"
    if rng.random() < 0.3:
        text = "".join(f"{_ADDRESS}{number}\n" for number in range(amount(rng, 300)))
    return rng.choice((".csv", ".tsv", ".txt", ".jsonl")), text.encode("utf-8", "replace")


_FORMS = (
    _hostile_zip, _hostile_warc, _hostile_json, _hostile_mhtml, _hostile_document, _hostile_pdf,
    _hostile_list,
)  # fmt: skip


def archives(rng: random.Random, place: Place) -> Trial:
    """Archives and lists beside two good pages."""
    folder, count = folder_of_pages(place), rng.randint(1, 3)
    for number in range(3, 3 + count):
        suffix, content = rng.choice((_changed_file, *_FORMS))(rng)
        (folder / f"{number:03}{suffix}").write_bytes(content)
    return clustered(place, 2 + count)


def archive_as_source(rng: random.Random, place: Place) -> Trial:
    """One archive that is the source itself, so that it may be refused."""
    suffix, content = rng.choice((_changed_file, *_FORMS))(rng)
    source = place.inputs / f"Ann_Lee{suffix}"
    source.write_bytes(content)
    return command("cluster", source, "--out", place.out)
