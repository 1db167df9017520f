"""SemEval-2012 task 6, semantic textual similarity: pairs of sentences that people scored.

Agirre et al., “SemEval-2012 Task 6: A Pilot on Semantic Textual Similarity”, *SEM 2012.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from eval.text.convert.files import lines_of, number_of, same_length
from eval.text.testbed import Output, Reference, Testbed, Topic
from weps.errors import SourceError, ValuesError

__all__ = ["convert_sts"]

SETS = ("MSRpar", "MSRvid", "SMTeuroparl", "OnWN", "SMTnews")
"""In the order of the task."""
FIRST, SECOND = "first", "second"
SIMILARITY = "similarity"


def convert_sts(folder: Path) -> Testbed:
    """Read a folder, train or test, with ``STS.input.SET.txt`` and ``STS.gs.SET.txt``.

    Every pair is a topic, called ``SET.NUMBER`` with numbers from 1. Its first sentence is the
    reference ``first``, its second the output of a system ``second``; the human score
    ``similarity`` goes from 0 to 5. Sets whose sentences are not there are left out, and the
    source of the testbed tells those that are in it.

    Raises:
        SourceError: if there is no such file, or one cannot be read.
        ValuesError: if the two files of a set do not fit together.
    """
    found = [name for name in SETS if _input(folder, name).exists()]
    if not found:
        what, remedy = "there is no STS.input.….txt", "give the folder of the train or test sets"
        raise SourceError(what, where=folder, remedy=remedy)
    topics = tuple(topic for name in found for topic in _topics(folder, name))
    source = f"SemEval-2012 task 6 (Agirre et al. 2012): {', '.join(found)}"
    return Testbed(f"STS-2012 {folder.resolve().name}", "en", source, topics)


def _input(folder: Path, name: str) -> Path:
    return folder / f"STS.input.{name}.txt"


def _topics(folder: Path, name: str) -> Iterator[Topic]:
    path, gold = _input(folder, name), folder / f"STS.gs.{name}.txt"
    pairs, scores = lines_of(path), lines_of(gold)
    same_length(scores, len(pairs), gold)
    for number, (pair, score) in enumerate(zip(pairs, scores, strict=True), start=1):
        sentences = [sentence.strip() for sentence in pair.split("\t")]
        if len(sentences) != 2 or not all(sentences):
            what, remedy = "this is no pair of sentences", "separate two of them by one tab"
            raise ValuesError(what, where=f"{path}, line {number:,}", remedy=remedy)
        yield Topic(
            f"{name}.{number}",
            (Reference(FIRST, (sentences[0],)),),
            (Output(SECOND, (sentences[1],), {SIMILARITY: number_of(score, gold, number)}),),
        )
