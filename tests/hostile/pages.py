"""Pages and names of files that want to stop weps, or to be forgotten by it."""

from __future__ import annotations

import gzip
import json
import os
import random
import socket
from contextlib import suppress
from pathlib import Path

from tests.hostile.sandbox import Place, Trial, command

IDENTIFIER = "Ann_Lee"
_LARGEST = 400_000
"""Characters of a page."""
_TOKENS = (
    *"< > & \" ' / = - @ . : ; # % ? ! \0 \x04 \x1b \r \t é İ ß \u202e \u0301 \u200b".split(" "),
    *"<div> </div> <p> <b><i> <a> <li> <table><tr><td> <select> <form> <svg> <math>".split(),
    *"<script> <style> <title> <textarea> <plaintext> <xmp> <noscript> <frameset>".split(),
    *"<!-- --> <!DOCTYPE <![CDATA[ <?xml <aaaa </ <p <x:y <a/href=x <br/ &#4; &#xD800;".split(),
    *"&amp &lt;b&gt; &nbsp; a@b. mailto: http:// https://a.b/ javascript: tel:+1 ../ %25".split(),
    *"Ann Lee A. L. Mr. Dr. Jr. von O' 1954- (555) 555-0199 $5 U.S.A. a.b.c 李安 أن www.".split(),
    *"<template> <iframe> &#x110000; \ufeff <h1> <dl><dt> <q> <sup> <ruby> <option>".split(),
    "Ann Lee ", ", ", ". ", "born 1954 ", "<a href='http://a.example/'>", " \n\t",
    "<base href='http://a.example/'>", "Ann  Lee\n\n", "<input value='Ann Lee'>",
    '<meta charset="utf-16">',
)  # fmt: skip
_CHARSETS = ("utf-8", "utf-16", "utf-16-le", "utf-32", "latin-1", "cp1252", "gb18030", "shift_jis",
             "iso2022_jp", "utf-7", "koi8-r", "big5", "euc-kr", "no-such-charset")  # fmt: skip
_GOOD = "<!doctype html><title>Ann Lee</title><p>Ann Lee is a {trade} in Port Merrow, born 1954."


def good_page(trade: str) -> bytes:
    return _GOOD.format(trade=trade).encode()


def amount(rng: random.Random, most: int) -> int:
    """A number from 1 to ``most``, of any order of magnitude."""
    return int(most ** rng.random())


