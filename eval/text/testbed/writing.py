"""Testbeds to files, put in place whole or not at all."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

from eval.text.testbed.records import Testbed
from weps.placing import put_in_place

__all__ = ["write_testbed"]


def write_testbed(testbed: Testbed, path: Path | str) -> None:
    """Write a testbed; the same testbed gives the same bytes, and reads back equal.

    Args:
        testbed: what to write.
        path: a file, compressed if its name ends in ``.gz``; replaced if it is there.

    Raises:
        OutputError: if it cannot be written.
    """
    path = Path(path)
    content = "".join(f"{line}\n" for line in _written(testbed)).encode()
    if path.suffix.lower() == ".gz":
        content = gzip.compress(content, compresslevel=6, mtime=0)
    put_in_place({path: content})


def _written(testbed: Testbed) -> Iterator[str]:
    for data in (testbed.header(), *(topic.as_data() for topic in testbed.topics)):
        yield json.dumps(data, ensure_ascii=False, allow_nan=False)
