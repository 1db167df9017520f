"""The instances of the feature study, and the study of them from the command line."""

import csv
import io
import json
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import spacy

import run_weps
from tests.cases import each_case, install_pipeline
from tests.eval.cli.conftest import KEY, NAMES, mixed, results, write_weps2
from tests.eval.studies.made_up_instances import noisy, resamples
from weps.errors import SourceError
from weps.features.registry import feature_by_name
from weps.reading import PageForm
from weps.records import Clustering
from weps.sources.corpora import clustering_xml
from weps.training import Example
from weps_eval.ranking.pwa import pwa
from weps_eval.report.tables import CANNOT, TOO_FEW
from weps_eval.studies import features as module
from weps_eval.studies.feature_claims import CLAIMS
from weps_eval.studies.features import (
    FeaturesSettings,
    StudiedInstances,
    _feature_combinations,
    _similarities_by_paper,
    judged_instances,
    read_source,
)
from weps_eval.tables import read_instances, write_instances

__all__ = ["mixed", "results"]

slow = pytest.mark.slow
pytestmark = pytest.mark.usefixtures("undrawn")

WORDS = ("bread", "oven", "flour", "crust", "yeast"), ("keel", "anchor", "harbour", "sail", "tide")


@pytest.fixture(autouse=True, scope="module")
def few_resamples() -> Iterator[None]:
    """Drawing takes longer than searching."""
    with resamples(200):
        yield


