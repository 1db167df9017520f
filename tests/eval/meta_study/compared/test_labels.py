import pytest

from eval.meta_study.compared.labels import short


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("rouge(n=1, part=recall, stop=true)", "rouge(n=1, recall, stop)"),
        ("rouge_l(inverted=true)", "rouge_l(inverted)"),
        ("a column", "a column"),
    ],
)
def test_labels(name: str, label: str) -> None:
    assert short(name) == label
