from dataclasses import replace

import numpy as np
from scipy import sparse

from tests.cases import each_case
from tests.weps.builders import analysis_of, document
from weps.features.entities import entity_form
from weps.name.person_name import PersonName
from weps.people.context import ContextEntities, Statement
from weps.people.statements import page_statements
from weps.people.values import occupation_at, organisations_of, site_of

NOBODY = ContextEntities((), (), sparse.csr_array((1, 0), dtype=np.int32))


def statements(
    text: str, name: str = "Thomas Baker", emails: tuple[str, ...] = ()
) -> list[Statement]:
    page = document(*text.split("\n"), emails=emails)
    return list(page_statements(analysis_of(page, name=name), NOBODY)[0])


def told(text: str, name: str = "Thomas Baker", emails: tuple[str, ...] = ()) -> set[str]:
    """The statements but those of the name and of occupations, with what a relative is."""
    return {
        " ".join(filter(None, (f"{each.attribute}:", each.detail, each.value)))
        for each in statements(text, name, emails)
        if each.attribute not in {"other name", "occupation"}
    }


@each_case(
    ("text", "expected"),
    [
        (
            "Baker was born on May 4, 1921 in York, England, and died on 3 March 1999.",
            {"date of birth: 1921-05-04", "birth place: York, England"},
        ),
        (
            "Born in Leeds, on July 22, 1940, Thomas Baker played jazz.",
            {"date of birth: 1940-07-22", "birth place: Leeds"},
        ),
        ("He died in 1999.", {"date of death: 1999"}),
        ("He attended HILL HIGH SCHOOL.", {"school: Hill High School"}),
        (
            "Thomas Baker, born 27 Sep 1852, Hill, South Australia, AUS., died 6 Dec 1924, Leeds.",
            {"date of birth: 1852-09-27", "date of death: 1924-12-06"},
        ),
        ("It rained. From 1960 on (and later), he lived in York.", {"location: York"}),
        ("He came.\nHe died in 1999.", {"date of death: 1999"}),
        ("Thomas Baker (R-TX)", {"affiliation: Republican Party", "location: Texas"}),
        ("Thomas Baker (D, Ohio)", {"affiliation: Democratic Party", "location: Ohio"}),
        ("Thomas Baker (R-SC-3)", {"affiliation: Republican Party", "location: South Carolina"}),
        ("Thomas Baker (GOP)", {"affiliation: Republican Party"}),
        ("Thomas Baker (D)", set()),
        ("Thomas Baker met Paul Baker. He died in 1999.", {"date of death: 1999"}),
        ("Dr. Baker practices medicine in Deal, Ohio.", {"location: Deal, Ohio"}),
        ("He was born on 30 February 1950.", {"date of birth: 1950-02"}),
        ("He was born on 1950-13-30.", {"date of birth: 1950"}),
        ("He was born on 18/5/1896.", {"date of birth: 1896-05-18"}),
        ("He lives with his dog in Deal, Ohio.", {"location: Deal, Ohio"}),
        ("Baker moved to New York City.", {"location: New York City"}),
        ("He joined the Kansas Supreme Court.", {"affiliation: Kansas Supreme Court"}),
        ("He taught Greek at Webster University.", {"affiliation: Webster University"}),
        ("He graduated in 1960 from Yale University.", {"school: Yale University"}),
        (
            "He received his Ph.D. in physics from Yale.",
            {"degree: Ph.D.", "major: physics", "school: Yale"},
        ),
        ("His wife, Mary Lee Hill, paints.", {"relative: wife Mary Lee Hill"}),
        ("His wife, Mary E. Hill, paints.", {"relative: wife Mary E. Hill"}),
        (
            "He is the son of Paul Baker and Mary Hill.",
            {"relative: parent Paul Baker", "relative: parent Mary Hill"},
        ),
        ("Thomas Baker was the father of Mary Hill.", {"relative: child Mary Hill"}),
        ("Thomas Baker, the nephew of Mary Hill, paints.", {"relative: Mary Hill"}),
        (
            "He is survived by his sons, Paul and Mark Baker.",
            {"relative: sons Paul", "relative: sons Mark Baker"},
        ),
        ("Baker married Jane Hill in 1960.", {"relative: spouse Jane Hill"}),
        ("He studied organ with Jean Langlais.", {"mentor: Jean Langlais"}),
        ('He wrote the novel "The Long Count".', {"work: The Long Count"}),
        (
            "His novels include The Long Count (1960), Kelp (1972) and Tea for Two (1980).",
            {"work: The Long Count", "work: Kelp", "work: Tea for Two"},
        ),
        ("He won the Pulitzer Prize twice.", {"award: Pulitzer Prize"}),
        ("He is an American painter.", {"nationality: American"}),
        ("He is an English department chair and an English teacher.", set()),
    ],
)
def test_sentences_about_the_person_are_read(text, expected):
    assert expected <= told(f"Thomas Baker is here. {text}")


