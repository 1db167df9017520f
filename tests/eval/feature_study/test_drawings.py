from collections.abc import Callable, Sequence
from dataclasses import replace
from math import nan

import pytest

from eval.document import Figure
from eval.feature_study import drawings
from eval.feature_study.drawings import (
    additions_figure,
    correlation_figure,
    curves_figure,
    pairs_figure,
    redundancy_figure,
)
from eval.feature_study.findings import Findings
from tests.eval.feature_study.made_up import bound_of, small_findings

FOUND = small_findings()
HEADINGS = {"m0": "words", "m1": "words", "m3": "links"}
FIGURES: list[Callable[[Findings], tuple[Figure, ...]]] = [
    lambda found: curves_figure(found, "key", "Title", ["m0", "m1"], "Note."),
    lambda found: redundancy_figure(found, "key", "Title", HEADINGS, 0.2),
    lambda found: correlation_figure(found, "key", "Title", ["all"], "Note."),
    lambda found: pairs_figure(found, "key", "Title", ["all", "lost"]),
    lambda found: additions_figure(found, "key", "Title"),
]
KINDS = ["curves", "shares", "dots", "bars", "steps"]
drawn = pytest.mark.parametrize("draw", FIGURES, ids=KINDS)


@drawn
def test_a_figure_has_a_picture_with_its_title(
    draw: Callable[[Findings], tuple[Figure, ...]],
) -> None:
    (figure,) = draw(FOUND)
    assert (figure.key, figure.title) == ("key", "Title")
    assert figure.picture is not None
    assert figure.picture.svg.startswith("<")
    assert "Title" in figure.picture.alt


@drawn
def test_nothing_is_drawn_without_matplotlib(
    draw: Callable[[Findings], tuple[Figure, ...]],
    undrawn: None,  # noqa: ARG001 - what it patches counts
) -> None:
    (figure,) = draw(FOUND)
    assert figure.picture is None


def nothing_found() -> Findings:
    """Nothing has a value above 0, no combination and no search."""
    rankings = {
        name: replace(each, curve=each.curve.above(99)) for name, each in FOUND.rankings.items()
    }
    return replace(
        FOUND,
        plan=replace(FOUND.plan, base="m0"),
        rankings=rankings,
        search=replace(FOUND.search, additions=()),
        bounds=(),
    )


@pytest.mark.parametrize("available", [True, False])
def test_there_is_no_figure_of_nothing(available: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawings, "available", lambda: available)
    empty = nothing_found()
    assert [draw(empty) for draw in (FIGURES[0], *FIGURES[2:])] == [()] * 4
    assert redundancy_figure(FOUND, "key", "Title", {"m0": "words"}, 0.2) == ()


def test_what_trees_have_not_judged_is_not_drawn() -> None:
    """Of two instances each is judged by a tree of its own: nothing is compared."""
    unjudged = [bound_of("all", [0.5] * 2, [nan] * 2)]
    some = replace(FOUND, bounds=tuple(unjudged))
    assert correlation_figure(some, "key", "Title", []) == ()
    assert pairs_figure(some, "key", "Title", ["all"]) == ()


def test_curves_without_a_point_are_left_out(given_to) -> None:
    asked = given_to("curves")
    empty = replace(FOUND.rankings["m0"], curve=FOUND.rankings["m0"].curve.above(99))
    some = replace(FOUND, rankings=FOUND.rankings | {"m0": empty})
    assert len(curves_figure(some, "key", "Title", ["m0", "m1"])) == 1
    assert [line.label for line in asked[0]] == ["m1"]


@pytest.fixture
def given_to(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[Sequence[object]]]:
    """What a kind of figure is asked to draw."""

    def listen(kind: str) -> list[Sequence[object]]:
        asked: list[Sequence[object]] = []
        monkeypatch.setattr(drawings, kind, lambda parts, *_, **__: asked.append(parts))
        return asked

    return listen


def test_curves_end_where_nothing_is_ranked(given_to) -> None:
    asked = given_to("curves")
    curves_figure(FOUND, "key", "Title", ["m1", "m0"])
    (lines,) = asked
    assert [(line.label, line.reference) for line in lines] == [("m1", False), ("m0", True)]
    ranked = [value for value in set(FOUND.studied.column("m1").tolist()) if value > 0]
    assert len(lines[0].recall) == len(lines[0].precision) == len(ranked)
    assert 0.0 in FOUND.studied.column("m1")


def test_bars_are_of_all_but_the_base(given_to) -> None:
    asked = given_to("shares")
    redundancy_figure(FOUND, "key", "Title", HEADINGS, None)
    (bars,) = asked
    assert [bar.label for bar in bars] == ["m1", "m3"]


def test_dots_are_the_combinations(given_to) -> None:
    asked = given_to("scatter")
    correlation_figure(FOUND, "key", "Title", ["all"])
    (points,) = asked
    assert [point.label for point in points] == [each.combination.name for each in FOUND.bounds]
    assert [point.label for point in points if point.marked] == ["all"]
    for point, each in zip(points, FOUND.bounds, strict=True):
        assert (point.x, point.y) == (each.max_pwa.pooled, each.tree_pwa.pooled)


def test_pairs_are_of_the_combinations_that_there_are(given_to) -> None:
    asked = given_to("pairs_of_bars")
    pairs_figure(FOUND, "key", "Title", ["lost", "all"])
    (rows,) = asked
    assert [row.label for row in rows] == ["all"]
