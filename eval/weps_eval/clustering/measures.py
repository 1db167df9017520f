"""Extended B-Cubed, the other measures of a clustering, baselines, and the official WePS scorers.

Clusterings, which may overlap, are arrays: the groups of each item, as labels or as a sparse
matrix. B-Cubed and the pair counts are sums over neighbours: for an item e, the sum over all items
e' (e' = e included) of a function of c, the number of answer groups that contain both, and k, the
number of key groups that do. Items in the same groups have the same sums, so what would run over
items runs over their distinct signatures. One sparse product of membership matrices gives c and k
of every pair of signatures that shares a group. Where groups do not overlap, the contingency table
is enough.

Purity and inverse purity are how much of each group its best counterpart covers; pair measures
count pairs that are together or apart in the answer and in the key. Tables and the JSON of
``evaluate`` are made from this registry. The scorers differ in how they align answer and key;
scores of many names are averaged, with a signature that states how they were computed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from statistics import fmean, stdev
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np
import scipy  # its parts are slow to import, and one answer without overlap needs none
from numpy.typing import ArrayLike, NDArray

from weps._version import VERSION
from weps.errors import FeatureError, KeyFileError, ValuesError
from weps.records import Clustering
from weps.sources.base import Source
from weps_eval.stats import Flags, Floats, Ints, as_array, safe_divide

Groups: TypeAlias = Sequence[frozenset[int]]
Membership: TypeAlias = Any
"""A scipy CSR array of shape (items, groups), int64, 1 where the item stands in the group."""


_MISSING = {"None", "nan", "<NA>", "NaT"}


def _label_vector(labels: ArrayLike) -> Ints:
    """Check a clustering into disjoint groups: one integer per item, negative for no group.

    Labels that are no integers, such as names, are numbered.
    """
    vector = as_array(labels, "labels")
    if vector.dtype.kind in "fO" and any(
        str(each) in _MISSING and not isinstance(each, str) for each in vector.flat
    ):
        raise KeyFileError(
            "labels are missing (None or NaN)",
            where="labels",
            remedy="give -1 to items in no group, a label to every other",
        )
    vector = vector.astype(str) if vector.dtype == object else vector
    if vector.ndim == 1 and len(vector) and not np.issubdtype(vector.dtype, np.integer):
        return np.unique(vector, return_inverse=True)[1].astype(np.int64, copy=False)
    if vector.ndim != 1 or not np.issubdtype(vector.dtype, np.integer):
        raise KeyFileError(
            f"labels of shape {vector.shape} and type {vector.dtype}",
            where="clustering",
            remedy="give one integer per item, or a sparse matrix of items by groups",
        )
    return vector.astype(np.int64, copy=False)


def _is_sparse(clusters: object) -> bool:
    return hasattr(clusters, "tocsr")


def _as_membership(clusters: ArrayLike | Membership) -> Membership:
    """The CSR array of a clustering given as labels or as sparse matrix (items, groups).

    Equal labels are one group and a negative label means no group; in a matrix, what is not 0
    counts as 1.
    """
    if _is_sparse(clusters):
        matrix = scipy.sparse.csr_array(clusters, copy=True)
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
        matrix.data = np.ones(matrix.nnz, dtype=np.int64)
        return matrix
    labels = _label_vector(clusters)
    present = labels >= 0
    names, columns = np.unique(labels[present], return_inverse=True)
    return _binary(np.flatnonzero(present), columns, (len(labels), len(names)))


def _from_groups(answer: Groups, key: Groups) -> tuple[Membership, Membership]:
    """Both clusterings over the same rows: the items of either, in ascending order."""
    sizes = sum(map(len, answer)), sum(map(len, key))
    flat = np.fromiter(chain.from_iterable((*answer, *key)), np.int64, sum(sizes))
    items, rows = np.unique(flat, return_inverse=True)
    in_answer, in_key = np.split(rows, sizes[:1])
    return _over_rows(answer, in_answer, len(items)), _over_rows(key, in_key, len(items))


def _labels(groups: Groups) -> dict[int, int] | None:
    """Item → number of its group, None where an item stands in several."""
    labels = {item: number for number, group in enumerate(groups) for item in group}
    return labels if len(labels) == sum(map(len, groups)) else None


def _check_items(answer_items: int, in_key: Flags) -> None:
    """Raise KeyFileError unless the key, which holds these items, can score the answer."""
    if answer_items != len(in_key):
        raise KeyFileError(
            f"{answer_items} items in the answer, {len(in_key)} in the key",
            where="clustering",
            remedy="give both over the same items in the same order",
        )
    if not in_key.any():
        raise KeyFileError("no item in any group", where="key", remedy="leave this name out")


def _binary(rows: Ints, columns: Ints, shape: tuple[int, int]) -> Membership:
    return scipy.sparse.csr_array((np.ones(len(columns), dtype=np.int64), (rows, columns)), shape)


def _over_rows(groups: Groups, rows: Ints, items: int) -> Membership:
    columns = np.repeat(np.arange(len(groups)), list(map(len, groups)))
    return _binary(rows, columns, (items, len(groups)))


_PAIRS = 1_000_000
"""Pairs of signatures that are held at a time."""
_WHOLE = 2520
"""The least common multiple of 1 to 10: times this, the shares of items in up to ten groups are
whole numbers, their sums exact, and a perfect answer scores 1 and not 0.9999999999999999."""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """For one item of each signature, sums over all items that share a group with it, and itself.

    A signature is the answer groups and key groups of an item. With c answer groups and k key
    groups in common with the other item. Arrays of shape (signatures,).
    """

    items: Floats
    """Number of items with the signature."""
    correct: Floats
    """Σ min(c, k) / c: what the answer puts together and the key bears out."""
    found: Floats
    """Σ min(c, k) / k: what the key puts together and the answer has."""
    in_answer: Floats
    """Number of items that share an answer group with it."""
    in_key: Floats
    """Number of items that share a key group."""
    in_both: Floats
    """Number of items that share one of each."""

    @classmethod
    def of(cls, answer: Membership, key: Membership) -> Self:
        """Count the neighbours of the items that the key holds.

        Raises KeyFileError where the two have different numbers of rows or the key holds no item.
        """
        in_key = np.diff(key.indptr) > 0
        _check_items(answer.shape[0], in_key)
        every = scipy.sparse.hstack([answer, key], format="csr")[in_key]
        every.sort_indices()
        _, first, counts = np.unique(_set_ids(every), return_index=True, return_counts=True)
        groups, weights, split = every[first], counts.astype(np.float64), answer.shape[1]
        # One product gives both counts: key groups weigh more than all answer groups together.
        bits, scaled = split.bit_length(), groups.copy()
        scaled.data = np.where(groups.indices < split, 1, 1 << bits).astype(np.int64)
        sums, ends = np.zeros((5, len(weights))), np.cumsum(groups @ groups.sum(axis=0))
        blocks = np.flatnonzero(np.diff(ends // _PAIRS)) + 1
        for rows in np.split(np.arange(len(weights)), blocks):
            pairs = groups[rows] @ scaled.T
            c, k = pairs.data & ((1 << bits) - 1), pairs.data >> bits
            alike = _WHOLE * np.minimum(c, k)
            shares = alike / np.maximum(c, 1), alike / np.maximum(k, 1)
            for total, terms in zip(sums, (*shares, c > 0, k > 0, (c > 0) & (k > 0)), strict=True):
                pairs.data = terms.astype(np.float64)
                total[rows] = pairs @ weights
        correct, found, *neighbours = sums
        return cls(weights, correct / _WHOLE, found / _WHOLE, *neighbours)


def _set_ids(groups: Membership) -> Ints:
    """One integer per row, equal for equal rows: a row is a path through a trie of columns."""
    starts, sizes = groups.indptr[:-1].astype(np.int64), np.diff(groups.indptr)
    ids = np.zeros(groups.shape[0], dtype=np.int64)
    rows, used, depth = np.flatnonzero(sizes), 1, 0
    while len(rows):
        steps = ids[rows] * groups.shape[1] + groups.indices[starts[rows] + depth]
        nodes, place = np.unique(steps, return_inverse=True)
        ids[rows] = used + place
        used, depth = used + len(nodes), depth + 1
        rows = rows[sizes[rows] > depth]
    return ids


class BCubed(NamedTuple):
    """Two means over the items of the key, each in [0, 1].

    Example:
        >>> weps_eval.bcubed([0, 0, 1], [0, 0, 1])
        BCubed(precision=1.0, recall=1.0)
    """

    precision: float
    recall: float


def bcubed(answer: ArrayLike | Membership, key: ArrayLike | Membership) -> BCubed:
    """Extended B-Cubed (Amigó, Gonzalo, Artiles and Verdejo 2009).

    With c answer groups and k key groups in common, precision(e) is the mean of min(c, k) / c over
    the items e' that share an answer group with e, and recall(e) the mean of min(c, k) / k over
    those that share a key group; e' = e is one of them. Both are averaged over the items that the
    key holds; other items count nowhere. An item in no answer group gets precision 1, recall 0.

    Each clustering is either a vector of labels, shape (items,), a negative integer for an item
    in no group; or a sparse matrix of shape (items, groups), where what is not 0 counts as 1.
    Raises KeyFileError where the two do not fit each other or the key holds no item.

    Example:
        >>> bcubed(["a", "a", "b"], ["x", "x", "x"])
        BCubed(precision=1.0, recall=0.5555555555555556)
    """
    if _is_sparse(answer) or _is_sparse(key):
        return _bcubed_of(Neighbours.of(_as_membership(answer), _as_membership(key)))
    # Groups do not overlap: every count is 0 or 1 and the contingency table is enough. Fresh memory
    # costs more than the arithmetic here, hence the care for copies and small types.
    answer, key = _label_vector(answer), _label_vector(key)
    belongs = key >= 0
    _check_items(len(answer), belongs)
    answer, key = (_compact(_only(labels, belongs)) for labels in (answer, key))
    items, in_key = len(key), np.bincount(key)
    placed = answer >= 0
    answer, key = _only(answer, placed), _only(key, placed)
    # The contingency table: answer group, key group and items of cells with more than one item.
    bits = int(key.max(initial=0)).bit_length()  # shifting costs a tenth of dividing
    small = bits + int(answer.max(initial=0)).bit_length() <= 32
    cells = np.left_shift(answer, bits, dtype=np.uint32 if small else np.int64, casting="unsafe")
    cells |= key.astype(cells.dtype)
    cells.sort()
    repeats = np.pad(cells[1:] == cells[:-1], 1)  # a run of n repeats is a cell of n + 1 items
    first, last = np.flatnonzero(repeats[1:] != repeats[:-1]).reshape(-1, 2).T
    shared, counts = cells[first].astype(np.int64), last - first + 1
    rows, columns = shared >> bits, shared & ((1 << bits) - 1)
    others = counts * (counts - 1.0)
    correct = _sum_of_shares(answer, np.bincount(answer), rows, others) + items - len(answer)
    return BCubed(correct / items, _sum_of_shares(key, in_key, columns, others) / items)


def _bcubed_of(neighbours: Neighbours) -> BCubed:
    """Extended B-Cubed from what is known of every item's neighbours, see ``bcubed``."""
    precision = safe_divide(neighbours.correct, neighbours.in_answer, 1)
    recall = neighbours.found / neighbours.in_key
    items = neighbours.items
    return BCubed(float(items @ precision / items.sum()), float(items @ recall / items.sum()))


