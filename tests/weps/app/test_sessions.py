"""Stored results of a folder, and those that are open."""

import json
import re
import shutil
from dataclasses import replace

import pytest

from weps._files import resource_path
from weps._parallel import log_progress
from weps.app.sessions import EditRequest, ResultStore
from weps.errors import ConflictError, CorrectionsError, SourceError
from weps.reading import Reader, document_key
from weps.records import Provenance, source_collection
from weps.report.html import AppLinks
from weps.results.files import forget_name, plan_removal, write_index, write_report
from weps.results.result import Result
from weps.sources.opening import open_source

LINKS = AppLinks()


@pytest.fixture(scope="module")
def clustered(shared):
    """A result as ``weps cluster`` leaves it, of eight pages that lie elsewhere."""
    own = shared.folder.parent / "own" / "Robin_Averdale"
    own.mkdir(parents=True)
    for number in range(1, 9):
        shutil.copy(resource_path(f"demo/Robin_Averdale/{number:03d}.html"), own)
    where = Provenance((source_collection(own, "Robin_Averdale", shared.folder),), threshold=0.4)
    options = replace(shared.options, settings=where)
    search = open_source(own).search("Robin_Averdale")
    write_report(Result.of(search, options), "Robin_Averdale", shared.folder)
    return shared


@pytest.fixture
def app(clustered):
    before = clustered.files()
    yield clustered
    clustered.restore(before)


@pytest.fixture
def own(app):
    return app.folder.parent / "own" / "Robin_Averdale"


def correct(app, **request):
    app.workspace.sessions.correct("Robin_Averdale", EditRequest.parse(request))


def test_opening_changes_no_file_and_correcting_keeps_the_settings(app):
    sessions = app.workspace.sessions
    sessions.close()
    before = {path: path.read_bytes() for path in app.folder.iterdir()}
    assert sessions.report("Robin_Averdale", LINKS) is None
    sessions.open("Robin_Averdale", log_progress)
    assert {path: path.read_bytes() for path in app.folder.iterdir()} == before
    correct(app, action="same", pages=[1, 2])
    stored = app.workspace.store.read_stored("Robin_Averdale")
    assert stored.provenance.threshold == 0.4
    assert stored.provenance.collections[0].within(app.folder).name == "Robin_Averdale"
    correct(app, action="undo")


def test_the_report_lists_the_consequences_of_a_correction(app):
    sessions = app.workspace.sessions
    sessions.open("Robin_Averdale", log_progress)
    assert "After your last correction: " not in sessions.report("Robin_Averdale", LINKS)
    people = app.workspace.store.read_stored("Robin_Averdale").people
    everybody = sorted(frozenset().union(*people.values()))
    assert len(people) > 1
    correct(app, action="same", pages=everybody)
    assert "After your last correction: person " in sessions.report("Robin_Averdale", LINKS)
    correct(app, action="rename", pages=[1], name="All")
    page = sessions.report("Robin_Averdale", LINKS)
    assert "After your last correction: no page has moved" in page


def test_an_index_follows_once_nothing_changes_any_more(app):
    (index, *_) = write_index(app.folder)
    before = index.read_bytes()
    for _ in range(2):
        correct(app, action="confirm", pages=[1])
        assert index.read_bytes() == before  # a correction does not wait for it
        correct(app, action="undo")
    correct(app, action="confirm", pages=[1])
    app.workspace.sessions.close()
    assert 'data-label="correction">1<' not in before.decode()
    assert re.search('data-label="corrections?">', index.read_text())
    correct(app, action="undo")


def test_the_report_follows_soon_or_as_it_is_asked_for(app):
    html = app.folder / "Robin_Averdale.html"
    before = html.read_bytes()
    correct(app, action="rename", pages=[1], name="Ann of the harbour")
    assert html.read_bytes() == before  # a correction does not wait for it
    assert "Ann of the harbour" in app.get("/names/Robin_Averdale/saved").text
    assert "Ann of the harbour" in html.read_text()
    correct(app, action="undo")
    app.workspace.sessions.close()
    assert "Ann of the harbour" not in html.read_text()
    correct(app, action="rename", pages=[1], name="Ann of the harbour")
    html.with_suffix(".json").touch()  # another program has written the result
    app.workspace.sessions.close()
    assert "Ann of the harbour" not in html.read_text()
    correct(app, action="undo")


