"""Make resources/reference from the pages of a corpus.

python -m docs.benchmarks.reference_words "$WEPS_DATA/corpora/weps-1/training" FILE
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

from weps._files import atomic_write
from weps._parallel import parallel_map
from weps._version import VERSION
from weps.key_terms.labels import Reference, content_word_counts
from weps.reading import Reader, richest_form
from weps.sources.base import Source
from weps.sources.opening import open_source

_FEWEST_NAMES = 3
"""A word on the pages of fewer names may tell who somebody is, and is left out."""


def count_words(name: str, source: Source) -> Reference:
    """The words of the pages of a name."""
    search = source.search(name)
    return Reference.of(content_word_counts(Reader().read(search, richest_form(search))))


def reference_of(source: Source) -> Reference:
    """The words that pages of several names share."""
    counted = parallel_map(partial(count_words, source=source), source.names, -1)
    return replace(
        Reference.combine(list(counted), _FEWEST_NAMES),
        made_from={
            "layout": source.layout,
            "digest": source.digest(),
            "names": len(source.names),
            "fewest_names": _FEWEST_NAMES,
            "weps": VERSION,
        },
    )


def write_reference(reference: Reference, path: Path) -> None:
    """Write the counts as JSON."""
    data = {name: getattr(reference, name) for name in ("made_from", "documents", "size", "words")}
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    atomic_write({path: f"{text}\n".encode()})


if __name__ == "__main__":
    write_reference(reference_of(open_source(Path(sys.argv[1]))), Path(sys.argv[2]))