def _only(labels: Ints, mask: Flags) -> Ints:
    return labels if mask.all() else labels[mask]


def _sum_of_shares(labels: Ints, sizes: Ints, cell_labels: Ints, others: Floats) -> float:
    """The sum over items of the share of their group that stands in their cell.

    Every item stands in its own cell; where others do too, ``others`` counts the ordered pairs.
    """
    selves = np.bincount(labels, minlength=len(sizes))
    met = np.bincount(cell_labels, weights=others, minlength=len(sizes))
    return float(((selves + met) / np.maximum(sizes, 1)).sum())


def _compact(labels: Ints) -> Ints:
    """Labels below a small multiple of their number: large ones are renumbered."""
    if labels.max() < 4 * len(labels):
        return labels
    names, places = np.unique(labels, return_inverse=True)
    return np.where(labels < 0, -1, places - np.count_nonzero(names < 0))


def all_in_one(documents: Collection[int]) -> Clustering:
    """All documents about one person."""
    return Clustering((frozenset(documents),) if documents else ())


def one_in_one(documents: Collection[int]) -> Clustering:
    """Every document about a person of its own."""
    return Clustering(tuple(frozenset([document]) for document in sorted(set(documents))))


def combined(documents: Collection[int]) -> Clustering:
    """Both at once: each document in the one big group and in one of its own.

    It cheats purity, which sees the better of the two, and not B-Cubed.
    """
    return Clustering(all_in_one(documents).groups + one_in_one(documents).groups)


