import pytest
from bs4 import BeautifulSoup

from weps.corrections import KINDS, Correction, Corrections
from weps.report.corrected import corrected


@pytest.mark.parametrize(
    ("correction", "line", "words"),
    [
        (Correction("same", ((1, 4),)), "same 1 4", "Same person: 1, 4"),
        (
            Correction("different", ((1,), (4, 9))),
            "different 1 / 4 9",
            "Not the same: 1 and 4, 9",
        ),
        (
            Correction("split", ((1, 2), (4,))),
            "split 1 2 / 4",
            "Somebody else: 1, 2, not with 4",
        ),
        (
            Correction("move", ((1,), (4,), (9,))),
            "move 1 / 4 / 9",
            "Moved: 1, from 4 to 9",
        ),
        (Correction("confirm", ((1, 2),)), "confirm 1 2", "Confirmed: 1, 2"),
        (
            Correction("confirm", ((1,), (2,))),
            "confirm 1 / 2",
            "Confirmed: 1, with 2",
        ),
        (
            Correction("called", ((4,),), 'The <b> "boss"'),
            'called 4 The <b> "boss"',
            'Called The <b> "boss": the person of 4',
        ),
    ],
)
def test_each_is_told_in_words_and_as_its_line(correction, line, words):
    item = BeautifulSoup(corrected(Corrections((correction,))), "lxml").li
    assert (item["data-line"], item.get_text()) == (line, words)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_with_any_number_of_groups_has_words(kind):
    for groups in range(KINDS[kind].fewest, KINDS[kind].most + 1):
        assert corrected(Corrections((Correction(kind, ((1,),) * groups, "x"),)))
