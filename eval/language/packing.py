"""Assembly of the two trained parts into the pipeline that is shipped."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spacy.language import Language

__all__ = ["assemble", "save"]

NAME = "weps_en"


def assemble(parts: Mapping[str, Path]) -> Language:
    """One pipeline of both parts; the recogniser brings its own embedding and needs no other.

    Args:
        parts: where the trained pipelines ``syntax`` and ``entities`` are.
    """
    import spacy  # noqa: PLC0415 - importing spaCy takes half a second

    nlp = spacy.load(parts["syntax"])
    nlp.add_pipe("ner", source=spacy.load(parts["entities"]))
    for section in ("training", "corpora", "paths", "initialize"):
        nlp.config[section] = {}  # they name files and readers that users do not have
    return nlp


def save(nlp: Language, folder: Path, meta: Mapping[str, Any]) -> None:
    """Write the pipeline without the words of its training data.

    Args:
        nlp: the pipeline of :func:`assemble`.
        folder: where it goes.
        meta: entries for its ``meta.json``.
    """
    nlp.meta.update({"name": NAME, "performance": {}, **meta})
    folder.mkdir(parents=True, exist_ok=True)
    nlp.to_disk(folder)
    strings = folder / "vocab" / "strings.json"
    strings.write_text(json.dumps(sorted(set(_strings(nlp))), ensure_ascii=False), "utf-8")


def _strings(nlp: Language) -> Iterator[str]:
    """What the pipeline must be able to spell out: its labels, and endings of lemmas."""
    import spacy  # noqa: PLC0415 - importing spaCy takes half a second
    import srsly  # type: ignore[import-untyped] # noqa: PLC0415

    yield from spacy.blank("en").vocab.strings
    for labels in nlp.pipe_labels.values():
        yield from labels
        for label in labels:  # POS=NOUN is spelt from its parts
            yield from label.split("=")
    lemmatizer: Any = nlp.get_pipe("trainable_lemmatizer")
    for tree in srsly.msgpack_loads(lemmatizer.trees.to_bytes())["trees"]:
        yield from (nlp.vocab.strings[tree[key]] for key in ("orig", "subst") if key in tree)
