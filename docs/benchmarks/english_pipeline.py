"""The English pipeline of ``resources/language``, made again from annotated corpora.

``python -m docs.benchmarks.english_pipeline DATA FOLDER [--steps N]`` trains both parts side by
side, writes the pipeline with its accuracies to ``FOLDER/weps_en``, and prints the figures of the
model card, ``resources/language/README.md``. It runs in the root of the project; training takes an
hour on two cores, ``--steps 20`` shows in a few minutes that all is there.

Files are read with tokens and sentence starts as they will be in use: weps splits the sentences,
each is tokenised by itself, and parser and recogniser find sentence starts preset. They must be
trained under the same conditions.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import spacy
import srsly
from spacy.lang.norm_exceptions import BASE_NORMS
from spacy.language import Language
from spacy.scorer import Scorer
from spacy.symbols import IDS
from spacy.tokens import Doc, DocBin
from spacy.training import Example
from spacy.util import registry
from spacy.vocab import Vocab

from docs.benchmarks.english_corpora import (
    RECIPE,
    Corpora,
    Sentence,
    entity_corpora,
    entity_tests,
    read_conllu,
    recased,
    syntax_corpora,
)
from weps._files import resource_path
from weps._formatting import markdown_table
from weps.language.spacy_pipeline import noun_chunks

SHIPPED = resource_path("language/weps_en")
SYNTAX = {
    "tags": ("Penn tags", "tag_acc"),
    "upos": ("universal tags", "pos_acc"),
    "lemmas": ("lemmas", "lemma_acc"),
    "uas": ("UAS", "dep_uas"),
    "las": ("LAS", "dep_las"),
    "noun_chunks": ("noun chunks F1", ""),
}
"""Figure → its title in the card, and spaCy's name of it."""
TYPES = ("PERSON", "LOCATION", "ORGANISATION", "EVENT", "PRODUCT", "micro")
LAYERS: Mapping[str, tuple[str, ...]] = {
    "lemmas": ("parser", "ner"),
    "lemmas and trees": ("ner",),
    "entities": ("tok2vec", "tagger", "morphologizer", "parser", "trainable_lemmatizer"),
    "all": (),
}
"""Layers that are wanted → the pipes that can rest."""
Spans = set[tuple[int, int, str]]
"""Start and end in characters, and label; documents of one text may differ in their tokens."""


# Documents


def annotated_document(vocab: Vocab, sentences: Sequence[Sentence]) -> Doc:
    """One document with the layers that all its sentences have."""

    def layer(name: str) -> list[Any] | None:
        return list(chain.from_iterable(getattr(each, name) for each in sentences)) or None

    offsets = [
        sum(len(each.words) for each in sentences[:index]) for index in range(len(sentences))
    ]
    heads = [
        offset + head
        for offset, each in zip(offsets, sentences, strict=True)
        for head in each.heads
    ]
    starts = [index == 0 for each in sentences for index in range(len(each.words))]
    return Doc(
        vocab,
        words=layer("words"),
        spaces=list(chain.from_iterable((*each.spaces[:-1], True) for each in sentences)),
        tags=layer("tags"),
        pos=layer("pos"),
        lemmas=layer("lemmas"),
        heads=heads or None,
        deps=layer("deps"),
        ents=layer("entities"),
        sent_starts=None if heads else starts,  # heads imply them
    )


def group_sentences(sentences: Iterable[Sentence], size: int = 120) -> Iterator[list[Sentence]]:
    """Neighbouring sentences in groups of about ``size`` words, so that windows see across."""
    group: list[Sentence] = []
    for sentence in sentences:
        group.append(sentence)
        if sum(len(member.words) for member in group) >= size:
            yield group
            group = []
    if group:
        yield group


def write_documents(corpora: Iterable[Sequence[Sentence]], path: Path) -> None:
    """Write the sentences of some corpora to a file, in documents."""
    vocab = spacy.blank("en").vocab
    path.parent.mkdir(parents=True, exist_ok=True)
    groups = chain.from_iterable(map(group_sentences, corpora))
    DocBin(docs=[annotated_document(vocab, group) for group in groups]).to_disk(path)


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


@registry.readers("weps.sentence_reader.v1")  # named by the configurations of the recipe
def sentence_reader(path: Path) -> Callable[[Language], Iterator[Example]]:
    """The examples of a file of documents, each gold one beside what the pipeline is given."""

    def examples(nlp: Language) -> Iterator[Example]:
        for gold in DocBin().from_disk(path).get_docs(nlp.vocab):
            yield Example(as_in_use(nlp, gold), gold)

    return examples


# Training


def write_corpora(data: Path, work: Path) -> dict[str, Corpora]:
    """Write ``PART/train.spacy`` and ``PART/dev.spacy``; part → what it is trained on."""
    syntax = syntax_corpora(data, "train")
    write_documents(syntax.values(), work / "syntax/train.spacy")
    write_documents([chain(*syntax_corpora(data, "dev").values())], work / "syntax/dev.spacy")
    entities, selecting = entity_corpora(data)
    cased = [[*sentences, *recased(sentences)] for sentences in entities.values()]
    write_documents(cased, work / "entities/train.spacy")
    write_documents([chain(*selecting.values())], work / "entities/dev.spacy")
    return {"syntax": syntax, "entities": entities}


