"""Corrections change what they name: other pages keep their companions, at every position."""

import random
from contextlib import suppress

import numpy as np

from tests.cases import each_case
from tests.weps.corrections.cases import corrections_of
from weps.clustering.dendrogram import LINKAGES
from weps.corrections.model import (
    CORRECTION_KINDS,
    Correction,
    Corrections,
    check_consistency,
    correction_fault,
    excluded_pages,
)
from weps.corrections.placement import place_corrected
from weps.errors import CorrectionsError
from weps.similarity.columns import condense_matrix

TWO_PEOPLE = np.full((8, 8), 0.1)
TWO_PEOPLE[:5, :5] = 0.8
TWO_PEOPLE[5:7, 5:7] = 0.9
TWO_PEOPLE[4, :4] = TWO_PEOPLE[:4, 4] = 0.75
TWO_PEOPLE[3, :5] = TWO_PEOPLE[:5, 3] = 0.7
TWO_PEOPLE[3, 7] = TWO_PEOPLE[7, 3] = 0.3
"""Pages 0 to 4, of which 3 and 4 fit less; 5 and 6; 7 alone."""


def placed(corrections, square=TWO_PEOPLE, kept=5, back=(), copies=(), link="average"):
    """The people after corrections of so many merges of the model, and the dendrogram."""
    everybody = [page for page in range(len(square)) if page not in back]
    model = LINKAGES[link](condense_matrix(square[np.ix_(everybody, everybody)]), len(everybody))
    ranks, pairs = list(range(len(square))), condense_matrix(square)
    places = np.array(everybody)
    tree, kept = place_corrected(model, kept, places, corrections, pairs, ranks, copies=copies)
    ranks = [page for page in ranks if page not in excluded_pages(corrections.entries)]
    return people_of(tree, kept, ranks), tree, ranks


def people_of(tree, merges, ranks):
    return {frozenset(ranks[row] for row in rows) for rows in tree.clusters(merges)}


@each_case(
    ("lines", "options", "people"),
    [
        ("", {}, "01234 56 7"),
        ("confirm 0 / 1; same 5 6; different 0 / 5; called 3 A", {}, "01234 56 7"),
        # Of two pages the one that fits less goes to the person of the other, alone or not.
        ("same 3 5", {}, "0124 356 7"),
        ("same 0 5", {}, "1234 056 7"),
        ("same 4 7", {}, "012347 56"),
        ("same 0 1 6", {}, "012346 5 7"),
        ("move 0 / 1 / 5", {}, "1234 056 7"),
        ("move 0 1 / 2 / 7", {}, "234 56 017"),
        ("split 0 1 / 2", {}, "234 01 56 7"),
        ("different 0 / 3", {}, "0124 3 56 7"),
        ("different 3 4 / 0", {}, "012 34 56 7"),
        ("different 3 / 0; different 4 / 0", {}, "012 34 56 7"),
        ("join 0 7", {}, "012347 56"),
        ("join 3 5", {}, "0123456 7"),
        ("join 3 5; split 0 / 3", {}, "123456 0 7"),
        ("join 0 7; different 3 / 7", {}, "01247 3 56"),
        ("split 3 / 0; join 3 7", {}, "0124 37 56"),
        ("move 3 / 0 / 5; join 3 7", {}, "0124 3567"),
        # Near-duplicates that are with them follow, unless they are named as well.
        ("move 0 / 3 / 5", {"copies": [[0, 1]]}, "234 0156 7"),
        ("move 0 / 1 / 5", {"copies": [[0, 1]]}, "1234 056 7"),
        ("move 5 / 6 / 0", {"copies": [[4, 5]]}, "012345 6 7"),
        ("split 0 / 3", {"copies": [[0, 1]]}, "234 01 56 7"),
        ("exclude 3 5", {}, "0124 6 7"),
        ("exclude 0 1 2 3 4; unclear 5 6 7", {}, ""),
        ("keep 4", {"back": [4], "kept": 4}, "01234 56 7"),
        ("keep 7", {"back": [7]}, "01234 56 7"),
        ("keep 4; split 4 / 0", {"back": [4], "kept": 4}, "0123 4 56 7"),
        ("move 4 / 0 / 7", {"back": [4], "kept": 4}, "0123 47 56"),
    ],
)
def test_pages_go_where_corrections_say(lines, options, people):
    found, _, _ = placed(corrections_of(*filter(None, lines.split("; "))), **options)
    assert found == {frozenset(map(int, person)) for person in people.split()}


