"""Summarisation sets: DUC 2001 and 2002 with ROUGE and human scores, and SummEval.

Shapira et al., “Evaluating Multiple System Summary Lengths: A Case Study”, EMNLP 2018; Fabbri et
al., “SummEval: Re-evaluating Summarization Evaluation”, TACL 2021 (16 systems, 11 references).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from weps._files import open_unpacked
from weps.errors import SourceError, ValuesError
from weps_eval.text.convert.files import decode_text, lines_of, number_of, one_file
from weps_eval.text.matrix import MeasureMatrix
from weps_eval.text.testbed import Output, Reference, Testbed, Topic

_COVERAGE = "coverage"
_STOP_WORDS = ("stop_words_remaining", "stop_words_removed")
_PARTS = {"r": "recall", "p": "precision"}
_MISSING = "-"
_DUC_REMEDY = "give the tables as they were published"

Instance = tuple[str, str]
"""Length and system."""


def convert_duc(folder: Path) -> Mapping[str, MeasureMatrix]:
    """Read the tables of systems: a matrix for each year, set of references and stop words.

    They are called as ``2001_sameLen_stop_words_remaining``: systems of 2001 against references
    as long as their summaries, stop words kept; ``toNNN`` is against references of that many
    words, ``toOneLonger`` and ``toOneShorter`` against those of the next length. Instances are
    summaries of one length by one system; the topic is the length, as ``100 words``. Measures are
    as ``R2_recall``; the human score is ``coverage``, NaN where it is not given. Summaries without
    ROUGE scores are left out, among them those of authors of references; so are tables of systems
    that took no part, and those of references against references.

    Raises:
        SourceError: if files are missing or cannot be read.
        ValuesError: if they are not as published.
    """
    found: dict[str, MeasureMatrix] = {}
    for year in ("2001", "2002"):
        human = _human(one_file(folder / "scores_human", f"{year}_human.csv"))
        for stop_words in _STOP_WORDS:
            for path in sorted((folder / stop_words / "scores_ROUGE").glob(f"{year}_*.csv")):
                name = f"{path.stem.replace('_STANDARD_', '_')}_{stop_words}"
                found[name] = _matrix(_rouge(path), human)
    if not found:
        raise SourceError("no tables of ROUGE scores found", where=folder, remedy=_DUC_REMEDY)
    return found


def _human(path: Path) -> Mapping[Instance, float]:
    """Instance → coverage."""
    (_, head), *rows = _rows(path)
    return {
        (_length(column, path), cells[0]): number_of(cell, path, line)
        for line, cells in rows
        for column, cell in zip(head[1:], cells[1:], strict=True)
        if cell != _MISSING
    }


def _rouge(path: Path) -> Mapping[Instance, Mapping[str, float]]:
    """The scores in a file of blocks, each after a line with the name of its system alone."""
    (_, head), *rows = _rows(path)
    table: dict[Instance, dict[str, float]] = {}
    system = ""
    for line, cells in rows:
        if len(cells) == 1:
            system = cells[0]
            continue
        for column, cell in zip(head[1:], cells[1:], strict=True):
            if cell != _MISSING:
                length, _, part = column.partition("_")
                scores = table.setdefault((_length(length, path), system), {})
                scores[f"{cells[0]}_{_PARTS.get(part, part)}"] = number_of(cell, path, line)
    return table


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The lines that are not empty, as numbers from 1 and cells: one, or as many as the first."""
    width = 0
    for number, line in enumerate(lines_of(path), start=1):
        cells = line.split(",")
        width = width or len(cells)
        if len(cells) not in (1, width):
            what = f"the row has {len(cells)} cells, the head has {width}"
            raise ValuesError(what, where=f"{path}, line {number}", remedy=_DUC_REMEDY)
        if line:
            yield number, cells


def _length(cell: str, path: Path) -> str:
    if not cell.isdecimal():
        what = f"expected a number of words, got {cell!r}"
        raise ValuesError(what, where=path, remedy=_DUC_REMEDY)
    return f"{int(cell)} words"


def _matrix(
    table: Mapping[Instance, Mapping[str, float]], human: Mapping[Instance, float]
) -> MeasureMatrix:
    """Instances by length, then as in the file."""
    instances = sorted(table, key=lambda each: int(each[0].split()[0]))
    measures = tuple(dict.fromkeys(name for scores in table.values() for name in scores))
    values = [[table[each].get(name, np.nan) for each in instances] for name in measures]
    coverage = [[human.get(each, np.nan) for each in instances]]
    return MeasureMatrix(
        tuple(length for length, _ in instances),
        tuple(system for _, system in instances),
        measures,
        np.array(values, np.float64).reshape(len(measures), len(instances)),
        (_COVERAGE,),
        np.array(coverage, np.float64),
    )


_LARGEST = 100 << 20  # bytes when unpacked
_NEWS = "cnndm"
"""The reference that came with the news; the others were written for the evaluation."""
_SUMMEVAL_REMEDY = "give lines with doc_id, references, cnndm_reference and systems"


def convert_summeval(folder: Path) -> Testbed:
    """Read ``summeval.jsonl.gz`` from a folder: a line per document.

    Topics are documents; references are ``cnndm`` (the highlights of the news) and ``1`` to
    ``10``; systems are called as there (``M0``); human scores are the means of three experts,
    from 1 to 5, for coherence, consistency, fluency and relevance. Texts are in one piece.

    Raises:
        SourceError: if the file cannot be read.
        ValuesError: if a line is not as published.
    """
    path = one_file(folder, "summeval.jsonl.gz")
    with open_unpacked(path, _LARGEST, SourceError) as file:
        lines = decode_text(file.read(), path).removesuffix("\n").split("\n")
    topics = tuple(_topic(line, f"{path}, line {number}") for number, line in enumerate(lines, 1))
    return Testbed("SummEval", "en", "SummEval (Fabbri et al. 2021)", topics)


def _topic(line: str, where: str) -> Topic:
    try:
        return _topic_from_data(json.loads(line))
    except ValuesError as error:
        raise ValuesError(error.what, where=where, remedy=_SUMMEVAL_REMEDY) from None
    except (ValueError, LookupError, TypeError, AttributeError):
        raise ValuesError("is not as published", where=where, remedy=_SUMMEVAL_REMEDY) from None


def _topic_from_data(data: Any) -> Topic:
    news = data["cnndm_reference"]
    others = (text for text in data["references"] if text != news)
    references = (Reference(str(number), text) for number, text in enumerate(others, start=1))
    systems = sorted(data["systems"], key=lambda name: (len(name), name))  # M2 before M10
    outputs = ((name, data["systems"][name]) for name in systems)
    return Topic(
        data["doc_id"],
        (Reference(_NEWS, news), *references),
        tuple(Output(name, output["summary"], output["scores"]) for name, output in outputs),
    )
