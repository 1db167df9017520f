"""The training files, the training of the two parts of the pipeline, and their assembly.

A mixture states which sentences are used, how often and in which case; made-up fragments of web
pages are expanded from a grammar. Files are read with tokens and sentence starts as they will be in
use: our splitter gives the sentences, each is tokenised by itself, and the parser and the
recogniser find sentence starts preset. They must be trained under the same conditions.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import spacy
import srsly  # type: ignore[import-untyped]
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.training import Example
from spacy.util import load_config, registry

from weps._files import read_bytes, resource_path
from weps.errors import OutputError, SourceError
from weps_eval.language.corpora import (
    crossner_sentences,
    gum_sentences,
    mark_uncertain,
    tagged_sentences,
    words_only,
)
from weps_eval.language.readers import (
    Sentence,
    annotated_document,
    group_sentences,
    iob_tags,
    read_conllu,
)

if TYPE_CHECKING:
    from thinc.api import Config

PIPELINE_NAME = "weps_en"
_PARTS = ("syntax", "entities")
_FRAGMENTS = 9000
_FRAGMENTS_DEV = 400
_RECASED = 0.08
_CROSSNER_DEV = 8
"""Every eighth sentence of CrossNER's training and development parts selects the model."""
_SEED = 7
_START = "fragment"
_SLOT = re.compile(r"\{(?P<name>\w+)(?:\|(?P<change>\w+))?\}")
_MARK = re.compile(r"<(?P<label>[A-Z]+) (?P<text>[^<>]*)>")
_DEEPEST = 12
_CHANGES: Mapping[str, Callable[[str], str]] = {
    "upper": lambda text: re.sub(r"[^<>]+", lambda each: each[0].upper(), text),
    "lower": lambda text: re.sub(r"\W", "", text.lower()),
    "initial": lambda text: text[:1],
}


class Fragment(NamedTuple):
    """A text and its entities: start and end in characters, label."""

    text: str
    entities: tuple[tuple[int, int, str], ...]


Grammar = dict[str, list[str]]
"""Names and their alternatives; see the head of ``fragments.txt`` for the notation."""


def expand_grammar(grammar: Grammar, count: int, seed: int) -> Iterator[Fragment]:
    """Fragments at random; the same seed gives the same ones.

    Raises:
        SourceError: if a name has no alternatives, or contains itself.
    """
    choice = random.Random(seed)  # noqa: S311 - no secret

    def expand(name: str, depth: int) -> str:
        if name not in grammar or depth > _DEEPEST:
            raise SourceError(
                f"{{{name}}} has no alternatives or contains itself",
                where="grammar of fragments",
                remedy=f"write a section [{name}] that ends",
            )

        def fill(match: re.Match[str]) -> str:
            text = expand(match["name"], depth + 1)
            return _CHANGES[match["change"]](text) if match["change"] else text

        text = _SLOT.sub(fill, choice.choice(grammar[name])).replace(".>.", ".>")
        return re.sub("#", lambda _: str(choice.randrange(10)), text)

    for _ in range(count):
        yield _parse_markup(expand(_START, 0))


def read_grammar(paths: Iterable[Path]) -> Grammar:
    """The grammar written in files.

    Raises:
        SourceError: if a line stands before the first section.
    """
    grammar: Grammar = {}
    for path in paths:
        alternatives: list[str] | None = None
        for line in read_bytes(path, 10 << 20, SourceError).decode().splitlines():
            if line.startswith("[") and line.endswith("]"):
                alternatives = grammar.setdefault(line[1:-1], [])
            elif line and not line.startswith("# "):
                if alternatives is None:
                    raise SourceError(
                        "an alternative before the first [section]",
                        where=path,
                        remedy="name the section that it belongs to",
                    )
                for alternative in line.split(" / "):
                    times, _, text = alternative.partition("* ")
                    weighted = times.isdecimal()
                    alternatives += [text] * int(times) if weighted else [alternative]
    return grammar


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


