import pytest

from eval.report.claims import DOES_NOT_HOLD, HOLDS, UNDECIDED, Verdict
from eval.report.document import Section
from eval.stats.estimate import Estimate
from eval.studies.base import (
    CANNOT,
    Conclusion,
    Study,
    as_data,
    as_document,
    at_most,
    brief_table,
    cannot,
    full_table,
    judged,
    judged_over,
    over_criteria,
    picked,
    signature,
)

HIGH: Conclusion[float] = Conclusion(
    "It is high.", "section 1", "above 1", lambda x: Verdict(HOLDS, f"{x}")
)
OPEN: Conclusion[float] = Conclusion(
    "It is old.", "section 2", "after 1", lambda _: cannot("no dates")
)


@pytest.mark.parametrize(
    ("low", "high", "word"),
    [(-0.3, -0.1, HOLDS), (-0.3, 0.0, UNDECIDED), (0.0, 0.2, DOES_NOT_HOLD)],
)
def test_at_most(low, high, word):
    assert at_most(Estimate((low + high) / 2, low, high), 0).word == word


def test_judged_and_shown():
    found = judged((HIGH, OPEN), 2.0)
    assert [verdict.word for _, verdict in found] == [HOLDS, CANNOT]
    assert brief_table(found).rows[1:] == [[HOLDS, "It is high."], [CANNOT, "It is old."]]
    assert full_table(found, "topics").rows[2][:3] == ["It is old.", CANNOT, "no dates"]


@pytest.mark.parametrize(
    ("words", "expected", "told"),
    [
        ([HOLDS], HOLDS, "0"),
        ([HOLDS, UNDECIDED], UNDECIDED, "a: 0; b: 1"),
        ([UNDECIDED, DOES_NOT_HOLD, HOLDS], DOES_NOT_HOLD, "a: 0; b: 1; c: 2"),
        ([CANNOT, HOLDS], HOLDS, "b: 1"),
        ([CANNOT, CANNOT], CANNOT, "0"),
        ([CANNOT], CANNOT, "0"),
        ([], CANNOT, "there are no human scores"),
    ],
)
def test_the_worst_word_counts(words: list[str], expected: str, told: str) -> None:
    given = {
        name: Verdict(word, str(at))
        for at, (name, word) in enumerate(zip("abc", words, strict=False))
    }
    assert over_criteria(given) == Verdict(expected, told)


def test_a_conclusion_is_judged_by_all_criteria() -> None:
    even = Conclusion("even", "nobody", "", lambda number: Verdict(HOLDS, f"{number}"))
    large = Conclusion(
        "large", "nobody", "", lambda number: Verdict(HOLDS if number > 2 else UNDECIDED, "?")
    )
    found = judged_over([even, large], {"a": 2, "b": 4})
    assert [verdict for _, verdict in found] == [
        Verdict(HOLDS, "a: 2; b: 4"),
        Verdict(UNDECIDED, "a: ?; b: ?"),
    ]


CONCLUSION = Conclusion("it is so", "somebody", "always", lambda _: Verdict(HOLDS, "1"))


def study(*conclusions: Conclusion[None]) -> Study[None]:
    told = judged(conclusions, None)
    return Study("made up", None, told, ["A remark."], "sign", "weps", "villages")


def test_verdicts_come_first():
    made = as_document(study(CONCLUSION), "Nothing", ["Opening."], [Section("Rest")])
    assert made.title == "Nothing on made up"
    assert [each.title for each in made.sections] == ["What holds here", "Rest"]
    assert (made.summary[0], made.summary[-1]) == ("Opening.", "A remark.")
    assert "are not reproduced" in made.summary[1]
    (table,) = made.tables()
    assert "villages" in table.note


def test_nothing_is_told_of_no_verdicts():
    made = as_document(study(), "Nothing", [], [Section("Rest")])
    assert [each.title for each in made.sections] == ["Rest"]


def test_data_have_figures_between_how_they_were_made_and_verdicts():
    found = as_data(study(CONCLUSION), figure=1)
    assert list(found) == ["signature", "made", "source", "remarks", "figure", "conclusions"]
    assert [each["verdict"] for each in found["conclusions"]] == [HOLDS]


def test_the_first_few_and_those_that_must_be_there():
    assert picked([4, 2, 0, 1, 3], 2, [1, 4]) == [4, 2, 1]
    assert picked([4, 2], 5) == [4, 2]


def test_a_signature_is_one_line():
    assert signature(source="x", seed=0) == "source:x|seed:0"
