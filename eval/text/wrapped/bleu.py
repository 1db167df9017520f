"""BLEU: the precision of n-grams up to some length, by sacrebleu."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eval.text.wrapped.pairs import Floats, every_pair, pooled
from eval.text.wrapped.sacre import metric, share
from weps.errors import ValuesError

__all__ = ["bleu", "bleu_metric", "bleu_pooled"]

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
    return every_pair(outputs, references, share(bleu_metric(order, lowercase=lowercase)))


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
    return pooled(outputs, references, share(bleu_metric(order, lowercase=lowercase)))


def bleu_metric(order: int = 4, *, lowercase: bool = False) -> Any:
    """The metric of sacrebleu; errors as of :func:`bleu`."""
    if not 1 <= order <= _MOST:
        raise ValuesError(f"BLEU of {order}-grams", remedy=f"the order is from 1 to {_MOST}")
    return metric(
        "BLEU",
        max_ngram_order=order,
        lowercase=lowercase,
        effective_order=True,
        smooth_method="exp",
        tokenize="13a",
    )
