from dataclasses import dataclass

from eval.judging.rules import DOES_NOT_HOLD, HOLDS, Verdict
from eval.judging.tables import MARKS, claims_table


@dataclass(frozen=True)
class Claim:
    claim: str
    source: str
    rule: str


def test_a_row_for_each_claim() -> None:
    first, second = (
        Claim("Tides rise.", "section 1", "> 0"),
        Claim("Tides fall.", "section 2", "< 0"),
    )
    judged = [(first, Verdict(HOLDS, "+1")), (second, Verdict(DOES_NOT_HOLD))]
    made = claims_table(judged, "claims", "What they say", "A remark.")
    assert made.rows[1:] == [
        ["Tides rise.", HOLDS, "+1", "> 0", "section 1"],
        ["Tides fall.", DOES_NOT_HOLD, "", "< 0", "section 2"],
    ]
    assert (made.key, made.title, made.marks) == ("claims", "What they say", MARKS)
