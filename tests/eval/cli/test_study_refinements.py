"""The study of refinements, of small corpora."""

import json
from pathlib import Path

import pytest

import run_weps
from tests.eval.cli.conftest import NAMES, write_weps2

TRADES = "oven", "keel"


@pytest.fixture
def mixed(mixed: Path) -> Path:
    """The corpus of that name, with a word of their own for the baker and the sailor."""
    for file in (mixed / "tokens").iterdir():
        lines = [f"{rank:03}\t0\t{TRADES[rank % 2]} bread tide" for rank in range(1, 7)]
        file.write_text("\n".join(lines) + "\n")
    return mixed


def run(*words: str | Path) -> int:
    return run_weps.main(["--quiet", "study", "refinements", *map(str, words)])


def test_a_corpus_of_word_lists(mixed, tmp_path, capsys):
    json_file, report = tmp_path / "study.json", tmp_path / "report"
    assert run(mixed, "--json", json_file, "--report", report) == 0
    told = capsys.readouterr().out
    assert "Table 6: people with ≥3 pages" in told
    assert "Left out, because less than content words without case is at hand: ADA_LOVELL." in told
    assert "corpus:sha256-" in told
    assert (report / "index.html").stat().st_size > 10_000
    data = json.loads(json_file.read_text())
    assert data["form"] == "tokens"
    assert data["names"] == list(NAMES[1:])
    assert {person["found"]["best-all"]["f"] for person in data["people"]} == {1.0}


def test_the_same_corpus_gives_the_same_files(mixed, tmp_path):
    for name in ("first", "second"):
        run(mixed, "--json", tmp_path / name)
    first, second = (json.loads((tmp_path / name).read_text()) for name in ("first", "second"))
    del first["made"], second["made"]
    assert first == second


def test_saved_pages_reduced_to_word_lists(saved, capsys):
    assert run(saved, "--form", "tokens", "--no-cache") == 0
    assert "best-nl" in capsys.readouterr().out


def test_names_may_be_left_out(mixed, tmp_path):
    run(mixed, "--exclude", *NAMES[1:3], "--json", tmp_path / "study.json")
    assert json.loads((tmp_path / "study.json").read_text())["names"] == list(NAMES[3:])


@pytest.mark.parametrize(("pages", "told"), [("all", "Every result counts;"), ("grouped", "Only")])
def test_which_pages_count(mixed, capsys, pages, told):
    assert run(mixed, "--pages", pages) == 0
    out = capsys.readouterr().out
    assert out.startswith(told)
    assert f"|pages:{pages}|" in out


@pytest.mark.parametrize(
    ("option", "told"),
    [
        (("--pages", "0"), "expected one of all, judged, grouped, got '0'"),
        (("--form", "results"), "expected one of pages, tokens, got 'results'"),
    ],
)
def test_choices_are_told(mixed, capsys, option, told):
    with pytest.raises(SystemExit, match="2"):
        run(mixed, *option)
    assert told in capsys.readouterr().err


def test_results_alone_have_no_text(results, capsys):
    assert run(results) == 1
    assert "no name has the text of its pages" in capsys.readouterr().err


def test_a_form_that_no_name_has(mixed, capsys):
    assert run(mixed, "--form", "pages") == 1
    assert "no name has whole pages" in capsys.readouterr().err


def test_a_faulty_file_of_attributes_is_named(mixed, capsys):
    (mixed / "attributes").mkdir()
    (mixed / "attributes" / f"{NAMES[1]}.txt").write_text("1\twork\tx\nno rank\n")
    assert run(mixed) == 1
    assert f"{NAMES[1]}.txt, line 2: 'no rank' is not a rank" in capsys.readouterr().err


def test_attributes_are_studied(tmp_path, capsys):
    corpus = write_weps2(tmp_path / "corpus", NAMES)
    (corpus / "attributes").mkdir()
    (corpus / "attributes" / f"{NAMES[0]}.txt").write_text("1\twork\tbaker1\n")
    assert run(corpus) == 0
    told = capsys.readouterr().out
    assert "Table 7" in told
    assert "attributes were annotated for the names of 2" in told


def test_a_place_that_cannot_be_written_is_found_out_first(mixed, tmp_path, capsys):
    assert run(mixed, "--json", tmp_path / "missing" / "study.json") == 1
    assert "there is no such folder" in capsys.readouterr().err


def test_two_keys_that_are_the_same_are_told(mixed, capsys):
    assert run_weps.main(["study", "refinements", str(mixed)]) == 0
    assert "nearly the same" in capsys.readouterr().err
