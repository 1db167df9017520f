from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from weps._text import singular_form, split_tokens, split_words, token_spans


@each_case(
    ("text", "expected"),
    [
        ("王伟是教授。", ["王伟", "是", "教授", "。"]),
        ("東京IBM社の田中さん", ["東京", "IBM", "社", "の", "田中", "さん"]),
        ("อยู่ที่มหาวิทยาลัย 2 ปี", ["อยู่", "ที่", "มหาวิทยาลัย", "2", "ปี"]),
        ("ພາສາລາວ, ဘာသာစကား", ["ພາສາ", "ລາວ", ",", "ဘာသာစကား"]),
        ("中 O’Brien’s", ["中", "O'Brien", "'s"]),
        ("서울 대학교", ["서울", "대학교"]),
    ],
)
def test_languages_without_blanks_are_divided_into_words(text, expected):
    assert split_tokens(text) == expected
    straight = text.replace("’", "'")
    assert [straight[begin:end] for begin, end in token_spans(text)] == expected


TEXTS = st.text(st.one_of(st.characters(), st.sampled_from("aZ's’- ._İ")))


@each_case(
    ("text", "expected"),
    [
        ("", []), (" \n\t ", []), ("Thomas Baker", ["Thomas", "Baker"]),
        ("Baker, T.", ["Baker", ",", "T", "."]), ("well-known", ["well", "known"]),
        ("York - Leeds", ["York", "-", "Leeds"]), ("-5", ["-", "5"]),
        ("snake_case", ["snake", "_", "case"]), ("O'Brien", ["O'Brien"]),
        ("O'Shea", ["O'Shea"]), ("Baker's hat", ["Baker", "'s", "hat"]),
        ("l'université d’histoire", ["l'", "université", "d'", "histoire"]),
        ("d'Arc L'Engle D'angelo", ["d'Arc", "L'Engle", "D'angelo"]),
        ("L’avocate n'y", ["L'", "avocate", "n'", "y"]),
        ("d's aujourd'hui", ["d", "'s", "aujourd'hui"]),
        ("dell'arte don't rock'n'roll", ["dell'", "arte", "don't", "rock'n'roll"]),
        ("BAKER'S", ["BAKER", "'S"]), ("the Bakers' hats", ["the", "Bakers", "'", "hats"]),
        ("'quoted'", ["'", "quoted", "'"]), ("room 42b", ["room", "42b"]),
        ("1,000 runs in 12.5 s.", ["1,000", "runs", "in", "12.5", "s", "."]),
        ("at 10.30am", ["at", "10", ".", "30am"]),
        ("Müller Ωmega 北京", ["Müller", "Ωmega", "北京"]),
        ("tb@york.example", ["tb", "@", "york", ".", "example"]), ("?!…", ["?", "!", "…"]),
    ],
)  # fmt: skip
def test_tokens(text, expected):
    assert split_tokens(text) == expected


@each_case(
    ("text", "expected"),
    [
        ("", []), ("?!", []), ("Thomas J. BAKER", ["thomas", "j", "baker"]),
        ("Thomas_Baker", ["thomas", "baker"]), ("O'Brien", ["o'brien"]),
        ("Baker's hat", ["baker", "hat"]), ("index.html?id=5", ["index", "html", "id", "5"]),
    ],
)  # fmt: skip
def test_words(text, expected):
    assert split_words(text) == expected


@given(TEXTS)
def test_words_are_the_tokens_that_are_words_in_lower_case(text):
    assert split_words(text) == [
        token.lower() for token in split_tokens(text) if token[0].isalnum()
    ]


@given(st.text(st.characters(max_codepoint=127)) | st.text("aS1.,'_- ", max_size=12))
def test_texts_of_ascii_have_the_same_tokens_as_others(text):
    assert split_tokens(text) == [text[begin:end] for begin, end in token_spans(text)]
    assert [*split_tokens(text), "é"] == split_tokens(f"{text} é")


@given(TEXTS)
def test_tokens_keep_every_visible_character_but_hyphens(text):
    without_hyphens = str.maketrans("’", "'", "-")
    kept, visible = "".join(split_tokens(text)), "".join(text.split())
    assert kept.translate(without_hyphens) == visible.translate(without_hyphens)


SINGULARS = (
    "books/book studies/study flies/fly churches/church dishes/dish classes/class boxes/box "
    "horses/horse houses/house pies/pie book/book class/class bus/bus analysis/analysis gas/gas"
)


@each_case("pair", SINGULARS.split())
def test_singular(pair):
    plural, expected = pair.split("/")
    assert singular_form(plural) == expected
