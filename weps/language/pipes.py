"""Which pipes of a pipeline the layers need: the others stay idle."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import TYPE_CHECKING

from weps.errors import LanguageError
from weps.language.layers import Layer
from weps.language.pipeline import load

if TYPE_CHECKING:
    from spacy.language import Language

__all__ = ["prepared", "unneeded"]

_MAKERS = {
    Layer.LEMMAS: frozenset({"lemmatizer", "trainable_lemmatizer"}),
    Layer.PHRASES: frozenset({"parser", "beam_parser"}),
    Layer.ENTITIES: frozenset({"ner", "beam_ner", "entity_ruler", "span_ruler"}),
    Layer.TAGS: frozenset({"attribute_ruler", "morphologizer"}),
}
"""Layer → the factories of the pipes of which it needs one at least."""
_TAGGED = frozenset({Layer.LEMMAS, Layer.PHRASES, Layer.TAGS})
"""Layers that need parts of speech."""
_READERS = frozenset({"attribute_ruler", "entity_ruler", "lemmatizer", "span_ruler"})
"""Rules: they may read whatever the pipes before them have written."""
_NEVER = frozenset(
    "merge_entities merge_noun_chunks merge_subtokens sentencizer senter token_splitter".split()
)
"""Pipes that change what is given: the tokens and the sentences."""


@lru_cache(maxsize=16)
def prepared(language: str, layers: frozenset[Layer]) -> tuple[Language, tuple[str, ...]]:
    """The pipeline, seen to work, and the names of the pipes that the layers do not need.

    Raises:
        LanguageError: if the pipeline is missing, lacks what a layer needs, or fails.
    """
    nlp = load(language)
    for layer in sorted(layers):
        _require(nlp, layer, language)
    idle = tuple(unneeded(nlp, layers))
    try:
        list(nlp.pipe(["It works."], disable=idle))
    except Exception as error:  # a pipeline can fail in as many ways as it has pipes
        raise LanguageError(
            f"the pipeline fails ({type(error).__name__}: {error})",
            where=language,
            remedy="install it again, with all it depends on",
        ) from error
    return nlp, idle


def unneeded(nlp: Language, layers: Collection[Layer]) -> list[str]:
    """Names of the pipes that can be left out; what the layers find does not depend on them."""
    factories = {name: nlp.get_pipe_meta(name).factory for name in nlp.pipe_names}
    makers = frozenset().union(*map(_MAKERS.__getitem__, layers))
    if not _TAGGED.isdisjoint(layers):
        makers |= _taggers(factories.values())
    needed = {name for name, factory in factories.items() if factory in makers}
    for place, (name, factory) in enumerate(factories.items()):
        if name in needed and factory in _READERS:
            needed |= set(nlp.pipe_names[:place])
    needed -= {name for name, factory in factories.items() if factory in _NEVER}
    needed |= {name for name in nlp.pipe_names if not needed.isdisjoint(_served(nlp, name))}
    return [name for name in nlp.pipe_names if name not in needed]


def _taggers(factories: Collection[str]) -> frozenset[str]:
    """The factories of the pipes that give parts of speech."""
    finest = "morphologizer" if "morphologizer" in factories else "tagger"
    return frozenset({finest, "attribute_ruler"})


def _served(nlp: Language, name: str) -> Collection[str]:
    """The pipes that listen to this one: it gives them vectors (``tok2vec``, ``transformer``)."""
    listening: Collection[str] = getattr(nlp.get_pipe(name), "listening_components", ())
    return listening


def _require(nlp: Language, layer: Layer, language: str) -> None:
    factories = {nlp.get_pipe_meta(name).factory for name in nlp.pipe_names}
    lacking = _MAKERS[layer].isdisjoint(factories)
    if lacking or (layer is Layer.PHRASES and nlp.vocab.get_noun_chunks is None):
        raise LanguageError(
            f"the language pipeline gives no {layer}: it has {', '.join(nlp.pipe_names) or 'none'}",
            where=language,
            remedy="name another pipeline, or leave out the features that need this layer",
        )
