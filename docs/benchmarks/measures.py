"""Measures between texts: agreement with other programs, and time next to them and to naive code.

From the project's root: ``python -m docs.benchmarks.measures TESTBED``, a testbed of summaries as
``weps text convert summeval`` writes it. Needs nltk, sacrebleu and rouge-score.
"""

from __future__ import annotations

import os
import platform
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import version
from itertools import chain, combinations, cycle, islice
from statistics import median
from typing import Any

import numpy as np
from rouge_score.rouge_scorer import RougeScorer

from weps._version import VERSION
from weps_eval.text.declaration import Need, Overlap
from weps_eval.text.measures.kernels import Kernel, NodeSequence, paired_similarities, word_nodes
from weps_eval.text.measures.rouge import rouge_l, rouge_l_summary, rouge_n, rouge_s, rouge_w
from weps_eval.text.measures.senses import all_pairs
from weps_eval.text.registry import measures_of
from weps_eval.text.scoring import measure_scores
from weps_eval.text.testbed import Testbed, read_testbed, whole_text
from weps_eval.text.topic import Preprocessing, Tokens, TopicTexts, words_of
from weps_eval.text.wordnet import PageRanks, Vector, builtin_wordnet, page_ranks, transition_matrix

Pair = tuple[str, str]
ROUNDS = 5
ROUGE: dict[str, Callable[[Tokens, Tokens], Overlap]] = {
    **{f"rouge{n}": partial(rouge_n, n=n) for n in (1, 2, 3, 4)},
    "rougeL": rouge_l,
    "rougeLsum": rouge_l_summary,
}
KERNEL = Kernel(length=3, decay=0.5)
SYNSETS = 400
DIMENSIONS = 1000
"""Of the similarity that is compared pair by pair in Python, which is slow with all of them."""
PER_TOPIC = measures_of(
    "overlap, rouge(n=1), rouge(n=1, stem=true), rouge_l, rouge_w, rouge_s, rouge_su, wsk, esk, "
    "tvm(n=512), vectmodel, nicos(concepts=references), sentencesim, perplexity, avls, gramsim, "
    "grouge(n=1), grouge(n=2), grouge(n=2, skip=4), bleu, nist, chrf, meteor, "
    "meteor(synonyms=WordNet), ter"
)


def main() -> None:
    """Print every table."""
    testbed = read_testbed(sys.argv[1])
    pairs = list(_pairs(testbed))
    print(
        f"{time.strftime('%Y-%m-%d')}  {platform.machine()}, {os.cpu_count()} cores, load "
        f"{os.getloadavg()[0]:.1f}  Python {platform.python_version()}  numpy {np.__version__}  "
        f"rouge-score {version('rouge-score')}  weps {VERSION}"
    )
    print(f"{testbed.name}: every output with one reference, {len(pairs):,} pairs.")
    agreement(pairs)
    print(f"\nCPU time, median of {ROUNDS} rounds in turn; ratio: theirs / here.")
    print(f"{'':44}{'theirs':>10}{'here':>10}{'ratio':>8}")
    against_rouge_score(pairs)
    against_naive(pairs)
    graph_against_naive()
    per_topic(testbed)


def _pairs(testbed: Testbed) -> Sequence[Pair]:
    """Output and reference, the next of its topic each time; sentences on lines."""
    found = []
    for topic in testbed.topics:
        references = cycle(whole_text(each.text) for each in topic.references)
        outputs = (whole_text(each.text) for each in topic.outputs)
        found += list(zip(outputs, references, strict=False))
    return [(_lines(output), _lines(reference)) for output, reference in found]


def _lines(text: str) -> str:
    return text.replace(" . ", " .\n")


