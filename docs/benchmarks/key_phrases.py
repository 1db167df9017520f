"""What ``weps study key-terms`` leaves out about key phrases: YAKE, other weights, no tags, time.

From the project's root: ``python -m docs.benchmarks.key_phrases [--every N] PART ZIP …``, with PART
one of ``weights``, ``yake``, ``untagged``, ``time`` and ``named``, and archives as for
``--keyphrases``. Documents are read before; a cache is used if there is one.
"""

import argparse
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from sklearn.linear_model import LogisticRegression

from docs.benchmarks.scoring import timed
from weps._cache import Cache, default_folder
from weps._version import VERSION
from weps.key_terms import phrases
from weps.key_terms.phrases import key_phrases
from weps.key_terms.weighting import Reference
from weps.language.analysis import Analysis, Layer, analyse_documents
from weps.page_forms import PageForm
from weps.reading import Reader
from weps.records import Document, Page, Search
from weps_eval.stats.arrays import Floats
from weps_eval.studies.key_terms.phrases import LENGTHS, Phrase, f1_at, stems
from weps_eval.studies.key_terms.study import Article, articles_of

FOLDS, ROUNDS = 5, 5
MOST = 2 * LENGTHS[-1]
"""Phrases of a list, of which some have the same stems."""
NEUTRAL = {"_EARLY": 0, "_RARE": 0, "_SEVERAL": 1}
"""Weights of ``weps.key_terms.phrases`` with which a score is the times alone."""


def main() -> None:
    """Print the part."""
    parser = argparse.ArgumentParser(description=__doc__)
    parts = {
        "weights": weights,
        "yake": yake,
        "untagged": untagged,
        "time": times,
        "named": describe_named,
    }
    parser.add_argument("part", choices=parts)
    parser.add_argument("archives", metavar="ZIP", type=Path, nargs="+")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth document")
    options = parser.parse_args()
    print(
        f"{datetime.now(UTC):%Y-%m-%d}  {platform.machine()}, {os.cpu_count()} cores, "
        f"load {os.getloadavg()[0]:.1f}  Python {platform.python_version()}  weps {VERSION}"
    )
    sets = {path.stem: articles_of(path)[:: options.every] for path in options.archives}
    print("  ".join(f"{name}: {len(articles)} documents" for name, articles in sets.items()))
    if options.part not in {"time", "named"}:
        print(f"{'':<52}" + "".join(f"{f'F1@{length}':>8}" for length in LENGTHS))
    parts[options.part](sets)


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """The candidates of a document, and which of them people named."""

    words: Any
    candidates: Sequence[Any]
    features: Floats
    """Shape (candidates, 4): logarithms of what the four weights are of."""
    right: Sequence[bool]
    named: frozenset[Phrase]

    @classmethod
    def of(cls, article: Article, reader: Reader, known: Reference) -> "Judged":
        """Score the candidates with the shipped code, one weight at a time."""
        words = phrases._Words.of(read(article, reader), [0])
        _, frequency = known.counts_of([text.lower() for text in words.texts])
        rarity = np.log((known.documents + 1) / (frequency + 1))
        changes: list[dict[str, Any]] = [{}, {"_RARE": 1}, {"_EARLY": 1}, {"_SEVERAL": np.e}]
        found = [candidates(words, rarity, {**NEUTRAL, **change}) for change in changes]
        scores = np.array([[-each.badness for each in row] for row in found])
        logs = np.log(scores.reshape(len(changes), -1))
        logs[1:] -= logs[0]
        named = named_in(article)
        right = [
            stems_of(words.spelling(each.starts, len(each.forms))) in named for each in found[0]
        ]
        return cls(words, found[0], logs.T, right, named)

    def f1(self, coefficients: Floats) -> list[float]:
        """F1 of the first 5, 10 and 15 phrases by these weights."""
        badness = -(self.features[:, : len(coefficients)] @ coefficients)
        scored = (
            each._replace(badness=bad)
            for each, bad in zip(self.candidates, badness.tolist(), strict=True)
        )
        return f1s((text for text, _ in phrases._without_parts(self.words, scored)), self.named)


def candidates(words: Any, rarity: Floats, by: Mapping[str, Any]) -> list[Any]:
    """Those of all lengths, scored with these weights."""
    with patch.multiple(phrases, **by):
        lengths = range(1, phrases._MAX_WORDS + 1)
        return [each for size in lengths for each in phrases._score_phrases(words, size, rarity)]


def weights(sets: Mapping[str, Sequence[Article]]) -> None:
    """F1 by the shipped weights, and by such as are fitted to other documents.

    Weights are those of a logistic regression, over that of times alone. Where two sets are fitted
    to, both count the same, and each has an intercept of its own.
    """
    reader, known = cached_reader(), Reference.builtin()
    judged = {
        name: [Judged.of(each, reader, known) for each in articles]
        for name, articles in sets.items()
    }
    shipped = np.array([1, phrases._RARE, phrases._EARLY, np.log(phrases._SEVERAL)])
    for name, documents in judged.items():
        write("shipped", name, [each.f1(shipped) for each in documents], shipped)
    for size in (4, 3):
        title = f"{size} weights, "
        scores: dict[str, list[list[float]]] = {name: [] for name in judged}
        fitted = []
        for fold in range(FOLDS):
            rest = [
                [each for row, each in enumerate(documents) if row % FOLDS != fold]
                for documents in judged.values()
            ]
            fitted.append(fit(rest, size))
            for name, documents in judged.items():
                scores[name] += [each.f1(fitted[-1]) for each in documents[fold::FOLDS]]
        for name, values in scores.items():
            write(f"{title}{FOLDS}-fold", name, values, np.mean(fitted, axis=0))
        for fitted_to, documents in judged.items():
            one = fit([documents], size)
            for name, others in judged.items():
                values = [each.f1(one) for each in others]
                write(f"{title}of {fitted_to}", name, values, one)


