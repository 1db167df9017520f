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
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from itertools import chain, count
from math import prod
from typing import Any, TypeAlias

import numpy as np
from scipy import sparse

from weps._files import word_list
from weps.errors import ValuesError
from weps_eval.stats import Floats, Ints, safe_divide
from weps_eval.text import testbed, topic
from weps_eval.text.declaration import (
    PART,
    Function,
    Need,
    Texts,
    measure,
    one_of,
    real_number,
    true_or_false,
    whole_number,
)

Node: TypeAlias = frozenset[Hashable]
"""The attributes of one position: the word, and its word senses. One without attributes matches
nothing and still widens the gap between its neighbours."""
NodeSequence: TypeAlias = tuple[Node, ...]


@lru_cache(1 << 16)  # a word comes again and again, and a set is dear
def sense_node(word: str, senses: tuple[Hashable, ...] = ()) -> Node:
    """The node of a word and its senses, none or several.

    A sense is never taken for the word of the same spelling; a sense named twice counts once. With
    words alone the kernel is the paper's WSK. The paper puts WSK into equations 6 to 8 with the d
    and λ of ESK and does not define it again; Cancedda et al. (2003), whom it names, weigh the
    matched words too and take one length only.
    """
    return frozenset((word, *((sense,) for sense in senses)))


_CELLS = 1 << 15  # pairs times nodes kept at a time: a few such arrays fit in the processor's cache


