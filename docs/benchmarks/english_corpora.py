"""The annotated corpora of the English pipeline, as sentences with layers and entities.

Files are in CoNLL-U (universaldependencies.org/format.html; GUM marks mentions in its last column,
gucorpling.org/gum), or have a word and its entity tag a line and a blank line between sentences.
Types of entities are mapped to five. Every function takes the folder that holds the corpora;
``resources/language/LICENSE.md`` says where each comes from.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from pathlib import Path

import spacy

from weps._files import resource_path

RECIPE = resource_path("language/recipe")
OUTSIDE = "O"
MISSING = ""
"""Entity tag of a word of which nothing is known."""
SEED = 7


@dataclass(frozen=True, slots=True)
class Sentence:
    """Words and their annotation; a layer without annotation is empty.

    Attributes:
        words: the words.
        spaces: whether a space follows, per word.
        tags: Penn tags.
        pos: universal parts of speech.
        lemmas: lemmas.
        heads: index of the governing word in the sentence; the root's is its own.
        deps: universal dependency labels.
        misc: the last column of CoNLL-U, which holds the mentions of GUM.
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


Corpora = dict[str, list[Sentence]]
"""Name of a source → its sentences."""


def syntax_corpora(data: Path, part: str) -> Corpora:
    """Sentences with tags, lemmas and trees: ``train``, ``dev`` or ``test``."""
    return {
        f"EWT {part}": list(read_conllu(data / f"ud_english_ewt/{part}.conllu")),
        f"GUM {part}": list(read_conllu(data / f"gum/{part}.conllu")),
    }


def entity_tests(data: Path) -> Corpora:
    """Sentences of the test files with entities, web text first."""
    return {
        "UNER EWT test": read_tagged(data, "uner/ewt_test.iob2"),
        "UNER PUD test": read_tagged(data, "uner/pud_test.iob2"),
        "GUM test": read_gum(data, "test"),
        "CrossNER test": read_crossner(data, "test"),
        "WNUT17 test": read_tagged(data, "wnut17/test.conll"),
        "Broad Twitter test": [
            mask_handles(sentence) for sentence in read_tagged(data, "broad_twitter/test.conll")
        ],
    }


def entity_corpora(
    data: Path, fragments: int = 9000, selecting: int = 400
) -> tuple[Corpora, Corpora]:
    """Sentences with entities: those to train on, and those that select the model.

    Args:
        data: the folder of the corpora.
        fragments: number of made-up fragments to train on.
        selecting: number of made-up fragments that select the model.
    """
    made = list(make_fragments(fragments + selecting))
    wiki = [*read_crossner(data, "train"), *read_crossner(data, "dev")]
    twitter = read_tagged(data, "broad_twitter/train.conll")
    treebank = read_conllu(data / "ud_english_ewt/train.conllu")
    train = {
        "GUM train": read_gum(data, "train"),
        "UNER EWT dev": 2 * [*map(mark_uncertain, read_tagged(data, "uner/ewt_dev.iob2"))],
        "Broad Twitter train": [*map(mark_uncertain, twitter)],
        "WNUT17 train": read_tagged(data, "wnut17/train.conll"),
        "WikiGold": read_tagged(data, "wikigold/wikigold.conll"),
        "CrossNER train and dev": [each for index, each in enumerate(wiki) if index % 8],
        "EWT train (words that are no names)": [*map(words_only, treebank)],
        "made-up fragments": made[selecting:],
    }
    dev = {
        "WNUT17 dev": read_tagged(data, "wnut17/dev.conll"),
        "GUM dev": read_gum(data, "dev"),
        "CrossNER train and dev": wiki[::8],
        "made-up fragments": made[:selecting],
    }
    return train, dev


def recased(sentences: Sequence[Sentence], share: float = 0.08) -> Iterator[Sentence]:
    """Copies of some of the sentences in lower and of some in upper case."""
    choice = random.Random(SEED)  # noqa: S311 - no secret
    for case in (str.lower, str.upper):
        for sentence in choice.sample(sentences, round(share * len(sentences))):
            yield replace(sentence, words=tuple(map(case, sentence.words)))


# Which words are known to be no names


