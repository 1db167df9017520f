"""Commands that show what is there: installed parts, features, cached pages, results.

``weps serve [FOLDER]`` shows results in the browser, where they are corrected and clustered again
at once.
"""

from __future__ import annotations

import logging
import platform
import sys
import tempfile
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import asdict, dataclass
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from ipaddress import IPv4Address
from pathlib import Path

from weps._cache import Cache, Usage, default_folder
from weps._files import FolderLock, resource_path, unfinished_prefix
from weps._formatting import count_of, suggest_similar
from weps._options import cli_argument, cli_option
from weps._version import VERSION
from weps.cli.console import Console
from weps.cli.options import (
    ALL_OPTIONS,
    JobsOption,
    JsonOption,
    ModelOptions,
    all_settings,
    write_json,
)
from weps.cli.search import EngineOptions
from weps.errors import OutputError, SearchError, WepsError, told_as
from weps.features.registry import Feature, FeatureKind, all_features
from weps.language import sentence_encoder, spacy_pipeline
from weps.results.result import ResultOptions
from weps.similarity.columns import MEASURES, PAPER_MEASURES, VECTOR_MEASURES
from weps.sources.formats import FORMATS
from weps.systems import FEATURE_SETS, FeatureSet, similarities_of
from weps.web.engines import WAYS, engines_set_up

_REQUIRED = ("versions", "parts")
_LIBRARIES = ("numpy", "scipy", "scikit-learn", "spacy", "lxml")
EXTRAS = {
    "app": ("flask", "waitress"),
    "dask": ("distributed",),
    "docs": ("furo", "myst-parser", "sphinx"),
    "plots": ("matplotlib",),
    "remote": ("fsspec",),
    "tables": ("pyarrow",),
    "text": ("nltk", "sacrebleu"),
    "web": ("aiohttp", "protego"),
    "xlsx": ("xlsxwriter",),
}
"""The optional dependencies of ``pyproject.toml``, which the installed package does not hold."""


@dataclass(frozen=True, kw_only=True)
class CacheFolder(JsonOption):
    """The options of ``weps cache``."""

    cache: Path | None = cli_option("default: the user's cache folder", metavar="DIR")
    clear: bool = cli_option("remove all entries", False)


def show_cache(options: CacheFolder, console: Console) -> int:
    """Show the size of the cache of read pages, or clear it.

    Returns:
        The exit status: 1 if not all could be removed.
    """
    cache = Cache(options.cache or default_folder())
    if options.clear:
        console.write(f"removed {_usage_text(cache.clear())} from {cache.folder}")
    usage = cache.usage()
    if options.clear and usage.entries:
        console.warn(f"{cache.folder}: {_usage_text(usage)} could not be removed, or are new")
    elif not options.clear:
        console.write(f"folder:  {cache.folder}\nentries: {usage.entries:,}")
        console.write(f"size:    {_megabytes(usage.bytes)} of at most {_megabytes(cache.limit)}")
        if usage.oldest is not None:
            console.write(f"oldest:  last used on {datetime.fromtimestamp(usage.oldest):%Y-%m-%d}")
    write_json(options.json, {"folder": str(cache.folder), "limit": cache.limit, **asdict(usage)})
    return int(options.clear and usage.entries > 0)


def show_settings(options: JsonOption, console: Console) -> None:
    """Show settings in files and in the environment, and which of them do not count."""
    settings, rows = list(all_settings()), []
    for place, ((*command, option), value, where) in enumerate(settings, start=1):
        later = (
            other
            for (*names, same), _, other in settings[place:]
            if same == option and names == command[: len(names)]
        )
        remark = next((f"overridden by {other}" for other in later), "")
        if option not in ALL_OPTIONS:
            near = suggest_similar([option], list(ALL_OPTIONS))
            remark = f"no command has this option{near and f'; {near}'}"
        rows.append([".".join((*command, option)), str(value), where, remark])
    head = ["setting", "value", "from", "remark"]
    console.write_table([head, *rows], left=4)
    write_json(options.json, [dict(zip(head, row, strict=True)) for row in rows])


def _usage_text(usage: Usage) -> str:
    return f"{usage.entries:,} entries ({_megabytes(usage.bytes)})"


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"


Finding = tuple[str, str, bool, str]
"""Kind (``versions``, ``extras``, ``parts``, or ``optional`` parts), name, whether it was found,
and its version or place, or how to get it."""


