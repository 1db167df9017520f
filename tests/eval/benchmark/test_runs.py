"""Runs of systems are recorded, read and compared."""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import replace
from math import isnan, nan
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
from weps.cli.console import Console
from weps.coreference.classifiers import CLASSIFIERS
from weps.errors import SourceError, ValuesError
from weps.systems import parse_configuration
from weps_eval.benchmark.runs import (
    Run,
    Side,
    _assess_difference,
    _write_run,
    compare_sides,
    comparisons_data,
    read_runs,
    record_runs,
    show_comparisons,
    side_of,
)
from weps_eval.benchmark.scoring import Systems
from weps_eval.stats import Difference, compare

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
    path = _write_run(run, tmp_path / "new" / "runs")
    assert path == tmp_path / "new" / "runs" / f"{name}_WePS-1_cv-5_seed7.json"
    assert read_runs(path) == [run]
    assert path.read_bytes() == _write_run(run, tmp_path / "other").read_bytes()


def test_a_folder_is_read_by_file_name_and_a_run_recorded_again_takes_its_place(tmp_path):
    for seed in (1, 0):
        _write_run(run_of(seed=seed), tmp_path)
    (tmp_path / "notes.txt").write_text("no run")
    later = run_of(
        made="another command", date="2027-01-01", seconds={"learning": 1}, machine={"cores": 64}
    )
    _write_run(later, tmp_path)
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
    first = _write_run(run_of(), tmp_path)
    other = run_of(**changed)
    for _ in range(2):
        assert _write_run(other, tmp_path) == tmp_path / "paper_WePS-1_cv-5_seed0_2.json"
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
    _write_run(run_of(), tmp_path)
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


BETTER, WORSE, NOISE = "better", "worse", "within the noise"
BASE = {f"N{number}": 0.5 for number in range(8)}


def side(*by_seed: Mapping[str, float], label: str = "paper") -> Side:
    return side_of([run_of(each, seed=seed) for seed, each in enumerate(by_seed)], label)


def higher(by: float) -> dict[str, float]:
    return {name: value + by for name, value in BASE.items()}


SCORES = st.lists(st.floats(0, 1), min_size=3, max_size=3)


@given(SCORES, SCORES)
def test_names_are_paired_and_go_from_worst_to_best(before, after):
    names = ("Ada", "Bea", "Cleo")
    first = side(dict(zip(names, before, strict=True)))
    second = side(dict(reversed(list(zip(names, after, strict=True)))))
    found = compare_sides(first, second)
    assert found.differences["bcubed_f05"] == compare(before, after)
    assert list(found.names.values()) == sorted(found.names.values())
    for name, old, new in zip(names, before, after, strict=True):
        assert found.names[name] == new - old


def test_the_noise_of_the_noisier_side_counts():
    second = side(higher(0.05), higher(0.05), label="boosted")
    noisy = side(higher(0.1), higher(-0.1))  # mean 0.5, seeds 0.2 apart
    assert compare_sides(side(BASE), second).verdict == BETTER
    for found in (compare_sides(noisy, second), compare_sides(second, noisy)):
        assert found.verdict == NOISE
        assert any("two seeds" in each for each in found.remarks)
    assert isnan(side(BASE).spread)
    assert noisy.spread == pytest.approx(0.2)


def test_what_else_may_lie_behind_a_difference_is_stated():
    other = run_of(BASE, how="train:sha256-12345678", weps="0.2.0")
    learning, version, seeds = compare_sides(side(BASE), side_of([other], "boosted")).remarks
    assert "cv:5, train:sha256-12345678" in learning
    assert "0.1.0, 0.2.0" in version
    assert "paper and boosted" in seeds
    both = side(BASE, BASE)
    assert compare_sides(both, replace(both, label="boosted")).remarks == ()


ALIKE = {"Ada": 0.5, "Bea": 0.75, "Cleo": 1.0}


def test_seeds_are_averaged_name_by_name():
    runs = [run_of({"Ada": 0.5, "Bea": 1.0}), run_of({"Bea": 0.5, "Ada": 0.25}, seed=1)]
    side = side_of(runs, "")
    assert repr(side) == repr(side_of(runs[::-1], ""))
    assert side.scores["Ada"]["bcubed_f05"] == 0.375
    assert side.scores["Bea"]["rand"] == 0.75


