from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.language.fragments import Fragment, Grammar, read_grammar
from weps.errors import SourceError
from weps.resources import resource

SHIPPED = [resource(f"language/recipe/{name}.txt") for name in ("names", "fragments")]


def grammar(tmp_path: Path, text: str) -> Grammar:
    path = tmp_path / "grammar.txt"
    path.write_text(text, "utf-8")
    return read_grammar([path])


def only(tmp_path: Path, text: str) -> Fragment:
    (fragment,) = grammar(tmp_path, text).make(1, seed=1)
    return fragment


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("[fragment]\nplain", Fragment("plain", ())),
        ("# comment\n[fragment]\na {b}\n[b]\nc", Fragment("a c", ())),
        ("[fragment]\n{b|upper}\n[b]\nc d", Fragment("C D", ())),
        ("[fragment]\n{b|lower}\n[b]\nVan Ek", Fragment("vanek", ())),
        ("[fragment]\n{b|initial}.\n[b]\nAda", Fragment("A.", ())),
        ("[fragment]\nBy <PERSON {b}>!\n[b]\nAda", Fragment("By Ada!", ((3, 6, "PERSON"),))),
        ("[fragment]\n{b|upper}\n[b]\n<PERSON Ada>", Fragment("ADA", ((0, 3, "PERSON"),))),
        ("[fragment]\n<PERSON Ek, A.>. x", Fragment("Ek, A. x", ((0, 6, "PERSON"),))),
        ("[fragment]\n<A b> <C d>", Fragment("b d", ((0, 1, "A"), (2, 3, "C")))),
    ],
)
def test_a_rule_is_expanded(tmp_path: Path, text: str, wanted: Fragment) -> None:
    assert only(tmp_path, text) == wanted


def test_hashes_become_digits(tmp_path: Path) -> None:
    text = only(tmp_path, "[fragment]\n##-#").text
    assert text.replace("-", "").isdecimal()
    assert len(text) == 4


def test_alternatives_have_weights(tmp_path: Path) -> None:
    rules = grammar(tmp_path, "[fragment]\n3* a / b\nc").rules
    assert rules == {"fragment": ["a", "a", "a", "b", "c"]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("early\n[fragment]\na", "before the first"),
        ("[fragment]\n{nowhere}", "nowhere"),
        ("[fragment]\na {fragment}", "contains itself"),
    ],
)
def test_faults_are_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        only(tmp_path, text)


@given(st.integers(0, 2**32))
def test_shipped_fragments_are_clean_and_repeatable(seed: int) -> None:
    shipped = read_grammar(SHIPPED)
    made = list(shipped.make(20, seed))
    assert made == list(shipped.make(20, seed))
    for fragment in made:
        assert not set(fragment.text) & set("{}<>#*\n") - {">"}
        for start, end, _ in fragment.entities:
            assert fragment.text[start:end].strip() == fragment.text[start:end] != ""


def test_every_shipped_rule_is_used_and_there() -> None:
    rules = read_grammar(SHIPPED).rules
    text = "\n".join(line for alternatives in rules.values() for line in alternatives)
    unused = {name for name in rules if f"{{{name}}}" not in text and f"{{{name}|" not in text}
    assert unused == {"fragment"}