def test_new_pages_in_the_folder_do_not_slip_in(app, own):
    shutil.copy(resource_path("demo/Robin_Averdale/009.html"), own)
    app.workspace.sessions.close()
    app.workspace.sessions.open("Robin_Averdale", log_progress)
    page = app.workspace.sessions.report("Robin_Averdale", LINKS)
    (own / "009.html").unlink()
    assert 'id="page-8"' in page
    assert 'id="page-9"' not in page


def test_pages_that_changed_or_are_gone_are_an_error(app, own):
    app.workspace.sessions.close()
    was = (own / "003.html").read_bytes()
    (own / "003.html").write_text("<p>Robin Averdale, another one")
    with pytest.raises(SourceError, match="0 are gone, 1 have changed"):
        app.workspace.sessions.open("Robin_Averdale", log_progress)
    (own / "003.html").write_bytes(was)


def test_corrections_written_meanwhile_are_kept(app):
    sessions, file = app.workspace.sessions, app.folder / "Robin_Averdale.corrections.txt"
    correct(app, action="same", pages=[1, 2])
    assert sessions.report("Robin_Averdale", LINKS)
    file.write_text("# by hand\ndifferent 3 / 4\n")
    assert sessions.report("Robin_Averdale", LINKS) is None  # to be opened again
    correct(app, action="same", pages=[5, 6])
    lines = [line for line in file.read_text().splitlines() if not line.startswith("page ")]
    assert lines[1:] == ["# by hand", "different 3 / 4", "same 5 6"]


def test_corrections_written_while_another_is_applied_are_kept(app, monkeypatch):
    file, apply = app.folder / "Robin_Averdale.corrections.txt", EditRequest.correct

    def apply_meanwhile(request, result):
        file.write_text("same 7 8\n")
        return apply(request, result)

    with monkeypatch.context() as patch:
        patch.setattr(EditRequest, "correct", apply_meanwhile)
        with pytest.raises(ConflictError, match="another window or program"):
            correct(app, action="same", pages=[1, 2])
    assert file.read_text() == "same 7 8\n"
    with pytest.raises(ConflictError):  # what the window shows is no longer the answer
        correct(app, action="same", pages=[1, 2], seen="0123456789abcdef")


def test_faulty_corrections_are_reported_and_left_alone(app):
    file = app.folder / "Robin_Averdale.corrections.txt"
    file.write_text("same 1 2\ndifferent 1 / 2\n")
    with pytest.raises(CorrectionsError, match=r"line 1.*line 2"):
        correct(app, action="undo")
    assert file.read_text() == "same 1 2\ndifferent 1 / 2\n"
    assert "Robin Averdale" in app.get("/").text


def test_a_folder_of_the_users_own_is_never_touched(app, own):
    assert plan_removal(app.folder, "Robin_Averdale").elsewhere == (own,)
    assert str(own) in app.get("/names/Robin_Averdale/delete").text
    removed = app.workspace.sessions.remove("Robin_Averdale")
    assert removed.elsewhere == (own,)
    assert removed.cached >= 8
    assert not list(app.folder.iterdir())
    assert len(list(own.iterdir())) == 8


def test_pages_that_are_links_are_not_followed(app):
    pages = app.folder / "pages" / "Ann"
    pages.mkdir(parents=True)
    (app.folder.parent / "secret.html").write_text("<p>Ann, the secret")
    (pages / "1.html").symlink_to(app.folder.parent / "secret.html")
    with pytest.raises(SourceError, match="symbolic links"):
        app.workspace.sessions.cluster("Ann", log_progress)
    assert app.workspace.sessions.remove("Ann").files == (pages,)
    assert (app.folder.parent / "secret.html").exists()


@pytest.mark.parametrize("result", ["", "{}"])
def test_pages_without_a_result_that_can_be_read_are_forgotten(app, result):
    pages = app.folder / "pages" / "Bob"
    pages.mkdir(parents=True)
    (pages / "1.html").write_text("<p>Bob is a baker in Port Merrow, and nobody else.")
    sessions, reader = app.workspace.sessions, app.options.reader
    known = document_key(open_source(pages).search("Bob").pages[0])
    sessions.cluster("Bob", log_progress)
    assert reader.cache.get(known)
    if result:
        (app.folder / "Bob.json").write_text(result)
    else:
        (app.folder / "Bob.json").unlink()
    assert sessions.remove("Bob").cached > 0
    assert reader.cache.get(known) is None


