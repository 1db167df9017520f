"""Tests for weps.name.mentions."""

import unicodedata
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from weps.name.mentions import MentionKind, matcher
from weps.name.person_name import PersonName

_CYRILLIC = [
    ("Иван Петров", "книга Ивана Петрова"),
    ("Дмитрий Иванов", "письмо Дмитрию Иванову"),
    ("Мария Иванова", "книга Марии Ивановой"),
    ("Павел Толстой", "речь Павла Толстого"),
    ("Ольга Соколова", "с Ольгой Соколовой"),
    ("Олександр Коваленко", "допоміг Олександру Коваленку"),
    ("Γιώργος Παππάς", "του Γιώργου Παππά"),
    ("Նարե Սարգսյան", "գիրքը Նարե Սարգսյանի"),
    ("გიორგი ბერიძე", "წიგნი გიორგი ბერიძის"),
    ("Jana Nováková", "kniha Jany Novákové"),
    ("Petr Novák", "kniha Petra Nováka"),
    ("Stanisław Wójcik", "książka Stanisława Wójcika"),
    ("Nemanja Petrović", "knjiga Nemanje Petrovića"),
    ("Jonas Kazlauskas", "knyga Jono Kazlausko"),
    ("Tomas Petraitis", "padėjo Tomui Petraičiui"),
    ("Rasa Kazlauskienė", "knyga Rasos Kazlauskienės"),
    ("Jón Sigurðsson", "bók Jóns Sigurðssonar"),
    ("Guðrún Jónsdóttir", "bók Guðrúnar Jónsdóttur"),
]
_SPELLINGS = [
    ("Jean-Luc Moreau", "Jean Luc Moreau"),
    ("Jean Luc Moreau", "Jean-Luc Moreau"),
    ("Mary Smith-Jones", "Mary Smith Jones"),
    ("J. R. Averdale", "J.R. Averdale"),
    ("J.R. Averdale", "J. R. Averdale"),
    ("J.-R. Averdale", "J. R. Averdale"),
    ("J. R. Averdale", "J.-R. Averdale"),
    ("Owen Owen", "Owen J. Owen"),
    ("Maria Maria", "Maria Maria"),
    ("José María de la Fuente", "Jose M. de la Fuente"),
    ("Ludwig van der Berg", "Ludwig Van der Berg"),
    ("Ludwig van der Berg", "Berg, Ludwig van der"),
    ("王小明", "王 小明"),
    ("张炜", "張煒"),
    ("田中 太郎", "田中太郎"),
    ("田中太郎", "田中 太郎"),
    ("田中 太郎", "田中(たなか)太郎"),
    ("김민수", "김 민수"),
    ("محمد الحسن", "ومُحَمَّد الحسن"),
    ("İbrahim Yılmaz", "İBRAHİM YILMAZ"),
    ("Ibrahim Yilmaz", "İbrahim Yılmaz"),
    ("José Núñez", "Jose Nunez"),
    ("Jose Nunez", "José Núñez"),
    ("Jürgen Groß", "JÜRGEN GROSS"),
    ("Jürgen Groß", "Juergen Gross"),
    ("Jürgen Groß", "Jurgen Gross"),
    ("Juergen Gross", "Jürgen Groß"),
    ("Thomas Müller", "Thomas Mueller"),
    ("Søren Kjær", "Soeren Kjaer"),
    ("Søren Kjær", "Sören Kjär"),
    ("Soren Kjaer", "Søren Kjær"),
    *(("Siobhan O'Brien", f"Siobhan O{sign}Brien") for sign in "'’‘´ʼ`"),
    ("Siobhan O’Brien", "Siobhan OBrien"),
    ("Dr. Robin Averdale, Jr.", "Robin Averdale"),
    ("Robin Averdale", "AVERDALE Robin"),
    ("Robin Averdale", "Averdale, Robin"),
    ("Robin Averdale", "Ｒｏｂｉｎ Ａｖｅｒｄａｌｅ"),
    ("Robin Averdale", "Robin\nAverdale"),
    ("Robin Averdale", "Robin “Rob” Averdale"),
    ("Robin Averdale", "Robin J. K. Averdale"),
    ("Robin Averdale", "Ro\u00adbin Aver\u00addale"),
    ("Robin Averdale", "robin averdale"),
    ("Wei Zhang", "Zhang Wei"),
    ("Νίκος Παπαδόπουλος", "ΝΙΚΟΣ ΠΑΠΑΔΟΠΟΥΛΟΣ"),
    ("Jan Kowalski", "Jana Kowalskiego"),
    ("Béla Varga", "Varga Béla"),
    ("Sigríður Þórðardóttir", "Sigridur Thordardottir"),
    ("Nguyễn Văn Hùng", "Nguyen Van Hung"),
    ("Trần Thị Mai", "Mai Thi Tran"),
    ("အောင်ကျော်မိုး", "အောင်ကျော်မိုး"),
    ("Khalid Mansour", "Khalid bin Ahmed Mansour"),
    ("Khalid Al-Mansour", "Khalid El Mansour"),
    ("Khalid Al-Mansour", "Khalid Almansour"),
    ("أحمد الخطيب", "احمد الخطيب"),
    ("משה כהן", "למשה כהן"),
    ("Yael Ben-Ami", "Yael Ben Ami"),
    ("Carmen Ruiz Ortega", "Carmen Ruiz y Ortega"),
    ("Ana Beatriz dos Santos", "Ana Beatriz Santos"),
    ("Ana Beatriz dos Santos", "SANTOS, Ana Beatriz dos"),
    ("Pieter van 't Hof", "Pieter van ’t Hof"),
    ("Pieter van 't Hof", "Hof, Pieter van 't"),
    ("Gijs Dijkstra", "Gĳs Dĳkstra"),
    ("Fiona MacDonald", "Fiona McDonald"),
    ("Fiona McDonald", "FIONA Mc Donald"),
    ("Friedrich von Waldburg", "Friedrich Freiherr von Waldburg"),
    ("Əli Məmmədov", "Ali Mammadov"),
    ("Ștefan Țurcanu", "Ştefan Ţurcanu"),
    ("Đorđe Ilić", "Djordje Ilic"),
    ("Сергей Орлов", "Орлов Сергей"),
    ("Chen Weiling", "Wei-Ling Chen"),
    ("Jihoon Park", "PARK Ji Hoon"),
    ("渡辺健一", "渡邊 健一"),
    ("ज़ाकिर ख़ान", "जाकिर खान"),
    ("Mme Claire Dubois", "Claire Dubois"),
    ("Cher", "CHER"),
]
_TYPED = sorted({typed for typed, _ in (*_SPELLINGS, *_CYRILLIC)})