def train(part: str, work: Path, steps: int | None) -> subprocess.Popen[bytes]:
    """Begin to train a part by ``recipe/PART.cfg``, in a process of its own with a core of its own.

    The best pipeline so far is ``work/PART/model-best`` from the first evaluation on, so a stop
    loses nothing.
    """
    options = {f"paths.{name}": f"{work / part / name}.spacy" for name in ("train", "dev")}
    if steps:
        options |= {"training.max_steps": steps, "training.eval_frequency": max(1, steps // 2)}
    words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
    command = [sys.executable, "-m", "spacy", "train", str(RECIPE / f"{part}.cfg")]
    command += ["--code", __file__, "--output", str(work / part), *words]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
    return subprocess.Popen(command, env=environment)  # noqa: S603 - our own words


def assemble(work: Path) -> Language:
    """One pipeline of both parts; the recogniser brings its own embedding and needs no other."""
    nlp = spacy.load(work / "syntax/model-best")
    nlp.add_pipe("ner", source=spacy.load(work / "entities/model-best"))
    for section in ("training", "corpora", "paths", "initialize"):
        nlp.config[section] = {}  # they name files and readers that users do not have
    return nlp


def save(nlp: Language, folder: Path, performance: Mapping[str, Mapping[str, float]]) -> None:
    """Write the pipeline, described as the shipped one, without the words of its training data."""
    nlp.meta.update(json.loads((SHIPPED / "meta.json").read_text("utf-8")))
    nlp.meta["performance"] = performance
    nlp.to_disk(folder)
    lexemes = {"norms": BASE_NORMS, "symbols": {name: key for name, key in IDS.items() if name}}
    (folder / "lexemes.json").write_text(json.dumps(lexemes, indent=0) + "\n", "utf-8")
    strings = set(spacy.blank("en").vocab.strings)
    for label in chain.from_iterable(nlp.pipe_labels.values()):
        strings |= {label, *label.split("=")}  # POS=NOUN is spelt from its parts
    lemmatizer: Any = nlp.get_pipe("trainable_lemmatizer")
    for tree in srsly.msgpack_loads(lemmatizer.trees.to_bytes())["trees"]:
        strings |= {nlp.vocab.strings[tree[key]] for key in ("orig", "subst") if key in tree}
    srsly.write_json(folder / "vocab/strings.json", sorted(strings))


# Accuracy and cost


def read_gold(nlp: Language, sentences: Iterable[Sentence]) -> list[Example]:
    """Gold documents beside what the pipeline makes of their text."""
    golds = [annotated_document(nlp.vocab, group) for group in group_sentences(sentences)]
    read = nlp.pipe((as_in_use(nlp, gold) for gold in golds), batch_size=64)
    return [Example(doc, gold) for doc, gold in zip(read, golds, strict=True)]


def syntax_accuracy(nlp: Language, sentences: Iterable[Sentence]) -> dict[str, float]:
    """Accuracy of tags and lemmas, UAS and LAS, F1 of noun chunks, from 0 to 1.

    Attachment scores leave punctuation out, as spaCy does. Noun chunks are those of the predicted
    trees against those of the gold trees.
    """
    pipes = ("tagger", "morphologizer", "parser", "trainable_lemmatizer")
    examples = read_gold(nlp, sentences)
    scores = Scorer(default_lang="en", default_pipeline=pipes).score(examples)
    chunks = accuracy((_chunks(each.reference), _chunks(each.predicted)) for each in examples)
    figures = {name: scores[key] for name, (_, key) in SYNTAX.items() if key}
    return {**figures, "noun_chunks": chunks["micro"][2]}


def entity_accuracy(
    nlp: Language, sentences: Sequence[Sentence]
) -> dict[str, tuple[float, float, float]]:
    """Precision, recall and F1 per type and over all (``micro``), exact bounds and type.

    Only types that the sentences annotate count; entities where the annotation is missing are
    neither right nor wrong.
    """
    labels = {tag[2:] for each in sentences for tag in each.entities if len(tag) > 1}
    return accuracy(_entities(each, labels) for each in read_gold(nlp, sentences))


def accuracy(pairs: Iterable[tuple[Spans, Spans]]) -> dict[str, tuple[float, float, float]]:
    """Precision, recall and F1 per label and over all (``micro``) of gold and predicted spans."""
    right, predicted, gold = Counter[str](), Counter[str](), Counter[str]()
    for wanted, answered in pairs:
        for counter, spans in ((gold, wanted), (predicted, answered), (right, wanted & answered)):
            counter.update(name for *_, label in spans for name in (label, "micro"))
    return {
        label: (
            right[label] / max(1, predicted[label]),
            right[label] / max(1, gold[label]),
            2 * right[label] / max(1, predicted[label] + gold[label]),
        )
        for label in sorted({*predicted, *gold, "micro"})
    }


def _chunks(doc: Doc) -> Spans:
    return {_span(doc, start, end, "NP") for start, end, _ in noun_chunks(doc)}


def _span(doc: Doc, start: int, end: int, label: str) -> tuple[int, int, str]:
    return doc[start].idx, doc[end - 1].idx + len(doc[end - 1]), label


def _entities(example: Example, labels: set[str]) -> tuple[Spans, Spans]:
    gold, read = example.reference, example.predicted
    unknown: set[int] = set()
    for token in gold:
        if not token.ent_iob:
            unknown.update(range(token.idx, token.idx + len(token)))
    wanted = {_span(gold, each.start, each.end, each.label_) for each in gold.ents}
    spans = {_span(read, each.start, each.end, each.label_) for each in read.ents}
    return wanted, {
        span for span in spans if span[2] in labels and unknown.isdisjoint(range(*span[:2]))
    }


def measure_cost(pipeline: Path, data: Path, resting: Sequence[str]) -> tuple[float, float]:
    """Words per second and megabytes resident at most (Linux only).

    Documents of 2,000 words from a treebank's test file, one at a time; tokenisation counts, the
    first document warms the caches.
    """
    nlp = spacy.load(pipeline, exclude=list(resting))
    sentences = read_conllu(data / "ud_english_ewt/test.conllu")
    golds = [annotated_document(nlp.vocab, group) for group in group_sentences(sentences, 2000)]
    reading = nlp.pipe((as_in_use(nlp, gold) for gold in golds), batch_size=1)
    next(reading)
    started = time.perf_counter()
    speed = sum(map(len, reading)) / (time.perf_counter() - started)
    # getrusage would count the parent's memory as well
    status = Path("/proc/self/status").read_text().splitlines()
    (line,) = (line for line in status if line.startswith("VmHWM:"))
    return speed, int(line.split()[1]) * 1024 / 1e6


# Command


def main() -> None:
    """Convert, train, assemble, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", metavar="DATA", type=Path)
    parser.add_argument("folder", metavar="FOLDER", type=Path)
    parser.add_argument("--steps", type=int, metavar="N")
    options = parser.parse_args()
    data, folder, work = options.data, options.folder / "weps_en", options.folder / "work"
    corpora = write_corpora(data, work)
    tests = syntax_corpora(data, "test"), entity_tests(data)
    trainings = [train(part, work, options.steps) for part in corpora]
    if any(training.wait() for training in trainings):
        sys.exit("a training stopped")
    nlp = assemble(work)
    syntax = {name: syntax_accuracy(nlp, sentences) for name, sentences in tests[0].items()}
    entities = {name: entity_accuracy(nlp, sentences) for name, sentences in tests[1].items()}
    f1 = {
        f"{name} entities": {label: scores[2] for label, scores in figures.items()}
        for name, figures in entities.items()
    }
    performance = {
        name: {figure: round(value, 4) for figure, value in figures.items()}
        for name, figures in (syntax | f1).items()
    }
    save(nlp, folder, performance)
    shutil.rmtree(work)
    # Each in a process of its own, so that nothing else counts.
    with ProcessPoolExecutor(1, get_context("spawn"), max_tasks_per_child=1) as pool:
        costs = dict(
            zip(LAYERS, pool.map(partial(measure_cost, folder, data), LAYERS.values()), strict=True)
        )
    print_card(syntax, entities, costs)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"\n{size / 1e6:.1f} MB on disk; {costs['all'][1]:,.0f} MB resident.\n")
    for part, sources in corpora.items():
        words = {name: sum(len(each.words) for each in kept) for name, kept in sources.items()}
        counts = "; ".join(f"{name} {count:,}" for name, count in words.items())
        print(f"- *{part}* (`recipe/{part}.cfg`): {sum(words.values()):,} words. {counts}.")


def print_card(
    syntax: Mapping[str, Mapping[str, float]],
    entities: Mapping[str, Mapping[str, tuple[float, float, float]]],
    costs: Mapping[str, tuple[float, float]],
) -> None:
    """Print the tables of the model card: accuracy of both parts, and speed."""
    rows = [[name, *(f"{scores[key]:.3f}" for key in SYNTAX)] for name, scores in syntax.items()]
    print("\n".join(markdown_table([["", *(title for title, _ in SYNTAX.values())], *rows])), "\n")
    rows = [
        [
            name,
            *(
                "{:.2f} / {:.2f} / **{:.3f}**".format(*scores[kind]) if kind in scores else "–"
                for kind in TYPES
            ),
        ]
        for name, scores in entities.items()
    ]
    print("\n".join(markdown_table([["", *map(str.lower, TYPES)], *rows])), "\n")
    rows = [[layer, f"{speed:,.0f}"] for layer, (speed, _) in costs.items()]
    print("\n".join(markdown_table([["wanted", "words per second, one core"], *rows])))


if __name__ == "__main__":
    main()