@each_case(
    ("text", "expected"),
    [
        (
            "He holds a B.A. in history from Webster College, an M.L.S. from University of York, "
            "and a Ph.D. from Yale.",
            {
                "degree: B.A.",
                "degree: M.L.S.",
                "degree: Ph.D.",
                "major: history",
                "school: Webster College",
                "school: University of York",
                "school: Yale",
            },
        ),
        (
            "He attended Deal Grammar School, and then York College.",
            {"school: Deal Grammar School", "school: York College"},
        ),
        (
            "He studied at Yale, and taught at Hill College.",
            {"school: Yale", "affiliation: Hill College"},
        ),
        (
            "He was a fellow at York College (1964-5) and visiting professor at Webster College.",
            {"affiliation: York College", "affiliation: Webster College"},
        ),
        (
            "He is a member of the Deal Society and the Kelp Committee.",
            {"affiliation: Deal Society", "affiliation: Kelp Committee"},
        ),
        (
            "He is a member of the Deal Society (1990), the Kelp Project and the Ohio Legislature.",
            {
                "affiliation: Deal Society",
                "affiliation: Kelp Project",
                "affiliation: Ohio Legislature",
            },
        ),
        (
            "He is a professor at Hill College, and director of the Kelp Survey.",
            {"affiliation: Hill College", "affiliation: Kelp Survey"},
        ),
        ("He is director of the Kelp Survey, Lane Corbin said.", {"affiliation: Kelp Survey"}),
        ("He was elected to the Ohio assembly.", {"affiliation: Ohio assembly"}),
        ("He is a student at York College.", set()),
        ("A member of the Deal Society, Baker left.", {"affiliation: Deal Society"}),
        ("He joined a jazz band called Kelp.", {"affiliation: Kelp"}),
        ("He founded Gannet in 1980.", {"affiliation: Gannet"}),
        ("He worked for Paul Hill in London.", set()),
        ("He holds the Hill Chair at Yale.", {"affiliation: Yale"}),
        ("He met a man who taught at York College.", set()),
        ("He worked with his son at York College.", set()),
    ],
)  # fmt: skip
def test_lists_of_schools_and_employers_are_read(text, expected):
    assert told(f"Thomas Baker is here. {text}") == expected


@each_case(
    "text",
    [
        "John Hill came. He was born in Leeds in 1921.",
        "Mr. Okafor came. He was born in Leeds in 1921.",
        "After John Hill left, he was born in Leeds in 1921.",
        "It rained. It snowed. It froze. He was born in Leeds in 1921.",
        "Thomas Baker met Ann Hill, who said that her husband, Paul Hill, was born in Leeds.",
        "He likes tea. She was born in Leeds.",
        "Camp Baker is in Leeds. Baker was born in May.",
        "the son of Thomas Baker was born in 1921",
        "Baker was born between 1840 - 1848. He died after 1901.",
        "Thomas Baker (born after 1840 - died before 1901)",
        "© Thomas Baker 1980-2005",
        "Thomas Baker\nISBN 0140133968, 1961-1963",
        "Thomas Baker descends from Sir Paul Baker, who taught. He was born in Leeds.",
        "The Baker family lived there. He was born in Leeds.",
        "The “Baker of Leeds” is a ship.",
        "He performed the Hill Service Committee.",
        "He worked and set the Hill Road Company.",
        "He came. Mrs. Baker was born in Leeds.",
        "Hill worked with Thomas Baker. He was born in Leeds.",
        "Mr. Hill and his wife, Mary, met Thomas Baker.",
        "by Thomas Baker\nPhone: 617-555-0123\nWeb site: www.shop.example",
        "Thomas Baker\nLibrary Binding",
        "Camp Thomas Baker, Leeds",
        "Thomas Baker\nPhone: 1961-1963\nE-mail: orders@shop.example",
        "Thomas Baker\nContact: Paul Hill 617-555-0123",
        "Thomas Baker\nAll rights reserved\nPhone: 617-555-0123",
        "Thomas Baker (Music Library Association)",
        "1. Thomas Baker (AUT)",
        "Working with Thomas Baker, she was born in Leeds.",
        "At the request of Paul Hill and Thomas Baker, GAO was asked to help.",
        "Ann Hill taught at Baker College and was born in Leeds.",
        "Deal is about thirteen-year-old Olu Okafor, his younger brothers James and Paul.",
    ],
)
def test_sentences_about_others_are_not(text):
    assert told(f"Thomas Baker came.\n{text}") == set()


