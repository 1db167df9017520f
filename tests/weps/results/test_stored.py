"""Stored results are found and read; their pages are collected with new ones, clustered again."""

import json
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cases import each_case
from weps._files import resource_path
from weps.errors import ModelError, SourceError
from weps.model import DEFAULT_SYSTEM, pretrained
from weps.records import Collection, Provenance, page_fingerprint
from weps.results.changes import ChangeKind, Update
from weps.results.result import Result, ResultOptions, cluster, update
from weps.results.stored import (
    CollectedPages,
    StoredResult,
    collect_pages,
    find_results,
    read_result,
)
from weps.sources.opening import open_source


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("Ann_Example", "Bob_Example"):
        for suffix in (".json", ".html", ".csv"):
            (tmp_path / f"{name}{suffix}").touch()
    (tmp_path / "changes.json").touch()
    return tmp_path


@pytest.mark.parametrize("name", ["Ann_Example", "ann example"])
def test_a_folder_has_the_result_of_a_name(folder, name):
    assert find_results(folder, [name]) == [folder / "Ann_Example.json"]


def test_a_folder_has_the_results_of_all_names(folder):
    assert [path.stem for path in find_results(folder)] == ["Ann_Example", "Bob_Example"]


@pytest.mark.parametrize(("name", "message"), [("Ann Exampel", "did you mean"), ("Zoe", "no res")])
def test_a_missing_name_is_an_error(folder, name, message):
    with pytest.raises(SourceError, match=message):
        find_results(folder, [name])


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
    settings = result()["settings"] | {"keep_all": True, "last_id": 9}
    file.write_text(json.dumps(result(set_aside=aside, settings=settings)))
    stored = read_result(file)
    assert (stored.name, stored.identifier) == ("Ann Example", "Ann_Example")
    assert stored.people == {2: {1, 4}, 1: {2}}
    assert stored.labels == {2: "logic", 1: "\0<b>"}
    known = {1: "0123456789ab", 4: "", 2: "ba9876543210", 9: "0f0f0f0f0f0f"}
    assert stored.fingerprints == known
    collections = (Collection("../pages", "Ann_Example", ((7, 1),)),)
    assert stored.provenance == Provenance(
        collections, system="paper", threshold=0.5, keep_all=True, last_id=9
    )


def person(**parts: object) -> dict[str, object]:
    return {"id": 1, "label": "", "pages": [{"rank": 1}], **parts}


def settings(**parts: object) -> dict[str, object]:
    return {"system": "", "model": "", "threshold": None, "language": "", **parts}


def fact(**parts: object) -> dict[str, object]:
    sources = [{"page": 1, "sentence": "Ann Example, baker"}]
    about = {"attribute": "occupation", "value": "baker", "certainty": 0.9}
    return {**about, "sources": sources, "pages": [1], **parts}


