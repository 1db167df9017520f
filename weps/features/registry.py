"""The registry of features: their names, descriptions and implementations, also those of users.

A family is a function decorated with :func:`register_feature`; its parameter values span the
features, so ``ngram`` with ``n = 2…5`` and ``local = false, true`` stands for eight of them.

Features, clusterers and measures of users are in files of Python, and in installed packages.
Nothing of them is run but what the user names, on the command line or to :func:`load_plugin`.
Systems, models and results only hold names: reading them loads nothing.
"""

from __future__ import annotations

import copyreg
import hashlib
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from importlib.metadata import entry_points
from importlib.util import module_from_spec, spec_from_file_location
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from weps._expressions import Expression, Value, parse_expression
from weps._files import read_bytes
from weps._formatting import suggest_names, suggest_similar
from weps.errors import FeatureError, InputTypeError, own_code
from weps.features.bags import Bags
from weps.language.analysis import Analysis, Layer
from weps.language.sentence_encoder import Vectors
from weps.records import Document

FAMILIES = (
    *("entity", "gazetteer", "noun phrase", "link", "n-gram", "lemma", "token"),
    *("content", "embedding", "identity", "name"),
)
"""The order of features in lists and of columns in tables: the most informative first, single
words late. It does not depend on the order of imports."""
Rows = NDArray[np.integer]
NEARBY = " near the name"
"""End of the wording of features that are restricted to sentences with the name."""


Flags: TypeAlias = Callable[[Rows, Rows], NDArray[Any]]
"""A flag, or another number that is a similarity itself, for each pair of documents.

Shape (pairs,): those of pairs of documents, given the rows of both, each shape (pairs,). What it
holds grows with the documents, not with their pairs.
"""


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
    """Properties of pages that the feature needs, see :mod:`weps.reading`."""
    parameters: Mapping[str, Value] = field(compare=False, repr=False)
    extract: Callable[[Analysis], Bags | Flags | Vectors] = field(compare=False, repr=False)
    origin: str = field(default="", compare=False)
    """Text that loads the feature, see :func:`load_plugin`; empty for those of weps."""

    def __hash__(self) -> int:
        return hash(self.name)  # as names are different, and the rest takes long

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

    Example:
        >>> @weps.register_feature("token", "digits of pages", wording="digits", needs=["text"])
        ... def digits_of_pages(analysis):
        ...     texts = (" ".join(page.blocks) for page in analysis.documents)
        ...     return Bags.of(filter(str.isdigit, text) for text in texts)
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
                told = detail.format(
                    **{
                        key: options[str(each)] if isinstance(options, Mapping) else each
                        for (key, options), each in zip(values.items(), choice, strict=True)
                    }
                )
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
                extract=partial(own_code(function)(function), **chosen),
            )
        return function

    return declare


def all_features() -> tuple[Feature, ...]:
    """All features, family by family, within a family in the order of their declaration."""
    place = {family: number for number, family in enumerate(FAMILIES)}
    return tuple(sorted(_REGISTRY.values(), key=lambda each: place.get(each.family, len(place))))


def feature_by_name(text: str | Expression) -> Feature:
    """The feature of that name; parameters may stand in any order, defaults may be given.

    Raises:
        FeatureError: if there is no such feature.
    """
    expression = parse_expression(text) if isinstance(text, str) else text
    same = (each for each in _REGISTRY.values() if each.function == expression.name)
    for candidate in () if expression.arguments else same:
        switches = {key for key, value in candidate.parameters.items() if isinstance(value, bool)}
        given = {**dict.fromkeys(switches, False), **dict(expression.parameters)}
        if given == dict(candidate.parameters):
            return candidate
    raise FeatureError(
        f"there is no feature {str(expression)!r}",
        remedy=suggest_names(str(expression), list(_REGISTRY)),
    )


GROUPS = ("weps.features", "weps.clusterers", "weps.measures")
"""The entry points of packages, each with a function or a clusterer for its name."""
_WRITTEN = re.compile(r"(?:(?<=[+=])|^)[^+=,]*\.py:[^\W\d]\w*")
"""``FILE.py:NAME`` in a feature set or a system."""
_MAX_BYTES = 10_000_000
_REMEDY = "write FILE.py:FUNCTION, the name of a function in the file"

