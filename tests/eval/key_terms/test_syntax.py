from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.weps.builders import analysis_of as plain
from tests.weps.builders import document
from weps._text import split_words
from weps.errors import LanguageError
from weps.language.analysis import Analysis, Layer, Marks, analyse_documents
from weps_eval.key_terms import syntax

TAGS = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X".split()
WORDS = "Haiti haiti talks that who to 's - , . ; her Baker the of doing having 1,000 U.S.".split()

sentences = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(TAGS)), max_size=12)
"""Words with their tags."""
documents = st.lists(sentences, max_size=4)


class Chunk(NamedTuple):
    """Words ``start`` to ``end``, the latter excluded, of a sentence."""

    kind: syntax.ChunkKind
    start: int
    end: int


def chunk_sentence(sentence):
    """The chunks of tagged words."""
    letters = "".join(syntax._class_letter(word, tag) for word, tag in sentence)
    return [Chunk(*each) for each in syntax._chunk_spans(letters)]


def tagged(line):
    """``Haiti/PROPN fell/VERB`` → words and tags."""
    return [tuple(token.rsplit("/", 1)) for token in line.split()]


def analysis_of(*documents) -> Analysis:
    """An analysis of documents of tagged sentences, each of which stands in a block of its own."""
    flat = [sentence for each in documents for sentence in each]
    marks = Marks.of((at, *pair) for at, sentence in enumerate(flat) for pair in sentence)
    blocks = [document(*("word" for _ in each)) for each in documents]
    return analyse_documents("Thomas Baker", blocks, {Layer.TAGS: marks})


SPANISH = [
    "Previamente/ADV =Mod ,/PUNCT =P el/DET presidente/NOUN Bill/PROPN Clinton/PROPN =N había/AUX"
    " dicho/VERB =V que/SCONJ =Sub tenemos/VERB =V la/DET obligacion/NOUN =N de/ADP cambiar/VERB"
    " la/DET política/NOUN estadounidense/ADJ =Mod que/PRON =Sub no/ADV ha/AUX funcionado/VERB =V"
    " en/ADP Haití/PROPN =Mod ./PUNCT =P",
    "El/DET presidente/NOUN =N en/ADP funciones/NOUN =Mod de/ADP Haití/PROPN =Mod ha/AUX"
    " afirmado/VERB =V que/SCONJ =Sub",
]
"""The examples of sections 3.4 and 4.2."""
ENGLISH = [
    # noun phrases
    "the/DET Haiti/PROPN peace/NOUN talks/NOUN =N failed/VERB =V",
    "Haiti/PROPN 's/PART old/ADJ president/NOUN =N",
    "the/DET newly/ADV elected/VERB president/NOUN =N smiled/VERB =V",
    "the/DET two/NUM armed/VERB men/NOUN =N",
    "the/DET then/ADV president/NOUN =N",
    "a/DET very/ADV well/ADV -/PUNCT known/VERB author/NOUN =N",
    "the/DET award/NOUN -/PUNCT winning/VERB vice/NOUN -/PUNCT president/NOUN =N",
    "Haiti/PROPN =N -/PUNCT =P",
    "about/ADV 20/NUM men/NOUN =N",
    "Mary/PROPN =N the/DET book/NOUN =N",
    "she/PRON =N her/PRON dog/NOUN =N",
    "all/DET those/PRON =N",
    "everyone/PRON 's/PART friend/NOUN =N",
    # verbs
    "She/PRON =N has/AUX not/PART yet/ADV been/AUX seen/VERB =V",
    "He/PRON =N recently/ADV wanted/VERB to/PART have/AUX gone/VERB =V",
    "Did/AUX =V they/PRON =N go/VERB =V",
    "It/PRON =N is/AUX n't/PART =V far/ADV =Mod",
    "It/PRON =N worked/VERB =V has/AUX =V",
    # modifiers
    "is/AUX =V very/ADV old/ADJ =Mod",
    "out/ADP of/ADP the/DET house/NOUN =Mod",
    "of/SCONJ changing/VERB US/PROPN policy/NOUN =Mod",
    "of/SCONJ having/AUX been/AUX seen/VERB =Mod",
    "according/VERB to/ADP her/PRON =Mod",
    "until/ADP recently/ADV =Mod",
    "by/ADP only/ADV the/DET army/NOUN =Mod",
    "not/PART =Mod he/PRON =N",
    # subordinate clauses
    "the/DET man/NOUN =N that/PRON =Sub left/VERB =V",
    "That/PRON =N is/AUX =V",
    "the/DET house/NOUN =N in/ADP which/PRON =Sub he/PRON =N lived/VERB =V",
    "when/ADV =Sub asked/VERB =V",
    "after/SCONJ =Sub leaving/VERB =V",
    # conjunctions
    "Tom/PROPN and/CCONJ his/PRON wife/NOUN =N left/VERB =V",
    "both/CCONJ men/NOUN and/CCONJ women/NOUN =N",
    "of/ADP Haiti/PROPN and/CCONJ the/DET army/NOUN =Mod",
    "in/ADP Haiti/PROPN and/CCONJ in/ADP Rome/PROPN =Mod",
    "came/VERB =V and/CCONJ =P saw/VERB =V",
    "He/PRON =N saw/VERB =V Tom/PROPN and/CCONJ Mary/PROPN =N ./PUNCT =P",
    "He/PRON =N saw/VERB =V Tom/PROPN =N and/CCONJ =P Mary/PROPN =N left/VERB =V",
    "He/PRON =N died/VERB =V in/ADP Rome/PROPN =Mod and/CCONJ =P the/DET king/NOUN =N of/ADP"
    " France/PROPN =Mod left/VERB =V",
    "He/PRON =N died/VERB =V ,/PUNCT =P Tom/PROPN and/CCONJ Mary/PROPN =N left/VERB =V",
    # what is no sentence
    "Home/NOUN =N |/SYM =P News/NOUN =N",
    ",/PUNCT =P ,/PUNCT =P",
    "",
]
A_MARK = {"Mod", "N", "P", "Sub", "V"}


