"""The registry of features: their names, descriptions and implementations.

A family is a function decorated with :func:`register_feature`; its parameter values span the
features, so ``ngram`` with ``n = 2…5`` and ``local = false, true`` stands for eight of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from itertools import product
from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from weps import _expressions
from weps._expressions import Expression, Value
from weps._formatting import suggest_names
from weps.errors import FeatureError
from weps.features.bags import Bags
from weps.language.analysis import Analysis, Layer
from weps.language.sentence_encoder import Vectors

FAMILIES = (
    *("entity", "gazetteer", "noun phrase", "link", "n-gram", "lemma", "token"),
    *("content", "embedding", "identity", "name"),
)
"""The order of features in lists and of columns in tables: the most informative first, single
words late. It does not depend on the order of imports."""
NEARBY = " near the name"
"""End of the wording of features that are restricted to sentences with the name."""


@dataclass(frozen=True, slots=True, eq=False)
class Flags:
    """A flag, or another number that is a similarity itself, for each pair of documents."""

    code: NDArray[np.integer]
    """Shape (documents,): a number from 0 to k - 1; documents with one number have like flags."""
    values: sparse.csr_array | NDArray[np.floating | np.bool_]
    """Shape (k, k), symmetric: the flag of two documents with these codes."""

    def of(self, first: NDArray[np.integer], second: NDArray[np.integer]) -> NDArray[np.float64]:
        """Shape (pairs,): the flags of pairs of documents, given their rows."""
        found = self.values[self.code[first], self.code[second]]
        dense = found if isinstance(found, np.ndarray) else found.toarray().ravel()
        return dense.astype(np.float64)


Extract: TypeAlias = Callable[[Analysis], Bags | Flags | Vectors]
Family = TypeVar("Family", bound=Callable[..., Bags | Flags | Vectors])


class FeatureKind(StrEnum):
    """What a feature extracts from the documents of a name."""

    BAGS = "bags"
    """A bag of strings per document."""
    VECTORS = "vectors"
    """A dense vector per document."""
    FLAGS = "flags"
    """A flag per pair of documents, which is its own similarity."""


@dataclass(frozen=True, slots=True)
class Feature:
    """One feature: a bag of strings or a vector per document, or a flag per pair of documents."""

    name: str
    """Printable and parseable, defaults left out: ``ngram(n=2, local=true)``."""
    family: str
    description: str
    wording: str
    """Evidence of the feature as reports tell of it: ``phrases of 2 words near the name``."""
    function_wording: str
    """Evidence of the feature and others of its function: ``phrases``."""
    source: str
    in_paper: bool
    """Whether EMNLP 2009 describes the feature."""
    linguistic: bool
    identifying: bool
    """Whether two pages seldom share a string unless they are about one person."""
    of_name: bool
    """Whether all pairs of a name have one value."""
    kind: FeatureKind
    needs: frozenset[str]
    """Properties of pages that the feature needs, see :mod:`weps.page_forms`."""
    parameters: Mapping[str, Value] = field(compare=False, repr=False)
    extract: Extract = field(compare=False, repr=False)
    origin: str = field(default="", compare=False)
    """Text that loads the feature, see :mod:`weps.features.plugins`; empty for those of weps."""

    def extract_bags(self, analysis: Analysis) -> Bags:
        """The bags of the documents.

        Raises:
            FeatureError: if the feature extracts something else.
        """
        if not isinstance(made := self.extract(analysis), Bags):
            raise FeatureError(f"{self} extracts {self.kind}, no bags of strings")
        return made

    @property
    def flag(self) -> bool:
        """Whether the feature is a flag per pair."""
        return self.kind is FeatureKind.FLAGS

    @property
    def function(self) -> str:
        """The name without parameters: ``ngram``."""
        return self.name.partition("(")[0]

    def __str__(self) -> str:
        return self.name


_REGISTRY: dict[str, Feature] = {}


def register_feature(  # noqa: PLR0913 - a declaration states every fact about a family
    family: str,
    description: str,
    *,
    wording: str = "",
    detail: str = "",
    paper: str = "",
    source: str = "our own",
    needs: Iterable[str] = (),
    linguistic: bool = False,
    identifying: bool = False,
    of_name: bool = False,
    kind: FeatureKind = FeatureKind.BAGS,
    **values: Sequence[Value] | Mapping[str, str],
) -> Callable[[Family], Family]:
    """Declare a family of features.

    Args:
        family: one of :data:`FAMILIES`, or another, whose features are listed last.
        description: one line; may use the parameters as ``{n}`` and ``{local}``.
        wording: evidence of the family as reports tell of it, ``phrases``; by default the
            description of each feature.
        detail: evidence of one feature, ``phrases of {n} words``; by default, and for runs of one
            word, that of the family.
        paper: section of EMNLP 2009 that describes the family, which makes it part of the paper's
            feature sets; empty for families of others.
        source: paper and section of a family that is not in EMNLP 2009.
        needs: required properties of the page (``text``, ``case``, ``markup``), required layers
            of language processing, and ``embeddings`` for a sentence encoder.
        linguistic: whether the family is linguistic (EMNLP 2009, section 4.3) although it needs no
            layer; features that need a layer always are.
        identifying: whether two pages seldom share a string unless they are about one person.
        of_name: whether all pairs of a name have one value.
        kind: what the function returns.
        values: possible values of each parameter, the default first; a mapping gives their words
            in ``detail``.
    """
    needed = frozenset(needs)

    def declare(function: Family) -> Family:
        defaults = {key for key, options in values.items() if next(iter(options)) is False}
        for choice in product(*values.values()):
            chosen = dict(zip(values, choice, strict=True))
            shown = {key: each for key, each in chosen.items() if each or key not in defaults}
            local = chosen.get("local", False)
            where = "sentences that mention the name" if local else "the whole page"
            about = description.format(**{**chosen, "where": where})
            told = wording or about
            if detail and chosen.get("n") != 1:
                words = {
                    key: options[str(chosen[key])] if isinstance(options, Mapping) else chosen[key]
                    for key, options in values.items()
                }
                told = detail.format(**words)
            name = str(Expression(function.__name__, (), tuple(shown.items())))
            _REGISTRY[name] = Feature(
                name=name,
                family=family,
                description=about,
                wording=f"{told}{NEARBY}" if local else told,
                function_wording=wording or function.__name__.replace("_", " "),
                source=f"EMNLP 2009, {paper}" if paper else source,
                in_paper=bool(paper),
                linguistic=linguistic or any(isinstance(need, Layer) for need in needed),
                identifying=identifying,
                of_name=of_name,
                kind=kind,
                needs=needed | ({"mentions"} if local else set()),
                parameters=chosen,
                extract=partial(function, **chosen),
            )
        return function

    return declare


def registered_features() -> dict[str, Feature]:
    """Name → feature, in the order of their declaration; those of users are added."""
    return _REGISTRY


def all_features() -> tuple[Feature, ...]:
    """All features, family by family, within a family in the order of their declaration."""
    place = {family: number for number, family in enumerate(FAMILIES)}
    return tuple(sorted(_REGISTRY.values(), key=lambda each: place.get(each.family, len(place))))


def feature_by_name(text: str | Expression) -> Feature:
    """The feature of that name; parameters may stand in any order, defaults may be given.

    Raises:
        FeatureError: if there is no such feature.
    """
    expression = _expressions.parse_expression(text) if isinstance(text, str) else text
    wanted = dict(expression.parameters)
    for candidate in () if expression.arguments else _REGISTRY.values():
        switches = {key for key, value in candidate.parameters.items() if isinstance(value, bool)}
        given = {**dict.fromkeys(switches, False), **wanted}
        if candidate.function == expression.name and given == dict(candidate.parameters):
            return candidate
    name = str(expression)
    remedy = suggest_names(name, list(_REGISTRY))
    raise FeatureError(f"there is no feature {name!r}", remedy=remedy)