def hostile_text(rng: random.Random, most: int = _LARGEST) -> str:
    """Runs of tokens, most of them short, one long."""
    parts = []
    for _ in range(rng.randint(1, 6)):
        run = "".join(rng.choices(_TOKENS, k=rng.randint(1, 3)))
        ending = rng.choice(("", "", run[::-1], ">", "</", "-->", "Ann Lee"))
        parts.append(run * amount(rng, max(1, most // (6 * len(run)))) + ending)
    return rng.choice(
        ("", "", "<!doctype html>", "<html><body>", "<title>Ann Lee</title>")
    ) + "".join(parts)


def mutated(rng: random.Random, data: bytes, times: int = 8) -> bytes:
    """Bytes with some cut, doubled, swapped or replaced."""
    made = bytearray(data)
    for _ in range(rng.randint(1, times)):
        if not made:
            break
        first = rng.randrange(len(made))
        last = min(len(made), first + amount(rng, max(1, len(made))))
        match rng.randrange(6):
            case 0:
                del made[first:last]
            case 1:
                made[first:first] = made[first:last][: 1 << 20]
            case 2:
                made[first] = rng.randrange(256)
            case 3:
                made[first:first] = rng.choice(_TOKENS).encode() * amount(rng, 1000)
            case 4:
                del made[first:]
            case _:
                made[first:first] = rng.randbytes(rng.randint(1, 16))
    return bytes(made)


def hostile_page(rng: random.Random) -> bytes:
    match rng.randrange(8):
        case 0:
            return mutated(rng, good_page("baker") * rng.randint(1, 50))
        case 1:
            return gzip.compress(hostile_text(rng).encode("utf-8", "replace"))
        case 2:
            return rng.randbytes(amount(rng, 100_000))
        case 3:
            head = f'<meta charset="{rng.choice(_CHARSETS)}">'
            charset = rng.choice(_CHARSETS[:-1])
            return (head + hostile_text(rng)).encode(charset, "replace")
        case _:
            return hostile_text(rng).encode("utf-8", "replace")


def folder_of_pages(place: Place) -> Path:
    """A folder with two pages that are as they should be."""
    folder = place.inputs / IDENTIFIER
    folder.mkdir()
    for number, trade in enumerate(("baker", "sailor"), start=1):
        (folder / f"{number:03}.html").write_bytes(good_page(trade))
    return folder


def clustered(place: Place, files: int) -> Trial:
    """``weps cluster`` of the inputs: all files are to be in the answer or among the unread."""

    def check(status: int) -> str:
        if status == 1 and "two files for rank" in (place.root / "told.txt").read_text():
            return ""  # documented: the user has to say which one it is
        if status:
            return f"one file stopped the name: exit status {status}"
        answer = json.loads((place.out / f"{IDENTIFIER}.json").read_bytes())
        pages = [page for person in answer["people"] for page in person["pages"]]
        told = len(pages) + len(answer.get("set_aside", ())) + len(answer.get("unread", ()))
        return f"{files - told} of {files} files are lost" if told < files else ""

    return command("cluster", place.inputs / IDENTIFIER, "--out", place.out, check=check)


def pages(rng: random.Random, place: Place) -> Trial:
    """Pages of hostile content beside two good ones."""
    folder, count = folder_of_pages(place), rng.randint(1, 4)
    for number in range(3, 3 + count):
        suffix = rng.choice((".html", ".html", ".htm", ".txt"))
        (folder / f"{number:03}{suffix}").write_bytes(hostile_page(rng))
    return clustered(place, 2 + count)


_PARTS = (
    *"con nul aux - -- --out ~ * ? : | $HOME `id` $(id) %2e%2e %00 \\ .. & ; ' \"".split(" "),
    *"\u202e é e\u0301 İ ﬁ 李 🂡 \u200b 001 1 00000000001 99999999999999999999 -1 1e9".split(" "),
    *"<script> a\nb \x1b[31m ² ٣ x. a.html. page.html.gz index results people".split(" "),
    "x" * 200, "é" * 120, " ", "  x ",
)  # fmt: skip


def _hostile_file_name(rng: random.Random) -> bytes:
    """The bytes of a name, at most 255, that is neither hidden nor a path."""
    stem = "".join(rng.choices(_PARTS, k=rng.randint(1, 3)))
    raw = stem.encode() + (rng.randbytes(3) if rng.random() < 0.2 else b"")
    suffix = rng.choice((b".html", b".htm", b".HTML", b".txt", b"", b".json", b".pdf", b".zip"))
    raw = raw.replace(b"/", b"_").replace(b"\0", b"_").lstrip(b".")[: 255 - len(suffix)] or b"x"
    return raw + suffix


def names(rng: random.Random, place: Place) -> Trial:
    """Names of files, and entries that are no files, beside two good pages."""
    folder, count = folder_of_pages(place), 2
    for _ in range(rng.randint(1, 6)):
        path = folder / os.fsdecode(_hostile_file_name(rng))
        if not os.path.lexists(path):
            count += _make_entry(rng, path, place)
    return clustered(place, count)


def _make_entry(rng: random.Random, path: Path, place: Place) -> bool:
    """Make something at a path; returns whether it is a page."""
    match rng.randrange(8):
        case 0:
            outside = (place.root / "secret.html", "/etc/passwd", "/dev/zero")
            path.symlink_to(rng.choice((*outside, path, ".", "..", "no/where")))
        case 1:
            os.mkfifo(path)
        case 2:
            path.mkdir()
        case 3:
            with socket.socket(socket.AF_UNIX) as there, suppress(OSError):
                there.bind(str(path))
        case 4:
            path.touch()
            os.truncate(path, amount(rng, 1 << 30))
        case _:
            path.write_bytes(good_page("tailor"))
            return path.suffix in {".html", ".htm", ".txt"}
    return False
