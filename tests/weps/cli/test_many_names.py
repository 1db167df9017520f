"""Many names: parts of a folder, shards, the list of people, and how fast it goes."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pyarrow.parquet
import pytest

from tests.cases import each_case
from weps.cli import cluster as cluster_command
from weps.cli.console import Console, TimedProgress
from weps.results import files
from weps.results.result import ResultMaker
from weps.results.stored import in_shard, read_file, result_names, result_path

ROOT = Path(__file__).resolve().parents[3]
NAMES = ("Ada_Lovell", "Bo_Lovell", "Cy_Lovell")


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three names, which are too many for one folder."""
    for name in NAMES:
        folder = tmp_path / "pages" / name
        folder.mkdir(parents=True)
        for number, trade in enumerate(("baker", "baker", "sailor"), start=1):
            text = f"<title>{name} {number}</title><p>{name[:2]} Lovell is a {trade} in Merrow."
            (folder / f"{number:03}.html").write_text(text)
    monkeypatch.setattr(cluster_command, "MOST_UNDIVIDED", 1)
    monkeypatch.setattr(files, "MOST_UNDIVIDED", 1)
    return tmp_path / "pages"


def add_names(corpus: Path, number: int) -> None:
    for each in range(number):
        (corpus / f"Di_{each}").mkdir()
        (corpus / f"Di_{each}" / "001.html").write_text("<p>Di Lovell is a baker.")


