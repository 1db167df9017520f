"""Time of the search for refinements, next to plain Python sets, and of what people are shown.

From the project's root: ``python -m docs.benchmarks.refining "$WEPS_DATA/corpora/weps-1/training"
NAME …``. Pages are read, and their features made, before; a cache is used if there is one.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import numpy as np
import scipy

from docs.benchmarks.scoring import timed
from weps._cache import Cache, default_folder
from weps._version import VERSION
from weps.features.bags import Bags
from weps.key_terms.refinement import suggest_refinements
from weps.language.analysis import Analysis
from weps.page_forms import richest_form
from weps.reading import Reader
from weps.similarity.table import pair_table
from weps.sources.base import Source
from weps.sources.opening import open_source
from weps_eval.benchmark.labels import attributes_of
from weps_eval.studies.refinements.search import (
    attribute_bags,
    best_refinements,
    kinds_for_form,
    layers_of_kinds,
)

ROUNDS = 7


def main() -> None:
    """Print a line for each name."""
    print(
        f"{datetime.now(UTC):%Y-%m-%d}  {platform.machine()}, {os.cpu_count()} cores, "
        f"load {os.getloadavg()[0]:.1f}  Python {platform.python_version()}  "
        f"numpy {np.__version__}  scipy {scipy.__version__}  weps {VERSION}"
    )
    print(
        f"ms CPU, median of {ROUNDS}. Strings: distinct ones of all kinds. Features: making them.\n"
        f"{'':<18}{'pages':>6}{'people':>8}{'kinds':>7}{'strings':>10}{'features':>10}"
        f"{'search':>8}{'plain':>8}{'ratio':>7}{'same':>6}{'shown':>8}"
    )
    source = open_source(Path(sys.argv[1]))
    for name in sys.argv[2:]:
        measure(name, source)


def measure(name: str, source: Source) -> None:
    """Print the line of one name."""
    pages = source.search(name)
    kinds = kinds_for_form(richest_form(pages))
    reader = Reader(cache=Cache(default_folder()))
    analysis = reader.read(pages, richest_form(pages), layers_of_kinds(kinds))
    targets = people(analysis, source, name)
    bags = {kind.name: kind.extract(analysis) for kind in kinds}
    ranks = [document.rank for document in analysis.documents]
    bags |= attribute_bags(ranks, attributes_of(source.root, name) or {})
    as_sets = {kind: sets_of(each) for kind, each in bags.items()}
    features = cpu(lambda: [kind.extract(analysis) for kind in kinds])
    here = cpu(lambda: [best_refinements(each, targets) for each in bags.values()])
    plain = cpu(lambda: [plain_search(*each, targets) for each in as_sets.values()])
    shown = cpu(partial(suggest_refinements, targets, pair_table(analysis, [])))
    same = all(
        [best and (best.f, len(best.strings)) for best in best_refinements(bags[kind], targets)]
        == [best and (best[0], len(best[1])) for best in plain_search(*as_sets[kind], targets)]
        for kind in bags
    )
    strings = sum(len(each.strings) for each in bags.values())
    print(
        f"{name:<18}{len(ranks):>6}{len(targets):>8}{len(bags):>7}{strings:>10,}"
        f"{1000 * features:>10.0f}{1000 * here:>8.1f}{1000 * plain:>8.0f}{plain / here:>7.1f}"
        f"{'yes' if same else 'NO':>6}{1000 * shown:>8.0f}"
    )


def people(analysis: Analysis, source: Source, name: str) -> list[list[int]]:
    """The rows of each person's pages, by the key."""
    row = {document.rank: row for row, document in enumerate(analysis.documents)}
    key = source.key(name)
    return [sorted(row[rank] for rank in group & row.keys()) for group in key.groups] if key else []


def sets_of(bags: Bags) -> tuple[list[frozenset[str]], dict[str, frozenset[int]]]:
    """The strings of each page, and the pages of each string."""
    strings, by_string = list(bags.strings), bags.counts.tocsc()
    on_pages = [
        frozenset(strings[column] for column in row.tolist())
        for row in np.split(bags.counts.indices, bags.counts.indptr[1:-1])
    ]
    pages = np.split(by_string.indices, by_string.indptr[1:-1])
    return on_pages, {
        string: frozenset(rows.tolist()) for string, rows in zip(strings, pages, strict=True)
    }


def plain_search(
    on_pages: Sequence[frozenset[str]],
    pages_of: Mapping[str, frozenset[int]],
    targets: Sequence[Sequence[int]],
) -> list[tuple[float, list[str]] | None]:
    """What anyone would write: the size of an intersection for each person and candidate."""
    found: list[tuple[float, list[str]] | None] = []
    for rows in map(frozenset, targets):
        best, ties = 0.0, list[str]()
        for string in frozenset().union(*(on_pages[row] for row in rows)):
            pages = pages_of[string]
            f = 2 * len(rows & pages) / (len(rows) + len(pages))
            if f > best:
                best, ties = f, [string]
            elif f == best:
                ties.append(string)
        found.append((best, ties) if ties else None)
    return found


def cpu(work: Callable[[], object]) -> float:
    """Median CPU seconds."""
    return timed(work, rounds=ROUNDS)[1]


if __name__ == "__main__":
    main()
