"""BLEU, chrF, chrF++ and TER by sacrebleu, for all outputs and references of a topic.

Empty texts have defined scores; texts are tokenised where the library has no rule of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np

from eval.stats.arrays import Floats
from eval.text.measures.overlap import import_optional
from weps._text import split_tokens
from weps.errors import ValuesError

__all__ = [
    "LONGEST_TEXT",
    "Score",
    "bleu",
    "bleu_metric",
    "bleu_pooled",
    "chrf",
    "chrf_metric",
    "lower_tokens",
    "make_metric",
    "metric_signature",
    "score_every_pair",
    "score_pooled",
    "ter",
    "ter_metric",
    "ter_pooled",
    "unit_score",
]

Score: TypeAlias = Callable[[str, Sequence[str]], float]
"""The score of an output by one or more references, none of them empty."""


def score_every_pair(outputs: Sequence[str], references: Sequence[str], score: Score) -> Floats:
    """Every output by every reference alone.

    Returns:
        Shape (outputs, references).
    """
    scores = [
        _score_by_rule(output, [reference], score) for output in outputs for reference in references
    ]
    return np.array(scores, dtype=np.float64).reshape(len(outputs), len(references))


def score_pooled(outputs: Sequence[str], references: Sequence[str], score: Score) -> Floats:
    """Every output by all references together; empty ones are left out unless all are.

    Returns:
        Shape (outputs,).

    Raises:
        ValuesError: if there are no references.
    """
    if not references:
        raise ValuesError("no reference to compare with", remedy="give the topic one or more")
    return np.array(
        [_score_by_rule(output, references, score) for output in outputs], dtype=np.float64
    )


def _score_by_rule(output: str, references: Sequence[str], score: Score) -> float:
    written = [reference for reference in references if not _empty(reference)]
    if _empty(output) or not written:
        return float(_empty(output) and not written)
    return score(output, written)


def _empty(text: str) -> bool:
    return not text.strip()


def make_metric(name: str, **settings: object) -> Any:
    """A metric of sacrebleu, such as ``BLEU``.

    Raises:
        LanguageError: if sacrebleu is not installed.
    """
    return getattr(import_optional("sacrebleu.metrics"), name)(**settings)


def unit_score(metric: Any) -> Score:
    """What the metric gives, of 1 instead of 100; the same text scores 1 without rounding."""

    def score(output: str, references: Sequence[str]) -> float:
        if output in references:
            return 1.0
        return min(float(metric.sentence_score(output, references).score) / 100, 1.0)

    return score


def metric_signature(metric: Any) -> str:
    """Settings and version as sacrebleu writes them, without the number of references."""
    metric.sentence_score("a", ["a"])  # before any work there is no signature
    return str(metric.get_signature()).removeprefix("nrefs:1|")


_MOST = 10


def bleu(
    outputs: Sequence[str], references: Sequence[str], order: int = 4, *, lowercase: bool = False
) -> Floats:
    """BLEU of single texts (Papineni and others 2002) with each reference alone.

    Texts are tokenised by 13a, the rules of NIST's mteval-v13a; scripts without spaces are not
    divided. The k-th order without a match counts as 1/2ᵏ of one, as in mteval-v13a ("exp"), but
    no match at all is 0. Orders that the output is too short for are left out ("effective
    order"), so that a single word can score 1. Published BLEU is of whole corpora and is not the
    mean of these.

    Args:
        outputs: texts.
        references: texts.
        order: the longest n-grams.
        lowercase: whether case is ignored.

    Returns:
        Shape (outputs, references), in [0, 1].

    Raises:
        ValuesError: if the order is not from 1 to 10.
        LanguageError: if sacrebleu is not installed.
    """
    return score_every_pair(
        outputs, references, unit_score(bleu_metric(order, lowercase=lowercase))
    )


def bleu_pooled(
    outputs: Sequence[str], references: Sequence[str], order: int = 4, *, lowercase: bool = False
) -> Floats:
    """BLEU with all references at once, as published.

    An n-gram matches as often as it is in the reference that has it most often; the brevity penalty
    is by the reference whose length is nearest, the shorter one of two.

    Returns:
        Shape (outputs,), in [0, 1].

    Raises:
        ValuesError: as :func:`bleu`, or if there are no references.
        LanguageError: if sacrebleu is not installed.
    """
    return score_pooled(outputs, references, unit_score(bleu_metric(order, lowercase=lowercase)))


def bleu_metric(order: int = 4, *, lowercase: bool = False) -> Any:
    """The metric of sacrebleu; errors as of :func:`bleu`."""
    if not 1 <= order <= _MOST:
        raise ValuesError(f"BLEU of {order}-grams", remedy=f"the order is from 1 to {_MOST}")
    return make_metric(
        "BLEU",
        max_ngram_order=order,
        lowercase=lowercase,
        effective_order=True,
        smooth_method="exp",
        tokenize="13a",
    )


def chrf(
    outputs: Sequence[str], references: Sequence[str], words: int = 0, *, lowercase: bool = False
) -> Floats:
    """F₂ of n-grams of up to six characters, without blanks (Popović 2015), in any script.

    With n-grams of up to two words as well it is chrF++ (Popović 2017). Precision and recall are
    means over those orders that both texts are long enough for. The measure's own rule for several
    references is the maximum over them.

    Args:
        outputs: texts.
        references: texts.
        words: the longest n-grams of words; 0 is chrF, 2 is chrF++.
        lowercase: whether case is ignored.

    Returns:
        Shape (outputs, references), in [0, 1].

    Raises:
        ValuesError: if ``words`` is not from 0 to 10.
        LanguageError: if sacrebleu is not installed.
    """
    return score_every_pair(
        outputs, references, unit_score(chrf_metric(words, lowercase=lowercase))
    )


def chrf_metric(words: int = 0, *, lowercase: bool = False) -> Any:
    """The metric of sacrebleu; errors as of :func:`chrf`."""
    if not 0 <= words <= _MOST:
        raise ValuesError(f"chrF with {words}-grams of words", remedy=f"from 0 to {_MOST}")
    return make_metric("CHRF", char_order=6, word_order=words, beta=2, lowercase=lowercase)


LONGEST_TEXT = 1000
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
            :data:`LONGEST_TEXT`.
        LanguageError: if sacrebleu is not installed.
    """
    return score_every_pair(outputs, references, _score(ter_metric(normalized=normalized)))


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
    return score_pooled(outputs, references, _score(ter_metric(normalized=normalized)))


def ter_metric(*, normalized: bool = False) -> Any:
    """The metric of sacrebleu, which is TER itself; errors as of :func:`ter`."""
    return make_metric("TER", normalized=normalized)


def _score(metric: Any) -> Score:
    def score(output: str, references: Sequence[str]) -> float:
        if output in references:
            return 1.0
        _refuse_long(metric.tokenizer(text) for text in (output, *references))
        return 1 - float(metric.sentence_score(output, references).score) / 100

    return score


def _refuse_long(texts: Iterable[str]) -> None:
    longest = max(len(text.split()) for text in texts)
    if longest > LONGEST_TEXT:
        raise ValuesError(
            f"TER of a text of {longest:,} words would take too long",
            remedy=f"cut texts to {LONGEST_TEXT:,} words, or choose another measure, such as chrf",
        )


def lower_tokens(text: str) -> list[str]:
    """Words and punctuation marks in lower case; a text that is not all blanks has at least one."""
    return [token.lower() for token in split_tokens(text)]