def tree(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_shards_and_one_run_give_the_same_bytes(weps, corpus, tmp_path):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    assert weps("cluster", corpus, "--out", whole, "--json", tmp_path / "1.json")[0] == 0
    told = ""
    for shard in ("1/3", "2/3", "3/3"):
        status, printed, _ = weps("cluster", corpus, "--out", parts, "--shard", shard)
        assert status == 0
        told += printed
    assert told.count("report: ") == 3  # each name once
    assert result_names(parts) == NAMES
    assert not (parts / "index.html").exists()
    status, printed, _ = weps("cluster", corpus, "--out", parts, "--json", tmp_path / "2.json")
    assert printed.count("finished before") == 3
    assert tree(parts) == tree(whole)
    assert {name.partition("/")[0] for name in tree(parts) if "/" in name} == {
        result_path(parts, name).parent.name for name in NAMES
    }
    answers = json.loads((tmp_path / "1.json").read_text())
    assert [each["name"] for each in answers] == ["Ada Lovell", "Bo Lovell", "Cy Lovell"]
    assert (tmp_path / "2.json").read_bytes() == (tmp_path / "1.json").read_bytes()


@each_case("form", ["folder", "archive", "table"])
def test_pages_without_a_usable_name_cost_no_other(form, weps, corpus, tmp_path):
    given = tmp_path / f"given.{form}"
    if form == "table":
        given = given.with_suffix(".jsonl")
        rows = [{"name": name, "text": f"{name} sails."} for name in ("Ada Lee", "Bo Lee", "__")]
        given.write_text("".join(map("{}\n".format, map(json.dumps, rows))))
    else:
        for twin in ("Bo Lovell", "__"):
            shutil.copytree(corpus / "Bo_Lovell", corpus / twin, dirs_exist_ok=True)
        made = form == "folder" or shutil.make_archive(str(given), "zip", corpus)
        given = corpus if made is True else Path(made)
    status, printed, told = weps("cluster", given, "--out", tmp_path / "out")
    assert (status, told.count("the person's name is unknown")) == (1, 1)
    assert told.count("two folders for one name: Bo Lovell and Bo_Lovell") == (form != "table")
    assert printed.count("report: ") == 2


def test_results_in_parts_of_a_folder_are_found_by_all_commands(weps, corpus, tmp_path):
    out = tmp_path / "out"
    (corpus / "Bo_Lovell/key.xml").write_text(
        '<clustering><entity id="1"><doc rank="1"/><doc rank="2"/></entity></clustering>'
    )
    assert weps("cluster", corpus, "--out", out)[0] == 0
    bo = result_path(out, "Bo_Lovell")
    assert bo.parent.parent == out
    assert f'href="{bo.parent.name}/Bo_Lovell.html"' in (out / "index.html").read_text()
    status, printed, errors = weps("evaluate", corpus, out)
    assert errors == ""
    assert status == 0
    assert "Bo_Lovell" in printed
    (corpus / "Bo_Lovell/004.html").write_text("<p>Bo Lovell is a sailor.")
    told = weps("update", out, corpus / "Bo_Lovell")[2]
    assert re.search(r"has the results of \d+ names \(.*Bo_Lovell.*--name", told)
    assert weps("update", out, corpus / "Bo_Lovell", "--name", "bo lovell")[0] == 0
    places = [each["path"] for each in json.loads(bo.read_text())["collected"]]
    assert places == ["../../pages", "../../pages/Bo_Lovell"]
    assert not (out / "index.html").exists()  # of so many it would take too long
    assert weps("cluster", corpus, "--out", out)[0] == 0
    assert (out / "index.html").exists()
    assert weps("forget", "Bo Lovell", "--out", out, "--yes")[0] == 0
    assert result_names(out) == ("Ada_Lovell", "Cy_Lovell")
    assert not [name for name, content in tree(out).items() if b"Bo Lovell" in content]


def test_one_list_has_the_pages_of_all_people(weps, corpus, tmp_path, monkeypatch):
    out = tmp_path / "out"
    assert weps("cluster", corpus, "--out", out, "--write", "json", "--name", NAMES[0])[0] == 0
    monkeypatch.setattr(files, "_ROWS_IN_MEMORY", 2)
    assert weps("cluster", corpus, "--out", out)[0] == 0
    rows = pyarrow.parquet.read_table(out / "people.parquet").to_pylist()
    expected = [
        dict(zip(files.PAGE_COLUMNS, row, strict=True))
        for name in NAMES
        for row in files.page_rows(read_file(result_path(out, name)))
    ]
    assert rows == expected
    table = result_path(out, NAMES[0]).with_suffix(".csv")
    assert list(rows[0]) == next(csv.reader(table.read_text("utf-8").splitlines()))
    assert len(rows) == 9
    assert (out / "facts.parquet").exists()
    monkeypatch.setattr(files, "find_spec", lambda _: None)
    assert weps("cluster", corpus, "--out", out)[0] == 0
    assert not [*out.glob("*.parquet")]


RECIPES = re.search(r"^```py\n(.*?)^```", (ROOT / "docs/how-to.md").read_text("utf-8"), re.M | re.S)


@pytest.mark.filterwarnings("ignore:The inplace keyword")  # within Dask
@pytest.mark.parametrize("recipe", re.split(r"\n\n(?=import)", RECIPES[1]) if RECIPES else [])
def test_recipes_for_the_list_run(recipe, weps, corpus, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert weps("cluster", corpus)[0] == 0
    found: dict[str, Any] = {}
    exec(recipe, found)  # noqa: S102 - what the documentation tells to run
    assert len(found["people"]) == len(NAMES)


def test_results_at_an_address_are_made_resumed_corrected_and_put_back(
    weps, corpus, tmp_path, monkeypatch
):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    address, root = f"memory://{tmp_path}/out/", f"{tmp_path}/out"
    store, words = fsspec.filesystem("memory"), ("cluster", corpus, "--out")
    store.pipe_file(f"{root}/.hidden/../../x", b"")
    assert weps(*words, tmp_path / "here")[0] == 0
    status, printed, _ = weps(*words, address)
    assert (status, printed.count(f"report: {address[:-1]}/results-")) == (0, 3)
    made = {name.removeprefix(f"{root}/") for name in store.find(root)} - {".hidden/../../x"}
    assert made == tree(tmp_path / "here").keys()
    assert weps(*words, address, "--again", "--shard", "1/1")[0] == 0
    assert weps(*words, address)[1].count("finished before") == 3

    ada, bo, _ = sorted(store.glob(f"{root}/results-*/*.json"), key=os.path.basename)
    store.pipe_file(ada.replace(".json", ".corrections.txt"), b"same 1 2 3\n")
    printed = weps(*words, address)[1]
    assert (printed.count("correction applied"), printed.count("finished before")) == (1, 2)
    assert len(json.loads(store.cat_file(ada))["people"]) == 1
    assert weps(*words, address, "--write", "json")[0] == 0
    assert (store.exists(bo), store.exists(bo.replace(".json", ".html"))) == (True, False)

    def stop(self, source):
        if source.names == ("Cy_Lovell",):
            raise KeyboardInterrupt
        return ResultMaker.__call__(self, source)

    with monkeypatch.context() as patch:
        patch.setattr(cluster_command, "_MINUTE", -1.0)
        patch.setattr(cluster_command, "ResultMaker", type("", (ResultMaker,), {"__call__": stop}))
        assert weps(*words, address, "--threshold", "1")[0] == 130
    assert len(json.loads(store.cat_file(bo))["people"]) == 3
    assert weps(*words, address, "--threshold", "1")[1].count("finished before") == 2
    assert not list(tmp_path.glob("weps-*"))

    monkeypatch.setattr(type(store), "put_file", lambda *_, **__: store.cat_file("/missing"))
    status, _, errors = weps(*words, address, "--threshold", "0")
    [kept] = tmp_path.glob("weps-*")
    assert (status, result_names(kept)) == (1, NAMES)
    assert errors.endswith(
        f"weps: error: {address[:-1]}: the results cannot be put back (/missing); "
        f"the results are in {kept.name} of {tmp_path}\n"
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--out", "none://x"], "none://x: cannot be read (Protocol not known: none); check"),
        (["--out", "memory://x", "--dask", "tcp://x:1"], "memory://x: not every worker"),
    ],
)
def test_an_address_that_cannot_be_used_is_told_before_the_work(words, told, weps, corpus):
    status, _, errors = weps("cluster", corpus, *words)
    assert (status, errors.count("\n")) == (1, 1)
    assert errors.startswith(f"weps: error: {told}")


def test_fsspec_that_is_missing_is_told(weps, corpus, monkeypatch):
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    status, _, errors = weps("cluster", corpus, "--out", "memory://x")
    told = "memory://x: fsspec is not installed; pip install 'weps[remote]'"
    assert (status, errors) == (1, f"weps: error: {told}\n")


def test_every_name_is_in_one_shard_whatever_the_others_are():
    names = [f"Name_{number}" for number in range(2_000)]
    shards = [[name for name in names if in_shard(name, each, 7)] for each in range(1, 8)]
    assert sorted(name for shard in shards for name in shard) == sorted(names)
    assert all(200 < len(shard) < 400 for shard in shards)
    assert in_shard("Ada_Lovell", 2, 7)  # on every machine


@pytest.mark.parametrize("words", ["--shard 0/3", "--shard 4/3", "--shard 1", "--write json,pdf"])
def test_faulty_parts_are_refused(words, weps, corpus, capsys):
    with pytest.raises(SystemExit):
        weps("cluster", corpus, *words.split())
    assert "expected" in capsys.readouterr().err


def test_work_is_never_silent_for_long_and_the_pace_is_of_parts_done_last(capsys):
    """Another total is other work, whose minute begins anew."""
    now = [0.0]
    progress = TimedProgress(Console(), clock=lambda: now[0])
    for number in range(1, 45):
        now[0] += 2 if number > 10 else 0
        progress("answering", number, 100, worked=number > 10)
    progress("comparing pages", 0, 0)
    now[0] += 59
    progress("comparing pages", 0, 0)
    now[0] += 1
    progress("comparing pages", 0, 0)
    assert capsys.readouterr().err.splitlines() == [
        "answering: 40 of 100 done, 30 a minute, 0:02:00 left",
        "comparing pages: in progress",
    ]


@pytest.mark.parametrize(("most", "lines"), [(3, 3), (2, 0)])
def test_of_many_names_only_the_phases_are_told_and_in_quiet_mode_nothing(
    most, lines, weps, corpus, tmp_path, monkeypatch
):
    monkeypatch.setattr(cluster_command, "_MOST_TOLD", most)
    words = ("cluster", corpus, "--out", tmp_path / "out", "--no-cache")
    status, printed, _ = weps(*words)
    assert status == 0
    told = printed.splitlines()
    assert sum("1 person" in line or "people" in line for line in told) == lines
    table = told[told.index(next(line for line in told if line.startswith("phase"))) : -1]
    phases = {line.rsplit(maxsplit=2)[0]: line.split()[-2:] for line in table[1:]}
    expected = {"opening pages", "reading pages", "comparing pages", "clustering pages", "writing"}
    assert expected <= phases.keys()
    assert abs(sum(int(share.rstrip("%")) for _, share in phases.values()) - 100) <= len(phases)
    assert weps(*words, "--again", "--quiet")[:2] == (0, "")


@pytest.fixture
def dask_cluster() -> Iterator[Any]:
    """Two workers; a task that has killed two is given up."""
    distributed = pytest.importorskip("distributed")
    dask = pytest.importorskip("dask")
    options = {"dashboard_address": "127.0.0.1:0", "silence_logs": False, "threads_per_worker": 1}
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        distributed.LocalCluster(n_workers=2, **options) as cluster,
    ):
        yield cluster


