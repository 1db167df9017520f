"""Published sets as testbeds and measure matrices.

WMT21, news from German into English (Akhbardeh et al., “Findings of the 2021 Conference on Machine
Translation (WMT21)”, WMT 2021), and STS of SemEval-2012 (Agirre et al., “SemEval-2012 Task 6: A
Pilot on Semantic Textual Similarity”, *SEM 2012), whose measures by others are those of the UKP
system (Bär et al., “UKP: Computing semantic textual similarity by combining multiple content
similarity measures”, *SEM 2012) for the training pairs, METEOR and BEER for the test pairs. DUC
2001 and 2002 with ROUGE and human scores (Shapira et al., “Evaluating Multiple System Summary
Lengths: A Case Study”, EMNLP 2018), and SummEval (Fabbri et al., “SummEval: Re-evaluating
Summarization Evaluation”, TACL 2021; 16 systems, 11 references).
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weps._files import open_unpacked, real_path
from weps._formatting import quote_text
from weps.errors import SourceError, ValuesError
from weps_eval.stats.arrays import Flags
from weps_eval.text.matrix import MeasureMatrix
from weps_eval.text.testbed import Output, Reference, Testbed, Topic

_LARGEST = 100 << 20
"""Bytes of a file, unpacked."""
REMEDY = "give the set as it was published"


def lines_of(path: Path) -> list[str]:
    """The lines of a file in UTF-8 (``.gz`` too), white space at their ends taken off.

    Only a line feed ends a line: texts may hold others of Unicode's line ends.

    Raises:
        SourceError: if it cannot be read.
    """
    with open_unpacked(path, _LARGEST, SourceError) as file:
        raw = file.read()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SourceError("not valid UTF-8", where=path, remedy=REMEDY) from None
    return [line.strip() for line in text.removesuffix("\n").split("\n")]


def number_of(cell: str, path: Path, line: int) -> float:
    """The finite number in a cell.

    Raises:
        ValuesError: if it is none.
    """
    try:
        number = float(cell)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        what = f"expected a finite number, got {quote_text(cell)}"
        raise ValuesError(what, where=f"{path}, line {line:,}", remedy=REMEDY)
    return number


def one_file(folder: Path, pattern: str) -> Path:
    """The one file of the folder that a pattern names.

    Raises:
        SourceError: if there is none, or there are several.
    """
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        what = f"{len(found):,} files match {pattern}" if found else f"{pattern} not found"
        raise SourceError(what, where=folder, remedy=REMEDY)
    return found[0]


def check_length(length: int, wanted: int, path: Path) -> None:
    """Refuse a file that has not one line for each of another.

    Raises:
        ValuesError: if it has not.
    """
    if length != wanted:
        what = f"there are {length:,} lines where {wanted:,} are expected"
        raise ValuesError(what, where=path, remedy=REMEDY)


_PAIR = "de-en"
_CRITERIA = {"RAW.SCR": "system_raw", "Z.SCR": "system_z"}


def convert_wmt(folder: Path) -> Testbed:
    """Read a folder with ``sources``, ``references``, ``system-outputs`` and ``humaneval``.

    Topics are the lines, numbered from 1; references are called as there (``A``, ``B``), systems
    as their files. Human scores are those of the whole system, the same for all its outputs:
    means of direct assessments by a crowd, ``system_raw`` from 0 to 100 and ``system_z``,
    standardised by annotator. The scores of single segments are left out: their numbers follow
    another order of documents than the lines of the texts, and the set does not state which. So
    are scores of the human translation, which is no system.

    Raises:
        SourceError: if a file is missing or cannot be read.
        ValuesError: if files do not fit together.
    """
    sources = lines_of(one_file(folder / "sources", f"*.{_PAIR}.src.de"))
    references = _texts(folder / "references", "ref", len(sources))
    outputs = _texts(folder / "system-outputs", "hyp", len(sources))
    scores = _scores(folder / "humaneval")
    topics = []
    for number, source in enumerate(sources):
        models = (Reference(name, texts[number]) for name, texts in references.items())
        peers = (
            Output(name, texts[number], scores.get(name, {})) for name, texts in outputs.items()
        )
        topics.append(Topic(str(number + 1), tuple(models), tuple(peers), (source,)))
    return Testbed(f"WMT21 {_PAIR}", "en", "WMT21 news (Akhbardeh et al. 2021)", tuple(topics))


def _texts(folder: Path, kind: str, size: int) -> Mapping[str, list[str]]:
    """All the files ``….de-en.KIND.NAME.en``, by name."""
    found: dict[str, list[str]] = {}
    for path in sorted(folder.glob(f"*.{_PAIR}.{kind}.*.en")):
        name = path.name.split(f".{_PAIR}.{kind}.")[1].removesuffix(".en")
        found[name] = lines_of(path)
        check_length(len(found[name]), size, path)
    if not found:
        raise SourceError(f"*.{kind}.*.en not found", where=folder, remedy=REMEDY)
    return found


def _scores(folder: Path) -> Mapping[str, Mapping[str, float]]:
    """System → criterion → score; tables call a system ``Nemo.7``, its file ``NVIDIA-NeMo``."""
    ranking = map(str.split, lines_of(folder / f"ad-sys-ranking-{_PAIR}-z-names.csv"))
    names = {row[-2]: row[-1] for row in ranking if len(row) > 1}
    path = folder / f"ad-sys-scores-{_PAIR}.csv"
    head, *rows = map(str.split, lines_of(path))
    scores: dict[str, Mapping[str, float]] = {}
    for line, row in enumerate(rows, start=2):
        cells = dict(zip(head, row, strict=False))
        name = names.get(cells.get("SYS", ""))
        if name is None or len(row) != len(head) or not _CRITERIA.keys() <= cells.keys():
            what = f"{quote_text(' '.join(row))} scores no known system"
            raise ValuesError(what, where=f"{path}, line {line:,}", remedy=REMEDY)
        scores[name] = {
            criterion: number_of(cells[column], path, line)
            for column, criterion in _CRITERIA.items()
        }
    return scores


SETS = ("MSRpar", "MSRvid", "SMTeuroparl", "OnWN", "SMTnews")
"""In the order of the task."""
FIRST, SECOND = "first", "second"
SIMILARITY = "similarity"


def convert_sts(folder: Path) -> Testbed:
    """Read a folder, train or test, with ``STS.input.SET.txt`` and ``STS.gs.SET.txt``.

    Every pair is a topic, called ``SET.NUMBER`` with numbers from 1. Its first sentence is the
    reference ``first``, its second the output of a system ``second``; the human score
    ``similarity`` goes from 0 to 5. Sets whose sentences are not there are left out, and the
    source of the testbed lists those that are in it.

    Raises:
        SourceError: if there is no such file, or one cannot be read.
        ValuesError: if the two files of a set do not fit together.
    """
    found = [name for name in SETS if (folder / f"STS.input.{name}.txt").exists()]
    if not found:
        what, remedy = "STS.input.….txt not found", "give the folder of the train or test sets"
        raise SourceError(what, where=folder, remedy=remedy)
    topics = tuple(topic for name in found for topic in _topics(folder, name))
    source = f"SemEval-2012 task 6 (Agirre et al. 2012): {', '.join(found)}"
    return Testbed(f"STS-2012 {real_path(folder).name}", "en", source, topics)


def _topics(folder: Path, name: str) -> Iterator[Topic]:
    path = folder / f"STS.input.{name}.txt"
    pairs, scores = lines_of(path), _gold_scores(folder, name)
    check_length(len(scores), len(pairs), folder / f"STS.gs.{name}.txt")
    for number, (pair, score) in enumerate(zip(pairs, scores, strict=True), start=1):
        sentences = [sentence.strip() for sentence in pair.split("\t")]
        if len(sentences) != 2 or not all(sentences):
            what, remedy = "expected a pair of sentences", "separate two of them by one tab"
            raise ValuesError(what, where=f"{path}, line {number:,}", remedy=remedy)
        yield Topic(
            f"{name}.{number}",
            (Reference(FIRST, (sentences[0],)),),
            (Output(SECOND, (sentences[1],), {SIMILARITY: score}),),
        )


def _gold_scores(folder: Path, name: str) -> list[float]:
    path = folder / f"STS.gs.{name}.txt"
    return [number_of(cell, path, line) for line, cell in enumerate(lines_of(path), 1)]


_TRAIN, _TEST = "train", "test"
_UKP, _METEOR = "ukp_feature_scores_train", "meteor_beer_scores_test"

Columns = Mapping[str, NDArray[np.float64]]
"""Measure → shape (pairs,)."""


def convert_sts_scores(folder: Path) -> Mapping[str, MeasureMatrix]:
    """Read the scores of the training and of the test pairs, a matrix for each.

    A pair is a topic, called ``SET.NUMBER`` as by :func:`convert_sts`, and the output of the
    system ``second``; the human score is ``similarity``. Training pairs have a file for each
    measure, with all sets in the order of the task; test pairs one for each set, with a head.
    Measures that miss a pair or are the same for all are left out.

    Raises:
        SourceError: if files are missing or cannot be read.
        ValuesError: if they do not fit together.
    """
    train = [name for name in SETS if (folder / _TRAIN / f"STS.gs.{name}.txt").exists()]
    test = [name for name in SETS if (folder / _METEOR / f"STS.{name}.tsv").exists()]
    found = {}
    if train and (folder / _UKP).is_dir():
        found[_TRAIN] = _matrix(folder / _TRAIN, train, _of_files(folder / _UKP))
    if test:
        found[_TEST] = _matrix(folder / _TEST, test, _joined(folder / _METEOR, test))
    if not found:
        what = f"no scores found in {_UKP} or {_METEOR}"
        raise SourceError(what, where=folder, remedy="give the folder of the whole set")
    return found


def _of_files(folder: Path) -> Columns:
    """A measure for each file, a line for each pair."""
    return {
        path.stem: np.array([_number(line, path, at) for at, line in enumerate(lines_of(path), 1)])
        for path in sorted(folder.rglob("*.txt"), key=lambda each: each.stem)
    }


def _joined(folder: Path, names: Sequence[str]) -> Columns:
    """The tables of the sets, one below the other."""
    columns: dict[str, list[float]] = {}
    for path in (folder / f"STS.{name}.tsv" for name in names):
        head, *lines = (line.split("\t") for line in lines_of(path))
        for line, cells in enumerate(lines, start=2):
            if len(cells) != len(head):
                what = f"the row has {len(cells)} cells, the head has {len(head)}"
                raise ValuesError(what, where=f"{path}, line {line:,}", remedy=REMEDY)
            for name, cell in zip(head, cells, strict=True):
                columns.setdefault(name, []).append(_number(cell, path, line))
    return {name: np.array(values) for name, values in columns.items()}


def _number(cell: str, path: Path, line: int) -> float:
    return np.nan if cell.lower() == "nan" else number_of(cell, path, line)


def _matrix(folder: Path, names: Sequence[str], columns: Columns) -> MeasureMatrix:
    scores = {name: _gold_scores(folder, name) for name in names}
    topics = [f"{name}.{number + 1}" for name in names for number in range(len(scores[name]))]
    for name, values in columns.items():
        check_length(len(values), len(topics), folder.parent / name)
    varying = {name: values for name, values in columns.items() if np.ptp(values) > 0}
    return MeasureMatrix(
        tuple(topics),
        (SECOND,) * len(topics),
        tuple(varying),
        np.array(list(varying.values())).reshape(len(varying), len(topics)),
        (SIMILARITY,),
        np.array([[*chain.from_iterable(scores.values())]]),
    )


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
                found[name] = _duc_matrix(_rouge(path), human)
    if not found:
        raise SourceError("no tables of ROUGE scores found", where=folder, remedy=_DUC_REMEDY)
    return found


def _human(path: Path) -> Mapping[Instance, float]:
    """Instance → coverage."""
    (_, head), *rows = _duc_rows(path)
    return {
        (_length(column, path), cells[0]): number_of(cell, path, line)
        for line, cells in rows
        for column, cell in zip(head[1:], cells[1:], strict=True)
        if cell != _MISSING
    }


def _rouge(path: Path) -> Mapping[Instance, Mapping[str, float]]:
    """The scores in a file of blocks, each after a line with the name of its system alone."""
    (_, head), *rows = _duc_rows(path)
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


def _duc_rows(path: Path) -> Iterator[tuple[int, list[str]]]:
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


def _duc_matrix(
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
    topics = tuple(
        _news_topic(line, f"{path}, line {number}") for number, line in enumerate(lines_of(path), 1)
    )
    return Testbed("SummEval", "en", "SummEval (Fabbri et al. 2021)", topics)


def _news_topic(line: str, where: str) -> Topic:
    try:
        return _news_topic_of(json.loads(line))
    except ValuesError as error:
        raise ValuesError(error.what, where=where, remedy=_SUMMEVAL_REMEDY) from None
    except (ValueError, LookupError, TypeError, AttributeError):
        raise ValuesError("is not as published", where=where, remedy=_SUMMEVAL_REMEDY) from None


def _news_topic_of(data: Any) -> Topic:
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


@dataclass(frozen=True, slots=True, eq=False)
class OfficialImprovements:
    """Published significant improvements of systems over others, by people."""

    systems: tuple[str, ...]
    improves: Flags
    """Shape (systems, systems): the row improves the column."""
    unknown: tuple[str, ...]
    """Systems of the table that are not available."""


_CELL = re.compile(r"[-+]?\d*\.?\d*(\**)")
_RUN = re.compile(r"\.\d+$")
"""The number that tables append to a system's name."""
_REMEDY = "give the table as WMT publishes it, ad-DA-diff-wilcoxon-rs-….csv"