BASELINES: dict[str, Callable[[Collection[int]], Clustering]] = {
    baseline.__name__: baseline for baseline in (all_in_one, one_in_one, combined)
}
"""Every baseline by name; apply them to ``Scorer.documents``."""


class PairConfusion(NamedTuple):
    """Unordered pairs of different items; *together* means sharing at least one group."""

    both: int
    """Together in the answer and in the key."""
    answer_only: int
    key_only: int
    neither: int

    @property
    def rand(self) -> float:
        """The Rand statistic: the share of pairs on which both agree; 1 without pairs."""
        return (self.both + self.neither) / sum(self) if sum(self) else 1.0

    @property
    def jaccard(self) -> float:
        """Pairs together in both over pairs together in either; 1 where there are none."""
        either = self.both + self.answer_only + self.key_only
        return self.both / either if either else 1.0

    @property
    def fowlkes_mallows(self) -> float:
        """The geometric mean of pair precision and pair recall (Fowlkes and Mallows 1983).

        1 where the answer or the key puts no pair together: the formula gives 0 / 0 there, and
        this is what the official scorers print, even for one page per group.
        """
        answer, key = self.both + self.answer_only, self.both + self.key_only
        return self.both / math.sqrt(answer * key) if answer and key else 1.0


def _pair_confusion(neighbours: Neighbours) -> PairConfusion:
    """Count the pairs of items, from what is known of every item's neighbours."""
    items = neighbours.items
    both, answer, key = (
        # Every item that stands in a group is its own neighbour; each pair is seen from both ends.
        round(float(items @ (sums - (sums > 0))) / 2)
        for sums in (neighbours.in_both, neighbours.in_answer, neighbours.in_key)
    )
    total = round(items.sum())
    neither = total * (total - 1) // 2 - answer - key + both
    return PairConfusion(both, answer - both, key - both, neither)


