import pytest

from tests.weps.builders import analysis_of, document
from weps.features.mentions import Mention, mentions_of


def mentions(text: str, name: str = "Thomas Baker") -> list[tuple[str, tuple[str, ...]]]:
    (found,) = mentions_of(analysis_of(text, name=name))
    return [(each.before, each.between) for each in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("Thomas left, Baker stayed", []),
        ("Prof. THOMAS baker's", [("Prof. ", ())]),
        ('Thomas J. "Bud" Baker', [("", ("J.", '"Bud"'))]),
        ("Thomas Irving. Baker", []),
        (
            "see Baker, Thomas W. or Thomas Baker",
            [("see ", ("W",)), ("see Baker, Thomas W. or ", ())],
        ),
        ("thomas.baker@york.example, tom-Thomas Baker", []),
        ("Thomas Baker-Lee", []),
        ("x" * 40 + " Thomas Baker", [("x" * 24 + " ", ())]),
    ],
)
def test_mentions_in_order_with_what_is_before_and_within(
    text: str, expected: list[tuple[str, tuple[str, ...]]]
) -> None:
    assert mentions(text) == expected


@pytest.mark.parametrize(
    ("name", "text", "count"),
    [
        ("Madonna", "Madonna and madonna; madonnas", 2),
        ("O'Brien, Sean", "Sean O’Brien", 1),
        ("Mary Ann Lee", "Mary Ann Lee, Mary Lee, Ann Lee", 2),
        ("?", "? ?", 0),
    ],
)
def test_names_of_any_form(name: str, text: str, count: int) -> None:
    assert len(mentions(text, name)) == count


def test_mentions_do_not_cross_blocks() -> None:
    analysis = analysis_of(document("Dr.", "Thomas", "Baker"), document("Dr.", "Thomas Baker"))
    assert mentions_of(analysis) == ((), (Mention("", ()),))


def test_one_name_s_mentions_are_not_taken_for_another_s() -> None:
    first, second = analysis_of("Thomas Baker"), analysis_of("Thomas Baker", name="Ann Lee")
    for _ in range(2):
        assert [len(found) for each in (first, second) for found in mentions_of(each)] == [1, 0]
