"""The registry of weightings: what makes a word a key term of a set of documents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from difflib import get_close_matches

from weps.errors import FeatureError
from weps.key_terms.occurrences import Position
from weps.key_terms.statistics import Counts, Vector, likelihood_ratio, okapi, tf

__all__ = ["WEIGHTINGS", "Weighting", "weighting"]

_PAPER = "COLING 2004, section 5.1"
_CONCLUSION = "COLING 2004, section 6"


@dataclass(frozen=True, slots=True)
class Weighting:
    """A statistic of the words of a set of documents, and which words are considered at all."""

    name: str
    description: str
    source: str
    statistic: Callable[[Counts], Vector]
    counted: Position = Position.ANYWHERE
    """Which occurrences in the set count; a word that has none there is no candidate.

    The reference collection knows no positions, so only tf is fit for any but anywhere.
    """
    among: Position = Position.ANYWHERE
    """Where a word must stand at least once in the set to be a candidate."""
    spread: bool = False
    """Whether to multiply by the share of the documents of the set that have the word."""

    @property
    def needs_tags(self) -> bool:
        """Whether the documents must have been read with their parts of speech."""
        return {self.counted, self.among} != {Position.ANYWHERE}

    def weigh(self, counts: Counts) -> Vector:
        """Shape (k,): the weights of k candidates."""
        weights = self.statistic(counts)
        return weights * counts.share if self.spread else weights


_STATISTICS = (
    Weighting("tf", "occurrences", _PAPER, tf),
    Weighting(
        "likelihood_ratio",
        "log-likelihood ratio against the reference collection",
        f"{_PAPER}; Rayson and Garside 2000",
        likelihood_ratio,
    ),
    Weighting(
        "okapi",
        "Okapi's weight, the set taken as one document",
        f"{_PAPER}; Robertson et al. 1994",
        okapi,
    ),
)
_SYNTACTIC = (
    Weighting("tfsyntax", "occurrences immediately before a verb", _PAPER, tf, Position.VERB),
    Weighting("subject", "occurrences in subjects", _CONCLUSION, tf, Position.SUBJECT),
    Weighting(
        "modifier",
        "occurrences in modifiers of subjects, their heads left out",
        _CONCLUSION,
        tf,
        Position.MODIFIER,
    ),
)


def _before_verbs(plain: Weighting) -> Weighting:
    return replace(
        plain,
        name=f"{plain.name}+verb",
        description=f"{plain.description}, of words that precede a verb in some sentence",
        source=_CONCLUSION,
        among=Position.VERB,
    )


def _spread(plain: Weighting) -> Weighting:
    return replace(
        plain,
        name=f"{plain.name}+spread",
        description=f"{plain.description}, times the share of the documents that have the word",
        source="our own",
        spread=True,
    )


WEIGHTINGS: dict[str, Weighting] = {
    each.name: each
    for each in (
        *_STATISTICS,
        *_SYNTACTIC,
        *map(_before_verbs, _STATISTICS),
        *map(_spread, _STATISTICS),
    )
}
"""Name → weighting: those of the paper, what its conclusion suggests, our own."""


def weighting(name: str) -> Weighting:
    """The weighting of that name.

    Raises:
        FeatureError: if there is none.
    """
    if name not in WEIGHTINGS:
        near = get_close_matches(name, WEIGHTINGS, n=3, cutoff=0.4)
        hint = f"did you mean {' or '.join(near)}?" if near else ""
        raise FeatureError(
            f"there is no weighting {name!r}",
            remedy=hint or f"there are: {', '.join(WEIGHTINGS)}",
        )
    return WEIGHTINGS[name]
