"""Readers of annotated sentences: CoNLL-U files, GUM's entities, and files of tagged words.

CoNLL-U: universaldependencies.org/format.html; GUM marks mentions in the MISC column
(gucorpling.org/gum); tagged files have one word and its entity tag a line, and a blank line between
sentences.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from weps._files import open_file
from weps.errors import SourceError

if TYPE_CHECKING:
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

OUTSIDE = "O"
MISSING = ""
"""The entity tag of a word whose entity tag is unknown."""

_GROUP = 120
"""Words of a document, about: enough that windows see across sentences, as in use."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words and what is known of them; a layer without annotation is empty.

    Attributes:
        words: the words.
        spaces: whether a space follows, per word.
        tags: Penn tags.
        pos: universal parts of speech.
        lemmas: lemmas.
        heads: index of the governing word in the sentence; the root's is its own.
        deps: universal dependency labels.
        misc: the MISC column of CoNLL-U, which holds the mentions of GUM.
        entities: IOB tags such as ``B-PERSON``, :data:`OUTSIDE` or :data:`MISSING`.
    """

    words: tuple[str, ...]
    spaces: tuple[bool, ...]
    tags: tuple[str, ...] = ()
    pos: tuple[str, ...] = ()
    lemmas: tuple[str, ...] = ()
    heads: tuple[int, ...] = ()
    deps: tuple[str, ...] = ()
    misc: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()


def annotated_document(vocab: Vocab, sentences: Sequence[Sentence]) -> Doc:
    """One document with the layers that all its sentences have."""
    from spacy.tokens import Doc  # noqa: PLC0415 - importing spaCy takes half a second

    starts: list[bool | int | None] = [
        index == 0 for each in sentences for index in range(len(each.words))
    ]
    offsets = [0]
    for each in sentences:
        offsets.append(offsets[-1] + len(each.words))
    heads = [o + head for o, each in zip(offsets, sentences, strict=False) for head in each.heads]
    return Doc(
        vocab,
        words=_join_layer(sentences, "words"),
        spaces=list(chain.from_iterable((*each.spaces[:-1], True) for each in sentences)),
        tags=_join_layer(sentences, "tags"),
        pos=_join_layer(sentences, "pos"),
        lemmas=_join_layer(sentences, "lemmas"),
        heads=heads or None,
        deps=_join_layer(sentences, "deps"),
        ents=_join_layer(sentences, "entities"),
        sent_starts=None if heads else starts,  # heads imply them
    )


def _join_layer(sentences: Iterable[Sentence], layer: str) -> list[str] | None:
    return list(chain.from_iterable(getattr(each, layer) for each in sentences)) or None


def group_sentences(sentences: Iterable[Sentence], size: int = _GROUP) -> Iterator[list[Sentence]]:
    """Neighbouring sentences in groups of about ``size`` words."""
    group: list[Sentence] = []
    for each in sentences:
        group.append(each)
        if sum(len(member.words) for member in group) >= size:
            yield group
            group = []
    if group:
        yield group


def iob_tags(length: int, spans: Iterable[tuple[int, int, str]]) -> list[str]:
    """The IOB tags of spans (start, end, label), which do not overlap."""
    tags = [OUTSIDE] * length
    for start, end, label in spans:
        tags[start:end] = [f"B-{label}"] + [f"I-{label}"] * (end - start - 1)
    return tags


_COLUMNS = 10


def read_conllu(path: Path) -> Iterator[Sentence]:
    """The sentences of a file; the words of a multi-word token stand without space between.

    Raises:
        SourceError: if a line has not ten columns or its head is no word of the sentence.
    """
    rows: list[list[str]] = []
    with io.TextIOWrapper(open_file(path), "utf-8") as lines:
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


def _tree(rows: list[list[str]], path: Path, number: int) -> Sentence:
    words = [row for row in rows if row[0].isdecimal()]
    try:
        heads = [int(row[6]) - 1 for row in words]
    except ValueError:
        heads = [len(words)]
    if max(heads, default=-1) >= len(words):
        raise SourceError(
            "a head is not a word of the sentence",
            where=f"{path}, before line {number}",
            remedy="give a file in CoNLL-U format",
        )
    return Sentence(
        words=tuple(row[1] for row in words),
        spaces=tuple(_spaces(rows)),
        tags=tuple(row[4] for row in words),
        pos=tuple(row[3] for row in words),
        lemmas=tuple(row[2] for row in words),
        heads=tuple(index if head < 0 else head for index, head in enumerate(heads)),
        deps=tuple("ROOT" if row[7] == "root" else row[7] for row in words),
        misc=tuple(row[9] for row in words),
    )


def _spaces(rows: list[list[str]]) -> Iterator[bool]:
    """Whether a space follows, per word: given by the line of a multi-word token for its words."""
    last, after = 0, True
    for row in rows:
        first, dash, end = row[0].partition("-")
        spaced = "SpaceAfter=No" not in row[9].split("|")
        if dash:
            last, after = int(end), spaced
        elif first.isdecimal():
            index = int(first)
            yield spaced if index > last else after and index == last


_LABELS = {
    "person": "PERSON",
    "organization": "ORGANISATION",
    "place": "LOCATION",
    "event": "EVENT",
}
_OTHER_NAMES = frozenset({"abstract", "object", "animal", "plant", "substance"})
_BRACKET = re.compile(
    r"\((?P<opens>[^-()\[]+)(?:\[[^]]*\])?-(?P<kind>[^-()]+)[^()]*(?P<single>\))?"
    r"|(?P<closes>[^()\[]+)(?:\[[^]]*\])?\)"
)
_TITLES = frozenset(
    "mr mrs ms miss dr prof professor sir lady lord dame president vice prime minister king queen "
    "prince princess senator governor mayor judge justice captain colonel general sergeant "
    "lieutenant major admiral pope saint st. mr. mrs. ms. dr. prof. rev rev. reverend father "
    "sister brother director chairman chancellor secretary ambassador officer detective coach "
    "congressman congresswoman representative rep. sen. gov. gen. col. capt. lt. sgt. hon. uncle "
    "aunt mother grandma grandpa mom dad".split()
)
_JOINING = frozenset({"of", "for", "&"})


def find_mentions(sentence: Sentence) -> Iterator[tuple[int, int, str]]:
    """The mentions of a sentence: start, end and GUM's type."""
    open_at: dict[str, list[tuple[int, str]]] = {}
    for index, misc in enumerate(sentence.misc):
        entity = next((f[7:] for f in misc.split("|") if f.startswith("Entity=")), "")
        for match in _BRACKET.finditer(entity):
            if match["single"]:
                yield index, index + 1, match["kind"]
            elif match["opens"]:
                open_at.setdefault(match["opens"], []).append((index, match["kind"]))
            elif open_at.get(match["closes"]):
                start, kind = open_at[match["closes"]].pop()
                yield start, index + 1, kind


