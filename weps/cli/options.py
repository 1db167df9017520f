"""Options shared by several commands, and the model, reader and cache that they select."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weps._cache import Cache, default_folder
from weps._files import STANDARD, atomic_file, make_folder, read_bytes
from weps._options import ADDRESS, cli_option
from weps.errors import ModelError, OutputError, SourceError, told_as
from weps.records import Provenance

if TYPE_CHECKING:
    from weps.model import ModelChoice
    from weps.reading import Reader


def _parse_jobs(text: str) -> int:
    jobs = int(text) if text.removeprefix("-").isdecimal() else 0
    if jobs == -1 or jobs >= 1:
        return jobs
    raise argparse.ArgumentTypeError(
        f"expected a number of processes (1, 2, … or -1), got {text!r}"
    )


@dataclass(frozen=True, kw_only=True)
class JsonOption:
    """The file for the result as JSON."""

    json: Path | None = cli_option(
        "also write the result as JSON (docs/output.md); - is standard output, which has nothing "
        "else then"
    )

    def __post_init__(self) -> None:
        """Check before long work that the file can be written.

        Raises:
            OutputError: if it cannot be made.
        """
        check_writable(self.json)


@dataclass(frozen=True, kw_only=True)
class JobsOption:
    """The number of processes."""

    jobs: int = cli_option(
        "number of processes, -1 for one per core", 1, parse=_parse_jobs, metavar="N"
    )


@dataclass(frozen=True, kw_only=True)
class NamesOption:
    """The names of a corpus that are chosen."""

    name: tuple[str, ...] = cli_option(
        "choose this name only (repeat for several)", (), repeat=True, metavar="N"
    )


@dataclass(frozen=True, kw_only=True)
class CacheOptions:
    """The cache of what takes long to compute: pages that were read, values of text measures."""

    cache: Path | None = cli_option(
        "folder of the cache (default: the user's cache folder; `weps cache` shows it)",
        metavar="DIR",
    )
    no_cache: bool = cli_option("do not use the cache", False, instead_of="cache")

    def selected_cache(self) -> Cache | None:
        """The cache, None without one."""
        return None if self.no_cache else Cache(self.cache or default_folder())


@dataclass(frozen=True, kw_only=True)
class ReadingOptions(CacheOptions):
    """How pages are read."""

    language: str = cli_option(
        "spaCy pipeline, a package or a folder, for lemmas, phrases and entities; default: that of "
        "the model, or the small English one that comes with weps",
        "",
        metavar="NAME",
    )
    embeddings: str = cli_option(
        "sentence encoder in ONNX (model.onnx and tokenizer.json), for features that compare "
        "meanings, or none; default: the one that is installed with weps",
        "",
        metavar="FOLDER",
    )
    language_2: str = ""
    """The spaCy pipeline that recognises entities a second time; empty for none."""

    def reader(self, default_language: str = "", jobs: int = 1) -> Reader:
        """The reader of pages.

        Args:
            default_language: the language pipeline of the model's training pages, unless another is
                asked for.
            jobs: processes for the language of one name's pages.
        """
        from weps.language.spacy_pipeline import BUILTIN_PIPELINE  # noqa: PLC0415 - takes long
        from weps.reading import Reader  # noqa: PLC0415

        return Reader(
            self.language or default_language or BUILTIN_PIPELINE,
            self.selected_cache(),
            jobs,
            self.language_2,
            self.embeddings,
        )


@dataclass(frozen=True, kw_only=True)
class ModelOptions(ReadingOptions):
    """The model that answers, and how pages are read for it."""

    model: Path | None = cli_option("model file (default: the pretrained model)")
    plugin: tuple[str, ...] = cli_option(
        "a feature of your own that the model uses, or the name of one of an installed package "
        "(docs/extending.md); repeat for several",
        (),
        repeat=True,
        metavar="FILE.py:FUNCTION",
    )
    keep_all: bool = cli_option(
        "do not set aside pages on which the name does not occur or that have no content", False
    )
    system: str = cli_option(
        "pretrained model: default (the most accurate), small (without a sentence encoder), paper "
        "(EMNLP 2009), or paper:features=all (with entities and phrases, slower)",
        "",
        metavar="SYSTEM",
    )

    def model_choice(self) -> ModelChoice:
        """The selected model.

        Raises:
            ModelError: if two are selected.
        """
        from weps.model import ModelChoice  # noqa: PLC0415 - takes long

        if self.model and self.system:
            raise ModelError(
                "--model and --system select two models", remedy="give only one of them"
            )
        return ModelChoice(self.model, self.system, self.embeddings, self.keep_all, self.plugin)

    def provenance(self) -> Provenance:
        """The settings that a result was, or is to be, made with."""
        return Provenance(
            system=self.system,
            model=self.model.absolute().as_posix() if self.model else "",
            language=self.language,
            embeddings=self.embeddings,
            keep_all=self.keep_all,
        )


SETTINGS_FILE = "weps.toml"
_OTHER_VARIABLES = {"WEPS_CACHE", "WEPS_DATA", "WEPS_SEARXNG_URL"}
"""Variables that are no options: where cache, tests and the search engine are."""
_TRUSTED = {"allow-private", "features", "listen", "plugin", "yes"}
"""Options that run code, open doors or consent: not for files in folders of unknown origin."""
_PLACES = {"cache", "folder", "json", "keep", "out", "report", "runs", "table"}
"""Options that say where something is written."""
ALL_OPTIONS = frozenset(
    (
        "again allow-private also base baselines cache chosen clear clusters combinations "
        "compare corrections cv dask embeddings engine exclude exhaustive facts features files "
        "folder folds form format group human instances jobs json keep keep-all keep-results "
        "keyphrases label language language-2 learn leave-out level listen measures mixed "
        "model models most name no-cache no-corrections official open out pages person plugin port "
        "quiet refresh report results rivals runs samples scale scorer search seed set-aside sets "
        "shard similarity stars system table test threshold ties traceback train triples ulc "
        "url variables vectors verbose with within wordnet write yes"
    ).split()
)
"""Options of all commands, whose modules need not be imported to tell a wrong one."""


def all_settings() -> Iterator[tuple[tuple[str, ...], Any, str]]:
    """Settings of the user's file, the working directory's and the environment, the last counts.

    Each as the names of a command, if it is for that alone, and of an option; the value; and where
    it is from. ``jobs = 2`` counts for every command that has the option, below ``[text.score]``
    for that one.

    Raises:
        SourceError: if a file cannot be read, or that of the working directory sets an option that
            it may not.
    """
    folder = Path(os.environ.get("XDG_CONFIG_HOME") or "~/.config").expanduser() / "weps"
    for path in filter(Path.is_file, (folder / SETTINGS_FILE, Path(SETTINGS_FILE))):
        import tomllib  # noqa: PLC0415 - few have such a file

        faults = ValueError, RecursionError
        with told_as(SourceError, "no valid TOML", path, "correct it", faults):
            left: Any = [((), tomllib.loads(read_bytes(path, 1 << 20, SourceError).decode()))]
        for names, value in left:  # grows
            if isinstance(value, dict):
                left += [((*names, key), each) for key, each in value.items()]
            elif path == Path(SETTINGS_FILE) and (refused := _refused(names[-1], value)):
                raise SourceError(
                    f"{refused} is not taken from the working directory",
                    where=path,
                    remedy=f"set it in {folder / SETTINGS_FILE}, or give the option",
                )
            else:
                yield names, value, str(path)
    for name, value in sorted(os.environ.items()):
        if name.startswith("WEPS_") and name not in _OTHER_VARIABLES:
            yield (name.removeprefix("WEPS_").replace("_", "-").lower(),), value, name


def _refused(option: str, value: Any) -> str:
    """What a file in a folder of unknown origin may not set; empty if it may set the option so.

    It may not have anything run or allowed, nor written or sent elsewhere.
    """
    if option in _TRUSTED:
        return option
    if ".py:" in str(value):
        return "FILE.py:FUNCTION"
    here = os.path.realpath(".")
    for place in map(str, value if isinstance(value, list) else [value]):
        is_below = Path(os.path.realpath(place.replace("\0", ""))).is_relative_to(here)
        if option in _PLACES and (ADDRESS.match(place) or place[:1] == "~" or not is_below):
            return f"{option} = {place}"
    return ""


def check_writable(path: Path | None) -> None:
    """Check before long work that its result can be written.

    Raises:
        OutputError: if the file cannot be made.
    """
    if path is None or path == STANDARD:
        return
    folder = path.absolute().parent
    if path.is_dir():
        raise OutputError("expected a file, got a folder", where=path, remedy="add its name")
    if not folder.is_dir():
        raise OutputError("no such folder", where=folder, remedy="create it first")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise OutputError("the file cannot be written", where=path, remedy="choose another place")


_READ = {
    "source": "the source",
    "testbed": "the testbed",
    "official": "the table of --official",
}
_WRITTEN = {
    "json": "the file of --json",
    "keep": "the file of --keep",
    "out": "the file of --out",
}
"""Options that name files."""


def check_outputs(options: Any) -> None:
    """See before long work that results can be written, each into a file of its own.

    Raises:
        OutputError: if one cannot be, or two are the same, or one is read, or the place is missing.
    """
    if getattr(options, "files", False) and not options.report:
        raise OutputError("--files writes beside a report", remedy="name its folder with --report")
    taken: dict[str, str] = {}
    for name, called in (_READ | _WRITTEN).items():
        given = getattr(options, name, None)
        for path in given if isinstance(given, tuple) else filter(None, [given]):
            if name in _WRITTEN:
                check_writable(path)
            elif path == STANDARD:
                continue
            before = taken.setdefault(os.path.realpath(path), called)
            if before != called and name in _WRITTEN:
                raise OutputError(
                    f"this is {before} already",
                    where=path,
                    remedy=f"choose another file with --{name}",
                )
    for folder in filter(None, (getattr(options, name, None) for name in ("report", "runs"))):
        make_folder(folder)


def write_json(path: Path | None, data: Any, *, private: bool = False) -> None:
    """Write data as JSON, if a file is given; see :func:`write_json_text`."""
    if path:
        write_json_text(
            path, [(json.dumps(data, ensure_ascii=False, indent=1) + "\n")], private=private
        )


def write_json_text(path: Path, texts: Iterable[str], *, private: bool = False) -> None:
    """Write the parts of a JSON file one after another; a private one is for its owner alone.

    Raises:
        OutputError: if it cannot be written.
    """
    with atomic_file(path, private=private, follow=True) as whole:
        for text in texts:
            whole.write(text.encode(errors="replace"))
