"""Stored results are found and read."""

import json
from pathlib import Path

import pytest

from tests.cases import each_case
from weps.errors import SourceError
from weps.records import Collection, Provenance
from weps.results.stored import find_result, read_result


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("Ann_Example", "Bob_Example"):
        for suffix in (".json", ".html", ".csv"):
            (tmp_path / f"{name}{suffix}").touch()
    (tmp_path / "changes.json").touch()
    return tmp_path


@pytest.mark.parametrize("suffix", [".json", ".html", ".csv", ".clust.xml", ".corrections.txt"])
def test_every_file_of_a_result_leads_to_it(folder, suffix):
    assert find_result(folder / f"Ann_Example{suffix}") == folder / "Ann_Example.json"


@pytest.mark.parametrize("name", ["Ann_Example", "ann example"])
def test_a_folder_has_the_result_of_a_name(folder, name):
    assert find_result(folder, name) == folder / "Ann_Example.json"


def test_the_only_result_of_a_folder_needs_no_name(folder):
    (folder / "Bob_Example.html").unlink()
    assert find_result(folder) == folder / "Ann_Example.json"


def test_of_several_results_one_must_be_chosen(folder):
    with pytest.raises(SourceError, match=r"2 names \(Ann_Example, Bob_Example\).*--name"):
        find_result(folder)


@pytest.mark.parametrize(("name", "message"), [("Ann Exampel", "did you mean"), ("Zoe", "no res")])
def test_a_missing_name_is_an_error(folder, name, message):
    with pytest.raises(SourceError, match=message):
        find_result(folder, name)


def test_a_folder_without_results_is_an_error(tmp_path):
    with pytest.raises(SourceError, match="has no results"):
        find_result(tmp_path)


def result(**parts: object) -> dict[str, object]:
    pages = [{"rank": 1, "fingerprint": "0123456789ab"}, {"rank": 4}]
    return {
        "name": "Ann Example",
        "people": [
            {"id": 2, "label": "logic", "pages": pages},
            {"id": 1, "label": "\0<b>", "pages": [{"rank": 2, "fingerprint": "ba9876543210"}]},
        ],
        "merges": [],
        "model": "weps-0.1.0/pages sha256:1a2b3c4d",
        "signature": "form:pages",
        "collected": [{"path": "../pages", "name": "Ann_Example", "ranks": [[7, 1]]}],
        "settings": {"system": "paper", "model": "", "threshold": 0.5, "language": ""},
        **parts,
    }


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "Ann_Example.json"


def test_a_result_is_read_again(file):
    aside = [{"rank": 9, "fingerprint": "0f0f0f0f0f0f", "pile": "other name"}]
    settings = result()["settings"] | {"keep_all": True}
    file.write_text(json.dumps(result(set_aside=aside, settings=settings)))
    stored = read_result(file)
    assert (stored.name, stored.identifier) == ("Ann Example", "Ann_Example")
    assert stored.people == {2: {1, 4}, 1: {2}}
    assert stored.labels == {2: "logic", 1: "\0<b>"}
    known = {1: "0123456789ab", 4: "", 2: "ba9876543210", 9: "0f0f0f0f0f0f"}
    assert stored.fingerprints == known
    collections = (Collection("../pages", "Ann_Example", {7: 1}),)
    assert stored.provenance == Provenance(
        collections, system="paper", threshold=0.5, keep_all=True
    )


def test_the_greatest_id_is_remembered(file):
    settings = {**result()["settings"], "last_id": 9, "threshold": None}
    file.write_text(json.dumps(result(settings=settings)))
    provenance = read_result(file).provenance
    assert (provenance.last_id, provenance.threshold) == (9, None)


def person(**parts: object) -> dict[str, object]:
    return {"id": 1, "label": "", "pages": [{"rank": 1}], **parts}


def settings(**parts: object) -> dict[str, object]:
    return {"system": "", "model": "", "threshold": None, "language": "", **parts}


@each_case(
    ("content", "message"),
    [
        ("", "not a result"),
        ('{"name": "\\ud800"}', "not a result"),
        ("[" * 100_000, "not a result"),
        ("[]", "not a result of `weps cluster` for one name"),
        ('{"name": "x"}', "not a result of `weps cluster` for one name"),
        (result(name=3), "(name: expected text, got 3)"),
        (result(people=3), "damaged (people: expected a list, got 3)"),
        (result(people=[3]), "people[0]: expected an object, got 3"),
        (result(people=[person(id=0)]), "people[0].id: expected a number from 1, got 0"),
        (result(people=[person(id=True)]), "people[0].id: expected a whole number"),
        (result(people=[person(id=10**10)]), "people[0].id: expected a number up to 1e+09"),
        (result(people=[person(label=None)]), "people[0].label: expected text, got null"),
        (result(people=[person(), person(pages=[])]), "person 1 occurs twice"),
        (result(people=[person(), person(id=2)]), "page 1 occurs twice"),
        (result(people=[person(pages=[{"rank": 1.5}])]), "pages[0].rank: expected a whole number"),
        (result(people=[person(pages=[{}])]), "people[0].pages[0].rank is missing"),
        (result(people=[person(pages=[{"rank": 1, "fingerprint": "x"}])]), "fingerprint: expected"),
        (result(settings=settings(threshold=2)), "threshold: expected a number up to 1, got 2"),
        (result(settings=settings(threshold=-0.5)), "expected a number from 0, got -0.5"),
        (result(settings=settings(threshold="0.5")), "expected a number, got '0.5'"),
        (result(settings=settings(threshold=float("nan"))), "expected a finite number"),
        (result(settings=settings(last_id=-1)), "last_id: expected a number from 1, got -1"),
        (
            result(collected=[{"path": "a\0b", "name": "a"}]),
            "collected[0].path: expected text without null",
        ),
        (result(collected=[{"path": "a", "name": "a", "ranks": [[1, 1], [1, 2]]}]), "1 occurs"),
        (result(collected=[{"path": "a", "name": "a", "ranks": [[1]]}]), "ranks[0][1] is missing"),
    ],
)
def test_what_is_no_result_is_refused_in_one_line(file, content, message):
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    with pytest.raises(SourceError) as caught:
        read_result(file)
    assert caught.value.where == file
    assert message in str(caught.value)
    assert caught.value.remedy


def test_a_result_of_another_version_says_so(file):
    old = result()
    del old["collected"]
    file.write_text(json.dumps(old))
    with pytest.raises(SourceError, match=r"collected missing.*another version"):
        read_result(file)


def test_a_missing_file_is_an_error(file):
    with pytest.raises(SourceError, match="cannot be read"):
        read_result(file)
