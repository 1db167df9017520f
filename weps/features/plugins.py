"""Features and clusterers of users: in files of Python, and of installed packages.

Nothing is run but what the user names, on the command line or to :func:`load_plugin`. Systems,
models and results only hold names: reading them loads nothing.
"""

from __future__ import annotations

import copyreg
import hashlib
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from importlib.metadata import entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from weps._files import read_bytes
from weps.errors import FeatureError
from weps.features.bags import Bags
from weps.features.registry import (
    Feature,
    all_features,
    feature_by_name,
    register_feature,
    registered_features,
)
from weps.language.analysis import Analysis
from weps.records import Document

GROUPS = ("weps.features", "weps.clusterers")
"""The entry points of packages, each with a function or a clusterer for its name."""
_FAMILY = "own"
_WRITTEN = re.compile(r"(?:(?<=[+=])|^)[^+=,]*\.py:[^\W\d]\w*")
"""``FILE.py:NAME`` in a feature set or a system."""
_MAX_BYTES = 10_000_000
_REMEDY = "write FILE.py:FUNCTION, where the function takes a document and returns strings"

Strings = Callable[[Document], Iterable[str]]

_LOADED: dict[str, tuple[Feature, ...]] = {}
"""Origin → its features."""
CLUSTERERS: dict[str, tuple[str, Any]] = {}
"""Name → origin and object of each clusterer, a linkage of :mod:`weps.clustering.linkage`."""


def load_plugin(text: str) -> tuple[Feature, ...]:
    """Run a file of Python, or import a package, and register a feature or a clusterer.

    A feature is a function that takes a :class:`~weps.records.Document` and returns its strings; or
    it is declared by :func:`~weps.features.registry.register_feature`, takes the analysis of all
    documents of a name, and may define several features. A clusterer is an object, or a class, with
    the method ``fit_predict`` of scikit-learn, which gets a matrix of distances from 0 to 1, shape
    (pages, pages), and returns the number of each page's cluster; below 0 it is of none. Loading
    again has no effect.

    Args:
        text: ``FILE.py:NAME``, or the name of an entry point of the group ``weps.features`` or
            ``weps.clusterers``.

    Returns:
        The features, which systems can then use by the name of the function; none for a clusterer,
        which systems can use as ``link=NAME``.

    Raises:
        FeatureError: if there is no such function, its code fails, or weps has a feature of that
            name.
    """
    file, colon, name = text.strip().rpartition(":")
    origin = f"{Path(file).absolute()}:{name}" if colon else text.strip()
    if origin not in _LOADED:
        known = dict(registered_features())
        try:
            found = _run_file(Path(file), name) if colon else _import_entry_point(name)
            if hasattr(found, "fit_predict"):
                CLUSTERERS[name] = origin, found() if isinstance(found, type) else found
                features: tuple[Feature, ...] = ()
            else:
                features = _declared(found, name, origin, known)
        except BaseException:
            registered_features().clear()
            registered_features().update(known)
            raise
        _LOADED[origin] = features
    return _LOADED[origin]


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
    for each in _entry_points():
        if each.name in words:
            load_plugin(each.name)
    return plain


def plugin_digest(origin: str) -> str:
    """Eight hex digits of the file of a plug-in; of that of a package, its name and version."""
    file, colon, _ = origin.rpartition(":")
    if colon:
        return hashlib.sha256(read_bytes(Path(file), _MAX_BYTES, FeatureError)).hexdigest()[:8]
    return hashlib.sha256(repr(_entry_point(origin).dist).encode()).hexdigest()[:8]


def _run_file(file: Path, name: str) -> Any:
    """What a file calls so, or None."""
    read_bytes(file, _MAX_BYTES, FeatureError, _REMEDY)
    module_name = f"weps_own_{hashlib.sha256(str(file.absolute()).encode()).hexdigest()[:16]}"
    spec = spec_from_file_location(module_name, file)
    if module_name not in sys.modules and spec and spec.loader:
        module = sys.modules[module_name] = module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            del sys.modules[module_name]
            what = f"the file cannot be run ({type(error).__name__}: {error})"
            raise FeatureError(what, where=file, remedy="correct it") from error
    return getattr(sys.modules.get(module_name), name, None)


def _entry_points() -> list[Any]:
    return [each for group in GROUPS for each in entry_points(group=group)]


def _entry_point(name: str) -> Any:
    for each in _entry_points():
        if each.name == name:
            return each
    installed = ", ".join(sorted(each.name for each in _entry_points())) or "none"
    what = f"no installed package has a plug-in {name!r} (there are: {installed})"
    raise FeatureError(what, remedy=_REMEDY)


def _import_entry_point(name: str) -> Any:
    try:
        return _entry_point(name).load()
    except (ImportError, AttributeError) as error:
        what = f"the package of the plug-in {name!r} cannot be imported ({error})"
        raise FeatureError(what, remedy="install it again") from error


def _declared(found: Any, name: str, origin: str, known: dict[str, Feature]) -> tuple[Feature, ...]:
    """The features of a function; a plain one is registered."""
    if not callable(found):
        raise FeatureError(f"there is no function {name!r}", where=origin, remedy=_REMEDY)
    registry = registered_features()
    _note_origins(origin, known)
    if not any(each.origin == origin for each in registry.values()):
        about = (found.__doc__ or name.replace("_", " ")).strip().splitlines()[0]
        about = about.replace("{", "(").replace("}", ")")
        register_feature(_FAMILY, about, source=Path(origin).name)(_of_documents(found, name))
        _note_origins(origin, known)
    if replaced := [key for key, each in known.items() if registry[key].extract != each.extract]:
        what = f"there is a feature {replaced[0]!r} already"
        raise FeatureError(what, where=origin, remedy="give the function another name")
    return tuple(each for each in registry.values() if each.origin == origin)


def _note_origins(origin: str, known: Mapping[str, Feature]) -> None:
    """Mark what a file has declared: each feature by the function to name for it."""
    registry, file = registered_features(), origin.rpartition(":")[0]
    for key, each in registry.items():
        if key not in known:
            own = f"{file}:{each.function}" if file else origin
            registry[key] = replace(each, origin=own)


def _of_documents(strings: Strings, name: str) -> Callable[[Analysis], Bags]:
    """The bags of a function that takes one document."""

    def extract(analysis: Analysis) -> Bags:
        return Bags.of(_checked(strings(each), name) for each in analysis.documents)

    extract.__name__ = name
    return extract


def _checked(found: Any, name: str) -> list[str]:
    strings = found if isinstance(found, str) or not isinstance(found, Iterable) else list(found)
    if isinstance(strings, list) and all(isinstance(each, str) for each in strings):
        return strings
    what = f"{name!r} returned {type(found).__name__}, expected strings, such as a list of them"
    raise FeatureError(what, remedy="return [] where a page has none")


def _restore(origin: str, name: str) -> Feature:
    """A feature in another process."""
    if origin:
        load_plugin(origin)
    return feature_by_name(name)


copyreg.pickle(Feature, lambda feature: (_restore, (feature.origin, feature.name)))
