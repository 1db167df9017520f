import pytest

from eval.language.conllu import Tree
from eval.language.gum import mentions, named
from eval.language.sentences import Sentence


def tree(text: str, heads: str, misc: dict[int, str]) -> Tree:
    """Words as form/UPOS/XPOS, heads from 0."""
    words, pos, tags = zip(*(each.split("/") for each in text.split()), strict=True)
    sentence = Sentence(
        words,
        tuple(
            word != "-" and following != "-"
            for word, following in zip(words, (*words[1:], ""), strict=True)
        ),
        tags=tags,
        pos=pos,
        heads=tuple(int(head) for head in heads.split()),
    )
    entities = (f"Entity={misc[i]}|Other=1" if i in misc else "_" for i in range(len(words)))
    return Tree(sentence, tuple(entities))


@pytest.mark.parametrize(
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
def test_brackets_are_matched(misc: dict[int, str], found: list[tuple[int, int, str]]) -> None:
    assert list(mentions(tree("a/NOUN/NN b/NOUN/NN", "0 0", misc))) == found


CASES = [
    pytest.param(
        "old/ADJ/JJ Ada/PROPN/NNP Quill/PROPN/NNP",
        "1 1 1",
        {0: "(1-person-x", 2: "1)"},
        "O B-PERSON I-PERSON",
        id="run round the head",
    ),
    pytest.param(
        "Dr./PROPN/NNP Quill/PROPN/NNP",
        "0 0",
        {0: "(1-person-x", 1: "1)"},
        "O B-PERSON",
        id="titles are cut",
    ),
    pytest.param("President/PROPN/NNP", "0", {0: "(1-person-x)"}, "O", id="a title is no name"),
    pytest.param(
        "the/DET/DT poet/NOUN/NN Ada/PROPN/NNP",
        "1 1 1",
        {0: "(1-person-x", 2: "1)"},
        "O O O",
        id="the head is a role",
    ),
    pytest.param("Quills/PROPN/NNPS", "0", {0: "(1-person-x)"}, "O", id="plurals"),
    pytest.param(
        "Museum/PROPN/NNP of/ADP/IN the/DET/DT North/PROPN/NNP",
        "0 3 3 0",
        {0: "(1-organization-x", 3: "1)"},
        "B-ORGANISATION I-ORGANISATION I-ORGANISATION I-ORGANISATION",
        id="complement",
    ),
    pytest.param(
        "Ada/PROPN/NNP of/ADP/IN Northby/PROPN/NNP",
        "0 2 0",
        {0: "(1-person-x", 2: "(2-place-y)1)"},
        "B-PERSON O B-LOCATION",
        id="no complement of people",
    ),
    pytest.param(
        "Northby/PROPN/NNP University/PROPN/NNP",
        "1 1",
        {0: "(1-organization-x(2-place-y)", 1: "1)"},
        "B-ORGANISATION I-ORGANISATION",
        id="the outer name stands",
    ),
    pytest.param(
        "Ada/PROPN/NNP Bell/PROPN/NNP -/PUNCT/HYPH Ross/PROPN/NNP",
        "0 0 3 0",
        {0: "(1-person-x", 3: "1)"},
        "B-PERSON I-PERSON I-PERSON I-PERSON",
        id="hyphen",
    ),
    pytest.param("Widget/PROPN/NNP", "0", {0: "(1-object-x)"}, "?", id="other types are missing"),
    pytest.param("Monday/PROPN/NNP", "0", {0: "(1-time-x)"}, "O", id="times are none"),
]


@pytest.mark.parametrize(("text", "heads", "misc", "tags"), CASES)
def test_mentions_become_names(text: str, heads: str, misc: dict[int, str], tags: str) -> None:
    tagged = named(tree(text, heads, misc)).entities
    assert [tag or "?" for tag in tagged] == tags.split()