PLACING = [kind for kind, each in CORRECTION_KINDS.items() if each.same_groups or each.separates]


def random_case(seed):
    """Pairs of pages, merges to keep, corrections without contradictions, near-duplicates."""
    draw, size = random.Random(seed), 2 + seed % 8  # noqa: S311 - no secret
    square = np.random.default_rng(seed).random((size, size))
    entries = []
    for _ in range(draw.randint(1, 4)):
        kind = draw.choice(PLACING)
        parts = draw.randint(CORRECTION_KINDS[kind].min_groups, CORRECTION_KINDS[kind].max_groups)
        groups = [set(draw.sample(range(size), draw.randint(1, 2))) for _ in range(parts)]
        made = Correction(kind, tuple(tuple(sorted(group)) for group in groups))
        with suppress(CorrectionsError):
            check_consistency([*entries, made])
            entries += [] if correction_fault(made) else [made]
    copies = [draw.sample(range(size), 2)] if draw.random() < 0.3 else []
    return (square + square.T) / 2, draw.randint(0, size - 1), entries, copies


def without(people, pages):
    return {person - pages for person in people} - {frozenset()}


def test_other_pages_keep_their_companions_and_the_order_does_not_matter():
    for seed in range(400):
        square, kept, entries, copies = random_case(seed)
        link = [*LINKAGES][seed % len(LINKAGES)]
        given = {"square": square, "kept": kept, "link": link, "copies": copies}
        before, _, _ = placed(Corrections(), **given)
        found, tree, ranks = placed(Corrections(tuple(entries)), **given)
        named = set().union(*(each.ranks for each in entries))
        named |= {page for group in copies if named & {*group} for page in group}
        for joined in (each.ranks for each in entries if each.kind == "join"):
            named |= set().union(*(person for person in before if person & joined))
        assert without(found, named) == without(before, named), seed
        assert placed(Corrections(tuple(reversed(entries))), **given)[1].merges == tree.merges, seed
        # A person who is confirmed, and pages that are one person anyway, change nothing.
        for person in map(sorted, found):
            two = random.Random(seed).sample(person, min(len(person), 2))  # noqa: S311 - no secret
            for kind, pages in (("confirm", person), ("same", sorted(two))):
                told = Corrections((*entries, Correction(kind, (tuple(pages),))))
                assert placed(told, **given)[0] == found, seed
        obeyed_everywhere(tree, ranks, found, entries)
        # Nor does a page that is set aside, whenever it is.
        for page in {*ranks}.difference(*(each.same for each in entries)):
            aside = Correction("exclude", ((page,),))
            for order in ((aside, *entries), (*entries, aside)):
                left, tree, others = placed(Corrections(order), **given)
                assert left == without(found, {page}), seed
                obeyed_everywhere(tree, others, left, entries)


def obeyed_everywhere(tree, ranks, found, entries):
    """Merges grow less probable, and the corrections hold at every position that they allow."""
    levels, answer = tree.levels.tolist(), len(ranks) - len(found)
    assert levels == sorted(levels, reverse=True)
    assert tree.min_merges <= answer <= tree.max_merges
    for merges in {tree.min_merges, answer, tree.max_merges}:
        person_of = {page: who for who in people_of(tree, merges, ranks) for page in who}
        for each in entries:
            assert len({person_of[page] for page in each.same}) <= 1
            sides = [{person_of[page] for page in {*side} & {*ranks}} for side in each.different]
            assert not sides or sides[0].isdisjoint(sides[1])
