"""Forms of input, measured: ``python -m docs.benchmarks.formats words|folder|hostile``.

``words [N]`` makes files of every form of N real pages (WEPS_DATA), among them MHTML and PDF by
Chromium, which reaches no network, and compares their words with those of the HTML; those of PDF
also with what pdfium finds there, if pypdfium2 is installed. ``folder``
reads a folder of 1,000 mixed inputs. ``hostile`` reads files that want to occupy or fill the
machine, each in a process of its own.
"""

from __future__ import annotations

import base64
import gzip
import io
import json
import os
import plistlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from docs.benchmarks.cleaning import modern_pages
from weps._formatting import format_percentage
from weps._text import split_words
from weps.html.cleaning import clean_page
from weps.records import Page
from weps.report.view import unread_by_reason
from weps.sources.formats.pdf import MAX_SHEETS
from weps.sources.opening import open_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

SEED = 22
_BROWSER = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--blink-settings=scriptEnabled=false",
)


def real_pages(number: int) -> list[Page]:
    """Pages of WePS-1 and of the article extraction benchmark, half of each, with text."""
    data = Path(os.environ["WEPS_DATA"])
    files = sorted((data / "corpora/weps-1/training/web_pages").glob("*/raw/*/index.html"))
    old = [Page(0, content=file.read_bytes()) for file in files]
    modern, _ = modern_pages(data / "html/article-extraction-benchmark")
    pages = []
    for group in (old, modern):
        chosen = random.Random(SEED).sample(group, min(number, len(group)))  # noqa: S311 - a sample
        pages += [page for page in chosen if len(words(page)) >= 50][: number // 2]
    return pages


def words(page: Page) -> list[str]:
    """The words of a page as weps reads it."""
    return split_words("\n".join(clean_page(page).blocks))


def as_single_file(content: bytes, number: int) -> bytes:
    """A page of more than 3 MB with the comment of SingleFile and embedded fonts and pictures."""
    font = base64.b64encode(random.Random(number).randbytes(2_300_000)).decode()  # noqa: S311
    comment = (
        f"<!--\n Page saved with SingleFile \n url: https://site.example/{number} \n"
        " saved date: Mon Nov 03 2025 10:00:00 GMT+0100 (Central European Standard Time)\n-->"
    )
    style = f"<style>@font-face{{src:url(data:font/woff2;base64,{font})}}</style>"
    return f"<!DOCTYPE html>{comment}{style}".encode() + content


def as_warc(pages: Sequence[bytes]) -> bytes:
    """Pages as a compressed WARC, written by warcio."""
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=True)
    for number, content in enumerate(pages):
        head = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
        body = head.to_bytes() + content
        record = writer.create_warc_record(
            f"https://site.example/{number}",
            "response",
            payload=io.BytesIO(body),
            length=len(body),
        )
        writer.write_record(record)
    return out.getvalue()


def as_har(pages: Sequence[bytes]) -> bytes:
    """Pages as the exchanges of a HAR file."""
    entries = [
        {
            "startedDateTime": "2026-11-03T09:00:00.000Z",
            "_resourceType": "document",
            "request": {"method": "GET", "url": f"https://site.example/{number}"},
            "response": {
                "status": 200,
                "content": {
                    "mimeType": "text/html",
                    "text": base64.b64encode(content).decode(),
                    "encoding": "base64",
                },
            },
        }
        for number, content in enumerate(pages)
    ]
    return json.dumps({"log": {"version": "1.2", "entries": entries}}).encode()


def as_webarchive(content: bytes, number: int) -> bytes:
    """A page as Safari saves it."""
    main = {"WebResourceURL": f"https://site.example/{number}", "WebResourceData": content}
    return plistlib.dumps({"WebMainResource": main}, fmt=plistlib.FMT_BINARY)


