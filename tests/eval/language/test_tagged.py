from pathlib import Path

import pytest

from eval.language.sentences import Sentence
from eval.language.tagged import detached, read_tagged
from tests.eval.language.made_up import WORDS, two_columns, uner
from weps.errors import SourceError

LABELS = {"PER": "PERSON", "LOC": "LOCATION"}
OURS = ("B-PERSON", "I-PERSON", "O", "O", "B-LOCATION", "O")


def read(tmp_path: Path, text: str, word: int = 0, tag: int = -1) -> list[Sentence]:
    path = tmp_path / "a.conll"
    path.write_text(text, "utf-8")
    return list(read_tagged(path, LABELS, word, tag))


@pytest.mark.parametrize("divider", ["\t", " "])
@pytest.mark.parametrize("blank", ["\n", "\t\n"])
def test_a_word_and_a_tag_a_line(tmp_path: Path, divider: str, blank: str) -> None:
    lines = two_columns().strip().replace("\t", divider) + "\n" + blank
    sentences = read(tmp_path, lines * 2)
    assert [each.words for each in sentences] == [WORDS] * 2
    assert [each.entities for each in sentences] == [OURS] * 2


def test_columns_can_stand_elsewhere_and_the_text_tells_the_spaces(tmp_path: Path) -> None:
    (sentence,) = read(tmp_path, uner(), 1, 2)
    assert sentence.words == WORDS
    assert sentence.entities == OURS
    assert sentence.spaces == (True, True, True, True, False, True)


@pytest.mark.parametrize(
    ("tags", "ours"),
    [
        ("I-PER I-PER O", ("B-PERSON", "I-PERSON", "O")),
        ("I-PER B-PER O", ("B-PERSON", "B-PERSON", "O")),
        ("I-PER I-LOC I-LOC", ("B-PERSON", "B-LOCATION", "I-LOCATION")),
        ("O I-PER O", ("O", "B-PERSON", "O")),
        ("B-MISC I-MISC B-PER", ("", "", "B-PERSON")),
    ],
)
def test_tags_become_ours_and_other_types_are_missing(
    tmp_path: Path, tags: str, ours: tuple[str, ...]
) -> None:
    lines = "".join(f"w {tag}\n" for tag in tags.split())
    assert read(tmp_path, lines)[0].entities == ours


def test_a_word_that_was_only_a_space_is_left_out(tmp_path: Path) -> None:
    assert read(tmp_path, "a\tO\n \tO\nb\tO\n")[0].words == ("a", "b")


@pytest.mark.parametrize("line", ["word", "word tag", "Ada PER"])
def test_a_line_without_a_tag_is_named(tmp_path: Path, line: str) -> None:
    with pytest.raises(SourceError, match="line 2: no entity tag"):
        read(tmp_path, f"a O\n{line}\n")


@pytest.mark.parametrize(
    "text",
    [
        "She came , saw ( and won ) .",
        'He said " yes " twice .',
        "It is n't Ada 's , is it ?",
    ],
)
def test_spaces_stand_where_a_printer_puts_them(text: str) -> None:
    words = text.split()
    joined = "".join(
        word + " " * space for word, space in zip(words, detached(words), strict=True)
    ).strip()
    wanted = (
        text.replace(" ,", ",")
        .replace("( ", "(")
        .replace(" )", ")")
        .replace(" .", ".")
        .replace(" ?", "?")
        .replace('" yes "', '"yes"')
        .replace(" n't", "n't")
        .replace(" 's", "'s")
    )
    assert joined == wanted
