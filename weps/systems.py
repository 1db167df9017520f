"""Configurations: the features, classifier, linkage and stopping rule of a system.

A configuration is written as the name of one of :data:`CONFIGURATIONS`, or as a variant of it:
``paper:features=all,link=average``; a part may differ for pages of one form:
``paper:results.link=average``. Feature sets are written ``tokens + linked``. Rules state how
evidence of identity, too rare to be learned from a few names, changes a pair's log odds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weps import _expressions
from weps._formatting import suggest_names
from weps.clustering.dendrogram import STOPPING_KINDS, linkage_by_name
from weps.coreference.classifiers import CLASSIFIERS, NO_COLUMN
from weps.errors import FeatureError
from weps.features.registry import Feature, all_features, feature_by_name
from weps.reading import PageForm
from weps.similarity.columns import (
    MEASURES,
    PAPER_MEASURES,
    VECTOR_MEASURES,
    Similarity,
    dice_similarity,
    parse_similarity,
)

_IDENTITY_RULES = {
    "agree(honorific)": 2.0,
    "contradict(honorific)": -2.0,
    "contradict(birth_year)": -2.0,
    "distant_years": -2.0,
    "agree(email_domain)": 2.0,
    "contradict(email_domain)": -2.0,
    "agree(home_page)": 2.0,
    "agree(phone)": 2.0,
    "site_profile(relation=agree)": 2.0,
    "site_profile(relation=differ)": -2.0,
}
RULES: dict[str, Mapping[str, float]] = {
    "none": {},
    "identity": _IDENTITY_RULES
    | {
        "name_form(part=before, relation=agree)": 2.0,
        "name_form(part=before, relation=differ)": -2.0,
        "name_form(part=before, relation=one_only)": -2.0,
        "name_form(part=between, relation=differ)": -2.0,
        "name_form(part=after, relation=agree)": 2.0,
        "name_form(part=after, relation=differ)": -2.0,
        "name_form(part=after, relation=one_only)": -2.0,
    },
}
"""Name → similarity → what one unit of it adds to the log odds of coreference.

