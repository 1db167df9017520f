"""The annotated corpora: files, mapping of entity types, sentences, and words left unannotated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from weps._files import resource_text
from weps.errors import SourceError
from weps_eval.language.readers import (
    MISSING,
    OUTSIDE,
    Sentence,
    read_conllu,
    read_tagged,
    tag_named_mentions,
)


def mark_uncertain(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """Sentences whose annotators knew fewer types: capitalised words in them may be other names."""
    for each in sentences:
        tags = list(each.entities)
        for index, word in enumerate(each.words[1:], start=1):
            capitalised = len(word) > 1 and word[0].isupper() and word.lower() not in _common()
            if capitalised and tags[index] == OUTSIDE:
                tags[index] = MISSING
        yield replace(each, entities=tuple(tags))


def mark_outside(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """With ``O`` for missing words that are no names: lower-case words, months, languages."""
    for each in sentences:
        tags = [
            OUTSIDE if tag == MISSING and (word.islower() or word.lower() in _common()) else tag
            for word, tag in zip(each.words, each.entities, strict=True)
        ]
        yield replace(each, entities=tuple(tags))


def mask_handles(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """With ``@`` and the user name behind it missing, which some annotate as two names."""
    for each in sentences:
        tags = [
            MISSING if "@" in (before, word) else tag
            for before, word, tag in zip(("", *each.words), each.words, each.entities, strict=False)
        ]
        yield replace(each, entities=tuple(tags))


def words_only(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """Sentences of a treebank as a source of words that are no names; proper nouns are missing."""
    for each in sentences:
        tags = [MISSING if _near_name(each, index) else OUTSIDE for index in range(len(each.words))]
        yield Sentence(each.words, each.spaces, entities=tuple(tags))


def _near_name(sentence: Sentence, index: int) -> bool:
    """Whether a word is a proper noun or stands between two, as "of" does in many names."""
    if sentence.words[index].lower() in _common():
        return False
    proper = [tag == "PROPN" for tag in sentence.pos]
    before, after = proper[max(0, index - 2) : index], proper[index + 1 : index + 3]
    return proper[index] or (any(before) and any(after))


@cache
def _common() -> frozenset[str]:
    lines = resource_text("language/recipe/not_names.txt").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


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


def check_files(data: Path) -> None:
    """Check that all files are there.

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


def gum_sentences(data: Path, part: str) -> Iterator[Sentence]:
    """The sentences of GUM with entities only."""
    return mark_outside(map(tag_named_mentions, read_conllu(data / f"gum/{part}.conllu")))


def tagged_sentences(data: Path, name: str) -> Iterator[Sentence]:
    """The sentences of a file with a word and a tag a line."""
    return mark_outside(read_tagged(data / name, *_LAYOUTS[name.partition("/")[0]]))


def crossner_sentences(data: Path, part: str) -> Iterator[Sentence]:
    """The sentences of all fields of CrossNER."""
    for each in _FIELDS:
        yield from tagged_sentences(data, f"crossner/{each}_{part}.txt")