@each_case(
    ("run", "expected"),
    [
        ("Women's Program", ["Women's Program"]),
        ("Women's Program Co-Director", []),
        ("Deal Health and Science University", ["Deal Health and Science University"]),
        (
            "Webster Internet Institute at the University of York in Leeds",
            ["Webster Internet Institute", "University of York"],
        ),
        ("University of York and Editor-in-Chief", ["University of York"]),
        ("University of York and Mr", ["University of York"]),
        ("University of York's Presidential Chair", ["University of York"]),
        ("Labour Party in May", ["Labour Party"]),
        ("GOP", ["Republican Party"]),
        ("Univ. of York", ["Univ. of York"]),
        ("School of Law", ["School of Law"]),
        ("Ohio House of Representatives", ["Ohio House of Representatives"]),
        ("Navy", ["Navy"]),
        ("High School", []),
        ("Hill Music Library", ["Hill Music Library"]),
        ("Library of Hill", ["Library of Hill"]),
        ("University College Leeds", ["University College Leeds"]),
        ("Library Binding", []),
    ],
)  # fmt: skip
def test_a_run_names_organisations(run, expected):
    recognised = {
        entity_form(each, "organisation")
        for each in ("Women's Program", "Women's Program Co-Director", "Deal Health")
    }
    assert organisations_of(run, set(), recognised) == expected


@each_case(
    ("text", "expected"),
    [
        ("Thomas Baker is Professor at NCAR.", {"affiliation: NCAR"}),
        ("Thomas Baker, a clerk at Gannet Concrete, came.", {"affiliation: Gannet Concrete"}),
        ("Thomas Baker, Attorney at Law", set()),
        ("Talks: Thomas Baker, NCAR; Ann Lee", {"affiliation: NCAR"}),
        ("Results: Thomas Baker (GBR) won", set()),
        ("Members: Thomas Baker, FRCS.", set()),
        ("Webster College dean Thomas Baker spoke.", {"affiliation: Webster College"}),
        ("Then NCAR's chief scientist Thomas Baker spoke.", {"affiliation: NCAR"}),
        ("Conservative leader Thomas Baker spoke.", {"affiliation: Conservative Party"}),
        ("Thomas Baker, Webster College dean, spoke.", {"affiliation: Webster College"}),
        ("HEALTH MINISTER THOMAS BAKER SPOKE", set()),
        ("Thomas Baker, Ph.D., MBA, spoke.", {"degree: Ph.D.", "degree: MBA"}),
        ("Thomas Baker met Paul Pelham. Baker joined the U.S. Navy.", {"affiliation: U.S. Navy"}),
    ],
)  # fmt: skip
def test_employers_stand_around_occupations(text, expected):
    assert told(text) == expected


