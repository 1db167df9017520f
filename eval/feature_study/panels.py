"""Which curves stand together in a figure: figures 1 to 4 of the paper, and what it leaves out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from eval.document import Quote
from eval.feature_study import paper
from weps.features import Feature

__all__ = ["PANELS", "Panel"]


@dataclass(frozen=True, slots=True)
class Panel:
    """One figure of curves, and the section that it stands in."""

    key: str
    section: str
    title: str
    holds: Callable[[Feature], bool]
    """Whether it shows the curve of the feature."""
    quotes: tuple[Quote, ...]
    note: str = ""


PANELS = (
    Panel(
        "figure-1",
        "Words",
        "Words: page, near the name, title, snippet, address",
        lambda each: each.family in {"token", "lemma"},
        (paper.WORDS,),
    ),
    Panel(
        "figure-2",
        "N-grams and noun phrases",
        "Word n-grams and noun phrases",
        lambda each: each.function in {"ngram", "phrase"} and not each.parameters["local"],
        (paper.NGRAMS,),
    ),
    Panel(
        "figure-3",
        "Named entities",
        "Named entities of three types, and capitalised runs",
        lambda each: each.function in {"entity", "capitalised"},
        (paper.ENTITIES,),
    ),
    Panel(
        "figure-4",
        "Fine-grained entities",
        "Fine-grained entities and capitalised runs, whole page",
        lambda each: (
            each.function in {"fine_entity", "capitalised"} and not each.parameters["local"]
        ),
        (paper.FINE_ENTITIES,),
    ),
    Panel(
        "gazetteers-and-links",
        "Gazetteers and links",
        "Gazetteers, addresses and links",
        lambda each: each.family in {"gazetteer", "link"} and not each.parameters.get("local"),
        (),
        "Not in the paper, which gives them no analysis of their own.",
    ),
)