class Purity(NamedTuple):
    """Two shares of memberships, each in [0, 1]."""

    purity: float
    inverse: float


def purity(answer: ArrayLike | Membership, key: ArrayLike | Membership) -> Purity:
    """Purity and inverse purity, sizes summed with overlap (Artiles, Gonzalo and Sekine 2007).

    Purity is ``Σ_C max_L |C ∩ L| / Σ_C |C|`` over the answer groups C and key groups L; inverse
    purity swaps the two. Items that only the answer holds make its groups larger and so lower
    purity. Both are given as for :func:`bcubed`; a side without groups gives 0.

    Example:
        >>> purity([0, 0, 1], ["x", "x", "x"])
        Purity(purity=1.0, inverse=0.6666666666666666)
    """
    answer, key = _as_membership(answer), _as_membership(key)
    _check_items(answer.shape[0], np.ones(key.shape[0], dtype=np.bool_))
    common = (answer.T @ key).tocoo()
    return Purity(_covered(common.row, common.data, answer), _covered(common.col, common.data, key))


def _covered(group: NDArray[Any], common: NDArray[Any], groups: Membership) -> float:
    """The share of the memberships in ``groups`` that each group has in common with its best."""
    best = np.zeros(groups.shape[1], dtype=np.int64)
    np.maximum.at(best, group, common)
    return float(best.sum() / groups.nnz) if groups.nnz else 0.0