@each_case(
    ("content", "message"),
    [
        ("", "not a result"),
        ('{"name": "\\ud800"}', "not a result"),
        ("[" * 100_000, "not a result"),
        ("[]", "not a result of `weps cluster` for one name"),
        ('{"name": "x"}', "not a result of `weps cluster` for one name"),
        (result(name=3), "(name: expected text, got 3)"),
        (result(people=3), "for one name (people: expected a list, got 3)"),
        (result(people=[person(id=0)]), "people[0].id: expected a number from 1, got 0"),
        (result(people=[person(id=10**10)]), "people[0].id: expected a number up to 1e+09"),
        (result(people=[person(label=None)]), "people[0].label: expected text, got null"),
        (result(people=[person(), person(pages=[])]), "person 1 occurs twice"),
        (result(people=[person(), person(id=2)]), "page 1 occurs twice"),
        (result(people=[person(pages=[{}])]), "people[0].pages[0].rank is missing"),
        (result(people=[person(pages=[{"rank": 1, "fingerprint": "x"}])]), "fingerprint: expected"),
        (result(people=[person(facts=[fact(attribute="sho\ne")])]), "no attribute 'sho\\ne'"),
        (result(people=[person(facts=[fact(pages=[1, 999])])]), "facts of page 999, but not that"),
        (
            result(people=[person(facts=[fact(sources=[{"page": 2, "sentence": "x"}])])]),
            "person 1 has facts of page 2",
        ),
        (result(settings=settings(threshold=2)), "threshold: expected a number up to 1, got 2"),
        (result(settings=settings(threshold=-0.5)), "expected a number from 0, got -0.5"),
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


Texts = Mapping[str, str]
"""File name → text."""


def save(folder: Path, texts: Texts) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text)
    return folder


def stored_result(folder: Path, *collections: Collection) -> StoredResult:
    """The result, beside its folders of pages, with every page a person."""
    found = {}
    for each in collections:
        for page in open_source(each.within(folder), each.name).search(each.name).pages:
            found[dict(each.ranks or ()).get(page.rank, page.rank)] = page_fingerprint(page)
    people = {number: frozenset({rank}) for number, rank in enumerate(found, start=1)}
    labels = dict.fromkeys(people, "")
    provenance = Provenance(collections)
    path = folder / "Ann.json"
    return StoredResult(path, "Ann", people, labels, found, provenance, "")


@pytest.fixture
def stored(tmp_path: Path) -> StoredResult:
    """The result of the pages a, b and c at 1, 2 and 3."""
    save(tmp_path / "old", {"1": "a", "2": "b", "3": "c"})
    return stored_result(tmp_path, Collection("old", "Ann"))


def page_texts(collected: CollectedPages) -> dict[int, str]:
    return {page.rank: (page.read_content() or b"").decode() for page in collected.search.pages}


def counted(collected: CollectedPages) -> tuple[object, ...]:
    return collected.new, collected.known, collected.changed, collected.gone


@pytest.mark.parametrize(
    ("place", "added", "found", "counts", "ranks"),
    [
        ("new", {"1": "d", "2": "b", "7": "e"}, {4: "d", 7: "e"}, ((4, 7), 1), ((1, 4), (7, 7))),
        ("new", {"1": "d", "2": "d"}, {4: "d"}, ((4,), 1), ((1, 4),)),
        ("new", {"7": "e"}, {7: "e"}, ((7,), 0), ((7, 7),)),
        ("new", {"1": "a"}, {}, ((), 1), None),  # nothing new: the source is not kept
        ("old", {"9": "d"}, {9: "d"}, ((9,), 3), None),
        ("new/../old", {"9": "d"}, {9: "d"}, ((9,), 3), None),
    ],
)
def test_new_pages_are_counted_on(stored, place, added, found, counts, ranks):
    (stored.folder / "new").mkdir()
    collected = collect_pages(stored, save(stored.folder / place, added), stored.folder)
    assert page_texts(collected) == {1: "a", 2: "b", 3: "c"} | found
    assert counted(collected) == (*counts, (), ())
    assert collected.search.name == "Ann"
    more = [Collection("new", "Ann", ranks)] if ranks else []
    assert list(collected.collections) == [Collection("old", "Ann"), *more]


def test_pages_that_were_numbered_anew_are_known_again(tmp_path):
    folder = save(tmp_path / "old", {"bio": "b", "cv": "c", "own": "o"})
    stored = stored_result(tmp_path, Collection("old", "Ann"))
    save(folder, {"about": "a", "faq": "f"})
    (folder / "own.txt").unlink()
    collected = collect_pages(stored, folder, tmp_path)
    # about, bio, cv, faq are 1 to 4 there; own was 3, where cv stands now.
    assert page_texts(collected) == {1: "b", 2: "c", 4: "a", 5: "f"}
    assert counted(collected) == ((4, 5), 2, (), (3,))
    assert collected.collections == (Collection("old", "Ann", ((1, 4), (2, 1), (3, 2), (4, 5))),)


def test_a_page_that_changed_keeps_its_place_and_one_that_is_gone_leaves(stored):
    save(stored.folder / "old", {"2": "other"})
    (stored.folder / "old" / "3.txt").unlink()
    collected = collect_pages(stored, save(stored.folder / "new", {"1": "d"}), stored.folder)
    assert page_texts(collected) == {1: "a", 2: "other", 4: "d"}
    assert counted(collected) == ((4,), 0, (2,), (3,))


def test_pages_that_were_twice_in_the_result_stay_so(tmp_path):
    save(tmp_path / "old", {"1": "a", "2": "a"})
    stored = stored_result(tmp_path, Collection("old", "Ann"))
    collected = collect_pages(stored, tmp_path / "old", tmp_path)
    assert page_texts(collected) == {1: "a", 2: "a"}
    assert counted(collected) == ((), 2, (), ())


def test_twins_at_other_ranks_are_both_found(tmp_path):
    folder = save(tmp_path / "old", {"1": "a", "2": "a"})
    stored = stored_result(tmp_path, Collection("old", "Ann"))
    save(folder, {"1": "b", "3": "a"})
    collected = collect_pages(stored, folder, tmp_path)
    assert page_texts(collected) == {1: "a", 2: "a", 3: "b"}
    assert counted(collected) == ((3,), 2, (), ())


def test_pages_of_all_collections_come_back_and_paths_lead_from_the_new_folder(stored):
    save(stored.folder / "new", {"1": "d", "2": "e"})
    grown = stored_result(
        stored.folder, Collection("old", "Ann"), Collection("new", "Ann", ((1, 4), (2, 5)))
    )
    collected = collect_pages(grown, stored.folder / "new", stored.folder / "out")
    assert page_texts(collected) == {1: "a", 2: "b", 3: "c", 4: "d", 5: "e"}
    assert counted(collected) == ((), 2, (), ())
    assert collected.collections == (
        Collection("../old", "Ann"),
        Collection("../new", "Ann", ((1, 4), (2, 5))),
    )


def test_a_result_without_fingerprints_is_known_by_its_ranks(stored):
    save(stored.folder / "old", {"2": "other"})
    blank = replace(stored, fingerprints=dict.fromkeys(stored.fingerprints, ""))
    collected = collect_pages(blank, stored.folder / "old", stored.folder)
    assert page_texts(collected) == {1: "a", 2: "other", 3: "c"}
    assert counted(collected) == ((), 3, (), ())


def test_a_page_is_looked_for_only_where_it_was(stored):
    save(stored.folder / "new", {"1": "d"})
    grown = stored_result(
        stored.folder, Collection("old", "Ann"), Collection("new", "Ann", ((1, 4),))
    )
    added = save(stored.folder / "old", {"4": "z"})
    collected = collect_pages(grown, added, stored.folder)
    assert page_texts(collected) == {1: "a", 2: "b", 3: "c", 4: "d", 5: "z"}
    assert counted(collected) == ((5,), 3, (), ())


def test_pages_that_cannot_be_found_again_are_an_error(stored):
    (stored.folder / "old").rename(stored.folder / "moved")
    added = save(stored.folder / "new", {"1": "d"})
    with pytest.raises(SourceError, match=r"old: the pages of Ann.json cannot be found again"):
        collect_pages(stored, added, stored.folder)


@pytest.mark.parametrize("texts", [{"1": "x", "2": "y", "3": "z"}, {"7": "a"}])
def test_a_folder_with_none_of_the_pages_is_not_where_they_were(stored, texts):
    for page in (stored.folder / "old").iterdir():
        page.unlink()
    save(stored.folder / "old", texts)
    collected = {2: stored.fingerprints[2]} if "7" in texts else stored.fingerprints
    with pytest.raises(SourceError, match=r"old: .*cannot be found again: all of them are missing"):
        collect_pages(replace(stored, fingerprints=collected), stored.folder / "old", stored.folder)


def test_a_source_without_the_name_is_an_error(stored):
    folder = stored.folder / "many"
    folder.mkdir()
    save(folder / "Bob", {"1": "d"})
    with pytest.raises(SourceError, match="no results for 'Ann'"):
        collect_pages(stored, folder, stored.folder)


NAME = "Robin_Averdale"
SOME, ALL = 12, 18
"""Pages of the demo that the result has at first, and after."""


@pytest.fixture(scope="module")
def updated(tmp_path_factory: pytest.TempPathFactory) -> tuple[Result, Update]:
    """The result of some pages of the demo, with others."""
    root = tmp_path_factory.mktemp("demo")
    pages = sorted(resource_path("demo").rglob("*.html"))[:ALL]
    for number, page in enumerate(pages):
        part = root / ("old" if number < SOME else "new")
        part.mkdir(exist_ok=True)
        shutil.copyfile(page, part / page.name)
    cluster(root / "old", name=NAME).save(root)
    return update(root / f"{NAME}.json", root / "new")


def test_people_are_those_of_all_pages_at_once(updated):
    result, _ = updated
    assert set(result.clustering.groups) == set(cluster(result.search).clustering.groups)


def test_every_reason_can_be_looked_up(updated):
    result, changes = updated
    explained = result.answer.pairs
    assert changes.changes
    for each in changes.changes:
        assert each.pair is not None
        pair = tuple(sorted(each.pair))
        assert pair in explained
        if each.kind is ChangeKind.JOINED:
            assert each.probability == explained[pair].probability


def test_the_models_are_those_of_the_result(updated, tmp_path):
    def digest(**settings: str) -> str:
        stored = updated[1].stored
        there = replace(stored, path=tmp_path / "Ann.json", provenance=Provenance(**settings))
        return ResultOptions.of_result(there, ResultOptions()).load_models().digest

    other = tmp_path / "mine.json"
    shutil.copyfile(resource_path("models") / "paper.json", other)
    assert digest() == pretrained(DEFAULT_SYSTEM).digest
    assert digest(system="paper") == digest(model="mine.json") == digest(model=str(other))
    assert digest(system="paper") == pretrained("paper").digest != pretrained(DEFAULT_SYSTEM).digest
    with pytest.raises(ModelError, match=r"Ann.json: unknown system .*'tokn'"):
        digest(system="paper:features=tokn")  # no fault of the command line


def test_the_greatest_id_is_never_forgotten(updated):
    stored = updated[1].stored
    before = replace(stored, provenance=replace(stored.provenance, last_id=99))
    later, _ = update(before, stored.folder / "new")
    assert later.provenance.last_id == 99 + len(set(later.answer.people)) - len(stored.people)
