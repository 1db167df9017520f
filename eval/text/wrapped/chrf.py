"""chrF and chrF++: n-grams of characters in common, by sacrebleu."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from eval.text.wrapped.pairs import Floats, every_pair
from eval.text.wrapped.sacre import metric, share
from weps.errors import ValuesError

__all__ = ["chrf", "chrf_metric"]

_MOST = 10


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
    return every_pair(outputs, references, share(chrf_metric(words, lowercase=lowercase)))


def chrf_metric(words: int = 0, *, lowercase: bool = False) -> Any:
    """The metric of sacrebleu; errors as of :func:`chrf`."""
    if not 0 <= words <= _MOST:
        raise ValuesError(f"chrF with {words}-grams of words", remedy=f"from 0 to {_MOST}")
    return metric("CHRF", char_order=6, word_order=words, beta=2, lowercase=lowercase)
