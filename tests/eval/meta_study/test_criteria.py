import pytest

from eval.judging.rules import DOES_NOT_HOLD, HOLDS, UNDECIDED, Verdict
from eval.meta_study.claims import CANNOT, Conclusion
from eval.meta_study.criteria import judged_over, over_criteria


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
