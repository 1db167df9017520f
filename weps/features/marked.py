"""From the marks of a layer to bags: what becomes of each distinct text is decided once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from weps.features.bags import Bags
from weps.language import Analysis, Layer

__all__ = ["marked_bags"]


def marked_bags(
    analysis: Analysis, layer: Layer, strings: Sequence[str], *, local: bool = False
) -> Bags:
    """Count what a layer marks, document by document.

    Args:
        analysis: the pages of a name, read with the layer.
        layer: whose marks to count.
        strings: for each of the layer's d distinct entries the string it counts as; empty for
            an entry that does not count.
        local: whether to count only in sentences that mention the name.

    Raises:
        FeatureError: if the pages were read without the layer.
    """
    marks = analysis.layer(layer)
    distinct = tuple(dict.fromkeys(("", *strings)))
    number = {string: index for index, string in enumerate(distinct)}
    of_entry = np.fromiter((number[string] for string in strings), np.int64, len(strings))
    ids = of_entry[marks.entry]
    chosen = ids > 0
    if local:
        chosen &= analysis.tokens.mentions[marks.sentence]
    ids = ids[chosen]
    rows = analysis.tokens.document[marks.sentence[chosen]]
    return Bags.of_ids(rows, ids, len(analysis.documents), lambda k: distinct[ids[k]])
