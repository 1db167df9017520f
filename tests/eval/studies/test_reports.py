"""The claims of the study that is not a module of frames."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tests.eval.studies.refinements.made_up import uniform
from weps_eval.report.claims import (
    CANNOT,
    DOES_NOT_HOLD,
    HOLDS,
    NOT_STUDIED,
    TOO_FEW,
    Claim,
    Verdict,
    judge_claims,
)
from weps_eval.studies.refinements import claims


def test_no_study_concludes_anything_from_little(request):
    findings = uniform({"tokens": 0.95, "bigrams": 0.9})

    def words(rules: Sequence[Claim[Any]]) -> set[str]:
        return {each.word for _, each in judge_claims(rules, findings, claims.sample_size)}

    assert words(claims.CLAIMS) <= {TOO_FEW, CANNOT, NOT_STUDIED}
    sure = [replace(each, judge=lambda _: Verdict(HOLDS)) for each in claims.CLAIMS]
    assert words(sure) == {TOO_FEW}
    request.getfixturevalue("any_sample_size")
    assert words(claims.CLAIMS) & {HOLDS, DOES_NOT_HOLD}
