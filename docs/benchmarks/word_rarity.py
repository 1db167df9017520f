"""Make resources/rarity from the English list of the package wordfreq.

    pip download --no-deps wordfreq==3.1.1
    python -m docs.benchmarks.word_rarity wordfreq-3.1.1-py3-none-any.whl resources/rarity

The list has a bin for every hundredth part of a power of ten: the words of bin k occur once in
10^(k/100) words.
"""

from __future__ import annotations

import gzip
import sys
from collections import defaultdict
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import srsly

from weps._text import singular_form

_LIST = "wordfreq/data/large_en.msgpack.gz"
_LEAST = 2.5
"""On Zipf's scale: the rarest words of the table (docs/benchmarks.md)."""
_HEAD = (
    "# Frequency on Zipf's scale, then the English words of it. Derived from wordfreq 3.1.1;\n"
    "# sources and licence, CC BY-SA 4.0, are stated in LICENSE.md.\n"
)


def read_bins(wheel: Path) -> list[list[str]]:
    """The words of each bin, the most frequent first."""
    with ZipFile(wheel) as archive:
        head, *bins = srsly.msgpack_loads(gzip.decompress(archive.read(_LIST)))
    if head != {"format": "cB", "version": 1}:
        raise ValueError(f"unknown format {head}")
    return list(bins)


def write_table(path: Path, bins: list[list[str]]) -> None:
    """A line for each tenth of the scale, the most frequent first; plurals are counted as one."""
    occurrences: defaultdict[str, float] = defaultdict(float)
    for number, words in enumerate(bins):
        for word in filter(str.isalpha, words):
            occurrences[singular_form(word)] += 10 ** (9 - number / 100)
    lines = defaultdict(list)
    for word, often in occurrences.items():
        lines[round(float(np.log10(often)), 1)].append(word)
    kept = (each for each in sorted(lines, reverse=True) if each >= _LEAST)
    path.write_text(
        _HEAD + "".join(f"{each:g} {' '.join(sorted(lines[each]))}\n" for each in kept), "utf-8"
    )


if __name__ == "__main__":
    write_table(Path(sys.argv[2], "english.txt"), read_bins(Path(sys.argv[1])))
