"""Answers that inflate to far more than was sent, and what a download of them costs in memory."""

import gzip
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import brotli
from backports import zstd

from tests.weps.web.loopback import reply
from weps.web.fetching import DownloadOptions

_STEP = 1 << 20


def _deflate(megabytes: int, wbits: int) -> bytes:
    packer = zlib.compressobj(wbits=wbits)
    return b"".join(packer.compress(bytes(_STEP)) for _ in range(megabytes)) + packer.flush()


def _brotli(megabytes: int) -> bytes:
    packer = brotli.Compressor(quality=4)
    return b"".join(packer.process(bytes(_STEP)) for _ in range(megabytes)) + packer.finish()


def _zstd(megabytes: int) -> bytes:
    packer = zstd.ZstdCompressor()
    return b"".join(packer.compress(bytes(_STEP)) for _ in range(megabytes)) + packer.flush()


BOMBS: dict[str, Callable[[int], bytes]] = {
    "gzip": lambda size: reply(_deflate(size, 31), Content_Encoding="gzip"),
    "deflate": lambda size: reply(_deflate(size, 15), Content_Encoding="deflate"),
    "br": lambda size: reply(_brotli(size), Content_Encoding="br"),
    "zstd": lambda size: reply(_zstd(size), Content_Encoding="zstd"),
    "gzip, gzip": lambda size: reply(
        gzip.compress(_deflate(size, 31)), Content_Encoding="gzip, gzip"
    ),
}
"""From megabytes to the answer, by content encoding."""

_MEASURE = """
import re, sys
from pathlib import Path
from tests.weps.web.loopback import Web, results
from weps.web.downloading import download_pages

def peak():
    # Not ru_maxrss, which begins with the peak of the process that started this one.
    return int(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024

web = Web(port=int(sys.argv[1]))
options = web.patient(page_bytes=int(sys.argv[3]))
folder = Path(sys.argv[2])
for _ in range(2):  # what every download needs, and every one that goes on from what is there
    download_pages(results("first.example/"), folder, options)
before = peak()
page = download_pages(results("bomb.example/"), folder, options).pages[-1]
print(peak() - before, page.status, page.length, page.note, sep="|")
"""


def measure_bomb(
    port: int, folder: Path, limit: int = DownloadOptions().page_bytes
) -> tuple[float, str, int, str]:
    """Download ``bomb.example/`` in a process of its own, under a limit of bytes; Linux alone.

    Returns:
        The peak of its memory above what ``first.example/`` needed in MB; status, length, note.
    """
    command = [sys.executable, "-c", _MEASURE, str(port), str(folder), str(limit)]
    root = Path(__file__).parents[3]
    run = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    megabytes, status, length, note = run.stdout.strip().split("|")
    return float(megabytes), status, int(length), note