def diagnose(options: JsonOption, console: Console) -> int:
    """Print versions, extras, and what weps finds on this machine, in one line each.

    Returns:
        The exit status: 1 if something is missing that weps needs.
    """
    python = f"{platform.python_version()} ({sys.executable}), {platform.platform(terse=True)}"
    findings: list[Finding] = [
        ("versions", "weps", True, VERSION),
        ("versions", "Python", True, python),
    ]
    findings += (
        ("versions", library, bool(known), known or f"missing; pip install {library}")
        for library in _LIBRARIES
        for known in [_installed(library)]
    )
    for extra, packages in EXTRAS.items():
        versions = {package: _installed(package) for package in packages}
        detail = ", ".join(f"{package} {known}" for package, known in versions.items())
        if missing := [package for package, known in versions.items() if not known]:
            detail = f"needs {', '.join(missing)}; pip install 'weps[{extra}]'"
        findings.append(("extras", f"weps[{extra}]", not missing, detail))
    for name, (kind, check, detail) in _PARTS.items():
        part = ""
        try:
            part = check()
        except WepsError as error:
            detail = error.describe()  # noqa: PLW2901 - in place of the usual one
        findings.append((kind, name, bool(part), part or detail))
    width = max(len(name) for _, name, _, _ in findings)
    data: dict[str, dict[str, object]] = {}
    for kind, name, found, detail in findings:
        console.write(f"{'ok' if found else '--'}  {name:{width}}  {detail}")
        data.setdefault(kind, {})[name] = {"found": found, "detail": detail}
    write_json(options.json, data)
    return int(any(kind in _REQUIRED and not found for kind, _, found, _ in findings))


def _installed(package: str) -> str:
    """The version of a package, without importing it; empty if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _cache() -> str:
    cache = Cache(default_folder())
    usage = cache.usage()
    if cache.problem:
        raise OutputError(cache.problem)
    return f"{cache.folder}, {_megabytes(usage.bytes)} in {usage.entries:,} entries"


_PARTS: dict[str, tuple[str, Callable[[], str], str]] = {
    "English pipeline": ("parts", spacy_pipeline.pipeline_version, ""),
    "WordNet": ("parts", lambda: str(resource_path("wordnet/wordnet-3.0.npz")), ""),
    "formats of pages": (
        "parts",
        lambda: "; ".join(sorted(each.title for each in FORMATS if not each.is_own)),
        "",
    ),
    "cache": ("parts", _cache, ""),
    "sentence encoder": (
        "optional",
        sentence_encoder.encoder_identity,
        f"none; {sentence_encoder.INSTALL}",
    ),
    "search engines": (
        "optional",
        lambda: ", ".join(name for name, _ in engines_set_up()),
        "none is set up; docs/searching.md says how",
    ),
}
"""Part → its kind, what finds it, and what to do where that returns nothing; a WepsError says that
itself."""


def list_features(options: JsonOption, console: Console) -> None:
    """Print the registered features and feature sets, write JSON if asked for."""
    console.write_table(feature_rows(), left=5)
    console.write()
    console.write_table(set_rows(), left=2)
    kinds = [each.kind for each in all_features()]
    bags, vectors, flags = map(kinds.count, FeatureKind)
    similarities = bags * len(MEASURES) + vectors * len(VECTOR_MEASURES) + flags
    console.write(
        f"\nThere are {len(kinds)} features: {bags} bags, with {len(MEASURES)} measures each, "
        f"{count_of(vectors, 'vector')} with {len(VECTOR_MEASURES)}, and {flags} flags, which "
        f"makes {similarities} similarities, profiles not counted. The paper has 69 for each pair "
        "of pages (EMNLP 2009, section 4.1) and prints no list of them; "
        f"{len(FEATURE_SETS['all'].features())} of these features and the measures "
        f"{', '.join(PAPER_MEASURES)} follow it. Of whole pages it lists 23, by three measures 69: "
        "the set paper69."
    )
    write_json(
        options.json,
        {
            "features": [
                {
                    "name": each.name,
                    "family": each.family,
                    "linguistic": each.linguistic,
                    "kind": str(each.kind),
                    "flag": each.flag,
                    "needs": sorted(each.needs),
                    "description": each.description,
                    "source": each.source,
                }
                for each in all_features()
            ],
            "measures": list(MEASURES),
            "vector_measures": list(VECTOR_MEASURES),
            "sets": {
                each.name: {
                    "description": each.description,
                    "features": list(map(str, _set_members(each))),
                    "similarities": list(map(str, similarities_of(each.name))),
                }
                for each in FEATURE_SETS.values()
            },
        },
    )


def feature_rows() -> list[list[str]]:
    """The table of all features; the first row is the heading."""
    return [["feature", "family", "linguistic", "what it holds", "source"]] + [
        [
            str(each),
            each.family,
            "yes" if each.linguistic else "no",
            each.description,
            each.source,
        ]
        for each in all_features()
    ]


def set_rows() -> list[list[str]]:
    """The table of all feature sets; the first row is the heading."""
    return [["set", "what it holds", "features", "similarities"]] + [
        [
            each.name,
            each.description,
            str(len(_set_members(each))),
            str(len(similarities_of(each.name))),
        ]
        for each in FEATURE_SETS.values()
    ]


def _set_members(chosen: FeatureSet) -> list[Feature]:
    """The features that a set compares."""
    return list(dict.fromkeys(each.feature for each in similarities_of(chosen.name)))


@dataclass(frozen=True, kw_only=True)
class ServeOptions(EngineOptions, ModelOptions, JobsOption):
    """The options of ``weps serve``."""

    folder: Path = cli_argument(
        "folder of results of `weps cluster`, also for new ones", Path("weps-out")
    )
    port: int | None = cli_option(
        "default: 8737 or the next free one; 0 for any free one", least=0, most=65_535, metavar="N"
    )
    listen: IPv4Address = cli_option(
        "IPv4 address to listen on, for containers (default: 127.0.0.1, which only this machine "
        "reaches; docs/serving.md)",
        IPv4Address("127.0.0.1"),
        metavar="ADDRESS",
    )
    open: bool = cli_option("open it in the browser", False)
    traceback: bool = False
    """Whether the stacks of faults are logged."""


_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0; url={address}">
<title>weps</title><p><a href="{address}">All results</a></p></html>
"""


