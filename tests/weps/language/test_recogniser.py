"""The embedded recogniser finds what spaCy finds with the same files, from the same tokens."""

from itertools import chain
from pathlib import Path

import numpy as np
import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.lang.lex_attrs import word_shape as spacy_shape
from spacy.strings import get_string_id
from spacy.symbols import IDS
from spacy.tokens import Doc
from thinc.api import NumpyOps

from tests.cases import each_case
from weps._files import resource_path
from weps.errors import LanguageError
from weps.html.cleaning import clean_page
from weps.language import recogniser as module
from weps.language.recogniser import (
    divide_passages,
    find_entities,
    hashed_rows,
    load_recogniser,
    string_key,
    word_shape,
)
from weps.records import Page

FOLDER = resource_path("language/weps_en")
NLP = spacy.load(FOLDER)
NER = spacy.load(FOLDER, exclude=[name for name in NLP.pipe_names if name != "ner"])
SPECIAL = sorted(text for text in NLP.tokenizer.rules if text.strip())
SNIPPETS = (Path(__file__).parent / "snippets.txt").read_text("utf-8").splitlines()


def tokens(text):
    return load_recogniser().tokeniser.words(text)[0]


def spacy_tokens(text):
    return [token.text for token in NLP.tokenizer(text)]


@each_case(
    "text",
    [
        "Dr. J.R. O'Neil-Smith's (b. 1961, Leeds/UK) can't; see http://a.org/x_y?z=1, pp. 3–4.",
        "«L’été» 25km/h $5.00 €3,50 U.S.-based x=y... wait…what?! :-) :'( <3 o'clock 8a.m.",
        "foo/don't/bar (we'll) \"Mr.\" 'cause 12th-century rock'n'roll AT&T's e-mail@host.com",
        "Абв-где 東京都の人 ٣٤ naïve—yes a.b.c.d ((([[x]]]))) #tag @who 100% -5 +7 ~ ^",
    ],
)
def test_tokens_are_those_of_spacy(text):
    assert tokens(text) == spacy_tokens(text)


@given(st.text("aZz.9'’-–/:;()[]@#$€中é😀,!?&%_*=<", min_size=1, max_size=25))
def test_tokens_of_any_text_without_blanks_are_those_of_spacy(text):
    assert tokens(text) == spacy_tokens(text)


@each_case("frame", ["{}", "({})", "x{}", "{}s", "'{}", "{}/{}", "3{}.", '"{}",'])
def test_special_cases_are_found_wherever_spacy_finds_them(frame):
    texts = [frame.format(text, text) for text in SPECIAL]
    assert [tokens(text) for text in texts] == [spacy_tokens(text) for text in texts]


WORDS = st.one_of(st.text(min_size=1, max_size=40), st.sampled_from(sorted(filter(None, IDS))))


@given(st.lists(WORDS.filter(lambda word: word.encode("utf-8", "replace").decode() == word)))
def test_keys_rows_and_shapes_are_those_of_spacy(words):
    assert [word_shape(word) for word in words] == [spacy_shape(word) for word in words]
    others = [word for word in words if word not in IDS]
    assert [string_key(word) for word in others] == [get_string_id(word) for word in others]
    keys = np.array([get_string_id(word) for word in words], np.uint64)
    np.testing.assert_array_equal(hashed_rows(keys, 9), NumpyOps().hash(keys, 9).reshape(-1, 4))


def spacy_entities(passage):
    document = Doc(NER.vocab, passage.words, passage.blanks, sent_starts=[*passage.starts])
    return [(each.start, each.end, each.label_) for each in NER(document).ents]


def assert_as_spacy(pages):
    recogniser, found = load_recogniser(), 0
    for page in pages:
        for passage in divide_passages(page, recogniser.tokeniser.words):
            expected = spacy_entities(passage)
            assert list(recogniser.recognise(passage)) == expected
            found += len(expected)
    return found


def test_entities_are_those_of_spacy():
    demo = sorted(resource_path("demo/Robin_Averdale").glob("*.html"))
    pages = [clean_page(Page(1, content=path.read_bytes())).blocks for path in demo]
    assert assert_as_spacy([SNIPPETS, *pages]) > 300


@pytest.mark.slow
def test_entities_of_real_pages_are_those_of_spacy(weps_data):
    pages = sorted((weps_data / "corpora/weps-1/training/web_pages").glob("*/raw/007/*.html"))
    blocks = (clean_page(Page(1, content=path.read_bytes())).blocks for path in pages)
    assert assert_as_spacy(blocks) > 1000


def test_entities_depend_on_no_other_page():
    pages = [SNIPPETS[at : at + 5] for at in range(0, len(SNIPPETS), 5)]
    together = find_entities(pages)
    assert together == [*chain.from_iterable(find_entities([page]) for page in pages)]
    assert find_entities(pages[::-1]) == together[::-1]
    assert find_entities([[], ["", " \n"], ["Ann Lee lives in Leeds."]]) == [
        *([], []),
        [(0, "Ann Lee", "PERSON"), (0, "Leeds", "LOCATION")],
    ]


@each_case("name", ["tokenizer", "lexemes.json", "ner/model", "ner/moves"])
def test_damaged_files_are_told(name, tmp_path, monkeypatch):
    for each in ("tokenizer", "lexemes.json", "ner/model", "ner/moves"):
        (tmp_path / each).parent.mkdir(exist_ok=True)
        (tmp_path / each).write_bytes(b"{}" if each == name else (FOLDER / each).read_bytes())
    monkeypatch.setattr(module, "resource_path", lambda _: tmp_path)
    with pytest.raises(LanguageError, match="the recogniser cannot be loaded"):
        load_recogniser.__wrapped__()
