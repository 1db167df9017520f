"""The training and selection files, with made-up fragments of web pages expanded from a grammar.

A mixture states which sentences are used, how often and in which case.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from eval.language.corpora import (
    crossner_sentences,
    gum_sentences,
    mark_uncertain,
    tagged_sentences,
    treebank_sentences,
    words_only,
)
from eval.language.readers import (
    Sentence,
    annotated_document,
    change_case,
    group_sentences,
    iob_tags,
)
from weps._files import resource_path
from weps.errors import SourceError

if TYPE_CHECKING:
    from spacy.language import Language

__all__ = [
    "Fragment",
    "Grammar",
    "make_fragments",
    "read_grammar",
    "write_documents",
    "write_entities",
    "write_syntax",
]

_START = "fragment"
_SLOT = re.compile(r"\{(?P<name>\w+)(?:\|(?P<change>\w+))?\}")
_MARK = re.compile(r"<(?P<label>[A-Z]+) (?P<text>[^<>]*)>")
_WEIGHT = re.compile(r"(?P<times>\d+)\* ")
_DEEPEST = 12
_CHANGES: Mapping[str, Callable[[str], str]] = {
    "upper": lambda text: re.sub(r"[^<>]+", lambda each: each[0].upper(), text),
    "lower": lambda text: re.sub(r"\W", "", text.lower()),
    "initial": lambda text: text[:1],
}


@dataclass(frozen=True, slots=True)
class Fragment:
    """A text and its entities: start and end in characters, label."""

    text: str
    entities: tuple[tuple[int, int, str], ...]


@dataclass(slots=True)
class Grammar:
    """Names and their alternatives; see the head of ``make_fragments.txt`` for the notation."""

    rules: dict[str, list[str]] = field(default_factory=dict)

    def make(self, count: int, seed: int) -> Iterator[Fragment]:
        """Fragments at random; the same seed gives the same ones."""
        choice = random.Random(seed)  # noqa: S311 - no secret
        for _ in range(count):
            yield _parse_markup(self._expand(_START, choice, 0))

    def _expand(self, name: str, choice: random.Random, depth: int) -> str:
        if name not in self.rules or depth > _DEEPEST:
            raise SourceError(
                f"{{{name}}} has no alternatives or contains itself",
                where="grammar of fragments",
                remedy=f"write a section [{name}] that ends",
            )

        def fill(match: re.Match[str]) -> str:
            text = self._expand(match["name"], choice, depth + 1)
            return _CHANGES[match["change"]](text) if match["change"] else text

        text = _SLOT.sub(fill, choice.choice(self.rules[name])).replace(".>.", ".>")
        return re.sub("#", lambda _: str(choice.randrange(10)), text)


def read_grammar(paths: Iterable[Path]) -> Grammar:
    """The grammar written in files.

    Raises:
        SourceError: if a line stands before the first section.
    """
    grammar = Grammar()
    for path in paths:
        alternatives: list[str] | None = None
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("[") and line.endswith("]"):
                alternatives = grammar.rules.setdefault(line[1:-1], [])
            elif line and not line.startswith("# "):
                if alternatives is None:
                    raise SourceError(
                        "an alternative before the first [section]",
                        where=path,
                        remedy="name the section that it belongs to",
                    )
                alternatives += _alternatives(line)
    return grammar


def _alternatives(line: str) -> Iterator[str]:
    for alternative in line.split(" / "):
        weight = _WEIGHT.match(alternative)
        text = alternative[weight.end() :] if weight else alternative
        yield from [text] * (int(weight["times"]) if weight else 1)


def _parse_markup(marked: str) -> Fragment:
    text = ""
    entities = []
    place = 0
    for match in _MARK.finditer(marked):
        text += marked[place : match.start()]
        entities.append((len(text), len(text) + len(match["text"]), match["label"]))
        text += match["text"]
        place = match.end()
    return Fragment(text + marked[place:], tuple(entities))


_FRAGMENTS = 9000
_FRAGMENTS_DEV = 400
_RECASED = 0.08
_CROSSNER_DEV = 8
"""Every eighth sentence of CrossNER's training and development parts selects the model."""
_SEED = 7


