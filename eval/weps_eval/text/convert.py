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
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress, count
from pathlib import Path
from typing import Any

import numpy as np

from weps._files import real_path
from weps._formatting import join_items, quote_text
from weps.errors import SourceError, ValuesError
from weps_eval import stats, tables
from weps_eval.text.testbed import HUMAN, MeasureMatrix, Output, Reference, Testbed, Topic

_REMEDY = "give the set as it was published"
Instance = tuple[str, str]
"""Topic and system."""


def _lines_of(path: Path) -> list[str]:
    """The lines of a file in UTF-8 (``.gz`` too), white space at their ends taken off.

    Texts may hold line ends of Unicode, which end no line.
    """
    return [line.strip() for line in tables.lines_of(path)] or [""]


def _number(cell: str, path: Path, line: int, remedy: str = _REMEDY) -> float:
    """The finite number in a cell; a ValuesError if it is none."""
    try:
        if np.isfinite(number := float(cell)):
            return number
    except ValueError:
        pass
    raise ValuesError(
        f"expected a finite number, got {quote_text(cell)}",
        where=f"{path}, line {line:,}",
        remedy=remedy,
    )


def _one_file(folder: Path, pattern: str) -> Path:
    """The one file of the folder that a pattern names; a SourceError if there are none, or more."""
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise SourceError(
            f"{len(found):,} files match {pattern}" if found else f"{pattern} not found",
            where=folder,
            remedy=_REMEDY,
        )
    return found[0]


def _check_length(length: int, wanted: int, path: Path, remedy: str = _REMEDY) -> None:
    if length != wanted:
        raise ValuesError(
            f"there are {length:,} lines where {wanted:,} are expected", where=path, remedy=remedy
        )


def _matrix(
    instances: Sequence[Instance],
    measures: Mapping[str, Sequence[float]],
    criterion: str,
    human: Mapping[Instance, float],
) -> MeasureMatrix:
    """The values of measures on instances, with human scores, NaN where there is none."""
    return MeasureMatrix(
        tuple(topic for topic, _ in instances),
        tuple(system for _, system in instances),
        tuple(measures),
        np.array(list(measures.values()), np.float64).reshape(len(measures), len(instances)),
        (criterion,),
        np.array([[human.get(each, np.nan) for each in instances]], np.float64),
    )


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
    sources = _lines_of(_one_file(folder / "sources", f"*.{_PAIR}.src.de"))
    references = _texts(folder / "references", "ref", len(sources))
    outputs = _texts(folder / "system-outputs", "hyp", len(sources))
    scores = _scores(folder / "humaneval")
    topics = tuple(
        Topic(
            str(number + 1),
            tuple(Reference(name, texts[number]) for name, texts in references.items()),
            tuple(
                Output(name, texts[number], scores.get(name, {})) for name, texts in outputs.items()
            ),
            (source,),
        )
        for number, source in enumerate(sources)
    )
    return Testbed(f"WMT21 {_PAIR}", "en", "WMT21 news (Akhbardeh et al. 2021)", topics)


def _texts(folder: Path, kind: str, size: int) -> Mapping[str, list[str]]:
    """All the files ``….de-en.KIND.NAME.en``, by name."""
    found: dict[str, list[str]] = {}
    for path in sorted(folder.glob(f"*.{_PAIR}.{kind}.*.en")):
        name = path.name.split(f".{_PAIR}.{kind}.")[1].removesuffix(".en")
        found[name] = _lines_of(path)
        _check_length(len(found[name]), size, path)
    if not found:
        raise SourceError(f"*.{kind}.*.en not found", where=folder, remedy=_REMEDY)
    return found


def _scores(folder: Path) -> Mapping[str, Mapping[str, float]]:
    """System → criterion → score; tables call a system ``Nemo.7``, its file ``NVIDIA-NeMo``."""
    names = _names_in([folder / f"ad-sys-ranking-{_PAIR}-z-names.csv"])
    path = folder / f"ad-sys-scores-{_PAIR}.csv"
    head, *rows = map(str.split, _lines_of(path))
    scores: dict[str, Mapping[str, float]] = {}
    for line, row in enumerate(rows, start=2):
        cells = dict(zip(head, row, strict=False))
        name = names.get(cells.get("SYS", ""))
        if name is None or len(row) != len(head) or not _CRITERIA.keys() <= cells.keys():
            raise ValuesError(
                f"{quote_text(' '.join(row))} scores no known system",
                where=f"{path}, line {line:,}",
                remedy=_REMEDY,
            )
        scores[name] = {
            criterion: _number(cells[column], path, line) for column, criterion in _CRITERIA.items()
        }
    return scores


