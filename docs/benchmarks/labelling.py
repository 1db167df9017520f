"""How often labels of the people of a key share a word with what the annotators called them.

From the project's root: ``python -m docs.benchmarks.labelling CORPUS``, with a corpus in the
WePS-2 layout. For every weighting that needs no tags: its five best words, and the labels that
reports show if words are weighed by it.
"""

import platform
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from weps._version import VERSION
from weps.cli.console import Console
from weps.key_terms.labels import (
    Reference,
    Weigh,
    content_word_counts,
    labels_and_words,
    rank_words,
)
from weps.language.analysis import Analysis
from weps.reading import Reader, richest_form
from weps.records import Clustering
from weps.sources.opening import open_source
from weps_eval.benchmark.judging import LabelledPerson, compare_labels, label_quality
from weps_eval.key_terms.concepts import WEIGHTINGS
from weps_eval.text.phrases import key_phrases

FIVE = 5

Label = Sequence[str]
Gold = tuple[str, Analysis, Clustering]
Labeller = Callable[[list[list[int]], Analysis], Sequence[Label]]


def main(corpus: Path) -> None:
    """Print the table."""
    print(
        f"{datetime.now(UTC):%Y-%m-%d}  {platform.machine()}  Python {platform.python_version()}  "
        f"weps {VERSION}"
    )
    gold = list(read(corpus))
    table = [["labels", "words", "all people", "2 or more pages", "3 or more", "s a name"]]
    table += [[way, *row(gold, make)] for way, make in ways()]
    Console().write_table(table)


def read(corpus: Path) -> Iterator[Gold]:
    """The names that have a key, with their pages."""
    source = open_source(corpus)
    for name in source.names:
        if key := source.key(name):
            search = source.search(name)
            yield name, Reader().read(search, richest_form(search)), key


def ways() -> Iterator[tuple[str, Labeller]]:
    """How labels are made."""
    fit = {name: each.weigh for name, each in WEIGHTINGS.items() if not each.needs_tags}
    for name, weigh in fit.items():
        yield f"five words by {name}", partial(five_words, weigh=weigh)
    for name, weigh in fit.items():
        yield f"as in reports, by {name}", partial(as_shown, weigh=weigh)
    yield "five key phrases", five_phrases


def five_words(people: list[list[int]], analysis: Analysis, weigh: Weigh) -> list[Label]:
    """The best words as they are."""
    words = content_word_counts(analysis)
    ranked = rank_words(words, people, weigh, Reference.builtin(), FIVE)
    return [[words.strings[column] for column in best] for best, _ in ranked]


def five_phrases(people: list[list[int]], analysis: Analysis) -> list[Label]:
    """The best key phrases, which know nothing of the namesakes."""
    return [[phrase for phrase, _ in key_phrases(analysis, rows, most=FIVE)] for rows in people]


def as_shown(people: list[list[int]], analysis: Analysis, weigh: Weigh) -> Sequence[Label]:
    """What a report would show."""
    labels = labels_and_words(people, analysis, weigh)
    return [label.terms for label in labels]


def row(gold: Sequence[Gold], make: Labeller) -> list[str]:
    """Words of a label, shares of labels that agree, seconds."""
    made, seconds = [], 0.0
    for _, analysis, key in gold:
        people = people_of(analysis, key)
        began = time.perf_counter()
        made.append(make(people, analysis))
        seconds += time.perf_counter() - began
    judged: list[list[LabelledPerson]] = [
        compare_labels(replace(key, labels=tuple(map(", ".join, each))), key, name)
        for each, (name, _, key) in zip(made, gold, strict=True)
    ]
    counts = [len(" ".join(label).split()) for each in made for label in each]
    shares = [
        "{share:.3f} ({interval[0]:.2f}-{interval[1]:.2f}) of {people}".format(**each)
        for each in label_quality(judged)
    ]
    return [f"{sum(counts) / len(counts):.1f}", *shares, f"{seconds / len(gold):.2f}"]


def people_of(analysis: Analysis, key: Clustering) -> list[list[int]]:
    """The rows of the pages of each group."""
    place = {document.rank: row for row, document in enumerate(analysis.documents)}
    return [sorted(place[rank] for rank in group if rank in place) for group in key.groups]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
