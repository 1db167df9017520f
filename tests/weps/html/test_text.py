import pytest
from hypothesis import given
from hypothesis import strategies as st

from weps.html.parsing import BREAK, MAIL_CLOSE, MAIL_OPEN, PRE_CLOSE, PRE_OPEN
from weps.html.text import blocks_of, fold_marked, fold_plain, fold_text

WRAPPED = "We were glad to hear in the office on that Monday that Thomas\nBaker had come back."
RECORDS = "Baker, Thomas     born 1871     Halifax, Virginia, the county\nBaker, Zoe  1902"


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("", ""),
        (" a \n\t b\xa0c ", "a b c"),
        ("Ba\xadker", "Baker"),
        ("a\x07b\x7f", "ab"),
        ("a \x07 b", "a b"),
        ("it\x92s \x93so\x94", "it’s “so”"),
        ("\ufeff\u200bzero\u2060", "zero"),
        ("\u202eevil\u202c", "evil"),
        ("lone \ud800", "lone \ufffd"),
        ("می\u200cخواهم", "می\u200cخواهم"),
    ],
)
def test_fold(text: str, folded: str) -> None:
    assert fold_text(text) == folded


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        (f"a{BREAK} {BREAK}b", ("a", "b")),
        (f"one\ntwo{BREAK}", ("one two",)),
        (f"x{PRE_OPEN}one\ntwo\n\nthree{PRE_CLOSE}y", ("x", "one", "two", "three", "y")),
        (f"{PRE_OPEN}one{BREAK}two\nthree{PRE_CLOSE}", ("one", "two", "three")),
        (f"{PRE_OPEN}{WRAPPED}{PRE_CLOSE}", (WRAPPED.replace("\n", " "),)),
        (f"{PRE_OPEN}never\nclosed", ("never closed",)),
        (f"write{MAIL_OPEN}j@x.org{MAIL_CLOSE} me", ("write me",)),
        (f"never{MAIL_OPEN}closed", ("neverclosed",)),
    ],
)
def test_marks(text: str, blocks: tuple[str, ...]) -> None:
    assert blocks_of(fold_marked(text)) == blocks


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("", ()),
        ("one\ntwo", ("one", "two")),
        ("one\r\n\r\ntwo", ("one", "two")),
        (WRAPPED, (WRAPPED.replace("\n", " "),)),
        (f"{WRAPPED}\n\nNext", (WRAPPED.replace("\n", " "), "Next")),
        (
            RECORDS,
            ("Baker, Thomas born 1871 Halifax, Virginia, the county", "Baker, Zoe 1902"),
        ),
    ],
)
def test_plain_text(text: str, blocks: tuple[str, ...]) -> None:
    assert blocks_of(fold_plain(text)) == blocks


@given(st.text() | st.text(f"a \n{BREAK}{PRE_OPEN}{PRE_CLOSE}{MAIL_OPEN}{MAIL_CLOSE}\x85\xad"))
def test_blocks_are_folded_whatever_the_text(text: str) -> None:
    for block in (*blocks_of(fold_marked(text)), *blocks_of(fold_plain(text))):
        assert block
        assert block == fold_text(block)


@given(st.text(st.sampled_from("abc \n"), max_size=400))
def test_no_word_is_lost(text: str) -> None:
    assert " ".join(blocks_of(fold_plain(text))).split() == text.split()
