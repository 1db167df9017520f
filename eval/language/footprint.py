"""What the pipeline costs: words per second by layer, memory, and size on disk."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from eval.language.corpora import trees
from eval.language.sentences import annotated, grouped

__all__ = ["LAYERS", "footprint", "size"]

LAYERS: Mapping[str, tuple[str, ...]] = {
    "lemmas": ("parser", "ner"),
    "lemmas and trees": ("ner",),
    "entities": ("tok2vec", "tagger", "morphologizer", "parser", "trainable_lemmatizer"),
    "all": (),
}
"""What is wanted → the pipes that can rest."""

_LONGEST = 2000
_STATUS = Path("/proc/self/status")


def footprint(pipeline: Path, data: Path) -> dict[str, float]:
    """Words per second for each of :data:`LAYERS`, and ``memory``: megabytes resident for all.

    One core, documents of 2,000 words from a treebank's test file, one at a time; tokenisation
    counts. Each layer is measured in a process of its own, so that nothing else counts.
    """
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        measured = {
            layer: pool.apply(_measured, (pipeline, data, resting))
            for layer, resting in LAYERS.items()
        }
    speeds = {layer: speed for layer, (speed, _) in measured.items()}
    return {**speeds, "memory": measured["all"][1]}


def size(folder: Path) -> int:
    """Bytes of all files of a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _measured(pipeline: Path, data: Path, resting: Iterable[str]) -> tuple[float, float]:
    """Words per second and megabytes resident at most."""
    words, seconds = _timed(pipeline, data, resting)
    return words / seconds, _peak()


def _peak() -> float:
    """Megabytes resident at most, as Linux tells; getrusage would count the parent's as well."""
    if not _STATUS.exists():
        return float("nan")
    (line,) = (each for each in _STATUS.read_text().splitlines() if each.startswith("VmHWM:"))
    return int(line.split()[1]) * 1024 / 1e6


def _timed(pipeline: Path, data: Path, resting: Iterable[str]) -> tuple[int, float]:
    """Words read and the seconds it took, the first document left out: it warms the caches."""
    import spacy  # noqa: PLC0415 - importing spaCy takes half a second

    from eval.language.reader import as_in_use  # noqa: PLC0415

    nlp = spacy.load(pipeline, exclude=list(resting))
    sentences = trees(data, "ud_english_ewt/test.conllu")
    golds = [annotated(nlp.vocab, group) for group in grouped(sentences, _LONGEST)]
    reading = nlp.pipe((as_in_use(nlp, gold) for gold in golds), batch_size=1)
    next(reading)
    started = time.perf_counter()
    words = sum(len(doc) for doc in reading)
    return words, time.perf_counter() - started
