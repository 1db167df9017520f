from dataclasses import replace
from pathlib import Path

import pytest

from eval.benchmark.compare import compare_sides, side_of
from eval.benchmark.recording import record_runs
from eval.benchmark.runs import read_runs
from eval.benchmark.scoring import BenchmarkOutcome, score_benchmark
from tests.eval.benchmark.conftest import FIRST, SECOND
from weps.training.examples import TrainingSettings


def test_every_system_has_a_folder_and_a_run(outcome: BenchmarkOutcome, tmp_path: Path) -> None:
    scored = score_benchmark(outcome)
    first, second = record_runs(scored, tmp_path / "runs", "weps benchmark")
    assert first == tmp_path / "runs" / "paper" / "paper_saved-pages_cv-2_seed3.json"
    assert second.parent == tmp_path / "runs" / "paper-features-title-link-average"
    (run,) = read_runs(second)
    assert run.system == SECOND
    assert run.scores == scored.results.systems[SECOND]
    assert (run.how, run.seed, run.made) == ("cv:2", 3, "weps benchmark")
    assert run.seconds == {"learning": 2.0, "answering": 0.25}
    assert run.corpus.digest == outcome.corpus.digest
    assert {"python", "numpy", "cores"} <= set(run.machine)


def test_the_configuration_is_all_that_was_chosen_but_the_seed(
    outcome: BenchmarkOutcome, tmp_path: Path
) -> None:
    common = replace(outcome, systems=replace(outcome.systems, common=True))
    for each in (outcome, common):
        record_runs(score_benchmark(each), tmp_path / str(each.systems.common), "weps")
    plain, shared = (
        read_runs(tmp_path / kept / "paper")[0].configuration for kept in ("False", "True")
    )
    assert plain == {
        **outcome.systems.configurations[FIRST].as_data(),
        "depth": 6,
        "leaf": 100,
        "folds": 5,
        "repeats": 3,
    }
    assert shared == {**plain, "features_shared_by": "all names"}


def test_seeds_of_a_system_make_a_side(outcome: BenchmarkOutcome, tmp_path: Path) -> None:
    for seed in (0, 1):
        record_runs(
            score_benchmark(replace(outcome, settings=TrainingSettings(seed=seed))),
            tmp_path,
            "weps",
        )
    first, second = (
        side_of(read_runs(tmp_path / folder), folder)
        for folder in ("paper", "paper-features-title-link-average")
    )
    assert [run.seed for run in first.runs] == [0, 1]
    assert compare_sides(first, second).names["Ada"] > 0


def test_recorded_again_a_run_takes_its_place(outcome: BenchmarkOutcome, tmp_path: Path) -> None:
    places = [
        record_runs(score_benchmark(outcome), tmp_path, line) for line in ("weps one", "weps two")
    ]
    assert places[0] == places[1]
    assert read_runs(places[0][0])[0].made == "weps two"


@pytest.mark.parametrize(
    "systems",
    [
        ("paper:features=dice(token)+title", "paper:features=dice(token)+title,copies=0"),
        (
            "paper:features=token+title+snippet+url+link,link=single",
            "paper:features=token+title+snippet+url+link,link=average",
        ),
    ],
)
def test_systems_that_are_cut_alike_have_folders_of_their_own(
    outcome: BenchmarkOutcome, tmp_path: Path, systems: tuple[str, str]
) -> None:
    wanted = dict.fromkeys(systems, outcome.systems.wanted[FIRST])
    chosen = dict.fromkeys(systems, outcome.systems.configurations[FIRST])
    renamed = replace(outcome.systems, wanted=wanted, configurations=chosen)
    trials = dict.fromkeys(systems, outcome.trials[FIRST])
    first, second = record_runs(
        score_benchmark(replace(outcome, systems=renamed, trials=trials)), tmp_path, "weps"
    )
    assert first.parent != second.parent
