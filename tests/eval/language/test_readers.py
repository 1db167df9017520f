from pathlib import Path

import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.eval.language.made_up import ROWS, WORDS, conllu, two_columns, uner
from weps.errors import SourceError
from weps_eval.language.readers import (
    MISSING,
    Sentence,
    annotated_document,
    find_mentions,
    group_sentences,
    iob_tags,
    read_conllu,
    read_tagged,
    spaces_by_rule,
    tag_named_mentions,
)


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "a.conllu"
    path.write_text(text, "utf-8")
    return path


def test_a_sentence_has_all_its_layers(tmp_path):
    (sentence,) = read_conllu(written(tmp_path, conllu()))
    assert sentence.words == WORDS
    assert sentence.spaces == (True, True, True, True, False, True)
    assert sentence.lemmas[2] == "visit"
    assert sentence.heads == (2, 0, 2, 4, 2, 2)
    assert sentence.deps[2] == "ROOT"
    assert sentence.misc == tuple(row[6] for row in ROWS)
    assert len(list(read_conllu(written(tmp_path, conllu(times=2).rstrip())))) == 2


def line(number: str, form: str, misc: str = "_", head: str = "0", label: str = "root") -> str:
    return f"{number}\t{form}\t{form}\tX\tX\t_\t{head}\t{label}\t_\t{misc}\n"


@pytest.mark.parametrize(
    ("misc", "spaces"),
    [("_", (False, True, True)), ("SpaceAfter=No", (False, False, True))],
)
def test_the_line_of_a_multiword_token_states_the_space(tmp_path, misc, spaces):
    rows = line("1-2", "don't", misc) + line("1", "do") + line("2", "n't") + line("3", "go")
    (sentence,) = read_conllu(written(tmp_path, rows + line("3.1", "left out")))
    assert sentence.words == ("do", "n't", "go")
    assert sentence.spaces == spaces


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\tno\tcolumns\n", "line 1: 3 columns"),
        (line("1", "a", head="7"), "not a word of the sentence"),
        (line("1", "a", head="_"), "not a word of the sentence"),
    ],
)
def test_damage_is_named(tmp_path, text, message):
    with pytest.raises(SourceError, match=message):
        list(read_conllu(written(tmp_path, text)))


def tree(text: str, heads: str, misc: dict[int, str]) -> Sentence:
    """Words with a capital are proper nouns, ``Quills`` a plural; heads from 0."""
    words = tuple(text.split())
    following = (*words[1:], "")
    return Sentence(
        words,
        tuple("-" not in two for two in zip(words, following, strict=True)),
        tags=tuple("NNPS" if word == "Quills" else "NNP" * word[0].isupper() for word in words),
        pos=tuple("PROPN" if word[0].isupper() else "X" for word in words),
        heads=tuple(map(int, heads.split())),
        misc=tuple(f"Entity={misc[i]}|Other=1" if i in misc else "_" for i in range(len(words))),
    )


@each_case(
    ("misc", "found"),
    [
        ({0: "(1-person-x)"}, [(0, 1, "person")]),
        ({0: "(1-person-x", 1: "1)"}, [(0, 2, "person")]),
        ({0: "(1-event-x(2-place-y)", 1: "1)"}, [(0, 1, "place"), (0, 2, "event")]),
        ({0: "(1-event-x(2-place-y", 1: "2)1)"}, [(0, 2, "place"), (0, 2, "event")]),
        ({0: "(1[1/2]-event-x", 1: "1[1/2])"}, [(0, 2, "event")]),
        ({0: "(1-person-x-Ada_%28poet%29)"}, [(0, 1, "person")]),
        ({1: "1)"}, []),
        ({0: "(1-person-x"}, []),
        ({0: "(((", 1: ")))"}, []),
        ({}, []),
    ],
)
def test_brackets_are_matched(misc, found):
    assert list(find_mentions(tree("a b", "0 0", misc))) == found


PERSON = {0: "(1-person-x", 2: "1)"}


@each_case(
    ("case", "text", "heads", "misc", "tags"),
    [
        ("run round the head", "old Ada Quill", "1 1 1", PERSON, "O B-PERSON I-PERSON"),
        ("titles are cut", "Dr. Ada Quill", "0 0 0", PERSON, "O B-PERSON I-PERSON"),
        ("a title is no name", "President", "0", {0: "(1-person-x)"}, "O"),
        ("the head is a role", "the poet Ada", "1 1 1", PERSON, "O O O"),
        ("plurals", "Quills", "0", {0: "(1-person-x)"}, "O"),
        (
            "complement",
            "Museum of the North",
            "0 3 3 0",
            {0: "(1-organization-x", 3: "1)"},
            "B-ORGANISATION I-ORGANISATION I-ORGANISATION I-ORGANISATION",
        ),
        (
            "no complement of people",
            "Ada of Northby",
            "0 2 0",
            {0: "(1-person-x", 2: "(2-place-y)1)"},
            "B-PERSON O B-LOCATION",
        ),
        (
            "the outer name stands",
            "Northby University",
            "1 1",
            {0: "(1-organization-x(2-place-y)", 1: "1)"},
            "B-ORGANISATION I-ORGANISATION",
        ),
        (
            "hyphen",
            "Ada Bell - Ross",
            "0 0 3 0",
            {0: "(1-person-x", 3: "1)"},
            "B-PERSON I-PERSON I-PERSON I-PERSON",
        ),
        ("other types are missing", "Widget", "0", {0: "(1-object-x)"}, "?"),
        ("times are none", "Monday", "0", {0: "(1-time-x)"}, "O"),
    ],
)
def test_mentions_become_names(case, text, heads, misc, tags):
    tagged = tag_named_mentions(tree(text, heads, misc)).entities
    assert [tag or "?" for tag in tagged] == tags.split(), case