def mark_uncertain(sentence: Sentence) -> Sentence:
    """The sentence of a corpus of few types: capitalised words may be names of other types."""
    tags = list(sentence.entities)
    for index, word in enumerate(sentence.words[1:], start=1):
        capitalised = len(word) > 1 and word[0].isupper() and word.lower() not in not_names()
        if capitalised and tags[index] == OUTSIDE:
            tags[index] = MISSING
    return replace(sentence, entities=tuple(tags))


def mark_outside(sentence: Sentence) -> Sentence:
    """The sentence with ``O`` for lower-case words, months and languages that had no tag."""
    tags = [
        OUTSIDE if tag == MISSING and (word.islower() or word.lower() in not_names()) else tag
        for word, tag in zip(sentence.words, sentence.entities, strict=True)
    ]
    return replace(sentence, entities=tuple(tags))


def mask_handles(sentence: Sentence) -> Sentence:
    """The sentence without tags of ``@`` and the user name behind it."""
    before = ("", *sentence.words)
    tags = [
        MISSING if "@" in (previous, word) else tag
        for previous, word, tag in zip(before, sentence.words, sentence.entities, strict=False)
    ]
    return replace(sentence, entities=tuple(tags))


def words_only(sentence: Sentence) -> Sentence:
    """Words of a treebank that are no names; proper nouns, and what joins them, have no tag."""
    proper = [tag == "PROPN" for tag in sentence.pos]
    tags = [OUTSIDE] * len(proper)
    for index, word in enumerate(sentence.words):
        joins = any(proper[max(0, index - 2) : index]) and any(proper[index + 1 : index + 3])
        if (proper[index] or joins) and word.lower() not in not_names():
            tags[index] = MISSING
    return Sentence(sentence.words, sentence.spaces, entities=tuple(tags))