def _names_in(files: Iterable[Path]) -> dict[str, str]:
    """What a table calls a system, the last column but one → its name, the last one."""
    rows = (line.split() for file in files for line in _lines_of(file))
    return {row[-2]: row[-1] for row in rows if len(row) > 1}


_SETS = ("MSRpar", "MSRvid", "SMTeuroparl", "OnWN", "SMTnews")
"""In the order of the task."""
_SECOND, _SIMILARITY = "second", "similarity"
_TRAIN, _TEST = "train", "test"
_UKP, _METEOR = "ukp_feature_scores_train", "meteor_beer_scores_test"


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
    found = [name for name in _SETS if (folder / f"STS.input.{name}.txt").exists()]
    if not found:
        raise SourceError(
            "STS.input.….txt not found",
            where=folder,
            remedy="give the folder of the train or test sets",
        )
    topics = []
    for name in found:
        path, scores = folder / f"STS.input.{name}.txt", _gold_scores(folder, name)
        pairs = _lines_of(path)
        _check_length(len(scores), len(pairs), folder / f"STS.gs.{name}.txt")
        for pair, (topic, score) in zip(pairs, scores.items(), strict=True):
            sentences = [sentence.strip() for sentence in pair.split("\t")]
            if len(sentences) != 2 or not all(sentences):
                raise ValuesError(
                    "expected a pair of sentences",
                    where=f"{path}, line {topic.rpartition('.')[2]}",
                    remedy="separate two of them by one tab",
                )
            output = Output(_SECOND, (sentences[1],), {_SIMILARITY: score})
            topics.append(Topic(topic, (Reference("first", (sentences[0],)),), (output,)))
    return Testbed(
        f"STS-2012 {real_path(folder).name}",
        "en",
        f"SemEval-2012 task 6 (Agirre et al. 2012): {', '.join(found)}",
        tuple(topics),
    )


def _gold_scores(folder: Path, name: str) -> dict[str, float]:
    """Topic → similarity."""
    numbers = _numbers(folder / f"STS.gs.{name}.txt")
    return {f"{name}.{line}": number for line, number in enumerate(numbers, start=1)}


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
    train = [name for name in _SETS if (folder / _TRAIN / f"STS.gs.{name}.txt").exists()]
    test = [name for name in _SETS if (folder / _METEOR / f"STS.{name}.tsv").exists()]
    found = {}
    if train and (folder / _UKP).is_dir():
        files = sorted((folder / _UKP).rglob("*.txt"), key=lambda path: path.stem)
        columns = {path.stem: _numbers(path, "nan") for path in files}
        found[_TRAIN] = _sts_matrix(folder / _TRAIN, train, columns)
    if test:
        columns = defaultdict(list)
        for path in (folder / _METEOR / f"STS.{name}.tsv" for name in test):
            for line, record in tables.records_of(path):
                for name, cell in record.items():
                    columns[name].append(_number(cell, path, line))
        found[_TEST] = _sts_matrix(folder / _TEST, test, columns)
    if not found:
        raise SourceError(
            f"no scores found in {_UKP} or {_METEOR}",
            where=folder,
            remedy="give the folder of the whole set",
        )
    return found


def _numbers(path: Path, missing: str = "") -> list[float]:
    """The numbers of a file, one a line; NaN for the word that stands for a missing one."""
    return [
        np.nan if missing and cell.lower() == missing else _number(cell, path, line)
        for line, cell in enumerate(_lines_of(path), start=1)
    ]


def _sts_matrix(
    folder: Path, names: Sequence[str], columns: Mapping[str, Sequence[float]]
) -> MeasureMatrix:
    human = {
        (topic, _SECOND): score
        for name in names
        for topic, score in _gold_scores(folder, name).items()
    }
    for name, values in columns.items():
        _check_length(len(values), len(human), folder.parent / name)
    measures = {name: values for name, values in columns.items() if np.ptp(values) > 0}
    return _matrix(list(human), measures, _SIMILARITY, human)


_PARTS = {"r": "recall", "p": "precision"}


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
        path = _one_file(folder / "scores_human", f"{year}_human.csv")
        human = {(length, name): score for _, name, length, _, score in _duc_cells(path)}
        for stop_words in ("stop_words_remaining", "stop_words_removed"):
            for path in sorted((folder / stop_words / "scores_ROUGE").glob(f"{year}_*.csv")):
                values: dict[tuple[str, Instance], float] = {}
                for system, name, length, part, value in _duc_cells(path):
                    values[f"{name}_{_PARTS.get(part, part)}", (length, system)] = value
                instances = dict.fromkeys(instance for _, instance in values)
                ordered = sorted(instances, key=lambda each: int(each[0].split()[0]))
                measures = {
                    name: [values.get((name, each), np.nan) for each in ordered]
                    for name in dict.fromkeys(name for name, _ in values)
                }
                called = f"{path.stem.replace('_STANDARD_', '_')}_{stop_words}"
                found[called] = _matrix(ordered, measures, "coverage", human)
    if not found:
        raise SourceError("no tables of ROUGE scores found", where=folder, remedy=_REMEDY)
    return found


