"""Sentences tagged by hand, and analyses made of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from hypothesis import strategies as st

from tests.weps.builders import document
from weps.language.analysis import Analysis, Layer, Marks, analyse_documents
from weps_eval.key_terms.syntax import ChunkKind, _chunk_spans, _class_letter

Sentence = Sequence[tuple[str, str]]
"""Word and tag of each token."""

TAGS = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split()
_WORDS = "Haiti haiti talks that who to 's - , . ; her Baker the of doing having 1,000 U.S.".split()

sentences = st.lists(st.tuples(st.sampled_from(_WORDS), st.sampled_from(TAGS)), max_size=12)
documents = st.lists(sentences, max_size=4)


def tagged(line: str) -> list[tuple[str, str]]:
    """``Haiti/PROPN fell/VERB`` → words and tags."""
    pairs = (token.rsplit("/", 1) for token in line.split())
    return [(word, tag) for word, tag in pairs]


def analysis_of(*documents: Sequence[Sentence], name: str = "Thomas Baker") -> Analysis:
    """An analysis with tags; every sentence stands in a block of its own."""
    flat = [sentence for each in documents for sentence in each]
    marks = Marks.of((at, *pair) for at, sentence in enumerate(flat) for pair in sentence)
    blocks = [document(*("word" for _ in each)) for each in documents]
    return analyse_documents(name, blocks, {Layer.TAGS: marks})


class Chunk(NamedTuple):
    """Words ``start`` to ``end``, the latter excluded, of a sentence."""

    kind: ChunkKind
    start: int
    end: int


def chunk_sentence(sentence):
    """The chunks of tagged words."""
    letters = "".join(_class_letter(word, tag) for word, tag in sentence)
    return [Chunk(*each) for each in _chunk_spans(letters)]
