"""The registry of features: what there is, what it is called, how it is made.

A family is a function decorated with :func:`register`; its parameter values span the features, so
``ngram`` with ``n = 2…5`` and ``local = false, true`` stands for eight of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import partial
from itertools import product
from typing import TypeAlias, TypeVar

from scipy import sparse

from weps import expressions
from weps.errors import FeatureError
from weps.expressions import Expression, Value
from weps.features.bags import Bags
from weps.language import Analysis

__all__ = ["Feature", "Flags", "feature", "features", "register"]

Flags: TypeAlias = sparse.csr_array
"""A pair flag: shape (documents, documents), symmetric, bool, empty diagonal."""

Extract: TypeAlias = Callable[[Analysis], Bags | Flags]
Family = TypeVar("Family", bound=Callable[..., Bags | Flags])


@dataclass(frozen=True, slots=True)
class Feature:
    """One feature: a bag of strings per document, or a flag per pair of documents."""

    name: str
    """Printable and parseable, defaults left out: ``ngram(n=2, local=true)``."""
    family: str
    description: str
    source: str
    linguistic: bool
    flag: bool
    """True for a flag per pair, which is its own similarity; False for bags."""
    needs: frozenset[str]
    """What a form of page must offer for the feature to exist, see :mod:`weps.forms`."""
    parameters: Mapping[str, Value] = field(compare=False, repr=False)
    extract: Extract = field(compare=False, repr=False)

    def __str__(self) -> str:
        return self.name


_REGISTRY: dict[str, Feature] = {}


def register(  # noqa: PLR0913 - a declaration states every fact about a family
    family: str,
    description: str,
    *,
    source: str,
    needs: Iterable[str] = (),
    linguistic: bool = False,
    flag: bool = False,
    **values: tuple[Value, ...],
) -> Callable[[Family], Family]:
    """Declare a family of features.

    Args:
        family: the group that the paper puts it in.
        description: one line; may use the parameters as ``{n}`` and ``{local}``.
        source: paper and section.
        needs: what the page must offer (``text``, ``case``, ``markup``).
        linguistic: whether language processing is needed (EMNLP 2009, section 4.3).
        flag: whether it is a flag per pair instead of a bag per document.
        values: for each parameter its possible values, the default first.
    """

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
                linguistic=linguistic,
                flag=flag,
                needs=frozenset(needs) | ({"mentions"} if chosen.get("local") else set()),
                parameters=chosen,
                extract=partial(function, **chosen),
            )
        return function

    return declare


def features() -> tuple[Feature, ...]:
    """All features, in the order of their declaration."""
    return tuple(_REGISTRY.values())


def feature(text: str | Expression) -> Feature:
    """The feature of that name; parameters may stand in any order, defaults may be given.

    Raises:
        FeatureError: if there is no such feature.
    """
    expression = expressions.parse(text) if isinstance(text, str) else text
    wanted = dict(expression.parameters)
    for candidate in () if expression.arguments else _REGISTRY.values():
        same_family = expressions.parse(candidate.name).name == expression.name
        if same_family and {**_defaults(candidate), **wanted} == dict(candidate.parameters):
            return candidate
    raise _unknown(str(expression))


def _defaults(candidate: Feature) -> dict[str, Value]:
    """The parameters that need not be given: those that are switches."""
    return {key: False for key, value in candidate.parameters.items() if isinstance(value, bool)}


def _unknown(name: str) -> FeatureError:
    near = get_close_matches(name, _REGISTRY, n=3, cutoff=0.4)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are: {', '.join(_REGISTRY)}"
    return FeatureError(f"there is no feature {name!r}", remedy=hint)
