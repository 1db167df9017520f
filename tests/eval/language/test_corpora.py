"""Corpora of annotated text, and their mixing."""

import re
from pathlib import Path

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.tokens import DocBin

from tests.cases import each_case
from tests.eval.language.made_up import WORDS, write_data
from weps._files import resource_path
from weps.errors import SourceError
from weps_eval.language import training
from weps_eval.language.corpora import (
    check_files,
    crossner_sentences,
    gum_sentences,
    mark_outside,
    mark_uncertain,
    mask_handles,
    tagged_sentences,
    words_only,
)
from weps_eval.language.readers import Sentence, read_conllu
from weps_eval.language.training import (
    Fragment,
    Grammar,
    expand_grammar,
    make_fragments,
    read_grammar,
    write_entities,
    write_syntax,
)

LABELS = {"", "PERSON", "LOCATION", "ORGANISATION", "EVENT", "PRODUCT"}
OURS = ("B-PERSON", "I-PERSON", "O", "O", "B-LOCATION", "O")


def test_a_complete_folder_passes_and_a_missing_file_is_named(tmp_path):
    data = write_data(tmp_path, times=1)
    check_files(data)
    (data / "gum/dev.conllu").unlink()
    (data / "crossner/ai_dev.txt").unlink()
    with pytest.raises(SourceError, match=r"missing: gum/dev\.conllu, crossner/ai_dev\.txt"):
        check_files(data)


def test_every_format_gives_the_same_sentence(tmp_path):
    data = write_data(tmp_path, times=1)
    names = "uner/ewt_dev.iob2 broad_twitter/train.conll wikigold/wikigold.conll wnut17/test.conll"
    for name in (*names.split(), "crossner/music_dev.txt"):
        (sentence,) = tagged_sentences(data, name)
        assert (sentence.words, sentence.entities) == (WORDS, OURS)
    assert [each.entities for each in gum_sentences(data, "train")] == [OURS]
    assert [each.deps[2] for each in read_conllu(data / "gum/train.conllu")] == ["ROOT"]
    assert len(list(crossner_sentences(data, "test"))) == 5


def test_types_are_mapped_as_documented(weps_data):
    labels = {
        tag[2:] for each in crossner_sentences(weps_data / "nlp", "train") for tag in each.entities
    }
    assert labels == LABELS


def sentence(text: str, tags: str, pos: str = "") -> Sentence:
    words = tuple(text.split())
    given = tuple(tag.replace("?", "") for tag in tags.split())
    return Sentence(words, (True,) * len(words), pos=tuple(pos.split()), entities=given)


def shown(each: Sentence) -> str:
    return " ".join(tag or "?" for tag in each.entities)


@each_case(
    ("mark", "text", "tags", "after"),
    [
        (mark_uncertain, "the Widget broke", "O O O", "O ? O"),
        (mark_uncertain, "Widgets broke", "O O", "O O"),
        (mark_uncertain, "on Monday in Dutch", "O O O O", "O O O O"),
        (mark_uncertain, "saw Ada", "O B-PERSON", "O B-PERSON"),
        (mark_uncertain, "plan A", "O O", "O O"),
        (mark_outside, "the German Prize", "O ? ?", "O O ?"),
        (mark_outside, "gene therapy", "? ?", "O O"),
        (mark_outside, "saw Ada", "O B-PERSON", "O B-PERSON"),
        (mask_handles, "@ adaq met Ada", "B-PERSON B-PERSON O B-PERSON", "? ? O B-PERSON"),
        (mask_handles, "met @", "O O", "O ?"),
        (mask_handles, "@adaq slept", "O O", "O O"),
    ],
)
def test_tags_are_marked_as_certain_or_missing(mark, text, tags, after):
    assert [shown(each) for each in mark([sentence(text, tags)])] == [after]


