import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from weps._files import resource_path
from weps.model import DEFAULT_SYSTEM, pretrained
from weps.pipeline import cluster
from weps.provenance import Provenance, source_collection
from weps.reading import Reader
from weps.report.view import Report
from weps.report.writing import write_report
from weps.results.changes import ChangeKind
from weps.results.collecting import collect_pages
from weps.results.stored import StoredResult, read_result
from weps.results.updating import ResultUpdate, models_of_result, update
from weps.sources.opening import open_source

NAME = "Robin_Averdale"
SOME, ALL = 12, 18
"""Pages of the demo that the result has at first, and after."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
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
def stored(folder: Path) -> StoredResult:
    return read_result(folder / f"{NAME}.json")


@pytest.fixture(scope="module")
def updated(folder: Path, stored: StoredResult) -> ResultUpdate:
    collected = collect_pages(stored, folder / "new", folder)
    return update(stored, collected, models_of_result(stored), Reader())


def test_people_are_those_of_all_pages_at_once(updated):
    at_once = cluster(updated.collected.search, pretrained(DEFAULT_SYSTEM))
    assert set(updated.answer.clustering.groups) == set(at_once.clustering.groups)


def test_every_new_page_is_told_once_and_every_old_page_that_went(updated):
    told = [rank for each in updated.changes for rank in each.pages]
    assert len(told) == len(set(told))
    assert set(updated.collected.new) <= set(told)
    assert len(told) - len(updated.collected.new) == SOME - updated.unchanged


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
