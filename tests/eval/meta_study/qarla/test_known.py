from eval.meta_study.qarla.findings import Findings
from eval.meta_study.qarla.known import STYLE, best_of, contentful, found
from tests.eval.meta_study.compared.made_up import compared

NAMES = ("my column", "rouge(n=1)", "rouge(n=2, part=recall, stop=true)", "avls", "rouge_l", "x(")


def test_measures_are_known_by_family_and_parameters() -> None:
    assert found(NAMES, ["rouge"]) == [1, 2]
    assert found(NAMES, ["rouge"], n=2, stop=True) == [2]
    assert found(NAMES, ["rouge"], part="f", stem=False) == [1]
    assert found(NAMES, STYLE) == [3]
    assert found(NAMES, ["tvm"]) == []


def test_columns_of_any_name_are_neither_content_nor_style() -> None:
    assert contentful(NAMES) == [1, 2, 4]


def test_the_best_of_some_is_that_with_the_highest_king() -> None:
    findings = Findings(compared(apart=1))
    assert findings.order[0] == 0
    assert best_of(findings, [2, 0]) == 0
    assert best_of(findings, []) is None
