import sys

import pytest

from eval.text.wrapped import bleu, chrf, meteor, nist, ter
from weps.errors import LanguageError


@pytest.mark.parametrize(
    ("measure", "module"),
    [
        (bleu, "sacrebleu.metrics"),
        (chrf, "sacrebleu.metrics"),
        (ter, "sacrebleu.metrics"),
        (meteor, "nltk.translate.meteor_score"),
        (nist, "nltk.translate.nist_score"),
    ],
    ids=["bleu", "chrf", "ter", "meteor", "nist"],
)
def test_a_library_that_is_not_installed(
    monkeypatch: pytest.MonkeyPatch, measure: object, module: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    assert callable(measure)
    with pytest.raises(LanguageError, match=f"^{module.partition('.')[0]} is not installed; pip "):
        measure(["a"], ["a"])
