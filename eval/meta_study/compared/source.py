"""What a study is given: a testbed whose texts are compared, or a table of similarities."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from eval.instances.wording import among, quoted
from eval.meta_study.compared.computing import compare_testbed
from eval.meta_study.compared.reading import read_compared
from eval.meta_study.compared.records import Compared
from eval.meta_study.material import is_testbed, testbed_of
from eval.text.desk import Tools
from eval.text.running import digest_of
from weps.errors import ValuesError
from weps.expressions import split
from weps.progress import Progress, silent
from weps.sources.messages import listed

__all__ = ["Wanted", "compared"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What of a source is studied."""

    measures: str = ""
    """Between commas: measures and sets for a testbed, columns of a table; empty as usual."""
    criteria: tuple[str, ...] = ()
    """By which people judged; all, if there are none."""
    fewest: int = 2
    """References that a topic needs; topics with fewer are left out."""
    remedy: str = "give topics with more references"
    """What to do if no topic has so many."""
    among_peers: bool = True
    """Whether outputs of a testbed are compared with one another."""


def compared(
    path: Path, wanted: Wanted, tools: Tools, *, jobs: int = 1, progress: Progress = silent
) -> Compared:
    """The similarities of a testbed's texts, or those that a table holds.

    Raises:
        SourceError: if the source cannot be read, or something that measures need is missing.
        ValuesError: if it is faulty, has no such column, or too few references.
        FeatureError: if there is no such measure.
        LanguageError: if a pipeline or a library is missing.
    """
    if is_testbed(path):
        found = _of_testbed(path, wanted, tools, jobs, progress)
    else:
        found = _of_table(path, wanted)
    return _judged_by(found, wanted.criteria)


def _of_testbed(
    path: Path, wanted: Wanted, tools: Tools, jobs: int, progress: Progress
) -> Compared:
    testbed, measures = testbed_of(path, wanted.measures, tools)
    sizes = {each.topic: len(each.references) for each in testbed.topics}
    kept, left_out = _enough(sizes, wanted, path)
    part = replace(testbed, topics=tuple(each for each in testbed.topics if each.topic in kept))
    topics = compare_testbed(
        part, measures, tools, among_peers=wanted.among_peers, jobs=jobs, progress=progress
    )
    empty = len(part.empty_outputs)
    many = f"{empty:,} output{' is' if empty == 1 else 's are'} empty: like nothing but empty ones."
    remarks = [many] if empty else []
    return Compared(
        testbed.name,
        tuple(map(str, measures)),
        testbed.criteria,
        topics,
        (*remarks, *_told(left_out, wanted.fewest)),
        f"testbed:sha256-{digest_of(testbed)[:8]}",
    )


def _of_table(path: Path, wanted: Wanted) -> Compared:
    read = read_compared(path, split(wanted.measures) if wanted.measures else ())
    sizes = {each.topic: len(each.references) for each in read.topics}
    kept, left_out = _enough(sizes, wanted, path)
    topics = tuple(each for each in read.topics if each.topic in kept)
    remarks = tuple(_told(left_out, wanted.fewest))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:8]
    measures, criteria = read.measures, read.criteria
    return Compared(path.name, measures, criteria, topics, remarks, f"table:sha256-{digest}")


def _enough(sizes: dict[str, int], wanted: Wanted, path: Path) -> tuple[set[str], list[str]]:
    """The topics that have references enough, and those that have not.

    Raises:
        ValuesError: if none has.
    """
    left_out = [topic for topic, size in sizes.items() if size < wanted.fewest]
    if len(left_out) == len(sizes):
        most = max(sizes.values())
        what = f"{wanted.fewest} references are needed, and no topic has more than {most}"
        raise ValuesError(what, where=path, remedy=wanted.remedy)
    return sizes.keys() - set(left_out), left_out


def _told(left_out: Sequence[str], fewest: int) -> Iterator[str]:
    if left_out:
        names = listed(map(quoted, left_out))
        yield f"Left out, because they have fewer than {fewest} references: topics {names}."


def _judged_by(found: Compared, criteria: Sequence[str]) -> Compared:
    if not criteria:
        return found
    for name in criteria:
        if name not in found.criteria:
            what = f"there is no criterion {quoted(name)}"
            raise ValuesError(what, remedy=among(name, found.criteria))
    places = [found.criteria.index(name) for name in criteria]
    topics = tuple(replace(each, human=each.human[places]) for each in found.topics)
    return replace(found, criteria=tuple(criteria), topics=topics)