def agreement(pairs: Sequence[Pair]) -> None:
    """Precision, recall and F beside those of rouge-score."""
    print("\nPairs for which precision, recall and F are those of rouge-score, to the last bit")
    for stem in (False, True):
        scorer, read = RougeScorer([*ROUGE], use_stemmer=stem), Preprocessing(stem=stem)
        same: Counter[str] = Counter()
        for output, reference in pairs:
            theirs, texts = scorer.score(reference, output), (read(output), read(reference))
            for name, measure in ROUGE.items():
                here = measure(*texts)
                same[name] += (here.precision, here.recall, here.f()) == tuple(theirs[name])
        told = ", ".join(f"{name} {same[name]:,}" for name in ROUGE)
        print(f"  {'stems' if stem else 'words'}: {told}")


def against_rouge_score(pairs: Sequence[Pair]) -> None:
    """The same scores, from the characters on."""
    for stem in (False, True):
        read = Preprocessing(stem=stem)
        for name, measure in ROUGE.items():
            scorer = RougeScorer([name], use_stemmer=stem)
            compare(
                f"rouge-score: {name}{', stems' * stem}",
                partial(_theirs, scorer, pairs),
                partial(_here, measure, read, pairs),
            )


def _theirs(scorer: RougeScorer, pairs: Sequence[Pair]) -> list[Any]:
    return [scorer.score(reference, output) for output, reference in pairs]


def _here(
    measure: Callable[[Tokens, Tokens], Overlap], read: Preprocessing, pairs: Sequence[Pair]
) -> list[Overlap]:
    return [measure(read(output), read(reference)) for output, reference in pairs]


def against_naive(pairs: Sequence[Pair]) -> None:
    """Loops as the definitions have them, in Python."""
    read = Preprocessing()
    texts = [(read(output), read(reference)) for output, reference in pairs[:400]]
    for title, naive, here in (
        ("naive ROUGE-S, all pairs of words", naive_rouge_s, rouge_s),
        ("naive ROUGE-W, the whole table", naive_rouge_w, rouge_w),
    ):
        compare(
            f"{title}; {len(texts)} pairs",
            lambda naive=naive: [naive(*pair) for pair in texts],
            lambda here=here: [here(*pair).matches for pair in texts],
        )
    sentences = [
        word_nodes(islice(cycle(each), 25)) for pair in texts for each in map(words_of, pair)
    ]
    firsts, seconds = sentences[::2], sentences[1::2]
    compare(
        f"naive ESK, d = {KERNEL.length}; {len(firsts)} pairs of 25 words",
        lambda: [naive_similarity(*pair) for pair in zip(firsts, seconds, strict=True)],
        lambda: paired_similarities(firsts, seconds, KERNEL).tolist(),
    )
    many = [list(islice(cycle(side), 10_000)) for side in (firsts, seconds[1:] + seconds[:1])]
    distinct = [[*map(_marked, side, range(10_000))] for side in many]
    started = time.process_time()
    paired_similarities(*distinct, KERNEL)
    print(f"  ESK, 10,000 pairs (goal 2 s):{(time.process_time() - started):25.2f} s")


def _marked(sequence: NodeSequence, number: int) -> NodeSequence:
    """A sequence that no other is equal to: equal ones would be compared once."""
    return (frozenset({number}), *sequence[1:])


def naive_rouge_s(output: Tokens, reference: Tokens) -> float:
    """Skip-bigrams listed and counted."""
    ours, theirs = (Counter(combinations(words_of(text), 2)) for text in (output, reference))
    return float((ours & theirs).total())


def naive_rouge_w(output: Tokens, reference: Tokens) -> float:
    """The tables c and w of the paper, cell by cell."""
    first, second = words_of(output), words_of(reference)
    lengths = [[0.0] * (len(second) + 1) for _ in range(len(first) + 1)]
    runs = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, word in enumerate(first, start=1):
        for j, other in enumerate(second, start=1):
            if word == other:
                run = runs[i - 1][j - 1]
                lengths[i][j] = lengths[i - 1][j - 1] + (run + 1) ** 1.2 - run**1.2
                runs[i][j] = run + 1
            else:
                lengths[i][j] = max(lengths[i - 1][j], lengths[i][j - 1])
    return float(lengths[-1][-1] ** (1 / 1.2))