@each_case(
    ("changed", "message"),
    [
        ({"configuration": {"classifier": "tree", "depth": 7}}, r"configuration of depth \(6, 7\)"),
        ({"corpus": {"title": "WePS-2", "digest": "99999999"}}, r"corpus \(WePS-1, WePS-2\)"),
        (
            {"corpus": {"digest": "99999999"}},
            "WePS-1 of digest 3fa29b11c0de, WePS-1 of digest 9999",
        ),
        ({"how": "cv:10"}, "way of learning"),
        ({"signature": "bcubed:extended|scorer:weps2|weps:0.1.0"}, "scorer"),
        ({"weps": "0.2.0"}, "version of weps"),
        ({"f05": {**ALIKE, "Dora": 1.0}}, "list of names"),
        ({"scores": {name: {"rand": 0.5} for name in ALIKE}}, "list of measures"),
        ({"seed": 0}, "two of its runs have one seed"),
    ],
)
def test_runs_that_differ_in_more_than_seeds_are_no_side(changed, message):
    with pytest.raises(ValuesError, match=message) as caught:
        side_of([run_of(), run_of(**{"seed": 1, **changed})], "runs/paper")
    assert caught.value.where == "runs/paper"
    assert "folder" in caught.value.remedy


@each_case(
    ("changed", "message"),
    [
        (
            {"corpus": {"title": "WePS-2", "digest": "99999999"}},
            "the corpus differs \\(WePS-1, WePS-2\\)",
        ),
        ({"f05": {"Ada": 1.0}}, "list of names"),
        ({"signature": "scorer:weps2|weps:0.1.0"}, "scorer"),
    ],
)
def test_sides_that_cannot_be_compared_state_why(changed, message):
    first, second = side_of([run_of()], "paper"), side_of([run_of(**changed)], "boosted")
    with pytest.raises(ValuesError, match=message) as caught:
        compare_sides(first, second)
    assert "paper and boosted" in caught.value.what


def test_what_does_not_touch_the_scoring_may_differ():
    other = run_of(
        seed=5,
        weps="0.2.0",
        signature=f"{SCORER}|weps:0.2.0|train:sha256-1|seed:5",
        how="train:sha256-12345678",
        corpus={"title": "The same by another title"},
    )
    compare_sides(side_of([run_of()], "paper"), side_of([other], "boosted"))


@each_case(
    ("figures", "word", "remarks"),
    [
        ((0.03, 0.01, 0.05, 0.01, 20, 5), BETTER, []),
        ((-0.03, -0.05, -0.01, 0.01, 5, 20), WORSE, []),
        ((0.01, -0.01, 0.03, 0.60, 13, 10), NOISE, []),
        ((0.03, 0.01, 0.05, 0.20, 15, 9), NOISE, ["lies above 0, the sign test finds no"]),
        ((0.01, -0.01, 0.03, 0.01, 20, 5), NOISE, ["includes 0, the sign test says better"]),
        ((0.03, 0.01, 0.05, 0.01, 5, 20), NOISE, ["lies above 0, the sign test says worse"]),
        ((-0.03, -0.05, -0.01, 0.01, 20, 5), NOISE, ["lies below 0, the sign test says better"]),
        ((0.30, nan, nan, 1.0, 1, 0), NOISE, ["no interval", "1 name differs"]),
        ((0.30, 0.1, 0.5, 0.0625, 5, 0), NOISE, ["disagree", "5 names differ; the sign test"]),
        ((0.30, 0.1, 0.5, 0.03125, 6, 0), BETTER, []),
        ((0.0, 0.0, 0.0, 1.0, 0, 0), NOISE, []),
    ],
)
def test_interval_and_sign_test_must_agree(figures, word, remarks):
    verdict, found = _assess_difference(Difference(*figures, 3))
    assert verdict == word
    assert len(found) == len(remarks)
    assert all(part in remark for part, remark in zip(remarks, found, strict=True))


def test_a_difference_must_exceed_that_between_seeds():
    difference = Difference(0.03, 0.01, 0.05, 0.001, 20, 5, 0)
    assert _assess_difference(difference, 0.029) == (BETTER, [])
    for between_seeds in (0.03, 0.2):
        verdict, (remark,) = _assess_difference(difference, between_seeds)
        assert verdict == NOISE
        assert "two seeds" in remark


PAIRS = st.lists(st.tuples(*[st.sampled_from([0.0, 0.1, 0.5, 0.9])] * 2), min_size=1, max_size=9)
OPPOSITE = {BETTER: WORSE, WORSE: BETTER, NOISE: NOISE}


@given(PAIRS, st.floats(0, 0.3))
def test_swapping_the_sides_swaps_the_verdict(pairs, between_seeds):
    first, second = zip(*pairs, strict=True)
    found = compare(first, second)
    swapped = Difference(
        -found.mean, -found.high, -found.low, found.p, found.worse, found.better, found.equal
    )
    there, remarks = _assess_difference(found, between_seeds)
    back, mirrored = _assess_difference(swapped, between_seeds)
    assert back == OPPOSITE[there]
    assert len(mirrored) == len(remarks)
    assert there == NOISE or (there == BETTER) == (found.mean > 0)