def _duc_cells(path: Path) -> Iterator[tuple[str, str, str, str, float]]:
    """The numbers of a table, whose rows may stand in blocks after the name of a system alone.

    Each with the system, the first cell of its row, and the length and what follows it in the
    first cell of its column.
    """
    lines = ((number, row.split(",")) for number, row in enumerate(_lines_of(path), start=1) if row)
    _, head = next(lines, (1, [""]))
    system = ""
    for line, cells in lines:
        if len(cells) == 1:
            system = cells[0]
            continue
        if len(cells) != len(head):
            raise ValuesError(
                f"the row has {len(cells)} cells, the head has {len(head)}",
                where=f"{path}, line {line:,}",
                remedy=_REMEDY,
            )
        for column, cell in zip(head[1:], cells[1:], strict=True):
            length, _, part = column.partition("_")
            if not length.isdecimal():
                raise ValuesError(
                    f"expected a number of words, got {length!r}", where=path, remedy=_REMEDY
                )
            if cell != "-":
                yield system, cells[0], f"{int(length)} words", part, _number(cell, path, line)


def convert_summeval(folder: Path) -> Testbed:
    """Read ``summeval.jsonl.gz`` from a folder: a line per document.

    Topics are documents; references are ``cnndm`` (the highlights of the news) and ``1`` to
    ``10``; systems are called as there (``M0``); human scores are the means of three experts,
    from 1 to 5, for coherence, consistency, fluency and relevance. Texts are in one piece.

    Raises:
        SourceError: if the file cannot be read.
        ValuesError: if a line is not as published.
    """
    path = _one_file(folder, "summeval.jsonl.gz")
    topics = []
    for number, line in enumerate(_lines_of(path), start=1):
        where = f"{path}, line {number}"
        try:
            data = json.loads(line)
            news = data["cnndm_reference"]
            others = [text for text in data["references"] if text != news]
            systems = sorted(data["systems"], key=lambda name: (len(name), name))  # M2 before M10
            outputs = ((name, data["systems"][name]) for name in systems)
            topic = Topic(
                data["doc_id"],
                (Reference("cnndm", news), *map(Reference, map(str, count(1)), others)),
                tuple(Output(name, each["summary"], each["scores"]) for name, each in outputs),
            )
            topics.append(topic)
        except ValuesError as error:
            raise ValuesError(error.what, where=where, remedy=_REMEDY) from None
        except (ValueError, LookupError, TypeError, AttributeError):
            raise ValuesError("is not as published", where=where, remedy=_REMEDY) from None
    return Testbed("SummEval", "en", "SummEval (Fabbri et al. 2021)", tuple(topics))


_FIELDS = {
    "topic": ("topic", "_id", "id", "query-id", "doc_id"),
    "system": ("system", "model"),
    "output": ("output", "prediction", "hypothesis", "candidate", "generated"),
    "reference": ("reference", "references", "target", "label", "gold", "highlights", "summary"),
}
"""What is read of a table → columns and fields that have it, the first of those that are there."""
_TEXT = ("text", "sentence", "output", "prediction", "reference", "references")
"""Columns with the outputs or references of a file that has nothing else."""