def read_official(path: Path, systems: Sequence[str], stars: int = 1) -> OfficialImprovements:
    """Read a table of differences, one row and one column for each system, with stars.

    WMT's stars: * for p < .05, ** for p < .01, *** for p < .001 of Wilcoxon's rank-sum test that
    the row is better than the column (Akhbardeh et al. 2021). Tables append numbers to names
    (``UF.15``); where that is not enough, the last two columns of a file ``….names.csv`` or
    ``…-names.csv`` in the same folder give the names.

    Args:
        path: cells between blanks; the head has the systems, each row its own before its cells.
        systems: the available ones, whose order is kept.
        stars: minimum stars of a significant improvement.

    Raises:
        SourceError: if it cannot be read.
        ValuesError: if it is no such table, or knows less than two of the systems.
    """
    head, *rows = [line.split() for line in lines_of(path) if line]
    listed = [
        line.split()
        for file in sorted(path.parent.glob("*names.csv"))
        if file.name != path.name
        for line in lines_of(file)
    ]
    names = {row[-2]: row[-1] for row in listed if len(row) > 1 and row[-1] in systems}
    column = {names.get(name, _RUN.sub("", name)): at for at, name in enumerate(head)}
    improves = np.zeros((len(head), len(head)), dtype=np.bool_)
    for at, row in enumerate(rows):
        where = f"{path}, line {at + 2}"
        if at >= len(head) or row[0] != head[at] or len(row) != len(head) + 1:
            what = f"{quote_text(' '.join(row))} is not the row of a system"
            raise ValuesError(what, where=where, remedy=_REMEDY)
        improves[at] = [_count_stars(cell, where) >= stars for cell in row[1:]]
    if len(rows) != len(head):
        what = f"there are {len(rows)} rows for {len(head)} systems"
        raise ValuesError(what, where=path, remedy=_REMEDY)
    shared = [name for name in systems if name in column]
    if len(shared) < 2:
        what = f"it knows {len(shared)} of the {len(systems)} systems"
        raise ValuesError(what, where=path, remedy="give the table of the same systems")
    places = [column[name] for name in shared]
    unknown = tuple(name for name in column if name not in systems)
    return OfficialImprovements(tuple(shared), improves[np.ix_(places, places)], unknown)


def _count_stars(cell: str, where: str) -> int:
    if cell == "-":
        return 0
    found = _CELL.fullmatch(cell)
    if not found or not cell:
        what = f"{quote_text(cell)} is no difference with stars"
        raise ValuesError(what, where=where, remedy=_REMEDY)
    return len(found[1])
