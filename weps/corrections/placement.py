"""Corrections that change only what they name: every other page keeps its companions.

Without corrections the answer is the model's: a dendrogram, and the number of merges kept. Pages
that corrections name are placed anew in it; all others stay where the model has them.

- A *unit* is what goes together: pages said to be one person, with their near-duplicates that no
  correction names, if these were with them.
- A unit stays with the person of one of its pages: rather of one that no *move* or *split* takes
  away; rather of one who has other pages; rather where more of its pages are; and rather of the
  page that fits best, by the mean probability of its pairs with the person's other pages. So of two
  pages said to be one person, the one that fits less goes to the person of the other.
- Of units that must not be with one person, the one with most claim to that by the same order
  stays. Those that leave one person stay together unless they must not.
- A page that is put back goes to the person to whom it most probably belongs, if that is as
  probable as the last merge kept; else it is alone.
- A page that a user sets aside leaves when all others have their places, and moves none.
- A *join* unites the people of its pages. If other corrections keep these people apart, the page
  with less claim goes to the person of the other.

A *same* that is so without it, as the model or others have it, changes nothing, nor does a
*confirm*. Those that are not so are followed: *same* first, of *confirm* those of few pages first.

So the order of corrections does not matter. Merges within units come first, then those of the model
in its order and with its probabilities: a unit is where the page is by which it stays. A unit that
leaves merges with nobody, and of two people who must not be together the smaller one merges no
further. So other pages keep their companions at other numbers of merges, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import count, islice

import numpy as np
from numpy.typing import NDArray

from weps.clustering.dendrogram import ClusterMerge, Dendrogram, explain_merges
from weps.corrections.edits import build_constraints
from weps.corrections.model import Correction, Corrections, excluded_pages
from weps.similarity.columns import Vector, condensed_part, square_matrix

Rows = NDArray[np.int64]
_Claim = tuple[tuple[bool, bool, int, float], int, int]
"""The claim of a unit to a person: its strength, in the order above, the person, and the row of the
unit that has it."""


_AGREEING = ("same", "confirm")
"""Kinds that say no more than that pages are one person."""


def _turn(entry: Correction) -> tuple[bool, int]:
    """When a correction is followed that is not so without it, the least first."""
    return entry.kind == "confirm", len(entry.same) if entry.kind == "confirm" else 0


def place_corrected(  # noqa: PLR0913, PLR0917 - the model's answer, and all that changes it
    model: Dendrogram,
    kept: int,
    places: Rows,
    corrections: Corrections,
    probability: Vector,
    ranks: Sequence[int],
    preference: Vector | None = None,
    copies: Sequence[Sequence[int]] = (),
) -> tuple[Dendrogram, int]:
    """The model's dendrogram with corrected pages in their places, and its merges to keep.

    Args:
        model: the dendrogram without corrections.
        kept: number of its merges that make the model's answer.
        places: shape (rows of the model's dendrogram,): for each its row among the n.
        corrections: of the name.
        probability: shape (n(n-1)/2,), the model's, condensed.
        ranks: of the n rows, with those that the corrections set aside, which what is returned has
            not.
        preference: same shape as the probability, see :class:`weps.clustering.dendrogram.Linkage`.
        copies: ranks of each group of near-duplicates.

    Raises:
        CorrectionsError: if corrections contradict one another.
    """
    excluded = excluded_pages(corrections.entries)
    shown = np.flatnonzero([rank not in excluded for rank in ranks])
    square = square_matrix(probability, len(ranks))

    def begun(entries: Sequence[Correction], rows: Rows) -> _Placement:
        at = np.where(np.isin(places, rows), np.searchsorted(rows, places), -1)
        followed, own = replace(corrections, entries=tuple(entries)), [ranks[row] for row in rows]
        placement = _Placement(model, kept, at, followed, own)
        placement.follow_copies(copies)
        return placement

    waiting = {each for each in corrections.entries if each.kind in _AGREEING}
    while True:
        placed = begun(
            [each for each in corrections.entries if each not in waiting], np.arange(len(ranks))
        )
        placed.place_units(square)
        broken = {each for each in waiting if not placed.has_together(each.same)}
        if not broken:
            break
        first = min(map(_turn, broken))
        waiting -= {each for each in broken if _turn(each) == first}
    placement = begun(corrections.entries, shown)
    placement.labels, placement.attached = placed.labels[shown], placed.attached[shown]
    found, required, allowed = placement.merges()
    constraints = build_constraints(corrections, placement.ranks)
    every = [probability, *([] if preference is None else [preference])]
    probability, *preferred = (condensed_part(each, shown, len(ranks)) for each in every)
    levels = np.array([level for _, _, level in found], dtype=np.float64)
    kept = len(shown) - len(np.unique(placement.labels))
    return Dendrogram(
        len(shown),
        constraints.apply(probability),
        tuple(
            explain_merges(
                found, levels, [constraints.cannot_link, probability, *preferred], len(shown)
            )
        ),
        required,
        allowed,
        None if model.fixed_merges is None else kept,
    ), kept


class _Placement:
    """The people of n rows; arrays have the shape (n,) if nothing else is said."""

    def __init__(
        self,
        model: Dendrogram,
        kept: int,
        places: Rows,
        corrections: Corrections,
        ranks: Sequence[int],
    ) -> None:
        self.model, self.kept, self.places, self.ranks = model, kept, places, ranks
        entries, constraints = corrections.entries, build_constraints(corrections, ranks)
        unjoined = tuple(each for each in entries if each.kind != "join")
        self.units = build_constraints(replace(corrections, entries=unjoined), ranks).components
        """Number of the unit."""
        self.components = constraints.components.copy()
        """Number of the units that must be together with it, itself among them."""
        self.conflicts = constraints.conflicts
        """Shape (components, components): whether they must not be together."""
        self.put_back = ~np.isin(np.arange(len(ranks)), places)
        """Whether the model sets the page aside."""
        placing = {rank for each in entries if each.same or each.different for rank in each.ranks}
        self.named = self.put_back | np.isin(ranks, [*placing])
        """Whether corrections say where the page belongs."""
        self.taken = self.put_back.copy()
        """Whether they take it away from where it is."""
        self.labels = np.arange(len(ranks))
        """The person: in the model's answer at first, where a page put back is alone."""
        for cluster in model.clusters(kept):
            present = places[cluster][places[cluster] >= 0]
            self.labels[present] = present.min(initial=len(ranks))
        for pages, others in (e.different for e in entries if e.kind in {"move", "split"}):
            left = self.labels[np.isin(ranks, others)]
            self.taken |= np.isin(ranks, pages) & np.isin(self.labels, left)

    def has_together(self, ranks: Sequence[int]) -> bool:
        """Whether the pages of these ranks, as far as they are among the rows, are one person."""
        return len({*self.labels[np.isin(self.ranks, ranks)].tolist()}) < 2

    def follow_copies(self, copies: Sequence[Sequence[int]]) -> None:
        """Make near-duplicates of named pages with the same person parts of their units."""
        for group in copies:
            rows = np.flatnonzero(np.isin(self.ranks, group))
            for row in rows[~self.named[rows]].tolist():
                with_it = rows[self.named[rows] & (self.labels[rows] == self.labels[row])]
                for each in (self.units, self.components, self.taken):
                    each[row] = each[[*with_it, row][0]]

    def place_units(self, square: NDArray[np.floating]) -> None:
        """Give every unit a person, the strongest claims first.

        Args:
            square: shape (n, n), probabilities of pairs.
        """
        self.attached = ~np.isin(self.units, self.units[self.named])
        """Whether the page is where the model has it."""
        now, unused = np.arange(2 * len(self.labels)), count(len(self.labels))
        within, left = defaultdict[int, list[int]](list), defaultdict[int, list[int]](list)
        home_of: dict[int, int] = {}  # component -> label
        claims = [self._claims(unit, square) for unit in np.unique(self.units[self.named]).tolist()]
        for own in sorted(claims, key=lambda own: (own[0][0], -own[0][-1]), reverse=True):
            _, first, row = own[0]
            component = int(self.components[row])
            wanted = now[[*(label for _, label, _ in own), *left[first]]].tolist()
            free = (each for each in wanted if not self.conflicts[component, within[each]].any())
            if (label := next(free, -1)) < 0:
                label = next(unused)
                left[first].append(label)
            home = int(now[home_of.get(component, label)])
            if home != label and not self.conflicts[np.ix_(within[home], within[label])].any():
                within[home] += within.pop(label)
                now[now == label] = home
            home_of[component] = home
            within[home].append(component)
            self.labels[self.units == self.units[row]] = home
            self.attached[[at for _, each, at in own if now[each] == home][:1]] = True
        self.labels = now[self.labels]

    def _claims(self, unit: int, square: NDArray[np.floating]) -> list[_Claim]:
        """The claims of a unit to people, the strongest first."""
        rows, claims = np.flatnonzero(self.units == unit), list[_Claim]()
        for label in np.unique(self.labels[rows]).tolist():
            own, others = rows[self.labels[rows] == label], self.labels == label
            several = int(others.sum()) > 1
            others[own] = False
            fit = square[own][:, others].mean(axis=1) if others.any() else np.zeros(len(own))
            stays = ~self.taken[own]
            strength = bool(stays.any()), several, int(stays.sum()), float(fit.max())
            claims.append((strength, label, int(own[(2 * stays + fit).argmax()])))
        if self.put_back[rows].all():
            sums, pages = (
                np.bincount(self.labels, square[rows].mean(axis=0)),
                np.bincount(self.labels),
            )
            near = np.where(
                np.isin(np.arange(len(sums)), self.labels[rows]), -1, sums / pages.clip(1)
            )
            if (most := float(near.max())) >= [1.0, *self.model.levels][self.kept]:
                claims.append(((False, True, 0, most), int(near.argmax()), int(rows[0])))
        return sorted(claims, key=lambda claim: (claim[0], -claim[1]), reverse=True)

    def merges(self) -> tuple[list[ClusterMerge], int, int]:
        """All merges, and how many of them are required and are allowed."""
        root, found = np.arange(len(self.labels)), list[ClusterMerge]()
        if not len(root):  # all pages are set aside
            return found, 0, 0

        def merge(rows: Rows | list[int], level: float) -> None:
            first, *others = np.unique(root[rows]).tolist()
            found.extend((first, other, level) for other in others)
            root[np.isin(root, others)] = first

        for component in np.unique(self.components[self.named]):
            merge(np.flatnonzero(self.components == component), 1.0)
        required = len(found)
        heads = np.where(self.attached[self.places], self.places, -1)
        steps = zip(self.model.levels.tolist(), self.model.merged_pairs(), strict=True)
        for kept in (self.kept, None):
            for level, (larger, smaller) in islice(steps, kept):
                one, other = heads[[larger[0], smaller[0]]].tolist()
                heads[larger[0]] = max(one, other) if min(one, other) < 0 else one
                sides = [self.components[root == root[each]] for each in (one, other)]
                if min(one, other) >= 0 and not self.conflicts[np.ix_(*sides)].any():
                    merge([one, other], level)
            for label in np.unique(self.labels):  # who left together, and who is back
                merge(np.flatnonzero(self.labels == label), found[-1][2] if found else 1.0)
        allowed = len(found)
        merge(np.arange(len(root)), 0.0)
        return found, required, allowed
