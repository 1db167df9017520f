from eval.report.claims import HOLDS, Claim, Verdict, judge_claims
from eval.report.document import Section
from eval.studies.base import Result, first_and, study_signature

CONCLUSION = Claim("it is so", "somebody", "always", lambda _: Verdict(HOLDS, "1"))


def study(*conclusions: Claim[None]) -> Result[None]:
    told = judge_claims(conclusions, None)
    return Result("made up", None, told, ["A remark."], "sign", "weps", "villages")


def test_verdicts_come_first():
    made = study(CONCLUSION).document("Nothing", ["Opening."], [Section("Rest")])
    assert made.title == "Nothing on made up"
    assert [each.title for each in made.sections] == ["What holds here", "Rest"]
    assert (made.summary[0], made.summary[-1]) == ("Opening.", "A remark.")
    assert "are not reproduced" in made.summary[1]
    (table,) = made.tables()
    assert "villages" in table.note


def test_nothing_is_told_of_no_verdicts():
    made = study().document("Nothing", [], [Section("Rest")])
    assert [each.title for each in made.sections] == ["Rest"]


def test_data_have_figures_between_how_they_were_made_and_verdicts():
    found = study(CONCLUSION).data(figure=1)
    assert list(found) == ["signature", "made", "source", "remarks", "figure", "conclusions"]
    assert [each["verdict"] for each in found["conclusions"]] == [HOLDS]


def test_the_first_few_and_those_that_must_be_there():
    assert first_and([4, 2, 0, 1, 3], 2, [1, 4]) == [4, 2, 1]
    assert first_and([4, 2], 5) == [4, 2]


def test_a_signature_is_one_line():
    assert study_signature(source="x", seed=0) == "source:x|seed:0"
