"""Reader of files with one word and its entity tag a line, a blank line between sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from eval.language.sentences import MISSING, OUTSIDE, Sentence
from weps.errors import SourceError

__all__ = ["detached", "read_tagged"]

_TEXT = "# text = "
_CLOSING = frozenset(".,;:!?%)]}") | {"'s", "n't", "'ll", "'re", "'ve", "'m", "'d", "...", "’s"}
_OPENING = frozenset("([{$£€#@")
_QUOTES = frozenset("\"'")


def read_tagged(
    path: Path, labels: Mapping[str, str], word_column: int = 0, tag_column: int = -1
) -> Iterator[Sentence]:
    """The sentences of a file whose columns are divided by tabs or spaces.

    Args:
        path: the file; IOB1 and IOB2 are both understood.
        labels: type → our label; names of other types get missing tags, never ``O``.
        word_column: where the word stands.
        tag_column: where the tag stands, such as ``B-PER``.

    Raises:
        SourceError: if a line has too few columns or a tag is none.
    """
    words: list[str] = []
    tags: list[str] = []
    text = ""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if line.startswith("# ") and "\t" not in line and word_column:
                text = line.removeprefix(_TEXT).strip() if line.startswith(_TEXT) else text
            elif line.strip():
                columns = line.split()
                if columns == [OUTSIDE]:  # a word that was only a space
                    continue
                if len(columns) < 2 or not _is_tag(columns[tag_column]):
                    raise SourceError(
                        f"no entity tag in {line.strip()!r}",
                        where=f"{path}, line {number}",
                        remedy="give a word and a tag such as B-PER or O on every line",
                    )
                words.append(columns[word_column])
                tags.append(columns[tag_column])
            elif words:
                yield _sentence(words, tags, text, labels)
                words, tags, text = [], [], ""
    if words:
        yield _sentence(words, tags, text, labels)


def _is_tag(tag: str) -> bool:
    return tag == OUTSIDE or tag[:2] in {"B-", "I-"}


def _sentence(
    words: Sequence[str], tags: Sequence[str], text: str, labels: Mapping[str, str]
) -> Sentence:
    spaces = _spaces_of(words, text) if text else detached(words)
    return Sentence(tuple(words), tuple(spaces), entities=tuple(_mapped(tags, labels)))


def _mapped(tags: Sequence[str], labels: Mapping[str, str]) -> Iterator[str]:
    """The tags in IOB2 and our labels."""
    before = OUTSIDE
    for tag in tags:
        kind = tag[2:]
        starts = tag.startswith("B-") or before[2:] != kind
        before = tag
        if tag == OUTSIDE:
            yield OUTSIDE
        elif kind in labels:
            yield ("B-" if starts else "I-") + labels[kind]
        else:
            yield MISSING


def _spaces_of(words: Sequence[str], text: str) -> Iterator[bool]:
    """Whether a space follows each word in the text."""
    place = 0
    for word in words:
        found = text.find(word, place)
        place = found + len(word) if found >= 0 else place
        yield text[place : place + 1].isspace() or place >= len(text)


def detached(words: Sequence[str]) -> Iterator[bool]:
    """Where a printer would put spaces, for corpora that do not tell."""
    quoted: set[str] = set()
    for word, following in zip(words, [*words[1:], ""], strict=True):
        space = following not in _CLOSING and word not in _OPENING
        if word in _QUOTES:
            quoted ^= {word}
            space = space and word not in quoted
        if following in _QUOTES and following in quoted:
            space = False
        yield space