def write_syntax(data: Path, folder: Path) -> dict[str, int]:
    """Write ``train.spacy`` and ``dev.spacy`` of the syntax; words of each source."""
    train = {
        "EWT train": list(read_conllu(data / "ud_english_ewt/train.conllu")),
        "GUM train": list(read_conllu(data / "gum/train.conllu")),
    }
    dev = [
        *read_conllu(data / "ud_english_ewt/dev.conllu"),
        *read_conllu(data / "gum/dev.conllu"),
    ]
    _write_files(train, dev, folder)
    return _count_words(train)


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
            words_only(read_conllu(data / "ud_english_ewt/train.conllu"))
        ),
        "made-up fragments": made[_FRAGMENTS_DEV:],
    }
    dev = [
        *tagged_sentences(data, "wnut17/dev.conll"),
        *gum_sentences(data, "dev"),
        *held_out,
        *made[:_FRAGMENTS_DEV],
    ]
    recased = {name: [*each, *_recased(each)] for name, each in train.items()}
    _write_files(recased, dev, folder)
    return _count_words(train)


def _recased(sentences: Sequence[Sentence]) -> Iterator[Sentence]:
    """Some of the sentences in lower and some in upper case."""
    size = round(_RECASED * len(sentences))
    choice = random.Random(_SEED)  # noqa: S311 - no secret
    for case in (str.lower, str.upper):
        for each in choice.sample(sentences, size):
            yield replace(each, words=tuple(map(case, each.words)))


def _write_files(
    train: Mapping[str, Sequence[Sentence]], dev: Sequence[Sentence], folder: Path
) -> None:
    groups = chain.from_iterable(map(group_sentences, train.values()))
    write_documents(groups, folder / "train.spacy")
    write_documents(group_sentences(dev), folder / "dev.spacy")


def _count_words(train: Mapping[str, Sequence[Sentence]]) -> dict[str, int]:
    return {name: sum(len(each.words) for each in kept) for name, kept in train.items()}


def write_documents(groups: Iterable[Sequence[Sentence]], path: Path) -> None:
    """Write a file of documents, one for each group of sentences."""
    vocab = spacy.blank("en").vocab
    path.parent.mkdir(parents=True, exist_ok=True)
    DocBin(docs=[annotated_document(vocab, group) for group in groups]).to_disk(path)


def make_fragments(count: int) -> Iterator[Sentence]:
    """Made-up web fragments as sentences, the same ones every time."""
    nlp = spacy.blank("en")
    files = [resource_path(f"language/recipe/{name}.txt") for name in ("names", "fragments")]
    for fragment in expand_grammar(read_grammar(files), count, _SEED):
        doc = nlp.make_doc(" ".join(fragment.text.split()))
        spans = [
            (span.start, span.end, label)
            for start, end, label in fragment.entities
            if (span := doc.char_span(start, end, alignment_mode="expand")) is not None
        ]
        words = tuple(token.text for token in doc)
        spaces = tuple(bool(token.whitespace_) for token in doc)
        yield Sentence(words, spaces, entities=tuple(iob_tags(len(words), spans)))


def assemble_pipeline(parts: Mapping[str, Path]) -> Language:
    """One pipeline of both parts; the recogniser brings its own embedding and needs no other.

    Args:
        parts: where the trained pipelines ``syntax`` and ``entities`` are.
    """
    nlp = spacy.load(parts["syntax"])
    nlp.add_pipe("ner", source=spacy.load(parts["entities"]))
    for section in ("training", "corpora", "paths", "initialize"):
        nlp.config[section] = {}  # they name files and readers that users do not have
    return nlp


def save_pipeline(nlp: Language, folder: Path, meta: Mapping[str, Any]) -> None:
    """Write the pipeline without the words of its training data.

    Args:
        nlp: the pipeline of :func:`assemble_pipeline`.
        folder: where it goes.
        meta: entries for its ``meta.json``.
    """
    nlp.meta.update({"name": PIPELINE_NAME, "performance": {}, **meta})
    folder.mkdir(parents=True, exist_ok=True)
    nlp.to_disk(folder)
    strings = folder / "vocab" / "strings.json"
    strings.write_text(json.dumps(sorted(set(_strings(nlp))), ensure_ascii=False), "utf-8")


def _strings(nlp: Language) -> Iterator[str]:
    """What the pipeline must be able to spell out: its labels, and endings of lemmas."""
    yield from spacy.blank("en").vocab.strings
    for labels in nlp.pipe_labels.values():
        yield from labels
        for label in labels:  # POS=NOUN is spelt from its parts
            yield from label.split("=")
    lemmatizer: Any = nlp.get_pipe("trainable_lemmatizer")
    for tree in srsly.msgpack_loads(lemmatizer.trees.to_bytes())["trees"]:
        yield from (nlp.vocab.strings[tree[key]] for key in ("orig", "subst") if key in tree)