def kinds(typed, text):
    """Kind and text of each mention."""
    found = matcher(PersonName.parse(typed)).find(text)
    return [(each.kind.value, text[each.start : each.end]) for each in found]


@each_case(("typed", "written"), _SPELLINGS)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_name_is_seen_in_every_spelling(typed, written, form):
    text = unicodedata.normalize(form, f"\n{written}\n")
    [(kind, found)] = kinds(unicodedata.normalize(form, typed), text)
    assert kind in {MentionKind.FULL, MentionKind.SPELLING}
    assert found == text.strip()


@each_case(("typed", "text"), _CYRILLIC)
def test_a_name_is_seen_in_every_case(typed, text):
    assert kinds(typed, text) == [("spelling", text.partition(" ")[2])]


_IN_ANOTHER_SCRIPT = [
    ("Dmitry Ivanov", "Дмитрий Иванов"),
    ("Dmitri Ivanov", "Иванов Дмитрий"),
    ("Thomas Baker", "Томас Бейкер"),
    ("Nikos Papadopoulos", "Ο Νίκος Παπαδόπουλος"),
    ("Mohammed Al-Hassan", "محمد الحسن"),
    ("Rahul Sharma", "राहुल शर्मा"),
    ("Wei Zhang", "张炜"),
    ("Xiaoming Wang", "王小明"),
    ("Wang Xiaoming", "王小明"),
    ("Kim Min-su", "김민수"),
    ("Lee Jae-yong", "이재용"),
    ("Ji-sung Park", "박지성"),
    ("Chung Hyun-woo", "정현우"),
    ("David Cohen", "דוד כהן"),
    ("Yosef Levi", "יוסף לוי"),
    ("Yitzhak Shapira", "יצחק שפירא"),
    ("Yusuf al-Baghdadi", "يوسف البغدادي"),
    ("Somchai Jaidee", "สมชาย ใจดี"),
    ("Giorgi Beridze", "გიორგი ბერიძე"),
    ("Nemanja Petrović", "Немања Петровић"),
    ("Nurlan Abishev", "Нұрлан Әбішев"),
]
_OF_EQUAL_SOUND = [
    ("Dmitri Ivanov", "Dmitry Ivanov"),
    ("Dmitry Ivanov", "Dmitrij S. Ivanov"),
    ("Aleksandr Petrov", "Alexander Petrov"),
    ("Sergei Petrov", "PETROV, Sergey"),
    ("Yekaterina Popova", "Ekaterina Popova"),
    ("Natalia Popova", "Natalja Ivanovna Popova"),
    ("Iouri Popov", "Yury Popov"),
    ("Mohammed Qasim", "Muhammad Qasim"),
    ("Khaled Mansour", "Khalid bin Ahmed Mansour"),
]


