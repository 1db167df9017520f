import pytest

from eval.judging.rules import DOES_NOT_HOLD, HOLDS, UNDECIDED, Verdict
from eval.meta_study.claims import (
    CANNOT,
    Conclusion,
    at_most,
    brief_table,
    cannot,
    full_table,
    judged,
)
from eval.ordering import Estimate

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