@pytest.mark.slow
def test_a_cluster_loses_no_name_when_a_worker_is_killed(
    weps, corpus, tmp_path, monkeypatch, dask_cluster
):
    """One of two workers is killed in the middle of the work."""
    add_names(corpus, 9)
    words = ("cluster", corpus, "--cache", tmp_path / "cache")
    status, _, warnings = weps(*words, "--out", tmp_path / "here")
    assert status == 0
    told, plain = list[str](), Console.write

    def kill_one(console, text=""):
        plain(console, text)
        told.append(text)
        if len(told) == 3:
            os.kill(min(client.run(os.getpid).values()), signal.SIGKILL)

    with dask_cluster.get_client() as client:
        monkeypatch.setattr(Console, "write", kill_one)
        address = dask_cluster.scheduler_address
        status, _, errors = weps(*words, "--out", tmp_path / "there", "--dask", address)
    assert sorted(errors.splitlines()) == sorted(warnings.splitlines())
    assert status == 0
    assert len([text for text in told if "page" in text]) == 12
    assert tree(tmp_path / "there") == tree(tmp_path / "here")


class KillingMaker(ResultMaker):
    """Kills every process that works on Bo."""

    def __call__(self, source):
        if source.names == ("Bo_Lovell",):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().__call__(source)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="has no signals")
