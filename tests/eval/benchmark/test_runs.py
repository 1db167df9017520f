"""Runs of systems are recorded and read."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tests.cases import each_case
from tests.eval.benchmark.conftest import FIRST, SECOND
from tests.eval.benchmark.made_up import SCORER, run_of
from weps._schema import parse_json, validate_data
from weps.coreference.classifiers import CLASSIFIERS
from weps.errors import OutputError, SourceError, ValuesError
from weps.systems import parse_configuration
from weps_eval.benchmark import runs as module
from weps_eval.benchmark.runs import FORMAT, Run, read_runs, record_runs, write_run

SCHEMA = json.loads(
    (Path(__file__).parents[3] / "docs" / "schema" / "run.schema.json").read_text("utf-8")
)
NESTED: Any = {}
for _ in range(500):
    NESTED = {"a": NESTED}


def read_back(run: Run) -> Run:
    return parse_json(Run, json.dumps(run.as_data(), allow_nan=False), ValuesError)


def with_parts(**changed: Any) -> Run:
    """A sound run as JSON has it, with some fields changed."""
    return validate_data(Run, {**run_of().as_data(), **changed}, ValuesError)


@pytest.mark.parametrize(
    ("system", "name"),
    [
        ("paper", "paper"),
        ("../../etc/passwd", "etc-passwd"),
        ("a:b*c?", "a-b-c"),
        ("Œuvre…", "uvre"),
        ("…", "x"),
        ("x" * 500, "x" * 40),
    ],
)
def test_a_file_is_named_after_its_run_and_stays_in_the_folder(tmp_path, system, name):
    run = run_of(system=system, seed=7)
    path = write_run(run, tmp_path / "new" / "runs")
    assert path == tmp_path / "new" / "runs" / f"{name}_WePS-1_cv-5_seed7.json"
    assert read_runs(path) == (run,)
    assert path.read_bytes() == write_run(run, tmp_path / "other").read_bytes()


def test_a_folder_is_read_by_file_name_and_a_run_recorded_again_takes_its_place(tmp_path):
    for seed in (1, 0):
        write_run(run_of(seed=seed), tmp_path)
    (tmp_path / "notes.txt").write_text("no run")
    later = run_of(
        made="another command", date="2027-01-01", seconds={"learning": 1}, machine={"cores": 64}
    )
    write_run(later, tmp_path)
    assert read_runs(tmp_path) == (later, run_of(seed=1))


@pytest.mark.parametrize(
    "changed",
    [
        {"scores": {"Ada": {"rand": 0.5}}},
        {"configuration": {"classifier": "tree", "depth": 7}},
        {"corpus": {"digest": "00000000"}},
        {"weps": "0.2.0"},
    ],
)
def test_another_run_is_never_replaced(tmp_path, changed):
    first = write_run(run_of(), tmp_path)
    other = run_of(**changed)
    for _ in range(2):
        assert write_run(other, tmp_path) == tmp_path / "paper_WePS-1_cv-5_seed0_2.json"
    assert read_runs(first) == (run_of(),)
    assert len(read_runs(tmp_path)) == 2


def test_what_is_no_run_is_never_replaced(tmp_path):
    stranger = tmp_path / "paper_WePS-1_cv-5_seed0.json"
    stranger.write_text("precious")
    (tmp_path / "paper_WePS-1_cv-5_seed0_2.json").mkdir()
    assert write_run(run_of(), tmp_path).name == "paper_WePS-1_cv-5_seed0_3.json"
    assert stranger.read_text() == "precious"
    with pytest.raises(OutputError):
        write_run(run_of(), stranger)


NAN = json.dumps(run_of().as_data()).replace("0.25", "NaN")


@each_case(
    "content",
    [
        b"",
        b"{",
        b"null",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"\xff\xfe\x00",
        b'{"kind": "weps model"}',
        b'{"kind": "weps run", "format": 2}',
        b"9" * 10_000,
        NAN.encode(),
        NAN.replace("NaN", "1e999").encode(),
        NAN.replace("NaN", "-Infinity").encode(),
    ],
)
def test_a_damaged_or_foreign_file_is_named(tmp_path, content):
    write_run(run_of(), tmp_path)
    path = tmp_path / "zzz.json"
    path.write_bytes(content)
    for place in (path, tmp_path):
        with pytest.raises(SourceError) as caught:
            read_runs(place)
        assert caught.value.where == path
        assert "record the run again" in caught.value.remedy
        assert len(str(caught.value)) < 500 + len(str(path))


def test_a_huge_file_is_not_read(tmp_path, monkeypatch):
    path = write_run(run_of(), tmp_path)
    size = path.stat().st_size
    monkeypatch.setattr(module, "_LARGEST", size)
    assert read_runs(path) == (run_of(),)
    monkeypatch.setattr(module, "_LARGEST", size - 1)
    with pytest.raises(SourceError, match="is over"):
        read_runs(path)


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, str])
def test_what_holds_no_run_is_refused(tmp_path, make):
    path = tmp_path / "run.json"
    make(path)
    with pytest.raises(SourceError, match=r"no recorded runs|is not a file|cannot be read"):
        read_runs(path)


def test_a_run_reads_back_and_keeps_to_its_schema():
    assert read_back(run_of()) == run_of()
    Draft202012Validator(SCHEMA).validate(run_of().as_data())
    assert list(SCHEMA["properties"]) == SCHEMA["required"] == list(run_of().as_data())
    one = run_of({"Ada": 0.5, "Bea": 1.0}, configuration={"a": 1, "b": 2})
    other = run_of({"Bea": 1.0, "Ada": 0.5}, configuration={"b": 2, "a": 1})
    assert json.dumps(one.as_data()) == json.dumps(other.as_data())
    assert {run_of(signature=f"{SCORER}|weps:{each}|cv:5").scorer for each in "12"} == {SCORER}


@given(st.dictionaries(st.text("abcäö ", min_size=1), st.floats(0, 1), min_size=1, max_size=4))
def test_scores_read_back_exactly(f05):
    assert {name: each["rand"] for name, each in read_back(run_of(f05)).scores.items()} == f05


@each_case(
    ("field", "value", "message"),
    [
        ("system", "", "system: expected at least 1"),
        ("system", "two\nlines", "cannot be printed"),
        ("system", "half \ud800", "system"),
        ("made", "x" * 20_000, "made: expected at most"),
        ("seed", -1, "seed: expected a number from 0"),
        ("seed", True, "seed: expected a whole number"),
        ("date", "21.11.2026", "date"),
        ("date", "2026-13-01", "date"),
        ("configuration", {"depth": [6]}, "depth: expected text, a finite number"),
        ("configuration", {"depth": float("inf")}, "depth"),
        ("configuration", {"text": "x" * 20_000}, "text"),
        ("configuration", NESTED, "configuration.a"),
        ("seconds", {"learning": -1}, "learning"),
        ("scores", {}, "scores: expected at least 1"),
        ("scores", {"Ada": {}}, "Ada"),
        ("scores", {"Ada": 0.5}, "scores.Ada: expected an object"),
        ("scores", {"Ada": {"rand": 1.1}}, "up to 1"),
        ("scores", {"Ada": {"rand": 10**400}}, "expected a number"),
        ("scores", {"Ada": {"rand": True}}, "expected a number"),
        ("scores", {"Ada": {"rand": 0.5}, "Bea": {"purity": 0.5}}, "Bea"),
        ("scores", {"Ada": {"rand": 0.5}}, "another number of names"),
        ("corpus", {}, "corpus.title is missing"),
        ("corpus", {**run_of().as_data()["corpus"], "digest": "xyz"}, "corpus.digest"),
        ("kind", "weps model", "expected a recorded run"),
        ("format", FORMAT + 1, "another format than 1"),
        ("format", None, "another format than 1"),
        ("colour", "red", "colour is not a field"),
    ],
)
def test_a_damaged_part_is_refused_with_its_place(field, value, message):
    with pytest.raises(ValuesError, match=message):
        with_parts(**{field: value})


@each_case("field", list(run_of().as_data()))
def test_a_missing_field_is_named(field):
    data = run_of().as_data()
    del data[field]
    message = f"{field} is missing|expected a recorded run|another format"
    with pytest.raises(ValuesError, match=message):
        validate_data(Run, data, ValuesError)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=9,
)


@given(st.sampled_from(list(run_of().as_data())), JSON)
def test_whatever_stands_in_a_field_it_is_refused_or_sound(field, value):
    try:
        run = with_parts(**{field: value})
    except ValuesError:
        return
    Draft202012Validator(SCHEMA).validate(run.as_data())
    assert read_back(run) == run


def test_every_system_has_a_folder_and_a_run(benchmark, tmp_path):
    first, second = record_runs(benchmark, tmp_path / "runs", "weps benchmark")
    assert first == tmp_path / "runs" / "paper" / "paper_saved-pages_cv-2_seed3.json"
    assert second.parent == tmp_path / "runs" / "paper-features-title-link-average"
    (run,) = read_runs(second)
    assert run.system == SECOND
    assert run.scores == benchmark.scores[SECOND]
    assert (run.how, run.seed, run.made) == ("cv:2", 3, "weps benchmark")
    assert run.seconds == {"learning": 2.0, "answering": 0.25}
    assert run.corpus.digest == benchmark.corpus.digest
    assert {"python", "numpy", "cores"} <= set(run.machine)


def test_the_configuration_is_all_that_was_chosen_but_the_seed(benchmark, tmp_path):
    common = replace(benchmark, systems=replace(benchmark.systems, common=True))
    for each in (benchmark, common):
        record_runs(each, tmp_path / str(each.systems.common), "weps")
    plain, shared = (
        read_runs(tmp_path / kept / "paper")[0].configuration for kept in ("False", "True")
    )
    assert plain == {
        **benchmark.systems.configurations[FIRST].as_data(),
        "depth": 6,
        "leaf": 100,
        "folds": 5,
        "repeats": 3,
        "learn_mixed": True,
    }
    assert shared == {**plain, "features_shared_by": "all names"}
    own = parse_configuration("paper:results.classifier=hbr,results.link=average")
    configurations = {**benchmark.systems.configurations, FIRST: own}
    changed = replace(benchmark, systems=replace(benchmark.systems, configurations=configurations))
    record_runs(changed, tmp_path / "own", "weps")
    (run,) = read_runs(tmp_path / "own" / "paper")
    of_results = {"classifier": "hbr", "link": "average", **CLASSIFIERS["hbr"].choices}
    assert run.configuration == {
        **plain,
        **{f"results.{key}": value for key, value in of_results.items()},
    }


def test_systems_that_are_cut_alike_have_folders_of_their_own(benchmark, tmp_path):
    name = "paper:features=token+title+snippet+url+link"
    systems = (f"{name},link=single", f"{name},link=average")
    wanted = dict.fromkeys(systems, benchmark.systems.wanted[FIRST])
    chosen = dict.fromkeys(systems, benchmark.systems.configurations[FIRST])
    renamed = replace(benchmark.systems, wanted=wanted, configurations=chosen)
    trials = dict.fromkeys(systems, benchmark.trials[FIRST])
    first, second = record_runs(
        replace(benchmark, systems=renamed, trials=trials), tmp_path, "weps"
    )
    assert first.parent != second.parent
