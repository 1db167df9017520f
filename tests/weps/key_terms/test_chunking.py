from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.weps.key_terms.sentences import TAGS, Chunk, chunk_sentence, sentences, tagged
from weps.key_terms.chunking import BREAK, ChunkKind, chunk_spans, class_letter, noun_heads

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
LETTERS = "dacnmgowrtpxvizsk,.h"


def read(line):
    """Words and tags, and the chunks that ``=N`` and the like end."""
    tokens, expected = [], []
    for token in line.split():
        if token[0] == "=" and token[1:] in A_MARK:
            start = expected[-1].end if expected else 0
            expected.append(Chunk(ChunkKind(token[1:]), start, len(tokens)))
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


@given(st.lists(sentences, max_size=4))
def test_a_sentence_is_read_for_itself(given_sentences):
    letters = BREAK.join(
        "".join(class_letter(*pair) for pair in sentence) for sentence in given_sentences
    )
    together = [(kind, end - start) for kind, start, end in chunk_spans(letters) if kind]
    apart = [
        (kind, end - start)
        for sentence in given_sentences
        for kind, start, end in chunk_sentence(sentence)
    ]
    assert together == apart


@given(st.text(LETTERS, max_size=40), st.text(LETTERS, max_size=40))
def test_a_clause_end_makes_the_next_words_independent(before, after):
    alone = [(kind, end - start) for kind, start, end in chunk_spans(after)]
    together = [(kind, end - start) for kind, start, end in chunk_spans(f"{before}.{after}")]
    assert together[len(together) - len(alone) :] == alone


@each_case(
    "pattern",
    "r ra d k nk nkp p pn pk it xr vnk h nh rh ow ,".split(),
)
def test_a_very_long_sentence(pattern):
    letters = "v" + pattern * (100_000 // len(pattern)) + "v"
    assert sum(end - start for _, start, end in chunk_spans(letters)) == len(letters)


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
    found = noun_heads(letters, [(1, 1 + len(phrase))])
    marked = "".join(
        each if flag else "_" for each, flag in zip(letters, found.tolist(), strict=True)
    )
    assert marked == f"_{expected}_"


def test_each_phrase_has_its_own():
    assert noun_heads("nnvnn", [(0, 2), (3, 5)]).tolist() == [False, True, False, False, True]
    assert noun_heads("nn", []).tolist() == [False, False]


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
    pairs = [token.rsplit("/", 1) for token in tokens.split()]
    assert {token: class_letter(*token) for token in map(tuple, pairs)} == dict.fromkeys(
        map(tuple, pairs), expected
    )


@given(st.text(), st.sampled_from([*TAGS, "", "SPACE", "odd"]))
def test_any_word_has_one_letter_which_is_no_break(word, tag):
    assert len(class_letter(word, tag)) == 1
    assert class_letter(word, tag).isascii()
    assert class_letter(word, tag) != BREAK