class Comparison:
    """One answer and its key as groups of integer items, counted on first use.

    Items that only the answer holds lower its purity.
    """

    def __init__(self, answer: Groups, key: Groups) -> None:
        self._answer, self._key = answer, key

    @cached_property
    def bcubed(self) -> BCubed:
        """Extended B-Cubed precision and recall.

        Labels make the common case, one name without overlap, tens of times as fast as matrices.
        """
        of_answer, of_key = _labels(self._answer), _labels(self._key)
        if of_answer is None or not of_key:
            return _bcubed_of(self._neighbours)
        answer = np.fromiter((of_answer.get(item, -1) for item in of_key), np.int64, len(of_key))
        return bcubed(answer, np.fromiter(of_key.values(), np.int64, len(of_key)))

    @cached_property
    def purity(self) -> Purity:
        """Purity and inverse purity."""
        return purity(*self._memberships)

    @cached_property
    def pairs(self) -> PairConfusion:
        """Pairs of items together in both, either or neither."""
        return _pair_confusion(self._neighbours)

    @cached_property
    def table(self) -> Floats:
        """Shape (answer groups, key groups): items that are in both.

        Items of the key that are in no group of the answer are groups of their own; items that only
        the answer holds are left out.
        """
        items = frozenset().union(*self._key)
        groups = [kept for group in self._answer if (kept := items.intersection(group))]
        groups += [frozenset([item]) for item in sorted(items.difference(*groups))]
        answer, key = _from_groups(groups, self._key)
        return np.asarray((answer.T @ key).toarray(), dtype=np.float64)

    @cached_property
    def _neighbours(self) -> Neighbours:
        return Neighbours.of(*self._memberships)

    @cached_property
    def _memberships(self) -> tuple[Membership, Membership]:
        return _from_groups(self._answer, self._key)


def bcubed_score(labels_true: ArrayLike, labels_pred: ArrayLike, *, alpha: float = 0.5) -> float:
    """B-Cubed F of an answer, with the arguments of the metrics of scikit-learn.

    F = 1 / (α / precision + (1 - α) / recall) of the means over items, see
    :func:`weps_eval.clustering.measures.bcubed`, which is
    what ``weps evaluate`` writes as ``bcubed_f05``. A negative whole number means no group, such as
    the -1 of pages that are set aside: of the answer, the item's recall is 0; of the key, it is not
    judged.

    Args:
        labels_true: shape (items,), of any type that can be sorted: the key.
        labels_pred: the same shape: the answer.
        alpha: weight of precision, from 0 to 1; 0.5 and 0.2 are those of the WePS campaigns.

    Returns:
        From 0 to 1.

    Raises:
        KeyFileError: if the labels do not fit each other, or none is judged.
        ValuesError: if alpha is out of range.

    Example:
        >>> bcubed_score(["x", "x", "x"], ["a", "a", "b"])
        0.7142857142857143
    """
    if not 0 <= alpha <= 1:
        raise ValuesError(f"expected a weight from 0 to 1, got {alpha}", where="alpha")
    return f_measure(*bcubed(labels_pred, labels_true), alpha)


def f_measure(precision: float, recall: float, alpha: float) -> float:
    """1 / (α / precision + (1 - α) / recall), 0 where either is 0 (van Rijsbergen 1979)."""
    if not precision or not recall:
        return 0.0
    return 1 / (alpha / precision + (1 - alpha) / recall)


class Measure(NamedTuple):
    """One figure about an answer; higher is better and 1 the most."""

    heading: str
    """Heading in tables."""
    meaning: str
    """Meaning of the heading, for legends."""
    value: Callable[[Comparison], float]