@each_case(
    ("text", "pos", "after"),
    [
        ("she slept", "PRON VERB", "O O"),
        ("saw Ada", "VERB PROPN", "O ?"),
        ("Museum of Northby", "PROPN ADP PROPN", "? ? ?"),
        ("Museum of the North slept", "PROPN ADP DET PROPN VERB", "? ? ? ? O"),
        ("Ada left on Monday", "PROPN VERB ADP PROPN", "? ? ? O"),
    ],
)
def test_proper_nouns_and_what_joins_them_are_missing(text, pos, after):
    assert [shown(each) for each in words_only([sentence(text, "", pos)])] == [after]


SHIPPED = [resource_path(f"language/recipe/{name}.txt") for name in ("names", "fragments")]


def grammar(tmp_path: Path, text: str) -> Grammar:
    path = tmp_path / "grammar.txt"
    path.write_text(text, "utf-8")
    return read_grammar([path])


def only(tmp_path: Path, text: str) -> Fragment:
    (fragment,) = expand_grammar(grammar(tmp_path, text), 1, seed=1)
    return fragment


@each_case(
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
def test_a_rule_is_expanded(tmp_path, text, wanted):
    assert only(tmp_path, text) == wanted


def test_hashes_become_digits_and_alternatives_have_weights(tmp_path):
    assert re.fullmatch(r"\d\d-\d", only(tmp_path, "[fragment]\n##-#").text)
    assert grammar(tmp_path, "[fragment]\n3* a / b\nc") == {"fragment": ["a", "a", "a", "b", "c"]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("early\n[fragment]\na", "before the first"),
        ("[fragment]\n{nowhere}", "nowhere"),
        ("[fragment]\na {fragment}", "contains itself"),
    ],
)
def test_faults_are_named(tmp_path, text, message):
    with pytest.raises(SourceError, match=message):
        only(tmp_path, text)


@given(st.integers(0, 2**32))
def test_shipped_fragments_are_clean_and_repeatable(seed):
    shipped = read_grammar(SHIPPED)
    made = list(expand_grammar(shipped, 20, seed))
    assert made == list(expand_grammar(shipped, 20, seed))
    for fragment in made:
        assert not set(fragment.text) & set("{}<>#*\n") - {">"}
        for start, end, _ in fragment.entities:
            assert fragment.text[start:end].strip() == fragment.text[start:end] != ""


def test_every_shipped_rule_is_used_and_there():
    rules = read_grammar(SHIPPED)
    text = "\n".join(line for alternatives in rules.values() for line in alternatives)
    unused = {name for name in rules if f"{{{name}}}" not in text and f"{{{name}|" not in text}
    assert unused == {"fragment"}


def words(path: Path) -> list[str]:
    docs = DocBin().from_disk(path).get_docs(spacy.blank("en").vocab)
    return [token.text for doc in docs for token in doc]


def test_fragments_are_the_same_each_time_and_show_all_types():
    made = list(make_fragments(300))
    assert made == list(make_fragments(300))
    assert {tag[2:] for each in made for tag in each.entities} == LABELS


def test_syntax_files_hold_both_treebanks(tmp_path):
    counts = write_syntax(write_data(tmp_path / "data", times=3), tmp_path / "out")
    assert counts == {"EWT train": 18, "GUM train": 18}
    assert words(tmp_path / "out/train.spacy") == list(WORDS) * 6
    assert words(tmp_path / "out/dev.spacy") == list(WORDS) * 6


def test_entity_files_hold_recased_copies_and_no_test_file_the_same_each_time(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(training, "_FRAGMENTS", 50)
    monkeypatch.setattr(training, "_FRAGMENTS_DEV", 10)
    data = write_data(tmp_path / "data", times=30)
    for path in data.rglob("*test*"):
        path.write_text("", "utf-8")
    counts = write_entities(data, tmp_path / "a")
    assert counts["WNUT17 train"] == 30 * len(WORDS)
    assert counts["UNER EWT dev"] == 2 * 30 * len(WORDS)
    assert {"Quill", "quill", "QUILL"} <= set(words(tmp_path / "a" / "train.spacy"))
    write_entities(data, tmp_path / "b")
    for name in ("train.spacy", "dev.spacy"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
