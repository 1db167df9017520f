"""The registry of features: their names, descriptions and implementations.

A family is a function decorated with :func:`register_feature`; its parameter values span the
features, so ``ngram`` with ``n = 2…5`` and ``local = false, true`` stands for eight of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
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


@dataclass(frozen=True, slots=True, eq=False)
class Flags:
    """A flag, or another number that is a similarity itself, for each pair of documents."""

    code: NDArray[np.integer]
    """Shape (documents,): documents of one code have the same flags, from 0 to k - 1."""
    values: sparse.csr_array | NDArray[np.floating | np.bool_]
    """Shape (k, k), symmetric: that of two documents of these codes."""

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
    source: str
    linguistic: bool
    kind: FeatureKind
    needs: frozenset[str]
    """The properties that pages need for the feature, see :mod:`weps.page_forms`."""
    parameters: Mapping[str, Value] = field(compare=False, repr=False)
    extract: Extract = field(compare=False, repr=False)
    origin: str = field(default="", compare=False)
    """What loads it, see :mod:`weps.features.plugins`; empty for the features of weps."""

    def extract_bags(self, analysis: Analysis) -> Bags:
        """What it extracts, if that is bags.

        Raises:
            FeatureError: if it is not.
        """
        if not isinstance(made := self.extract(analysis), Bags):
            raise FeatureError(f"{self} extracts {self.kind}, no bags of strings")
        return made

    @property
    def flag(self) -> bool:
        """Whether it is a flag per pair."""
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
    source: str = "EMNLP 2009, section 3.2",
    needs: Iterable[str] = (),
    linguistic: bool = False,
    kind: FeatureKind = FeatureKind.BAGS,
    **values: tuple[Value, ...],
) -> Callable[[Family], Family]:
    """Declare a family of features.

    Args:
        family: the group that the paper puts it in.
        description: one line; may use the parameters as ``{n}`` and ``{local}``.
        source: paper and section.
        needs: required properties of the page (``text``, ``case``, ``markup``), required layers
            of language processing, and ``embeddings`` for a sentence encoder.
        linguistic: whether it is linguistic (EMNLP 2009, section 4.3) although it needs no layer;
            features that need a layer always are.
        kind: what the function returns.
        values: for each parameter its possible values, the default first.
    """
    needed = frozenset(needs)

    def declare(function: Family) -> Family:
        defaults = {key: options[0] for key, options in values.items() if options[0] is False}
        for choice in product(*values.values()):
            chosen = dict(zip(values, choice, strict=True))
            shown = {k: v for k, v in chosen.items() if k not in defaults or v != defaults[k]}
            name = str(Expression(function.__name__, (), tuple(shown.items())))
            local = "sentences that mention the name" if chosen.get("local") else "the whole page"
            _REGISTRY[name] = Feature(
                name=name,
                family=family,
                description=description.format(**{**chosen, "where": local}),
                source=source,
                linguistic=linguistic or any(isinstance(need, Layer) for need in needed),
                kind=kind,
                needs=needed | ({"mentions"} if chosen.get("local") else set()),
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