def naive_similarity(first: NodeSequence, second: NodeSequence) -> float:
    """Equation 5 of Hirao and others 2005, from equations 1 to 4 node by node."""
    own = naive_esk(first, first) * naive_esk(second, second)
    return naive_esk(first, second) / own**0.5


def naive_esk(first: NodeSequence, second: NodeSequence) -> float:
    """Equations 1 to 4: O(d · n · m)."""
    total = 0.0
    gaps = [[0.0] * len(second) for _ in range(KERNEL.length)]
    for node in first:
        row = [[0.0] * len(second) for _ in range(KERNEL.length)]
        for length in range(KERNEL.length):
            along = 0.0
            for place, other in enumerate(second):
                val = len(node & other)
                row[length][place] = val * (1.0 if length == 0 else along)
                if length:
                    along = KERNEL.decay * along + gaps[length - 1][place]
        total += sum(chain.from_iterable(row))
        gaps = [
            [KERNEL.decay * gap + new for gap, new in zip(*both, strict=True)]
            for both in zip(gaps, row, strict=True)
        ]
    return total


def graph_against_naive() -> None:
    """Walks through WordNet one by one, and weighted overlap pair by pair."""
    known = builtin_wordnet()
    graph = transition_matrix(known)
    seeds = list(range(0, len(known.synsets), len(known.synsets) // 64))[:64]
    compare(
        "one walk after the other; 64 synsets",
        lambda: [page_ranks(graph, [seed]) for seed in seeds],
        lambda: page_ranks(graph, seeds),
    )
    vectors = PageRanks(known, DIMENSIONS).vectors(range(0, SYNSETS * 100, 100))
    compare(
        f"weighted overlap pair by pair; {SYNSETS} synsets",
        lambda: [[naive_overlap(one, other) for other in vectors] for one in vectors[:20]],
        lambda: all_pairs(vectors, (SYNSETS, len(known.synsets))),
        share=20 / SYNSETS,
    )


def naive_overlap(first: Vector, second: Vector) -> float:
    """Equation 3.2 of ShafieiBavani and others 2017."""
    ranks = {synset: rank for rank, synset in enumerate(first.synsets.tolist(), start=1)}
    sums = [
        ranks[synset] + rank
        for rank, synset in enumerate(second.synsets.tolist(), start=1)
        if synset in ranks
    ]
    ideal = sum(1 / (2 * rank) for rank in range(1, len(sums) + 1))
    return sum(1 / each for each in sums) / ideal if sums else 0.0


def per_topic(testbed: Testbed) -> None:
    """Every measure of the sets on a topic, what it shares with others done before."""
    first, *others = testbed.topics[:4]
    sizes = f"{len(first.outputs)} outputs, {len(first.references)} references"
    print(f"\nCPU time of a topic of {sizes}, in ms; mean of {len(others)} after the first")
    for measure in PER_TOPIC:
        measure_scores(measure, TopicTexts(first))  # what is loaded once
        times = []
        for topic in others[: 1 if measure.family.name == "ter" else None]:
            desk = TopicTexts(topic)
            if Need.TAGS in measure.needs:
                desk.words(desk.texts[0])
            times.append(_cpu(partial(measure_scores, measure, desk)))
        print(f"  {measure!s:42}{1000 * np.mean(times):10,.0f}")


def compare(
    title: str, theirs: Callable[[], object], here: Callable[[], object], share: float = 1.0
) -> None:
    """Print both times; ``share`` of the work is all that they do."""
    times = [(_cpu(theirs) / share, _cpu(here)) for _ in range(ROUNDS)]
    ratio = median(one / other for one, other in times)
    one, other = (median(column) for column in zip(*times, strict=True))
    print(f"  {title:42}{one:8.2f} s{other:8.2f} s{ratio:8.1f}")


def _cpu(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


if __name__ == "__main__":
    main()
