from pathlib import Path

import pytest

from eval.refinement_study.looked_up import LOOKED_UP
from eval.refinement_study.outcomes import FURTHER, SUGGESTED, UNREFINED, Outcome
from eval.refinement_study.paper import ATTRIBUTES
from eval.refinement_study.people import Collected, Plan, people_of
from tests.eval.commands.conftest import write_weps2
from weps.errors import KeyFileError
from weps.forms import Form
from weps.reading import Reader
from weps.sources import open_source

NAME = "JAMES_PATTERSON"
KEY = """<clustering><entity id="2" name="GONE"><doc rank="9"/></entity>
<entity id="0" name="POLITICIAN"><doc rank="1"/><doc rank="3"/></entity>
<entity id="1" name="NAMESAKE"><doc rank="2"/></entity>
<discarded><doc rank="4"/><doc rank="5" notes="Not included in annotation"/></discarded>
</clustering>"""
TOKENS = """001\t0\trepublican politician kent
002\t0\tpolitician ohio
003\t0\trepublican politician novel
004\t0\tpolitician
005\t0\trepublican
006\t0\tnovel
"""
ATTRIBUTED = """1\toccupation\tpolitician
1\taffiliation\tRepublicans
3\taffiliation\tRepublicans
2\toccupation\tpolitician
1\tOther name\tJim
2\tOther name\tOhio
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """The paper's example (section 3) in small; page 6 is neither grouped nor discarded."""
    root = write_weps2(tmp_path / "corpus", (), (NAME,))
    (root / "gold_standard" / f"{NAME}.xml").write_text(KEY)
    (root / "tokens" / f"{NAME}.txt").write_text(TOKENS)
    (root / "attributes").mkdir()
    (root / "attributes" / f"{NAME}.txt").write_text(ATTRIBUTED)
    return root


def found(corpus: Path, collected: Collected = Collected.JUDGED) -> list[dict[str, Outcome | None]]:
    source, plan = open_source(corpus), Plan(Form.TOKENS, Reader(), collected)
    return [person.found for person in people_of(NAME, source, plan)]


def test_people_with_their_labels_and_pages(corpus):
    people = people_of(NAME, open_source(corpus), Plan(Form.TOKENS, Reader()))
    told = [(person.name, person.label, person.ranks) for person in people]
    assert told == [(NAME, "POLITICIAN", (1, 3)), (NAME, "NAMESAKE", (2,))]


def test_republican_is_perfect_and_politician_is_not(corpus):
    politician, namesake = found(corpus)
    assert politician["tokens"] == Outcome(1, 1, 1, 1, ("republican",))
    assert namesake["tokens"] == Outcome(1, 1, 1, 1, ("ohio",))
    assert namesake["ae occupation"] == Outcome(0.5, 1, pytest.approx(2 / 3), 1, ("politician",))


@pytest.mark.parametrize(
    ("collected", "pages"), [(Collected.ALL, 6), (Collected.JUDGED, 5), (Collected.GROUPED, 3)]
)
def test_pages_that_count(corpus, collected, pages):
    politician, _ = found(corpus, collected)
    assert politician[UNREFINED] is not None
    assert politician[UNREFINED].precision == pytest.approx(2 / pages)
    assert politician[UNREFINED].recall == 1


def test_pages_that_nobody_looked_at_spoil_the_best_one_if_they_count(corpus):
    assert found(corpus, Collected.ALL)[0]["tokens"].precision == pytest.approx(2 / 3)


def test_the_best_of_several_kinds(corpus):
    politician, namesake = found(corpus)
    assert politician["best-ae"] == Outcome(1, 1, 1, 1, ("republicans",))
    assert politician["best-all"].f == politician["best-nl"].f == 1
    assert namesake["best-ae"] == namesake["ae occupation"]
    assert "best-ner" not in politician


def test_attributes_looked_up_in_the_text(corpus):
    politician, namesake = found(corpus)
    assert politician[LOOKED_UP] == Outcome(1, 1, 1, 1, ("republicans",))
    assert namesake[LOOKED_UP].precision == 0.25


def test_attributes_of_all_kinds_were_studied_if_any_was(corpus):
    (politician, _) = found(corpus)
    assert politician.keys() >= {*ATTRIBUTES, *FURTHER}
    assert politician["ae fax"] is None
    (corpus / "attributes" / f"{NAME}.txt").unlink()
    assert found(corpus)[0].keys().isdisjoint({*ATTRIBUTES, LOOKED_UP, "best-ae"})


def test_what_is_suggested(corpus):
    politician, namesake = found(corpus)
    assert politician[SUGGESTED].examples == ("republican",)
    assert namesake[SUGGESTED] == Outcome(1, 1, 1, 1, ("ohio",))
    politician, _ = found(corpus, Collected.ALL)
    assert politician[SUGGESTED] == Outcome(2 / 3, 1, pytest.approx(0.8), 1, ("republican",))


def test_a_name_without_a_key(corpus):
    (corpus / "gold_standard" / f"{NAME}.xml").unlink()
    with pytest.raises(KeyFileError, match="JAMES_PATTERSON has no key"):
        found(corpus)
