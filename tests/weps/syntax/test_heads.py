import pytest

from weps.syntax.heads import noun_heads


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("dmn", "__n"),
        ("mgan", "___n"),
        ("nmm", "_mm"),
        ("dnmhmm", "__mhmm"),
        ("mkdn", "m__n"),
        ("dnkn", "_n_n"),
        ("dna", "_n_"),
        ("mg", "m_"),
        ("o", "o"),
        ("da", "da"),
        ("mnm", "__m"),
        ("nn", "_n"),
    ],
)
def test_the_head_is_the_last_noun_or_name(phrase, expected):
    letters = f"n{phrase}n"
    found = noun_heads(letters, [(1, 1 + len(phrase))])
    marked = "".join(
        each if flag else "_" for each, flag in zip(letters, found.tolist(), strict=True)
    )
    assert marked == f"_{expected}_"


def test_each_phrase_has_its_own():
    assert noun_heads("nnvnn", [(0, 2), (3, 5)]).tolist() == [False, True, False, False, True]
    assert noun_heads("nn", []).tolist() == [False, False]
