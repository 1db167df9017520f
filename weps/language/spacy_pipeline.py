"""Finding, loading and preparing a spaCy pipeline: embedded, in a folder, or an installed package.

Only the pipes that the requested layers need are run; entity labels are mapped to our kinds.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Collection, Iterator
from contextlib import suppress
from functools import lru_cache
from hashlib import file_digest, sha256
from importlib.metadata import entry_points
from importlib.metadata import version as installed_version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weps._files import open_file, read_bytes, resource_path
from weps.errors import LanguageError
from weps.language.analysis import Layer

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Span, Token

_LABELS_OF_KIND = {
    "person": "PERSON PER PRS persName",
    "location": "LOCATION LOC GPE GPE_LOC FAC FACILITY placeName geogName",
    "organisation": "ORGANISATION ORGANIZATION ORG GPE_ORG orgName",
    "event": "EVENT EVT EVN",
    "product": "PRODUCT PROD WORK_OF_ART WRK",
}
"""Kind → labels: ours, OntoNotes (English, Chinese, …), WikiNER (French, Spanish, …), NorNE
(Norwegian), SUC (Swedish), NKJP (Polish). Nationalities, dates and numbers are no entities here."""

ENTITY_KINDS = {label: kind for kind, labels in _LABELS_OF_KIND.items() for label in labels.split()}
"""Label → kind."""

BUILTIN_PIPELINE = "weps_en"
"""The English pipeline included in weps."""

_PACKAGE_NAME = re.compile(r"[a-z]{2,3}_[a-z]+_[a-z]+_[a-z]+")
_LANGUAGE_CODE = re.compile(r"[a-z]{2,3}")
_NON_WORD = re.compile(r"\W+", re.ASCII)


@lru_cache(maxsize=4)
def load_pipeline(language: str = BUILTIN_PIPELINE) -> Language:
    """The pipeline, loaded once per process. Code that comes with a pipeline is not run.

    Args:
        language: ``weps_en``, the folder of a pipeline, or the name of an installed package.

    Raises:
        LanguageError: if it is missing or cannot be loaded.
    """
    folder = _pipeline_folder(language)
    import spacy  # noqa: PLC0415 - half a second that only language layers need

    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            nlp = spacy.load(folder)
    except Exception as error:  # damaged data can raise any exception
        raise _load_error(language, error) from error
    if any("[W095]" in str(warning.message) for warning in caught):
        warnings.warn(
            f"the language pipeline {language} was made for spaCy {nlp.meta['spacy_version']}, and"
            f" this is {installed_version('spacy')}: what it finds may be wrong",
            stacklevel=2,
        )
    labels = {
        label
        for name in nlp.pipe_names
        if nlp.get_pipe_meta(name).factory in _LAYER_FACTORIES[Layer.PHRASES]
        for label in nlp.pipe_labels[name]
    }
    if {"nsubj", "obj"} <= labels and (nlp.lang == "en" or nlp.vocab.get_noun_chunks is None):
        # spaCy has no function for the noun phrases of the pipeline, or one that misfits. Its stub
        # says Span where its own functions give bounds and label.
        nlp.vocab.get_noun_chunks = noun_chunks  # type: ignore[assignment]
    return nlp


@lru_cache(maxsize=4)
def pipeline_version(language: str = BUILTIN_PIPELINE) -> str:
    """Name, version and digest of the pipeline and version of spaCy, without importing spaCy.

    Equal versions make equal marks.

    Raises:
        LanguageError: if the pipeline is missing.
    """
    folder = _pipeline_folder(language)
    name = "{lang}/{name}-{version}".format_map(_read_meta(folder))
    whole = sha256()  # of the names and contents of its files, except its description
    for path in sorted(path for path in folder.rglob("*") if not path.is_dir()):
        file_name = path.relative_to(folder).as_posix()
        if file_name not in {"README.md", "meta.json"}:
            with open_file(path) as file:
                contents = file_digest(file, "sha256").hexdigest()
            whole.update(f"{file_name} {contents}\n".encode())
    return f"{name} {whole.hexdigest()[:12]} spacy-{installed_version('spacy')}"


def pipeline_name(language: str = BUILTIN_PIPELINE) -> str:
    """The pipeline's name without its path, e.g. ``de_core_news_sm``.

    A folder's description is not trusted; other characters than those of names become ``_``.

    Raises:
        LanguageError: if the pipeline is missing.
    """
    folder = _pipeline_folder(language)
    if language == BUILTIN_PIPELINE or folder != Path(language):
        return language
    lang, name = (_NON_WORD.sub("_", str(_read_meta(folder)[key])) for key in ("lang", "name"))
    return f"{lang if _LANGUAGE_CODE.fullmatch(lang) else 'xx'}_{name[:80]}"


def other_recogniser(language: str) -> str:
    """Another installed pipeline of that one's language that finds entities, the first by name.

    Returns:
        Its name, empty if there is none.

    Raises:
        LanguageError: if the pipeline is missing.
    """
    spoken = _read_meta(_pipeline_folder(language))["lang"]
    for name in sorted(_installed_pipelines() - {language}):
        with suppress(LanguageError):  # it lacks them, or is damaged
            if _read_meta(_pipeline_folder(name))["lang"] == spoken:
                prepare_pipeline(name, frozenset({Layer.ENTITIES}))
                return name
    return ""


def _installed_pipelines() -> set[str]:
    return {BUILTIN_PIPELINE, *(entry.name for entry in entry_points(group="spacy_models"))}


def _pipeline_folder(language: str) -> Path:
    """The folder of the pipeline's data."""
    if language == BUILTIN_PIPELINE:
        return resource_path(f"language/{BUILTIN_PIPELINE}")
    if (Path(language) / "meta.json").is_file():
        return Path(language)
    spec = None
    with suppress(ValueError):  # of a module that did not come from a file
        spec = find_spec(language) if language.isidentifier() else None  # it is not imported
    for package in map(Path, (spec.submodule_search_locations if spec else None) or ()):
        if (package / "meta.json").is_file():
            return package / "{lang}_{name}-{version}".format_map(_read_meta(package))
    installed = f"; installed: {', '.join(sorted(_installed_pipelines()))}"
    remedy = (
        "give --language an installed spaCy pipeline, or the path of a pipeline's folder"
        + installed
    )
    if _PACKAGE_NAME.fullmatch(language):
        remedy = f"get it with: python -m spacy download {language}"
    elif _LANGUAGE_CODE.fullmatch(language):
        name = f"{language}_core_{'web' if language in {'en', 'zh'} else 'news'}_sm"
        remedy = f"name a trained pipeline of that language such as {name}{installed}"
    raise LanguageError("there is no such language pipeline", where=language, remedy=remedy)


