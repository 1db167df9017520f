"""ROUGE as measures, and the base of families that compare texts as words.

:mod:`eval.text` describes where published scorers differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import TypeAlias, TypeVar

import numpy as np

from eval.stats.arrays import Floats
from eval.text.declarations.base import Choice, Family, Need, Number, Parameter, Switch, Whole
from eval.text.measures.overlap import Overlap, Tokens
from eval.text.measures.rouge import (
    Preprocessing,
    rouge_l,
    rouge_l_summary,
    rouge_n,
    rouge_s,
    rouge_su,
    rouge_w,
)
from eval.text.measures.topic import TopicTexts, Word
from eval.text.testbed import Text
from weps._expressions import Value
from weps.errors import ValuesError

__all__ = [
    "BETA_NUMBER",
    "PART_CHOICE",
    "ROUGE_FAMILIES",
    "Overlaps",
    "Texts",
    "each_pair",
    "error_about",
    "overlap_parts",
    "plain_words",
    "pooled_parts",
    "read_both",
    "tagged_words",
]

Texts: TypeAlias = Sequence[Text]
Made = TypeVar("Made")


def read_both(
    read: Callable[[Text], Made], outputs: Texts, references: Texts
) -> tuple[list[Made], list[Made]]:
    """Outputs and references, read alike."""
    return list(map(read, outputs)), list(map(read, references))


def each_pair(
    compare: Callable[[Made, Made], float],
    outputs: Sequence[Made],
    references: Sequence[Made],
    *,
    inverted: bool = False,
) -> Floats:
    """Every output with every reference, which change places if inverted.

    Returns:
        Shape (outputs, references).
    """
    if inverted:
        return np.transpose(each_pair(compare, references, outputs))
    return np.array([[compare(one, other) for other in references] for one in outputs], np.float64)


def plain_words(topic_texts: TopicTexts, text: Text, *, stop: bool = False) -> Tokens:
    """The words of each sentence in lower case, those of all scripts."""
    return topic_texts.tokens(text, Preprocessing(stop=stop, unicode=True))


def tagged_words(topic_texts: TopicTexts, text: Text) -> tuple[tuple[Word, ...], ...]:
    """The words of each sentence with tags and lemmas, without punctuation."""
    return tuple(tuple(word for word in each if word.lemma) for each in topic_texts.words(text))


@contextmanager
def error_about(whose: str) -> Iterator[None]:
    """Say of an error whose text it is about."""
    try:
        yield
    except ValuesError as error:
        raise ValuesError(error.what, where=whose, remedy=error.remedy) from None


Overlaps: TypeAlias = Sequence[Sequence[Overlap]]
"""For each output its overlap with each reference."""

PART_CHOICE = Choice(("f", "recall", "precision"), "which share of the two texts is meant")
BETA_NUMBER = Number(1.0, 0.0, 100.0, "how many times more recall counts than precision in f")

_PARTS: dict[Value, Callable[[Overlap, float], float]] = {
    "f": lambda overlap, beta: overlap.f(beta),
    "recall": lambda overlap, _: overlap.recall,
    "precision": lambda overlap, _: overlap.precision,
}


def overlap_parts(overlaps: Overlaps, part: Value, beta: float) -> Floats:
    """Shape (outputs, references): recall, precision or F of each overlap."""
    score = _PARTS[part]
    return np.array([[score(each, beta) for each in row] for row in overlaps], dtype=np.float64)


def pooled_parts(overlaps: Overlaps, part: Value, beta: float) -> Floats:
    """Shape (outputs,): the same of the overlaps with all references added up."""
    return overlap_parts([[reduce(add, row)] for row in overlaps], part, beta)[:, 0]


_LIN = "Lin 2004, ROUGE: a package for automatic evaluation of summaries, section"
_SHARED: dict[str, Parameter] = {
    "part": PART_CHOICE,
    "beta": BETA_NUMBER,
    "stop": Switch("leave out English stop words"),
    "stem": Switch("Porter's stems of words longer than three letters"),
    "unicode": Switch("letters and digits of all scripts, not only a to z"),
}


@dataclass(frozen=True, slots=True)
class _Rouge:
    """One way of counting what two texts share; recall, precision and F follow from it."""

    compare: Callable[..., Overlap]

    def each(
        self, topic_texts: TopicTexts, outputs: Texts, references: Texts, **values: Value
    ) -> Floats:
        """Shape (outputs, references)."""
        part, beta = values.pop("part"), float(values.pop("beta"))
        return overlap_parts(self._overlaps(topic_texts, outputs, references, values), part, beta)

    def together(
        self, topic_texts: TopicTexts, outputs: Texts, references: Texts, **values: Value
    ) -> Floats:
        """Shape (outputs,)."""
        part, beta = values.pop("part"), float(values.pop("beta"))
        return pooled_parts(self._overlaps(topic_texts, outputs, references, values), part, beta)

    def _overlaps(
        self, topic_texts: TopicTexts, outputs: Texts, references: Texts, values: dict[str, Value]
    ) -> Overlaps:
        chosen = [bool(values.pop(each)) for each in ("stop", "stem", "unicode")]
        prepared = Preprocessing(*chosen)

        def count() -> Overlaps:
            ours, theirs = (
                [topic_texts.tokens(text, prepared) for text in texts]
                for texts in (outputs, references)
            )
            return [[self.compare(one, other, **values) for other in theirs] for one in ours]

        key = (self.compare, prepared, *values.items(), tuple(outputs), tuple(references))
        return topic_texts.cached(key, count)


def _lcs(output: Tokens, reference: Tokens, level: str, inverted: bool) -> Overlap:
    compare = rouge_l if level == "text" else rouge_l_summary
    if inverted:
        turned = compare(reference, output)
        return Overlap(turned.matches, turned.reference, turned.output)
    return compare(output, reference)


def _with_skips(compare: Callable[..., Overlap]) -> Callable[..., Overlap]:
    def skipping(output: Tokens, reference: Tokens, skip: Value) -> Overlap:
        return compare(output, reference, None if skip == "any" else skip)

    return skipping


_SKIP = Whole("any", 0, 1000, "most tokens that stand between the two", "any")


def _family(  # a row of the table below
    name: str,
    compare: Callable[..., Overlap],
    description: str,
    formula: str,
    section: str,
    **own: Parameter,
) -> Family:
    counted = _Rouge(compare)
    return Family(
        name=name,
        group="ROUGE",
        description=description,
        formula=f"{formula}; recall is matches / reference, precision matches / output",
        source=f"{_LIN} {section}",
        compare=counted.each,
        together=counted.together,
        joined="all matches over all totals, as ROUGE-1.5.5 does unless told otherwise",
        own={**own, **_SHARED},
        needs_when={("stem", True): Need.NLTK},
    )


ROUGE_FAMILIES = (
    _family(
        "rouge",
        rouge_n,
        "n-grams in common, each as often as both texts have it",
        "matches = Σ over n-grams of min(count in output, count in reference)",
        "2",
        n=Whole(None, 1, 100, "tokens of an n-gram"),
    ),
    _family(
        "rouge_l",
        _lcs,
        "words in common in the same order",
        "matches = length of the longest common subsequence of the texts, or of its union over the "
        "sentences of the output, for each sentence of the reference",
        "3",
        level=Choice(("summary", "text"), "sentence by sentence, or each text as one sentence"),
        inverted=Switch("the unions are of the output's sentences instead of the reference's"),
    ),
    _family(
        "rouge_w",
        rouge_w,
        "words in common in the same order, consecutive ones counting more",
        "matches = f⁻¹(weighted length of the common subsequence), f(k) = k to the power of weight",
        "4",
        weight=Number(1.2, 1.0, 10.0, "power of the length of a run; 1 is rouge_l(level=text)"),
    ),
    _family(
        "rouge_s",
        _with_skips(rouge_s),
        "pairs of words in common, in their order, with words between them",
        "matches = Σ over skip-bigrams of min(count in output, count in reference)",
        "5",
        skip=_SKIP,
    ),
    _family(
        "rouge_su",
        _with_skips(rouge_su),
        "pairs of words, and single words, in common",
        "as rouge_s, single words added to the skip-bigrams",
        "5.1",
        skip=_SKIP,
    ),
)
