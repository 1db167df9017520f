"""The feature study from the command line, of corpora and of anyone's table."""

import csv
import io
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import run_weps
from eval.ranking.pwa import pwa
from eval.studies.features import study as module
from eval.studies.features.claims import CLAIMS
from eval.studies.features.findings import (
    Plan,
    compare_similarities,
    compared_by_all,
    compute_findings,
)
from eval.studies.features.study import (
    by_feature,
    instances_of,
)
from eval.studies.features.trees import TreeSettings, cross_validate_trees, feature_combinations
from eval.tables.files import read_instances, write_instances
from eval.tables.instances import Instances
from tests.conftest import Weps
from tests.eval.cli.conftest import NAMES
from tests.eval.studies.features.made_up import made, noisy
from weps.page_forms import PageForm
from weps.sources.opening import open_source
from weps.systems import FEATURE_SETS
from weps.training.reading import read_examples

slow = pytest.mark.slow
pytestmark = pytest.mark.usefixtures("undrawn")


class Studied(NamedTuple):
    """What one run has written."""

    folder: Path
    printed: str = ""

    def cells(self, table: str) -> dict[str, dict[str, str]]:
        """Name of the row → heading → cell."""
        with (self.folder / f"{table}.csv").open(encoding="utf-8-sig", newline="") as file:
            heading, *rows = csv.reader(file)
        return {row[0]: dict(zip(heading, row, strict=True)) for row in rows}

    @property
    def text(self) -> str:
        return (self.folder / "index.html").read_text()

    def files(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in sorted(self.folder.iterdir())}


def study(out: Path, *words: object) -> Studied:
    options = ["--quiet", "study", "features", "--combinations", "2", "--out", str(out)]
    printed = io.StringIO()
    with redirect_stdout(printed):
        assert run_weps.main([*options, *map(str, words)]) == 0
    return Studied(out, printed.getvalue())


@pytest.fixture(scope="module")
def of_trades(trades: Path, tmp_path_factory: pytest.TempPathFactory) -> Studied:
    """The study of saved pages, with its instances."""
    out = tmp_path_factory.mktemp("out")
    pairs = out.with_name("pairs.npz")
    return study(*(out, trades, "--no-cache", "--features", "non-linguistic", "--instances", pairs))


@slow
def test_a_corpus_is_studied(of_trades: Studied) -> None:
    counts = next(iter(of_trades.cells("table-1").values()))
    assert [counts[each] for each in ("coreferent", "others", "pairs", "names")] == [
        *("36", "54", "90", "6")
    ]
    ranked = of_trades.cells("rankings")
    assert float(ranked["token"]["PWA"].split()[0]) > 0.8
    assert "linked" in ranked
    assert "(" in ranked["token"]["PWA"]
    assert list(of_trades.cells("conclusions")) == [each.text for each in CLAIMS]
    *conclusions, last = of_trades.printed.splitlines()
    assert [line.split("  ")[0] for line in conclusions[1:]] == [each.text for each in CLAIMS]
    index, files = of_trades.folder / "index.html", len(of_trades.files()) - 1
    assert last == f"study: {index}, with {files} files beside it"
    assert "grown on half of the names and judged on the other half, in 5" in of_trades.text
    assert "Resampling 6 groups gives rough intervals" in of_trades.text


@slow
def test_pages_are_studied_as_if_less_were_at_hand(
    of_trades: Studied, trades: Path, tmp_path: Path
) -> None:
    words = study(tmp_path, trades, "--features", "non-linguistic", "--form", "tokens")
    whole, less = of_trades.cells("rankings"), words.cells("rankings")
    assert set(less) < set(whole)
    assert {"linked", "token(local=true)"} <= set(whole) - set(less)
    assert "token(local=true)" in words.text