@each_case(
    ("text", "expected"),
    [
        ("He read law, and later became a QC in 1982.", {"QC"}),
        ("He joined Gannet in 1980 as a lighting designer.", {"lighting designer"}),
        ("He worked as a logger and farmer.", {"logger", "farmer"}),
        ("Elected governor of Ohio in 1801, Baker left.", {"governor of Ohio"}),
        ("He is the minister for Trade and Industry.", {"minister for Trade and Industry"}),
        ("He was promoted to the rank of lieutenant.", {"lieutenant"}),
        ("Before the war (in 1930), he was a lawyer.", {"lawyer"}),
        ("He attended Yale and was a jazz pianist.", {"jazz pianist"}),
        ("He is a poet;painter, and an organist.", {"poet", "painter", "organist"}),
        ("Baker, 1935–, English novelist, paints.", {"English novelist"}),
        ("Thomas Baker QC MP spoke.", {"QC", "MP"}),
        ("He became co-director and vice-president.", {"co-director", "vice-president"}),
        ("He was treated by a man who worked as a nurse.", set()),
        ("He would have become a painter.", set()),
        ("He is an avid painter.", set()),
        ("He is an advocate of tea.", set()),
        ("Thomas Baker, notes historian Paul Hill, came.", set()),
        ("As home secretary, he left.", {"home secretary"}),
        ("He retired to become a painter.", {"painter"}),
        ("He has said that Hill became a painter.", set()),
        ("He won over President Thomas Baker and became a painter.", {"president"}),
        ("He was a painter under both Thomas Baker and Paul Hill.", set()),
        ("He was a painter until 1983, when Thomas Baker sailed.", {"painter"}),
        ("Climbers came, great painters such as Ann Lee, Thomas Baker and Hill.", {"painter"}),
        ("Paul Hill, Office of Rep. Thomas Baker (D-MA), painter", {"representative"}),
    ],
)
def test_sentences_tell_occupations(text, expected):
    found = statements(f"Thomas Baker is here. {text}")
    assert {each.value for each in found if each.attribute == "occupation"} == expected


@each_case(
    ("text", "expected"),
    [
        ("Paul Thomas Baker is here.", {"Paul Thomas Baker"}),
        ("Great Paul Thomas Baker: a review", {"Thomas Baker"}),
        ("A. Thomas Baker 2.9 1.0", {"Thomas Baker"}),
        ("It is Thomas Hill Baker. See Thomas Baker.", {"Thomas Hill Baker"}),
        ("See Thomas Baker. It is Thomas Hill Baker.", {"Thomas Baker"}),
        ("See Thomas Baker. It is Thomas H. Baker.", {"Thomas H. Baker"}),
        ("Thomas Baker\nIt is Thomas Hill Baker.", {"Thomas Hill Baker"}),
        ("Thomas Baker Holt is here.", {"Thomas Baker Holt"}),
        ("Thomas Baker-Holt Wines", {"Thomas Baker"}),
        ("Dicey S Song Thomas Baker Books\nDicey S Song Thomas Baker", {"Thomas Baker"}),
        ("Investigator Paul Thomas Baker came", {"Paul Thomas Baker"}),
        ("Thomas Baker-Holt Wines\nThomas Baker-Holt Vineyard", {"Thomas Baker Holt"}),
    ],
)
def test_further_names_stand_alone_or_twice(text, expected):
    assert {e.value for e in statements(text) if e.attribute == "other name"} == expected


@each_case(
    ("text", "expected"),
    [
        (
            "He is survived by his wife, Ann; two sons, Paul Baker of York and Mark; a daughter "
            "and son-in-law, Mary and Tom Hill; and a sister, Jane Lee of Leeds.",
            "wife Ann, sons Paul Baker, sons Mark, Mary, Tom Hill, sister Jane Lee",
        ),
        ("Survivors include her husband, Paul Hill.", ""),
        ("Baker left behind a daughter, Ann, her husband Paul Lee and Tom.", "daughter Ann"),
        ("They had two children: Ann and Paul.", "children Ann, children Paul"),
        (
            "He is the son of Paul Baker, a surveyor from York, and Ann Hill.",
            "father Paul Baker, mother Ann Hill",
        ),
        (
            "He is the son of Paul C, a clerk from York, and Ann Hill.",
            "father Paul, mother Ann Hill",
        ),
    ],
)
def test_lists_of_relatives_are_read(text, expected):
    found = told(f"Thomas Baker is here. He came. {text}")
    assert found == {f"relative: {each}" for each in filter(None, expected.split(", "))}


@each_case(
    ("lines", "expected"),
    [
        ("Occupation: poet (1990), painter", {"occupation: poet", "occupation: painter"}),
        (
            "Children: Ann Baker (1950-); Paul Baker (1960-)",
            {"relative: children Ann Baker", "relative: children Paul Baker"},
        ),
        ("Date of birth (place)\n1935\nLeeds, England", {
            "date of birth: 1935", "birth place: Leeds, England",
        }),
        ("Place of birth\nLeeds, England", {"birth place: Leeds, England"}),
        ("The Kelp Survey, Hill College, Deal, Ohio", {
            "affiliation: Hill College", "location: Deal, Ohio",
        }),
        ("Hill College, Western Bank, Leeds", {"affiliation: Hill College"}),
        ("B.S., University of York", {"school: University of York"}),
    ],
)  # fmt: skip
def test_fields_have_lists_and_places(lines, expected):
    found = statements(f"Thomas Baker\n{lines}")
    assert {
        " ".join(filter(None, (f"{each.attribute}:", each.detail, each.value)))
        for each in found
        if each.attribute != "other name"
    } == expected


