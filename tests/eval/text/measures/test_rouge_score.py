"""Agreement with the package rouge-score, bit by bit, wherever a text has a unit to count."""

import gzip
import json
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle, islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.text.measures.overlap import Overlap, Tokens, best_overlap, words_of
from eval.text.measures.rouge import Preprocessing, rouge_n
from eval.text.measures.rouge_lcs import rouge_l, rouge_l_summary

rouge_scorer = pytest.importorskip("rouge_score.rouge_scorer")

MEASURES: dict[str, Callable[[Tokens, Tokens], Overlap]] = {
    **{f"rouge{n}": partial(rouge_n, n=n) for n in (1, 2, 3, 4)},
    "rougeL": rouge_l,
    "rougeLsum": rouge_l_summary,
}
SHORTEST = {"rouge2": 2, "rouge3": 3, "rouge4": 4}
SCORERS = {
    stem: rouge_scorer.RougeScorer(list(MEASURES), use_stemmer=stem) for stem in (False, True)
}
WRITTEN = st.lists(
    st.sampled_from([*"abc.-\n ", "running ", "runs ", " the ", "aÉ", "A9 "]), max_size=25
).map("".join)


def scores(overlap: Overlap) -> tuple[float, float, float]:
    return overlap.precision, overlap.recall, overlap.f()


def check(output: str, reference: str, stem: bool) -> None:
    read = Preprocessing(stem=stem)
    texts = read(output), read(reference)
    theirs = SCORERS[stem].score(reference, output)
    longer = max(len(words_of(text)) for text in texts)
    for name, measure in MEASURES.items():
        if longer >= SHORTEST.get(name, 1):
            assert scores(measure(*texts)) == tuple(theirs[name]), name


@pytest.mark.parametrize("stem", [False, True])
@given(output=WRITTEN, reference=WRITTEN)
def test_made_up_texts(stem: bool, output: str, reference: str) -> None:
    check(output, reference, stem)


def pairs(folder: Path) -> Iterator[tuple[str, str]]:
    """Every output with a reference, the next of its topic each time; sentences on lines."""
    with gzip.open(folder / "text" / "summeval" / "summeval.jsonl.gz", "rt", encoding="utf-8") as f:
        for topic in map(json.loads, f):
            outputs = (system["summary"] for system in topic["systems"].values())
            for output, reference in zip(outputs, cycle(topic["references"]), strict=False):
                yield output.replace(" . ", " .\n"), reference.replace(" . ", " .\n")


@pytest.mark.slow
@pytest.mark.parametrize("stem", [False, True])
def test_real_texts(weps_data: Path, stem: bool) -> None:
    real = [*islice(pairs(weps_data), 500)]
    assert len(real) == 500
    for output, reference in real:
        check(output, reference, stem)


def test_several_references() -> None:
    output, references = "a b c", ["a b d e f", "x a c", "c b a"]
    theirs = SCORERS[False].score_multi(references, output)
    read = Preprocessing()
    for name, measure in MEASURES.items():
        ours = best_overlap([measure(read(output), read(reference)) for reference in references])
        assert scores(ours) == tuple(theirs[name]), name
