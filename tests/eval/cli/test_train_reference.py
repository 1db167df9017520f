"""The reference collection is made from pages, and holds only what several names share."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from weps.cli.console import Console
from weps.errors import OutputError, SourceError
from weps.key_terms.weighting import Reference
from weps_eval.cli.train_reference import Options, run_command

PAGES = {
    "Ada_Lovell": ["sea sea tide Ada Lovell", "sea gale"],
    "Bea_Lovell": ["sea tide Bea", "ada"],
    "Cleo_Lovell": ["sea gale ada Cleo"],
    "Dora_Lovell": ["tide Dora lovell"],
}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    for name, texts in PAGES.items():
        (tmp_path / "corpus" / name).mkdir(parents=True)
        for rank, text in enumerate(texts, start=1):
            (tmp_path / "corpus" / name / f"{rank:03}.html").write_text(f"<p>{text}")
    return tmp_path / "corpus"


def made(corpus: Path, **given: Any) -> Reference:
    options = Options(**{"corpus": corpus, "out": corpus.parent / "words.json", **given})
    assert run_command(replace(options, no_cache=True), Console(quiet=True)) == 0
    return Reference.read(options.out)


def test_words_of_three_names_are_kept(corpus, capsys):
    reference = made(corpus)
    assert dict(reference.words) == {"sea": (5, 4), "tide": (3, 3)}
    assert (reference.size, reference.documents) == (12, 6)
    assert reference.made_from["names"] == 4
    assert "2 words that occur on pages of 3 names or more, from 6 pages" in capsys.readouterr().out


def test_names_can_be_left_out(corpus):
    reference = made(corpus, exclude=("Dora Lovell",))
    assert (dict(reference.words), reference.documents) == ({"sea": (5, 4)}, 5)


def test_jobs_make_no_difference(corpus):
    made(corpus)
    first = (corpus.parent / "words.json").read_bytes()
    made(corpus, jobs=2)
    assert (corpus.parent / "words.json").read_bytes() == first


def test_two_names_share_nothing(corpus):
    with pytest.raises(SourceError, match=r"too few names \(2\)"):
        made(corpus, exclude=("Ada_Lovell", "Bea_Lovell"))


def test_a_place_that_cannot_be_written_is_told_first(corpus):
    with pytest.raises(OutputError, match="a folder"):
        made(corpus, out=corpus)
