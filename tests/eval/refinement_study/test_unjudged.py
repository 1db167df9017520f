from pathlib import Path

import pytest

from eval.refinement_study.unjudged import unjudged
from tests.eval.commands.conftest import write_weps2
from weps.errors import KeyFileError
from weps.sources import open_source

KEY = """<clustering><entity id="0"><doc rank="1" notes="Not included in annotation"/></entity>
<discarded><doc rank="2" notes="Not included in annotation"/><doc rank="3" notes="GENEALOGY"/>
<doc rank="4"/><doc rank="5" notes=" not INCLUDED in annotation "/></discarded></clustering>"""
NAME = "ADA_LOVELL"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return write_weps2(tmp_path / "corpus", (), (NAME,))


@pytest.mark.parametrize("ending", [".xml", ".clust.xml"])
def test_pages_set_aside_unseen(corpus, ending):
    (corpus / "gold_standard" / f"{NAME}.xml").unlink()
    (corpus / "gold_standard" / f"{NAME}{ending}").write_text(KEY)
    assert unjudged(open_source(corpus), NAME) == {2, 5}


def test_a_key_without_notes(corpus):
    assert unjudged(open_source(corpus), NAME) == frozenset()


def test_a_name_without_a_key(corpus):
    (corpus / "gold_standard" / f"{NAME}.xml").unlink()
    assert unjudged(open_source(corpus), NAME) == frozenset()


def test_a_malformed_key(corpus):
    (corpus / "gold_standard" / f"{NAME}.xml").write_text("<clustering>")
    with pytest.raises(KeyFileError):
        unjudged(open_source(corpus), NAME)


def test_other_sources_have_no_such_notes(saved):
    source = open_source(saved)
    assert unjudged(source, source.names[0]) == frozenset()