def test_an_occupation_that_is_a_family_name_is_none():
    found = [occupation_at(text, set()) for text in ("Mary Cook", "Paris Mayor", "Mary the cook")]
    assert [each and each.text for each in found] == [None, "Paris mayor", None]


@each_case(
    ("address", "url", "is_own"),
    [
        ("www.shop.example/", "http://shop.example/books?q=1", False),
        ("http://www.shop.example", "http://www.shop.example/x", False),
        ("http://shop.example/~tb", "http://shop.example/x", True),
        ("www.baker.example", "http://www.baker.example/cv", True),
        ("www.york.example", "http://www.shop.example/x", True),
        ("www.york.example", "", True),
    ],
)
def test_the_front_page_of_the_site_is_not_the_persons(address, url, is_own):
    found = site_of(address, url, PersonName.parse("Thomas Baker"))
    assert found == (address.rstrip("/") if is_own else "")


def test_a_shop_has_no_profiles():
    block = "Thomas Baker\nPhone: 617-555-0123"
    kinds = []
    for url in ("http://york.example/staff", "http://www.shop.example.com/shop/item"):
        page = replace(document(*block.split("\n")), url=url)
        found = page_statements(analysis_of(page, name="Thomas Baker"), NOBODY)[0]
        kinds.append({each.attribute for each in found} - {"other name"})
    assert kinds == [{"phone"}, set()]


def test_a_profile_is_read_up_to_the_next_person():
    text = (
        "Thomas Baker\nProfessor of Law\nWebster University\nPhone: 617-555-0123\n"
        "Fax 617-555-0199\nBorn: 3 May 1921\nSpouse: Mary Hill\nWeb site: www.baker.example/\n"
        "Paul Hill\nPhone: 617-555-0155\nBorn: 1950"
    )
    assert told(text) == {
        "affiliation: Webster University",
        "phone: 617-555-0123",
        "fax: 617-555-0199",
        "date of birth: 1921-05-03",
        "relative: spouse Mary Hill",
        "web site: www.baker.example",
    }


@each_case(
    ("address", "is_own"),
    [
        ("thomas.baker@york.example", True),
        ("tbaker@york.example", True),
        ("t.j.baker2@york.example", True),
        ("kbaker@york.example", False),
        ("mary.baker@york.example", False),
        ("info@york.example", False),
    ],
)
def test_addresses_with_the_name_are_those_of_the_person(address, is_own):
    found = told("Thomas Baker came.\nWrite to us.", emails=(address,))
    assert found == ({f"e-mail: {address}"} if is_own else set())


def test_every_statement_has_the_sentence_that_states_it():
    text = "Nothing. Thomas Baker, a painter, was born in Leeds in 1921. He lives in York. More."
    assert {each.attribute: each.sentence for each in statements(text)} == {
        "other name": "Thomas Baker, a painter, was born in Leeds in 1921.",
        "occupation": "Thomas Baker, a painter, was born in Leeds in 1921.",
        "birth place": "Thomas Baker, a painter, was born in Leeds in 1921.",
        "date of birth": "Thomas Baker, a painter, was born in Leeds in 1921.",
        "location": "He lives in York.",
    }


def test_statements_do_not_depend_on_the_name():
    text = "Thomas Baker\nThomas Baker was born in Leeds in 1921. Baker married Ann Hill."
    other = text.replace("Thomas", "Iñaki").replace("Baker", "Etxeberria")
    assert told(text) == told(other, "Iñaki Etxeberria")