def test_a_result_that_does_not_know_its_pages_shows_none(app):
    secrets = app.folder.parent / "secrets"
    secrets.mkdir()
    (secrets / "1.html").write_text("<p>The secret of Ann.")
    settings = {"system": "", "model": "", "threshold": None, "language": ""}
    parts = {"name": "Ann", "merges": [], "model": "", "signature": "", "settings": settings}
    people = [{"id": 1, "label": "", "pages": [{"rank": 1}]}]
    whole = parts | {"people": people, "collected": [{"path": str(secrets), "name": "Ann"}]}
    (app.folder / "Ann.json").write_text(json.dumps(whole))
    with pytest.raises(SourceError, match="no fingerprints of its pages"):
        app.workspace.sessions.open("Ann", log_progress)
    app.workspace.sessions.remove("Ann")
    assert (secrets / "1.html").exists()


def test_only_json_files_of_the_folder_itself_are_results(tmp_path):
    folder = tmp_path / "results"
    assert ResultStore(folder).results() == ()
    (folder / "deeper").mkdir(parents=True)
    (folder / "deeper" / "A.json").write_text("{}")
    (tmp_path / "B.json").write_text("{}")
    (folder / "B.json").symlink_to(tmp_path / "B.json")
    (folder / "C.json").mkdir()
    (folder / "D.json").write_text("{}")
    store = ResultStore(folder)
    assert [each.identifier for each in store.results()] == ["D"]
    assert "not a result" in store.results()[0].problem
    assert store.identifiers().isdisjoint(("A", "B", "C", "../B", "deeper/A", ""))


def test_removal_stays_in_the_folder(tmp_path):
    folder, outside = tmp_path / "results", tmp_path / "outside"
    outside.mkdir()
    (outside / "1.html").write_text("mine")
    store = ResultStore(folder)
    (folder / "pages").mkdir(parents=True)
    (folder / "pages" / "Ann").symlink_to(outside)
    (folder / "Ann.json").write_text("{}")
    (folder / "Ann.html").symlink_to(outside / "1.html")
    (folder / "Ann.notes").write_text("the user's own")
    assert forget_name(store.folder, "Ann", Reader()).files == (folder / "Ann.json",)
    assert (outside / "1.html").read_text() == "mine"
    assert (folder / "Ann.notes").exists()


@pytest.mark.parametrize("linked", ["pages", "pages/Ann"])
def test_a_linked_folder_of_pages_is_not_followed(tmp_path, linked):
    (outside := tmp_path / "outside" / "Ann").mkdir(parents=True)
    (link := tmp_path / "results" / linked).parent.mkdir(parents=True)
    link.symlink_to(outside.parent if linked == "pages" else outside)
    store = ResultStore(tmp_path / "results")
    assert store.pending() == ()
    with pytest.raises(SourceError, match="links"):
        store.source(store.folder / "pages" / "Ann")
    assert forget_name(store.folder, "Ann", Reader()).files == ()
    assert outside.is_dir()


def test_a_result_that_was_written_again_is_read_again(tmp_path):
    store = ResultStore(tmp_path)
    path = tmp_path / "Ann.json"
    path.write_text(json.dumps({"name": "Ann", "people": [], "merges": []}))
    assert "model is missing" in store.results()[0].problem
    settings = {"system": "", "model": "", "threshold": None, "language": ""}
    whole = {"name": "Ann", "people": [], "merges": [], "collected": [], "settings": settings}
    path.write_text(json.dumps(whole | {"model": "", "signature": ""}))
    (result,) = store.results()
    assert (result.problem, result.name, result.pages) == ("", "Ann", 0)
    forget_name(store.folder, "Ann", Reader())
    assert store.results() == ()


@pytest.mark.parametrize("name", ["", ".", "..", ".Ann", "A\nnn", "\u202eAnn", "\udcff\udcfe"])
def test_names_that_weps_gives_to_nothing_are_no_results(tmp_path, name):
    pages = tmp_path / "pages" / "Bob"
    pages.mkdir(parents=True)
    (tmp_path / f"{name}.json").write_text("{}")
    (tmp_path / "pages" / name).mkdir(exist_ok=True)
    store = ResultStore(tmp_path)
    assert store.all() == {"Bob"}
    assert name not in store.identifiers()