def _read_meta(folder: Path) -> dict[str, Any]:
    """The pipeline's own description."""
    content = read_bytes(folder / "meta.json", 10_000_000, LanguageError)
    try:
        meta = json.loads(content)
        return {key: meta[key] for key in ("lang", "name", "version")}
    except (ValueError, KeyError, TypeError) as error:
        raise _load_error(folder, error) from error


def _load_error(where: object, error: Exception) -> LanguageError:
    return LanguageError(
        f"the language pipeline cannot be loaded ({type(error).__name__}: {error})",
        where=where,
        remedy="install it again, in the release for the installed spaCy",
    )


_LAYER_FACTORIES = {
    Layer.LEMMAS: frozenset({"lemmatizer", "trainable_lemmatizer"}),
    Layer.PHRASES: frozenset({"parser", "beam_parser"}),
    Layer.ENTITIES: frozenset({"ner", "beam_ner", "entity_ruler", "span_ruler"}),
    Layer.TAGS: frozenset({"attribute_ruler", "morphologizer"}),
}
"""Layer → the factories of the pipes of which it needs one at least."""
_TAGGED_LAYERS = frozenset({Layer.LEMMAS, Layer.PHRASES, Layer.TAGS})
"""Layers that need parts of speech."""
_RULE_FACTORIES = frozenset({"attribute_ruler", "entity_ruler", "lemmatizer", "span_ruler"})
"""Rules: they may read whatever the pipes before them have written."""
_EXCLUDED_FACTORIES = frozenset(
    "merge_entities merge_noun_chunks merge_subtokens sentencizer senter token_splitter".split()
)
"""Pipes that change the given tokens or sentences."""


@lru_cache(maxsize=16)
def prepare_pipeline(language: str, layers: frozenset[Layer]) -> tuple[Language, tuple[str, ...]]:
    """The pipeline after a trial run, and the names of the pipes that the layers do not need.

    Raises:
        LanguageError: if the pipeline is missing, lacks what a layer needs, or fails.
    """
    nlp = load_pipeline(language)
    factories = {nlp.get_pipe_meta(name).factory for name in nlp.pipe_names}
    for layer in sorted(layers):
        if _LAYER_FACTORIES[layer].isdisjoint(factories) or (
            layer is Layer.PHRASES and nlp.vocab.get_noun_chunks is None
        ):
            raise LanguageError(
                f"the language pipeline gives no {layer}: it has"
                f" {', '.join(nlp.pipe_names) or 'none'}",
                where=language,
                remedy="name another pipeline, or leave out the features that need this layer",
            )
    idle = tuple(unneeded_pipes(nlp, layers))
    try:
        list(nlp.pipe(["It works."], disable=idle))
    except Exception as error:  # a pipeline can fail in as many ways as it has pipes
        raise LanguageError(
            f"the pipeline fails ({type(error).__name__}: {error})",
            where=language,
            remedy="install it again, with its dependencies",
        ) from error
    return nlp, idle