def _kernel_values(
    sequences: Sequence[NodeSequence], first: Ints, second: Ints, length: int, decay: float
) -> Floats:
    """ESK of many pairs, equations 1 to 4, in O(d · n · m) for each, and memory for d · m numbers.

    Args:
        sequences: those compared.
        first: shape (pairs,), numbers of sequences.
        second: shape (pairs,), the sequences to compare them with.
        length: d, at least 1: subsequences of 1 to that many nodes are compared.
        decay: λ in [0, 1]: what a skipped node costs. 0 allows no gaps, 1 lets them cost nothing.

    Returns:
        Shape (pairs,), 0 without a common attribute; it does not depend on the other pairs.
    """
    from scipy.signal import lfilter  # noqa: PLC0415 - half a second, which nothing else needs

    # Kinds of nodes and attributes are numbered; 0 is a node without attributes, the last one.
    kinds, numbers = (defaultdict[Any, int](count().__next__) for _ in range(2))
    ends_with_nothing = chain([frozenset()], *sequences, [frozenset()])
    nodes = np.array([kinds[node] for node in ends_with_nothing][1:], dtype=np.int64)
    columns = [numbers[attribute] for attribute in chain.from_iterable(kinds)]
    rows = np.repeat(np.arange(len(kinds)), [len(node) for node in kinds])
    attributes = sparse.csr_matrix(
        (np.ones(len(rows)), (rows, columns)), shape=(len(kinds), max(1, len(numbers)))
    )
    lengths = np.array([len(sequence) for sequence in sequences], dtype=np.int64)
    starts = np.cumsum(lengths) - lengths

    def padded(batch: Ints) -> tuple[Any, Ints]:
        """Attributes of the kinds of nodes in a batch, and shape (batch, longest), the kinds."""
        places = np.arange(lengths[batch].max())
        inside = places < lengths[batch, np.newaxis]
        found = nodes[np.where(inside, starts[batch, np.newaxis] + places, -1)]
        used, kind = np.unique(found, return_inverse=True)
        return attributes[used], kind.reshape(found.shape)

    values = np.zeros(len(first))
    shorter, longer = np.where(lengths[first] > lengths[second], (second, first), (first, second))
    order = np.lexsort((lengths[shorter], lengths[longer]))[::-1]
    order = order[lengths[shorter[order]] > 0]
    while len(order):  # pairs of similar length together
        most = int(lengths[longer[order[0]]])
        batch, order = np.split(order, [max(1, _CELLS // most)])
        (ours, ours_at), (theirs, theirs_at) = padded(shorter[batch]), padded(longer[batch])
        # val(t, u) of the paper: how many attributes two nodes have in common.
        common = (ours @ theirs.T).toarray()
        total = np.zeros(theirs_at.shape)
        ends = np.empty((length, *total.shape))  # K of every length: what ends with these two nodes
        gaps = np.zeros((length - 1, *total.shape))  # K″ of every length but the last
        with np.errstate(over="ignore", invalid="ignore"):  # infinite ones are refused below
            for node in ours_at.T:
                ends[0] = val = common[node[:, np.newaxis], theirs_at]
                # Equation 3, K′ from K″, along the nodes of the second sequences.
                np.multiply(lfilter([0.0, 1.0], [1.0, -decay], gaps), val, out=ends[1:])
                gaps *= decay
                gaps += ends[:-1]
                total += ends.sum(axis=0)
            values[batch] = np.cumsum(total, axis=1)[:, -1]  # one by one: padding changes no digit
    if not np.isfinite(values).all():
        raise ValuesError(
            f"subsequences of {length} nodes are too many to count",
            remedy="choose shorter ones or a smaller decay",
        )
    return values


def _kernel_similarities(
    first: Sequence[NodeSequence], second: Sequence[NodeSequence], length: int, decay: float
) -> Floats:
    """Sim_esk of every first and every second sequence, equation 5, shape (first, second).

    Many may be equal: each pair of different sequences is compared once. Sequences without
    attributes are like one another, 1, and like nothing else, 0.
    """
    unique: defaultdict[NodeSequence, int] = defaultdict(count().__next__)
    rows, columns = (
        np.array([unique[each] for each in side], np.int64) for side in (first, second)
    )
    low, high = np.minimum.outer(rows, columns), np.maximum.outer(rows, columns)
    pairs, places = np.unique((low * len(unique) + high).ravel(), return_inverse=True)
    every, (ones, others) = np.arange(len(unique)), np.divmod(pairs, len(unique))
    sides = np.append(every, ones), np.append(every, others)
    values = _kernel_values(list(unique), sides[0], sides[1], length, decay)
    own, compared = np.split(values, [len(every)])
    # Without the product of two large numbers; what is not 0 is at least 1.
    shares = (compared / np.maximum(own[side], 1.0) for side in (ones, others))
    cosine = np.minimum(np.sqrt(np.multiply(*shares)), 1.0)
    cosine[(own[ones] == 0) & (own[others] == 0)] = 1.0
    return np.asarray(cosine[places].reshape(low.shape))


TextNodes: TypeAlias = Sequence[NodeSequence]
"""The sentences of a text."""
_MOST_WORK = 16_000_000
"""Pairs of sentences of 20 words times lengths of subsequences that take about a minute."""


def _best_matches(
    outputs: Sequence[TextNodes], references: Sequence[TextNodes], length: int, decay: float
) -> Floats:
    """Compare every output with every reference; each sentence counts with its best match.

    Sentences without attributes are left out. The paper does not state what a text without
    sentences scores: 0 against another that has some, and 1 against one that has none either.

    Returns:
        Shape (2, outputs, references): P_esk, equation 6, the mean over the output's sentences,
        and R_esk, equation 7, that over the reference's sentences.
    """
    outputs, references = (
        [[sentence for sentence in text if any(sentence)] for text in texts]
        for texts in (outputs, references)
    )
    longest = [max(map(len, texts), default=0) for texts in (outputs, references)]
    if prod(longest) * length > _MOST_WORK:
        raise ValuesError(
            f"string kernels of {longest[0]:,} and {longest[1]:,} sentences would take too long",
            remedy="compare shorter texts, or choose shorter subsequences",
        )
    table = _kernel_similarities(list(chain(*outputs)), list(chain(*references)), length, decay)
    rows, columns = (
        np.cumsum(list(map(len, texts)), dtype=np.int64) for texts in (outputs, references)
    )
    scores = np.empty((2, len(outputs), len(references)))
    for row, strip in enumerate(np.split(table, rows)[:-1]):
        for column, block in enumerate(np.split(strip, columns, axis=1)[:-1]):
            best = (block.max(axis=side, initial=0.0) for side in (1, 0))
            scores[:, row, column] = (
                [each.mean() for each in best] if block.size else block.shape == (0, 0)
            )
    return scores


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
        length=whole_number(2, 1, 100, "maximum number of words of a subsequence"),
        decay=real_number(0.5, 0, 1, "factor for each word skipped between two others"),
        part=PART,
        beta=real_number(3.0, 0, 100, "weight of recall relative to precision in f"),
        stop=true_or_false("leave out English stop words"),
        **own,
    )


def _read_nodes(
    topic_texts: topic.TopicTexts, text: testbed.Text, *, stop: bool, senses: str = "none"
) -> TextNodes:
    """The words of a text, with ``all`` of their senses, the ``first``, or ``none``."""
    if senses == "none":
        return [tuple(map(sense_node, each)) for each in topic_texts.plain_words(text, stop=stop)]
    from weps_eval.text.measures import senses as net  # noqa: PLC0415 - ESK alone needs it

    wordnet = net.load_wordnet(topic_texts.tools.wordnet)
    most = 1 if senses == "first" else None
    dropped = word_list("stopwords/english.txt") if stop else frozenset()
    return [
        tuple(
            sense_node(
                word.form, net.senses_of(word.form, wordnet, word.part)[:most] if word.open else ()
            )
            for word in net.sense_words((each.form, each.tag) for each in sentence)
            if word.form not in dropped
        )
        for sentence in topic_texts.tagged_words(text)
    ]


@_declare(
    "esk",
    "subsequences of words and word senses in common, best sentence by sentence",
    "words match by their lower-case form or by a sense; nouns, verbs, adjectives, adverbs, "
    "numerals and foreign words have the senses that WordNet lists for their form and part of "
    "speech (the paper does not state whether it disambiguates senses)",
    needs=(Need.TAGS, Need.WORDNET),
    senses=one_of(("all", "first"), "all senses of a word, or the most frequent one"),
)
@_declare(
    "wsk",
    "subsequences of words in common, best sentence by sentence",
    "words match by their lower-case form",
)
def compare_sentences(  # noqa: PLR0913 - texts and parameters
    topic_texts: topic.TopicTexts,
    outputs: Texts,
    references: Texts,
    *,
    length: int,
    decay: float,
    part: str,
    beta: float,
    **reading: Any,
) -> Floats:
    """Precision, recall or F_esk, equation 8, of every output and reference; 0 where both are.

    Recall weighs ``beta`` times as much as precision; infinite, F is recall. The paper finds 2
    and 3 best for summaries.

    Returns:
        Shape (outputs, references); the mean of F over rows is equation 9.
    """
    precision, recall = topic_texts.cached(
        (_best_matches, length, decay, *reading.items(), tuple(outputs), tuple(references)),
        lambda: _best_matches(
            [_read_nodes(topic_texts, each, **reading) for each in outputs],
            [_read_nodes(topic_texts, each, **reading) for each in references],
            length,
            decay,
        ),
    )
    if part != "f":
        return np.asarray(precision if part == "precision" else recall)
    share = 1 / (1 + beta * beta)
    return safe_divide(precision * recall, share * recall + (1 - share) * precision, 0)