@pytest.mark.parametrize("engine", ["--jobs", "--dask"])
def test_a_name_that_always_kills_its_worker_costs_no_other(
    engine, weps, corpus, tmp_path, monkeypatch, request
):
    add_names(corpus, 2)
    words = ("cluster", corpus, "--cache", tmp_path / "cache")
    whole, out = tmp_path / "whole", tmp_path / "out"
    assert weps(*words, "--out", whole)[0] == 0
    dask = engine == "--dask"
    value = request.getfixturevalue("dask_cluster").scheduler_address if dask else 2
    with monkeypatch.context() as patch:
        patch.setattr(cluster_command, "ResultMaker", KillingMaker)
        status, printed, errors = weps(*words, "--out", out, engine, value)
    assert status == 1
    assert [line for line in errors.splitlines() if "error" in line] == [
        "weps: error: Bo_Lovell: the process that worked on it was killed, perhaps for lack of "
        "memory; free memory and try again"
    ]
    assert printed.count("/5] ") == 4
    assert {*result_names(out)} == {*result_names(whole)} - {"Bo_Lovell"}
    assert (out / "index.html").exists()
    assert weps(*words, "--out", out)[0] == 0  # what is missing, by processes that live
    assert tree(out) == tree(whole)


def test_a_cluster_that_is_not_there_is_told(weps, corpus, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    words = ("cluster", corpus, "--out", tmp_path / "out", "--dask", "tcp://127.0.0.1:9")
    status, _, errors = weps(*words)
    told = "weps: error: --dask: distributed is not installed; pip install 'weps[dask]'\n"
    assert (status, errors) == (1, told)
