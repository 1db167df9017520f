"""From trained parts to what is shipped: the pipeline, its card and its licence note."""

from __future__ import annotations

import datetime
import os
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from eval.language.accuracy import (
    Counts,
    entity_accuracy,
    entity_tests,
    syntax_accuracy,
    syntax_tests,
)
from eval.language.card import Measured, card
from eval.language.footprint import footprint, size
from eval.language.licence import LICENCE, SOURCES, licence_note
from eval.language.packing import NAME, assemble, save
from weps.commands.console import Console

__all__ = ["publish"]

_META: dict[str, Any] = {
    "version": "1.0.0",
    "description": "Small English pipeline for web people search: tags, lemmas, Universal "
    "Dependencies, names of people, places, organisations, events and products",
    "author": "The weps authors",
    "license": LICENCE,
    "sources": [each.as_meta() for each in SOURCES],
    "spacy_version": ">=3.8.0,<3.9.0",
}


def publish(  # noqa: PLR0913, PLR0917 - what is published, and all that is told of it
    parts: Mapping[str, Path],
    data: Path,
    out: Path,
    training: Mapping[str, str],
    words: Mapping[str, Mapping[str, int]],
    console: Console,
) -> None:
    """Write ``weps_en/``, ``README.md`` and ``LICENSE.md`` into a folder.

    Args:
        parts: where the trained pipelines ``syntax`` and ``entities`` are.
        data: the annotated data, for its test files.
        out: the folder.
        training: what the card tells of the training, such as how long it took.
        words: part → training words by source.
        console: for progress.
    """
    pipeline = out / NAME
    nlp = assemble(parts)
    save(nlp, pipeline, _META)
    console.progress("measuring accuracy on the test files")
    syntax, entities = _accuracy(pipeline, data)
    save(nlp, pipeline, {**_META, "performance": _performance(syntax, entities)})
    console.progress("measuring speed and memory")
    measured = Measured(
        syntax,
        entities,
        footprint(pipeline, data),
        size(pipeline),
        words,
        {**training, **_circumstances()},
    )
    (out / "README.md").write_text(card(measured), "utf-8")
    (out / "LICENSE.md").write_text(licence_note(), "utf-8")


def _accuracy(
    pipeline: Path, data: Path
) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, Counts]]]:
    """By test file, of the pipeline as it lies on disk."""
    import spacy  # noqa: PLC0415 - importing spaCy takes half a second

    nlp = spacy.load(pipeline)
    return (
        {name: syntax_accuracy(nlp, each) for name, each in syntax_tests(data).items()},
        {name: entity_accuracy(nlp, each) for name, each in entity_tests(data).items()},
    )


def _performance(
    syntax: Mapping[str, Mapping[str, float]], entities: Mapping[str, Mapping[str, Counts]]
) -> dict[str, dict[str, float]]:
    """The figures that ``meta.json`` carries."""
    figures = {name: {k: round(v, 4) for k, v in each.items()} for name, each in syntax.items()}
    for name, counts in entities.items():
        figures[f"{name} entities"] = {label: round(c.f1, 4) for label, c in counts.items()}
    return figures


def _circumstances() -> dict[str, str]:
    from spacy.about import __version__  # noqa: PLC0415 - importing spaCy takes half a second

    return {
        "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}",
        "software": f"Python {platform.python_version()}, spaCy {__version__}",
    }
