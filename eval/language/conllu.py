"""Reader of CoNLL-U files (universaldependencies.org/format.html)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from eval.language.sentences import Sentence
from weps.errors import SourceError

__all__ = ["Tree", "read_conllu"]

_COLUMNS = 10


@dataclass(frozen=True, slots=True)
class Tree:
    """A sentence and the MISC column of its words."""

    sentence: Sentence
    misc: tuple[str, ...]


def read_conllu(path: Path) -> Iterator[Tree]:
    """The sentences of a file; the words of a multi-word token stand without space between.

    Raises:
        SourceError: if a line has not ten columns or its head is no word of the sentence.
    """
    rows: list[list[str]] = []
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip() and not line.startswith("#"):
                rows.append(_row(line, path, number))
            elif not line.strip() and rows:
                yield _tree(rows, path, number)
                rows = []
    if rows:
        yield _tree(rows, path, number)


def _row(line: str, path: Path, number: int) -> list[str]:
    row = line.rstrip("\n").split("\t")
    if len(row) != _COLUMNS:
        raise SourceError(
            f"{len(row)} columns instead of {_COLUMNS}",
            where=f"{path}, line {number}",
            remedy="give a file in CoNLL-U format",
        )
    return row


def _tree(rows: list[list[str]], path: Path, number: int) -> Tree:
    words = [row for row in rows if row[0].isdecimal()]
    try:
        heads = [int(row[6]) - 1 for row in words]
    except ValueError:
        heads = [len(words)]
    if max(heads, default=-1) >= len(words):
        raise SourceError(
            "a head is no word of the sentence",
            where=f"{path}, before line {number}",
            remedy="give a file in CoNLL-U format",
        )
    sentence = Sentence(
        words=tuple(row[1] for row in words),
        spaces=tuple(_spaces(rows)),
        tags=tuple(row[4] for row in words),
        pos=tuple(row[3] for row in words),
        lemmas=tuple(row[2] for row in words),
        heads=tuple(index if head < 0 else head for index, head in enumerate(heads)),
        deps=tuple("ROOT" if row[7] == "root" else row[7] for row in words),
    )
    return Tree(sentence, tuple(row[9] for row in words))


def _spaces(rows: list[list[str]]) -> Iterator[bool]:
    """Whether a space follows, per word: a multi-word token's own line says it for its words."""
    last, after = 0, True
    for row in rows:
        first, dash, end = row[0].partition("-")
        spaced = "SpaceAfter=No" not in row[9].split("|")
        if dash:
            last, after = int(end), spaced
        elif first.isdecimal():
            index = int(first)
            yield spaced if index > last else after and index == last