def write_syntax(data: Path, folder: Path) -> dict[str, int]:
    """Write ``train.spacy`` and ``dev.spacy`` of the syntax; words of each source."""
    train = {
        "EWT train": list(treebank_sentences(data, "ud_english_ewt/train.conllu")),
        "GUM train": list(treebank_sentences(data, "gum/train.conllu")),
    }
    dev = [
        *treebank_sentences(data, "ud_english_ewt/dev.conllu"),
        *treebank_sentences(data, "gum/dev.conllu"),
    ]
    write_documents(
        chain.from_iterable(map(group_sentences, train.values())), folder / "train.spacy"
    )
    write_documents(group_sentences(dev), folder / "dev.spacy")
    return {name: _words(each) for name, each in train.items()}


def write_entities(data: Path, folder: Path) -> dict[str, int]:
    """Write ``train.spacy`` and ``dev.spacy`` of the entities; words of each source."""
    made = list(make_fragments(_FRAGMENTS + _FRAGMENTS_DEV))
    wiki = [*crossner_sentences(data, "train"), *crossner_sentences(data, "dev")]
    held_out = wiki[::_CROSSNER_DEV]
    train = {
        "GUM train": list(gum_sentences(data, "train")),
        "UNER EWT dev": 2 * list(mark_uncertain(tagged_sentences(data, "uner/ewt_dev.iob2"))),
        "Broad Twitter train": list(
            mark_uncertain(tagged_sentences(data, "broad_twitter/train.conll"))
        ),
        "WNUT17 train": list(tagged_sentences(data, "wnut17/train.conll")),
        "WikiGold": list(tagged_sentences(data, "wikigold/wikigold.conll")),
        "CrossNER train and dev": [each for i, each in enumerate(wiki) if i % _CROSSNER_DEV],
        "EWT train (words that are no names)": list(
            words_only(treebank_sentences(data, "ud_english_ewt/train.conllu"))
        ),
        "made-up fragments": made[_FRAGMENTS_DEV:],
    }
    dev = [
        *tagged_sentences(data, "wnut17/dev.conll"),
        *gum_sentences(data, "dev"),
        *held_out,
        *made[:_FRAGMENTS_DEV],
    ]
    groups = (group_sentences(_with_recased(each)) for each in train.values())
    write_documents(chain.from_iterable(groups), folder / "train.spacy")
    write_documents(group_sentences(dev), folder / "dev.spacy")
    return {name: _words(each) for name, each in train.items()}


def write_documents(groups: Iterable[Sequence[Sentence]], path: Path) -> None:
    """Write a file of documents, one for each group of sentences."""
    import spacy  # noqa: PLC0415 - importing spaCy takes half a second
    from spacy.tokens import DocBin  # noqa: PLC0415

    vocab = spacy.blank("en").vocab
    path.parent.mkdir(parents=True, exist_ok=True)
    DocBin(docs=[annotated_document(vocab, group) for group in groups]).to_disk(path)


def make_fragments(count: int, seed: int = _SEED) -> Iterator[Sentence]:
    """Made-up web fragments as sentences; the same seed gives the same ones."""
    import spacy  # noqa: PLC0415 - importing spaCy takes half a second

    nlp = spacy.blank("en")
    files = [resource_path(f"language/recipe/{name}.txt") for name in ("names", "fragments")]
    for fragment in read_grammar(files).make(count, seed):
        yield _fragment_sentence(nlp, fragment)


def _fragment_sentence(nlp: Language, fragment: Fragment) -> Sentence:
    doc = nlp.make_doc(" ".join(fragment.text.split()))
    spans = [
        (span.start, span.end, label)
        for start, end, label in fragment.entities
        if (span := doc.char_span(start, end, alignment_mode="expand")) is not None
    ]
    words = tuple(token.text for token in doc)
    spaces = tuple(bool(token.whitespace_) for token in doc)
    return Sentence(words, spaces, entities=tuple(iob_tags(len(words), spans)))


def _with_recased(sentences: Sequence[Sentence]) -> Iterator[Sentence]:
    """The sentences, then some again in lower and some in upper case."""
    yield from sentences
    size = round(_RECASED * len(sentences))
    choice = random.Random(_SEED)  # noqa: S311 - no secret
    yield from (change_case(each, str.lower) for each in choice.sample(sentences, size))
    yield from (change_case(each, str.upper) for each in choice.sample(sentences, size))


def _words(sentences: Iterable[Sentence]) -> int:
    return sum(len(each.words) for each in sentences)
