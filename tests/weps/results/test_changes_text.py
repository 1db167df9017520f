from dataclasses import replace

import pytest

from tests.weps.answers import answer_of
from weps.people.evidence import Evidence, ExplainedPair
from weps.results.changes import Change, ChangeKind
from weps.results.changes_text import change_data, describe_change, summarise_changes

PHRASES = Evidence("ngram(n=2, local=true)", ("reader in logic", "set  theory", "a third"))
DOMAIN = Evidence("same_domain", ())


def answer(*evidence: Evidence, pair=(1, 5)):
    return answer_of({1, 2}, {5}, pairs={pair: ExplainedPair(pair, 0.71, evidence)})


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            Change(ChangeKind.MERGED, 1, (5,), 7, (5, 1), 0.71),
            "person 7 (poet poet poet poet poet poet poet poet poet poet…) is one person with "
            "person 1 now: 71% to be one, best seen by pages 5 and 1, which share "
            "“reader in logic”, “set theory”",
        ),
        (
            Change(ChangeKind.SPLIT, 2, (5,), 1, (5, 1), 0.2),
            "page 5 of person 1 became a person apart, person 2: 20% to be one, nearest are "
            "pages 5 and 1, which share “reader in logic”, “set theory”",
        ),
        (
            Change(ChangeKind.SPLIT, 2, (5,), 1, (5, 1), 0.0, by_user=True),
            "page 5 of person 1 became a person apart, person 2, as you said of pages 5 and 1",
        ),
        (Change(ChangeKind.MOVED, 2, (5, 6), 1), "pages 5, 6 went from person 1 to person 2"),
        (
            Change(ChangeKind.NEW, 2, tuple(range(20))),
            "pages 0, 1, 2, 3, 4, 5, 6, 7 and 12 more became a new person, person 2",
        ),
        (
            Change(ChangeKind.JOINED, 1, (5,), None, (5, 2), 0.999),
            "page 5 joined person 1: 99% to be one, best seen by pages 5 and 2",
        ),
    ],
)
def test_a_change_is_told_on_one_line(change, expected):
    assert describe_change(change, answer(PHRASES), {7: "poet " * 30}) == expected


def test_where_no_strings_are_shared_the_strongest_evidence_is_named():
    change = Change(ChangeKind.JOINED, 1, (5,), None, (5, 1), 0.5)
    assert describe_change(change, answer(DOMAIN), {}).endswith("pages 5 and 1 (same web site)")
    assert describe_change(change, answer(), {}).endswith("pages 5 and 1")


@pytest.mark.parametrize(("length", "shown"), [(50, "x" * 50), (51, "x" * 49 + "…")])
def test_long_labels_are_cut(length, shown):
    change = Change(ChangeKind.MERGED, 1, (5,), 7)
    assert describe_change(change, answer(), {7: "x" * length}).startswith(
        f"person 7 ({shown}) is one"
    )


def test_people_are_called_what_they_are_called_now():
    now = answer()
    ann, *others = now.people
    now = replace(now, people=(replace(ann, assigned_name="Ann"), *others))
    change = Change(ChangeKind.JOINED, 1, (5,))
    assert describe_change(change, now, {1: "before"}) == "page 5 joined person 1 (Ann)"


def test_hostile_text_breaks_no_line():
    line = describe_change(
        Change(ChangeKind.JOINED, 1, (5,), None, (5, 1), 0.5),
        answer(Evidence("token", ("a\nb\u2028" * 50,))),
        {},
    )
    assert len(line.splitlines()) == 1
    assert len(line) < 160


@pytest.mark.parametrize(
    ("kinds", "unchanged", "expected"),
    [
        ([], 1, "1 old page stayed where it was"),
        (
            [ChangeKind.JOINED, ChangeKind.NEW, ChangeKind.NEW],
            70,
            "1 page joined a person who was there; 2 new people; 70 old pages stayed where "
            "they were",
        ),
        (
            [ChangeKind.MERGED, ChangeKind.SPLIT, ChangeKind.MOVED],
            0,
            "1 person merged with another; 1 split; 1 move of old pages to another person; 0 old "
            "pages stayed where they were",
        ),
    ],
)
def test_the_summary_counts(kinds, unchanged, expected):
    assert summarise_changes([Change(kind, 1, (1,)) for kind in kinds], unchanged) == expected


def test_data_hold_what_is_known():
    change = Change(ChangeKind.MERGED, 1, (5,), 7, (5, 1), 0.71)
    assert change_data(change, answer(DOMAIN)) == {
        "kind": "merged",
        "person": 1,
        "before": 7,
        "pages": [5],
        "pair": [5, 1],
        "probability": 0.71,
        "evidence": [{"feature": "same_domain", "shared": []}],
    }
    assert change_data(Change(ChangeKind.NEW, 2, (5,)), answer()) == {
        "kind": "new",
        "person": 2,
        "pages": [5],
    }
