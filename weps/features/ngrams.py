"""Word n-grams of length 2 to 5 (EMNLP 2009, section 3.2)."""

from __future__ import annotations

from weps.features.bags import Bags
from weps.features.registry import register
from weps.features.runs import runs_of
from weps.language import Analysis

__all__ = ["ngram"]


@register(
    "n-gram",
    "runs of {n} tokens in {where}",
    source="EMNLP 2009, section 3.2",
    needs=["text"],
    n=(2, 3, 4, 5),
    local=(False, True),
)
def ngram(analysis: Analysis, *, n: int, local: bool = False) -> Bags:
    """Runs of ``n`` tokens within a sentence, punctuation generalised to one token.

    Runs without a single word that carries evidence (only stop words, punctuation or tokens of
    the name) are dropped.
    """
    runs = runs_of(analysis)
    starts = runs.starts(n)
    chosen = runs.any_content(starts, n)
    if local:
        chosen &= runs.local[starts]
    return runs.bags(starts[chosen], n)
