"""TER: the edits that make a reference of an output, by sacrebleu."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from eval.text.wrapped.pairs import Floats, Score, every_pair, pooled
from eval.text.wrapped.sacre import metric
from weps.errors import ValuesError

__all__ = ["LONGEST", "ter", "ter_metric", "ter_pooled"]

LONGEST = 1000
"""The longest text that is compared, in words: two such texts take up to a minute."""


def ter(outputs: Sequence[str], references: Sequence[str], *, normalized: bool = False) -> Floats:
    """1 − TER with each reference alone (Snover and others 2006).

    TER is how many words must be inserted, deleted, replaced or shifted as a block, per word of the
    reference. 1 is the same text, 0 as many edits as the reference has words, and less than 0 more
    of them, without bound. Shifts are sought as Tercom seeks them, and so need not be the best.
    Case is ignored; words are what stands between blanks.

    Args:
        outputs: texts.
        references: texts.
        normalized: whether punctuation marks are words of their own, by the rules of Tercom.

    Returns:
        Shape (outputs, references), at most 1.

    Raises:
        ValuesError: if two different texts are to be compared of which one is longer than
            :data:`LONGEST`.
        LanguageError: if sacrebleu is not installed.
    """
    return every_pair(outputs, references, _score(ter_metric(normalized=normalized)))


def ter_pooled(
    outputs: Sequence[str], references: Sequence[str], *, normalized: bool = False
) -> Floats:
    """1 − TER with all references at once, as published.

    The fewest edits over the mean length of the references.

    Returns:
        Shape (outputs,), at most 1.

    Raises:
        ValuesError: as :func:`ter`, or if there are no references.
        LanguageError: if sacrebleu is not installed.
    """
    return pooled(outputs, references, _score(ter_metric(normalized=normalized)))


def ter_metric(*, normalized: bool = False) -> Any:
    """The metric of sacrebleu, which is TER itself; errors as of :func:`ter`."""
    return metric("TER", normalized=normalized)


def _score(metric: Any) -> Score:
    def score(output: str, references: Sequence[str]) -> float:
        if output in references:
            return 1.0
        _refuse_long(metric.tokenizer(text) for text in (output, *references))
        return 1 - float(metric.sentence_score(output, references).score) / 100

    return score


def _refuse_long(texts: Iterable[str]) -> None:
    longest = max(len(text.split()) for text in texts)
    if longest > LONGEST:
        raise ValuesError(
            f"TER of a text of {longest:,} words would take too long",
            remedy=f"cut texts to {LONGEST:,} words, or choose another measure, such as chrf",
        )