@contextmanager
def _opened_page(address: str, folder: Path) -> Iterator[None]:
    """Open an address in the browser by a page in the folder, which is removed at the end.

    Every account of the machine sees the arguments of a browser, but only the owner the page.
    """
    with tempfile.TemporaryDirectory(".tmp", unfinished_prefix(), folder) as place:  # mode 0700
        page = Path(place, "weps.html").absolute()
        page.write_text(_PAGE.format(address=address), "utf-8")
        webbrowser.open(page.as_uri())
        yield


def serve_results(options: ServeOptions, console: Console) -> None:
    """Serve until Ctrl-C."""
    with told_as(
        OutputError,
        "the local app needs Flask and waitress",
        None,
        "pip install 'weps[app]'",
        ModuleNotFoundError,
    ):
        from weps.app import application, server  # noqa: PLC0415 - may not be installed
    logging.basicConfig(format="%(message)s")
    if options.traceback:
        logging.getLogger("weps.app").setLevel(logging.DEBUG)
    engines = dict(
        engines_set_up(options.url, keep_results=options.keep_results, only=options.engine)
    )
    if options.engine and not engines:
        raise SearchError(
            f"the search engine {options.engine} is not set up",
            remedy=f"give {WAYS[options.engine]} (docs/searching.md)",
        )
    with FolderLock(options.folder, "weps serve") as lock:
        models = options.model_choice().load()
        reader = options.reader(models.language, options.jobs)
        if reader.cache and reader.cache.problem:
            console.warn(reader.cache.problem)
        chosen = ResultOptions(models=models, reader=reader, settings=options.provenance())
        access = server.Access(send_key=server.kept_key(options.folder))
        app = application.create_app(options.folder, chosen, access, engines)
        with closing(
            server.create_server(app, access, options.port, str(options.listen))
        ) as serving:
            address = access.address(serving.effective_port)
            lock.tell(f"weps serve at {server.HOST}:{serving.effective_port}")  # without the token
            host = options.listen
            reached = "this machine only" if host.is_loopback else f"listening on {host}"
            console.write(f"serving on {address} ({reached}; press Ctrl-C to quit)")
            console.write(f"  results: {options.folder.absolute()}")
            with _opened_page(address, options.folder) if options.open else nullcontext():
                serving.run()  # returns at Ctrl-C
            for subject in app.extensions["weps"].jobs.close():
                console.warn(f"{subject}: stopped before completion; its pages are kept")
            app.extensions["weps"].sessions.close()
    console.write_status("ended")
