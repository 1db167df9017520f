"""Which library a wrapped measure comes from, in which version and with which settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from eval.text.optional import optional
from eval.text.wrapped.bleu import bleu_metric
from eval.text.wrapped.chrf import chrf_metric
from eval.text.wrapped.sacre import signature_of
from eval.text.wrapped.ter import ter_metric
from weps.errors import FeatureError
from weps.sources.messages import listed

__all__ = ["signature"]

_SACREBLEU: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {"bleu": bleu_metric, "chrf": chrf_metric, "ter": ter_metric}
)
_NLTK = ("meteor", "nist")


def signature(measure: str, **settings: object) -> str:
    """The provenance of a measure's scores: ``sacrebleu case:mixed|eff:yes|…|version:2.6.0``.

    Args:
        measure: ``bleu``, ``chrf``, ``ter``, ``meteor`` or ``nist``.
        settings: those of the measure's function. Of sacrebleu's they are told as far as sacrebleu
            does, which leaves out BLEU's order; of nltk's there is the version alone.

    Raises:
        FeatureError: if there is no such measure.
        LanguageError: if the library is not installed.
    """
    if measure in _SACREBLEU:
        return f"sacrebleu {signature_of(_SACREBLEU[measure](**settings))}"
    if measure in _NLTK:
        return f"nltk version:{optional('nltk').__version__}"
    raise FeatureError(
        f"{measure!r} is no measure of another library",
        remedy=f"choose from {listed(sorted((*_SACREBLEU, *_NLTK)))}",
    )