Not from the literature: one figure for all, by cross-validation on WePS-1; weights from 1 to 4
chosen one by one were not better. That middle names agree, or that one page alone has them, is
frequent enough to be learned.
"""


def split_columns(
    similarities: Sequence[Similarity], rules: Mapping[str, float]
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]]:
    """Divide the columns of a pair table between a classifier and rules.

    Args:
        similarities: the columns.
        rules: similarity → weight; similarities that are not columns are ignored, since not every
            form of page offers them.

    Returns:
        The columns without a rule, those with one, and the weights of these.
    """
    weights = np.array([rules.get(str(each), np.nan) for each in similarities], dtype=np.float64)
    is_seen = np.isnan(weights)
    seen, ruled = (np.flatnonzero(part).astype(np.int32) for part in (is_seen, ~is_seen))
    return seen, ruled, weights[ruled]


_SIZE = "few_pages"
"""The feature that has 1 / n for a name with n pages."""


def divide_columns(similarities: Sequence[Similarity]) -> dict[str, Any]:
    """The columns of the two parts of a :class:`weps.coreference.classifiers.MeanClassifier`.

    Trees learn how large profiles of a name with so many pages are; a sum over similarities needs
    them relative to the name, and the number of pages. Other columns are for both.

    Returns:
        ``tree_columns`` and ``linear_columns``, ascending, and ``size_column``.
    """
    features = [each.feature.name for each in similarities]
    relative = {each.base for each in similarities if each.relative}
    for_trees = [not each.relative and each.feature.name != _SIZE for each in similarities]
    return {
        "tree_columns": np.flatnonzero(for_trees).astype(np.int32),
        "linear_columns": np.flatnonzero([each not in relative for each in similarities]).astype(
            np.int32
        ),
        "size_column": features.index(_SIZE) if _SIZE in features else NO_COLUMN,
    }


@dataclass(frozen=True, slots=True)
class FeatureSet:
    """A named set of features; all are compared by Dice, except flags."""

    name: str
    description: str
    includes: Callable[[Feature], bool] = lambda _: False
    """Whether a declared feature is in the set."""
    further: tuple[str, ...] = ()
    """Similarities of the set besides Dice of these features."""

    def features(self) -> tuple[Feature, ...]:
        """Features by declaration, in the order of the registry; those of users are in no set."""
        return tuple(each for each in all_features() if not each.origin and self.includes(each))

    def similarities(self) -> Iterator[Similarity]:
        """Similarities of the set, in any order."""
        yield from map(dice_similarity, self.features())
        yield from map(parse_similarity, self.further)


_FIRST_ORDER = (
    *(f"{measure}(content(n={n}))" for n in (1, 2) for measure in ("dice", "cosine")),
    "dice(content(n=3))",
    "cosine(title)",
    "cosine(snippet)",
    "dice(url)",
    "dice(result(n=1))",
    "cosine(result(n=1))",
)
_COMPARED_TWICE = (
    *("title", "snippet", "url", "result(n=1)", "result(n=2)"),
    *(f"content(n={n})" for n in range(1, 6)),
)
"""Features compared by Dice and by cosine."""
_HIGHER_ORDER = (
    *(f"profile({each})" for each in _FIRST_ORDER),
    *(f"profile(profile({each}))" for each in _FIRST_ORDER),
)

_OF_WHOLE_PAGES = (
    *("token", "lemma", "title", "snippet", "url", "phrase", "capitalised"),
    *(f"ngram(n={n})" for n in range(2, 6)),
    *(f"entity(type={kind})" for kind in ("person", "location", "organisation")),
    *(
        f"fine_entity(type={kind})"
        for kind in "event facility location person organisation product period time number".split()
    ),
)
"""Features that EMNLP 2009, section 3.2, lists one by one, without those that it says were not
analysed and without the versions near the name: 23."""

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
            "features that need no language processing (ML-NON LING of EMNLP 2009, section 4.3.1)",
            lambda each: each.in_paper and not each.linguistic,
        ),
        FeatureSet(
            "linguistic",
            "lemmas, noun phrases, named entities and gazetteers alone",
            lambda each: each.in_paper and each.linguistic,
        ),
        FeatureSet(
            "all",
            "linguistic and non-linguistic features (ML-ALL of EMNLP 2009, section 4.3.1)",
            lambda each: each.in_paper,
        ),
        FeatureSet(
            "paper69",
            "23 features of whole pages by Dice, cosine and overlap: a reading of the paper's 69 "
            "(EMNLP 2009, section 4.1)",
            further=tuple(
                f"{measure}({each})" for each in _OF_WHOLE_PAGES for measure in PAPER_MEASURES
            ),
        ),
        FeatureSet(
            "content",
            "runs of content words, search results, links; Dice and cosine",
            further=(
                *(f"dice({each})" for each in (*_COMPARED_TWICE, "email", "link")),
                *(f"cosine({each})" for each in _COMPARED_TWICE),
                *("linked", "same_domain"),
            ),
        ),
        FeatureSet(
            "profiles",
            "second- and third-order similarity by content words and search results",
            further=_HIGHER_ORDER,
        ),
        FeatureSet(
            "relative-profiles",
            "profiles minus their mean over all pairs of the name",
            further=tuple(f"relative({each})" for each in _HIGHER_ORDER),
        ),
        FeatureSet(
            "embeddings",
            "embeddings of the text around the name; needs a sentence encoder",
            further=tuple(f"relative(profile({each}(embedding)))" for each in VECTOR_MEASURES),
        ),
        FeatureSet(
            "identity",
            "agreeing and contradicting evidence of identity, the columns of the rules",
            further=tuple(_IDENTITY_RULES),
        ),
        FeatureSet(
            "name-form",
            "names before, within and after the person's name, on both pages or on one",
            lambda each: each.function == "name_form",
        ),
        FeatureSet(
            "rarity",
            "key words of pages, capitalised words of results, weighted by their rarity in English",
            further=("rarity(content(n=1))", "rarity(capitalised_result)"),
        ),
        FeatureSet(
            "windows",
            "words and capitalised words near the name and on the page, weighted by rarity",
            further=(
                "rarity(content(n=1))",
                "rarity(window(width=25))",
                "rarity(window(width=80))",
                "rarity(capitalised_window)",
            ),
        ),
    )
}


def similarities_of(text: str) -> tuple[Similarity, ...]:
    """The similarities of a feature set, none twice: in registry order, derived ones last.

    Args:
        text: items joined by ``+``. An item is a set of :data:`FEATURE_SETS`; a system of
            :data:`CONFIGURATIONS`, which stands for its features; a function, which
            stands for all its features (``ngram``); one feature (``token(local=false)``); or a
            similarity (``cosine(token)``). Features are compared by Dice; a derived similarity
            (``profile(cosine(token))``) includes those that it is derived from.

    Raises:
        FeatureError: if an item is none of these.
    """
    items = (_parse_item(item.strip()) for item in text.split("+"))
    found = {base for item in items for each in item for base in each.with_bases()}
    feature_at = {each: number for number, each in enumerate(all_features())}
    measures = [*dict.fromkeys(["", *MEASURES, *VECTOR_MEASURES])]
    return tuple(
        sorted(
            found,
            key=lambda each: (
                each.relative,
                each.order,
                feature_at[each.feature],
                measures.index(each.measure),
            ),
        )
    )


def _parse_item(item: str) -> Iterable[Similarity]:
    """The similarities that one item stands for."""
    if item in FEATURE_SETS:
        return FEATURE_SETS[item].similarities()
    if item in CONFIGURATIONS:
        return similarities_of(CONFIGURATIONS[item].features)
    functions = {each.function for each in all_features()}
    if item in functions:
        return [dice_similarity(each) for each in all_features() if each.function == item]
    if "(" not in item:
        raise FeatureError(
            f"there is no feature set or feature {item!r}",
            remedy=suggest_names(item, [*FEATURE_SETS, *CONFIGURATIONS, *sorted(functions)]),
        )
    parsed = _expressions.parse_expression(item)
    if parsed.arguments:
        return [parse_similarity(item)]
    return [dice_similarity(feature_by_name(parsed))]


_MAX_COPIES = 100


@dataclass(frozen=True, slots=True)
class Configuration:
    """A system before training."""

    features: str
    """See :func:`weps.systems.similarities_of`."""
    classifier: str
    """Key of :data:`weps.coreference.classifiers.CLASSIFIERS`."""
    link: str
    """Name of a linkage, see :func:`weps.clustering.dendrogram.linkage_by_name`."""
    stop: str
    """Key of :data:`weps.clustering.dendrogram.STOPPING_KINDS`, see :mod:`weps.training`."""
    copies: int
    """Subsamples of each training name, see :mod:`weps.training`."""
    rules: str
    """Key of :data:`weps.systems.RULES`; the classifier does not use their similarities."""
    mixed: str = "learn"
    """What training does with mixed names, ``learn`` or ``skip``."""
    by_form: tuple[tuple[str, str | int], ...] = ()
    """Parts that differ for pages of one form, sorted: ``("results.link", "single")``."""

    def for_form(self, form: PageForm) -> Configuration:
        """The configuration for pages of the form alone."""
        parts: dict[str, Any] = {
            key.removeprefix(f"{form}."): value
            for key, value in self.by_form
            if key.startswith(f"{form}.")
        }
        return replace(self, by_form=(), **parts)

    def as_data(self) -> dict[str, str | int]:
        """The parts of the configuration by name, those for one form last."""
        return {part: getattr(self, part) for part in _PARTS} | dict(self.by_form)


_PARTS = [each.name for each in fields(Configuration) if each.name != "by_form"]
_SMALL_FEATURES = "content+profiles+identity+name-form+windows+rarity"
CONFIGURATIONS = {
    "paper": Configuration("non-linguistic", "tree", "single", "threshold", copies=0, rules="none"),
    "small": Configuration(
        _SMALL_FEATURES,
        *("boosted", "average", "expected-f-by-name"),
        copies=2,
        rules="identity",
        by_form=(
            ("results.classifier", "mean"),
            ("results.mixed", "skip"),
        ),
    ),
    "default": Configuration(
        f"{_SMALL_FEATURES}+embeddings+relative-profiles+few_pages",
        *("mean", "average", "expected-f-by-name"),
        copies=2,
        rules="identity",
        by_form=(("results.mixed", "skip"),),
    ),
}
"""Name → configuration: the system of EMNLP 2009, section 4.3, and our best ones, without and with
a sentence encoder."""


def parse_configuration(text: str) -> Configuration:
    """Parse a configuration; a part that is given without a form is that of all forms.

    Raises:
        FeatureError: if the name, a choice or its value is unknown.
    """
    name, _, variant = str(text).partition(":")
    if name not in CONFIGURATIONS:
        raise FeatureError(
            f"there is no system {name!r}",
            remedy=f"choose from {', '.join(CONFIGURATIONS)}, or write a variant of one: "
            "paper:link=average",
        )
    written = [_parse_choice(each, text) for each in _expressions.split_items(variant)]
    choices: dict[str, Any] = dict(written)
    if len(choices) < len(written):
        raise FeatureError(f"{text!r} gives a key twice", remedy="give each key once")
    named = CONFIGURATIONS[name]
    by_form = {key: value for key, value in named.by_form if key.partition(".")[2] not in choices}
    by_form |= {key: choices.pop(key) for key in list(choices) if "." in key}
    return replace(named, by_form=tuple(sorted(by_form.items())), **choices)


_NAMES: dict[str, Collection[str]] = {
    "classifier": CLASSIFIERS,
    "stop": STOPPING_KINDS,
    "rules": RULES,
    "mixed": ("learn", "skip"),
}
"""Part of a configuration → its possible values."""


def _parse_choice(written: str, text: str) -> tuple[str, str | int]:
    """One ``key=value``, checked."""
    key, equals, value = written.partition("=")
    *form, part = key.split(".", maxsplit=1)
    if not equals or part not in _PARTS or not {*form} <= {*PageForm}:
        raise FeatureError(
            f"cannot read {written!r} in {text!r}",
            remedy=f"write key=value with a key of {', '.join(_PARTS)}; for pages of one form "
            f"alone, put {', '.join(f'{each}.' for each in PageForm)} before it",
        )
    match part:
        case "features":
            similarities_of(value)
        case "link":
            linkage_by_name(value)
        case "copies":
            if value not in map(str, range(_MAX_COPIES + 1)):
                raise FeatureError(
                    f"expected a number, got {value!r}",
                    remedy=f"give a number from 0 to {_MAX_COPIES}",
                )
            return key, int(value)
        case _ if value not in _NAMES[part]:
            raise FeatureError(
                f"{value!r} is unknown", remedy=f"choose {' or '.join(_NAMES[part])}"
            )
    return key, value
