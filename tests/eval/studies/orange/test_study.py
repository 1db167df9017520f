"""ORANGE from the command line."""

import pytest

from tests.eval.studies.made_up import words, written
from tests.eval.studies.made_up_scores import run_study

MEASURES = ("--measures", "rouge(n=1),rouge_l,overlap")


def test_a_testbed_whose_similarities_are_kept_for_qarla(weps, tmp_path):
    testbed, kept = written(tmp_path / "t.jsonl"), tmp_path / "kept.csv"
    made = run_study(tmp_path, "orange", testbed, *MEASURES, "--keep", kept, report=False)
    for title in ("How measures rank references", "Likeness and acceptability", "What holds here"):
        assert title in made.out
    assert "|listing:together|ties:0.0|triples:distinct|seed:0|" in made.out
    assert made.data["orange_with_king"] is not None
    assert [each["references"] for each in made.data["stability"]] == [4]
    assert weps("meta", "orange", kept, "--listing", "apart", "--ties", "half")[0] == 0
    status, out, _ = weps("meta", "qarla", kept)
    assert status == 0
    assert "JACK of the best set" in out


@pytest.mark.slow
def test_two_references_are_enough_and_one_is_not(weps, tmp_path):
    two = written(tmp_path / "two.jsonl", words(references=2))
    made = run_study(tmp_path, "orange", two, *MEASURES)
    assert "fewer than 4 references, so there is no KING" in made.out
    assert {each["king"] for each in made.data["measures"].values()} == {None}
    one = written(tmp_path / "one.jsonl", words(references=1))
    status, _, err = weps("meta", "orange", one, *MEASURES)
    assert status == 1
    assert "2 references are needed, and no topic has more than 1" in err


@pytest.mark.parametrize(
    ("option", "choices"), [(("--listing", "long"), "apart, together"), (("--ties", "2"), "half")]
)
def test_choices_are_named(weps, capsys, option, choices):
    with pytest.raises(SystemExit, match="2"):
        weps("meta", "orange", "t.jsonl", *option)
    assert choices in capsys.readouterr().err