def sentence_reader(path: Path) -> Callable[[Language], Iterator[Example]]:
    """The examples of a file of documents, for ``[corpora]`` of a training configuration.

    Each gold document stands beside the document that the pipeline would be given.
    """

    def examples(nlp: Language) -> Iterator[Example]:
        for gold in DocBin().from_disk(path).get_docs(nlp.vocab):
            yield Example(as_in_use(nlp, gold), gold)

    return examples


registry.readers.register("weps.sentence_reader.v1", func=sentence_reader)


def as_in_use(nlp: Language, gold: Doc) -> Doc:
    """The text of a document, tokenised sentence by sentence, with sentence starts preset."""
    words: list[str] = []
    spaces: list[bool] = []
    starts: list[bool | int | None] = []
    for sentence in gold.sents:
        tokens = nlp.tokenizer(sentence.text)
        words += [token.text for token in tokens]
        spaces += [bool(token.whitespace_) for token in tokens[:-1]] + [True]
        starts += [index == 0 for index in range(len(tokens))]
    return Doc(nlp.vocab, words=words, spaces=spaces, sent_starts=starts)


def train_part(part: str, work: Path, steps: int | None = None) -> None:
    """Train a part by ``recipe/PART.cfg`` on ``work/PART/*.spacy``.

    The best pipeline so far stands in ``work/PART/model-best`` from the first evaluation on, so
    that a stop loses nothing.

    Args:
        part: ``syntax`` or ``entities``.
        work: where the training files are and the pipelines go.
        steps: how many steps to make, instead of the recipe's number.
    """
    from spacy.training.initialize import init_nlp  # noqa: PLC0415 - takes half a second
    from spacy.training.loop import train  # noqa: PLC0415

    folder = work / part
    paths = {f"paths.{name}": str(folder / f"{name}.spacy") for name in ("train", "dev")}
    train(init_nlp(_recipe(part, steps, paths)), folder)


def train_parts(work: Path, jobs: int, steps: int | None = None) -> dict[str, Path]:
    """Train both parts, side by side unless ``jobs`` is 1; part → its best pipeline.

    Raises:
        OutputError: if a training stops.
    """
    running: list[subprocess.Popen[bytes]] = []
    try:
        for part in _PARTS:
            running.append(_start(part, work, steps))
            if jobs == 1:
                running[-1].wait()
        failed = [part for part, each in zip(_PARTS, running, strict=True) if each.wait()]
    finally:
        for each in running:
            each.terminate()  # after an interrupt; those that have ended are not touched
    if failed:
        raise OutputError(
            f"training of {' and '.join(failed)} stopped", where=work, remedy="see the logs there"
        )
    return {part: work / part / "model-best" for part in _PARTS}


def recipe_settings(steps: int | None = None) -> dict[str, str]:
    """What the card reports of the recipes."""
    recipes = {part: _recipe(part, steps, {}) for part in _PARTS}
    return {
        "steps": ", ".join(f"{p} {each['training']['max_steps']}" for p, each in recipes.items()),
        "seeds": ", ".join(f"{p} {each['system']['seed']}" for p, each in recipes.items()),
    }


def _recipe(part: str, steps: int | None, changes: dict[str, Any]) -> Config:
    if steps is not None:
        often = {"training.max_steps": steps, "training.eval_frequency": max(1, steps // 2)}
        changes = {**changes, **often}
    return load_config(resource_path(f"language/recipe/{part}.cfg"), changes, interpolate=False)


def _start(part: str, work: Path, steps: int | None) -> subprocess.Popen[bytes]:
    """A process of its own, so that each part has its seeds, its memory and its core."""
    command = [sys.executable, "-m", __name__, part, str(work), *([str(steps)] if steps else [])]
    with (work / f"{part}.log").open("wb") as log:
        return subprocess.Popen(  # noqa: S603 - our own module
            command,
            stdout=log,
            stderr=subprocess.STDOUT,
            env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"},
        )


if __name__ == "__main__":
    train_part(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]) if sys.argv[3:] else None)