@pytest.fixture(scope="session")
def trades(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Saved pages of six names with a baker and a sailor each; their words are a little mixed."""
    return write_trades(tmp_path_factory.mktemp("trades"), NAMES)


def write_trades(root: Path, names: tuple[str, ...]) -> Path:
    generator = np.random.default_rng(1)
    for name in names:
        (root / name).mkdir()
        for rank in range(1, 7):
            own, other = WORDS[rank % 2], WORDS[1 - rank % 2]
            words = [*generator.choice(own, 4, replace=False), generator.choice(other)]
            text = f"<title>{name}</title><p>Lovell likes {' and '.join(words)}.<p>Page{rank}."
            (root / name / f"{rank:03}.html").write_text(text)
        (root / name / "key.xml").write_text(clustering_xml(KEY), "utf-8")
    return root


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
    options = ["--quiet", "study", "features", "--combinations", "2", "--out", str(out), "--files"]
    printed = io.StringIO()
    with redirect_stdout(printed):
        assert run_weps.main([*options, *map(str, words)]) == 0
    return Studied(out, printed.getvalue())


@pytest.fixture(scope="module")
def of_trades(trades: Path, tmp_path_factory: pytest.TempPathFactory) -> Studied:
    """The study of saved pages, with its instances."""
    out = tmp_path_factory.mktemp("out")
    pairs = out.with_name("pairs.csv")
    return study(*(out, trades, "--no-cache", "--features", "non-linguistic", "--instances", pairs))


@slow
def test_a_corpus_is_studied(of_trades):
    counts = next(iter(of_trades.cells("table-1").values()))
    assert [counts[each] for each in ("coreferent", "others", "pairs", "names")] == [
        *("36", "54", "90", "6")
    ]
    ranked = of_trades.cells("rankings")
    assert float(ranked["token"]["PWA"].split()[0]) > 0.8
    assert "linked" in ranked
    assert "(" in ranked["token"]["PWA"]
    texts = [each.text for each in CLAIMS]
    assert list(of_trades.cells("conclusions")) == texts
    *conclusions, last = of_trades.printed.splitlines()
    assert conclusions[-1].startswith("corpus:sha256-")
    index, files = of_trades.folder / "index.html", len(of_trades.files()) - 1
    assert last == f"report: {index}, with {files} files beside it"
    assert "fitted on half of the names and judged on the other half, in 5" in of_trades.text
    assert TOO_FEW in of_trades.text


@slow
def test_a_second_pipeline_recognises_the_entities_of_the_second_recogniser(
    trades, tmp_path, monkeypatch
):
    names = [tmp_path / f"rules{number}" for number in (1, 2)]
    for folder, known in zip(names, (("moor",), WORDS[0]), strict=True):
        nlp = spacy.blank("en", meta={"name": folder.name})
        patterns = [{"label": "GPE", "pattern": word} for word in known]
        nlp.add_pipe("entity_ruler").add_patterns(patterns)
        nlp.to_disk(folder)
    words = ("--features", "token+capitalised+entity+fine_entity", "--no-cache", "--language")
    found = {
        number: study(tmp_path / f"out{number}", trades, *words, names[0], "--language-2", second)
        for number, second in enumerate(names, start=1)
    }
    monkeypatch.syspath_prepend(install_pipeline(names[1], tmp_path / "site"))
    found[3] = study(tmp_path / "out3", trades, *words, names[0])
    assert found[3].cells("rankings") == found[2].cells("rankings")
    assert "of fine_entity by en_rules2, which is installed; --language-2" in found[3].text
    rows = [found[1].cells("rankings"), found[2].cells("rankings")]
    precise = "average precision"
    place, other = "fine_entity(type=location)", "entity(type=location)"
    assert rows[0][place][precise] == rows[0][other][precise] == rows[1][other][precise]
    assert float(rows[1][place][precise][:4]) > float(rows[1][other][precise][:4])
    claims = {count: each.cells("conclusions") for count, each in found.items()}
    told = [
        each for each in claims[2] if "recogniser" in each and claims[1][each]["here"] == CANNOT
    ]
    assert len(told) == 2
    assert all(claims[2][each]["here"] != CANNOT for each in told)
    assert "by en_rules1, those of fine_entity by en_rules2" in found[2].text


@slow
def test_the_pairs_can_be_studied_as_a_table(of_trades, tmp_path):
    file = of_trades.folder.with_name("pairs.csv")
    instances, _ = read_instances(file, group="group")
    assert instances.groups == NAMES
    assert {"dice(token)", "cosine(token)", "overlap(token)", "linked"} <= set(instances.measures)
    words = ["--table", file, "--group", "group", "--base", "dice(token)"]
    words += ["--measures", "dice(token),dice(url),linked", "--json", tmp_path / "figures.json"]
    found = study(tmp_path / "out", *words)
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert set(figures["rankings"]) == {"dice(token)", "dice(url)", "linked"}
    assert figures["combinations"]["all"]["max_pwa"]["value"] == pytest.approx(
        float(found.cells("combinations")["all"]["MaxPWA"].split()[0]), abs=0.01
    )
    ours, theirs = of_trades.cells("rankings"), found.cells("rankings")
    for name, same in (("token", "dice(token)"), ("url", "dice(url)"), ("linked", "linked")):
        for heading in ("average precision", "PWA", "AUC", "recall"):
            assert ours[name][heading] == theirs[same][heading]
        assert ours[name]["PWA by group"] == theirs[same]["PWA by group"]


def test_wrong_use_is_refused_in_one_line(weps, trades, results, table, monkeypatch):
    monkeypatch.chdir(table.parent)
    Path("file").touch()
    Path("gap.csv").write_text("label,m\n1,0.5\n0,\n1,nan\n")
    monkeypatch.setattr(module, "load_corpus", lambda *_: pytest.fail("work was begun"))
    of_table = ["--table", "table.csv"]
    cases: list[tuple[list[object], str]] = [
        ([trades, "--base", "url", "--features", "token + title"], "'url' is not among the"),
        ([trades, "--features", "tokne"], "'tokne'"),
        ([trades, "--exclude", "NOBODY"], "NOBODY"),
        ([trades, "--test", "nowhere"], "nowhere"),
        ([trades, "--instances", "nowhere/pairs.csv"], "no such folder"),
        ([trades, "--instances", "pairs.parquet"], "known endings are .csv, .tsv"),
        ([results, "--test", trades], f"6 names stand in both corpora, {NAMES[0]} is the first"),
        ([results, "--features", "ngram", "--form", "results"], "the pages lack them all"),
        ([results, "--form", "pages"], "no name has its pages as pages; use --form results"),
        (["nowhere"], "nowhere"),
        ([trades, "--table", "table.csv"], "unclear what to study"),
        (["--test", trades], "unclear what to study"),
        ([trades, "--out", "file"], "file"),
        ([*of_table, "--base", "nope"], "unknown measure 'nope'"),
        ([*of_table, "--measures", "bleu,by"], "by"),
        ([*of_table, "--features", "all", "--language-2", "x"], "--features, --language-2 has no"),
        ([trades, "--language-2", "nowhere"], "there is no such language pipeline"),
        ([*of_table, "--out", "table.csv"], "table.csv"),
        (["--table", "nowhere.csv"], "nowhere.csv: cannot be read (No such file or directory)"),
        (["--table", "gap.csv"], "gap.csv"),
    ]
    for words, complaint in cases:
        status, _, err = weps("--quiet", "study", "features", "--no-cache", *words)
        (line,) = err.splitlines()
        assert status in {1, 2}  # what is not there, or no such name
        assert line.startswith("weps: error: ")
        assert complaint in line


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
def test_a_table_is_studied(table, tmp_path, group):
    out = tmp_path / "a b"
    found = study(out, "--table", table, *group)
    files = found.files()
    assert study(out, "--table", table, *group).files() == files
    values = ([row["bleu"] for row in made_up() if row["label"] == each] for each in ("yes", "no"))
    best, first = next(iter(found.cells("rankings").items()))
    value, *interval = first["PWA"].split()
    assert (best, value) == ("bleu", f"{pwa(*values):.{len(value) - 2}f}")
    assert bool(interval) == bool(group)
    assert found.cells("instances")["all"]["groups"] == ("4" if group else "1")
    assert "compared with bleu" in found.text
    assert "they hold no numbers: " in found.text
    assert "table.csv" in found.text
    assert found.printed.endswith(
        f"report: {out / 'index.html'}, with {len(files) - 1} files beside it\n"
    )
    made_by = (out / "index.md").read_text().replace("\\", "")
    assert (
        f"weps --quiet study features --combinations 2 --out '{out}' --files --table {table}"
        in made_by
    )


ODD = {
    "below zero": lambda some: replace(some, values=some.values - some.values.max() - 1),
    "infinite": lambda some: replace(
        some, values=np.where(np.eye(*some.values.shape) > 0, np.inf, some.values)
    ),
    "empty groups": lambda some: replace(
        some, group=some.group + 1, groups=("nobody", *some.groups, "nothing")
    ),
    "one group": lambda some: replace(some, group=some.group * 0, groups=("a", "b")),
}


@slow
@pytest.mark.parametrize("change", ODD)
def test_odd_tables_are_studied(tmp_path, change):
    some, file = noisy(groups=4, size=15), tmp_path / "odd.csv"
    of_groups = ("--group", "group")
    write_instances(ODD[change](some), file)
    found = study(tmp_path / "out", "--table", file, *of_groups)
    assert found.cells("instances")["all"]["groups"] == ("1" if change == "one group" else "4")
    assert len(found.cells("rankings")) == 4
    combinations = found.cells("combinations")
    assert all(row["AUC of trees"][0].isdigit() for row in combinations.values())
    if change == "below zero":  # trees divide by order alone
        write_instances(some, file)
        assert (
            study(tmp_path / "same", "--table", file, *of_groups).cells("combinations")
            == combinations
        )


TWO = tuple(map(feature_by_name, ("linked", "token")))
COMPARED = _similarities_by_paper(TWO)


def example(name: str, *groups: set[int], ranks: tuple[int, ...] = (1, 2, 3)) -> Example:
    """Pairs whose values count up: 0, 1, … in the first column, ten times that in the second …"""
    pairs = np.arange(len(ranks) * (len(ranks) - 1) // 2, dtype=np.float32)
    values = np.outer(pairs, [10.0**power for power in range(len(COMPARED))]).astype(np.float32)
    return Example(name, ranks, COMPARED, values, Clustering(tuple(map(frozenset, groups))))


def test_instances_are_the_judged_pairs_of_all_names():
    found = judged_instances(
        {"Cleo": example("C"), "Ada": example("Ada", {1, 3}, {2}), "Bo": example("Bo", {2}, {3})},
        COMPARED,
    )
    assert found.measures == tuple(map(str, COMPARED))
    assert found.groups == ("Ada", "Bo"), "no two pages of Cleo are judged"
    assert found.group.tolist() == [0, 0, 0, 1]
    assert found.positive.tolist() == [False, True, False, False]
    assert found.column("linked").tolist() == [0, 1, 2, 2]
    assert found.column("dice(token)").tolist() == [0, 10, 20, 20]


@each_case("groups", [[{1, 2, 3}], [{1}, {2}, {3}], [{1}], []])
def test_a_key_that_tells_no_two_kinds_of_pairs_is_refused(groups):
    with pytest.raises(SourceError, match="judged pairs of pages"):
        judged_instances({"Ada": example("Ada", *groups)}, COMPARED)


def test_combinations_are_sets_and_families_that_have_members():
    chosen = [feature_by_name(each) for each in ("linked", "ngram(n=2)", "token", "title")]
    found = {
        each.name: (each.kind, each.measures) for each in _feature_combinations(chosen, "token")
    }
    everything = ("linked", "ngram(n=2)", "token", "title")
    assert found == {
        "tokens": ("set", ("token",)),
        "non-linguistic": ("set", everything),
        "all": ("set", everything),
        "link": ("family", ("linked",)),
        "n-gram": ("family", ("ngram(n=2)",)),
        "token": ("family", ("token", "title")),
        "token + link": ("family and base", ("token", "linked")),
        "token + n-gram": ("family and base", ("token", "ngram(n=2)")),
        "token + token": ("family and base", ("token", "title")),
    }


def read(corpus: Path, **other: Any) -> StudiedInstances:
    settings = {"no_cache": True, "features": "title+snippet+url+token+ngram+capitalised"}
    return read_source(corpus, FeaturesSettings(**{**settings, **other}))


def test_the_form_is_the_richest_that_any_name_has(mixed, results):
    studied = read(mixed)
    assert studied.signature["form"] is PageForm.TOKENS
    remarks = " ".join(studied.remarks)
    left_out = "Left out of WePS-2, because only less of their pages is available: "
    assert f"{left_out}{NAMES[0]}." in remarks
    assert "do not have them: ngram(n=2, local=true), " in remarks or "capitalised" in remarks
    assert "Of the feature set all, " in remarks
    assert read(results).signature["form"] is PageForm.RESULTS


def test_with_two_corpora_it_is_one_that_both_have(trades, tmp_path):
    others = write_weps2(tmp_path / "others", NAMES)
    left = NAMES[:3]
    for name in NAMES[3:]:
        (others / "gold_standard" / f"{name}.xml").unlink()
    studied = read(trades, test=others, exclude=left)
    assert studied.signature["form"] is PageForm.TOKENS
    assert [sorted(each.groups) for each in studied.corpora.values()] == [
        sorted(NAMES[3:]),
        sorted(left),
    ]


@each_case(
    ("features", "base"), [("url+token", "token"), ("url+title", "title"), ("ngram", "ngram(n=2)")]
)
def test_the_base_is_the_words_or_the_first_feature(trades, features, base):
    assert read(trades, features=features).base == base