@each_case(("one", "other"), _OF_EQUAL_SOUND)
def test_given_names_of_equal_sound_may_be_the_same_in_both_directions(one, other):
    assert kinds(one, other) == [(MentionKind.ALIKE, other)]
    assert kinds(other, one) == [(MentionKind.ALIKE, one)]


@each_case(("latin", "other"), _IN_ANOTHER_SCRIPT)
def test_a_name_in_another_script_may_be_the_same_in_both_directions(latin, other):
    [(kind, found)] = kinds(latin, f"2024 {other}.")
    assert kind == MentionKind.SCRIPT
    assert found in other
    [(kind, found)] = kinds(other.removeprefix("Ο "), f"Dr. {latin} (born 1958)")
    assert (kind, found) == (MentionKind.SCRIPT, latin)


@each_case(
    ("typed", "text", "expected"),
    [
        ("राहुल शर्मा", "डॉ. राहुल शर्मा ने", [("full", "राहुल शर्मा")]),
        ("สมชาย วิชัย", "นายสมชาย วิชัยเป็น", [("full", "สมชาย วิชัย")]),
        ("김민수", "김민수는", [("full", "김민수")]),
        ("王小明", "我是王小明。", [("full", "王小明")]),
        ("Robert Miller", "Bob Miller", [("short form", "Bob Miller")]),
        ("Robin Averdale", "R. Averdale", [("initials", "R. Averdale")]),
        ("J. R. Averdale", "James R. Averdale", [("initials", "James R. Averdale")]),
        ("Robin Averdale", "Mr Averdale", [("family name", "Averdale")]),
        ("Nguyễn Văn An", "An hour later Mr. An and An won", [("family name", "An")] * 2),
        ("Will Long", "Long won. Long ago", [("family name", "Long")] * 2),
        ("Mary Ann Lee", "Ann Lee; Mary Lee", [("full", "Mary Lee")]),
        ("Juan Carlos de la Cruz", "Juan C. de la Cruz", [("full", "Juan C. de la Cruz")]),
        ("C++ (Baker", "C++ Baker", [("full", "C++ Baker")]),
        ("Иван Петров", "ИВАН ПЕТРОВ и петров", [("full", "ИВАН ПЕТРОВ")]),
        ("Thomas Baker", "Thomas Baker-Smith", [("longer", "Thomas Baker")]),
        ("张伟", "张伟丽夺冠", [("longer", "张伟")]),
        ("张伟", "张伟出生于北京", [("full", "张伟")]),
        ("Karl von und zu Stein", "Karl zu Stein", [("full", "Karl zu Stein")]),
        ("Karl zu Stein", "Karl von und zu Stein", [("full", "Karl von und zu Stein")]),
        ("Thomas Baker", "Thomas Baker's book", [("full", "Thomas Baker")]),
        ("Jude Brown", "Paul Miller/Jude Brown", [("full", "Jude Brown")]),
        ("Jude Brown", "(J.Miller/Smith/Jude Brown)", [("full", "Jude Brown")]),
        ("Mary Jones", "Smith/Jones", [("family name", "Jones")]),
        ("Ludwig van der Berg", "Berg; Mr van der Berg", [("family name", "Berg")] * 2),
        ("Allan Hanbury", "l'œuvre d'Allan Hanbury", [("full", "Allan Hanbury")]),
        ("Aldous Marchmont", "the Aldous Marchmont Award", [("thing", "Aldous Marchmont")]),
        ("Fritz Marel", "Fritz Marel Centre", [("thing", "Fritz Marel")]),
        (
            "Aldous Marchmont",
            "the steam merchant Aldous Marchmont",
            [("thing", "Aldous Marchmont")],
        ),
    ],
)
def test_kinds_of_mentions(typed, text, expected):
    assert kinds(typed, text) == expected


