"""The feature study of small corpora."""

import csv
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import run_weps
from eval.cli import study_features
from eval.cli.study_corpora import scope_of, scope_remarks
from eval.studies.features import rankings, report
from eval.studies.features.claims import CLAIMS
from eval.tables.reading import read_instances
from tests.eval.cli.conftest import NAMES, write_weps2
from tests.eval.studies.features.made_up import resamples
from weps.errors import FeatureError, SourceError
from weps.page_forms import PageForm
from weps.records import Clustering
from weps.sources.xml import write_clustering

pytestmark = pytest.mark.slow

WORDS = ("bread", "oven", "flour", "crust", "yeast"), ("keel", "anchor", "harbour", "sail", "tide")
KEY = Clustering((frozenset({1, 3, 5}), frozenset({2, 4, 6})))
OTHERS = tuple(name.replace("LOVELL", "QUILL") for name in NAMES)


@pytest.fixture(autouse=True)
def few_resamples(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nor pictures: both take longer than the study."""
    monkeypatch.setattr(rankings, "_RESAMPLES", 50)
    monkeypatch.setattr(report, "available", lambda: False)
    with resamples(200):
        yield


@pytest.fixture
def trades(tmp_path: Path) -> Path:
    """Saved pages of six names with a baker and a sailor each; their words are a little mixed."""
    return write_trades(tmp_path / "trades", NAMES)


@pytest.fixture
def others(tmp_path: Path) -> Path:
    """The same of other names."""
    return write_trades(tmp_path / "others", OTHERS)


def write_trades(root: Path, names: tuple[str, ...]) -> Path:
    generator = np.random.default_rng(1)
    for name in names:
        folder = root / name
        folder.mkdir(parents=True)
        for rank in range(1, 7):
            theirs, others = WORDS[rank % 2], WORDS[1 - rank % 2]
            words = [*generator.choice(theirs, 4, replace=False), generator.choice(others)]
            text = f"<title>{name}</title><p>Lovell likes {' and '.join(words)}.<p>Page{rank}."
            (folder / f"{rank:03}.html").write_text(text)
        write_clustering(KEY, folder / "key.xml")
    return root


@pytest.fixture
def study(tmp_path: Path):
    """Study; the folder of what was written."""

    def run(*words: object, out: str = "out") -> Path:
        options = ["--no-cache", "--combinations", 2]
        if "--table" not in words:
            options += ["--features", "non-linguistic"]
        command = ["--quiet", "study", "features", *options, *words, "--out", tmp_path / out]
        assert run_weps.main([str(word) for word in command]) == 0
        return tmp_path / out

    return run


def cells(folder: Path, table: str) -> dict[str, dict[str, str]]:
    """Name of the row → heading → cell."""
    with (folder / f"{table}.csv").open(encoding="utf-8-sig", newline="") as file:
        heading, *rows = csv.reader(file)
    return {row[0]: dict(zip(heading, row, strict=True)) for row in rows}


def test_a_corpus_is_studied(study, trades: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = study(trades)
    counts = next(iter(cells(out, "table-1").values()))
    assert [counts[each] for each in ("coreferent", "others", "pairs", "names")] == [
        *("36", "54", "90", "6")
    ]
    ranked = cells(out, "rankings")
    assert float(ranked["token"]["PWA"].split()[0]) > 0.8
    assert "linked" in ranked
    assert "(" in ranked["token"]["PWA"]
    assert list(cells(out, "conclusions")) == [each.text for each in CLAIMS]
    said = capsys.readouterr().out
    assert "Bigrams rank better than words." in said
    assert said.splitlines()[-1].startswith(f"study: {out / 'index.html'}, with ")
    assert len(list(out.iterdir())) == 1 + int(said.split()[-4])


def test_pages_are_studied_as_if_less_were_at_hand(study, trades: Path) -> None:
    whole, words = cells(study(trades), "rankings"), study(trades, "--form", "tokens", out="words")
    less = cells(words, "rankings")
    assert set(less) < set(whole)
    assert {"linked", "token(local=true)"} <= set(whole) - set(less)
    assert "token(local=true)" in (words / "index.html").read_text()


def test_names_with_less_of_their_pages_are_left_out_and_told(study, mixed: Path) -> None:
    out = study(mixed)
    assert next(iter(cells(out, "table-1").values()))["names"] == "5"
    assert (
        f"Left out of WePS-2, because only less of their pages is at hand: {NAMES[0]}"
        in (out / "index.html").read_text()
    )


def test_trees_are_judged_on_another_corpus(
    study, others: Path, results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("eval.cli.study_corpora.cross_validate_trees")
    out = study(others, "--test", results, "--base", "title")
    table = cells(out, "table-1")
    assert list(table)[:3] == ["saved pages", "WePS-2", "all"]
    assert [each["pairs"] for each in table.values()][:3] == ["90", "90", "180"]
    assert "grown on saved pages and judged on WePS-2" in (out / "index.html").read_text()
    assert "token" not in cells(out, "rankings")
    assert set(cells(out, "by-group")) == set(NAMES)


def test_two_corpora_of_one_kind_are_told_apart(study, trades: Path, others: Path) -> None:
    table = cells(study(trades, "--test", others, "--features", "token + title"), "table-1")
    assert list(table)[:3] == ["saved pages (training)", "saved pages (test)", "all"]


def test_trees_are_not_judged_on_what_they_have_seen(
    trades: Path, results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["study", "features", results, "--test", trades, "--out", tmp_path / "out"]
    assert run_weps.main(["--quiet", *map(str, words)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert f"6 names stand in both corpora, {NAMES[0]} is the first" in line
    assert "--exclude" in line


def test_the_base_is_the_first_feature_if_words_are_not_studied(study, trades: Path) -> None:
    out = study(trades, "--features", "url + title")
    assert "ahead of title" in cells(out, "rankings")["url"]
    assert "|base:title|" in (out / "index.html").read_text()
    words = study(trades, "--features", "title + token", out="words")
    assert "ahead of token" in cells(words, "rankings")["title"]


def test_what_makes_the_figures_weaker_is_told(study, trades: Path) -> None:
    text = (study(trades, "--features", "token + title") / "index.html").read_text()
    assert "Resampling 6 groups gives rough intervals" in text
    assert "Of the feature set non-linguistic, 3 of " in text
    assert "grown on half of the names and judged on the other half, in 5 divisions" in text


@pytest.mark.parametrize(
    ("features", "shown"),
    [
        ("tokens", {"token"}),
        ("linked + same_domain", {"linked", "same_domain"}),
        ("same_domain + title", {"same_domain", "title"}),
    ],
    ids=["one feature", "flags alone", "a base without a curve"],
)
def test_few_features_are_a_study_too(study, results: Path, trades: Path, features, shown) -> None:
    corpus = results if "title" in features else trades
    out = study(corpus, "--features", features, "--base", min(shown))
    assert set(cells(out, "rankings")) == shown


def test_a_corpus_may_have_one_name_of_several_pages(study, tmp_path: Path) -> None:
    """All other names have no pair: there is nothing to resample."""
    for name, size in (("Ada", 6), ("Bo", 1)):
        folder = tmp_path / "uneven" / name
        folder.mkdir(parents=True)
        for rank in range(1, size + 1):
            (folder / f"{rank:03}.html").write_text(f"<p>Words of {'ab'[rank % 2] * 3} here")
        write_clustering(KEY if size > 1 else Clustering((frozenset({1}),)), folder / "key.xml")
    out = study(tmp_path / "uneven", "--features", "token + url")
    assert next(iter(cells(out, "table-1").values()))["names"] == "1"
    assert "(" not in cells(out, "rankings")["token"]["PWA"]


@pytest.mark.parametrize("ending", ["npz", "csv"])
def test_the_pairs_can_be_studied_as_a_table(study, trades: Path, tmp_path, ending: str) -> None:
    file = tmp_path / f"pairs.{ending}"
    ours = cells(study(trades, "--instances", file), "rankings")
    found = read_instances(file, group="group" if ending == "csv" else None).instances
    assert found.groups == NAMES
    assert {"dice(token)", "cosine(token)", "overlap(token)", "linked"} <= set(found.measures)
    grouped = ["--group", "group"] if ending == "csv" else []
    words = ["--table", file, *grouped, "--base", "dice(token)", "--measures"]
    theirs = cells(study(*words, "dice(token),dice(url),linked", out="table"), "rankings")
    for name, same in (("token", "dice(token)"), ("url", "dice(url)"), ("linked", "linked")):
        for heading in ("average precision", "PWA", "AUC", "recall"):
            assert ours[name][heading] == theirs[same][heading]
        assert ours[name]["PWA by name"] == theirs[same]["PWA by group"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_same_bytes_come_out(study, trades: Path, tmp_path: Path, jobs: int) -> None:
    words = (trades, "--features", "token + title", "--jobs", jobs, "--instances")
    folders = []
    for _ in range(2):
        out = study(*words, tmp_path / "pairs.npz")
        (tmp_path / "pairs.npz").rename(out / "pairs.npz")
        folders.append({path.name: path.read_bytes() for path in sorted(out.iterdir())})
        for path in out.iterdir():
            path.unlink()
    assert folders[0] == folders[1]


def test_pictures_are_drawn(study, trades: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "available", lambda: True)
    out = study(trades, "--features", "token + ngram(n=2) + title")
    assert {"figure-1.svg", "figure-2.png", "figure-6.svg"} <= {path.name for path in out.iterdir()}


@pytest.mark.usefixtures("trades")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["CORPUS", "--base", "url", "--features", "token + title"], "'url' is not among the"),
        (["CORPUS", "--features", "tokne"], "'tokne'"),
        (["CORPUS", "--exclude", "NOBODY"], "NOBODY"),
        (["CORPUS", "--exclude", *NAMES[1:]], "2 are needed"),
        (["CORPUS", "--test", "nowhere"], "nowhere"),
        (["CORPUS", "--instances", "nowhere/pairs.npz"], "no such folder"),
        (["CORPUS", "--instances", "CORPUS"], "folder"),
        (["CORPUS", "--instances", "pairs.parquet"], "known endings are .csv, .tsv"),
        (["nowhere"], "nowhere"),
        (["CORPUS", "--table", "table.csv"], "unclear what to study"),
        (["--test", "CORPUS"], "unclear what to study"),
        ([], "unclear what to study"),
        (["CORPUS", "--out", "file"], "file"),
    ],
)
def test_wrong_use_is_told_in_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    told: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    given = ["trades" if word == "CORPUS" else word for word in words]
    assert run_weps.main(["--quiet", "study", "features", "--no-cache", *given]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("weps: error: ")
    assert told in line


@pytest.mark.parametrize("file", ["pairs.parquet", "nowhere/pairs.npz"])
def test_where_the_pairs_cannot_be_written_is_known_before_long_work(
    trades: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    monkeypatch.setattr(study_features, "study_corpora", lambda *_: pytest.fail("work was begun"))
    words = [trades, "--instances", tmp_path / file, "--out", tmp_path / "out"]
    assert run_weps.main(["--quiet", "study", "features", *map(str, words)]) == 1
    assert not (tmp_path / "out").exists()


def test_pages_poorer_than_the_form_are_told(
    results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [results, "--form", "pages", "--features", "token", "--out", tmp_path / "out"]
    assert run_weps.main(["study", "features", *map(str, words)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "no name has its pages as pages" in line
    assert "--form results" in line


def test_a_corpus_whose_pairs_are_all_alike_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("Ada", "Bo"):
        (tmp_path / "one" / name).mkdir(parents=True)
        for rank in (1, 2):
            (tmp_path / "one" / name / f"{rank:03}.html").write_text("<p>words")
        write_clustering(Clustering((frozenset({1, 2}),)), tmp_path / "one" / name / "key.xml")
    words = [tmp_path / "one", "--features", "token", "--no-cache", "--out", tmp_path / "out"]
    assert run_weps.main(["--quiet", "study", "features", *map(str, words)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "of 2 judged pairs of pages 2 are coreferent" in line


def asked(corpus: Path, **other: object) -> Namespace:
    plain = {"exclude": [], "test": None, "form": None, "features": None, "base": None}
    return Namespace(corpus=corpus, **{**plain, **other})


def test_without_a_word_everything_is_studied_that_the_pages_have(saved: Path) -> None:
    scope = scope_of(asked(saved))
    assert scope.form is PageForm.PAGES
    assert scope.features == scope.wanted
    assert scope.base == "token"
    assert [sorted(corpus.forms) for corpus in scope.corpora.values()] == [sorted(NAMES)]


def test_the_form_is_the_richest_that_any_name_has(mixed: Path, results: Path) -> None:
    scope = scope_of(asked(mixed))
    assert scope.form is PageForm.TOKENS
    assert scope.left_out == {"WePS-2": [NAMES[0]]}
    assert scope_of(asked(results)).form is PageForm.RESULTS


def test_with_two_corpora_it_is_one_that_both_have(saved: Path, tmp_path: Path) -> None:
    others = write_weps2(tmp_path / "others", NAMES)
    left = list(NAMES[:3])
    for name in NAMES[3:]:
        (others / "gold_standard" / f"{name}.xml").unlink()
    scope = scope_of(asked(saved, test=others, exclude=left))
    assert scope.form is PageForm.TOKENS
    assert [sorted(corpus.forms) for corpus in scope.corpora.values()] == [list(NAMES[3:]), left]


def test_trees_may_not_judge_what_they_have_learnt_from(saved: Path, results: Path) -> None:
    with pytest.raises(
        SourceError, match=f"2 names stand in both corpora, {NAMES[4]} is the first"
    ):
        scope_of(asked(saved, test=results, exclude=list(NAMES[:4])))


@pytest.mark.parametrize(
    ("features", "base"), [("all", "token"), ("url+title", "title"), ("ngram", "ngram(n=2)")]
)
def test_the_base_is_the_words_or_the_first_feature(saved: Path, features: str, base: str) -> None:
    assert scope_of(asked(saved, features=features)).base == base


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"features": "title", "base": "url"}, "'url' is not among the features studied; .*title"),
        ({"features": "ngram", "form": PageForm.RESULTS}, "the pages lack them all"),
        ({"features": "no_such_thing"}, "no feature set or feature"),
    ],
)
def test_features_that_cannot_be_studied(
    saved: Path, options: dict[str, object], complaint: str
) -> None:
    with pytest.raises(FeatureError, match=complaint):
        scope_of(asked(saved, **options))


def test_a_form_that_no_name_has(results: Path) -> None:
    with pytest.raises(SourceError, match="no name has its pages as pages; say --form results"):
        scope_of(asked(results, form=PageForm.PAGES))


def test_the_reader_is_told_what_is_missing(mixed: Path) -> None:
    told = " ".join(scope_remarks(scope_of(asked(mixed)), seed=0))
    assert f"Left out of WePS-2, because only less of their pages is at hand: {NAMES[0]}." in told
    assert "do not have them: capitalised, entity, " in told  # none of these functions is left
    assert "ngram(n=2, local=true)" in told  # some n-grams are
    assert "Of the feature set all, " in told
    assert "5 groups gives rough intervals" in told
