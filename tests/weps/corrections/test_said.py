import pytest

from tests.weps.corrections.cases import corrections_of


@pytest.mark.parametrize(
    ("line", "same", "different"),
    [
        ("same 4 1 7", ((1, 4, 7),), ()),
        ("different 9 / 4 1", (), (((9,), (1, 4)),)),
        ("split 7 8 / 1 2", ((7, 8),), (((7, 8), (1, 2)),)),
        ("split 7 / 1", ((7,),), (((7,), (1,)),)),
        ("move 7 / 1 2 / 4 5", ((4, 5, 7),), (((7,), (1, 2)),)),
        ("confirm 1 2", ((1, 2),), ()),
        ("confirm 7 / 1 2", ((1, 2, 7),), ()),
        ("called 3 The harbour master", (), ()),
    ],
)
def test_what_each_kind_says(line, same, different):
    corrections = corrections_of(line)
    assert (corrections.same, corrections.different) == (same, different)


def test_all_that_was_said():
    corrections = corrections_of(
        "called 3 A", "confirm 1 2", "called 4 B # 2", "confirm 5 / 1", "called 3 C"
    )
    assert corrections.called == ((3, "A"), (4, "B # 2"), (3, "C"))
    assert corrections.confirmed == {1, 2, 5}
    assert corrections.ranks == {1, 2, 3, 4, 5}
    assert len(corrections) == 5