NAMED = Sentence(("Ada", "slept", "."), (True, False, False), entities=("B-PERSON", MISSING, "O"))
PARSED = Sentence(
    ("Ada", "slept"),
    (True, True),
    tags=("NNP", "VBD"),
    pos=("PROPN", "VERB"),
    lemmas=("Ada", "sleep"),
    heads=(1, 1),
    deps=("nsubj", "ROOT"),
)


def test_a_document_has_the_layers_and_sentences_of_its_parts():
    doc = annotated_document(spacy.blank("en").vocab, [NAMED, NAMED])
    assert doc.text == "Ada slept. Ada slept. "
    assert [token.is_sent_start for token in doc] == [True, False, False] * 2
    assert [(ent.text, ent.label_) for ent in doc.ents] == [("Ada", "PERSON")] * 2
    assert [token.ent_iob_ for token in doc] == ["B", "", "O"] * 2
    assert not doc.has_annotation("DEP")
    doc = annotated_document(spacy.blank("en").vocab, [PARSED, PARSED])
    assert [token.head.i for token in doc] == [1, 1, 3, 3]
    assert [sent.text for sent in doc.sents] == ["Ada slept", "Ada slept"]
    assert [token.lemma_ for token in doc] == ["Ada", "sleep"] * 2
    assert [token.tag_ for token in doc] == ["NNP", "VBD"] * 2
    assert not doc.has_annotation("ENT_IOB")


@given(st.lists(st.integers(1, 50), max_size=30), st.integers(1, 100))
def test_groups_keep_all_sentences_in_order(lengths, size):
    sentences = [Sentence(("a",) * length, (True,) * length) for length in lengths]
    groups = list(group_sentences(sentences, size))
    assert [each for group in groups for each in group] == sentences
    assert all(sum(len(each.words) for each in group[:-1]) < size for group in groups)


def test_spans_become_tags():
    assert iob_tags(3, []) == ["O", "O", "O"]
    assert iob_tags(4, [(0, 1, "A"), (1, 3, "A")]) == ["B-A", "B-A", "I-A", "O"]


LABELS = {"PER": "PERSON", "LOC": "LOCATION"}
OURS = ("B-PERSON", "I-PERSON", "O", "O", "B-LOCATION", "O")


def read(tmp_path: Path, text: str, word: int = 0, tag: int = -1) -> list[Sentence]:
    path = tmp_path / "a.conll"
    path.write_text(text, "utf-8")
    return list(read_tagged(path, LABELS, word, tag))


@pytest.mark.parametrize("divider", ["\t", " "])
@pytest.mark.parametrize("blank", ["\n", "\t\n"])
def test_a_word_and_a_tag_a_line(tmp_path, divider, blank):
    lines = two_columns().strip().replace("\t", divider) + "\n" + blank
    sentences = read(tmp_path, lines * 2)
    assert [each.words for each in sentences] == [WORDS] * 2
    assert [each.entities for each in sentences] == [OURS] * 2


def test_columns_can_stand_elsewhere_and_the_text_states_the_spaces(tmp_path):
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
def test_tags_become_ours_and_other_types_are_missing(tmp_path, tags, ours):
    lines = " \tO\n" + "".join(f"w {tag}\n" for tag in tags.split())  # a space is no word
    assert read(tmp_path, lines)[0].entities == ours


@pytest.mark.parametrize("line", ["word", "word tag", "Ada PER"])
def test_a_line_without_a_tag_is_named(tmp_path, line):
    with pytest.raises(SourceError, match="line 2: no entity tag"):
        read(tmp_path, f"a O\n{line}\n")


@each_case(
    ("text", "printed"),
    [
        ("She came , saw ( and won ) .", "She came, saw (and won)."),
        ('He said " yes " twice .', 'He said "yes" twice.'),
        ("It is n't Ada 's , is it ?", "It isn't Ada's, is it?"),
    ],
)
def test_spaces_stand_where_a_printer_puts_them(text, printed):
    words = text.split()
    spaced = zip(words, spaces_by_rule(words), strict=True)
    assert "".join(word + " " * space for word, space in spaced).strip() == printed