def convert_texts(*files: Path, warn: Callable[[str], None]) -> Testbed:
    """Read texts of one's own: plain, in tables, or in lines of JSON as BEIR and Hugging Face have.

    One table has an output and a reference, or a list of them, in each row, with a topic and a
    system if there are several of either. Of several files the last has references, each other the
    outputs of a system that is called as it; topics are the lines, numbered from 1, or the ids.
    Columns ``human:…`` beside outputs are their human scores.

    Args:
        files: where the texts are.
        warn: told of columns that are not read.

    Raises:
        SourceError: if a file cannot be read.
        ValuesError: if texts are missing, or a system has two outputs of a topic.
    """
    topics: dict[str, tuple[dict[str, None], dict[str, Output]]] = {}
    columns: dict[str, bool] = {}
    lengths = []
    for number, file in enumerate(files, start=1):
        part = "output" if number < len(files) else "reference"
        own = file.name.split(".")[0] if files[1:] else "output"
        fields = {"topic": _FIELDS["topic"], part: _TEXT} if files[1:] else _FIELDS
        rows = list(_own_rows(file, fields, columns))
        lengths.append(0 if any("topic" in row for _, row in rows) else len(rows))
        for line, row in rows:
            topic, system = str(row.get("topic", line)), str(row.get("system", own))
            references, outputs = topics.setdefault(topic, ({}, {}))
            if "output" in row:
                if system in outputs:
                    raise ValuesError(
                        f"system {quote_text(system)} has another output of {quote_text(topic)}",
                        where=f"{file}, line {line:,}",
                        remedy="keep one of them, or give each its id or system",
                    )
                outputs[system] = Output(system, row["output"], row["human"])
            given = row.get("reference") or ()
            references |= dict.fromkeys([given] if isinstance(given, str) else given)
    for file, length in zip(files, lengths, strict=True):
        if length and lengths[-1]:
            _check_length(length, lengths[-1], file, "give as many lines as there are references")
    for topic, found in topics.items():
        for kind in compress(("reference", "output"), (not each for each in found)):
            raise ValuesError(
                f"topic {quote_text(topic)} has no {kind}s",
                where=files[-1],
                remedy="give as many lines or the same ids; " * bool(files[1:])
                + f"columns found are {join_items(columns)}, those read "
                + ", ".join(_TEXT if files[1:] else _FIELDS[kind]),
            )
    if unread := [name for name, is_read in columns.items() if not is_read]:
        warn(f"columns not read: {join_items(unread)}; columns of human scores are {HUMAN}NAME")
    with tables.locate_errors(files[-1]):
        made = (
            Topic(
                topic,
                tuple(map(Reference, map(str, count(1)), references)),
                tuple(outputs.values()),
            )
            for topic, (references, outputs) in topics.items()
        )
        return Testbed(files[-1].name, "en", "texts of one's own", tuple(made))


def _own_rows(
    file: Path, fields: Mapping[str, Sequence[str]], columns: dict[str, bool]
) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a file, by line, as what is read of it; columns become read or not."""
    if file.name.lower().endswith((*tables.TABLES, *tables.OBJECTS)):
        records = tables.records_of(file)
    else:
        records = enumerate(({"text": line} for line in _lines_of(file)), start=1)
    for line, record in records:
        names = {
            kind: name for kind, known in fields.items() for name in known[::-1] if name in record
        }
        row = {kind: record[name] for kind, name in names.items()}
        judged = [name for name in record if name.startswith(HUMAN) and "output" in row]
        remedy = "give a number, or leave it empty"
        row["human"] = {
            name.removeprefix(HUMAN): _number(str(record[name]), file, line, remedy)
            for name in judged
            if record[name] is not None and record[name] != ""
        }
        columns |= {
            name: columns.get(name, False) or name in judged or name in names.values()
            for name in record
        }
        yield line, row


@dataclass(frozen=True, slots=True, eq=False)
class OfficialImprovements:
    """Published significant improvements of systems over others, by people."""

    systems: tuple[str, ...]
    improves: stats.Flags
    """Shape (systems, systems): the row improves the column."""
    unknown: tuple[str, ...]
    """Systems of the table that are not available."""


_CELL = re.compile(r"[-+]?\d*\.?\d*(\**)")
_RUN = re.compile(r"\.\d+$")
"""The number that tables append to a system's name."""
_OFFICIAL = "give the table as WMT publishes it, ad-DA-diff-wilcoxon-rs-….csv"


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
    head, *rows = [line.split() for line in _lines_of(path) if line]
    others = (file for file in sorted(path.parent.glob("*names.csv")) if file.name != path.name)
    names = {called: name for called, name in _names_in(others).items() if name in systems}
    column = {names.get(name, _RUN.sub("", name)): at for at, name in enumerate(head)}
    improves = np.zeros((len(head), len(head)), dtype=np.bool_)
    for at, row in enumerate(rows):
        where = f"{path}, line {at + 2}"
        if at >= len(head) or row[0] != head[at] or len(row) != len(head) + 1:
            raise ValuesError(
                f"{quote_text(' '.join(row))} is not the row of a system",
                where=where,
                remedy=_OFFICIAL,
            )
        for place, cell in enumerate(row[1:]):
            if not (found := _CELL.fullmatch(cell)):
                raise ValuesError(
                    f"{quote_text(cell)} is no difference with stars", where=where, remedy=_OFFICIAL
                )
            improves[at, place] = len(found[1]) >= stars
    if len(rows) != len(head):
        raise ValuesError(
            f"there are {len(rows)} rows for {len(head)} systems", where=path, remedy=_OFFICIAL
        )
    shared = [name for name in systems if name in column]
    if len(shared) < 2:
        raise ValuesError(
            f"it knows {len(shared)} of the {len(systems)} systems",
            where=path,
            remedy="give the table of the same systems",
        )
    places = [column[name] for name in shared]
    return OfficialImprovements(
        tuple(shared),
        improves[np.ix_(places, places)],
        tuple(name for name in column if name not in systems),
    )