@each_case(
    ("name", "text", "expected"),
    [
        (
            "Hans Meier",
            "Hans Meier ist Architekt. Er wurde am 3. März 1958 in Bremen geboren. Er lebt in Ulm. "
            "Seine Frau, Eva Lang, ist Ärztin.\nHans Meier\nTelefon: 0421 555 0100",
            {
                "date of birth: 1958-03-03",
                "birth place: Bremen",
                "location: Ulm",
                "relative: frau Eva Lang",
                "phone: 0421 555 0100",
            },
        ),
        (
            "Jean Dupont",
            "Jean Dupont est peintre et il aime la mer. "
            "Il est né le 3 mars 1958 à Lyon et il vit à Paris.",
            {"date of birth: 1958-03-03", "birth place: Lyon", "location: Paris"},
        ),
        (
            "Juan García",
            "Juan García es un pintor que ama el mar. "
            "Nació en Sevilla el 3 de marzo de 1958. Vive en Madrid.",
            {"date of birth: 1958-03-03", "birth place: Sevilla", "location: Madrid"},
        ),
        (
            "Mario Rossi",
            "Mario Rossi è un pittore che ama il mare. "
            "È nato a Torino il 3 marzo 1958. Vive in Roma.",
            {"date of birth: 1958-03-03", "birth place: Torino", "location: Roma"},
        ),
        (
            "João Silva",
            "João Silva é um pintor que ama o mar. "
            "Nasceu em Lisboa em 3 de março de 1958. Vive em Porto.",
            {"date of birth: 1958-03-03", "birth place: Lisboa", "location: Porto"},
        ),
        (
            "Jan Jansen",
            "Jan Jansen is een schilder die van de zee houdt. "
            "Hij is geboren op 3 maart 1958 in Gouda. "
            "Hij woont in Utrecht.",
            {"date of birth: 1958-03-03", "birth place: Gouda", "location: Utrecht"},
        ),
    ],
)
def test_pages_in_other_languages_state_the_same(name, text, expected):
    assert expected <= told(text, name)


@each_case(
    ("text", "expected"),
    [
        ("Mr. Baker became a judge.", {"judge"}),
        ("Mrs. Ada Baker came. Mr. Baker became a judge.", set()),
        ("Levi Baker came.\nHe saw York. Mr. Baker became a judge.", set()),
        ("His brother Levi Baker came. Mr. Baker became a judge.", {"judge"}),
        ("Levi Baker came. Thomas Baker came, too. Mr. Baker became a judge.", {"judge"}),
        ("T. Glancy Baker came. Mr. Baker became a judge. T. Glancy Baker was a poet.", set()),
        ("T. J. Baker came. Mr. Baker became a judge.", {"judge"}),
        ("Captain Baker came. Mr. Baker became a judge.", {"captain", "judge"}),
    ],
)
def test_the_family_name_is_of_whom_a_sentence_last_named_in_full(text, expected):
    found = statements(f"Thomas Baker came first. {text}")
    assert {each.value for each in found if each.attribute == "occupation"} == expected


@each_case(
    ("title", "expected"),
    [("Ann Hill – Encyclopaedia", set()), ("Baker", {"painter"}), ("Hill College", {"painter"})],
)
def test_on_a_page_about_somebody_else_he_is_not_the_person(title, expected):
    page = document("Thomas Baker came.", "He was a painter.", title=title)
    (found,) = page_statements(analysis_of(page), NOBODY)
    assert {each.value for each in found if each.attribute == "occupation"} == expected


def test_a_family_name_before_another_is_a_given_name():
    page = "Ann Thomas saw it. In 1740 Thomas Jones became a minister. Thomas was a poet."
    found = {each.value for each in statements(page, "Ann Thomas")}
    assert found.isdisjoint({"minister", "poet"})
    assert "poet" in {e.value for e in statements(page.replace("Jones ", ""), "Ann Thomas")}


def test_a_line_that_stands_again_and_again_is_the_value_of_a_column():
    page = "Thomas Baker\nJudge\n"
    assert "judge" in {each.value for each in statements(page)}
    assert "judge" not in {each.value for each in statements(page + "Ann Lee\nJudge\n" * 3)}


@each_case(
    "text",
    [
        "A Little Monk Thomas Baker 2.9 1.0",
        "Thomas Baker\n4.5\n2.0\nMiddle School Blues",
        'the guitarist Thomas "Jim" Hill',
        'the guitarist Thomas Baker "Jim" Hill',
        "They have lists (e.g., Thomas Baker, laborer lived there).",
        "See it. In Thomas Baker, editor, Hill Systems University Reports, pages 1-9.",
        "He does not match the Thomas Baker (1711-1777) group.",
        "Paul Hill (not to be confused with Thomas Baker, poet) rowed.",
        "He is a favorite author of mine. Thomas Baker is a favorite author of mine.",
    ],
)
def test_rows_citations_and_examples_state_nothing(text):
    assert not [each for each in statements(text) if each.attribute != "other name"]
