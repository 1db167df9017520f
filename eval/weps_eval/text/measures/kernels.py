"""The extended string subsequence kernel ESK, and texts compared by it sentence by sentence.

Hirao, Okumura and Isozaki 2005, sections 3.1 and 3.2. A sequence of nodes, words with their
attributes, is mapped to a vector with a component for every sequence of at most d attributes, one
attribute per node, nodes in order and gaps allowed. An occurrence weighs λ to the power of the
nodes that it skips between its first and its last, occurrences add up, and the kernel of two
sequences is the inner product of their vectors.

What equations 1 to 4 leave open is settled by the example of Table 1: a gap counts the skipped
nodes only, so that neighbours weigh λ⁰ = 1 (Lodhi et al. count the matched ones too); a node with
a word and a sense is still one node of a gap; and all lengths from 1 to d are added, unweighted.
For sequences without attributes equation 5 is 0 / 0: two of them score 1, and one of them scores 0
against any other sequence.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, count
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from scipy import sparse

from weps._files import word_list
from weps.errors import ValuesError
from weps_eval.stats.arrays import Floats, Ints
from weps_eval.stats.estimate import safe_divide
from weps_eval.text.declaration import (
    PART,
    Choice,
    Function,
    Need,
    Number,
    Switch,
    Texts,
    Whole,
    measure,
)
from weps_eval.text.testbed import Text
from weps_eval.text.topic import TopicTexts

Node: TypeAlias = frozenset[Hashable]
"""The attributes of one position: the word, and its word senses. One without attributes matches
nothing and still widens the gap between its neighbours."""
NodeSequence: TypeAlias = tuple[Node, ...]


def word_nodes(tokens: Iterable[str]) -> NodeSequence:
    """Nodes whose one attribute is the word: with them, the kernel is the paper's WSK.

    The paper puts WSK into equations 6 to 8 with the d and λ of ESK and does not define it again;
    Cancedda et al. (2003), whom it names, weigh the matched words too and take one length only.
    """
    return tuple(_node(token, ()) for token in tokens)


def sense_nodes(tokens: Sequence[str], senses: Sequence[Iterable[Hashable]]) -> NodeSequence:
    """Nodes whose attributes are the words of a sentence and their senses, none or several.

    A sense is never taken for the word of the same spelling; a sense named twice counts once.
    """
    return tuple(_node(token, tuple(group)) for token, group in zip(tokens, senses, strict=True))


@lru_cache(1 << 16)  # a word comes again and again, and a set is dear
def _node(word: str, senses: tuple[Hashable, ...]) -> Node:
    return frozenset((word, *((sense,) for sense in senses)))


class _Entries(NamedTuple):
    """Shape (entries,) each: a sequence of a batch, a place in it, an attribute found there."""

    sequence: Ints
    place: Ints
    attribute: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Incidence:
    """The nodes of many sequences, one sequence after the other, with numbered attributes."""

    lengths: Ints
    """Shape (sequences,): the nodes of each."""
    attributes: Any
    """Sparse CSR matrix of shape (nodes, attributes), 1.0 where a node has an attribute."""

    @classmethod
    def of(cls, sequences: Sequence[NodeSequence]) -> Incidence:
        """The nodes of these sequences; the same attributes get the same numbers throughout."""
        lengths = np.array([len(sequence) for sequence in sequences], dtype=np.int64)
        kinds: defaultdict[Node, int] = defaultdict(count().__next__)
        nodes = np.fromiter(map(kinds.__getitem__, chain.from_iterable(sequences)), np.int64)
        return cls(lengths, _attributes(list(kinds))[nodes])

    def common(self, first: Ints, second: Ints) -> Iterator[Floats]:
        """val(t, u) of the paper: how many attributes two nodes have in common.

        Sequences are given as numbers, shape (pairs,), at least one pair.

        Yields:
            For every place of the longest first sequence, shape (pairs, places of the longest
            second sequence); 0 where a sequence has ended. Each array overwrites the one before.
        """
        pairs = len(first)
        rows, columns = (int(self.lengths[side].max()) for side in (first, second))
        of_first, of_second = self._entries(first), self._entries(second)
        keys, width = self._keys(of_first, of_second)
        in_first, in_second = np.split(keys, [len(of_first.place)])
        left = _ones(of_first.place * pairs + of_first.sequence, in_first, (rows * pairs, width))
        cells = of_second.sequence * columns + of_second.place
        right = _ones(in_second, cells, (width, pairs * columns))
        found = np.zeros(pairs * columns)
        for row in range(rows):
            block = left[row * pairs : (row + 1) * pairs] @ right
            found.fill(0.0)
            found[block.indices] = block.data
            yield found.reshape(pairs, columns)

    def _entries(self, batch: Ints) -> _Entries:
        """Every attribute of every node of a batch of sequences."""
        lengths = self.lengths[batch]
        sequence = np.repeat(np.arange(len(batch)), lengths)
        place = np.arange(len(sequence)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        starts = (np.cumsum(self.lengths) - self.lengths)[batch]
        attributes = self.attributes[starts[sequence] + place]
        sizes = np.diff(attributes.indptr)
        return _Entries(np.repeat(sequence, sizes), np.repeat(place, sizes), attributes.indices)

    def _keys(self, *sides: _Entries) -> tuple[Ints, int]:
        """A number for each attribute of each pair, over all sides, and how many there are."""
        width = self.attributes.shape[1]
        pair_attributes = np.concatenate([side.sequence * width + side.attribute for side in sides])
        order = pair_attributes.argsort(kind="stable")  # quick, for they stand in order of pairs
        new = np.diff(pair_attributes[order], prepend=-1) > 0
        keys = np.empty_like(order)
        keys[order] = np.cumsum(new) - 1
        return keys, int(new.sum())


def _attributes(nodes: Sequence[Node]) -> Any:
    numbers: defaultdict[Hashable, int] = defaultdict(count().__next__)
    columns = np.fromiter(map(numbers.__getitem__, chain.from_iterable(nodes)), np.int64)
    rows = np.repeat(np.arange(len(nodes)), [len(node) for node in nodes])
    return _ones(rows, columns, (len(nodes), len(numbers)))


def _ones(rows: Ints, columns: Ints, shape: tuple[int, int]) -> Any:
    return sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=shape)


_CELLS = 1 << 15  # pairs times nodes kept at a time: a few such arrays fit in the processor's cache


@dataclass(frozen=True, slots=True)
class Kernel:
    """The parameters of the kernel; the defaults are those the paper does best with in Table 4.

    Raises:
        ValuesError: if a parameter is out of its range.
    """

    length: int = 2
    """d: subsequences of 1 to that many nodes are compared."""
    decay: float = 0.5
    """λ in [0, 1]: what a skipped node costs. 0 allows no gaps, 1 lets them cost nothing."""

    def __post_init__(self) -> None:
        if self.length < 1:
            raise ValuesError(f"subsequences of {self.length} nodes", remedy="choose 1 or more")
        if not 0 <= self.decay <= 1:
            raise ValuesError(f"a decay of {self.decay}", remedy="choose one from 0 to 1")


def kernel_values(sequences: Incidence, first: Ints, second: Ints, kernel: Kernel) -> Floats:
    """ESK of many pairs, equation 1, in O(d · n · m) for each, and memory for d · m numbers.

    Args:
        sequences: those compared.
        first: shape (pairs,), numbers of sequences.
        second: shape (pairs,), the sequences to compare them with.
        kernel: the parameters.

    Returns:
        Shape (pairs,), 0 without a common attribute; it does not depend on the other pairs.

    Raises:
        ValuesError: if there are too many subsequences to count in floating point.
    """
    values = np.zeros(len(first))
    for chosen, shorter, longer in _batches(sequences.lengths, first, second):
        shape = len(chosen), int(sequences.lengths[longer].max())
        values[chosen] = _inner_products(sequences.common(shorter, longer), shape, kernel)
    if not np.isfinite(values).all():
        what = f"subsequences of {kernel.length} nodes are too many to count"
        raise ValuesError(what, remedy="choose shorter ones or a smaller decay")
    return values


def _batches(lengths: Ints, first: Ints, second: Ints) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Pairs of similar length: their places, the shorter sequences, the longer; none empty."""
    swapped = lengths[first] > lengths[second]
    shorter, longer = np.where(swapped, (second, first), (first, second))
    order = np.lexsort((lengths[shorter], lengths[longer]))[::-1]
    order = order[lengths[shorter[order]] > 0]
    while len(order):
        size = max(1, _CELLS // int(lengths[longer[order[0]]]))
        chosen, order = order[:size], order[size:]
        yield chosen, shorter[chosen], longer[chosen]


def _inner_products(common: Iterable[Floats], shape: tuple[int, int], kernel: Kernel) -> Floats:
    """Equations 1 to 4, shape (pairs,), one node of the first sequences after the other.

    For each, ``common`` has val with the nodes of the second sequences, shape (pairs, nodes).
    """
    total = np.zeros(shape)
    ends = np.empty((kernel.length, *shape))  # K of every length: what ends with these two nodes
    gaps = np.zeros((kernel.length - 1, *shape))  # K″ of every length but the last
    with np.errstate(over="ignore", invalid="ignore"):  # the caller looks for what is not finite
        for val in common:
            ends[0] = val
            np.multiply(_along(gaps, kernel.decay), val, out=ends[1:])
            gaps *= kernel.decay
            gaps += ends[:-1]
            total += ends.sum(axis=0)
        return np.cumsum(total, axis=1)[:, -1]  # one by one: padding changes no digit


def _along(gaps: Floats, decay: float) -> Floats:
    """Equation 3, K′ from K″, along the nodes of the second sequences."""
    from scipy.signal import lfilter  # noqa: PLC0415 - half a second, which nothing else needs

    return np.asarray(lfilter([0.0, 1.0], [1.0, -decay], gaps))


def paired_similarities(
    first: Sequence[NodeSequence], second: Sequence[NodeSequence], kernel: Kernel
) -> Floats:
    """Sim_esk of each first sequence and the second in its place, shape (pairs,).

    Raises:
        ValuesError: if there are not as many of the one as of the other.
    """
    if len(first) != len(second):
        raise ValuesError(f"{len(first)} and {len(second)} sequences cannot be paired")
    sequences = _UniqueSequences.of((*first, *second))
    numbers = sequences.numbers
    return sequences.similarities(numbers[: len(first)], numbers[len(first) :], kernel)


def kernel_similarities(
    first: Sequence[NodeSequence], second: Sequence[NodeSequence], kernel: Kernel
) -> Floats:
    """Sim_esk of every first and every second sequence, shape (first, second)."""
    sequences = _UniqueSequences.of((*first, *second))
    rows, columns = np.split(sequences.numbers, [len(first)])
    row, column = (grid.ravel() for grid in np.meshgrid(rows, columns, indexing="ij"))
    return sequences.similarities(row, column, kernel).reshape(len(first), len(second))


@dataclass(frozen=True, slots=True, eq=False)
class _UniqueSequences:
    """Sequences of which many may be equal: each is compared once."""

    numbers: Ints
    """Shape (sequences,): which of the different ones each of them is."""
    incidence: Incidence
    """Numbers of the different texts."""

    @classmethod
    def of(cls, sequences: Iterable[NodeSequence]) -> _UniqueSequences:
        places: defaultdict[NodeSequence, int] = defaultdict(count().__next__)
        numbers = np.fromiter(map(places.__getitem__, sequences), np.int64)
        return cls(numbers, Incidence.of(list(places)))

    def similarities(self, first: Ints, second: Ints, kernel: Kernel) -> Floats:
        """Values of pairs of different texts, shape (pairs,)."""
        size = len(self.incidence.lengths)
        low, high = np.minimum(first, second), np.maximum(first, second)
        pairs, places = np.unique(low * size + high, return_inverse=True)
        low, high = pairs // size, pairs % size
        compared = kernel_values(self.incidence, low, high, kernel)
        every = np.arange(size)
        own = kernel_values(self.incidence, every, every, kernel)
        return _cosine(compared, own[low], own[high])[places]


def _cosine(compared: Floats, first: Floats, second: Floats) -> Floats:
    """Equation 5, without the product of two large numbers; of one sequence with itself, 1.

    The kernels of sequences with themselves, ``first`` and ``second``, are at least 1 or 0.
    """
    of_first = compared / np.maximum(first, 1.0)
    of_second = compared / np.maximum(second, 1.0)
    cosine: Floats = np.minimum(np.sqrt(of_first * of_second), 1.0)
    return np.where((first == 0) & (second == 0), 1.0, cosine)


TextNodes: TypeAlias = Sequence[NodeSequence]
"""The sentences of a text."""
_MOST_WORK = 16_000_000
"""Pairs of sentences of 20 words times lengths of subsequences that take about a minute."""


@dataclass(frozen=True, slots=True, eq=False)
class BestMatches:
    """How well sentences find a counterpart in the other text, in [0, 1]."""

    precision: Floats
    """P_esk, equation 6: mean over the output's sentences, shape (outputs, references)."""
    recall: Floats
    """R_esk, equation 7: mean over the reference's sentences, shape (outputs, references)."""

    def f(self, beta: float = 1.0) -> Floats:
        """F_esk, equation 8, shape (outputs, references); its mean over rows is equation 9.

        Recall weighs ``beta`` times as much as precision; infinite, F is recall. The paper finds 2
        and 3 best for summaries. Where both are 0, so is F.
        """
        share = 1 / (1 + beta * beta)
        mixed = share * self.recall + (1 - share) * self.precision
        product = self.precision * self.recall
        return safe_divide(product, mixed, 0)


def best_matches(
    outputs: Sequence[TextNodes], references: Sequence[TextNodes], kernel: Kernel
) -> BestMatches:
    """Compare every output with every reference; each sentence counts with its best match.

    Sentences without attributes are left out. The paper does not state what a text without
    sentences scores: 0 against another that has some, and 1 against one that has none either.

    Raises:
        ValuesError: if two texts have so many sentences that it would take minutes.
    """
    peers, models = (
        [[sentence for sentence in text if any(sentence)] for text in texts]
        for texts in (outputs, references)
    )
    peer, model = (max(map(len, texts), default=0) for texts in (peers, models))
    if peer * model * kernel.length > _MOST_WORK:
        what = f"string kernels of {peer:,} and {model:,} sentences would take too long"
        remedy = "compare shorter texts, or choose shorter subsequences"
        raise ValuesError(what, remedy=remedy)
    table = kernel_similarities(list(chain(*peers)), list(chain(*models)), kernel)
    scores = np.empty((2, len(peers), len(models)))
    for row, strip in enumerate(np.split(table, _ends(peers), axis=0)[:-1]):
        for column, block in enumerate(np.split(strip, _ends(models), axis=1)[:-1]):
            scores[:, row, column] = _of_texts(block)
    return BestMatches(*scores)


def _ends(texts: Sequence[TextNodes]) -> Ints:
    return np.cumsum([len(text) for text in texts], dtype=np.int64)


def _of_texts(block: Floats) -> tuple[float, float]:
    """Precision and recall from similarities of shape (output's, reference's sentences)."""
    if block.size == 0:
        same = float(block.shape == (0, 0))
        return same, same
    return float(block.max(axis=1).mean()), float(block.max(axis=0).mean())


def _declare(
    name: str,
    description: str,
    attributes: str,
    *,
    needs: Iterable[Need] = (),
    **own: Any,
) -> Callable[[Function], Function]:
    return measure(
        "kernel",
        description,
        formula="similarity of two sentences = ESK(t, u) / √(ESK(t, t) · ESK(u, u)); ESK is the "
        "sum of decay to the power of the words skipped in t and in u, over all common "
        f"subsequences of 1 to length words; {attributes}; recall is the mean over the "
        "reference's sentences of the highest similarity with a sentence of the output, "
        "precision the same with the texts swapped; "
        "f = (1 + β²) · recall · precision / (recall + β² · precision)",
        source="Hirao, Okumura and Isozaki 2005, Kernel-based approach for automatic evaluation of "
        "natural language generation technologies, sections 3.1 to 3.3 (equations 1 to 9) and 4.3",
        name=name,
        read=None,
        needs=needs,
        length=Whole(2, 1, 100, "maximum number of words of a subsequence"),
        decay=Number(0.5, 0, 1, "factor for each word skipped between two others"),
        part=PART,
        beta=Number(3.0, 0, 100, "weight of recall relative to precision in f"),
        stop=Switch("leave out English stop words"),
        **own,
    )


@_declare(
    "wsk",
    "subsequences of words in common, best sentence by sentence",
    "words match by their lower-case form",
)
def compare_words(
    topic_texts: TopicTexts, outputs: Texts, references: Texts, *, stop: bool, **values: Any
) -> Floats:
    """The kernel of words, shape (outputs, references)."""

    def nodes(text: Text) -> TextNodes:
        return [word_nodes(sentence) for sentence in topic_texts.plain_words(text, stop=stop)]

    return _compare(topic_texts, outputs, references, nodes, ("words", stop), **values)


@_declare(
    "esk",
    "subsequences of words and word senses in common, best sentence by sentence",
    "words match by their lower-case form or by a sense; nouns, verbs, adjectives, adverbs, "
    "numerals and foreign words have the senses that WordNet lists for their form and part of "
    "speech (the paper does not state whether it disambiguates senses)",
    needs=(Need.TAGS, Need.WORDNET),
    senses=Choice(("all", "first"), "all senses of a word, or the most frequent one"),
)
def compare_senses(
    topic_texts: TopicTexts,
    outputs: Texts,
    references: Texts,
    *,
    stop: bool,
    senses: str,
    **values: Any,
) -> Floats:
    """The kernel of words and senses, shape (outputs, references)."""
    from weps_eval.text.measures.senses import sense_words  # noqa: PLC0415 - the other does without
    from weps_eval.text.wordnet import senses_of  # noqa: PLC0415

    dropped = word_list("stopwords/english.txt") if stop else frozenset()
    most = 1 if senses == "first" else None

    def nodes(text: Text) -> TextNodes:
        wordnet, sentences = topic_texts.tools.words(), []
        for sentence in topic_texts.tagged_words(text):
            tagged = ((word.form, word.tag) for word in sentence)
            words = [word for word in sense_words(tagged) if word.form not in dropped]
            found = (
                senses_of(word.form, wordnet, word.part) if word.open else () for word in words
            )
            sentences.append(sense_nodes([w.form for w in words], [each[:most] for each in found]))
        return sentences

    return _compare(topic_texts, outputs, references, nodes, ("senses", stop, senses), **values)


def _compare(  # noqa: PLR0913 - texts and parameters
    topic_texts: TopicTexts,
    outputs: Texts,
    references: Texts,
    nodes: Callable[[Text], TextNodes],
    kind: tuple[Hashable, ...],
    *,
    length: int,
    decay: float,
    part: str,
    beta: float,
) -> Floats:
    """Texts compared by the nodes of their sentences."""
    kernel = Kernel(length, decay)
    matches = topic_texts.cached(
        (kind, kernel, tuple(outputs), tuple(references)),
        lambda: best_matches(list(map(nodes, outputs)), list(map(nodes, references)), kernel),
    )
    return matches.f(beta) if part == "f" else np.asarray(getattr(matches, part))
