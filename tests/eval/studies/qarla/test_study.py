"""QARLA from the command line."""

import re
from pathlib import Path

import pytest

from tests.cases import each_case
from tests.eval.studies.made_up import words, written
from tests.eval.studies.made_up_scores import StudyRun, run_study
from weps_eval.text.testbed import Testbed, write_testbed

MEASURES = ("--measures", "rouge(n=1),rouge_l,overlap")


@pytest.fixture(scope="module")
def testbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("qarla") / "tides.jsonl")


@pytest.fixture(scope="module")
def made(testbed: Path) -> StudyRun:
    """The study of the testbed, whose similarities are kept."""
    return run_study(testbed.parent, "qarla", testbed, *MEASURES, "--keep", kept(testbed))


def kept(testbed: Path) -> Path:
    return testbed.with_name("kept.csv")


def test_a_testbed(made):
    assert made.out.startswith("Tides: 3 topics with 5 references and 4 outputs each, 3 measures.")
    assert "best of 7 tried" in made.out  # all sets of three measures
    assert "there are no others" in " ".join(made.out.split())
    assert re.search("too few to say +topics: 3; references: 15 ", made.out)
    for title in ("KING of single measures", "KING of sets", "JACK of the best", "What holds here"):
        assert title in made.out
    assert "|triples:distinct|models:left-out|clusters:10/set|seed:0|weps:" in made.out
    assert set(made.data["measures"]) == {"rouge(n=1)", "rouge_l", "overlap"}
    assert made.data["sets"]["tried"] == 7
    assert (made.report / "index.html").stat().st_size > 10_000


@pytest.mark.slow
def test_similarities_that_were_kept_are_a_source(weps, testbed, made, tmp_path):
    """Whatever the number of processes that compared them."""
    again = tmp_path / "again.csv"
    assert weps("meta", "qarla", testbed, *MEASURES, "--keep", again, "--jobs", 2)[0] == 0
    assert again.read_bytes() == kept(testbed).read_bytes()
    other = run_study(tmp_path, "qarla", again)
    described = {"signature", "made", "source", "remarks"}
    assert [
        key for key in made.data if key not in described and made.data[key] != other.data[key]
    ] == []
    assert all(made.data[key] != other.data[key] for key in described - {"remarks"})
    status, out, _ = weps("meta", "qarla", again, "--measures", "rouge_l")
    assert status == 0
    assert ", 1 measure." in out


@pytest.mark.slow
def test_triples_decide_how_many_references_are_needed(weps, tmp_path):
    path = written(tmp_path / "few.jsonl", words(references=3))
    status, out, err = weps("meta", "qarla", path, *MEASURES)
    assert (status, out) == (1, "")
    assert "4 references are needed, and no topic has more than 3" in err
    assert "choose --triples pairs (3 references) or all (2 references)" in err
    status, out, _ = weps("meta", "qarla", path, *MEASURES, "--triples", "pairs")
    assert status == 0
    assert "|triples:pairs|" in out


def test_all_references_may_judge(testbed, made, tmp_path):
    by_all = run_study(tmp_path, "qarla", testbed, *MEASURES, "--models", "all", report=False)
    assert "Texts are judged by all references, themselves too." in by_all.out
    assert "Texts are judged by the other references." in made.out
    assert "|triples:distinct|models:all|" in by_all.out
    assert (made.data["models"], by_all.data["models"]) == ("left-out", "all")
    assert made.data["references"].keys() == by_all.data["references"].keys()


@each_case(
    ("options", "remark"),
    [
        (("--triples", "some"), "expected one of distinct, pairs, all, got 'some'"),
        (("--models", "none"), "expected one of left-out, all, got 'none'"),
        (("--linkage", "loose"), "expected one of set, average, complete, single, got 'loose'"),
        (("--clusters", "0"), "expected a number from 1 to 1,000, got '0'"),
    ],
)
def test_choices_are_named(weps, capsys, options, remark):
    with pytest.raises(SystemExit, match="2"):
        weps("meta", "qarla", "t.jsonl", *options)
    assert remark in capsys.readouterr().err


@pytest.mark.slow
def test_settings_and_human_scores_may_be_chosen(weps, testbed):
    options = ("--clusters", 2, "--linkage", "average", "--size", 2, "--seed", 3)
    status, out, _ = weps("meta", "qarla", testbed, *MEASURES, "--human", "fluency", *options)
    assert status == 0
    assert "|clusters:2/average|size:2|seed:3|" in out
    status, _, err = weps("meta", "qarla", testbed, *MEASURES, "--human", "taste")
    assert status == 1
    assert "there is no criterion 'taste'" in err


@pytest.mark.slow
def test_summaries_of_people_and_systems(weps_data, tmp_path):
    from weps_eval.text.convert import convert_summeval  # noqa: PLC0415

    whole = convert_summeval(weps_data / "text" / "summeval")
    part = Testbed(whole.name, whole.language, whole.source, whole.topics[:8])
    write_testbed(part, tmp_path / "part.jsonl")
    names = ("rouge(n=1, part=precision)", "rouge(n=1, part=recall)", "rouge(n=2, part=recall)")
    options = ("--measures", ",".join(names))
    data = run_study(tmp_path, "qarla", tmp_path / "part.jsonl", *options).data
    assert next(iter(data["measures"])) == names[0]  # systems copy: only precision tells
    assert data["measures"][names[0]]["king"]["value"] > 0.2
    assert len(data["systems"]) == 16
    assert len(data["references"]) == 11