MEASURES = {
    # Amigó, Gonzalo, Artiles and Verdejo 2009, Information Retrieval 12
    "bcubed_precision": Measure("BEP", "B-Cubed precision", lambda found: found.bcubed.precision),
    "bcubed_recall": Measure("BER", "B-Cubed recall", lambda found: found.bcubed.recall),
    "bcubed_f05": Measure(
        "F0.5",
        "F of B-Cubed, precision and recall weighted alike",
        lambda found: f_measure(*found.bcubed, 0.5),
    ),
    "bcubed_f02": Measure(
        "F0.2",
        "F of B-Cubed, recall weighted four times as much",
        lambda found: f_measure(*found.bcubed, 0.2),
    ),
    # Artiles, Gonzalo and Sekine 2007, SemEval task 13
    "purity": Measure("P", "purity", lambda found: found.purity.purity),
    "inverse_purity": Measure("IP", "inverse purity", lambda found: found.purity.inverse),
    "purity_f05": Measure(
        "PF0.5",
        "F of purity and inverse purity, weighted alike",
        lambda found: f_measure(*found.purity, 0.5),
    ),
    "purity_f02": Measure(
        "PF0.2",
        "F of purity and inverse purity, the latter weighted four times as much",
        lambda found: f_measure(*found.purity, 0.2),
    ),
    # Halkidi, Batistakis and Vazirgiannis 2001, JIIS 17
    "rand": Measure("Rand", "Rand statistic, over pairs of pages", lambda found: found.pairs.rand),
    "jaccard": Measure(
        "Jacc", "Jaccard coefficient, over pairs of pages", lambda found: found.pairs.jaccard
    ),
    "fowlkes_mallows": Measure(
        "FM",
        "Fowlkes–Mallows index, over pairs of pages",
        lambda found: found.pairs.fowlkes_mallows,
    ),
}
"""Every measure by name, in the order in which tables show them."""


def adjusted_rand(table: Floats) -> float:
    """The adjusted Rand index (Hubert and Arabie 1985); 1 where both are all one or all apart.

    Args:
        table: shape (answer groups, key groups), items in both; here as below.
    """
    sizes = (table, table.sum(axis=1), table.sum(axis=0), table.sum())
    both, answer, key, total = (float((each * (each - 1)).sum() / 2) for each in sizes)
    expected = answer * key / total if total else 0.0
    most = (answer + key) / 2
    return (both - expected) / (most - expected) if most != expected else 1.0


def homogeneity_completeness(table: Floats) -> tuple[float, float]:
    """Homogeneity and completeness (Rosenberg and Hirschberg 2007), of which V is the F."""
    parts = (table.sum(axis=1), table.sum(axis=0), table)
    # Of a single group the entropy is 0, which rounding would make a divisor.
    answer, key, both = (
        float(scipy.special.entr(each / table.sum()).sum()) if np.count_nonzero(each) > 1 else 0.0
        for each in parts
    )
    known = min(max(answer + key - both, 0.0), answer, key)
    return (known / key if key else 1.0), (known / answer if answer else 1.0)


def muc_scores(table: Floats) -> tuple[float, float]:
    """Precision and recall over links (Vilain et al. 1995); 1 where there is no link."""

    def share(groups: Floats) -> float:
        links = groups.sum(axis=1) - 1
        kept = links - ((groups > 0).sum(axis=1) - 1)
        return float(kept.sum() / links.sum()) if links.sum() else 1.0

    return share(table), share(table.T)


def ceaf_e_scores(table: Floats) -> tuple[float, float]:
    """Entity-based CEAF, φ₄ (Luo 2005, section 3): precision and recall."""
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - slow to import, seldom used

    sizes = table.sum(axis=1)[:, None] + table.sum(axis=0)
    alike = 2 * table / sizes
    total = float(alike[linear_sum_assignment(alike, maximize=True)].sum())
    return total / table.shape[0], total / table.shape[1]


def lea_scores(table: Floats) -> tuple[float, float]:
    """Link-based, entity-aware precision and recall (Moosavi and Strube 2016, section 3).

    A group of one item has one link, to itself.
    """

    def share(groups: Floats, others: Floats) -> float:
        sizes = groups.sum(axis=1)
        links = sizes * (sizes - 1) / 2
        found = (groups * (groups - 1) / 2).sum(axis=1)
        alone = ((groups == 1) & (others == 1)).any(axis=1)  # a group of the same item
        resolved = np.where(sizes == 1, alone, found / np.maximum(links, 1))
        return float(sizes @ resolved / sizes.sum())

    return share(table, table.sum(axis=0)), share(table.T, table.sum(axis=1))


