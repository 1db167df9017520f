"""Make resources/names from the tables of the Bureau of the Census.

    python -m docs.benchmarks.census_names FOLDER resources/names

FOLDER has ``dist.all.last``, ``dist.female.first`` and ``dist.male.first`` as the Bureau published
them for the census of 1990: name, per cent, cumulative per cent, rank.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

_HEAD = "# Per cent of the people of the United States in 1990, then the {} names of so many.\n"


def read_table(path: Path) -> dict[str, float]:
    """Name in lower case → per cent of those counted."""
    rows = (line.split() for line in path.read_text("ascii").splitlines())
    return {name.lower(): float(percent) for name, percent, *_ in rows}


def write_table(path: Path, which: str, shares: Mapping[str, float]) -> None:
    """A line for each share, the largest first; names without a share, as rare as any, left out."""
    names = defaultdict(list)
    for name, share in shares.items():
        names[share].append(name)
    lines = (f"{share:g} {' '.join(sorted(names[share]))}\n" for share in sorted(names)[::-1])
    path.write_text(_HEAD.format(which) + "".join(line for line in lines if line[:2] != "0 "))


def main(folder: str, out: str) -> None:
    """Write both lists; a first name's share is the mean of those among men and women."""
    men, women = (read_table(Path(folder, f"dist.{sex}.first")) for sex in ("male", "female"))
    first = {name: (men.get(name, 0) + women.get(name, 0)) / 2 for name in men | women}
    write_table(Path(out, "first.txt"), "first", first)
    write_table(Path(out, "last.txt"), "last", read_table(Path(folder, "dist.all.last")))


if __name__ == "__main__":
    main(*sys.argv[1:])