_NO_FILE = "function of this process "
"""What the origin of a function that is in no file begins with."""
_LOADED: dict[str, tuple[Feature, ...]] = {}
"""Origin → its features."""
CLUSTERERS: dict[str, tuple[str, Any]] = {}
"""Name → origin and object of each clusterer, a linkage of :mod:`weps.clustering.dendrogram`."""


def load_plugin(plugin: str | Callable[[Document], Iterable[str]]) -> tuple[Feature, ...]:
    """Run a file of Python, or import a package, and register a feature or a clusterer.

    A feature is a function that takes a :class:`~weps.records.Document` and returns its strings; or
    it is declared by :func:`register_feature`, takes the analysis of all
    documents of a name, and may define several features. A clusterer is an object, or a class, with
    the method ``fit_predict`` of scikit-learn, which gets a matrix of distances from 0 to 1, shape
    (pages, pages), and returns the number of each page's cluster; below 0 it is of none. Loading
    again has no effect.

    Args:
        plugin: ``FILE.py:NAME``, or the name of an entry point of the group ``weps.features`` or
            ``weps.clusterers``; or a function, such as one of a notebook, which this process alone
            knows, and which takes the place of an earlier one of its name.

    Returns:
        The features, which systems can then use by the name of the function; none for a clusterer,
        which systems can use as ``link=NAME``.

    Raises:
        FeatureError: if there is no such function, its code fails, or weps has a feature of that
            name.

    Example:
        >>> def capitals(document):
        ...     words = " ".join(document.blocks).split()
        ...     return [word for word in words if word.isupper()]
        >>> weps.load_plugin(capitals)[0].name  # doctest: +SKIP
        'capitals'
    """
    if isinstance(plugin, str):
        origin, name = plugin_origin(plugin)
    else:
        name = getattr(plugin, "__name__", "")
        if not name.isidentifier():
            raise InputTypeError(f"expected FILE.py:NAME or a function with a name, got {plugin!r}")
        origin = f"{_NO_FILE}{len(_LOADED)}:{name}"  # so that it is no earlier one of the name
        for earlier in [each for each in _REGISTRY.values() if each.function == name]:
            if earlier.origin.startswith(_NO_FILE):
                del _REGISTRY[earlier.name]
    if origin not in _LOADED:
        known = dict(_REGISTRY)
        try:
            found = load_object(origin) if isinstance(plugin, str) else plugin
            _note_origins(origin, known)
            if hasattr(found, "fit_predict"):
                CLUSTERERS[name] = origin, found() if isinstance(found, type) else found
                _LOADED[origin] = ()
            else:
                _LOADED[origin] = _declared(found, name, origin, known)
        except BaseException:
            _REGISTRY.clear()
            _REGISTRY.update(known)
            raise
    return _LOADED[origin]


def plugin_origin(text: str) -> tuple[str, str]:
    """Text that loads a plug-in from any folder, and its name."""
    file, colon, name = str(text).strip().rpartition(":")
    return f"{Path(file).absolute()}:{name}" if colon else name, name


def load_object(origin: str) -> Any:
    """The object that a file of Python calls so, or that an entry point leads to.

    Raises:
        FeatureError: if there is none, or its code fails.
    """
    file, colon, name = origin.rpartition(":")
    known = _run_file(Path(file)) if colon else {name: _entry_point(name, load=True)}
    found = known.get(name)
    if not (callable(found) or hasattr(found, "fit_predict")):
        near = suggest_similar([name], [each for each in known if callable(known[each])])
        raise FeatureError(f"there is no function {name!r}", where=origin, remedy=near or _REMEDY)
    return found


def load_named_plugins(text: str) -> str:
    """A feature set or a system as the user writes it, with what it names loaded.

    Returns:
        The text with plain names in place of ``FILE.py:NAME``.

    Raises:
        FeatureError: see :func:`load_plugin`.
    """

    def load(written: re.Match[str]) -> str:
        features = load_plugin(written[0])
        return features[0].function if features else written[0].rpartition(":")[2]

    plain = _WRITTEN.sub(load, text)
    words = set(re.findall(r"\w+", plain)) - {each.function for each in all_features()}
    for name in words & {each.name for each in plugins_installed()}:
        load_plugin(name)
    return plain