def _f_of(pair: Callable[[Floats], tuple[float, float]]) -> Callable[[Comparison], float]:
    return lambda found: f_measure(*pair(found.table), 0.5)


FURTHER_MEASURES = {
    "ari": Measure("ARI", "adjusted Rand index", lambda found: adjusted_rand(found.table)),
    "homogeneity": Measure(
        "hom.", "homogeneity", lambda found: homogeneity_completeness(found.table)[0]
    ),
    "completeness": Measure(
        "compl.", "completeness", lambda found: homogeneity_completeness(found.table)[1]
    ),
    "v_measure": Measure(
        "V", "V-measure, which is NMI by the arithmetic mean", _f_of(homogeneity_completeness)
    ),
    "muc": Measure("MUC", "F of MUC", _f_of(muc_scores)),
    "ceaf_e": Measure("CEAFe", "F of CEAF by entities", _f_of(ceaf_e_scores)),
    "lea": Measure("LEA", "F of LEA", _f_of(lea_scores)),
    "conll": Measure(
        "CoNLL",
        "mean F of MUC, B-Cubed and CEAFe",
        lambda found: fmean(
            f_measure(*pair, 0.5)
            for pair in (muc_scores(found.table), ceaf_e_scores(found.table), found.bcubed)
        ),
    ),
}
"""Measures of neighbouring fields, which are computed where they are asked for."""
ALL_MEASURES = MEASURES | FURTHER_MEASURES
"""Every measure by name. Of overlapping groups all memberships count in the further ones."""


Scores = Mapping[str, Mapping[str, float]]
"""Name searched for → measure → value."""
_Sets = list[frozenset[int]]


@dataclass(frozen=True, slots=True)
class Scorer:
    """Scores answers by a rule for which documents count and what a missing one costs."""

    name: str
    missing: str
    """Treatment of key documents that the answer misses, as signatures write it."""
    persons: Callable[[Clustering, Collection[int]], _Sets]
    """The key's groups as scored, from the key and the ranks in the corpus."""
    groups: Callable[[Clustering, frozenset[int]], _Sets]
    """The answer's groups as scored, from the answer and the documents that count."""

    def documents(self, key: Clustering, ranks: Collection[int]) -> frozenset[int]:
        """The documents that count: those that the baselines cover."""
        return frozenset().union(*self.persons(key, ranks))

    def scores(
        self,
        answer: Clustering | None,
        key: Clustering,
        ranks: Collection[int],
        measures: Iterable[str] = tuple(MEASURES),
    ) -> dict[str, float]:
        """The measures of one name; all are 0 where there is no answer.

        That is the rule of scorer 1.2, kept for 1.1 too: its own rules would call a name that was
        never answered perfectly precise.

        Args:
            answer: groups of ranks, or None.
            key: the correct groups.
            ranks: those in the corpus for the name (WePS-2: ``inWepsCorpus="yes"``).
            measures: those wanted.

        Raises:
            KeyFileError: if no document counts.
        """
        persons = self.persons(key, ranks)
        if not persons:
            raise KeyFileError(
                "no document to score", where="key", remedy="leave this name out of the evaluation"
            )
        if answer is None:
            return dict.fromkeys(measures, 0.0)
        found = Comparison(self.groups(answer, frozenset().union(*persons)), persons)
        return {name: ALL_MEASURES[name].value(found) for name in measures}

    def signature(self, source: Source, names: Sequence[str]) -> str:
        """Everything that decides the mean over these names, in one line to print beside it."""
        corpus = f"sha256-{source.digest(names).removeprefix('sha256-')[:8]}"
        return (
            f"bcubed:extended|scorer:{self.name}|missing:{self.missing}|mean:names|"
            f"names:{len(names)}|corpus:{corpus}|weps:{VERSION}"
        )


def _all_groups(clustering: Clustering, _documents: Collection[int]) -> _Sets:
    return list(clustering.groups)


def _within(groups: Iterable[frozenset[int]], documents: Collection[int]) -> _Sets:
    """The groups cut down to the documents; empty ones are gone."""
    return [kept for group in groups if (kept := group.intersection(documents))]