def tag_named_mentions(sentence: Sentence) -> Sentence:
    """The sentence with entity tags: mentions whose head is a proper noun, cut to the name.

    Proper nouns that belong to no mention of a safe type are missing, all other words are ``O``.
    """
    spans: list[tuple[int, int, str]] = []
    unsure: set[int] = set()
    for start, end, kind in sorted(find_mentions(sentence), key=lambda each: each[0] - each[1]):
        span = _name_in(sentence, start, end, kind)
        if span is None:
            continue
        inside = set(range(*span))
        if kind in _OTHER_NAMES:
            unsure |= inside
        elif kind in _LABELS and not any(inside & set(range(s, e)) for s, e, _ in spans):
            spans.append((*span, _LABELS[kind]))
    tags = iob_tags(len(sentence.words), spans)
    for index in unsure:
        tags[index] = MISSING if tags[index] == OUTSIDE else tags[index]
    return Sentence(sentence.words, sentence.spaces, entities=tuple(tags))


def _name_in(sentence: Sentence, start: int, end: int, kind: str) -> tuple[int, int] | None:
    """The run of proper nouns round the head of a mention, without titles; None without one."""
    head = next((i for i in range(start, end) if not start <= sentence.heads[i] < end), start)
    head = next((i for i in range(start, end) if sentence.heads[i] == i), head)
    plural = kind == "person" and sentence.tags[head] == "NNPS"
    if plural or not _is_proper(sentence, head):
        return None
    first, last = head, head + 1
    while first > start and _joins(sentence, first - 1, start, end):
        first -= 1
    while last < end and _joins(sentence, last, start, end):
        last += 1
    if kind not in {"person", "place"}:
        last = _with_complement(sentence, last, start, end)
    while first < last and not _is_proper(sentence, first):
        first += 1
    while kind == "person" and first < last and sentence.words[first].lower() in _TITLES:
        first += 1
    return (first, last) if first < last else None


def _with_complement(sentence: Sentence, last: int, start: int, end: int) -> int:
    """The end of a name such as "Institute of the Atlantic", which goes on behind a preposition."""
    place = last
    while place < end and sentence.words[place].lower() in _JOINING:
        after = place + 1
        after += after < end and sentence.words[after].lower() == "the"
        while after < end and _joins(sentence, after, start, end):
            after += 1
        if not _is_proper(sentence, after - 1):
            break
        place = last = after
    return last


def _is_proper(sentence: Sentence, index: int) -> bool:
    return sentence.pos[index] == "PROPN" or sentence.tags[index] in {"NNP", "NNPS"}


def _joins(sentence: Sentence, index: int, start: int, end: int) -> bool:
    """Whether a word belongs to a run: a proper noun, or a hyphen or initial's dot within one."""
    return _is_proper(sentence, index) or (
        start < index < end - 1
        and sentence.words[index] in {"-", "–", "'", "’", "."}
        and _is_proper(sentence, index - 1)
        and _is_proper(sentence, index + 1)
        and not sentence.spaces[index - 1]
    )


_TEXT = "# text = "
_TAG = re.compile(r"O$|[BI]-")
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
    with io.TextIOWrapper(open_file(path), "utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if line.startswith("# ") and "\t" not in line and word_column:
                text = line.removeprefix(_TEXT).strip() if line.startswith(_TEXT) else text
            elif line.strip():
                columns = line.split()
                if columns == [OUTSIDE]:  # a word that was only a space
                    continue
                if len(columns) < 2 or not _TAG.match(columns[tag_column]):
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


def _sentence(
    words: Sequence[str], tags: Sequence[str], text: str, labels: Mapping[str, str]
) -> Sentence:
    spaces = _spaces_of(words, text) if text else spaces_by_rule(words)
    return Sentence(tuple(words), tuple(spaces), entities=tuple(_map_tags(tags, labels)))


def _map_tags(tags: Sequence[str], labels: Mapping[str, str]) -> Iterator[str]:
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


def spaces_by_rule(words: Sequence[str]) -> Iterator[bool]:
    """Where a printer would put spaces, for corpora that do not record them."""
    quoted: set[str] = set()
    for word, following in zip(words, [*words[1:], ""], strict=True):
        space = following not in _CLOSING and word not in _OPENING
        if word in _QUOTES:
            quoted ^= {word}
            space = space and word not in quoted
        if following in _QUOTES and following in quoted:
            space = False
        yield space