def plugin_digest(origin: str) -> str:
    """Eight hex digits of the file of a plug-in; of that of a package, its name and version."""
    file, colon, _ = origin.rpartition(":")
    package = "" if colon else repr(_entry_point(origin).dist)
    content = package.encode() or read_bytes(Path(file), _MAX_BYTES, FeatureError)
    return hashlib.sha256(content).hexdigest()[:8]


def _run_file(file: Path) -> dict[str, Any]:
    """What a file defines, by name."""
    read_bytes(file, _MAX_BYTES, FeatureError, _REMEDY)
    module_name = f"weps_own_{hashlib.sha256(str(file.absolute()).encode()).hexdigest()[:16]}"
    spec = spec_from_file_location(module_name, file)
    if module_name not in sys.modules and spec and spec.loader:
        module = sys.modules[module_name] = module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            del sys.modules[module_name]
            raise FeatureError(
                f"the file cannot be run ({type(error).__name__}: {error})",
                where=file,
                remedy="correct it",
            ) from error
    return vars(sys.modules[module_name])


def plugins_installed() -> list[Any]:
    """The entry points of packages."""
    return [each for group in GROUPS for each in entry_points(group=group)]


def _entry_point(name: str, *, load: bool = False) -> Any:
    """The entry point of that name, or what it leads to."""
    for each in plugins_installed():
        if each.name == name:
            try:
                return each.load() if load else each
            except (ImportError, AttributeError) as error:
                raise FeatureError(
                    f"the package of the plug-in {name!r} cannot be imported ({error})",
                    remedy="install it again",
                ) from error
    installed = ", ".join(sorted(each.name for each in plugins_installed())) or "none"
    raise FeatureError(
        f"no installed package has a plug-in {name!r} (there are: {installed})", remedy=_REMEDY
    )


def _declared(found: Any, name: str, origin: str, known: dict[str, Feature]) -> tuple[Feature, ...]:
    """The features of a function; a plain one is registered."""
    if not any(each.origin == origin for each in _REGISTRY.values()):
        about = (
            (found.__doc__ or name.replace("_", " ")).strip().translate(str.maketrans("{}", "()"))
        )

        def extract(analysis: Analysis) -> Bags:
            bags = []
            for document in analysis.documents:
                with own_code(found):
                    given: Any = found(document)
                    if isinstance(given, Iterable) and not isinstance(given, str):
                        given = list(given)
                if not isinstance(given, list) or any(not isinstance(each, str) for each in given):
                    raise FeatureError(
                        f"{name!r} returned {type(given).__name__}, expected strings, such as a "
                        "list of them",
                        remedy="return [] where a page has none",
                    )
                bags.append(given)
            return Bags.of(bags)

        extract.__name__ = name
        register_feature("own", about.splitlines()[0], source=Path(origin).name)(extract)
        _note_origins(origin, known)
    if replaced := [key for key, each in known.items() if _REGISTRY[key].extract != each.extract]:
        raise FeatureError(
            f"there is a feature {replaced[0]!r} already",
            where=origin,
            remedy="give the function another name",
        )
    return tuple(each for each in _REGISTRY.values() if each.origin == origin)


def _note_origins(origin: str, known: Mapping[str, Feature]) -> None:
    """Mark what a file has declared: each feature by the function to name for it."""
    file = origin.rpartition(":")[0]
    for key in _REGISTRY.keys() - known:
        own = f"{file}:{_REGISTRY[key].function}" if file else origin
        _REGISTRY[key] = replace(_REGISTRY[key], origin=own)


def _restore(origin: str, name: str) -> Feature:
    """A feature in another process."""
    if origin:
        load_plugin(origin)
    return feature_by_name(name)


copyreg.pickle(Feature, lambda feature: (_restore, (feature.origin, feature.name)))
