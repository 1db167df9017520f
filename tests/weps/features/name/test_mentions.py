from tests.cases import each_case
from tests.weps.builders import analysis_of, document
from weps.features.name.mentions import Mention, mentions_of, page_text


def mentions(text: str, name: str = "Thomas Baker") -> list[tuple[str, tuple[str, ...]]]:
    (found,) = mentions_of(analysis_of(text, name=name))
    return [(each.before, each.between) for each in found]


@each_case(
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
def test_mentions_in_order_with_what_is_before_and_within(text, expected):
    assert mentions(text) == expected


@each_case(
    ("name", "text", "count"),
    [
        ("Madonna", "Madonna and madonna; madonnas", 2),
        ("O'Brien, Sean", "Sean O’Brien", 1),
        ("Mary Ann Lee", "Mary Ann Lee, Mary Lee, Ann Lee", 2),
        ("?", "? ?", 0),
    ],
)
def test_names_of_any_form(name, text, count):
    assert len(mentions(text, name)) == count


def test_mentions_do_not_cross_blocks():
    analysis = analysis_of(document("Dr.", "Thomas", "Baker"), document("Dr.", "Thomas Baker"))
    assert mentions_of(analysis) == ((), (Mention(6, 18, "", "", ()),))


def test_mentions_have_their_place_in_the_page_text():
    page = document("Sean  P. O’Brien sang", title="About Sean O’Brien", snippet="O’Brien, Sean")
    (found,) = mentions_of(analysis_of(page, name="Sean O'Brien"))
    assert [page_text(page)[each.start : each.end] for each in found] == [
        "Sean O'Brien",
        "O'Brien, Sean",
        "Sean  P. O'Brien",
    ]
