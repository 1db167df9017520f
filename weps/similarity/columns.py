"""The similarities that pages are compared by, the columns of pair tables: names and parsing.

Second-order similarity compares the similarities that two pages have to all pages, after
second-order co-occurrence (Schütze 1998, *Automatic word sense discrimination*): pages about one
person that share few words with each other still share them with the same third pages. It is
relative to the name: a page that resembles all others is no evidence.

A relative similarity is one minus its mean over the pairs of the name. How large second-order
similarities are depends on how many pages a name has and how alike these are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from weps import _expressions
from weps._expressions import Expression
from weps.errors import FeatureError
from weps.features.registry import Feature, FeatureKind, feature_by_name
from weps.language.analysis import Layer
from weps.similarity.measures import MEASURES, VECTOR_MEASURES, measures_of

_SECOND_ORDER = "profile"
_MAX_ORDER = 3
_RELATIVE = "relative"


@dataclass(frozen=True, slots=True)
class Similarity:
    """A column of a pair table: ``dice(token)``, ``overlap(email)``, or a flag, ``linked``.

    ``profile(dice(token))``, a second-order similarity, compares pages by the pages they resemble;
    ``relative(profile(dice(token)))`` is the same minus its mean over the pairs of the name.
    """

    feature: Feature
    measure: str = ""
    """Key of the measure; empty for a flag."""
    order: int = 1
    """1 compares the content of two pages; each second-order similarity around it adds one."""
    relative: bool = False
    """Whether its mean over the pairs of the name is subtracted."""

    def __str__(self) -> str:
        plain = f"{self.measure}({self.feature})" if self.measure else str(self.feature)
        profiles = self.order - 1
        around = [_RELATIVE] * self.relative + [_SECOND_ORDER] * profiles
        return "".join(f"{each}(" for each in around) + plain + ")" * len(around)

    @property
    def base(self) -> Similarity | None:
        """The similarity that this one is derived from; None if it compares the pages directly."""
        if self.relative:
            return replace(self, relative=False)
        return replace(self, order=self.order - 1) if self.order > 1 else None


def required_layers(similarities: Iterable[Similarity]) -> frozenset[Layer]:
    """The layers of language processing that the similarities need."""
    needs = {need for each in similarities for need in each.feature.needs}
    return frozenset(layer for layer in Layer if layer in needs)


def need_encoder(similarities: Iterable[Similarity]) -> bool:
    """Whether one of the similarities compares vectors of a sentence encoder."""
    return any("embeddings" in each.feature.needs for each in similarities)


def parse_similarity(text: str) -> Similarity:
    """The similarity of that name.

    Raises:
        FeatureError: if the measure or the feature is unknown, or they cannot be combined.
    """
    return _build_similarity(_expressions.parse_expression(text))


def _build_similarity(parsed: Expression) -> Similarity:
    measures = dict.fromkeys([*MEASURES, *VECTOR_MEASURES])
    applied = (*measures, _SECOND_ORDER, _RELATIVE)
    if parsed.name in applied:
        return _build_applied(parsed)
    if parsed.arguments:
        raise FeatureError(
            f"there is no similarity {parsed.name!r}",
            remedy=f"choose from {', '.join(applied)}",
        )
    flag = feature_by_name(parsed)
    if not flag.flag:
        what = "a bag of strings" if flag.kind is FeatureKind.BAGS else "a vector"
        raise FeatureError(
            f"{str(parsed)!r} is {what}, not a similarity",
            remedy="choose how: " + ", ".join(f"{each}({flag})" for each in measures_of(flag)),
        )
    return Similarity(flag)


def _build_applied(parsed: Expression) -> Similarity:
    """Parse a measure of a feature, ``dice(token)``, or a similarity derived from another."""
    derived = parsed.name in (_SECOND_ORDER, _RELATIVE)
    if len(parsed.arguments) != 1 or parsed.parameters:
        raise FeatureError(
            f"{str(parsed)!r}: expected one {'similarity' if derived else 'feature'} "
            "and no parameters",
            remedy=f"for example {parsed.name}({'dice(token)' if derived else 'token'})",
        )
    if derived:
        base = _build_similarity(parsed.arguments[0])
        if base.relative:
            what = f"{str(parsed)!r}: nothing is derived from a relative similarity"
            raise FeatureError(what, remedy=f"write {_RELATIVE} once, around all others")
        if parsed.name == _RELATIVE:
            return replace(base, relative=True)
        if base.order == _MAX_ORDER:
            raise FeatureError(
                f"{str(parsed)!r}: profiles of profiles of profiles say nothing new",
                remedy=f"nest {_MAX_ORDER - 1} at most",
            )
        return replace(base, order=base.order + 1)
    compared = feature_by_name(parsed.arguments[0])
    if compared.flag:
        what = f"{str(parsed)!r}: {compared} is a flag"
        raise FeatureError(what, remedy=f"write {compared} alone")
    if parsed.name not in measures_of(compared):
        what = f"{str(parsed)!r}: {parsed.name} does not compare {compared.kind}"
        raise FeatureError(what, remedy=f"choose from {', '.join(measures_of(compared))}")
    return Similarity(compared, parsed.name)


def dice_similarity(compared: Feature) -> Similarity:
    """Dice of the feature, the cosine of vectors, or the flag that it is.

    The paper found Dice the best of the three across feature types (EMNLP 2009, section 4.1).
    """
    usual = {FeatureKind.BAGS: "dice", FeatureKind.VECTORS: "cosine", FeatureKind.FLAGS: ""}
    return Similarity(compared, usual[compared.kind])
