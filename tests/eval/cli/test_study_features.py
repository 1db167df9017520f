"""The feature study of anyone's table."""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import run_weps
from eval.cli import study_features
from eval.ranking.pwa import pwa
from eval.studies.features import rankings, report
from eval.tables.instances import Instances
from eval.tables.writing import write_instances
from tests.eval.studies.features.made_up import made, noisy, resamples


@pytest.fixture(autouse=True)
def few_resamples(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nor pictures: both take longer than the study."""
    monkeypatch.setattr(rankings, "_RESAMPLES", 50)
    monkeypatch.setattr(report, "available", lambda: False)
    with resamples(200):
        yield


def made_up(size: int = 60) -> list[dict[str, object]]:
    generator = np.random.default_rng(2)
    positive = generator.random(size) < 0.5
    first, second = (generator.integers(0, 6, size) + step * positive for step in (3, 1))
    return [
        {"label": "yes" if truth else "no", "topic": f"t{n % 4}", "bleu": b, "rouge": r, "by": "x"}
        for n, (truth, b, r) in enumerate(zip(positive, first, second, strict=True))
    ]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    with (tmp_path / "table.csv").open("w", newline="") as file:
        rows = csv.DictWriter(file, list(made_up()[0]))
        rows.writeheader()
        rows.writerows(made_up())
    return tmp_path / "table.csv"


def run(*words: object) -> int:
    command = ["--quiet", "study", "features", "--combinations", 2, *words]
    return run_weps.main([str(word) for word in command])


def cells(folder: Path, name: str) -> list[list[str]]:
    with (folder / f"{name}.csv").open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


@pytest.mark.parametrize("group", [["--group", "topic"], []])
def test_a_table_is_studied(table: Path, tmp_path: Path, group: list[str]) -> None:
    out = tmp_path / "out"
    assert run("--table", table, *group, "--out", out) == 0
    rows = made_up()
    expected = pwa(
        *([row["bleu"] for row in rows if row["label"] == each] for each in ("yes", "no"))
    )
    heading, best, *_ = cells(out, "rankings")
    cell = best[heading.index("PWA")]
    assert (best[0], cell.split()[0]) == ("bleu", f"{expected:.3f}")
    assert ("(" in cell) == bool(group)
    assert cells(out, "instances")[1][-1] == ("4" if group else "1")
    text = (out / "index.html").read_text()
    assert "compared with bleu" in text
    assert "they hold no numbers: " in text
    assert "table.csv" in text


def test_measures_base_and_label_are_chosen(table: Path, tmp_path: Path) -> None:
    renamed = tmp_path / "renamed.csv"
    renamed.write_text(table.read_text().replace("label", "good", 1))
    words = ["--label", "good", "--measures", "rouge,bleu", "--base", "bleu", "--group", "topic"]
    assert run("--table", renamed, *words, "--out", tmp_path / "out") == 0
    assert [row[0] for row in cells(tmp_path / "out", "redundancy")[1:]] == ["rouge"]


def test_one_measure_is_enough(table: Path, tmp_path: Path) -> None:
    words = ["--measures", "rouge", "--group", "topic", "--exhaustive", "0", "--combinations", "0"]
    assert run("--table", table, *words, "--out", tmp_path / "out") == 0
    assert [row[:4] for row in cells(tmp_path / "out", "combinations")[1:]] == [
        ["rouge", "base", "rouge", "1"]
    ]


def test_the_same_bytes_come_out(table: Path, tmp_path: Path) -> None:
    folders = []
    for _ in range(2):
        assert run("--table", table, "--group", "topic", "--out", tmp_path / "out") == 0
        written = sorted((tmp_path / "out").iterdir())
        folders.append({path.name: path.read_bytes() for path in written})
        for path in written:
            path.unlink()
    assert folders[0] == folders[1]


def test_the_seed_and_the_numbers_make_the_signature(table: Path, tmp_path: Path) -> None:
    def signed(name: str, *words: object) -> str:
        assert run("--table", table, *words, "--out", tmp_path / name) == 0
        text = (tmp_path / name / "index.md").read_text()
        return text[text.index("table:sha256") :].split()[0]

    first = signed("one")
    assert signed("two", "--seed", 1) != first
    assert signed("three", "--base", "rouge") != first
    table.write_text(table.read_text().replace("no", "yes", 1))
    assert signed("four") != first


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--base", "nope"], "unknown measure 'nope'"),
        (["--measures", "bleu,nope"], "nope"),
        (["--measures", "bleu,by"], "by"),
        (["--label", "nope"], "nope"),
        (["--group", "nope"], "nope"),
        (["--test", "."], "--test has no meaning for a table"),
        (["--features", "all", "--form", "pages"], "--features, --form has no meaning for a"),
        (["--instances", "pairs.npz"], "--instances has no meaning for a table"),
        (["--exclude", "NOBODY"], "--exclude has no meaning for a table"),
        (["--out", "table.csv"], "table.csv"),
        (["--table", "nowhere.csv"], "file not found"),
        (["--table", "table.docx"], "table.docx"),
        (["--table", "one.csv"], "all instances are labelled as positive"),
        (["--table", "gap.csv"], "gap.csv"),
    ],
)
def test_wrong_use_is_told_in_one_line(
    table: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    told: str,
) -> None:
    monkeypatch.chdir(table.parent)
    Path("one.csv").write_text("label,m\n1,0.5\n1,0.25\n")
    Path("gap.csv").write_text("label,m\n1,0.5\n0,\n1,nan\n")
    assert run("--table", "table.csv", *words) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("weps: error: ")
    assert told in line


def test_an_unknown_base_is_told_before_long_work(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        study_features, "compute_findings", lambda *_: pytest.fail("work was begun")
    )
    assert run("--table", table, "--base", "nope", "--out", tmp_path / "out") == 1


def test_names_of_measures_may_hold_commas(table: Path, tmp_path: Path) -> None:
    name = "dice(ngram(n=2, local=true))"
    table.write_text(table.read_text().replace("bleu", f'"{name}"', 1))
    words = ["--measures", f"rouge,{name}", "--out", tmp_path / "out"]
    assert run("--table", table, *words) == 0
    assert {row[0] for row in cells(tmp_path / "out", "rankings")[1:]} == {"rouge", name}


def test_the_document_tells_the_command_that_made_it(table: Path, tmp_path: Path) -> None:
    """That of main, not that of the process which runs the tests."""
    words = ["--table", table, "--label", "label", "--out", tmp_path / "a b"]
    assert run(*words) == 0
    told = (tmp_path / "a b" / "index.md").read_text().replace("\\", "")
    line = f"weps --quiet study features --combinations 2 --table {table} --label label --out "
    assert f"{line}'{tmp_path}/a b'" in told


def lowest_below_zero(some: Instances) -> Instances:
    return replace(some, values=some.values - some.values.max() - 1)


def not_finite(some: Instances) -> Instances:
    values = some.values.copy()
    values[0, 3], values[1, 5], values[2, 7] = np.inf, -np.inf, 1e300
    return replace(some, values=values)


def with_empty_groups(some: Instances) -> Instances:
    members = some.group + 1
    return replace(some, group=members, groups=("nobody", *some.groups, "nothing"))


def one_group_and_an_empty_one(some: Instances) -> Instances:
    return replace(some, group=some.group * 0, groups=("a", "b"))


@pytest.mark.parametrize(
    ("changed", "groups"),
    [
        (lowest_below_zero, 4),
        (not_finite, 4),
        (with_empty_groups, 4),
        (one_group_and_an_empty_one, 1),
    ],
)
def test_odd_tables_are_studied(tmp_path: Path, changed, groups: int) -> None:
    file, out = tmp_path / "odd.npz", tmp_path / "out"
    write_instances(changed(noisy(groups=4, size=15)), file)
    assert run("--table", file, "--out", out) == 0
    assert cells(out, "instances")[1][-1] == str(groups)
    assert len(cells(out, "rankings")) == 5
    heading, *rows = cells(out, "combinations")
    assert all(row[heading.index("AUC of trees")][0].isdigit() for row in rows)


def test_trees_over_values_below_zero_are_those_over_the_same_values_above(tmp_path: Path) -> None:
    for name, change in (("above", lambda some: some), ("below", lowest_below_zero)):
        write_instances(change(noisy(groups=4, size=15)), tmp_path / f"{name}.npz")
        assert run("--table", tmp_path / f"{name}.npz", "--out", tmp_path / name) == 0
    assert cells(tmp_path / "above", "combinations") == cells(tmp_path / "below", "combinations")


@pytest.mark.parametrize("values", [[[0, 1]], [[1, 0], [1, 1]]])
def test_two_instances_are_studied_though_no_tree_compares_them(
    tmp_path: Path, values: Sequence[Sequence[float]]
) -> None:
    write_instances(made(values, [True, False]), tmp_path / "two.npz")
    assert run("--table", tmp_path / "two.npz", "--out", tmp_path / "out") == 0
    heading, *rows = cells(tmp_path / "out", "combinations")
    assert {row[heading.index("PWA of trees")] for row in rows} == {"–"}
    assert {row[heading.index("MaxPWA")][0] for row in rows} <= {"0", "1"}


def test_a_column_of_too_many_groups_is_refused(
    table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(study_features, "_MOST_GROUPS", 3)
    assert run("--table", table, "--group", "topic", "--out", tmp_path / "out") == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "the column 'topic' makes 4 groups of 60 instances" in line


@pytest.mark.parametrize("option", ["--combinations", "--exhaustive", "--seed"])
@pytest.mark.parametrize("number", ["-1", "two", "1.5"])
def test_numbers_are_whole_and_not_negative(
    option: str, number: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        run("--table", "table.csv", f"{option}={number}")
    assert stopped.value.code == 2
    assert f"expected a whole number from 0, got {number!r}" in capsys.readouterr().err


def test_what_is_missing_to_draw_with_is_told(
    table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("eval.cli.study_features.available", lambda: False)
    assert run("--table", table, "--out", tmp_path / "out") == 0
    assert "figures are left out: they need matplotlib" in capsys.readouterr().err
    assert not list((tmp_path / "out").glob("*.svg"))
