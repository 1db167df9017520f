"""Near-duplicates and the keys: ``python -m docs.benchmarks.near_duplicates SOURCE``.

For each source: its pages, the groups of near-duplicates and the pages in them, how many pairs of
a group the keys say are one person and how many two, the addresses of the latter, and the processor
seconds of grouping beside those of reading and comparing the pages.
"""

from __future__ import annotations

import argparse
from itertools import combinations
from pathlib import Path
from time import process_time

from weps._cache import Cache
from weps.model import pretrained
from weps.pipeline import prepare_search
from weps.reading import Reader
from weps.similarity import near_duplicates
from weps.sources.opening import open_source


def measure(path: Path, cache: Path | None) -> None:
    """Print the figures of a source."""
    source, models = open_source(path), pretrained(embeddings="none")
    reader = Reader(language=models.language, cache=Cache(cache) if cache else None)
    pages = groups = grouped = same = unjudged = 0
    seconds, whole = 0.0, 0.0
    different = []
    for name in source.names:
        began = process_time()
        prepared = prepare_search(source.search(name), models, reader)
        whole += process_time() - began
        began = process_time()
        kept = {row for row, sign in enumerate(prepared.signs) if not sign}
        tokens, ranks = prepared.table.analysis.tokens, prepared.ranks
        found = near_duplicates.near_duplicates(tokens, len(ranks), kept)
        seconds += process_time() - began
        pages, groups, grouped = (
            pages + len(ranks),
            groups + len(found),
            grouped + sum(map(len, found)),
        )
        key = source.key(name)
        for pair in (pair for group in found for pair in combinations(group, 2)):
            people = [
                {at for at, person in enumerate(key.groups if key else ()) if ranks[row] in person}
                for row in pair
            ]
            if not all(people):
                unjudged += 1
            elif people[0] & people[1]:
                same += 1
            else:
                different.append((name, *(prepared.pages[row].url for row in pair)))
    print(
        f"{path}: {pages} pages, {groups} groups of {grouped} pages; pairs of one person {same}, "
        f"of two {len(different)}, not judged {unjudged}; {seconds:.2f} of {whole:.1f} s"
    )
    for name, *addresses in different:
        print(f"  two people of {name}: {' and '.join(addresses)}")


def main() -> None:
    """Print the figures of each source."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", nargs="+", type=Path)
    parser.add_argument("--least", type=float, default=near_duplicates.MIN_RESEMBLANCE)
    parser.add_argument("--cache", type=Path)
    options = parser.parse_args()
    near_duplicates.MIN_RESEMBLANCE = options.least
    for path in options.sources:
        measure(path, options.cache)


if __name__ == "__main__":
    main()
