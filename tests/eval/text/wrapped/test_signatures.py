import pytest

from eval.text.wrapped import signature
from weps.errors import FeatureError

nltk, sacrebleu = pytest.importorskip("nltk"), pytest.importorskip("sacrebleu")


@pytest.mark.parametrize(
    ("measure", "settings", "expected"),
    [
        ("bleu", {}, "case:mixed|eff:yes|tok:13a|smooth:exp"),
        ("bleu", {"order": 2, "lowercase": True}, "case:lc|eff:yes|tok:13a|smooth:exp"),
        ("chrf", {"words": 2}, "case:mixed|eff:yes|nc:6|nw:2|space:no"),
        ("ter", {"normalized": True}, "case:lc|tok:tercom|norm:yes|punct:yes|asian:no"),
    ],
)
def test_what_sacrebleu_tells(measure: str, settings: dict[str, object], expected: str) -> None:
    version = sacrebleu.__version__
    assert signature(measure, **settings) == f"sacrebleu {expected}|version:{version}"


@pytest.mark.parametrize("measure", ["meteor", "nist"])
def test_what_nltk_tells(measure: str) -> None:
    assert signature(measure) == f"nltk version:{nltk.__version__}"


def test_a_measure_of_ours() -> None:
    with pytest.raises(FeatureError, match="choose from bleu, chrf, meteor, nist, ter"):
        signature("rouge")
