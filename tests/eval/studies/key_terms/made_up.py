"""Documents, topics and findings, made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from weps.key_terms.weighting import WEIGHTINGS
from weps_eval.studies.key_terms.findings import (
    DISTANCES,
    PLACE_PAIRS,
    Findings,
    Places,
    Topic,
    WordShare,
    concepts_of,
    place_at,
    recall_noise_curve,
)

HAITI = ("Haiti", "reinstatement of democracy", "UN and USA troops")
TERMS = ("haiti", "soldiers", "un", "usa", "attempt")
EVERYWHERE = (
    *map(place_at, DISTANCES),
    "any word",
    "any distance",
    *(p for two in PLACE_PAIRS.values() for p in two),
)


def places(**shares: float) -> Places:
    """A hundred words at every place, a tenth of them key but where said otherwise."""
    named = {name.replace("_", " "): share for name, share in shares.items()}
    return {place: WordShare(round(100 * named.get(place, 0.1)), 100) for place in EVERYWHERE}


def topic(
    title: str = "Haiti",
    lists: Mapping[str, Sequence[str]] | None = None,
    where: Places | None = None,
    kind: str = "sections",
    words: int = 50,
) -> Topic:
    """A topic about Haiti whose lists are those given, all others that of the paper."""
    chosen = {
        name: list((lists or {}).get(name, TERMS))
        for name, weighting in WEIGHTINGS.items()
        if where is None or where or not weighting.needs_tags
    }
    concepts = concepts_of(HAITI)
    return Topic(
        kind,
        title,
        documents=2,
        concepts=len(concepts),
        words=words,
        places=places() if where is None else where,
        curves={name: recall_noise_curve(terms, concepts) for name, terms in chosen.items()},
        candidates={name: len(terms) for name, terms in chosen.items()},
    )


def findings(*topics: Topic) -> Findings:
    return Findings("news: sections", "sections", topics)
