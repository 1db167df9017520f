from pathlib import Path

import pytest

from eval.language.conllu import read_conllu
from tests.eval.language.made_up import ROWS, WORDS, conllu
from weps.errors import SourceError


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "a.conllu"
    path.write_text(text, "utf-8")
    return path


def test_a_sentence_has_all_its_layers(tmp_path: Path) -> None:
    (tree,) = read_conllu(written(tmp_path, conllu()))
    sentence = tree.sentence
    assert sentence.words == WORDS
    assert sentence.spaces == (True, True, True, True, False, True)
    assert sentence.lemmas[2] == "visit"
    assert sentence.heads == (2, 0, 2, 4, 2, 2)
    assert sentence.deps[2] == "ROOT"
    assert tree.misc == tuple(row[6] for row in ROWS)


def test_the_last_sentence_needs_no_blank_line(tmp_path: Path) -> None:
    assert len(list(read_conllu(written(tmp_path, conllu(times=2).rstrip())))) == 2


def line(number: str, form: str, misc: str = "_", head: str = "0", label: str = "root") -> str:
    return f"{number}\t{form}\t{form}\tX\tX\t_\t{head}\t{label}\t_\t{misc}\n"


@pytest.mark.parametrize(
    ("misc", "spaces"),
    [("_", (False, True, True)), ("SpaceAfter=No", (False, False, True))],
)
def test_the_line_of_a_multiword_token_tells_the_space(
    tmp_path: Path, misc: str, spaces: tuple[bool, ...]
) -> None:
    rows = line("1-2", "don't", misc) + line("1", "do") + line("2", "n't") + line("3", "go")
    (tree,) = read_conllu(written(tmp_path, rows))
    assert tree.sentence.words == ("do", "n't", "go")
    assert tree.sentence.spaces == spaces


def test_words_that_nobody_wrote_are_left_out(tmp_path: Path) -> None:
    (tree,) = read_conllu(written(tmp_path, line("1", "a") + line("1.1", "b") + line("2", "c")))
    assert tree.sentence.words == ("a", "c")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\tno\tcolumns\n", "line 1: 3 columns"),
        (line("1", "a", head="7"), "no word of the sentence"),
        (line("1", "a", head="_"), "no word of the sentence"),
    ],
)
def test_damage_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        list(read_conllu(written(tmp_path, text)))
