import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weps.syntax.clauses import Clauses
from weps.syntax.letters import BREAK

LETTERS = st.text(f"dacnmorpxvizswk,.h{BREAK}", max_size=40)


def pieces(letters, flags):
    """The letters of the chunks flagged."""
    bounds = Clauses.of(letters).bounds
    return [letters[start:end] for start, end in bounds[np.flatnonzero(flags)]]


@pytest.mark.parametrize(
    ("letters", "expected"),
    [
        ("nvsnv", ["nv", "snv"]),
        ("n,snv,v", ["n,", "snv,", "v"]),
        ("nv,nv", ["nv,nv"]),
        ("nv.nv", ["nv.", "nv"]),
        ("snvknv,nv", ["snvknv,", "nv"]),
        ("nvsnvsnv", ["nv", "snv", "snv"]),
        (f"snv{BREAK}nv", ["snv", "nv"]),
        ("s,nv", ["s,", "nv"]),
    ],
)
def test_where_clauses_begin(letters, expected):
    clauses = Clauses.of(letters)
    found = ["" for _ in range(clauses.clause.max() + 1)]
    for (start, end), number in zip(clauses.bounds, clauses.clause, strict=True):
        found[number] += letters[start:end].strip(BREAK)
    assert [each for each in found if each] == expected


@pytest.mark.parametrize(
    ("letters", "heads", "modifiers"),
    [
        ("dnpnpmxvs", ["dn"], ["pn", "pm"]),
        ("nvn", ["n"], []),
        ("pnv", [], []),
        ("pn,nv", ["n"], []),
        ("n,v", [], []),
        ("vn", [], []),
        ("nvovn", ["n", "o"], []),
        ("nvsnv", ["n"], []),
        ("snv,nv", ["n"], []),
        ("nvniv", ["n"], []),
        ("ntiv", [], []),
        ("nriv", [], []),
        ("nvnzv", ["n"], []),
        ("nxzv", ["n"], []),
        ("nrv", ["n"], []),
        ("nkmv", ["nkm"], []),
        (f"npn{BREAK}v", [], []),
        (f"v{BREAK}nv", ["n"], []),
    ],
)
def test_subjects_stand_immediately_before_the_verb_of_a_main_clause(letters, heads, modifiers):
    found = Clauses.of(letters).subjects()
    assert [pieces(letters, each) for each in found] == [heads, modifiers]


@pytest.mark.parametrize(
    ("letters", "before", "after"),
    [
        ("nvn", [-1, 1, 1], [1, 1, -1]),
        ("nsv", [-1, -1, 2], [-1, 2, 2]),
        ("v,nv", [0, 0, 0, 3], [0, 3, 3, 3]),
        ("v.n", [0, 0, -1], [0, -1, -1]),
        (f"v{BREAK}nv", [0, 0, -1, 3], [0, -1, 3, 3]),
    ],
)
def test_the_verbs_around_a_chunk(letters, before, after):
    found = Clauses.of(letters).verbs_around()
    assert [each.tolist() for each in found] == [before, after]


def told_one_by_one(clauses, letters):
    """Numbers of clauses, and which are subordinate, by reading chunk after chunk."""
    number, subordinate, ended = 0, False, False
    for kind, (start, _) in zip(clauses.kind, clauses.bounds, strict=True):
        if kind == "Sub" or ended:
            number, subordinate = number + 1, kind == "Sub"
        mark = kind == "" or (kind == "P" and letters[start] != "k")
        ended = kind == "" or letters[start] == "." or (mark and subordinate)
        yield number, subordinate and not mark


@given(LETTERS)
def test_clauses_as_told_one_by_one(letters):
    clauses = Clauses.of(letters)
    expected = list(told_one_by_one(clauses, letters))
    first = clauses.clause[0] if len(clauses) else 0
    numbers = (clauses.clause - first).tolist()
    assert [*zip(numbers, clauses.subordinate.tolist(), strict=True)] == [
        (number - expected[0][0], subordinate) for number, subordinate in expected
    ]


@given(LETTERS)
def test_subjects_are_heads_then_modifiers_then_a_verb(letters):
    clauses = Clauses.of(letters)
    head, modifier = clauses.subjects()
    assert set(clauses.kind[head]) <= {"N"}
    assert set(clauses.kind[modifier]) <= {"Mod"}
    for at in np.flatnonzero(head):
        after = at + 1
        while modifier[after]:
            after += 1
        assert clauses.finite[after]
        assert not clauses.subordinate[after]
