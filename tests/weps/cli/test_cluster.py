"""The commands cluster and update."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from weps.corrections.model import CORRECTIONS_SUFFIX, read_corrections
from weps.language.sentence_encoder import NO_ENCODER
from weps.language.spacy_pipeline import BUILTIN_PIPELINE
from weps.results.files import EXPORTED
from weps.results.result import Result, ResultOptions
from weps.results.stored import read_file, read_result, result_names
from weps.sources.opening import open_source

TRADES = ("baker", "baker", "sailor", "sailor")


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    """Four saved pages for the name Ada Lovell: two of a baker, two of a sailor."""
    folder = tmp_path / "pages" / "Ada_Lovell"
    folder.mkdir(parents=True)
    for number, trade in enumerate(TRADES, start=1):
        text = f"<title>Ada Lovell {number}</title><p>Ada Lovell is a {trade} in Port Merrow."
        (folder / f"{number:03}.html").write_text(text)
    return folder


def copy_for(name: str, pages: Path) -> None:
    """Copy the pages of Ada Lovell as those of another name, which they have instead."""
    for file in shutil.copytree(pages, pages.with_name(name)).iterdir():
        file.write_text(file.read_text().replace("Ada Lovell", name.replace("_", " ")))


def people(out: Path) -> set[frozenset[int]]:
    answer = json.loads((out / "Ada_Lovell.json").read_text())
    return {frozenset(page["rank"] for page in each["pages"]) for each in answer["people"]}


def test_other_spellings_are_stored_and_kept(weps, pages, tmp_path):
    out, also = tmp_path / "out", ("--also", "Baroness Tideway", "--also", "A. L. Smith")
    (pages / "005.html").write_text("<p>The baker, Baroness Tideway, lives in Port Merrow.")
    assert weps("cluster", pages, "--out", out, *also)[0] == 0
    file = read_file(out / "Ada_Lovell.json")
    assert file.also == ("Baroness Tideway", "A. L. Smith")
    assert not file.set_aside  # though the page does not have the name as typed
    assert "Other spellings of the name: Baroness Tideway" in (out / "Ada_Lovell.html").read_text()
    (pages / "006.html").write_text("<p>A. L. Smith is a sailor of Port Merrow.")
    assert weps("update", out, pages)[0] == 0
    updated = read_file(out / "Ada_Lovell.json")
    assert (updated.also, updated.set_aside) == (file.also, ())
    opened = Result.open(read_result(out / "Ada_Lovell.json"), ResultOptions())
    assert opened.correct("confirm", 5).answer.also == file.also


def test_other_spellings_are_of_one_name(weps, pages, tmp_path):
    copy_for("Bo_Lovell", pages)
    status, _, err = weps("cluster", pages.parent, "--out", tmp_path / "out", "--also", "A. Lovell")
    assert (status, "--also is for one name, got 2 names" in err) == (1, True)


@pytest.mark.parametrize(
    ("folder", "words", "name", "told"),
    [
        ("Ada Lovell – research", (), "Ada Lovell", "is read as Ada Lovell, which is on 4 of 4"),
        ("Ada_Lovell", ("--name", "Ada Lovel"), "Ada Lovel", "did you mean Ada Lovell, on 4 of 4"),
        ("ada%20lovell+2", (), "Ada Lovell", ""),
        ("ada-lovell-pages", (), "Ada Lovell", "is read as Ada Lovell, which is on 4 of 4"),
        ("Ada_Lovell_(2)", (), "Ada Lovell", ""),
    ],
)
def test_the_name_is_checked_against_the_pages(folder, words, name, told, weps, pages, tmp_path):
    out = tmp_path / "out"
    status, _, err = weps("cluster", pages.rename(pages.with_name(folder)), "--out", out, *words)
    assert status == 0
    [file] = map(read_file, out.glob("*.json"))
    assert (file.name, bool(file.cautions)) == (name, bool(told))
    assert told in " ".join(file.cautions)
    assert told in err
    status, printed, _ = weps("update", out, tmp_path / "pages" / folder)
    assert (status, f"{name}: 0 new pages" in printed) == (0, True)


@pytest.mark.parametrize("words", [("--name", " "), ("--also", "\u200f")])
def test_empty_names_are_refused(weps, words):
    status, _, err = weps("cluster", ".", *words)
    assert (status, "expected a person's name, got" in err) == (1, True)


def test_corrections_from_elsewhere_are_kept_beside_the_result(weps, pages, tmp_path):
    file, out = tmp_path / "mine.txt", tmp_path / "out"
    file.write_text("same 1 3\n")
    assert weps("cluster", pages, "--out", out, "--corrections", file)[2] == ""
    assert {oct(path.stat().st_mode & 0o777) for path in out.iterdir()} == {"0o600"}
    assert oct(out.stat().st_mode & 0o777) == "0o700"
    (kept,) = read_corrections(out / "Ada_Lovell.corrections.txt").entries
    assert kept.same == (1, 3)
    before = (out / "Ada_Lovell.corrections.txt").read_bytes()
    file.write_text("same 1 4\n")
    _, _, warned = weps("cluster", pages, "--out", out, "--corrections", file)
    assert f"differs from {file}; later runs use it" in warned
    assert (out / "Ada_Lovell.corrections.txt").read_bytes() == before


def test_corrections_beside_the_results_are_obeyed_unless_told_not_to(weps, pages, tmp_path):
    weps("cluster", pages, "--out", tmp_path, "--threshold", "1")
    apart = people(tmp_path)
    (tmp_path / "Ada_Lovell.corrections.txt").write_text("same 1 2 3 4\ncalled 4 Ada the First\n")
    weps("cluster", pages, "--out", tmp_path, "--threshold", "1")
    assert people(tmp_path) == {frozenset({1, 2, 3, 4})}
    (person,) = json.loads((tmp_path / "Ada_Lovell.json").read_text())["people"]
    assert person["called"] == person["label"] == "Ada the First"
    assert person["confidence"] == 1.0
    weps("cluster", pages, "--out", tmp_path, "--threshold", "1", "--no-corrections")
    assert people(tmp_path) == apart != {frozenset({1, 2, 3, 4})}
    assert (tmp_path / "Ada_Lovell.corrections.txt").is_file()


@pytest.mark.parametrize("when", ["before", "after"])
def test_corrections_by_hand_stay_with_their_pages(weps, pages, tmp_path, when):
    file, result = (tmp_path / f"Ada_Lovell{each}" for each in (".corrections.txt", ".json"))
    for each in [*pages.iterdir()]:
        each.rename(each.with_name(f"page of {each.name}"))  # numbers would be ranks
    weps("cluster", pages, "--out", tmp_path)
    file.write_text("# read twice\ncalled 1 Ada the First\ndifferent 1 / 4\n")
    if when == "after":  # the answer was made again before there were other pages
        weps("cluster", pages, "--out", tmp_path)
    (pages / "another.html").write_text("<p>Ada Lovell, sailor")
    for _ in range(2):
        weps("cluster", pages, "--out", tmp_path)
        (called,) = (each for each in json.loads(result.read_text())["people"] if "called" in each)
        assert 2 in [page["rank"] for page in called["pages"]]
        assert "# read twice\ncalled 2 Ada the First\ndifferent 2 / 5\n" in file.read_text()


def test_what_is_added_to_corrections_during_the_work_stays(weps, pages, tmp_path, monkeypatch):
    file, made = tmp_path / "Ada_Lovell.corrections.txt", Result.of
    file.write_text("called 1 Ada the First\n")

    def work(*given, **options):
        file.write_text(file.read_text() + "different 1 / 4\n")
        return made(*given, **options)

    monkeypatch.setattr(Result, "of", work)
    assert weps("cluster", pages, "--out", tmp_path)[0] == 0
    assert [each.kind for each in read_corrections(file).entries] == ["called", "different"]


def test_the_threshold_of_the_corrections_is_obeyed_unless_another_is_given(weps, pages, tmp_path):
    file = tmp_path / "Ada_Lovell.corrections.txt"
    file.write_text("threshold 1\ncalled 4 Ada the First\n")
    assert weps("cluster", pages, "--out", tmp_path)[2] == ""
    assert people(tmp_path) == {frozenset({rank}) for rank in (1, 2, 3, 4)}
    _, _, warned = weps("cluster", pages, "--out", tmp_path, "--threshold", "0")
    assert "--threshold 0 is used, not the merge threshold 1 of the corrections" in warned
    assert people(tmp_path) == {frozenset({1, 2, 3, 4})}
    answer = json.loads((tmp_path / "Ada_Lovell.json").read_text())
    assert answer["corrections"] == ["called 4 Ada the First"]
    assert "threshold 1\ncalled 4 Ada the First\n" in file.read_text()
    assert weps("update", tmp_path / "Ada_Lovell.json", pages)[0] == 0
    assert people(tmp_path) == {frozenset({rank}) for rank in (1, 2, 3, 4)}


def test_a_folder_of_corrections_serves_several_names(weps, pages, tmp_path):
    other = pages.with_name("Bo_Lovell")
    other.mkdir()
    (other / "001.html").write_text("<p>Bo Lovell, baker")
    folder = tmp_path / "said"
    folder.mkdir()
    (folder / "Ada_Lovell.corrections.txt").write_text("same 1 3\n")
    out = tmp_path / "out"
    status, printed, _ = weps("cluster", pages.parent, "--out", out, "--corrections", folder)
    assert status == 0
    assert "confidence" not in printed  # a table is for one name
    assert any({1, 3} <= group for group in people(out))
    assert f"index of all names: {out / 'index.html'}" in printed
    index = (out / "index.html").read_bytes()
    (other / "002.html").write_text("<p>Bo Lovell, sailor")
    assert weps("cluster", other, "--out", out)[0] == 0
    assert b'"pages">2<' in (out / "index.html").read_bytes() != index
    assert weps("update", out / "Bo_Lovell.json", pages, "--name", "Bo Lovell")[0] == 0
    assert b'"pages">6<' in (out / "index.html").read_bytes()


def test_contradictions_and_faults_are_named_and_nothing_is_written(weps, pages, tmp_path):
    file, out = tmp_path / "mine.txt", tmp_path / "out"
    for lines in ("same 1 2\ndifferent 1 / 2", "same 1 x\nunknown 3"):
        file.write_text(lines)
        status, _, errors = weps("cluster", pages, "--out", out, "--corrections", file)
        assert status == 1
        assert all(word in errors for word in ("line 1", "line 2"))
        assert len(errors.splitlines()) == 1
        assert not list(out.glob("Ada_Lovell.*"))


def test_a_page_that_is_not_there_costs_a_warning(weps, pages, tmp_path):
    file = tmp_path / "mine.txt"
    file.write_text("same 1 3 77\n")
    out = tmp_path / "out"
    status, _, errors = weps("cluster", pages, "--out", out, "--corrections", file)
    assert status == 0
    sentence = "page 77 is not among the pages"
    assert sentence in errors
    assert sentence in (out / "Ada_Lovell.html").read_text("utf-8")
    assert any({1, 3} <= group for group in people(out))


@pytest.mark.parametrize(
    ("there", "fault"),
    [(False, "no such file"), (True, "a corrections file is for one name, got 2 names")],
)
def test_corrections_that_cannot_be_had_are_told_before_the_work(
    weps, pages, tmp_path, there, fault
):
    file = tmp_path / "mine.txt"
    if there:
        file.write_text("same 1 2")
    other = pages.with_name("Bo_Lovell")
    other.mkdir()
    (other / "001.html").write_text("<p>Bo Lovell, baker")
    status, _, errors = weps(
        "cluster", pages.parent, "--out", tmp_path / "out", "--corrections", file
    )
    assert status == 1
    assert f"{file}: {fault}" in errors


ADA, BO = "pages/Ada_Lovell", "out/Bo_Lovell"
KEY = '<clustering><entity id="1"><doc rank="1"/><doc rank="2"/></entity></clustering>'


@pytest.mark.parametrize(
    ("change", "made"),
    [
        ("", set()),
        ((f"{ADA}/001.html", Path.touch), set()),  # the bytes count, not the time
        ((f"{ADA}/001.html", lambda file: file.write_text("Ada Lovell, miner")), {"Ada_Lovell"}),
        ((f"{ADA}/005.html", lambda file: file.write_text("Ada Lovell, miner")), {"Ada_Lovell"}),
        ((f"{ADA}/key.xml", lambda file: file.write_text(KEY)), {"Ada_Lovell"}),
        ((f"{BO}.corrections.txt", lambda file: file.write_text("same 1 2\n")), {"Bo_Lovell"}),
        ((f"{BO}.csv", Path.unlink), {"Bo_Lovell"}),
        ((f"{BO}.json", lambda file: os.truncate(file, 99)), {"Bo_Lovell"}),
        ("--again", {"Ada_Lovell", "Bo_Lovell"}),
        ("--threshold 0.5", {"Ada_Lovell", "Bo_Lovell"}),
        ("--system paper", {"Ada_Lovell", "Bo_Lovell"}),
        ("--write json,csv", {"Ada_Lovell", "Bo_Lovell"}),
        ("--name Bo_Lovell", {"Bo_Lovell"}),  # a single name is always made
    ],
)
def test_a_name_is_made_again_when_anything_that_it_depends_on_has_changed(
    change, made, weps, pages, tmp_path, monkeypatch
):
    copy_for("Bo_Lovell", pages)
    out, clustered = tmp_path / "out", list[str]()
    assert weps("cluster", pages.parent, "--out", out)[0] == 0
    before = {path: path.read_bytes() for path in out.iterdir()}
    plain = Result.of

    def note(search, *words, **named):
        clustered.append(search.name.replace(" ", "_"))
        return plain(search, *words, **named)

    monkeypatch.setattr(Result, "of", note)
    options = change.split() if isinstance(change, str) else ()
    if change and not options:
        file, edit = change
        edit(tmp_path / file)
    status, printed, errors = weps("cluster", pages.parent, "--out", out, *options)
    assert (status, errors) == (0, "")
    assert set(clustered) == made
    assert printed.count(", finished before\n") == (0 if "--name" in options else 2 - len(made))
    if not made:
        assert {path: path.read_bytes() for path in out.iterdir()} == before
    if "--write" in options:
        kinds = {path.suffix for path in out.glob("*_Lovell.*")}
        assert kinds == {".json", ".csv"}
        assert result_names(out) == ("Ada_Lovell", "Bo_Lovell")


def test_a_task_is_small_however_many_names_there_are(pages):
    """The first of 3,000 names can be worked on before folders beyond the first are looked into."""
    for number in range(3_000):
        (pages.parent / f"Bo_{number:04}").mkdir()
    source = open_source(pages.parent)
    shown = source.only("Bo_2999")
    assert len(pickle.dumps(shown)) < 1_000
    assert not shown.has_pages("Bo_2999")
    (pages.parent / "Bo_2999" / "1.html").write_text("Bo Lovell")
    assert shown.has_pages("Bo_2999")
    assert source.search("Bo_2999") == shown.search("Bo_2999")
    assert source.only("Ada_Lovell").search("Ada_Lovell") == source.search("Ada Lovell")


@pytest.mark.parametrize("error", [MemoryError(), RecursionError(), OSError(5, "no"), None])
def test_an_error_costs_one_name_alone(error, weps, pages, tmp_path, monkeypatch):
    lost = "B" * 250 if error is None else "Bo_Lovell"  # whose corrections have no file name
    for name in (lost, "Cy_Lovell"):
        copy_for(name, pages)
    plain = Result.of

    def fail(search, *words, **named):
        if error and search.name == "Bo Lovell":
            raise error
        return plain(search, *words, **named)

    monkeypatch.setattr(Result, "of", fail)
    out = tmp_path / "out"
    status, _, errors = weps("cluster", pages.parent, "--out", out)
    assert status == 1
    assert len(errors.splitlines()) == 1
    assert lost in errors
    assert result_names(out) == ("Ada_Lovell", "Cy_Lovell")


def test_a_pipeline_without_names_costs_a_warning(weps, pages, tmp_path, monkeypatch):
    plain = Result.of

    def without_names(*words, **named):
        made = plain(*words, **named)
        return replace(made, answer=replace(made.answer, note="no names here"))

    monkeypatch.setattr(Result, "of", without_names)
    status, _, errors = weps("cluster", pages, "--out", tmp_path)
    assert status == 0
    assert "no names here" in errors
    assert "no names here" in (tmp_path / "Ada_Lovell.html").read_text()


SCHEMA = Path(__file__).parents[3] / "docs" / "schema" / "changes.schema.json"
BAKER = "Ada Lovell bakes rye bread and sourdough at the Tideway bakery in Port Merrow."
SAILOR = "Captain Ada Lovell of the schooner Kittiwake crossed the Farrow strait in winter."
NAME = "Ada_Lovell"
AS_ADA = ("--name", "Ada Lovell", "--embeddings", NO_ENCODER)


def save(folder: Path, *texts: str) -> Path:
    folder.mkdir(exist_ok=True)
    for number, text in enumerate(texts, start=1):
        (folder / f"{number:03}.html").write_text(f"<title>Ada Lovell</title><p>{text}</p>")
    return folder


@pytest.fixture
def result(weps, tmp_path: Path) -> Path:
    pages = save(tmp_path / "old", BAKER, f"{BAKER} Daily.", SAILOR)
    assert weps("cluster", pages, *AS_ADA, "--out", tmp_path / "out")[0] == 0
    return tmp_path / "out" / f"{NAME}.json"


def test_new_pages_are_placed_and_every_word_of_it_is_told(weps, result, tmp_path):
    before = read_result(result)
    added = save(tmp_path / "new", f"{SAILOR} Again.", BAKER)
    status, out, err = weps("update", result, added, "--json", tmp_path / "changes.json")
    assert (status, err) == (0, "")
    after = read_result(result)
    assert "Ada Lovell: 1 new page (1 known already), now 4 pages" in out
    assert out.rstrip().endswith(f"report: {result.with_suffix('.html')}")
    data = json.loads((tmp_path / "changes.json").read_text())
    assert list(Draft202012Validator(json.loads(SCHEMA.read_text())).iter_errors(data)) == []
    assert (data["new"], data["known"], data["unchanged"]) == ([4], 1, 3)
    (change,) = data["changes"]
    assert 4 in change["pages"]
    assert {id_: pages - {4} for id_, pages in after.people.items() if pages - {4}} == before.people
    assert [each.path for each in after.provenance.collections] == ["../old", "../new"]
    assert after.provenance.last_id == 0  # nobody had a greater id


def test_without_new_pages_nothing_changes_and_the_bytes_stay(weps, result, tmp_path):
    assert "3 earlier pages kept their person" in weps("update", result, tmp_path / "old")[1]
    files = {path: path.read_bytes() for path in result.parent.iterdir()}
    assert weps("update", result, tmp_path / "old")[0] == 0
    assert {path: path.read_bytes() for path in result.parent.iterdir()} == files


def test_corrections_are_obeyed_and_go_where_the_result_goes(weps, result, tmp_path):
    (result.parent / f"{NAME}{CORRECTIONS_SUFFIX}").write_text(
        "same 1 3\ncalled 3 The captain\ncalled 9 No\n"
    )
    added, other = save(tmp_path / "new", f"{SAILOR} Again."), tmp_path / "other"
    assert "page 9 is not among the pages" in weps("update", result, added, "--out", other)[2]
    after = read_result(other / f"{NAME}.json")
    assert any({1, 3} <= pages for pages in after.people.values())
    assert "The captain" in after.labels.values()
    assert (other / f"{NAME}{CORRECTIONS_SUFFIX}").read_text().count("called") == 2


def test_old_pages_that_are_gone_or_changed_are_told(weps, result, tmp_path):
    (tmp_path / "old" / "003.html").unlink()
    (tmp_path / "old" / "002.html").write_text("Ada Lovell does something else")
    told = weps("update", result, tmp_path / "old")[2]
    assert "earlier pages removed from the result, because they are missing: 3\n" in told
    assert "earlier pages have changed and were read again: 2\n" in told
    assert set().union(*read_result(result).people.values()) == {1, 2}


def test_another_model_than_before_is_told(weps, result, tmp_path):
    data = json.loads(result.read_text())
    result.write_text(json.dumps({**data, "model": "weps-0.0.1/pages sha256:00000000"}))
    told = weps("update", result, tmp_path / "old")[2]
    assert "the model differs from that of the result (weps-0.0.1/pages" in told


@pytest.mark.parametrize(
    ("setting", "value", "safe"),
    [
        ("embeddings", "/somewhere/encoder", NO_ENCODER),
        ("language", "/somewhere/pipeline", BUILTIN_PIPELINE),
        ("language", "en_é", BUILTIN_PIPELINE),
    ],
)
def test_nothing_is_run_or_read_from_a_folder_that_a_file_names(
    setting, value, safe, weps, result, tmp_path
):
    data = json.loads(result.read_text())
    data["settings"][setting] = value
    result.write_text(json.dumps(data))
    status, _, told = weps("update", result, tmp_path / "old")
    assert (status, f"give it again with --{setting}" in told) == (1, True)
    assert weps("update", result, tmp_path / "old", f"--{setting}", safe)[0] == 0


def test_an_encoder_that_the_model_does_not_use_is_told(tmp_path, weps):
    pages, out = save(tmp_path / "old", BAKER), tmp_path / "out"
    words = ("cluster", pages, "--system", "paper", "--out", out)
    status, _, err = weps(*words, "--embeddings", "/somewhere/encoder")
    assert status == 0
    assert "the sentence encoder /somewhere/encoder is not used" in err


@pytest.mark.parametrize(
    "spoil",
    [
        lambda root: (root / "out" / f"{NAME}.json").write_text("{"),
        lambda root: (root / "old").rename(root / "elsewhere"),
        lambda root: (root / "out" / f"{NAME}{CORRECTIONS_SUFFIX}").write_text("nonsense"),
    ],
)
def test_what_fails_leaves_everything_as_it_was(weps, result, tmp_path, spoil):
    added = save(tmp_path / "new", SAILOR)
    spoil(tmp_path)
    files = {path: path.read_bytes() for path in result.parent.iterdir()}
    assert weps("update", result, added)[0] == 1
    assert {path: path.read_bytes() for path in result.parent.iterdir()} == files


def test_exports_are_written_of_new_and_of_stored_results(weps, pages, tmp_path, monkeypatch):
    copy_for("Bo_Case", pages)
    new, out, elsewhere = tmp_path / "new", tmp_path / "out", tmp_path / "elsewhere"
    kinds = ("--write", "facts,xlsx,jsonld,gedcom,graphml,brief")
    assert weps("cluster", pages.parent, "--out", new, *kinds)[0] == 0
    assert weps("cluster", pages.parent, "--out", out, "--write", "json,xml")[0] == 0
    status, told, _ = weps("export", out, *kinds)
    assert status == 0
    assert f"Bo Case: {out / 'Bo_Case.facts.csv'}, " in told
    for name in ("Ada_Lovell", "Bo_Case"):
        for suffix in EXPORTED:
            file = f"{name}{suffix}"
            assert (new / file).read_bytes() == (out / file).read_bytes(), file
    assert weps("cluster", pages.parent, "--out", new)[0] == 0
    assert (new / "Bo_Case.md").exists()  # an export shows the answer of its time
    assert weps("export", out, "--name", "bo case", "--person", 1, "--out", elsewhere)[0] == 0
    assert [path.name for path in elsewhere.iterdir()] == ["Bo_Case.person-1.md"]
    # A folder of results among pages has none itself.
    shutil.copytree(out, pages / "results")
    shutil.copy(elsewhere / "Bo_Case.person-1.md", pages / "results")
    assert len(open_source(pages).search("Ada Lovell").pages) == len(TRADES)
    # What cannot be written is told, and stops no other name.
    damaged = out / "Ada_Lovell.json"
    damaged.write_text(damaged.read_text()[:200])
    status, told, errors = weps("export", out)
    assert (status, "Bo Case" in told, "not a result" in errors) == (1, True, True)
    for words in (("export", out, "--person", 1), ("export", out / "Bo_Case.md", "--person", 9)):
        assert weps(*words)[0] == 1
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    for command in (("cluster", pages), ("export", out)):
        status, _, errors = weps(*command, "--out", out, "--write", "xlsx")
        assert (status, errors.count("xlsxwriter is not installed")) == (1, 1)
