"""The metrics of sacrebleu."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eval.text.optional import optional
from eval.text.wrapped.pairs import Score

__all__ = ["metric", "share", "signature_of"]


def metric(name: str, **settings: object) -> Any:
    """A metric of sacrebleu, such as ``BLEU``.

    Raises:
        LanguageError: if sacrebleu is not installed.
    """
    return getattr(optional("sacrebleu.metrics"), name)(**settings)


def share(metric: Any) -> Score:
    """What the metric gives, of 1 instead of 100; the same text scores 1 without rounding."""

    def score(output: str, references: Sequence[str]) -> float:
        if output in references:
            return 1.0
        return min(float(metric.sentence_score(output, references).score) / 100, 1.0)

    return score


def signature_of(metric: Any) -> str:
    """Settings and version as sacrebleu writes them, without the number of references."""
    metric.sentence_score("a", ["a"])  # before any work there is no signature
    return str(metric.get_signature()).removeprefix("nrefs:1|")
