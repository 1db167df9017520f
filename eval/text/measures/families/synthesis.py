"""Measures of information synthesis and of QARLA: frequencies, key concepts, selection, surprise.

Where a text has no words, whatever they are here, see :class:`eval.text.overlap.Overlap`.
"""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import Any, TypeAlias

from eval.text.desk import Desk
from eval.text.measures.families.content import (
    UNIT,
    concepts_of,
    content_words,
    singulars,
    sources_of,
)
from eval.text.measures.families.pairs import Floats, Texts, about, both, each_pair, plain_words
from eval.text.measures.families.shares import BETA, part_of
from eval.text.measures.family import Compare, Family, Need
from eval.text.measures.parameters import Choice, Switch, Whole
from eval.text.synthesis.closeness import of_empty
from eval.text.synthesis.concepts import nicos
from eval.text.synthesis.frequencies import most_frequent, truncated, vector_similarity
from eval.text.synthesis.perplexity import perplexity_similarity
from eval.text.synthesis.selection import (
    document_overlap,
    documents_of,
    holders,
    sentence_overlap,
)
from weps.expressions import Value

__all__ = ["FAMILIES"]

Units: TypeAlias = tuple[str, ...]

_2004 = "Amigó, Gonzalo, Peinado, Peñas and Verdejo 2004, An empirical study of information "
_SYNTHESIS = f"{_2004}synthesis tasks, section"
_QARLA = (
    "Amigó, Gonzalo, Peñas and Verdejo 2005, QARLA: a framework for the evaluation of text "
    "summarization systems, section 4"
)
_DUC = "Evaluating DUC 2004 tasks with the QARLA framework (2005), section 3.1"
_CLOSE = (
    "1 / (1 + Euclidean distance of the vectors), where the papers have 1 / distance: the same "
    "order, and 1 for the same vector"
)
_PART = Choice(("recall", "precision", "f"), "which share of the two texts is meant")
_INVERTED = Switch("output and reference change places")


def _vectors(desk: Desk, outputs: Texts, references: Texts, *, unit: Value) -> Floats:
    read = partial(content_words, desk, unit=unit)
    return each_pair(vector_similarity, *both(read, outputs, references))


def _truncated(desk: Desk, outputs: Texts, references: Texts, **values: Value) -> Floats:
    read, most = partial(content_words, desk, unit=values["unit"]), int(values["n"])
    units = both(read, outputs, references)
    if values["of"] == "sources":
        terms = most_frequent(chain.from_iterable(map(read, sources_of(desk))), most)
        with about("the sources"):
            return each_pair(lambda one, other: truncated(one, other, terms), *units)

    def by_own_terms(output: Units, reference: Units) -> float:
        if not (output and reference):
            return of_empty(output, reference)
        return truncated(output, reference, most_frequent(reference, most))

    return each_pair(by_own_terms, *units, inverted=bool(values["inverted"]))


def _nicos(desk: Desk, outputs: Texts, references: Texts, *, concepts: Value, n: Value) -> Floats:
    found = concepts_of(desk, concepts, int(n))
    words = both(partial(singulars, desk), outputs, references)
    return each_pair(lambda one, other: nicos(one, other, found), *words)


def _perplexity(desk: Desk, outputs: Texts, references: Texts, **values: Value) -> Floats:
    compare = partial(perplexity_similarity, n=int(values["n"]))
    tokens = both(partial(plain_words, desk), outputs, references)
    return each_pair(compare, *tokens, inverted=bool(values["inverted"]))


def _documents(desk: Desk, outputs: Texts, references: Texts, **values: Value) -> Floats:
    read = partial(plain_words, desk)
    held = desk.once(holders, lambda: holders(list(map(read, sources_of(desk)))))
    for text in (*outputs, *references):
        with about(desk.name(text)):
            documents_of(read(text), held)
    ours, theirs = both(read, outputs, references)
    overlaps = [[document_overlap(one, other, held) for other in theirs] for one in ours]
    return part_of(overlaps, values["part"], float(values["beta"]))


def _sentences(desk: Desk, outputs: Texts, references: Texts, **values: Value) -> Floats:
    ours, theirs = both(partial(plain_words, desk), outputs, references)
    overlaps = [[sentence_overlap(one, other) for other in theirs] for one in ours]
    return part_of(overlaps, values["part"], float(values["beta"]))


def _family(name: str, compare: Compare, description: str, formula: str, **told: Any) -> Family:
    return Family(
        name=name,
        group="information synthesis",
        description=description,
        formula=formula,
        compare=compare,
        **told,
    )


FAMILIES = (
    _family(
        "tvm",
        _truncated,
        "how often texts use the most frequent terms (TruncatedVectModel)",
        "vectors = share that each of the n most frequent terms has in all lemmas or words of a "
        f"text, stop words left out; {_CLOSE}",
        source=f"{_DUC}: terms of the sources; {_QARLA}: terms of the reference",
        own={
            "n": Whole(None, 1, 1_000_000, "terms, or all if there are fewer"),
            "of": Choice(("reference", "sources"), "whose most frequent terms"),
            "inverted": _INVERTED,
            "unit": UNIT,
        },
        needs_when={("unit", "lemma"): Need.TAGS, ("of", "sources"): Need.SOURCES},
    ),
    _family(
        "vectmodel",
        _vectors,
        "how often texts use each of their words (VectModelSim)",
        "vectors = share that each lemma or word has in all of a text, stop words left out; "
        f"{_CLOSE}",
        source=_QARLA,
        own={"unit": UNIT},
        needs_when={("unit", "lemma"): Need.TAGS},
    ),
    _family(
        "nicos",
        _nicos,
        "how often texts name key concepts (nuclear informative concept similarity)",
        "vectors = occurrences of each key concept / words of the text, both in lower case and "
        f"plurals undone; {_CLOSE}",
        source=f"{_SYNTHESIS} 3.2.5; {_QARLA}",
        own={
            "concepts": Choice(
                ("given", "references", "sources"),
                "those of the topic, or the key terms of its references or sources",
            ),
            "n": Whole(20, 1, 1000, "most key terms"),
        },
        needs_when={("concepts", "given"): Need.CONCEPTS, ("concepts", "sources"): Need.SOURCES},
    ),
    _family(
        "docsim",
        _documents,
        "source documents from which both texts take sentences (DocSim)",
        "matches = documents that hold a sentence of the output and one of the reference; recall "
        "is matches / documents of the reference, precision matches / documents of the output; "
        "sentences are the same if their words are; a text of which no source holds a sentence is "
        "refused",
        source=f"{_SYNTHESIS} 3.2.1 (recall); {_QARLA} (precision)",
        own={"part": _PART, "beta": BETA},
        needs=frozenset({Need.SOURCES}),
    ),
    _family(
        "sentencesim",
        _sentences,
        "sentences in common (SentenceSim)",
        "matches = sentences of both texts, those with the same words being the same and counted "
        "once; recall is matches / reference, precision matches / output",
        source=f"{_SYNTHESIS} 3.2.2",
        own={"part": _PART, "beta": BETA},
    ),
    _family(
        "perplexity",
        _perplexity,
        "how little the output surprises who knows the reference (PerplexitySim)",
        "1 / perplexity of the output's words under the n-gram model of the reference, with "
        "Good-Turing discounts for counts up to 7 and Katz's back-off; less than 1 for the "
        "reference itself",
        source=f"{_SYNTHESIS} 3.2.3; Katz 1987",
        own={"n": Whole(3, 1, 9, "words of the longest n-grams"), "inverted": _INVERTED},
    ),
)