def data_of(*f05: dict[str, float], seeds: int = 1) -> Any:
    sides = [
        side_of([run_of(each, seed=seed) for seed in range(seeds)], f"s{number}")
        for number, each in enumerate(f05)
    ]
    found = [compare_sides(sides[0], other) for other in sides[1:]]
    data = comparisons_data(sides, found)
    return json.loads(json.dumps(data, allow_nan=False))


def test_every_other_is_compared_with_the_first():
    data = data_of({"Ada": 0.5, "Bea": 0.5}, {"Ada": 0.75, "Bea": 0.25}, {"Ada": 0, "Bea": 0})
    first, second = data["comparisons"]
    names = [(each["first"], each["second"]) for each in (first, second)]
    assert names == [("s0", "s1"), ("s0", "s2")]
    assert first["verdict"] == "within the noise"
    assert first["remarks"]
    assert first["names"] == {"Bea": -0.25, "Ada": 0.25}
    assert list(first["names"]) == ["Bea", "Ada"]
    main = first["differences"][0]
    assert main["measure"] == "bcubed_f05"
    assert (main["difference"], main["interval"]) == (0, [-0.25, 0.25])
    assert (main["p"], main["better"], main["worse"], main["equal"]) == (1, 1, 1, 0)


PAPER = {"Ada": 0.5, "Bea": 0.75, "Cleo": 1.0, "Dora": 0.25}
BOOSTED = {"Ada": 0.5, "Bea": 0.5, "Cleo": 0.875, "Dora": 0.75}


def shown(capsys, *sides: Side) -> list[list[list[str]]]:
    """Cells of the tables that are printed, and the lines of the verdict."""
    show_comparisons(sides, [compare_sides(sides[0], other) for other in sides[1:]], Console())
    blocks = capsys.readouterr().out.rstrip().split("\n\n")
    return [[re.split(" {2,}", row.strip()) for row in block.splitlines()] for block in blocks]


def test_tables_and_verdict(capsys):
    paper = side_of([run_of(PAPER), run_of({**PAPER, "Bea": 1.0}, seed=1)], "paper")
    boosted = side_of([run_of(BOOSTED)], "boosted")
    systems, measures, names, (verdict, *_) = shown(capsys, paper, boosted)
    assert systems[0][1:] == ["seeds", "F0.5", "F0.2", "BEP", "BER", "PF0.5", "between seeds"]
    assert systems[2][:3] == ["boosted", "1", "0.656 ±0.094"]
    assert [row[-1] for row in systems[1:]] == ["0.062", "–"]
    assert measures[0][0] == "boosted against paper"
    assert (measures[1][:2], measures[1][-4:]) == (["F0.5", "+0.000"], ["1.000", "1", "2", "1"])
    assert names[0][:6] == ["F0.5", "paper", "boosted", "ΔF0.5", "ΔBEP", "ΔBER"]
    assert [row[0] for row in names[1:]] == ["Bea", "Cleo", "Dora"]
    assert names[1][1:] == ["0.875", "0.500", "-0.375", "-0.375", "-0.375", "0.250"]
    assert names[3][-1] == "0.000"
    assert verdict[0].startswith("boosted against paper: within the noise (F0.5 +0.000, 95 % inter")
    assert verdict[0].endswith("sign test p 1.000)")
    assert len(shown(capsys, boosted, boosted)) == 3  # no name differs


def test_one_name_has_neither_error_nor_interval(capsys):
    one = [side_of([run_of({"Ada": score})], str(score)) for score in (0.5, 0.75)]
    systems, *_, (verdict, *_) = shown(capsys, *one)
    assert systems[1][2] == "0.500 ±–"
    assert "95 % interval –," in verdict[0]
    data = data_of({"Ada": 0.5}, {"Ada": 0.75})
    assert data["comparisons"][0]["differences"][0]["interval"] is None
    side = data["systems"]["s0"]
    assert (side["standard_error"]["rand"], side["between_seeds"]) == (None, None)
    twice = data_of({"Ada": 0.5}, {"Ada": 0.75}, seeds=2)["systems"]["s1"]
    assert (twice["seeds"], twice["how"], twice["names"]["Ada"]["rand"]) == ([0, 1], "cv:5", 0.75)
    assert twice["between_seeds"] == {"mean": 0, "names": {"Ada": 0}}