def _key_within_corpus(key: Clustering, ranks: Collection[int]) -> _Sets:
    """Corpus documents that the annotators neither grouped nor discarded form one person."""
    kept = frozenset(ranks) - key.discarded
    return _within([*key.groups, kept - key.ranks], kept)


SCORING_RULES = {
    # 1.1: a missing document has precision 1 and recall 0, a discarded one lowers purity.
    "weps1": Scorer("weps1", "precision-1-recall-0", _all_groups, _all_groups),
    # 1.2: missing documents form one group, documents outside the key are left out.
    "weps2": Scorer(
        "weps2",
        "one-cluster",
        _key_within_corpus,
        lambda answer, documents: _within([*answer.groups, documents - answer.ranks], documents),
    ),
}
"""The official scorers by name."""
_OFFICIAL = {"weps-1": "weps1", "weps-2": "weps2"}


def _get_scoring_rule(name: str) -> Scorer:
    """The scorer of that name; raises FeatureError for an unknown one."""
    if name not in SCORING_RULES:
        raise FeatureError(
            "unknown scorer", where=name, remedy=f"choose from {', '.join(SCORING_RULES)}"
        )
    return SCORING_RULES[name]


def scorer_for(source: Source, name: str | None = None) -> Scorer:
    """The scorer of that name, else the official one of the source's layout.

    Saved pages are scored as WePS-2 was, whose scorer forgives what the key discards.

    Raises:
        FeatureError: if there is no such scorer.
    """
    return _get_scoring_rule(name or _OFFICIAL.get(source.layout, "weps2"))


def score_answer(
    answer: Any, key: Any, ranks: Collection[int] = (), rule: str = "weps2"
) -> dict[str, float]:
    """Every measure of the answer for one name, by the rules of a WePS campaign.

    Args:
        answer: groups of ranks, see :meth:`weps.records.Clustering.of`, such as an answer of
            ``weps.cluster``; all measures are 0 where it is None.
        key: the correct groups, alike.
        ranks: of all results of the name; by default those that the key mentions.
        rule: ``weps1`` (scorer 1.1) or ``weps2`` (scorer 1.2).

    Raises:
        FeatureError: if there is no such rule.
        KeyFileError: if no page of the key counts.

    Example:
        >>> score_answer([[1, 2], [3]], [[1, 2, 3]])["bcubed_f05"]
        0.7142857142857143
    """
    given, key = None if answer is None else Clustering.of(answer), Clustering.of(key)
    return _get_scoring_rule(rule).scores(given, key, ranks or {*key.discarded}.union(*key.groups))


def bcubed_f05(answer: Any, key: Any, ranks: Collection[int]) -> float:
    """B-Cubed F0.5 by the rules of WePS-2: what thresholds are learnt for.

    Answer and key are given as for :func:`score_answer`.

    Example:
        >>> bcubed_f05([[1, 2], [3]], [[1, 2, 3]], [1, 2, 3])
        0.7142857142857143
    """
    return SCORING_RULES["weps2"].scores(
        Clustering.of(answer), Clustering.of(key), Clustering.of([ranks]).ranks, ["bcubed_f05"]
    )["bcubed_f05"]


def mean_scores(scores: Scores) -> dict[str, float]:
    """The mean over names of every measure; F is not taken of means."""
    return {measure: fmean(values) for measure, values in _by_measure(scores).items()}


def standard_errors(scores: Scores) -> dict[str, float]:
    """The standard error of every mean: s / √n, with n - 1 in s; nan for a single name."""
    return {
        measure: stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan
        for measure, values in _by_measure(scores).items()
    }


def scores_data(scores: Scores) -> dict[str, Any]:
    """The scores of a system in JSON form: of names, their mean, and its standard error."""
    errors = standard_errors(scores).items()
    return {
        "names": {name: dict(of_name) for name, of_name in scores.items()},
        "mean": mean_scores(scores),
        "standard_error": {name: None if math.isnan(error) else error for name, error in errors},
    }


def _by_measure(scores: Scores) -> dict[str, list[float]]:
    rows = list(scores.values())
    return {measure: [row[measure] for row in rows] for measure in (rows[0] if rows else ())}