def as_zip(files: dict[str, bytes]) -> bytes:
    """A ZIP archive of files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def browser_copies(
    pages: Sequence[bytes], *, printed: bool = True
) -> Iterator[tuple[bytes, bytes]]:
    """Each page as MHTML and as PDF, by Chromium; empty where it takes more than a minute."""
    driver = _started_browser()
    with tempfile.TemporaryDirectory() as folder:
        for number, content in enumerate(pages):
            file = Path(folder) / f"{number}.html"
            file.write_bytes(content)
            saved, sheets = "", ""
            try:
                driver.get(file.as_uri())
                saved = driver.execute_cdp_cmd("Page.captureSnapshot", {"format": "mhtml"})["data"]
                if printed:
                    sheets = driver.execute_cdp_cmd("Page.printToPDF", {})["data"]
            except Exception as error:  # noqa: BLE001 - the browser is at fault, whatever it is
                print(f"page {number}: {type(error).__name__}", file=sys.stderr)
                os.killpg(driver.service.process.pid, signal.SIGKILL)
                driver = _started_browser()
            yield saved.encode(), base64.b64decode(sheets)
    driver.quit()


def _started_browser() -> Any:
    from selenium import webdriver  # noqa: PLC0415 - only for these forms
    from selenium.webdriver.chrome.service import Service  # noqa: PLC0415

    options = webdriver.ChromeOptions()
    for option in _BROWSER:
        options.add_argument(option)
    service = Service("/usr/bin/chromedriver", popen_kw={"start_new_session": True})
    driver = webdriver.Chrome(options=options, service=service)
    driver.command_executor.client_config.timeout = 60
    return driver


def folders_of_forms(contents: Sequence[bytes]) -> dict[str, dict[str, bytes]]:
    """Form → the files that hold the pages in it, in their order."""
    copies = list(browser_copies(contents))
    pages = {f"{number:03}.html": content for number, content in enumerate(contents)}
    numbered = list(enumerate(contents))
    return {
        "WARC": {"a.warc.gz": as_warc(contents)},
        "WACZ": {
            "a.wacz": as_zip({"datapackage.json": b"{}", "archive/a.warc.gz": as_warc(contents)})
        },
        "HAR": {"a.har": as_har(contents)},
        "ZIP": {"a.zip": as_zip(pages)},
        "SingleFile": {f"{at:03}.html": as_single_file(page, at) for at, page in numbered},
        "web archive": {f"{at:03}.webarchive": as_webarchive(page, at) for at, page in numbered},
        "MHTML by Chromium": {
            f"{at:03}.mhtml": saved for at, (saved, _) in enumerate(copies) if saved
        },
        "PDF by Chromium": {
            f"{at:03}.pdf": sheets for at, (_, sheets) in enumerate(copies) if sheets
        },
    }


def measure_words(number: int) -> None:
    """Words kept by each form."""
    pages = real_pages(number)
    contents = [page.read_content() or b"" for page in pages]
    wanted = [Counter(words(page)) for page in pages]
    print(f"{len(pages)} pages, {sum(map(Counter.total, wanted)):,} words\n")
    print(f"{'form':20}{'MB':>8}{'pages':>7}{'kept':>9}{'median':>9}{'least':>9}{'ms/page':>9}")
    for form, files in folders_of_forms(contents).items():
        with tempfile.TemporaryDirectory() as place:
            for name, content in files.items():
                (Path(place) / name).write_bytes(content)
            started = time.perf_counter()
            found = open_source(place, "A Name").search("A Name").pages
            spent = time.perf_counter() - started
        alone = {int(Path(page.file).stem): page for page in found} if len(files) > 1 else {}
        read = {at: Counter(words(page)) for at, page in (alone or dict(enumerate(found))).items()}
        there = {int(Path(name).stem): name for name in files} if alone else range(len(pages))
        kept, all_words, shares = share_kept({at: wanted[at] for at in there}, read)
        print(
            f"{form:20}{sum(map(len, files.values())) / 1e6:>8.1f}{len(found):>7}"
            f"{format_percentage(kept / all_words, 2):>9}"
            f"{format_percentage(shares[len(shares) // 2]):>9}"
            f"{format_percentage(shares[0]):>9}{1e3 * spent / len(shares):>9.1f}"
        )
        if form.startswith("PDF") and find_spec("pypdfium2"):
            printed = {int(Path(name).stem): pdfium_words(file) for name, file in files.items()}
            bags = {at: Counter(each) for at, each in printed.items() if each}
            kept, all_words, _ = share_kept(bags, read)
            share = format_percentage(kept / all_words, 2)
            print(f"of the words that pdfium finds in the same PDF files: {share}")


def share_kept(
    wanted: Mapping[int, Counter[str]], read: Mapping[int, Counter[str]]
) -> tuple[int, int, list[float]]:
    """Words that were read, words that there are, and the share of each page, ascending."""
    kept = {at: (read.get(at, Counter()) & bag).total() for at, bag in wanted.items()}
    shares = sorted(kept[at] / bag.total() for at, bag in wanted.items())
    return sum(kept.values()), sum(map(Counter.total, wanted.values())), shares


def pdfium_words(file: bytes) -> list[str]:
    """The words that another reader finds in the first sheets of a PDF file."""
    import pypdfium2  # noqa: PLC0415 - no dependency of weps

    document = pypdfium2.PdfDocument(file)
    sheets = range(min(MAX_SHEETS, len(document)))
    texts = (document[sheet].get_textpage().get_text_bounded() for sheet in sheets)
    return split_words("\n".join(texts))


def measure_folder() -> None:
    """What is read of 1,000 mixed inputs."""
    contents = [page.read_content() or b"" for page in real_pages(400)]
    printed = [pdf for _, pdf in browser_copies(contents[:10])]
    saved = [mhtml for mhtml, _ in browser_copies(contents[:50], printed=False)]
    archive = as_warc(contents[100:120])
    picture = b"\x89PNG\r\n\x1a\n" + bytes(200)
    office = as_zip({"[Content_Types].xml": b"<Types/>", "word/document.xml": b"<w/>"})
    kinds: list[tuple[int, str, Callable[[int], bytes]]] = [
        (300, "page{}.html", lambda at: contents[at % len(contents)]),
        (50, "saved{}.mhtml", lambda at: saved[at]),
        (50, "print{}.pdf", lambda at: printed[at % len(printed)] + b"\n%" + str(at).encode()),
        (30, "single{}.html", lambda at: as_single_file(contents[at], at)),
        (10, "crawl{}.warc.gz", lambda at: as_warc(contents[10 * at : 10 * at + 10])),
        (10, "network{}.har", lambda at: as_har(contents[10 * at : 10 * at + 10])),
        (10, "packed{}.zip", lambda at: as_zip({"1.html": contents[at], "2.png": picture})),
        (10, "hits{}.csv", lambda at: f"url,title\nhttps://hit.example/{at},A hit".encode()),
        (20, "renamed{}.html", lambda at: saved[at]),
        (20, "raw{}.php", lambda at: b"<!DOCTYPE html>" + contents[at]),
        (200, "picture{}.png", lambda _: picture),
        (100, "letter{}.docx", lambda _: office),
        (50, "notes{}.md", lambda at: f"# Notes {at}".encode()),
        (40, "empty{}.pdf", lambda _: b""),
        (30, "scan{}.pdf", lambda _: b"%PDF-1.4\nno objects"),
        (20, "cut{}.warc.gz", lambda at: archive[: 1_000 + 500 * at]),
        (20, "noise{}.zip", lambda at: b"PK\x03\x04" + random.Random(at).randbytes(5_000)),  # noqa: S311
        (20, "broken{}.har", lambda _: b'{"log": {"entries": ['),
        (10, "style{}.css", lambda _: b"p { margin: 0 }"),
    ]
    with tempfile.TemporaryDirectory() as place:
        for number, name, make in kinds:
            for at in range(number):
                (Path(place) / name.format(at)).write_bytes(make(at))
        started = time.perf_counter()
        search = open_source(place, "A Name").search("A Name")
        spent = time.perf_counter() - started
        names = {file.name for file in Path(place).iterdir()}
    read = {Path(page.file).name for page in search.pages}
    told = {each.name.split("/")[0] for each in search.unread}
    print(f"{sum(number for number, *_ in kinds):,} files, {spent:.1f} s")
    print(f"{len(search.pages):,} pages from {len(read):,} files, {len(told):,} files told of,")
    print(f"{len(read & told):,} both, {len(names - read - told):,} neither:")
    for reason, files in unread_by_reason(search.unread).items():
        print(f"{len(files):>6}  {reason}")


def hostile_files() -> dict[str, Callable[[], bytes]]:
    """Name → what makes it."""
    gigabyte = 1 << 30
    head = "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\n"
    http = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
    zeros = bytes(gigabyte)

    def record(body: bytes) -> bytes:
        stated = f"Content-Type: application/http\r\nContent-Length: {len(body)}\r\n\r\n"
        return (head + stated).encode() + body + b"\r\n\r\n"

    def nested_mhtml() -> bytes:
        levels = (
            f'Content-Type: multipart/related; boundary="b{at}"\r\n\r\n--b{at}\r\n'
            for at in range(2_000)
        )
        return b"MIME-Version: 1.0\r\n" + "".join(levels).encode()

    def many_parts() -> bytes:
        top = 'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n'
        return (top + "\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>a" * 100_000).encode()

    return {
        "1 GB in a member of a ZIP": lambda: as_zip({"a.html": zeros}),
        "1 GB in a WARC page": lambda: gzip.compress(record(http.encode() + b"\r\n" + zeros)),
        "1 GB in a gzip body of it": lambda: record(
            f"{http}Content-Encoding: gzip\r\n\r\n".encode() + gzip.compress(zeros)
        ),
        "1 GB line in a WARC header": lambda: gzip.compress(head.encode() + zeros),
        "ZIP in ZIP in ZIP": lambda: as_zip({"b.zip": as_zip({"c.zip": as_zip({"a": zeros})})}),
        "100,000 members": lambda: as_zip({f"{at}.html": b"<p>a" for at in range(100_000)}),
        "MHTML nested 2,000 deep": nested_mhtml,
        "MHTML of 100,000 parts": many_parts,
        "HAR of 250 MB": lambda: b'{"log": {"entries": [' + b" " * 250_000_000,
        "HAR nested a million deep": lambda: b'{"log": {"entries": ' + b"[" * 1_000_000,
        "PDF of a million objects": lambda: b"%PDF-1.4\n" + b"1 0 obj\n<<>>\nendobj\n" * 1_000_000,
    }


def measure_hostile() -> None:
    """Time and memory of each."""
    print(f"{'file':30}{'MB':>8}{'s':>8}{'peak MB':>9}  what is told")
    for name, make in hostile_files().items():
        with tempfile.TemporaryDirectory() as place:
            path = Path(place) / "a.bin"
            path.write_bytes(make())
            size = path.stat().st_size / 1e6
            command = [sys.executable, "-m", "docs.benchmarks.formats", "read", str(path)]
            run = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
        told = json.loads(run.stdout)
        print(f"{name:30}{size:>8.1f}{told['s']:>8.1f}{told['mb']:>9.0f}  {told['what']}")


def read_one(path: str) -> None:
    """Read a file as a source and write time, peak memory above the start, and what was told."""
    before, started = _peak(), time.perf_counter()
    told: dict[str, Any] = {}
    try:
        search = open_source(path).search("a")
        reasons = "; ".join(each.reason for each in search.unread)
        told["what"] = f"{len(search.pages)} pages; {reasons}"
    except Exception as error:  # noqa: BLE001 - whatever it is, it is shown
        told["what"] = f"{type(error).__name__}: {str(error).partition(': ')[2]}"
    told |= {"s": time.perf_counter() - started, "mb": (_peak() - before) / 1024}
    print(json.dumps(told))


def _peak() -> int:
    """Peak memory of this process in kB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


def main() -> None:
    """Run what is asked for."""
    task, *rest = sys.argv[1:] or ["words"]
    if task == "read":
        read_one(rest[0])
    elif task == "hostile":
        measure_hostile()
    elif task == "folder":
        measure_folder()
    else:
        measure_words(int(rest[0]) if rest else 200)


if __name__ == "__main__":
    main()
