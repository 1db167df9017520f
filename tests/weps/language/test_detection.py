"""The language of a text by script and function words."""

from tests.cases import each_case
from weps.language.detection import LANGUAGES, detect_language

_SENTENCES = {
    "ar": "وُلد الكاتب في مدينة صغيرة وعمل معلماً في المدرسة قبل أن ينشر كتابه الأول.",
    "bg": (
        "Той е роден в малко село и преди да стане писател е бил учител в града, където се е учил."
    ),
    "cs": (
        "Narodil se v malém městě a než začal psát knihy, byl učitelem na škole, kde také studoval."
    ),
    "da": (
        "Han blev født i en lille by og var lærer på den skole, hvor han selv havde gået som barn."
    ),
    "de": (
        "Sie wurde in einer kleinen Stadt geboren und war Lehrerin, bevor sie mit dem "
        "Schreiben anfing."
    ),
    "el": "Γεννήθηκε σε μια μικρή πόλη και ήταν δάσκαλος πριν από το πρώτο του βιβλίο.",
    "en": (
        "She was born in a small town and had been a teacher before she began to write her books."
    ),
    "es": "Nació en una ciudad pequeña y fue maestra antes de que empezara a escribir sus libros.",
    "fi": "Hän oli opettaja koulussa, jossa hän oli itse ollut oppilaana, ja kirjoitti kun ehti.",
    "fr": "Elle est née dans une petite ville et a été institutrice avant de se mettre à écrire.",
    "he": "הוא נולד בעיר קטנה ועבד כמורה לפני שפרסם את ספרו הראשון.",
    "hi": "उनका जन्म एक छोटे शहर में हुआ और वे पहले एक शिक्षक थे।",
    "hr": (
        "Rođen je u malom gradu i bio je učitelj u školi prije nego što se počeo baviti pisanjem."
    ),
    "hu": (
        "Egy kis városban született, és tanár volt abban az iskolában, ahol maga is "
        "tanult, mert ezt szerette."
    ),
    "hy": "Նա ծնվել է փոքր քաղաքում և եղել է ուսուցիչ։",
    "id": (
        "Dia lahir di sebuah kota kecil dan bekerja sebagai guru pada sekolah itu "
        "sebelum menulis buku."
    ),
    "it": (
        "È nata in una piccola città ed è stata maestra prima di cominciare a scrivere i "
        "suoi libri."
    ),
    "ja": "彼女は小さな町で生まれ、作家になる前は教師をしていました。",
    "ka": "ის პატარა ქალაქში დაიბადა და მასწავლებელი იყო.",
    "ko": "그녀는 작은 도시에서 태어났고 작가가 되기 전에는 교사였다.",
    "nl": (
        "Zij werd geboren in een kleine stad en was lerares voordat ze met het schrijven "
        "van boeken begon."
    ),
    "no": (
        "Hun ble født i en liten by og var lærer ved skolen der hun selv hadde gått, før "
        "hun begynte å skrive."
    ),
    "pl": (
        "Urodził się w małym mieście i był nauczycielem w szkole, w której sam się "
        "uczył, zanim został pisarzem."
    ),
    "pt": (
        "Ela nasceu em uma pequena cidade e foi professora antes de começar a escrever "
        "os seus livros."
    ),
    "ro": (
        "S-a născut într-un oraș mic și a fost profesor la școala în care a învățat, "
        "înainte de a scrie."
    ),
    "ru": (
        "Он родился в маленьком городе и был учителем в той школе, где сам учился, пока "
        "не начал писать."
    ),
    "sr": "Рођен је у малом граду и био је учитељ у школи пре него што је почео да пише.",
    "sv": (
        "Hon föddes i en liten stad och var lärare vid den skola där hon själv hade gått som barn."
    ),
    "ta": "அவர் ஒரு சிறிய நகரத்தில் பிறந்தார்.",
    "th": "เธอเกิดในเมืองเล็ก ๆ และเคยเป็นครูมาก่อน",
    "tr": (
        "Küçük bir şehirde doğdu ve yazmaya başlamadan önce kendi okuduğu okulda bir "
        "öğretmen olarak çalıştı, ama bu çok sürmedi."
    ),
    "uk": (
        "Він народився в малому місті і був учителем у тій школі, де сам навчався, поки "
        "не почав писати."
    ),
    "zh": "她出生在一个小城市,在成为作家之前是一名教师。",
}


def test_every_language_has_a_sentence():
    assert _SENTENCES.keys() == LANGUAGES.keys()


@each_case(("code", "sentence"), _SENTENCES.items())
def test_language_of_a_sentence(code, sentence):
    assert detect_language([sentence]) == code
    # Around it stand names and addresses in Latin letters.
    assert detect_language(["Robin Averdale", sentence, "robin@averdale.example"]) == code


@each_case(
    "blocks",
    [
        [],
        ["Robin Averdale"],
        ["Home | About | Contact | Login"],
        ["Averdale, Robin; Baker, Mary; de la Cruz, Ana; van der Berg, Jan"],
        ["404", "12.5 1,000"],
        ["de " * 50],
    ],
)
def test_without_running_text_there_is_no_language(blocks):
    assert detect_language(blocks) == ""


def test_a_word_in_every_row_does_not_decide():
    rows = ["w co to on a 1999"] + ["w 2001"] * 50
    assert detect_language([_SENTENCES["en"], *rows]) == "en"


def test_a_long_page_is_read_to_its_first_part():
    german = _SENTENCES["de"]
    assert detect_language([german] * 300 + [_SENTENCES["en"]] * 100_000) == "de"
