"""The paper's tables with our figures beside the paper's, and two of our own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isnan

from eval.document import Table
from eval.judging.numerals import signed_between
from eval.refinement_study import paper
from eval.refinement_study.findings import Findings
from eval.refinement_study.looked_up import LOOKED_UP
from eval.refinement_study.outcomes import (
    AGGREGATES,
    FURTHER,
    SIZES,
    SUGGESTED,
    UNREFINED,
    Outcome,
    Person,
    in_pages,
)
from eval.refinement_study.wins import win_share

__all__ = ["hardest_table", "kinds_tables", "together_tables", "typed_table", "wins_table"]

_FIGURES = ["F", "precision", "recall", "cover"]
_HEADING = ["", *_FIGURES, *(f"{each}, paper" for each in _FIGURES)]
_TYPED = (UNREFINED, "best-ae", LOOKED_UP, SUGGESTED, "best-all")


def kinds_tables(findings: Findings) -> list[Table]:
    """Tables 1 to 3: every kind by itself, people by size."""
    return [
        _table(findings, size, number, [*_by_itself(size), *FURTHER])
        for number, size in enumerate(SIZES, start=1)
    ]


def together_tables(findings: Findings) -> list[Table]:
    """Tables 4 to 6: the best of several kinds."""
    return [
        _table(findings, size, number, AGGREGATES)
        for number, size in enumerate(SIZES, start=len(SIZES) + 1)
    ]


def wins_table(findings: Findings) -> Table:
    """Table 7: which attribute gives the best one."""
    won = {size: findings.wins(size) for size in SIZES}
    rows = [
        [kind, *(_percent(win_share(won[size], [kind], findings.names).value) for size in SIZES)]
        + [f"{theirs:.2f}" for theirs in paper.WINS[kind]]
        for kind in paper.WINS
    ]
    ours = ", ".join(str(len(each)) for each in won.values())
    theirs = ", ".join(map(str, paper.ALL_WINS.values()))
    return Table(
        "table-7",
        "Table 7: attributes that give the best one, per cent of wins",
        [["", *SIZES, *(f"{size}, paper" for size in SIZES)], *rows],
        f"Where several tie, each of them wins: {ours} wins here, {theirs} in the paper, of which "
        "its percentages are whole numbers.",
    )


def typed_table(findings: Findings) -> Table:
    """What somebody could type, next to what is best."""
    rows = [
        [f"{kind}, {in_pages(size)}", *_ours(findings, kind, size), _behind(findings, kind, size)]
        for size in SIZES
        for kind in _TYPED
        if kind in findings.kinds
    ]
    return Table(
        "typed",
        "What somebody could type",
        [["", *_FIGURES, "F − best-all"], *rows],
        f"{UNREFINED}: no refinement, all pages are returned. {LOOKED_UP}: the values of the "
        "attributes annotated on the person's pages, on all pages whose text has them. "
        f"{SUGGESTED}: the word or name that weps shows for the person, on all pages that have it "
        "in text, title or snippet; there is none where it would do no better than the name alone. "
        "The last column compares people who have both; in brackets its 95 % interval, "
        "bootstrapped over names.",
    )


def hardest_table(findings: Findings, most: int = 40) -> Table:
    """People with several pages whose best refinement is worst."""
    several = (person for person in findings.people if person.size != SIZES[0])
    known = [(best.f, person) for person in several if (best := person.found["best-all"])]
    rows = [
        _person_row(person)
        for _, person in sorted(known, key=lambda each: (each[0], each[1].name, each[1].ranks))
    ]
    heading = ["name", "person", "pages", "F", "precision", "recall", "ties", "best refinement"]
    heading += ["best attribute", "its F", "suggested", "its F"]
    return Table(
        "hardest",
        "People with two pages or more, the hardest first",
        [heading, *rows[:most]],
        "Of several that are equally good one is told.",
        left=2,
    )


def _by_itself(size: str) -> Iterator[str]:
    """The kinds of Tables 1 to 3 in the paper's order."""
    return (kind for kind in paper.FIGURES[size] if kind not in AGGREGATES)


def _table(findings: Findings, size: str, number: int, kinds: Iterable[str]) -> Table:
    rows = [[kind, *_ours(findings, kind, size), *_theirs(kind, size)] for kind in kinds]
    people = len(findings.by_size[size])
    return Table(
        f"table-{number}",
        f"Table {number}: people with {in_pages(size)}",
        [_HEADING, *rows],
        f"{people} people here, {paper.PEOPLE[size]} in the paper{_annotated(findings, size)}.",
    )


def _annotated(findings: Findings, size: str) -> str:
    """How many of the people have names with annotated attributes, if not all."""
    studied = findings.figures("best-ae", size).studied
    if studied in (0, len(findings.by_size[size])):
        return ""
    return f"; attributes were annotated for the names of {studied}"


def _ours(findings: Findings, kind: str, size: str) -> list[str]:
    found = findings.figures(kind, size)
    return [_two(each.value) for each in (found.f, found.precision, found.recall, found.coverage)]


def _theirs(kind: str, size: str) -> list[str]:
    found = paper.FIGURES[size].get(kind)
    return [_two(each) for each in found] if found else [""] * len(_FIGURES)


def _behind(findings: Findings, kind: str, size: str) -> str:
    return "" if kind == "best-all" else signed_between(findings.ahead(kind, "best-all", size))


def _person_row(person: Person) -> list[str]:
    best = person.found["best-all"]
    told = [_two(best.f), _two(best.precision), _two(best.recall)] if best else [""] * 3
    ties = sum(each.ties for kind in person.tied_for("best-all") if (each := person.found[kind]))
    return [
        person.name.replace("_", " "),
        person.label,
        str(len(person.ranks)),
        *told,
        str(ties),
        *_told(best)[:1],
        *_told(person.found.get("best-ae")),
        *_told(person.found.get(SUGGESTED)),
    ]


def _told(best: Outcome | None) -> list[str]:
    return [best.examples[0], _two(best.f)] if best else ["", ""]


def _two(value: float) -> str:
    """Two decimals, as in the paper; a dash if it is not known."""
    return "–" if isnan(value) else f"{value:.2f}"


def _percent(share: float) -> str:
    return "–" if isnan(share) else f"{100 * share:.2f}"
