"""WMT21, news from German into English: a topic per line.

Akhbardeh et al., “Findings of the 2021 Conference on Machine Translation (WMT21)”, WMT 2021.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from eval.text.convert.files import lines_of, number_of, one_file, same_length
from eval.text.testbed.records import Output, Reference, Testbed, Topic
from weps._formatting import quote_text
from weps.errors import SourceError, ValuesError

__all__ = ["convert_wmt"]

_PAIR = "de-en"
_CRITERIA = {"RAW.SCR": "system_raw", "Z.SCR": "system_z"}
_REMEDY = "give the set as it was published"

Lines = Mapping[str, list[str]]
"""Name → one text per topic."""
Scores = Mapping[str, Mapping[str, float]]
"""System → criterion → score."""


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


def _texts(folder: Path, kind: str, size: int) -> Lines:
    """All the files ``….de-en.KIND.NAME.en``, by name."""
    found: dict[str, list[str]] = {}
    for path in sorted(folder.glob(f"*.{_PAIR}.{kind}.*.en")):
        name = path.name.split(f".{_PAIR}.{kind}.")[1].removesuffix(".en")
        found[name] = lines_of(path)
        same_length(found[name], size, path)
    if not found:
        raise SourceError(f"*.{kind}.*.en not found", where=folder, remedy=_REMEDY)
    return found


def _scores(folder: Path) -> Scores:
    """Crowd scores of each system; tables call it ``Nemo.7``, its file ``NVIDIA-NeMo``."""
    path = folder / f"ad-sys-scores-{_PAIR}.csv"
    names = _names(folder / f"ad-sys-ranking-{_PAIR}-z-names.csv")
    head, *rows = map(str.split, lines_of(path))
    scores: dict[str, Mapping[str, float]] = {}
    for line, row in enumerate(rows, start=2):
        cells = dict(zip(head, row, strict=False))
        name = names.get(cells.get("SYS", ""))
        if name is None or len(row) != len(head) or not _CRITERIA.keys() <= cells.keys():
            what = f"{quote_text(' '.join(row))} scores no known system"
            raise ValuesError(what, where=f"{path}, line {line:,}", remedy=_REMEDY)
        scores[name] = {
            criterion: number_of(cells[column], path, line)
            for column, criterion in _CRITERIA.items()
        }
    return scores


def _names(path: Path) -> dict[str, str]:
    """The system as tables call it → as its file is called."""
    rows = [line.split() for line in lines_of(path)]
    return {row[-2]: row[-1] for row in rows if len(row) > 1}