def read(line):
    """Words and tags, and the chunks that ``=N`` and the like end."""
    tokens, expected = [], []
    for token in line.split():
        if token[0] == "=" and token[1:] in A_MARK:
            start = expected[-1].end if expected else 0
            expected.append(Chunk(syntax.ChunkKind(token[1:]), start, len(tokens)))
        else:
            tokens += tagged(token)
    return tokens, expected


@each_case("line", SPANISH + ENGLISH)
def test_the_chunks_of_a_sentence(line):
    sentence, expected = read(line)
    assert chunk_sentence(sentence) == expected


@given(sentences | st.lists(st.tuples(st.text(max_size=3), st.sampled_from([*TAGS, "", "odd"]))))
def test_every_word_belongs_to_one_chunk(sentence):
    found = chunk_sentence(sentence)
    assert [at for each in found for at in range(each.start, each.end)] == [*range(len(sentence))]
    assert all(each.start < each.end for each in found)


@each_case(
    "pattern",
    "r ra d k nk nkp p pn pk it xr vnk h nh rh ow ,".split(),
)
def test_a_very_long_sentence(pattern):
    letters = "v" + pattern * (100_000 // len(pattern)) + "v"
    assert sum(end - start for _, start, end in syntax._chunk_spans(letters)) == len(letters)


@each_case(
    ("phrase", "expected"),
    [
        ("dmn", "__n"),
        ("mgan", "___n"),
        ("nmm", "_mm"),
        ("dnmhmm", "__mhmm"),
        ("mkdn", "m__n"),
        ("dnkn", "_n_n"),
        ("dna", "_n_"),
        ("mg", "m_"),
        ("o", "o"),
        ("da", "da"),
        ("mnm", "__m"),
        ("nn", "_n"),
    ],
)
def test_the_head_is_the_last_noun_or_name(phrase, expected):
    letters = f"n{phrase}n"
    found = syntax._noun_heads(letters, [(1, 1 + len(phrase))])
    marked = "".join(
        each if flag else "_" for each, flag in zip(letters, found.tolist(), strict=True)
    )
    assert marked == f"_{expected}_"


@each_case(
    ("expected", "tokens"),
    [
        ("d", "the/DET Her/PRON their/PRON both/CCONJ"),
        ("a", "old/ADJ"),
        ("c", "12/NUM 1,000/NUM $/SYM %/SYM"),
        ("n", "talks/NOUN foo/X she/NEW ©2005/SYM"),
        ("m", "Haiti/PROPN Who/PROPN"),
        ("g", "'s/PART ’s/PART '/PART"),
        ("o", "she/PRON these/PRON"),
        ("w", "that/PRON"),
        ("r", "soon/ADV oh/INTJ no/ADV"),
        ("t", "not/PART n’t/PART"),
        ("i", "to/PART To/PART"),
        ("p", "of/ADP of/SCONJ According/VERB to/ADP"),
        ("x", "has/AUX 's/AUX"),
        ("v", "said/VERB bring/VERB string/VERB"),
        ("z", "being/AUX saying/VERB trying/VERB"),
        (
            "s",
            "that/SCONJ que/SCONJ que/PRON Who/PRON When/ADV which/DET after/SCONJ mientras/SCONJ",
        ),
        ("k", "and/CCONJ &/CCONJ"),
        (",", ",/PUNCT */X =/SYM lrb/PUNCT (/PUNCT"),
        (".", "./PUNCT ?/PUNCT ;/PUNCT .../PUNCT :/SYM |/NOUN"),
        ("h", "-/PUNCT -/NOUN"),
    ],
)
def test_letters(expected, tokens):
    found = {token: syntax._class_letter(*token) for token in tagged(tokens)}
    assert found == dict.fromkeys(found, expected)


def pieces(letters, flags):
    """The letters of the chunks flagged."""
    bounds = syntax.Clauses.of(letters).bounds
    return [letters[start:end] for start, end in bounds[np.flatnonzero(flags)]]


@each_case(
    ("letters", "heads", "modifiers"),
    [
        ("dnpnpmxvs", ["dn"], ["pn", "pm"]),
        ("nvn", ["n"], []),
        ("pnv", [], []),
        ("pn,nv", ["n"], []),
        ("n,v", [], []),
        ("vn", [], []),
        ("nvovn", ["n", "o"], []),
        ("nvsnv", ["n"], []),
        ("snv,nv", ["n"], []),
        ("nvniv", ["n"], []),
        ("ntiv", [], []),
        ("nriv", [], []),
        ("nvnzv", ["n"], []),
        ("nxzv", ["n"], []),
        ("nrv", ["n"], []),
        ("nkmv", ["nkm"], []),
        (f"npn{syntax.BREAK}v", [], []),
        (f"v{syntax.BREAK}nv", ["n"], []),
    ],
)
def test_subjects_stand_immediately_before_the_verb_of_a_main_clause(letters, heads, modifiers):
    found = syntax.Clauses.of(letters).subjects()
    assert [pieces(letters, each) for each in found] == [heads, modifiers]


SUBJECT = (
    "El/DET presidente/NOUN en/ADP funciones/NOUN de/ADP Haití/PROPN ha/AUX afirmado/VERB que/SCONJ"
    " Clinton/PROPN ganó/VERB ./PUNCT"
)
TALKS = (
    "The/DET secret/ADJ Haiti/PROPN peace/NOUN talks/NOUN in/ADP Rome/PROPN have/AUX not/PART"
    " failed/VERB the/DET poor/ADJ country/NOUN ,/PUNCT Thomas/PROPN Baker/PROPN of/ADP York/PROPN"
    " left/VERB last/ADJ week/NOUN ./PUNCT"
)
FIELDS = ("document", "content", "distance", "subject", "head", "modifier", "noun_phrase")


def one(line, **options) -> syntax.Positions:
    return syntax.word_positions(analysis_of([tagged(line)]), **options)


def where(found, flags):
    return " ".join(found.forms[form] for form in found.form[flags])


def rows(found):
    """Each word with all that is known of it."""
    columns = [getattr(found, field).tolist() for field in FIELDS]
    return [
        (found.forms[form], *row) for form, *row in zip(found.form.tolist(), *columns, strict=True)
    ]


def test_the_example_of_section_4():
    found = one(SUBJECT)
    assert where(found, found.subject) == "el presidente en funciones de haití"
    assert where(found, found.head) == "el presidente"
    assert where(found, found.modifier) == "en funciones de haití"


def test_where_the_words_of_a_sentence_stand():
    found = one(TALKS)
    assert where(found, found.content) == (
        "secret haiti peace talks rome failed poor country york left week"
    )
    assert " ".join(map(str, found.distance[found.content])) == "-5 -4 -3 -2 -1 0 1 -2 -1 0 1"
    assert where(found, ~found.noun_phrase) == "have not failed left"


@pytest.mark.parametrize(
    ("compounds", "head", "modifier"),
    [
        (False, "the secret haiti peace talks thomas baker", "in rome of york"),
        (True, "talks thomas baker", "the secret haiti peace in rome of york"),
    ],
)
def test_in_english_modifiers_also_stand_before_the_head(compounds, head, modifier):
    found = one(TALKS, compounds=compounds)
    assert where(found, found.head) == head
    assert where(found, found.modifier) == modifier


@each_case(
    ("line", "expected"),
    [
        ("tides/NOUN moons/NOUN", [0, 0]),
        ("tides/NOUN who/PRON came/VERB", [0, 0, 0]),
        ("is/AUX tides/NOUN moons/NOUN winds/NOUN rose/VERB", [0, 1, -2, -1, 0]),
        ("tides/NOUN rose/VERB when/ADV moons/NOUN set/VERB", [-1, 0, 0, -1, 0]),
        ("tides/NOUN 's/AUX moons/NOUN", [-1, 1]),
        ("tides/NOUN of/ADP the/DET moon/NOUN rose/VERB", [-2, 0, 0, -1, 0]),
        ("tides/NOUN of/ADP Baker/PROPN rose/VERB", [-1, 0, 0, 0]),
    ],
)
def test_distances_count_content_words_within_the_clause(line, expected):
    assert one(line).distance.tolist() == expected


def test_words_are_those_of_the_one_rule():
    found = one("U.S./PROPN O'Brien/PROPN ’s/PART half-built/ADJ --/PUNCT 1,000/NUM")
    assert [found.forms[form] for form in found.form] == "u s o'brien half built 1,000".split()
    assert len(found.form) == 6


def placed(sentence):
    """Each word (empty for punctuation), the number of its clause, and whether it is of a verb."""
    clause, subordinate, ended = 0, False, False
    for chunk in chunk_sentence(sentence):
        first = syntax._class_letter(*sentence[chunk.start])
        if chunk.kind == "Sub" or ended:
            clause, subordinate = clause + 1, chunk.kind == "Sub"
        ended = first == "." or (chunk.kind == "P" and first != "k" and subordinate)
        for token, _ in sentence[chunk.start : chunk.end]:
            yield from ((word, clause, chunk.kind == "V") for word in split_words(token) or [""])


def distances_one_by_one(sentence, content):
    """Distances by looking at every verb of the clause."""
    words = list(placed(sentence))
    counted = [word in content and not of_verb for word, _, of_verb in words]
    for at, (word, clause, _) in enumerate(words):
        verbs = [to for to, (_, there, of_verb) in enumerate(words) if of_verb and there == clause]
        far = [(1 + sum(counted[min(at, to) + 1 : max(at, to)]), at > to) for to in verbs]
        if word:
            nearest, after = min(far) if far and counted[at] else (0, True)
            yield nearest if after else -nearest


@given(documents)
def test_distances_as_clauses_one_by_one(sentences):
    found = syntax.word_positions(analysis_of(sentences))
    content = {found.forms[form] for form in found.form[found.content]}
    expected = [far for each in sentences for far in distances_one_by_one(each, content)]
    assert found.distance.tolist() == expected


@given(st.lists(documents, max_size=4), st.booleans())
@example(pages=[], compounds=False)
@example(pages=[[[]]], compounds=True)
def test_flags_agree_with_one_another(pages, compounds):
    found = syntax.word_positions(analysis_of(*pages), compounds=compounds)
    assert not (found.head & found.modifier).any()
    assert np.array_equal(found.head | found.modifier, found.subject)
    assert not (found.subject & ~found.noun_phrase).any()
    assert not ((found.distance != 0) & ~found.content).any()
    assert len(set(found.forms)) == len(found.forms)
    assert all(form == form.lower() for form in found.forms)


@given(documents)
def test_sentences_in_another_order(sentences):
    whole = rows(syntax.word_positions(analysis_of(sentences)))
    parts = [rows(syntax.word_positions(analysis_of([each]))) for each in sentences]
    assert whole == [row for each in parts for row in each]


def test_pages_without_tags_are_refused():
    with pytest.raises(LanguageError, match="without tags"):
        syntax.word_positions(plain("The tide rose."))
