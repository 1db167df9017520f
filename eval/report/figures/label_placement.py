"""A board that knows where there is room for a label. Lengths are in points.

Where along its line a label is best understood.

Where the labels of a figure go: near what they name, clear of everything else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import maximum_filter

__all__ = ["Board", "Place", "Reach", "Wish", "anchors", "arrange", "walked"]

_APART = 9.0
"""How far a line is from the others where nobody takes one for another."""
_INSIDE, _BESIDE_THE_END = 12.0, 20.0
"""What an anchor within a line is worse than its end, and what more if a dot is there."""
_DOUBT = 2.0
"""What it is worse, times the square of how much nearer another line is."""

Points = NDArray[np.float64]


def anchors(paths: Sequence[Points], number: int, ends: bool) -> tuple[Points, Points]:
    """Points of a line and what speaks against them: that others are near, or a better end.

    Args:
        paths: shape (points, 2) each, the lines as they are drawn.
        number: of the line.
        ends: whether it ends in a dot, of which there is no doubt.
    """
    points, *others = [paths[number], *paths[:number], *paths[number + 1 :]]
    costs = np.full(len(points), _INSIDE)
    costs[-1] = 0
    if others:
        near = np.maximum(_APART - _distance(points, np.concatenate(others)), 0)
        costs += _DOUBT * near**2
    if ends:
        costs[:-1] += _BESIDE_THE_END
        costs[-1] = 0
    return points, costs


def _distance(points: Points, others: Points) -> Points:
    """Shape (points,): how far each is from the nearest of the others."""
    apart = points[:, np.newaxis] - others
    return np.asarray(np.hypot(apart[..., 0], apart[..., 1]).min(axis=1))


_CELL = 2.0
_GAP = 3.0
"""Kept free around a label."""
_TAKEN = 1e6
"""Ink of a cell that a label has; more than any detour costs."""
_COVERING, _CROSSING = 50.0, 30.0
"""What a cell of ink under a label, or under its leader, is worth in points of distance."""
_LEADER = 4.0
"""Ink of a leader; that of a curve is 1."""
_DOT = 3.0
"""Half the side of a marker."""
_STEPS = 40
_FIRST = 300
"""Places whose leader is followed in any case, cheapest first."""


@dataclass(frozen=True, slots=True, eq=False)
class Wish:
    """A label that needs a place."""

    width: float
    height: float
    anchors: Points
    """Shape (anchors, 2): points that the label may stand for."""
    costs: Points
    """Shape (anchors,): how much farther than it is each anchor counts."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a label stands, and the leader from it to what it names."""

    left: float
    bottom: float
    height: float
    anchor: tuple[float, float]
    near: tuple[float, float]
    """The leader's end at the label."""
    cost: float
    """How much ink it covers and crosses, and how far it is, in points."""


@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """The places that a label can have, before anything is drawn; first axis: places."""

    corners: Points
    """Lower left ones."""
    anchors: Points
    """The best one for each place."""
    near: Points
    """Of the label, to the anchor."""
    costs: Points


