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
from weps.errors import SourceError, ValuesError
from weps.systems import parse_configuration
from weps_eval.benchmark.running import record_runs
from weps_eval.benchmark.runs import (
    Run,
    read_runs,
    write_run,
)
from weps_eval.benchmark.scoring import Systems

SCHEMA = json.loads(
    (Path(__file__).parents[3] / "docs" / "schema" / "run.schema.json").read_text("utf-8")
)
NESTED: Any = {}
for _ in range(500):
    NESTED = {"a": NESTED}


def read_back(run: Run) -> Run:
    return parse_json(Run, json.dumps(run.model_dump(), allow_nan=False), ValuesError)


def with_parts(**changed: Any) -> Run:
    """A sound run as JSON has it, with some fields changed."""
    return validate_data(Run, {**run_of().model_dump(), **changed}, ValuesError)


@pytest.mark.parametrize(
    ("system", "name"),
    [
        ("paper", "paper"),
        ("../../etc/passwd", "etc-passwd"),
        ("a:b*c?", "a-b-c"),
        ("Œuvre…", "uvre"),
        ("x" * 500, "x" * 40),
    ],
)
def test_a_file_is_named_after_its_run_and_stays_in_the_folder(tmp_path, system, name):
    run = run_of(system=system, seed=7)
    path = write_run(run, tmp_path / "new" / "runs")
    assert path == tmp_path / "new" / "runs" / f"{name}_WePS-1_cv-5_seed7.json"
    assert read_runs(path) == [run]
    assert path.read_bytes() == write_run(run, tmp_path / "other").read_bytes()


def test_a_folder_is_read_by_file_name_and_a_run_recorded_again_takes_its_place(tmp_path):
    for seed in (1, 0):
        write_run(run_of(seed=seed), tmp_path)
    (tmp_path / "notes.txt").write_text("no run")
    later = run_of(
        made="another command", date="2027-01-01", seconds={"learning": 1}, machine={"cores": 64}
    )
    write_run(later, tmp_path)
    assert read_runs(tmp_path) == [later, run_of(seed=1)]


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
    assert read_runs(first) == [run_of()]
    assert len(read_runs(tmp_path)) == 2


NAN = json.dumps(run_of().model_dump()).replace("0.25", "NaN")


@each_case(
    "content",
    [
        b"",
        b"[" * 100_000,
        b"\xff\xfe\x00",
        b'{"kind": "weps model"}',
        b'{"kind": "weps run", "format": 2}',
        b"9" * 10_000,
        NAN.encode(),
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


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, str])
def test_what_holds_no_run_is_refused(tmp_path, make):
    path = tmp_path / "run.json"
    make(path)
    with pytest.raises(SourceError, match=r"no recorded runs|is not a file|cannot be read"):
        read_runs(path)


def test_a_run_reads_back_and_keeps_to_its_schema():
    assert read_back(run_of()) == run_of()
    Draft202012Validator(SCHEMA).validate(run_of().model_dump())
    assert list(SCHEMA["properties"]) == SCHEMA["required"] == list(run_of().model_dump())
    assert {run_of(signature=f"{SCORER}|weps:{each}|cv:5").scorer for each in "12"} == {SCORER}


@each_case(
    ("field", "value", "message"),
    [
        ("system", "", "system: expected at least 1"),
        ("system", "two\nlines", "cannot be printed"),
        ("made", "x" * 20_000, "made: expected at most"),
        ("seed", -1, "seed: expected a number from 0"),
        ("seed", True, "seed: expected a whole number"),
        ("date", "2026-13-01", "date"),
        ("configuration", {"depth": [6]}, "depth"),
        ("configuration", NESTED, "configuration.a"),
        ("seconds", {"learning": -1}, "learning"),
        ("scores", {}, "scores: expected at least 1"),
        ("scores", {"Ada": {}}, "Ada"),
        ("scores", {"Ada": 0.5}, "scores.Ada: expected an object"),
        ("scores", {"Ada": {"rand": 1.1}}, "up to 1"),
        ("scores", {"Ada": {"rand": 0.5}, "Bea": {"purity": 0.5}}, "Bea"),
        ("scores", {"Ada": {"rand": 0.5}}, "another number of names"),
        ("corpus", {}, "corpus.title is missing"),
        ("corpus", {**run_of().model_dump()["corpus"], "digest": "xyz"}, "corpus.digest"),
        ("kind", "weps model", "kind: expected 'weps run', got 'weps model'"),
        ("format", 2, "format: expected 1, got 2"),
        ("colour", "red", "colour is not a field"),
    ],
)
def test_a_damaged_part_is_refused_with_its_place(field, value, message):
    with pytest.raises(ValuesError, match=message):
        with_parts(**{field: value})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=9,
)


@given(st.sampled_from(list(run_of().model_dump())), JSON)
def test_whatever_stands_in_a_field_it_is_refused_or_sound(field, value):
    try:
        run = with_parts(**{field: value})
    except ValuesError:
        return
    Draft202012Validator(SCHEMA).validate(run.model_dump())
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
    assert run.corpus.digest == benchmark.corpus.source.digest()
    assert {"python", "numpy", "cores"} <= set(run.machine)


def test_the_configuration_is_all_that_was_chosen_but_the_seed(benchmark, tmp_path):
    record_runs(benchmark, tmp_path, "weps")
    (run,) = read_runs(tmp_path / "paper")
    plain = run.configuration
    assert plain == {
        **benchmark.systems.configurations[FIRST].as_data(),
        "depth": 6,
        "leaf": 100,
        "folds": 5,
        "repeats": 3,
    }
    own = parse_configuration("paper:results.classifier=hbr,results.link=average")
    configurations = {**benchmark.systems.configurations, FIRST: own}
    changed = replace(benchmark, systems=Systems(configurations))
    record_runs(changed, tmp_path / "own", "weps")
    (run,) = read_runs(tmp_path / "own" / "paper")
    of_results = {"classifier": "hbr", "link": "average", **CLASSIFIERS["hbr"].choices}
    assert run.configuration == {
        **plain,
        **{f"results.{key}": value for key, value in of_results.items()},
    }
