from pathlib import Path

import pytest

from eval.bench.corpus import check_origins, counted, open_corpus
from tests.eval.commands.conftest import NAMES, listed, write_halves, write_weps2
from weps.errors import SourceError
from weps.forms import Form


def test_names_with_keys_and_what_their_pages_offer(tmp_path: Path) -> None:
    corpus = open_corpus(write_weps2(tmp_path, NAMES[1:]), [NAMES[5]])
    assert corpus.names == list(NAMES[:5])
    assert corpus.forms == dict.fromkeys(NAMES[1:5], Form.TOKENS) | {NAMES[0]: Form.RESULTS}
    assert corpus.title == "WePS-2"
    assert corpus.digest == corpus.source.digest(NAMES[:5]) != corpus.source.digest(NAMES)


def test_one_name_is_no_corpus(tmp_path: Path) -> None:
    write_weps2(tmp_path, ())
    with pytest.raises(SourceError, match="1 of the names have a key, 2 are needed") as caught:
        open_corpus(tmp_path, list(NAMES[1:]))
    assert caught.value.where == str(tmp_path)


def test_several_corpora_are_taken_as_one(tmp_path: Path) -> None:
    first = write_weps2(tmp_path / "first", NAMES, NAMES[:3])
    second = write_weps2(tmp_path / "second", (), NAMES[3:])
    corpus = open_corpus([first, second], [NAMES[1], NAMES[3]])
    assert corpus.forms == {
        NAMES[0]: Form.TOKENS,
        NAMES[2]: Form.TOKENS,
        NAMES[4]: Form.RESULTS,
        NAMES[5]: Form.RESULTS,
    }
    assert corpus.title == "WePS-2"
    assert corpus.digest == open_corpus([second, first], [NAMES[3], NAMES[1]]).digest


def test_the_names_of_several_corpora_are_counted_together(tmp_path: Path) -> None:
    first, second = write_halves(tmp_path)
    assert open_corpus([first, second], [*NAMES[1:3], *NAMES[4:]]).names == [NAMES[0], NAMES[3]]
    with pytest.raises(SourceError, match="1 of the names have a key") as caught:
        open_corpus([first, second], NAMES[1:])
    assert caught.value.where == f"{first} and {second}"


def test_one_corpus_in_a_list_is_that_corpus(tmp_path: Path) -> None:
    root = write_weps2(tmp_path, ())
    assert open_corpus([root]) == open_corpus(root)


def test_forms_are_counted_richest_first() -> None:
    found = counted([Form.RESULTS, Form.PAGES, Form.RESULTS])
    assert list(found.items()) == [(Form.PAGES, 1), (Form.RESULTS, 2)]


@pytest.mark.parametrize("others", [NAMES[:1], NAMES[2:]])
def test_two_origins_teach_each_other(tmp_path: Path, others: tuple[str, ...]) -> None:
    check_origins(open_corpus(listed(write_weps2(tmp_path, NAMES), others)))


@pytest.mark.parametrize("names", [(), NAMES])
def test_one_origin_has_no_other_to_learn_from(tmp_path: Path, names: tuple[str, ...]) -> None:
    with pytest.raises(SourceError, match="of one origin") as caught:
        check_origins(open_corpus(listed(write_weps2(tmp_path, NAMES), names)))
    assert "--cv 5" in caught.value.remedy


def test_pages_of_every_form_need_two_origins(tmp_path: Path) -> None:
    # Results of all names are of two origins, but their word lists are of one.
    corpus = open_corpus(listed(write_weps2(tmp_path, NAMES[1:]), NAMES[:1]))
    with pytest.raises(SourceError, match=r"content words without case are .* \(search\)"):
        check_origins(corpus)