@dataclass(slots=True, eq=False)
class Board:
    """A rectangle for labels, and how much ink is on each of its cells."""

    left: float
    bottom: float
    right: float
    top: float
    _ink: Points = field(init=False)

    def __post_init__(self) -> None:
        """Start with a clean board."""
        shape = (self.top - self.bottom) / _CELL, (self.right - self.left) / _CELL
        self._ink = np.zeros((int(shape[0]), int(shape[1])))

    def draw(self, path: Points, ink: float = 1.0) -> None:
        """Add ink along a path, shape (points, 2)."""
        rows, columns = self._cells(walked(path, _CELL / 2))
        cells = np.unique(rows * self._ink.shape[1] + columns)
        self._ink.ravel()[cells] += ink

    def fill(self, left: float, bottom: float, right: float, top: float, ink: float) -> None:
        """Add ink to a rectangle."""
        rows, columns = self._cells(np.array([[left, bottom], [right, top]]))
        self._ink[rows[0] : rows[1] + 1, columns[0] : columns[1] + 1] += ink

    def dot(self, x: float, y: float) -> None:
        """Add the ink of a marker."""
        self.fill(x - _DOT, y - _DOT, x + _DOT, y + _DOT, 1.0)

    def reach(self, wish: Wish) -> Reach:
        """Every place that a label can have, and how far it is from what it names."""
        rows, columns = np.indices(self._covered(wish).shape).reshape(2, -1)
        left = self.left + columns * _CELL + _GAP
        bottom = self.bottom + rows * _CELL + _GAP
        x, y = wish.anchors.T[:, :, np.newaxis]
        aside = np.maximum(np.maximum(left - x, x - left - wish.width), 0)
        far = np.hypot(aside, bottom + wish.height / 2 - y) + wish.costs[:, np.newaxis]
        anchors = wish.anchors[far.argmin(axis=0)]
        corners = np.stack([left, bottom], axis=1)
        near = np.clip(anchors, corners, corners + np.array([wish.width, wish.height]))
        return Reach(corners, anchors, near, far.min(axis=0))

    def find(self, wish: Wish, reach: Reach) -> Place:
        """The best place for a label: little ink below it, a short leader that crosses little."""
        costs = reach.costs + _COVERING * self._covered(wish).ravel()
        order = np.argsort(costs, kind="stable")
        bound = self._whole(costs, reach, order[:_FIRST]).min()
        # What costs more than that before its leader is followed cannot be better.
        looked_at = order[: max(_FIRST, int(np.searchsorted(costs[order], bound)))]
        whole = self._whole(costs, reach, looked_at)
        best = looked_at[whole.argmin()]
        (x, y), anchor, near = (
            tuple(points[best].tolist()) for points in (reach.corners, reach.anchors, reach.near)
        )
        return Place(x, y, wish.height, anchor, near, float(whole.min()))

    def take(self, wish: Wish, place: Place, sign: int = 1) -> None:
        """Take (1) or give back (-1) the cells of a label and of its leader."""
        right, top = place.left + wish.width, place.bottom + wish.height
        self.fill(place.left, place.bottom, right, top, sign * _TAKEN)
        self.draw(np.array([place.anchor, place.near]), sign * _LEADER)

    def _covered(self, wish: Wish) -> Points:
        """The ink below a label and its gap, for every place that it can have."""
        lengths = (wish.height + 2 * _GAP, wish.width + 2 * _GAP)
        rows, columns = (int(np.ceil(length / _CELL)) + 1 for length in lengths)
        sums = np.pad(self._ink, ((1, 0), (1, 0))).cumsum(axis=0).cumsum(axis=1)
        strips = sums[rows:] - sums[:-rows]
        return np.asarray(strips[:, columns:] - strips[:, :-columns])

    def _whole(self, costs: Points, reach: Reach, chosen: NDArray[np.intp]) -> Points:
        """Shape (chosen,): the costs of places with what their leaders cross."""
        starts, ends = reach.anchors[chosen], reach.near[chosen]
        return costs[chosen] + _CROSSING * self._crossed(starts, ends)

    def _crossed(self, starts: Points, ends: Points) -> Points:
        """Shape (leaders,): the ink that straight leaders cross, without the anchor's own."""
        thick = maximum_filter(self._ink, 3)  # so that no step of a leader is over a line
        along = np.linspace(0, 1, _STEPS)[:, np.newaxis]
        lengths = np.hypot(*(ends - starts).T)
        rows, columns = self._cells(starts + along[..., np.newaxis] * (ends - starts))
        beyond = along * lengths > 3 * _CELL
        return np.asarray((thick[rows, columns] * beyond).mean(axis=0) * lengths / (3 * _CELL))

    def _cells(self, points: Points) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Rows and columns of points; those outside belong to the border."""
        columns = ((points[..., 0] - self.left) / _CELL).astype(np.intp)
        rows = ((points[..., 1] - self.bottom) / _CELL).astype(np.intp)
        height, width = self._ink.shape
        return rows.clip(0, height - 1), columns.clip(0, width - 1)


def walked(path: Points, stride: float) -> Points:
    """Shape (points, 2): points along a path at equal distances, not above the stride."""
    reached = np.concatenate(([0.0], np.hypot(*np.diff(path, axis=0).T).cumsum()))
    along = np.linspace(0, reached[-1], 2 + int(reached[-1] / stride))
    return np.stack([np.interp(along, reached, path[:, axis]) for axis in (0, 1)], axis=1)


_ATTEMPTS, _ROUNDS = 6, 5


def arrange(board: Board, wishes: Sequence[Wish]) -> list[Place]:
    """A place for every label, none on another: the cheapest of several attempts.

    Who was worst off in the attempts so far is the first to choose in the next; in each, all
    choose again once the others stand.
    """
    reaches = [board.reach(wish) for wish in wishes]
    attempts: list[list[Place]] = []
    suffered = np.zeros(len(wishes))
    for _ in range(_ATTEMPTS):
        order = np.argsort(-suffered, kind="stable").tolist()
        attempts.append(_attempt(board, wishes, reaches, order))
        suffered += [place.cost for place in attempts[-1]]
    return min(attempts, key=lambda places: sum(place.cost for place in places))


def _attempt(
    board: Board, wishes: Sequence[Wish], reaches: Sequence[Reach], order: Sequence[int]
) -> list[Place]:
    """Places chosen in that order until all are content; the board is left as it was."""
    places: dict[int, Place] = {}
    for _ in range(_ROUNDS):
        before = dict(places)
        for number in order:
            if number in places:
                board.take(wishes[number], places[number], -1)
            places[number] = board.find(wishes[number], reaches[number])
            board.take(wishes[number], places[number])
        if places == before:
            break
    for number, place in places.items():
        board.take(wishes[number], place, -1)
    return [places[number] for number in range(len(wishes))]