@each_case(
    ("typed", "text"),
    [
        ("David Miller", "Donald Miller"),
        ("Jon Smith", "Jan Smith"),
        ("Ian Smith", "Jan Smith"),
        ("Mary Smith", "Marie Smith"),
        ("Ludwig van der Berg", "David van der Berg, T. van der Berg"),
        ("Mary Jones", "/Mary Jones people/mary-jones a.org/Jones http://a.org/b/Mary Jones"),
        ("Robin Averdale", "D. Averdale"),
        ("Alexander Markham", "Earnest A. Markham"),
        ("Wei Zhang", "Zhang Weiwei"),
        ("Jordan Hill", "Jordanhill"),
        ("Li He", "He came. “He said: He won.” FOR HE IS HERE\nHe slept"),
        ("Thomas Baker", "Write to @thomas baker"),
        ("Thomas Baker", "www.thomas-baker.com"),
        ("Thomas Baker", "Thomas van der Baker"),
        ("Thomas Baker", "Thomas and Mary Baker"),
        ("Thomas Baker", "Lee Baker, Thomas Smith"),
        ("Thomas Baker", "It was thomas, the baker"),
        ("王小明", "王大明"),
        ("Nguyễn Văn Hùng", "Nguyễn Văn Hưng"),
        ("Ludwig van der Berg", "Ludwig von Berg"),
        ("María Wilson", "Mari Wilson"),
        ("Wei Zhang", "王炜, 张明"),
        ("Dmitry Ivanov", "Дмитрий Петров, Иван Иванов"),
        ("Dmitry Ivanov", "Дмитрий. Иванов"),
        ("", "anything"),
        ("😀", "😀"),
        ("?0 Baker", "+ baking"),
        ("(a *b", "[a]"),
    ],
)
def test_others_are_no_mention(typed, text):
    assert not kinds(typed, text)


@each_case(
    ("typed", "text"),
    [
        ("Jean Baker", "Joan Baker"),
        ("Eric Baker", "Erica Baker"),
        ("Karl Baker", "Carl Baker"),
        ("Xiaojun Chen", "Xiaoyun Chen"),
        ("Yoko Ono", "Yuko Ono"),
        ("Karim Mansour", "Karam Mansour"),
        ("Béla Varga", "Varga Bálint"),
        ("Jón Gunnarsson", "Jónas Gunnarsson"),
        ("Pieter van 't Hof", "Pieter van der Hof"),
        ("Fiona MacDonald", "Fiona McDonnell"),
        ("Petr Novák", "Petra Nováková"),
        ("Petr Novák", "Petra Novák"),
        ("Stanisław Wójcik", "Stanisława Wójcik"),
        ("Александр Коваленко", "Александра Коваленко"),
        ("Jana Petrović", "Jan Petrović"),
        ("Александр Орлов", "Анастасия Орлова"),
        ("Park Ji-hoon", "박지현, Park Ji-hyun"),
        ("Moshe Cohen", "מרדכי כהן, משה לוי"),
        ("Somchai Jaidee", "สมหญิง ใจดี"),
    ],
)
def test_a_given_name_that_is_alike_is_another(typed, text):
    assert {kind for kind, _ in kinds(typed, text)} <= {MentionKind.FAMILY}


MENTIONED = (
    "Thomas Baker|thomas baker|THOMAS BAKER|Thomas Baker's hat|Thomas-Baker|Prof. Dr. Thomas Baker|"
    "Thomas J Baker|Thomas J. Baker|thomas j. baker|Thomas J. W. Baker|Thomas William Baker|"
    "Thomas J. William Baker|Baker, Thomas|BAKER, THOMAS J.|the Bakers and Mr. Baker: Thomas Baker|"
    'Thomas   Baker|Thomas “Tom” Baker|Thomas "Tom" Baker|Thomas (Tom) Baker|Baker, Thomas J'
)
NOT_MENTIONED = (
    "Baker|Mr. Baker|William Baker|T. Baker|Baker; Thomas|Baker, William Thomas|"
    "Thomas and Baker|Thomas visited Baker|Thomas A. B. C. Baker|Thomasina Baker|"
    "Thomas, Baker and Sons|Thomas & Baker|Thomas / Baker|Thomas Irving. Baker"
)


