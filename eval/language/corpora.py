"""Which annotated files there are, what their types mean, and the sentences they give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from eval.language.conllu import read_conllu
from eval.language.doubts import settled
from eval.language.gum import named
from eval.language.sentences import Sentence
from eval.language.tagged import read_tagged
from weps.errors import SourceError

__all__ = ["check", "crossner", "gum", "tagged", "trees"]

_FIELDS = ("politics", "science", "music", "literature", "ai")

_THREE = {"PER": "PERSON", "LOC": "LOCATION", "ORG": "ORGANISATION"}
_WNUT = {
    "person": "PERSON",
    "location": "LOCATION",
    "corporation": "ORGANISATION",
    "group": "ORGANISATION",
    "product": "PRODUCT",
    "creative-work": "PRODUCT",
}
_CROSSNER = {
    kind: label
    for label, kinds in {
        "PERSON": "politician scientist writer musicalartist researcher person",
        "LOCATION": "country location",
        "ORGANISATION": "organisation university politicalparty band",
        "EVENT": "event election conference",
        "PRODUCT": "book album song poem magazine academicjournal product programlang",
    }.items()
    for kind in kinds.split()
}
_LAYOUTS: Mapping[str, tuple[Mapping[str, str], int, int]] = {
    "uner": (_THREE, 1, 2),
    "broad_twitter": (_THREE, 0, -1),
    "wikigold": (_THREE, 0, -1),
    "wnut17": (_WNUT, 0, -1),
    "crossner": (_CROSSNER, 0, -1),
}
"""Folder → its types in our labels, and the columns of word and tag."""
_FILES = (
    "ud_english_ewt/train.conllu ud_english_ewt/dev.conllu ud_english_ewt/test.conllu "
    "gum/train.conllu gum/dev.conllu gum/test.conllu uner/ewt_dev.iob2 uner/ewt_test.iob2 "
    "uner/pud_test.iob2 broad_twitter/train.conll broad_twitter/test.conll "
    "wikigold/wikigold.conll wnut17/train.conll wnut17/dev.conll wnut17/test.conll"
).split() + [f"crossner/{f}_{part}.txt" for f in _FIELDS for part in ("train", "dev", "test")]


def check(data: Path) -> None:
    """See that all files are there.

    Raises:
        SourceError: naming those that are not.
    """
    missing = [name for name in _FILES if not (data / name).is_file()]
    if missing:
        raise SourceError(
            f"annotated data is missing: {', '.join(missing)}",
            where=data,
            remedy="give the folder that holds them; resources/language/LICENSE.md says "
            "where each comes from",
        )


def trees(data: Path, name: str) -> Iterator[Sentence]:
    """The sentences of a treebank file with all layers but entities."""
    return (tree.sentence for tree in read_conllu(data / name))


def gum(data: Path, part: str) -> Iterator[Sentence]:
    """The sentences of GUM with entities only."""
    return settled(named(tree) for tree in read_conllu(data / f"gum/{part}.conllu"))


def tagged(data: Path, name: str) -> Iterator[Sentence]:
    """The sentences of a file with a word and a tag a line."""
    return settled(read_tagged(data / name, *_LAYOUTS[name.partition("/")[0]]))


def crossner(data: Path, part: str) -> Iterator[Sentence]:
    """The sentences of all fields of CrossNER."""
    for each in _FIELDS:
        yield from tagged(data, f"crossner/{each}_{part}.txt")
