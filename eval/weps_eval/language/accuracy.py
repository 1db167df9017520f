"""Accuracy of the pipeline on held-out files, and its cost: speed by layer, memory, disk space."""

from __future__ import annotations

import multiprocessing
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import spacy
from spacy.language import Language
from spacy.scorer import Scorer
from spacy.tokens import Doc
from spacy.training import Example

from weps.language.spacy_pipeline import noun_chunks
from weps_eval.language.corpora import (
    crossner_sentences,
    gum_sentences,
    mask_handles,
    tagged_sentences,
)
from weps_eval.language.readers import Sentence, annotated_document, group_sentences, read_conllu
from weps_eval.language.training import as_in_use

_SYNTAX = {
    "tags": "tag_acc",
    "upos": "pos_acc",
    "lemmas": "lemma_acc",
    "uas": "dep_uas",
    "las": "dep_las",
}
_PIPES = ("tagger", "morphologizer", "parser", "trainable_lemmatizer")
MICRO = "micro"
_Span = tuple[int, int, str]


class Counts(NamedTuple):
    """Spans found rightly, found wrongly, and not found."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    @property
    def precision(self) -> float:
        """Part of the spans found that are right."""
        return self.right / max(1, self.right + self.wrong)

    @property
    def recall(self) -> float:
        """Part of the spans wanted that were found."""
        return self.right / max(1, self.right + self.missed)

    @property
    def f1(self) -> float:
        """Harmonic mean of the two."""
        return 2 * self.right / max(1, 2 * self.right + self.wrong + self.missed)


def syntax_tests(data: Path) -> dict[str, list[Sentence]]:
    """The treebanks' test files."""
    return {
        "EWT test": list(read_conllu(data / "ud_english_ewt/test.conllu")),
        "GUM test": list(read_conllu(data / "gum/test.conllu")),
    }


def entity_tests(data: Path) -> dict[str, list[Sentence]]:
    """The test files with entities, web text first."""
    return {
        "UNER EWT test": list(tagged_sentences(data, "uner/ewt_test.iob2")),
        "UNER PUD test": list(tagged_sentences(data, "uner/pud_test.iob2")),
        "GUM test": list(gum_sentences(data, "test")),
        "CrossNER test": list(crossner_sentences(data, "test")),
        "WNUT17 test": list(tagged_sentences(data, "wnut17/test.conll")),
        "Broad Twitter test": list(
            mask_handles(tagged_sentences(data, "broad_twitter/test.conll"))
        ),
    }


def syntax_accuracy(nlp: Language, sentences: Iterable[Sentence]) -> dict[str, float]:
    """Accuracy of tags, universal tags and lemmas, UAS and LAS, F1 of noun chunks; 0 to 1.

    Sentence starts are given, as in use. Attachment scores leave punctuation out, as spaCy does.
    Noun chunks are those of the predicted trees against those of the gold trees.
    """
    examples = _read(nlp, sentences)
    scores = Scorer(default_lang="en", default_pipeline=_PIPES).score(examples)
    chunks = _count_spans((_chunks(each.reference), _chunks(each.predicted)) for each in examples)
    figures = {name: scores[key] for name, key in _SYNTAX.items()}
    return {**figures, "noun_chunks": chunks["NP"].f1}


def entity_accuracy(nlp: Language, sentences: Sequence[Sentence]) -> dict[str, Counts]:
    """Counts per type and over all, exact bounds and type.

    Only types that the file annotates count; what was found where the annotation is missing is
    neither right nor wrong.
    """
    labels = {tag[2:] for each in sentences for tag in each.entities if len(tag) > 1}
    counts = _count_spans(_entities(each, labels) for each in _read(nlp, sentences))
    return {**counts, MICRO: Counts(*map(sum, zip(*counts.values(), strict=True)))}


