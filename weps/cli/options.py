"""Options shared by several commands, and the model, reader and cache that they select."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Iterable
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar

from weps._cache import Cache, default_folder
from weps._files import atomic_file, refuse_links_of_others
from weps._formatting import suggest_similar
from weps.errors import ModelError, OutputError
from weps.language.sentence_encoder import INSTALLED_ENCODER, NO_ENCODER
from weps.language.spacy_pipeline import BUILTIN_PIPELINE
from weps.model import ModelChoice, ModelSet
from weps.provenance import Provenance
from weps.reading import Reader
from weps.records import HtmlReader

Choice = TypeVar("Choice", bound=StrEnum)
Number = TypeVar("Number", int, float)


def add_names(parser: argparse.ArgumentParser, meaning: str) -> None:
    """``--name N``, which may be repeated."""
    parser.add_argument("--name", action="append", metavar="N", help=meaning)


def add_json(parser: argparse.ArgumentParser) -> None:
    """``--json FILE``."""
    parser.add_argument(
        "--json", type=Path, metavar="FILE", help="also write the result as JSON (docs/output.md)"
    )


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """``--jobs N``."""
    parser.add_argument(
        "--jobs",
        type=_parse_jobs,
        default=1,
        metavar="N",
        help="number of processes (-1: one per core)",
    )


def add_reading(parser: argparse.ArgumentParser) -> None:
    """``--html``, ``--language``, ``--embeddings``, and ``--cache DIR`` or ``--no-cache``."""
    parser.add_argument(
        "--html",
        type=choice_parser(HtmlReader),
        metavar="READER",
        help="HTML parser: fast (default; BeautifulSoup where it fails), or beautifulsoup for "
        "every page, which is slower",
    )
    parser.add_argument(
        "--language",
        metavar="NAME",
        help="spaCy pipeline, a package or a folder, for lemmas, phrases and entities; "
        "default: that of the model, or the small English one that comes with weps",
    )
    parser.add_argument(
        "--embeddings",
        metavar="FOLDER",
        default=INSTALLED_ENCODER,
        help="sentence encoder in ONNX (model.onnx and tokenizer.json), for features that compare "
        f"meanings, or {NO_ENCODER}; default: that of weps[embeddings], if it is installed",
    )
    parser.set_defaults(language_2="")
    add_cache(parser, "pages that were read are cached", "do not use the cache")


def add_cache(parser: argparse.ArgumentParser, purpose: str, otherwise: str) -> None:
    """``--cache DIR`` or ``--no-cache``.

    Args:
        parser: where they are declared.
        purpose: of the cache, after "where".
        otherwise: what happens without one.
    """
    cache = parser.add_mutually_exclusive_group()
    cache.add_argument(
        "--cache",
        type=Path,
        metavar="DIR",
        help=f"where {purpose} (default: the user's cache folder; `weps cache` shows it)",
    )
    cache.add_argument("--no-cache", action="store_true", help=otherwise)


def check_writable(path: Path | None) -> None:
    """Check before long work that its result can be written.

    Raises:
        OutputError: if the file cannot be made.
    """
    if path is None:
        return
    folder = path.absolute().parent
    if path.is_dir():
        raise OutputError("expected a file, got a folder", where=path, remedy="add its name")
    if not folder.is_dir():
        raise OutputError("no such folder", where=folder, remedy="create it first")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise OutputError("the file cannot be written", where=path, remedy="choose another place")


def number_parser(
    kind: Callable[[str], Number], expected: str, accept: Callable[[Number], bool]
) -> Callable[[str], Number]:
    """Parse a number, for argparse.

    Args:
        kind: ``int`` or ``float``.
        expected: which numbers are accepted, for the message.
        accept: whether a number is accepted.
    """

    def read(text: str) -> Number:
        try:
            number = kind(text)
        except ValueError:
            number = None
        if number is None or not accept(number):
            raise argparse.ArgumentTypeError(f"expected {expected}, got {text!r}")
        return number

    return read


parse_probability = number_parser(float, "a number from 0 to 1", lambda value: 0 <= value <= 1)
parse_whole_number = number_parser(int, "a whole number from 0", lambda number: number >= 0)
_parse_jobs = number_parser(
    int, "a number of processes (1, 2, … or -1)", lambda number: number == -1 or number > 0
)


def choice_parser(choices: Iterable[Choice]) -> Callable[[str], Choice]:
    """Parse one of several words, for argparse."""
    known = {choice.value: choice for choice in choices}

    def read(text: str) -> Choice:
        if text not in known:
            near = suggest_similar([text], list(known))
            what = f"expected one of {', '.join(known)}, got {text!r}{near and f'; {near}'}"
            raise argparse.ArgumentTypeError(what)
        return known[text]

    return read


def write_json(path: Path | None, data: Any, *, private: bool = False) -> None:
    """Write data as JSON, if a file is given; see :func:`write_json_text`."""
    if path:
        text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
        write_json_text(path, [text], private=private)


def write_json_text(path: Path, texts: Iterable[str], *, private: bool = False) -> None:
    """Write the parts of a JSON file one after another; a private one is for its owner alone.

    Raises:
        OutputError: if it cannot be written.
    """
    if not path.is_symlink() and (path.is_file() or not path.exists()):
        with atomic_file(path, private=private) as whole:
            for text in texts:
                whole.write(text.encode(errors="replace"))
        return
    refuse_links_of_others(path)
    try:
        # The terminal, a link such as /dev/stdout, or a pipe that somebody reads.
        with open(path, "w", encoding="utf-8", errors="replace", opener=_open_read) as file:
            file.writelines(texts)
    except OSError as error:
        raise OutputError(
            f"the JSON cannot be written ({error.strerror})",
            where=path,
            remedy="choose another file with --json",
        ) from None


def _open_read(path: str, flags: int) -> int:
    """Open a file to write; a pipe that nobody reads is an error instead of a wait."""
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    os.set_blocking(descriptor, True)
    return descriptor


def add_model(parser: argparse.ArgumentParser) -> None:
    """``--model FILE`` or ``--system SYSTEM``."""
    parser.add_argument("--model", type=Path, metavar="FILE", help="default: the pretrained model")
    parser.add_argument(
        "--plugin",
        action="append",
        default=[],
        metavar="FILE.py:FUNCTION",
        help="a feature of your own that the model uses, or the name of one of an installed "
        "package (docs/extending.md); repeat for several",
    )
    parser.add_argument(
        "--keep-all",
        action="store_true",
        help="do not set aside pages on which the name does not occur or that have no content",
    )
    parser.add_argument(
        "--system",
        metavar="SYSTEM",
        help="pretrained model: default (the most accurate; default-embeddings if there is a "
        "sentence encoder), paper (EMNLP 2009), or paper:features=all (with entities and phrases, "
        "slower)",
    )


def model_choice(options: argparse.Namespace) -> ModelChoice:
    """The selected model; raises a ModelError if two are."""
    if options.model and options.system is not None:
        raise ModelError("--model and --system select two models", remedy="give only one of them")
    return ModelChoice(
        options.model,
        options.system or "",
        options.embeddings,
        options.keep_all,
        tuple(options.plugin),
    )


def model_from_options(options: argparse.Namespace) -> ModelSet:
    """Load the selected model.

    Raises:
        ModelError: if two are given, or one that cannot be loaded.
        LanguageError: if the sentence encoder is missing or damaged.
    """
    return model_choice(options).load()


def reader_from_options(
    options: argparse.Namespace, default_language: str = "", jobs: int = 1
) -> Reader:
    """The reader that the options of :func:`add_reading` select, and ``--language-2`` of studies.

    Args:
        options: the parsed options.
        default_language: the language pipeline of the model's training pages, unless another is
            asked for.
        jobs: processes for the language of one name's pages.
    """
    language = options.language or default_language or BUILTIN_PIPELINE
    cache = cache_from_options(options)
    html = options.html or HtmlReader.FAST
    return Reader(language, cache, jobs, html, options.language_2, options.embeddings)


def provenance_from_options(options: argparse.Namespace, reader: Reader) -> Provenance:
    """The settings that a result was, or is to be, made with."""
    return Provenance(
        system=options.system or "",
        model=options.model.absolute().as_posix() if options.model else "",
        language=options.language or "",
        embeddings=options.embeddings,
        html=reader.html,
        keep_all=options.keep_all,
    )


def cache_from_options(options: argparse.Namespace) -> Cache | None:
    """The cache that ``--cache`` and ``--no-cache`` select."""
    return None if options.no_cache else Cache(options.cache or default_folder())