def fit(sets: Sequence[Sequence[Judged]], size: int) -> Floats:
    """Shape (size,): the weights of the first so many features, over that of times alone."""
    rows, right, share = [], [], []
    for number, documents in enumerate(sets):
        features = np.concatenate([each.features[:, :size] for each in documents])
        intercepts = np.zeros((len(features), len(sets) - 1))
        intercepts[:, number - 1 : number] = 1
        rows.append(np.hstack([features, intercepts]))
        right.append(np.concatenate([each.right for each in documents]))
        share.append(np.full(len(features), 1e4 / right[-1].sum()))
    model = LogisticRegression(max_iter=2000)
    model.fit(np.vstack(rows), np.concatenate(right), np.concatenate(share))
    coefficients = model.coef_[0][:size]
    return np.asarray(coefficients / coefficients[0])


def yake(sets: Mapping[str, Sequence[Article]]) -> None:
    """F1 of YAKE, which is no part of weps."""
    try:
        package = import_module("yake")
    except ImportError as error:
        raise SystemExit("YAKE is not installed: pip install yake==0.7.3") from error
    extractor = package.KeywordExtractor(lan="en", n=3, top=MOST)
    for name, articles in sets.items():
        found = (extractor.extract_keywords(each.text) for each in articles)
        write("YAKE", name, [f1_of(*pair) for pair in zip(found, articles, strict=True)])


def untagged(sets: Mapping[str, Sequence[Article]]) -> None:
    """F1 of key phrases without tags."""
    reader = cached_reader()
    for name, articles in sets.items():
        plain = (analyse_documents("", read(each, reader).documents) for each in articles)
        found = (key_phrases(each, most=MOST) for each in plain)
        write("no tags", name, [f1_of(*pair) for pair in zip(found, articles, strict=True)])


def times(sets: Mapping[str, Sequence[Article]]) -> None:
    """Processor time of key phrases without tags, and of splitting the text into words before."""
    reader = cached_reader()
    for name, articles in sets.items():
        documents = [read(each, reader).documents for each in articles]
        blocks = tuple(block for (each,) in documents for block in each.blocks)
        write_times(f"{name}, one by one", documents)
        write_times(f"{name}, as one document", [(Document(1, blocks=blocks),)])


def write_times(title: str, documents: Sequence[Sequence[Document]]) -> None:
    """Print a line."""

    def split() -> list[Analysis]:
        return [analyse_documents("", each) for each in documents]

    analyses = split()
    before = 1000 * timed(split, rounds=ROUNDS)[1]
    here = 1000 * timed(lambda: [key_phrases(e, most=MOST) for e in analyses], rounds=ROUNDS)[1]
    print(f"{title:<44}{before:>9.0f} ms to split{here:>9.0f} for key phrases{here / before:>7.2f}")


def cached_reader() -> Reader:
    """A reader with the user's cache."""
    return Reader(cache=Cache(default_folder()))


def read(article: Article, reader: Reader) -> Analysis:
    """The document with its tags."""
    pages = Search("", (Page(1, text=article.text),))
    return reader.read(pages, PageForm.PAGES, {Layer.TAGS})


def describe_named(sets: Mapping[str, Sequence[Article]]) -> None:
    """How many of the phrases that people named are single words, and are in the document."""
    for name, articles in sets.items():
        texts = [(named_in(each), f" {' '.join(stems(each.text))} ") for each in articles]
        named = [(phrase, text) for phrases_of, text in texts for phrase in phrases_of]
        single = np.mean([len(phrase) == 1 for phrase, _ in named])
        inside = np.mean([f" {' '.join(phrase)} " in text for phrase, text in named])
        print(
            f"{name:<20}{len(named):>8,} named{single:>6.0%} single words{inside:>6.0%} in the text"
        )


def named_in(article: Article) -> frozenset[Phrase]:
    """The phrases that people named."""
    return frozenset(map(stems, article.phrases)) - {()}


stems_of = cache(stems)


def f1_of(found: Iterable[tuple[str, float]], article: Article) -> list[float]:
    """F1 of the first 5, 10 and 15 phrases."""
    return f1s((text for text, _ in found), named_in(article))


def f1s(found: Iterable[str], named: frozenset[Phrase]) -> list[float]:
    """F1 of the first 5, 10 and 15 phrases."""
    first = [stems_of(text) for text in islice(found, MOST)]
    return [f1_at(first, named, length) for length in LENGTHS]


def write(
    title: str, name: str, values: Sequence[Sequence[float]], by: Floats | None = None
) -> None:
    """Print a line."""
    means = "".join(f"{mean:>8.3f}" for mean in np.mean(values, axis=0))
    chosen = "" if by is None else "   weights " + " ".join(f"{each:.2f}" for each in by)
    print(f"{title:<32}{name:<20}{means}{chosen}", flush=True)


if __name__ == "__main__":
    main()