def _read(nlp: Language, sentences: Iterable[Sentence]) -> list[Example]:
    """Gold documents beside what the pipeline makes of their text."""
    golds = [annotated_document(nlp.vocab, group) for group in group_sentences(sentences)]
    read = nlp.pipe((as_in_use(nlp, gold) for gold in golds), batch_size=64)
    return [Example(doc, gold) for doc, gold in zip(read, golds, strict=True)]


def _chunks(doc: Doc) -> Iterator[_Span]:
    return ((*_characters(doc, start, end), "NP") for start, end, _ in noun_chunks(doc))


def _characters(doc: Doc, start: int, end: int) -> tuple[int, int]:
    """Both documents have the same text, though not the same tokens."""
    return doc[start].idx, doc[end - 1].idx + len(doc[end - 1])


def _entities(example: Example, labels: set[str]) -> tuple[list[_Span], list[_Span]]:
    gold = example.reference
    unknown = {
        place
        for token in gold
        if not token.ent_iob
        for place in range(token.idx, token.idx + len(token))
    }
    wanted = [(*_characters(gold, e.start, e.end), e.label_) for e in gold.ents]
    read = example.predicted
    found = [
        (*_characters(read, e.start, e.end), e.label_) for e in read.ents if e.label_ in labels
    ]
    return wanted, [each for each in found if unknown.isdisjoint(range(each[0], each[1]))]


def _count_spans(pairs: Iterable[tuple[Iterable[_Span], Iterable[_Span]]]) -> dict[str, Counts]:
    """Counts per label of wanted and found spans."""
    right, wrong, missed = Counter[str](), Counter[str](), Counter[str]()
    for wanted, found in pairs:
        gold, answer = set(wanted), set(found)
        right.update(span[2] for span in gold & answer)
        wrong.update(span[2] for span in answer - gold)
        missed.update(span[2] for span in gold - answer)
    labels = sorted({*right, *wrong, *missed})
    return {each: Counts(right[each], wrong[each], missed[each]) for each in labels}


LAYERS: Mapping[str, tuple[str, ...]] = {
    "lemmas": ("parser", "ner"),
    "lemmas and trees": ("ner",),
    "entities": ("tok2vec", "tagger", "morphologizer", "parser", "trainable_lemmatizer"),
    "all": (),
}
"""What is wanted → the pipes that can rest."""

_LONGEST = 2000
_STATUS = Path("/proc/self/status")


def measure_footprint(pipeline: Path, data: Path) -> dict[str, float]:
    """Words per second for each of :data:`LAYERS`, and ``memory``: megabytes resident for all.

    One core, documents of 2,000 words from a treebank's test file, one at a time; tokenisation
    counts. Each layer is measured in a process of its own, so that nothing else counts.
    """
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        measured = {
            layer: pool.apply(_measure_speed, (pipeline, data, resting))
            for layer, resting in LAYERS.items()
        }
    speeds = {layer: speed for layer, (speed, _) in measured.items()}
    return {**speeds, "memory": measured["all"][1]}


def folder_size(folder: Path) -> int:
    """Bytes of all files of a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _measure_speed(pipeline: Path, data: Path, resting: Iterable[str]) -> tuple[float, float]:
    """Words per second and megabytes resident at most; the first document warms the caches."""
    nlp = spacy.load(pipeline, exclude=list(resting))
    sentences = read_conllu(data / "ud_english_ewt/test.conllu")
    golds = [annotated_document(nlp.vocab, group) for group in group_sentences(sentences, _LONGEST)]
    reading = nlp.pipe((as_in_use(nlp, gold) for gold in golds), batch_size=1)
    next(reading)
    started = time.perf_counter()
    words = sum(len(doc) for doc in reading)
    return words / (time.perf_counter() - started), _peak_memory()


def _peak_memory() -> float:
    """Megabytes resident at most, as Linux reports; getrusage would count the parent's as well."""
    if not _STATUS.exists():
        return float("nan")
    (line,) = (each for each in _STATUS.read_text().splitlines() if each.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024 / 1e6