@slow
def test_the_pairs_can_be_studied_as_a_table(of_trades: Studied, tmp_path: Path) -> None:
    file = of_trades.folder.with_name("pairs.npz")
    instances = read_instances(file).instances
    assert instances.groups == NAMES
    assert {"dice(token)", "cosine(token)", "overlap(token)", "linked"} <= set(instances.measures)
    write_instances(instances, tmp_path / "pairs.csv")
    words = ["--table", tmp_path / "pairs.csv", "--group", "group", "--base", "dice(token)"]
    found = study(tmp_path / "out", *words, "--measures", "dice(token),dice(url),linked")
    ours, theirs = of_trades.cells("rankings"), found.cells("rankings")
    for name, same in (("token", "dice(token)"), ("url", "dice(url)"), ("linked", "linked")):
        for heading in ("average precision", "PWA", "AUC", "recall"):
            assert ours[name][heading] == theirs[same][heading]
        assert ours[name]["PWA by name"] == theirs[same]["PWA by group"]


@slow
def test_trees_are_judged_on_another_corpus(
    others: Path, results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(module, "cross_validate_trees")
    words = ("--features", "non-linguistic", "--base", "title")
    found = study(tmp_path, others, "--test", results, *words)
    table = found.cells("table-1")
    assert list(table)[1:3] == ["WePS-2", "all"]
    assert [each["pairs"] for each in table.values()][:3] == ["90", "90", "180"]
    assert "and judged on WePS-2" in found.text
    assert "token" not in found.cells("rankings")
    assert set(found.cells("by-group")) == set(NAMES)


@slow
@pytest.mark.parametrize(
    "features", ["tokens", "linked + same_domain", "title + url"], ids=["one", "flags", "no token"]
)
def test_few_features_are_a_study_too(trades: Path, tmp_path: Path, features: str) -> None:
    found = study(tmp_path, trades, "--features", features)
    shown = {"token"} if features == "tokens" else set(features.split(" + "))
    assert set(found.cells("rankings")) == shown
    assert any(f"|base:{name}|" in found.text for name in shown)


@slow
def test_the_same_bytes_come_out_of_any_number_of_processes(trades: Path, tmp_path: Path) -> None:
    """But for the signature and command line."""
    words = (trades, "--features", "token + title", "--instances")
    files = [
        study(tmp_path / jobs, *words, tmp_path / jobs / "pairs.npz", "--jobs", jobs).files()
        for jobs in ("1", "2")
        if (tmp_path / jobs).mkdir() is None
    ]
    ones, twos = ({k: v for k, v in each.items() if "index" not in k} for each in files)
    assert ones == twos


def test_wrong_use_is_refused_in_one_line(
    weps: Weps, trades: Path, results: Path, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(table.parent)
    Path("file").touch()
    Path("one.csv").write_text("label,m\n1,0.5\n1,0.25\n")
    Path("gap.csv").write_text("label,m\n1,0.5\n0,\n1,nan\n")
    monkeypatch.setattr(module, "compute_findings", lambda *_: pytest.fail("work was begun"))
    of_table = ["--table", "table.csv"]
    cases: list[tuple[list[object], str]] = [
        ([trades, "--base", "url", "--features", "token + title"], "'url' is not among the"),
        ([trades, "--features", "tokne"], "'tokne'"),
        ([trades, "--exclude", "NOBODY"], "NOBODY"),
        ([trades, "--test", "nowhere"], "nowhere"),
        ([trades, "--instances", "nowhere/pairs.npz"], "no such folder"),
        ([trades, "--instances", "pairs.parquet"], "known endings are .csv, .tsv"),
        ([results, "--test", trades], f"6 names stand in both corpora, {NAMES[0]} is the first"),
        ([results, "--features", "ngram", "--form", "results"], "the pages lack them all"),
        ([results, "--form", "pages"], "no name has its pages as pages; use --form results"),
        (["nowhere"], "nowhere"),
        ([trades, "--table", "table.csv"], "unclear what to study"),
        (["--test", trades], "unclear what to study"),
        ([trades, "--out", "file"], "file"),
        ([*of_table, "--base", "nope"], "unknown measure 'nope'"),
        ([*of_table, "--measures", "bleu,nope"], "nope"),
        ([*of_table, "--measures", "bleu,by"], "by"),
        ([*of_table, "--group", "nope"], "nope"),
        ([*of_table, "--features", "all", "--form", "pages"], "--features, --form has no meaning"),
        ([*of_table, "--out", "table.csv"], "table.csv"),
        (["--table", "nowhere.csv"], "file not found"),
        (["--table", "one.csv"], "all instances are labelled as positive"),
        (["--table", "gap.csv"], "gap.csv"),
    ]
    for words, complaint in cases:
        status, _, err = weps("--quiet", "study", "features", "--no-cache", *words)
        (line,) = err.splitlines()
        assert status == 1
        assert line.startswith("weps: error: ")
        assert complaint in line


def test_nothing_is_written_if_it_is_unclear_what_to_study(weps: Weps, tmp_path: Path) -> None:
    assert weps("study", "features", "--out", tmp_path / "out")[0] == 1
    assert not (tmp_path / "out").exists()


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


@pytest.mark.parametrize("group", [["--group", "topic"], []])
def test_a_table_is_studied(table: Path, tmp_path: Path, group: list[str]) -> None:
    out = tmp_path / "a b"
    found = study(out, "--table", table, *group)
    files = found.files()
    assert study(out, "--table", table, *group).files() == files
    values = ([row["bleu"] for row in made_up() if row["label"] == each] for each in ("yes", "no"))
    best, first = next(iter(found.cells("rankings").items()))
    assert (best, first["PWA"].split()[0]) == ("bleu", f"{pwa(*values):.3f}")
    assert ("(" in first["PWA"]) == bool(group)
    assert found.cells("instances")["all"]["groups"] == ("4" if group else "1")
    assert "compared with bleu" in found.text
    assert "they hold no numbers: " in found.text
    assert "table.csv" in found.text
    assert found.printed == f"study: {out / 'index.html'}, with {len(files) - 1} files beside it\n"
    made_by = (out / "index.md").read_text().replace("\\", "")
    assert f"weps --quiet study features --combinations 2 --out '{out}' --table {table}" in made_by


def test_measures_base_and_label_are_chosen(table: Path, tmp_path: Path) -> None:
    name = "dice(ngram(n=2, local=true))"
    table.write_text(table.read_text().replace("label", "good", 1).replace("bleu", f'"{name}"', 1))
    words = ["--label", "good", "--measures", f"rouge,{name}", "--base", name, "--group", "topic"]
    found = study(tmp_path / "out", "--table", table, *words)
    assert list(found.cells("redundancy")) == ["rouge"]
    words = ["--label", "good", "--measures", "rouge", "--exhaustive", "0", "--combinations", "0"]
    found = study(tmp_path / "out", "--table", table, *words)
    assert [row["members"] for row in found.cells("combinations").values()] == ["rouge"]


def test_the_seed_and_the_numbers_make_the_signature(table: Path, tmp_path: Path) -> None:
    def signed(*words: object) -> str:
        study(tmp_path / "out", "--table", table, *words)
        text = (tmp_path / "out" / "index.md").read_text()
        return text[text.index("table:sha256") :].split()[0]

    signatures = [signed(), signed("--seed", 1), signed("--base", "rouge")]
    table.write_text(table.read_text().replace("no", "yes", 1))
    assert len({*signatures, signed()}) == 4


def lowest_below_zero(some: Instances) -> Instances:
    return replace(some, values=some.values - some.values.max() - 1)


def not_finite(some: Instances) -> Instances:
    values = some.values.copy()
    values[0, 3], values[1, 5], values[2, 7] = np.inf, -np.inf, 1e300
    return replace(some, values=values)


def with_empty_groups(some: Instances) -> Instances:
    return replace(some, group=some.group + 1, groups=("nobody", *some.groups, "nothing"))


def one_group_and_an_empty_one(some: Instances) -> Instances:
    return replace(some, group=some.group * 0, groups=("a", "b"))


@slow
@pytest.mark.parametrize(
    ("changed", "groups"),
    [
        (lowest_below_zero, "4"),
        (not_finite, "4"),
        (with_empty_groups, "4"),
        (one_group_and_an_empty_one, "1"),
    ],
)
def test_odd_tables_are_studied(tmp_path: Path, changed, groups: str) -> None:
    some, file = noisy(groups=4, size=15), tmp_path / "odd.npz"
    write_instances(changed(some), file)
    found = study(tmp_path / "out", "--table", file)
    assert found.cells("instances")["all"]["groups"] == groups
    assert len(found.cells("rankings")) == 4
    combinations = found.cells("combinations")
    assert all(row["AUC of trees"][0].isdigit() for row in combinations.values())
    if changed is lowest_below_zero:  # trees divide by order alone
        write_instances(some, file)
        assert study(tmp_path / "same", "--table", file).cells("combinations") == combinations


@pytest.mark.parametrize("values", [[[0, 1]], [[1, 0], [1, 1]]])
def test_two_instances_are_studied_though_no_tree_compares_them(
    tmp_path: Path, values: Sequence[Sequence[float]]
) -> None:
    write_instances(made(values, [True, False]), tmp_path / "two.npz")
    rows = study(tmp_path / "out", "--table", tmp_path / "two.npz").cells("combinations").values()
    assert {row["PWA of trees"] for row in rows} == {"–"}
    assert {row["MaxPWA"][0] for row in rows} <= {"0", "1"}


def test_a_column_of_too_many_groups_is_refused(
    weps: Weps, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_MOST_GROUPS", 3)
    words = ("study", "features", "--table", table, "--group", "topic", "--out", tmp_path / "out")
    assert "the column 'topic' makes 4 groups of 60 instances" in weps(*words)[2]


def test_figures_that_cannot_be_drawn_are_reported(weps: Weps, table: Path, tmp_path: Path) -> None:
    status, _, err = weps("study", "features", "--table", table, "--out", tmp_path / "out")
    assert status == 0
    assert "figures are left out: they need matplotlib" in err
    assert not list((tmp_path / "out").glob("*.svg"))


@slow
def test_real_pages_without_language_processing(weps_data: Path) -> None:
    """Three names of WePS-1."""
    features = FEATURE_SETS["non-linguistic"].features()
    similarities = compared_by_all(features)
    names = ("Charlotte_Bergeron", "Roy_Tamashiro", "Tim_Whisler")
    source = open_source(weps_data / "corpora" / "weps-1" / "training")
    loaded = {name: read_examples(name, source, similarities, {PageForm.PAGES}) for name in names}
    pairs = instances_of(
        {name: forms[PageForm.PAGES] for name, forms in loaded.items()}, similarities
    )
    some = by_feature(pairs, features)
    found = compute_findings(
        some,
        some,
        lambda chosen: cross_validate_trees(some.only(chosen), TreeSettings()),
        Plan("token", feature_combinations(features, "token"), 3, 2, 0),
    )
    sets = [found.bound_of(name) for name in ("tokens", "token + n-gram", "non-linguistic")]
    figures = [each.max_pwa.pooled for each in sets if each]
    assert figures == sorted(figures)
    assert len(figures) == 3
    counts = found.tested.counts
    for bound in found.bounds:
        assert bound.max_pwa.total.sum() == counts.positive * counts.negative
        assert (bound.tree_pwa.total <= bound.max_pwa.total).all()
        assert bound.tree_pwa.pooled <= bound.tree_auc.pooled
    assert sets[0] is not None
    assert sets[0].tree_auc.pooled > 0.5
    for each in found.rankings.values():
        shares = [each.redundant, each.non_redundant, each.non_informative]
        assert sum(share.value for share in shares) == pytest.approx(1)
        for figure in (each.average_precision, each.pwa, each.auc):
            assert figure.low <= figure.value <= figure.high
    assert found.ranked_by_base > 0.9
    rivals = compare_similarities(pairs, features)
    for name in rivals.features:
        assert rivals.average_precision(name, "dice") == found.rankings[name].average_precision
