"""Publishing the pipeline: assembly of the trained parts, model card and licence note."""

from __future__ import annotations

import datetime
import json
import os
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import spacy
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from spacy.about import __version__ as spacy_version

from weps._formatting import markdown_table
from weps.cli.console import Console
from weps_eval.language.accuracy import (
    MICRO,
    Counts,
    entity_accuracy,
    entity_tests,
    folder_size,
    measure_footprint,
    syntax_accuracy,
    syntax_tests,
)
from weps_eval.language.training import PIPELINE_NAME, assemble_pipeline, save_pipeline

LICENCE = "CC BY-SA 4.0"
_TEMPLATES = Path(__file__).parent / "templates"
SOURCES: list[dict[str, str]] = json.loads((_TEMPLATES / "sources.json").read_text("utf-8"))
"""The annotated data that the pipeline learnt from or was tested on."""


def licence_note() -> str:
    """Whose data the weights derive from, and what follows for their licence, in Markdown."""
    rows = [[f"[{each['name']}]({each['url']})", each["note"], each["license"]] for each in SOURCES]
    table = markdown_table([["source", "used for", "licence"], *rows])
    return _render("LICENSE.md", sources="\n".join(table))


_NAMES = {
    "tags": "Penn tags",
    "upos": "universal tags",
    "lemmas": "lemmas",
    "uas": "UAS",
    "las": "LAS",
    "noun_chunks": "noun chunks F1",
}
_TYPES = ("PERSON", "LOCATION", "ORGANISATION", "EVENT", "PRODUCT", MICRO)


@dataclass(frozen=True, slots=True)
class PipelineMeasurements:
    """All that the card reports.

    Attributes:
        syntax: test file → accuracy by layer, 0 to 1.
        entities: test file → counts by type.
        footprint: words per second by layer, and ``memory`` in megabytes.
        size: bytes on disk.
        words: part → training words by source.
        circumstances: training time, date, machine, versions.
    """

    syntax: Mapping[str, Mapping[str, float]]
    entities: Mapping[str, Mapping[str, Counts]]
    footprint: Mapping[str, float]
    size: int
    words: Mapping[str, Mapping[str, int]]
    circumstances: Mapping[str, str]


def model_card(measured: PipelineMeasurements) -> str:
    """The model card in Markdown."""
    syntax = [
        [name, *(f"{scores[key]:.3f}" for key in _NAMES)]
        for name, scores in measured.syntax.items()
    ]
    entities = [
        [name, *(_accuracy_cell(counts.get(each)) for each in _TYPES)]
        for name, counts in measured.entities.items()
    ]
    speeds = [
        [layer, f"{speed:,.0f}"] for layer, speed in measured.footprint.items() if layer != "memory"
    ]
    tables = {
        "syntax": [["", *_NAMES.values()], *syntax],
        "entities": [["", *map(str.lower, _TYPES)], *entities],
        "speeds": [["wanted", "words per second, one core"], *speeds],
    }
    return _render(
        "README.md",
        **{name: "\n".join(markdown_table(rows)) for name, rows in tables.items()},
        size=f"{measured.size / 1e6:.1f}",
        memory=f"{measured.footprint['memory']:,.0f}",
        parts=measured.words,
        circumstances=measured.circumstances,
    )


def _accuracy_cell(counts: Counts | None) -> str:
    if counts is None:
        return "–"
    return f"{counts.precision:.2f} / {counts.recall:.2f} / **{counts.f1:.3f}**"


def _render(name: str, **values: Any) -> str:
    templates = Environment(  # noqa: S701 - Markdown of our own figures
        loader=FileSystemLoader(_TEMPLATES), undefined=StrictUndefined, keep_trailing_newline=True
    )
    return templates.get_template(f"{name}.j2").render(
        values, pipeline=PIPELINE_NAME, licence=LICENCE
    )


_META: dict[str, Any] = {
    "version": "1.0.0",
    "description": "Small English pipeline for web people search: tags, lemmas, Universal "
    "Dependencies, names of people, places, organisations, events and products",
    "author": "The weps authors",
    "license": LICENCE,
    "sources": [{key: each[key] for key in ("name", "license", "url")} for each in SOURCES],
    "spacy_version": ">=3.8.0,<3.9.0",
}


def publish_pipeline(  # noqa: PLR0913, PLR0917 - what is published, with its description
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
        training: what the card reports about the training, such as how long it took.
        words: part → training words by source.
        console: for progress.
    """
    pipeline = out / PIPELINE_NAME
    nlp = assemble_pipeline(parts)
    save_pipeline(nlp, pipeline, _META)
    console.write_status("measuring accuracy on the test files")
    saved = spacy.load(pipeline)
    syntax = {name: syntax_accuracy(saved, each) for name, each in syntax_tests(data).items()}
    entities = {name: entity_accuracy(saved, each) for name, each in entity_tests(data).items()}
    performance = {
        **{name: {k: round(v, 4) for k, v in each.items()} for name, each in syntax.items()},
        **{
            f"{name} entities": {label: round(each.f1, 4) for label, each in counts.items()}
            for name, counts in entities.items()
        },
    }
    save_pipeline(nlp, pipeline, {**_META, "performance": performance})
    console.write_status("measuring speed and memory")
    circumstances = {
        "date": datetime.datetime.now(tz=datetime.UTC).date().isoformat(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}",
        "software": f"Python {platform.python_version()}, spaCy {spacy_version}",
    }
    footprint, size = measure_footprint(pipeline, data), folder_size(pipeline)
    measured = PipelineMeasurements(
        syntax, entities, footprint, size, words, {**training, **circumstances}
    )
    (out / "README.md").write_text(model_card(measured), "utf-8")
    (out / "LICENSE.md").write_text(licence_note(), "utf-8")
