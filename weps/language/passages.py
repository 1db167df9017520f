"""Sentences to spaCy documents of bounded size, none of which holds more than one page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

__all__ = ["passages"]

_LONGEST_PASSAGE = 2_000
"""Tokens: memory follows the longest document."""
_LONGEST_SENTENCE = 1_000
"""Tokens; a longer one is a table or a list, and is read in pieces."""
_PIECE = 500
_UNBROKEN = re.compile(r"(\S{500})(?=\S)")
"""The tokeniser takes quadratic time for long text without a blank."""

_Piece = tuple[int, list[str], list[bool]]
"""Sentence, words, and whether a blank follows each."""


def passages(sentences: Sequence[str], nlp: Language) -> Iterator[tuple[Doc, list[int]]]:
    """The sentences of a page as documents, sentence starts preset for every token.

    Args:
        sentences: text of each; empty ones are passed over.
        nlp: the pipeline whose tokeniser and vocabulary to use.

    Yields:
        A document, and for each of its tokens the number of its sentence in ``sentences``.
    """
    gathered: list[_Piece] = []
    size = 0
    for piece in _pieces(sentences, nlp):
        if gathered and size + len(piece[1]) > _LONGEST_PASSAGE:
            yield _passage(gathered, nlp)
            gathered, size = [], 0
        gathered.append(piece)
        size += len(piece[1])
    if gathered:
        yield _passage(gathered, nlp)


def _pieces(sentences: Sequence[str], nlp: Language) -> Iterator[_Piece]:
    for number, sentence in enumerate(sentences):
        tokens = nlp.tokenizer(_tame(sentence))
        words = [token.text for token in tokens]
        blanks = [bool(token.whitespace_) for token in tokens[:-1]] + [True]
        step = _PIECE if len(words) > _LONGEST_SENTENCE else _LONGEST_SENTENCE
        for begin in range(0, len(words), step):
            yield number, words[begin : begin + step], blanks[begin : begin + step]


def _tame(text: str) -> str:
    """The text without lone surrogates, white space folded, long runs broken up."""
    encodable = text.encode("utf-8", "replace").decode()
    return _UNBROKEN.sub(r"\1 ", " ".join(encodable.split()))


def _passage(pieces: list[_Piece], nlp: Language) -> tuple[Doc, list[int]]:
    from spacy.tokens import Doc  # noqa: PLC0415 - half a second that only language layers need

    document = Doc(
        nlp.vocab,
        words=[word for _, words, _ in pieces for word in words],
        spaces=[blank for _, _, blanks in pieces for blank in blanks],
        sent_starts=[at == 0 for _, words, _ in pieces for at in range(len(words))],
    )
    return document, [number for number, words, _ in pieces for _ in words]
