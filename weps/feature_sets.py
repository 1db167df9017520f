"""Feature sets: which similarities a system compares pages by, written ``tokens + linked``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches

from weps import expressions
from weps.errors import FeatureError
from weps.features import Feature, feature, features
from weps.measures import MEASURES
from weps.rules import RULES
from weps.similarity import Similarity, by_dice, similarity

__all__ = ["FEATURE_SETS", "FeatureSet", "similarities_of"]


@dataclass(frozen=True, slots=True)
class FeatureSet:
    """Features that have a name together; all are compared by Dice, flags as they are."""

    name: str
    description: str
    holds: Callable[[Feature], bool]
    further: tuple[str, ...] = ()
    """Similarities besides Dice."""

    def features(self) -> tuple[Feature, ...]:
        """Its features, in the order of the registry."""
        return tuple(filter(self.holds, features()))

    def similarities(self) -> Iterator[Similarity]:
        """Its similarities, in any order."""
        yield from map(by_dice, self.features())
        yield from map(similarity, self.further)


_OF_RESULTS = ("title", "snippet", "url")
_OF_CONTENT = tuple(f"content(n={n})" for n in range(1, 6))
_PROFILED = (
    *(f"{measure}(content(n={n}))" for n in (1, 2) for measure in ("dice", "cosine")),
    "dice(content(n=3))",
    "cosine(title)",
    "cosine(snippet)",
    "dice(url)",
    "dice(result(n=1))",
    "cosine(result(n=1))",
)
_SHOWN = ("result(n=1)", "result(n=2)")
_COSINES = tuple(f"cosine({each})" for each in (*_OF_RESULTS, *_SHOWN, *_OF_CONTENT))
_PROFILES = (
    *(f"profile({each})" for each in _PROFILED),
    *(f"profile(profile({each}))" for each in _PROFILED),
)


def _in_paper(each: Feature) -> bool:
    """Whether a feature is one that EMNLP 2009 describes."""
    return each.family not in {"content", "identity"}


FEATURE_SETS = {
    each.name: each
    for each in (
        FeatureSet(
            "tokens",
            "words of the whole page alone, the bag of words",
            lambda each: each.name == "token",
        ),
        FeatureSet(
            "non-linguistic",
            "what needs no language processing (ML-NON LING of EMNLP 2009, section 4.3.1)",
            lambda each: not each.linguistic and _in_paper(each),
        ),
        FeatureSet(
            "linguistic",
            "lemmas, noun phrases, named entities and gazetteers alone",
            lambda each: each.linguistic,
        ),
        FeatureSet(
            "all",
            "linguistic and non-linguistic features (ML-ALL of EMNLP 2009, section 4.3.1)",
            _in_paper,
        ),
        FeatureSet(
            "content",
            "runs of content words, search results, links; Dice and cosine",
            lambda each: each.family in {"content", "link"} or each.name in _OF_RESULTS,
            _COSINES,
        ),
        FeatureSet(
            "profiles",
            "whom pages resemble by content words and search results, second and third order",
            lambda _: False,
            _PROFILES,
        ),
        FeatureSet(
            "identity",
            "agreeing and contradicting evidence of identity, what rules are about",
            lambda _: False,
            tuple(RULES["identity"]),
        ),
    )
}


def similarities_of(text: str) -> tuple[Similarity, ...]:
    """The similarities of a feature set, none twice: in the order of the registry, profiles last.

    Args:
        text: items joined by ``+``. An item is a set of :data:`FEATURE_SETS`; a function, which
            stands for all its features (``ngram``); one feature (``token(local=false)``); or a
            similarity (``cosine(token)``). Features are compared by Dice; a profile brings along
            what it is the profile of.

    Raises:
        FeatureError: if an item is none of these; all such items are told.
    """
    found: set[Similarity] = set()
    faults = []
    for item in text.split("+"):
        try:
            found.update(_with_beneath(_item(item.strip())))
        except FeatureError as fault:
            faults.append(fault)
    if faults:
        raise _joined(faults)
    return _in_order(found)


def _with_beneath(similarities: Iterable[Similarity]) -> Iterator[Similarity]:
    """The similarities, and those that profiles among them are made of."""
    for each in similarities:
        yield each
        if each.order > 1:
            yield from _with_beneath([each.beneath])


def _item(item: str) -> Iterable[Similarity]:
    """The similarities that one item stands for."""
    if item in FEATURE_SETS:
        return FEATURE_SETS[item].similarities()
    functions = {each.function for each in features()}
    if item in functions:
        return [by_dice(each) for each in features() if each.function == item]
    if "(" in item:
        return [_written(item)]
    raise FeatureError(
        f"there is no feature set or feature {item!r}",
        remedy=_hint(item, [*FEATURE_SETS, *sorted(functions)]),
    )


def _written(item: str) -> Similarity:
    """The similarity, or Dice of the feature, that an expression writes."""
    parsed = expressions.parse(item)
    return similarity(item) if parsed.arguments else by_dice(feature(parsed))


def _hint(item: str, known: list[str]) -> str:
    near = get_close_matches(item, known, n=3, cutoff=0.5)
    return f"did you mean {' or '.join(near)}?" if near else f"there are: {', '.join(known)}"


def _joined(faults: list[FeatureError]) -> FeatureError:
    """One error that tells all."""
    if len(faults) == 1:
        return faults[0]
    return FeatureError("; ".join(f"{each.what} ({each.remedy})" for each in faults))


def _in_order(similarities: Iterable[Similarity]) -> tuple[Similarity, ...]:
    feature_at = {each: number for number, each in enumerate(features())}
    measure_at = {measure: number for number, measure in enumerate(["", *MEASURES])}

    def place(each: Similarity) -> tuple[int, int, int]:
        return each.order, feature_at[each.feature], measure_at[each.measure]

    return tuple(sorted(similarities, key=place))