@cache
def not_names() -> frozenset[str]:
    """Capitalised words that are no names, in lower case."""
    lines = (RECIPE / "not_names.txt").read_text("utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


# Files


def read_blocks(path: Path) -> Iterator[list[str]]:
    """Runs of lines between blank ones."""
    with path.open(encoding="utf-8") as lines:
        for filled, block in groupby(lines, key=lambda line: bool(line.strip())):
            if filled:
                yield list(block)


def read_conllu(path: Path) -> Iterator[Sentence]:
    """The sentences of a treebank; words of a multi-word token have no space between them."""
    for block in read_blocks(path):
        rows = [line.rstrip("\n").split("\t") for line in block if not line.startswith("#")]
        words = [row for row in rows if row[0].isdecimal()]
        heads = [int(row[6]) - 1 for row in words]
        yield Sentence(
            words=tuple(row[1] for row in words),
            spaces=tuple(_spaces_of_rows(rows)),
            tags=tuple(row[4] for row in words),
            pos=tuple(row[3] for row in words),
            lemmas=tuple(row[2] for row in words),
            heads=tuple(index if head < 0 else head for index, head in enumerate(heads)),
            deps=tuple("ROOT" if row[7] == "root" else row[7] for row in words),
            misc=tuple(row[9] for row in words),
        )


def _spaces_of_rows(rows: list[list[str]]) -> Iterator[bool]:
    """Spaces after each word; the line of a multi-word token tells them for its words."""
    last, after = 0, True
    for row in rows:
        first, dash, end = row[0].partition("-")
        spaced = "SpaceAfter=No" not in row[9].split("|")
        if dash:
            last, after = int(end), spaced
        elif first.isdecimal():
            index = int(first)
            yield spaced if index > last else after and index == last


_THREE = {"PER": "PERSON", "LOC": "LOCATION", "ORG": "ORGANISATION"}
_LAYOUTS: Mapping[str, tuple[Mapping[str, str], int, int]] = {
    "uner": (_THREE, 1, 2),
    "broad_twitter": (_THREE, 0, -1),
    "wikigold": (_THREE, 0, -1),
    "wnut17": (
        {
            "person": "PERSON",
            "location": "LOCATION",
            "corporation": "ORGANISATION",
            "group": "ORGANISATION",
            "product": "PRODUCT",
            "creative-work": "PRODUCT",
        },
        0,
        -1,
    ),
    "crossner": (
        {
            kind: label
            for label, kinds in {
                "PERSON": "politician scientist writer musicalartist researcher person",
                "LOCATION": "country location",
                "ORGANISATION": "organisation university politicalparty band",
                "EVENT": "event election conference",
                "PRODUCT": "book album song poem magazine academicjournal product programlang",
            }.items()
            for kind in kinds.split()
        },
        0,
        -1,
    ),
}
"""Folder → its types in our labels, and the columns of word and tag."""


def read_tagged(data: Path, name: str) -> list[Sentence]:
    """The sentences of a file with a word and a tag a line; unmapped types have no tag.

    IOB1 and IOB2 are both understood.
    """
    labels, word_column, tag_column = _LAYOUTS[name.partition("/")[0]]
    sentences = []
    for block in read_blocks(data / name):
        text = ""
        words: list[str] = []
        tags: list[str] = []
        before = OUTSIDE
        for line in block:
            columns = line.split()
            if word_column and line.startswith("# ") and "\t" not in line:
                text = line.removeprefix("# text = ").strip() if "# text = " in line else text
            elif columns != [OUTSIDE]:  # the word was only a space
                tag = columns[tag_column]
                starts = tag.startswith("B-") or before[2:] != tag[2:]
                label = labels.get(tag[2:])
                words.append(columns[word_column])
                if tag == OUTSIDE:
                    tags.append(OUTSIDE)
                else:
                    tags.append(f"{'B' if starts else 'I'}-{label}" if label else MISSING)
                before = tag
        spaces = _spaces_in_text(words, text) if text else printed_spaces(words)
        sentences.append(mark_outside(Sentence(tuple(words), tuple(spaces), entities=tuple(tags))))
    return sentences


def _spaces_in_text(words: Sequence[str], text: str) -> Iterator[bool]:
    """Spaces after each word in the text."""
    place = 0
    for word in words:
        start = text.find(word, place)
        place = start + len(word) if start >= 0 else place
        yield text[place : place + 1].isspace() or place >= len(text)


_CLOSING = frozenset(".,;:!?%)]}") | {"'s", "n't", "'ll", "'re", "'ve", "'m", "'d", "...", "’s"}
_OPENING = frozenset("([{$£€#@")
_QUOTES = frozenset("\"'")


def printed_spaces(words: Sequence[str]) -> Iterator[bool]:
    """Spaces that a printer would put after each word, for corpora that do not tell."""
    quoted: set[str] = set()
    for word, following in zip(words, [*words[1:], ""], strict=True):
        space = following not in _CLOSING and word not in _OPENING
        if word in _QUOTES:
            quoted ^= {word}
            space = space and word not in quoted
        if following in _QUOTES and following in quoted:
            space = False
        yield space


def read_crossner(data: Path, part: str) -> list[Sentence]:
    """The sentences of all fields of CrossNER."""
    fields = ("politics", "science", "music", "literature", "ai")
    return [each for field in fields for each in read_tagged(data, f"crossner/{field}_{part}.txt")]


# Mentions of GUM

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


def read_gum(data: Path, part: str) -> list[Sentence]:
    """The sentences of GUM with entities only."""
    return [mark_outside(tag_mentions(each)) for each in read_conllu(data / f"gum/{part}.conllu")]


def tag_mentions(sentence: Sentence) -> Sentence:
    """The sentence with entity tags: mentions whose head is a proper noun, cut to the name.

    Proper nouns in mentions of other types have no tag, all other words are ``O``.
    """
    spans: list[tuple[int, int, str]] = []
    unsure: set[int] = set()
    for start, end, kind in sorted(_find_mentions(sentence), key=lambda span: span[0] - span[1]):
        name = _name_in(sentence, start, end, kind)
        if name is None:
            continue
        inside = set(range(*name))
        if kind in _OTHER_NAMES:
            unsure |= inside
        elif kind in _LABELS and not any(inside & set(range(s, e)) for s, e, _ in spans):
            spans.append((*name, _LABELS[kind]))
    tags = iob_tags(len(sentence.words), spans)
    for index in unsure:
        tags[index] = MISSING if tags[index] == OUTSIDE else tags[index]
    return Sentence(sentence.words, sentence.spaces, entities=tuple(tags))


def iob_tags(length: int, spans: Iterable[tuple[int, int, str]]) -> list[str]:
    """IOB tags of spans (start, end, label), which do not overlap."""
    tags = [OUTSIDE] * length
    for start, end, label in spans:
        tags[start:end] = [f"B-{label}"] + [f"I-{label}"] * (end - start - 1)
    return tags


def _find_mentions(sentence: Sentence) -> Iterator[tuple[int, int, str]]:
    """Start, end and GUM's type of every mention."""
    open_at: dict[str, list[tuple[int, str]]] = {}
    for index, misc in enumerate(sentence.misc):
        entity = next((field[7:] for field in misc.split("|") if field.startswith("Entity=")), "")
        for match in _BRACKET.finditer(entity):
            if match["single"]:
                yield index, index + 1, match["kind"]
            elif match["opens"]:
                open_at.setdefault(match["opens"], []).append((index, match["kind"]))
            elif open_at.get(match["closes"]):
                start, kind = open_at[match["closes"]].pop()
                yield start, index + 1, kind


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
    while place < end and sentence.words[place].lower() in {"of", "for", "&"}:
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
    """True if a word belongs to a run: a proper noun, or a hyphen or initial's dot within one."""
    return _is_proper(sentence, index) or (
        start < index < end - 1
        and sentence.words[index] in {"-", "–", "'", "’", "."}
        and _is_proper(sentence, index - 1)
        and _is_proper(sentence, index + 1)
        and not sentence.spaces[index - 1]
    )


# Made-up fragments

_SLOT = re.compile(r"\{(?P<name>\w+)(?:\|(?P<change>\w+))?\}")
_MARK = re.compile(r"<(?P<label>[A-Z]+) (?P<text>[^<>]*)>")
_CHANGES: Mapping[str, Callable[[str], str]] = {
    "upper": lambda text: re.sub(r"[^<>]+", lambda match: match[0].upper(), text),
    "lower": lambda text: re.sub(r"\W", "", text.lower()),
    "initial": lambda text: text[:1],
}


def make_fragments(count: int) -> Iterator[Sentence]:
    """Made-up fragments of web pages as sentences, the same ones every time."""
    nlp = spacy.blank("en")
    files = (RECIPE / "names.txt", RECIPE / "fragments.txt")
    grammar = read_grammar("\n".join(path.read_text("utf-8") for path in files))
    for marked in expand_grammar(grammar, count):
        text = ""
        entities = []
        place = 0
        for match in _MARK.finditer(marked):
            text += marked[place : match.start()]
            entities.append((len(text), len(text) + len(match["text"]), match["label"]))
            text += match["text"]
            place = match.end()
        doc = nlp.make_doc(" ".join((text + marked[place:]).split()))
        spans = [
            (span.start, span.end, label)
            for start, end, label in entities
            if (span := doc.char_span(start, end, alignment_mode="expand")) is not None
        ]
        words = tuple(token.text for token in doc)
        spaces = tuple(bool(token.whitespace_) for token in doc)
        yield Sentence(words, spaces, entities=tuple(iob_tags(len(words), spans)))


def read_grammar(text: str) -> dict[str, list[str]]:
    """Name of a section → its alternatives; see the head of ``fragments.txt`` for the notation."""
    grammar: dict[str, list[str]] = {}
    for line in text.splitlines():
        if line.startswith("[") and line.endswith("]"):
            alternatives = grammar.setdefault(line[1:-1], [])
        elif line and not line.startswith("# "):
            for alternative in line.split(" / "):
                times, _, weighted = alternative.partition("* ")
                alternatives += [weighted] * int(times) if times.isdecimal() else [alternative]
    return grammar


def expand_grammar(
    grammar: Mapping[str, Sequence[str]], count: int, seed: int = SEED
) -> Iterator[str]:
    """Fragments at random, entities marked as ``<PERSON Ada Quill>``; the same for a seed."""
    choice = random.Random(seed)  # noqa: S311 - no secret

    def fill(match: re.Match[str]) -> str:
        text = expand(match["name"])
        return _CHANGES[match["change"]](text) if match["change"] else text

    def expand(name: str) -> str:
        text = _SLOT.sub(fill, choice.choice(grammar[name])).replace(".>.", ".>")
        return re.sub("#", lambda _: str(choice.randrange(10)), text)

    for _ in range(count):
        yield expand("fragment")
