"""Labels and attributes of people are judged."""

from pathlib import Path

import pytest
from hypothesis import strategies as st

from tests.cases import each_case
from weps.errors import KeyFileError
from weps.records import Clustering
from weps_eval.benchmark.labels import (
    LabelledPerson,
    attributes_of,
    compare_labels,
    label_quality,
    read_attributes,
)

KEY = Clustering(
    (frozenset({1, 2, 3}), frozenset({4}), frozenset({5, 6}), frozenset({1, 2, 3, 9})),
    frozenset({7}),
    ("Record producer", "ATTORNEY, Saint Kitts", "", "poets"),
)


def answer(**people: set[int]) -> Clustering:
    labels = tuple(label.replace("_", " ") for label in people)
    return Clustering(tuple(map(frozenset, people.values())), labels=labels)


@each_case(
    ("given", "found"),
    [
        (answer(Queen_producers={1, 2}), [LabelledPerson(2, True)]),
        (answer(Queen={1, 2, 3}), [LabelledPerson(3, False)]),
        (answer(kitts={4, 1}), [LabelledPerson(2, True)]),  # the smaller of two equals
        (answer(poet={1, 2, 3, 9}), [LabelledPerson(4, True)]),
        (answer(poet={5, 6}), []),  # nobody described them
        (answer(poet={7, 8}), []),  # no person of the key
        (Clustering((frozenset({1}),)), [LabelledPerson(1, False)]),  # no labels
    ],
)
def test_people_are_held_against_whom_they_share_most_pages_with(given, found):
    assert compare_labels(given, KEY, "Thomas_Baker") == found
    assert compare_labels(given, Clustering(KEY.groups), "Thomas_Baker") == []


@each_case(
    ("label", "described", "agrees"),
    [
        ("Poets", "a poet", True),
        ("Thomas the tank", "Thomas Baker", None),
        ("Baker of bread", "bread baker", True),
        ("Baker and the engine", "the baker, a clerk", False),
        ("record", "RECORDS/producer", True),
    ],
)
def test_content_words_count(label, described, agrees):
    key = Clustering((frozenset({1}),), labels=(described,))
    found = compare_labels(Clustering((frozenset({1}),), labels=(label,)), key, "Thomas_Baker")
    assert [each.agrees for each in found] == ([] if agrees is None else [agrees])


NAMES = [
    [LabelledPerson(1, True), LabelledPerson(2, False)],
    [LabelledPerson(3, True), LabelledPerson(4, True)],
]


def test_shares_are_over_people_of_all_names():
    found = label_quality(NAMES)
    assert [(each["pages"], each["people"]) for each in found] == [(1, 4), (2, 3), (3, 2)]
    assert [each["share"] for each in found] == [0.75, pytest.approx(2 / 3), 1.0]
    assert found[0]["interval"] == [0.5, 1.0]
    (single,) = label_quality([[LabelledPerson(1, True)]])
    assert single == {"pages": 1, "people": 1, "share": 1.0, "interval": None}


people = st.lists(st.builds(LabelledPerson, st.integers(1, 4), st.booleans()), max_size=6)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "attributes").mkdir()
    return tmp_path / "attributes" / "ANN_LEE.txt"


@each_case(
    ("data", "found"),
    [
        (b"", {}),
        (b"\n\r\n", {}),
        (b"2\taward\tEdgar\n2\taward\tBCA\n", {2: {"award": ("Edgar", "BCA")}}),
        (b"0\tOccupation\tDr.\tM.D.\t\r\n", {0: {"occupation": ("Dr.", "M.D.")}}),
        (b"1\tDate of birth\t1944\n1\tdateofbirth\t1944", {1: {"dateofbirth": ("1944",)}}),
        (b"7\tFAX\t1\n3\tBirthplace \tYork ", {3: {"birthplace": ("York",)}, 7: {"fax": ("1",)}}),
        (b"5\tOther name\n6\twork\t\n", {5: {}, 6: {}}),
        ("\ufeff1\twork\tÜber  uns".encode(), {1: {"work": ("Über uns",)}}),
        (b"1\twork\tcaf\xe9 \x93x\x94", {1: {"work": ("café “x”",)}}),
    ],
)
def test_lines_of_attributes(file, data, found):
    file.write_bytes(data)
    assert read_attributes(file) == found


def test_attributes_of_a_corpus(file, tmp_path):
    file.write_text("1\twork\tTides")
    assert attributes_of(tmp_path, "ANN_LEE") == {1: {"work": ("Tides",)}}
    assert attributes_of(tmp_path, "BOB_RAY") is None
    faults = {
        "2\taward\tEdgar\n\nx\taward\tBCA": r"ANN_LEE\.txt, line 3: 'x' is not a rank; each line",
        "2 award Edgar": "line 1: '2 award Edgar' is not a rank",
        "2\t \tEdgar": "line 1: has no attribute; each line reads rank TAB attribute TAB value",
    }
    for text, message in faults.items():
        file.write_text(text)
        with pytest.raises(KeyFileError, match=message):
            attributes_of(tmp_path, "ANN_LEE")
