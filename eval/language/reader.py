"""How spaCy reads the training files: tokens and sentence starts as they will be in use.

In use, a splitter of our own gives the sentences, each is tokenised by itself, and the parser and
the recogniser find sentence starts preset. They must learn under the same conditions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.training import Example
from spacy.util import registry

__all__ = ["as_in_use", "examples_of", "sentence_reader"]


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
