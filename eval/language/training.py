"""Training of the two parts of the pipeline, each in its own process, and their assembly.

The training files are read with tokens and sentence starts as they will be in use: our splitter
gives the sentences, each is tokenised by itself, and the parser and the recogniser find sentence
starts preset. They must be trained under the same conditions.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.training import Example
from spacy.util import registry

from weps._files import resource_path
from weps.errors import OutputError

if TYPE_CHECKING:
    from thinc.api import Config

__all__ = [
    "PIPELINE_PARTS",
    "as_in_use",
    "assemble_pipeline",
    "examples_of",
    "recipe_settings",
    "save_pipeline",
    "sentence_reader",
    "train_part",
    "train_parts",
]

PIPELINE_NAME = "weps_en"


def assemble_pipeline(parts: Mapping[str, Path]) -> Language:
    """One pipeline of both parts; the recogniser brings its own embedding and needs no other.

    Args:
        parts: where the trained pipelines ``syntax`` and ``entities`` are.
    """
    import spacy  # noqa: PLC0415 - importing spaCy takes half a second

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
    import spacy  # noqa: PLC0415 - importing spaCy takes half a second
    import srsly  # type: ignore[import-untyped] # noqa: PLC0415

    yield from spacy.blank("en").vocab.strings
    for labels in nlp.pipe_labels.values():
        yield from labels
        for label in labels:  # POS=NOUN is spelt from its parts
            yield from label.split("=")
    lemmatizer: Any = nlp.get_pipe("trainable_lemmatizer")
    for tree in srsly.msgpack_loads(lemmatizer.trees.to_bytes())["trees"]:
        yield from (nlp.vocab.strings[tree[key]] for key in ("orig", "subst") if key in tree)


def sentence_reader(path: Path) -> Callable[[Language], Iterable[Example]]:
    """The examples of a file of documents, for ``[corpora]`` of a training configuration."""
    return lambda nlp: examples_of(nlp, path)


registry.readers.register("weps.sentence_reader.v1", func=sentence_reader)


def examples_of(nlp: Language, path: Path) -> Iterator[Example]:
    """Each gold document beside the document that the pipeline would be given."""
    for gold in DocBin().from_disk(path).get_docs(nlp.vocab):
        yield Example(as_in_use(nlp, gold), gold)


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


PIPELINE_PARTS = ("syntax", "entities")
_BEST = "model-best"


def train_part(part: str, work: Path, steps: int | None = None) -> None:
    """Train a part by ``recipe/PART.cfg`` on ``work/PART/*.spacy``.

    The best pipeline so far stands in ``work/PART/model-best`` from the first evaluation on, so
    that a stop loses nothing.

    Args:
        part: one of :data:`PIPELINE_PARTS`.
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
        for part in PIPELINE_PARTS:
            running.append(_start(part, work, steps))
            if jobs == 1:
                running[-1].wait()
        failed = [part for part, each in zip(PIPELINE_PARTS, running, strict=True) if each.wait()]
    finally:
        for each in running:
            each.terminate()  # after an interrupt; those that have ended are not touched
    if failed:
        raise OutputError(
            f"training of {' and '.join(failed)} stopped", where=work, remedy="see the logs there"
        )
    return {part: work / part / _BEST for part in PIPELINE_PARTS}


def recipe_settings(steps: int | None = None) -> dict[str, str]:
    """What the card reports of the recipes."""
    recipes = {part: _recipe(part, steps, {}) for part in PIPELINE_PARTS}
    return {
        "steps": ", ".join(f"{p} {each['training']['max_steps']}" for p, each in recipes.items()),
        "seeds": ", ".join(f"{p} {each['system']['seed']}" for p, each in recipes.items()),
    }


def _recipe(part: str, steps: int | None, changes: dict[str, Any]) -> Config:
    from spacy.util import load_config  # noqa: PLC0415 - importing spaCy takes half a second

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
