"""Results are read back, and brought up to date."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from weps._files import resource_path
from weps.errors import SourceError
from weps.model import DEFAULT_SYSTEM, pretrained
from weps.pipeline import cluster
from weps.provenance import Collection, Provenance, source_collection
from weps.reading import Reader
from weps.report.view import Report
from weps.report.writing import write_report
from weps.results.changes import ChangeKind
from weps.results.collecting import collect_pages
from weps.results.stored import StoredResult, find_result, read_result
from weps.results.updating import ResultUpdate, models_of_result, update
from weps.sources.opening import open_source


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
            {"id": 1, "label": "", "pages": [{"rank": 2, "fingerprint": "ba9876543210"}]},
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
    file.write_text(json.dumps(result()))
    stored = read_result(file)
    assert (stored.name, stored.identifier) == ("Ann Example", "Ann_Example")
    assert stored.people == {2: {1, 4}, 1: {2}}
    assert stored.labels == {2: "logic", 1: ""}
    assert stored.fingerprints == {1: "0123456789ab", 4: "", 2: "ba9876543210"}
    assert stored.provenance == Provenance(
        (Collection("../pages", "Ann_Example", {7: 1}),), "paper", "", 0.5, ""
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


@pytest.mark.parametrize(
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
        (result(settings={}), "settings.system is missing"),
        (result(collected=[{"path": "a\0b", "name": "a"}]), "collected[0].path: expected text"),
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


NAME = "Robin_Averdale"
SOME, ALL = 12, 18
"""Pages of the demo that the result has at first, and after."""


@pytest.fixture(scope="module")
def updated_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo in two folders, and the result of the first."""
    root = tmp_path_factory.mktemp("demo")
    pages = sorted(resource_path("demo").rglob("*.html"))[:ALL]
    for number, page in enumerate(pages):
        part = root / ("old" if number < SOME else "new")
        part.mkdir(exist_ok=True)
        shutil.copyfile(page, part / page.name)
    answer = cluster(open_source(root / "old", NAME).search(NAME), pretrained(DEFAULT_SYSTEM))
    provenance = Provenance((source_collection(root / "old", NAME, root),))
    write_report(Report(answer, provenance=provenance), NAME, root)
    return root


@pytest.fixture(scope="module")
def stored(updated_folder: Path) -> StoredResult:
    return read_result(updated_folder / f"{NAME}.json")


@pytest.fixture(scope="module")
def updated(updated_folder: Path, stored: StoredResult) -> ResultUpdate:
    collected = collect_pages(stored, updated_folder / "new", updated_folder)
    return update(stored, collected, models_of_result(stored), Reader())


def test_people_are_those_of_all_pages_at_once(updated):
    at_once = cluster(updated.collected.search, pretrained(DEFAULT_SYSTEM))
    assert set(updated.answer.clustering.groups) == set(at_once.clustering.groups)


def test_every_new_page_and_every_old_page_that_moved_is_in_one_change(updated):
    ranks = [rank for each in updated.changes for rank in each.pages]
    assert len(ranks) == len(set(ranks))
    assert set(updated.collected.new) <= set(ranks)
    assert len(ranks) - len(updated.collected.new) == SOME - updated.unchanged


def test_every_reason_can_be_looked_up(updated):
    explained = set(updated.answer.pairs)
    assert updated.changes
    for each in updated.changes:
        assert each.pair is not None
        assert tuple(sorted(each.pair)) in explained
        if each.kind is ChangeKind.JOINED:
            assert each.probability == updated.answer.pairs[tuple(sorted(each.pair))].probability


def test_the_report_notes_are_few(updated):
    assert len(updated.report.notes) <= 5
    assert updated.describe_changes(1)[1:] == [f"and {len(updated.changes) - 1} other changes"]
    assert updated.describe_changes(len(updated.changes) - 1)[-1] == "and 1 other change"
    assert len(updated.describe_changes(len(updated.changes))) == len(updated.changes)
    assert len(updated.describe_changes(100)) == len(updated.changes)


def test_the_models_are_those_of_the_result(stored, tmp_path):
    def digest(**settings: str) -> str:
        there = replace(stored, path=tmp_path / "Ann.json", provenance=Provenance(**settings))
        return models_of_result(there).digest

    other = tmp_path / "mine.json"
    shutil.copyfile(resource_path("models") / "paper.json", other)
    assert digest() == pretrained(DEFAULT_SYSTEM).digest
    assert digest(system="paper") == digest(model="mine.json") == digest(model=str(other))
    assert digest(system="paper") == pretrained("paper").digest != pretrained(DEFAULT_SYSTEM).digest


def test_the_greatest_id_is_never_forgotten(updated):
    provenance = replace(updated.stored.provenance, last_id=99)
    later = replace(updated, stored=replace(updated.stored, provenance=provenance))
    assert later.report.provenance.last_id == 99