def unneeded_pipes(nlp: Language, layers: Collection[Layer]) -> list[str]:
    """Names of the pipes that can be left out; what the layers find does not depend on them."""
    factories = {name: nlp.get_pipe_meta(name).factory for name in nlp.pipe_names}
    makers = frozenset().union(*map(_LAYER_FACTORIES.__getitem__, layers))
    if not _TAGGED_LAYERS.isdisjoint(layers):
        finest = "morphologizer" if "morphologizer" in factories.values() else "tagger"
        makers |= {finest, "attribute_ruler"}
    needed = {name for name, factory in factories.items() if factory in makers}
    for place, (name, factory) in enumerate(factories.items()):
        if name in needed and factory in _RULE_FACTORIES:
            needed |= set(nlp.pipe_names[:place])
    needed -= {name for name, factory in factories.items() if factory in _EXCLUDED_FACTORIES}
    for name in nlp.pipe_names:  # a pipe that gives others vectors: tok2vec, transformer
        listening: Collection[str] = getattr(nlp.get_pipe(name), "listening_components", ())
        if not needed.isdisjoint(listening):
            needed.add(name)
    return [name for name in nlp.pipe_names if name not in needed]


# Base noun phrases. spaCy's own function for English reads ClearNLP labels (``dobj``, ``pobj``, …)
# and misses more than half of the phrases when the parser has learnt Universal Dependencies.

_HEADS = frozenset({"NOUN", "PROPN", "PRON"})
_NO_HEADS = frozenset({"case", "cc", "discourse", "fixed", "flat", "goeswith", "mark", "punct"})
"""Words with these labels head no phrase, whatever their part of speech."""
_LEFT_LABELS = frozenset("det amod nummod compound flat nmod:poss nmod:desc".split())
"""Labels of words before the head that belong to the phrase."""
_MIDDLE_LABELS = frozenset({"acl", "advmod", "punct"})
"""Labels of words that may stand between those and the head, but begin no phrase."""
_RIGHT_LABELS = frozenset("compound fixed flat goeswith nmod:desc nummod".split())
"""Labels that continue the head to the right: names, numbers, words written apart."""
_EDGE_LABELS = frozenset({"case", "cc", "mark", "punct"})
"""Labels of words with which no phrase begins."""


def noun_chunks(doclike: Doc | Span) -> Iterator[tuple[int, int, int]]:
    """Base noun phrases in reading order, as a spaCy syntax iterator.

    A phrase is a noun, proper noun or pronoun with its determiners, adjectives, numbers, compounds
    and possessors before it, and the rest of a name after it. Phrases do not nest: the longer one
    stands. Conjuncts are phrases of their own.

    Yields:
        First token, token after the last, and the label ``NP`` in the vocabulary.

    Raises:
        ValueError: if the document has not been parsed.
    """
    if not doclike.doc.has_annotation("DEP"):
        raise ValueError("noun phrases need a document that has been parsed")
    label = doclike.doc.vocab.strings.add("NP")
    found = [
        (_phrase_begin(word), -_phrase_end(word))
        for word in doclike
        if word.pos_ in _HEADS and not _has_label(word, _NO_HEADS)
    ]
    last = 0
    for begin, negative_end in sorted(found):  # of phrases that begin together the longest first
        if begin >= last:
            last = -negative_end
            yield begin, last, label


def _phrase_begin(head: Token) -> int:
    begin = head.i
    for word in reversed(list(head.lefts)):
        if _has_label(word, _LEFT_LABELS):
            begin = word.left_edge.i
        elif not _has_label(word, _MIDDLE_LABELS):
            break
    while begin < head.i and _has_label(head.doc[begin], _EDGE_LABELS):
        begin += 1
    return begin


def _phrase_end(head: Token) -> int:
    """The token after the phrase; only punctuation may stand between the parts of a name."""
    end = head.i + 1
    for word in head.doc[end:]:
        if _has_label(word, _RIGHT_LABELS) and head.i <= word.head.i < word.i:
            end = word.i + 1
        elif word.dep_ != "punct":
            break
    return end


def _has_label(word: Token, labels: frozenset[str]) -> bool:
    """Whether the word's label is one of these or a subtype of one (``flat:name``)."""
    return word.dep_ in labels or word.dep_.partition(":")[0] in labels
