"""Where the labels of a figure go: near what they name, clear of everything else."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from eval.figures.board import Board, Place, Reach, Wish

__all__ = ["arrange"]

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