@each_case(("texts", "expected"), [(MENTIONED, True), (NOT_MENTIONED, False)])
def test_mentions_of_the_whole_name(texts, expected):
    find = matcher(PersonName.parse("Thomas Baker")).find
    for text in texts.split("|"):
        assert any(each.is_whole for each in find(text)) is expected, text


@each_case(
    ("text", "expected"),
    [
        ("Robin Averdale met R. Holt.", [("full", "Robin Averdale"), ("spelling", "R. Holt")]),
        ("Robin Averdale-Holt", [("full", "Robin Averdale-Holt")]),
        ("Robin J. Averdale", [("full", "Robin J. Averdale")]),
        ("Mr Averdale and Mrs Holt", [("family name", "Averdale"), ("family name", "Holt")]),
        ("Mary Holt", []),
    ],
)
def test_every_spelling_is_found_and_none_overlap(text, expected):
    also = ["Robin J. Averdale", "R. Holt", "Robin Averdale-Holt"]
    found = matcher(PersonName.parse("Robin Averdale", also)).find(text)
    assert [(each.kind.value, text[each.start : each.end]) for each in found] == expected


def test_a_usual_given_name_is_no_family_name_that_stands_first():
    assert kinds("James Thomas", "Thomas James") == [("family name", "Thomas")]


def test_what_stands_around_and_between():
    text = "He met Prof. Robin “Rob” J. Averdale (1950–2001) there.\nNext"
    [mention] = matcher(PersonName.parse("Robin Averdale")).find(text)
    assert mention.before == "He met Prof. "
    assert mention.after == " (1950–2001) there."
    assert mention.between == ("“Rob”", "J.")
    [mention] = matcher(PersonName.parse("Robin Averdale")).find("x" * 400 + " Robin Averdale")
    assert mention.before == "x" * 99 + " "


@given(
    st.sampled_from(_TYPED),
    st.lists(st.sampled_from([*_TYPED, "met", ", ", "\n", "-", "(", "A.", "Mary"]), max_size=12),
)
def test_mentions_are_in_order_and_within_the_text(typed, parts):
    text = " ".join(parts)
    found = list(matcher(PersonName.parse(typed)).find(text))
    ends = [0, *(place for each in found for place in (each.start, each.end)), len(text)]
    assert ends == sorted(ends)
    assert all(each.start < each.end for each in found)


@given(
    st.sampled_from([*_TYPED, *(typed for typed, _ in _SPELLINGS)]),
    st.lists(st.sampled_from([*_TYPED, "Jose", "Nunez,", "A.", "\n", "(", "O'Brien", "of"])),
)
def test_what_stands_on_other_lines_changes_no_mention(typed, parts):
    text = " ".join(parts).encode("ascii", "ignore").decode()
    find = matcher(PersonName.parse(typed)).find
    moved = [replace(each, start=each.start + 2, end=each.end + 2) for each in find(text)]
    assert list(find(f"→\n{text}\n→")) == moved  # another alphabet has other patterns


@pytest.mark.parametrize(
    "unit", ["Thomas ", "Baker ", "T. ", "Thomas J. Baker, ", "Baker-", "“Thomas "]
)
def test_no_text_takes_long(unit):
    find = matcher(PersonName.parse("Thomas Baker")).find
    assert len(list(find(unit * 20_000))) <= 20_000


def test_who_is_named_before_particles_is_not_the_next_one():
    text = "Of David van der Berg, Ludwig van der Berg Smith"
    [mention] = matcher(PersonName.parse("Ludwig van der Berg")).find(text)
    assert (mention.inverted, mention.after) == (False, " Smith")


@given(st.sampled_from([name for name, _ in _CYRILLIC + _SPELLINGS]), st.data())
def test_patterns_for_texts_within_ascii_find_what_all_find(name, data):
    own = matcher(PersonName.parse(name))
    words = [
        *unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().split(),
        *("Baker", "van der", "(Ann)", "-", ",", "O'", "."),
    ]
    text = data.draw(st.lists(st.sampled_from(words), max_size=8).map(" ".join))
    for pattern in own.family_pattern, own._before, own._behind, own._own_particles:
        found = [
            [each.span() for each in way.finditer(text)] for way in (pattern(text), pattern._of_all)
        ]
        assert found[0] == found[1]
