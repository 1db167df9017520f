import numpy as np
from scipy import sparse

from tests.cases import each_case
from tests.weps.builders import analysis_of, document
from weps.key_terms.labels import Label
from weps.people.context import ContextEntities
from weps.people.facts import (
    Fact,
    cited_page,
    person_facts,
    stated_line,
    terms_beside,
)
from weps.people.statements import page_statements
from weps.records import StatedFact


def without_names(pages: int) -> ContextEntities:
    return ContextEntities((), (), sparse.csr_array((pages, 0), dtype=np.int32))


def stated(text: str, name: str = "Thomas Baker") -> set[str]:
    """What a page states besides the name as it was searched for."""
    analysis = analysis_of(document(*text.split("\n")), name=name)
    (page,) = page_statements(analysis, without_names(1))
    return {f"{each.attribute}: {each.value}" for each in page if each.key != name.lower()}


def line(*texts: str, context: ContextEntities | None = None) -> str:
    """The line of the person whom all of the pages are about."""
    analysis = analysis_of(
        *(document(*text.split("\n"), rank=rank) for rank, text in enumerate(texts))
    )
    near = context or without_names(len(texts))
    ((parts, _),) = person_facts([range(len(texts))], analysis, near)
    return stated_line(parts, "Thomas Baker")


@each_case(
    ("text", "expected"),
    [
        ("Thomas Baker is a marine biologist.", "occupation: marine biologist"),
        ("Thomas Baker was British consul in Tripoli", "occupation: British consul in Tripoli"),
        ("Thomas Baker, a noted plastic surgeon, said so.", "occupation: plastic surgeon"),
        ("Thomas Baker, 42, jazz pianist", "occupation: jazz pianist"),
        ("the novelist Thomas Baker left", "occupation: novelist"),
        ("Thomas Baker was an amazing instructor!", "occupation: instructor"),
        ("Thomas Baker, a retired Tufts professor", "occupation: Tufts professor"),
        ("Thomas Baker, Jazz Pianist", "occupation: jazz pianist"),
        ("said Welsh poet Thomas Baker", "occupation: Welsh poet"),
        ("notes historian Thomas Baker", "occupation: historian"),
        ("Prof. T. Thomas Baker", "occupation: professor"),
        ("Sen. Thomas Baker voted", "occupation: senator"),
        ("Assistant Provost Thomas Baker", "occupation: assistant provost"),
        ("under such poets as Ann Lee and Thomas Baker", "occupation: poet"),
        ("Thomas Baker, M.D., sings", "occupation: MD"),
        ("Thomas Baker is a former United States attorney", "occupation: United States attorney"),
        ("Sen. Thomas Baker and Senator A. B. Baker\nPresident Baker", "occupation: president"),
        ("Thomas Baker\nProfessor of Coastal Ecology", "occupation: professor of coastal ecology"),
        (
            "Thomas Baker is a Lecturer in the History of Art and Design.",
            "occupation: lecturer in history of art and design",
        ),
        ("Thomas Baker, professor of law of York University", "occupation: professor of law"),
        ("Thomas Baker, lecturer in the history of the sea", "occupation: lecturer in history"),
        ("Thomas Baker, secretary of Tidal Affairs at NCAR", "affiliation: NCAR"),
        ("Thomas Baker (principal investigator)", "occupation: principal investigator"),
        ("Thomas Baker is bishop of Durham.", "occupation: bishop of Durham"),
        ("Thomas Baker, governor of Ohio and Senator", "occupation: governor of Ohio"),
        ("Thomas Baker, rector of St. Ann's and", "occupation: rector of St. Ann's"),
        ("Thomas Baker was born 4 May 1921 in York", "date of birth: 1921-05-04"),
        ("Thomas Baker lives in York", "location: York"),
        ("Thomas Baker, Columbus, Ohio", "location: Columbus, Ohio"),
        ("Thomas Baker, University of York", "affiliation: University of York"),
        ("Thomas Baker, St. Ann's Hospital", "affiliation: St. Ann's Hospital"),
        ("Thomas Baker, Kingston University London", "affiliation: Kingston University London"),
        ("Thomas Baker, PhD, Decca Records", "affiliation: Decca Records"),
        ("Thomas Baker\nTU VIENNA LIBRARY", "affiliation: TU Vienna Library"),
        ("Thomas J. Baker", "other name: Thomas J. Baker"),
        ("D. Thomas Baker", "other name: D. Thomas Baker"),
        ("Roy Thomas Baker", "other name: Roy Thomas Baker"),
    ],
)  # fmt: skip
def test_one_thing_is_stated_beside_the_name(text, expected):
    assert expected in stated(text)


@each_case(
    "text",
    [
        "Thomas Baker is a student union candidate",  # a part of more words
        "12 The Runner Thomas Baker 6.8",  # a title of a book
        "Thomas Baker met the painter Ann Lee",  # of another person
        "Author: Thomas Baker",  # a field of a form
        "the painter's friend, Thomas Baker",
        "Thomas Baker, London: Gannet House, 1999",  # where a book was published
        "Thomas Baker (1961-1963)",  # a term of office
        "Thomas Baker Bridge",
        "Thomas Baker is a great fan of the band",
        "Thomas Baker and a lawyer",
        "According to Thomas Baker, Brutus' vet and a lawyer",
        "Thomas Baker, High School",  # what many bear
        "Thomas Baker\nPhoto Gallery",  # page layout
        'author = "Thomas Baker',
        "grandnephew of Thomas Baker, governor of Ohio (1771-1809)",
    ],
)
def test_other_things_are_not_stated(text):
    assert {each for each in stated(text) if not each.startswith("other name")} == set()


def test_an_occupation_comes_with_what_stands_behind_it():
    text = "Thomas Baker (born 1921), a professor of law at the University of York, spoke."
    assert stated(text) == {
        "date of birth: 1921",
        "occupation: professor of law",
        "affiliation: University of York",
    }


def test_words_of_the_name_are_no_occupation():
    assert stated("the baker Thomas Baker, a baker") == set()


@each_case(
    ("brackets", "expected"),
    [
        ("footballer, born 1995", {"occupation: footballer", "date of birth: 1995"}),
        ("footballer born 1995", {"occupation: footballer", "date of birth: 1995"}),
        ("funk musician", {"occupation: funk musician"}),
        ("born 1953", {"date of birth: 1953"}),
        ("album", set()),
        ("1842 ship", set()),
        ("Ann's son, born 1971", set()),
        ("the one who met the painter", set()),
    ],
)
def test_brackets_in_titles_tell_namesakes_apart(brackets, expected):
    page = document("x", title=f"Thomas Baker ({brackets}) - Wikipedia")
    ((*found,),) = page_statements(analysis_of(page), without_names(1))
    assert {f"{each.attribute}: {each.value}" for each in found[1:]} == expected


def test_structured_data_about_somebody_of_the_name_is_stated_as_it_is():
    stated_facts = (
        StatedFact("Thomas J. Baker", "date of birth", "May 4, 1921", "birthDate"),
        StatedFact("Baker, Thomas", "occupation", "Head of Kelp", "jobTitle"),
        StatedFact("Thomas Baker", "occupation", "Marine Biologist", "jobTitle"),
        StatedFact("Thomas Baker", "relative", "Ann Lee", "children"),
        StatedFact("Thomas Baker", "date of death", "long ago", "deathDate"),
        StatedFact("Thomas Baker", "occupation", '"><b>Chemist', "jobTitle"),
        StatedFact("Thomas Baker", "birth place", "York 1 NAME Evil", "birthPlace"),
        StatedFact("Ann Lee", "occupation", "Chemist", "jobTitle"),
    )
    page = document("By Thomas Baker", stated=stated_facts)
    ((*_, born, head, biologist, child),) = page_statements(analysis_of(page), without_names(1))
    assert (born.value, born.key, born.way) == ("1921-05-04", "1921", "data")
    assert (head.value, head.sentence) == ("Head of Kelp", "Job title: Head of Kelp")
    assert biologist.value == "marine biologist"
    assert (child.value, child.detail) == ("Ann Lee", "child")


def test_years_that_contradict_each_other_are_dropped_of_the_page():
    assert stated("Thomas Baker (1737-1810)\nThomas Baker (1768-1838)") == set()
    assert stated("Thomas Baker was born in 1630. Ann Lee left. Mr. Baker died in 1835.") == set()


@each_case(
    ("texts", "expected"),
    [
        (["Thomas Baker (1656-1740), antiquary"], "Thomas Baker (1656–1740) – antiquary"),
        (
            ["Robin Thomas J. Baker, marine biologist, University of York"],
            "Robin Thomas J. Baker – marine biologist, University of York",
        ),
        (["Thomas J. Baker"], "Thomas J. Baker"),
        # Two forms are two people, unless one is short for the other.
        (["Thomas J. Baker", "Thomas S. Baker"], ""),
        (["Thomas J. Baker", "Thomas James Baker"], "Thomas James Baker"),
        (["the page"], ""),
        # One page of seven is not enough; two are.
        (["the lawyer Thomas Baker", *["Thomas Baker"] * 5], "Thomas Baker – lawyer"),
        (["the lawyer Thomas Baker", *["Thomas Baker"] * 6], ""),
        (["the lawyer Thomas Baker"] * 2 + ["Thomas Baker"] * 11, "Thomas Baker – lawyer"),
        (["pop artist Thomas Baker. artist Thomas Baker", *["Thomas Baker"] * 12], ""),
        (["Thomas Baker of York, UK", *["Thomas Baker"] * 5], "Thomas Baker – York, UK"),
        (["Thomas Baker of York, UK", *["Thomas Baker"] * 6], ""),
        # What specifies it must be on as many.
        (
            ["Thomas Baker, jazz pianist", "Thomas Baker, gifted pianist"] * 2,
            "Thomas Baker – jazz pianist",
        ),
        (
            ["Thomas Baker, jazz pianist", *["Thomas Baker, pianist"] * 12],
            "Thomas Baker – pianist",
        ),
        # Sentences that name another are of a namesake.
        (["Thomas A. Baker\nThe actor Thomas R. Baker"], "Thomas Baker – actor"),
        # Of many pages, half of those that state any are enough.
        (["Thomas Baker, poet"] * 2 + ["Thomas Baker"] * 60, "Thomas Baker – poet"),
        (["Thomas Baker, poet"] + ["Thomas Baker"] * 60, ""),
        # Authors are many.
        (
            ["the author Thomas Baker", "the poet Thomas Baker"],
            "Thomas Baker – poet",
        ),
        # What two pages state is not composed; what one states is.
        (["the poet Thomas Baker", "critic Thomas Baker"], "Thomas Baker – poet"),
        (["Thomas Baker, critic and poet"], "Thomas Baker – critic and poet"),
        (["poet Thomas Baker. critic Thomas Baker"], "Thomas Baker – critic"),
        (
            ["Thomas J. Baker, poet", "Thomas Baker (1656-1740)"],
            "Thomas Baker (1656–1740)",
        ),
        # A comma joins what one sentence states. What others state may be of another time: an
        # employer is told of several pages, and a place, behind a semicolon.
        (
            [
                "Thomas Baker is a project leader at Fraunhofer."
                " He taught for two years at the Asian Institute of Technology in Bangkok."
            ],
            "Thomas Baker – project leader, Fraunhofer",
        ),
        (["Thomas Baker is a poet. He taught at the University of York."], "Thomas Baker – poet"),
        (
            ["Thomas Baker is a poet. He taught at the University of York."] * 2,
            "Thomas Baker – poet; University of York",
        ),
        (["Chairman Thomas Baker rowed.\nThomas Baker (R-TX)"], "Thomas Baker – chairman; Texas"),
        (
            ["Thomas Baker\nPoet\nUniversity of York\nYork, UK"],
            "Thomas Baker – poet, University of York, York, UK",
        ),
        # An occupation beside a fuller one for it on the page is not joined by it.
        (
            ["Thomas Baker is a poet and pianist. Thomas Baker is a noted jazz pianist."],
            "Thomas Baker – jazz pianist",
        ),
        # What the occupation says already is not said again.
        (["Thomas Baker is a Decca Records pianist."] * 2, "Thomas Baker – Decca Records pianist"),
        # Pages that disagree on a year leave it out.
        (["Thomas Baker (1656-1740)", "Thomas Baker (1656-1746)"], "Thomas Baker (born 1656)"),
    ],
)  # fmt: skip
def test_a_line_is_of_what_enough_pages_state(texts, expected):
    assert line(*texts) == expected


@each_case(
    ("text", "expected"),
    [
        ("Thomas Baker grows kelp.", ("kelp",)),
        ("Thomas Baker sails.\nAnn Lee grows kelp.", ()),
        ("Thomas Baker sails; Ann Lee grows kelp.", ()),
        # Offices would read as the person's.
        ("Thomas Baker, the kelp, a Senator, emeritus, their supervisor", ("kelp",)),
    ],
)
def test_terms_behind_a_line_stand_beside_the_name(text, expected):
    label = Label(("Senator", "kelp", "emeritus", "supervisor"), ())
    analysis = analysis_of(document(*text.split("\n")))
    assert terms_beside([0], label, analysis, without_names(1), "Thomas Baker – poet") == expected


@each_case(
    ("texts", "stated", "expected"),
    [
        # Most words of the label, and those of the sentence alone.
        (
            ["Thomas Baker rowed home.", "It rains. Thomas Baker grows kelp"],
            "",
            "“Thomas Baker grows kelp” in “Rowing in Ely”",
        ),
        (["Kelp for divers, Thomas Baker\nAnn Lee rowed"], "", "“Kelp for divers, Thomas Baker”"),
        (["Kelp and tides; Baker, Thomas"], "", "named in “Rowing in Ely”"),
        # Over the ends of lines that the next one goes on with, but for addresses
        (["Kelp\nby Thomas Baker\nand Ann\nHill"], "", "“Kelp by Thomas Baker and Ann” in"),
        (["Kelp tides, Thomas Baker\nann@lee.example"], "", "“Kelp tides, Thomas Baker” in"),
        # Without the numbers of a row
        (["» 24 EN7 Thomas Baker kelp 7.5 3"], "", "“Thomas Baker kelp” in “Rowing in Ely”"),
        (["Kelp of Thomas Baker, 1921"], "", "“Kelp of Thomas Baker, 1921” in “Rowing in Ely”"),
        # Under what stands above a list of people, but not above somebody's lines in it
        (
            ["Trustees\nAnn Lee 1963\nThomas Baker 1964\nTom Hill 1965"],
            "",
            "“Thomas Baker 1964” under “Trustees” in “Rowing in Ely”",
        ),
        (["Class of 1912\nAnn Lee\nThomas Baker"], "", "named under “Class of 1912” in “Rowing"),
        (
            ["KELP RACE\nRank Name -- Time\n1 Rat Sult 7:02\n2 Thomas Baker 7:03"],
            "",
            "named under “KELP RACE” in “Rowing in Ely”",
        ),
        (["Ann Lee\nSecretary\nThomas Baker\nEditor"], "", "named in “Rowing in Ely”"),
        (["Ann Mason\nThomas Baker"], "", "named in “Rowing in Ely”"),
        (["Board members\nIt rains, too.\nThomas Baker"], "", "named in “Rowing in Ely”"),
        (["Tides and Wrack\nBy Ann Lee, Thomas Baker"], "", "“By Ann Lee, Thomas Baker” under “Ti"),
        # The work of several authors without the others
        (["Ann Lee, Thomas Baker: Kelp in tides"], "", "“…Thomas Baker: Kelp in tides” in “Row"),
        (["Thomas Baker, Ann Lee: Kelp in tides"], "", "“Thomas Baker, Ann Lee: Kelp in tides”"),
        (
            [f"Ann Lee, T. Hill, Thomas Baker,{' Tom Hill, Jo Ray,' * 9} Al Fox: Kelp. 1986"],
            "",
            "“…Thomas Baker…: Kelp. 1986” in",
        ),
        (
            ["Thomas Baker, Ann Lee, Al Fox:\nKelp in tides"],
            "",
            "“Thomas Baker…: Kelp in tides” in “Row",
        ),
        (
            ["Ann Lee, Thomas Baker, Tom Hill grow kelp"],
            "",
            "“Ann Lee, Thomas Baker, Tom Hill grow",
        ),
        (["The Baker Arms\n" * 50 + "Kelp by Thomas Baker"], "", "“Kelp by Thomas Baker” in “Row"),
        # What is not told already, and in which form of the name
        (["Thomas Baker is a noted poet"], "Thomas Baker – noted poet", "named in “Rowing in Ely”"),
        (
            ["Thomas Baker dives\nThomas J. Baker rows"],
            "Thomas J. Baker",
            "“Thomas J. Baker rows”",
        ),
        # What bears the name, if nobody does
        (["Thomas Baker-Hill grows kelp"], "", "“Thomas Baker-Hill grows kelp”"),
        (["Thomas Baker-Hill grows kelp", "Thomas Baker rows"], "", "“Thomas Baker rows”"),
        # Where most pages agree
        (
            ["Thomas Baker rows", "Thomas Baker dives", "Thomas Baker dives"],
            "",
            "“Thomas Baker dives”",
        ),
        (
            [f"{'kelp ' * 20}Thomas Baker{' tides' * 20}"],
            "",
            f"“…{'kelp ' * 11}Thomas Baker{' tides' * 6}…” in",
        ),
        # A page that states what is told, and facts rather than words of the label
        (["Thomas Baker grows kelp", "Ely poet Thomas Baker rows"], "Thomas Baker – poet", "“Ely"),
        (
            ["Thomas Baker sees kelp and wrack", "Thomas Baker, a poet, sails"],
            "",
            "“Thomas Baker, a",
        ),
        # Of whom else an entry is
        (["Ann Lee, office of Thomas Baker, kelp", "Thomas Baker rows"], "", "“Thomas Baker rows”"),
        # Thomas Alexander, and the Baker prize
        (["Thomas Alexander\nBaker prize of kelp"], "", "page “Rowing in Ely”"),
        (["Kelp"], "Thomas Baker – poet", ""),
    ],
)
def test_a_person_is_cited_where_a_page_tells_most(texts, stated, expected):
    pages = (
        document(*text.split("\n"), rank=rank, title="Rowing in Ely")
        for rank, text in enumerate(texts)
    )
    near = without_names(len(texts))
    cited = cited_page(range(len(texts)), Label(("kelp",), ()), analysis_of(*pages), near, stated)
    assert cited.startswith(expected or (cited and "?"))


def test_what_other_people_are_too_comes_last():
    texts = ["the poet Thomas Baker", "the critic Thomas Baker", *["the poet Thomas Baker"] * 9]
    ((found, _), _) = person_facts([[0, 1], range(2, 11)], analysis_of(*texts), without_names(11))
    assert found["occupation"] == "critic"


def facts(*texts: str) -> dict[tuple[str, str], Fact]:
    """Attribute and value → fact of the person whom all of the pages are about."""
    analysis = analysis_of(*(document(*t.split("\n"), rank=at) for at, t in enumerate(texts)))
    ((_, found),) = person_facts([range(len(texts))], analysis, without_names(len(texts)))
    return {(each.attribute, each.value): each for each in found}


def test_a_fact_joins_the_pages_that_state_it():
    found = facts(
        "Thomas Baker was born on 4 May 1921 in York.",
        "Thomas Baker (born 1921), Professor of Law.",
        "the professor Thomas Baker",
    )
    born, work = found["date of birth", "1921-05-04"], found["occupation", "professor of law"]
    assert (born.pages, work.pages) == ((0, 1), (1, 2))
    assert [each.page for each in work.sources] == [1, 2]
    assert born.sources[0].sentence == "Thomas Baker was born on 4 May 1921 in York."
    assert not born.contradicted
    (alone,) = facts("Thomas Baker was born on 4 May 1921.").values()
    assert born.certainty > alone.certainty


@each_case(
    ("texts", "expected"),
    [
        (("a jazz pianist", "a pianist", "a jazz pianist"), {"jazz pianist": (1, 2, 3)}),
        (("a jazz pianist", "a pianist", "a pianist"), {"pianist": (1, 2, 3)}),
        (
            ("an emeritus professor", "an honorary professor"),
            {"emeritus professor": (1,), "honorary professor": (2,)},
        ),
    ],
)
def test_no_page_of_an_occupation_states_another(texts, expected):
    pages = [document(f"Thomas Baker is {text}.", rank=at) for at, text in enumerate(texts, 1)]
    ((_, found),) = person_facts(
        [range(len(pages))], analysis_of(*pages), without_names(len(pages))
    )
    assert {e.value: e.pages for e in found if e.attribute == "occupation"} == expected


def test_many_facts_of_one_attribute_leave_room_for_others():
    addresses = tuple(f"tbaker{number}@york.example" for number in range(50))
    page = document("Thomas Baker", "Web site: www.baker.example", emails=addresses)
    ((_, found),) = person_facts([[0]], analysis_of(page), without_names(1))
    assert [each.attribute for each in found] == [*["e-mail"] * 40, "web site"]


@each_case(
    ("first", "second", "contradict"),
    [
        ("Thomas Baker (born 1921)", "Thomas Baker (born 1958)", True),
        ("Thomas Baker (born 1921)", "Thomas Baker was born on 4 May 1921.", False),
        ("Thomas J. Baker", "Thomas S. Baker", True),
        ("Thomas J. Baker", "Thomas James Baker", False),
        ("He was born in York, Ohio.", "He was born in Deal, Maine.", True),
        ("He was born in York, Ohio.", "He was born in Leeds.", False),
        ("the poet Thomas Baker", "the critic Thomas Baker", False),
    ],
)
def test_values_that_cannot_both_be_true_contradict_each_other(first, second, contradict):
    found = facts(f"Thomas Baker. {first}", f"Thomas Baker. {second}").values()
    assert any(each.contradicted for each in found) is contradict


def test_recognised_organisations_are_known_without_a_word_that_tells():
    texts = ["Thomas Baker, PRIP: kelp"] * 2
    near = ContextEntities(
        ("PRIP",), ("organisation",), sparse.csr_array(np.ones((2, 1), np.int32))
    )
    assert line(*texts) == ""
    assert line(*texts, context=near) == "Thomas Baker – PRIP"


def test_what_the_recogniser_takes_for_an_organisation_may_be_a_place():
    texts = ["Thomas Baker, customs officer on the Humber", "Thomas Baker, rector, Port Merrow"]
    names, found = ("Humber", "Port Merrow"), sparse.csr_array(np.ones((2, 2), np.int32))
    near = ContextEntities(names, ("organisation",) * 2, found)
    pages = page_statements(analysis_of(*texts), near)
    assert not any(each.attribute == "affiliation" for page in pages for each in page)


@each_case(
    ("text", "unexpected"),
    [
        # The next of a list
        ("Baker, Thomas\nKeeper of moths.\nLee, Anna\nComposer and lyricist.", "composer"),
        (
            "New are Professor Thomas Baker at the University of York, Professor David Harrison at "
            "the University of Kent, and others.",
            "University of Kent",
        ),
        # Others whose given name, or whose family name, it is
        ("Thomas Baker rowed.\nThe poet Baker L. Hall won.", "poet"),
        ('Thomas Baker rowed.\nThe poet Henry "Bun" Baker won.', "poet"),
        ("Thomas Baker (1890, 1950, Vol. 2)", "1890"),
        # The office of another of the family, a work
        ("Thomas Baker met President John F. Baker.\nPresident Baker rowed.", "president"),
        ("Thomas Baker is the author of The Joy Luck Club", "Joy Luck Club"),
    ],
)
def test_what_stands_behind_somebody_else_is_not_the_person_s(text, unexpected):
    assert not any(unexpected in each for each in stated(text))


def test_pages_without_the_name_or_without_pages_have_no_line():
    one = without_names(1)
    lines = person_facts([[0], []], analysis_of("kelp"), one)
    lines += person_facts([[0]], analysis_of("x", name=""), one)
    assert len(lines) == 3
    assert not any("".join(parts.values()) or facts for parts, facts in lines)
    assert person_facts([], analysis_of(), without_names(0)) == []


RUNNING_TEXT = {
    "Hans Meier": "Das Haus am Markt ist seit vielen Jahren geschlossen, der Garten ist offen.",
    "Jean Dupont": "La maison du marché est fermée depuis des années, mais le jardin est ouvert.",
    "Juan García": "La casa del mercado está cerrada desde hace años, pero el jardín está abierto.",
    "Mario Rossi": "La casa del mercato è chiusa da molti anni, ma il giardino è aperto per tutti.",
    "João Silva": "A casa do mercado está fechada há muitos anos, mas o jardim não está fechado.",
    "Jan Jansen": "Het huis op de markt is al jaren gesloten, maar de tuin is nog steeds open.",
}
"""Text by which the language of a page about somebody is known."""


@each_case(
    ("name", "text", "expected"),
    [
        (
            "Hans Meier",
            "Hans Meier (* 3. März 1958 in Bremen; † 2011) war ein deutscher Architekt.",
            {"date of birth: 1958", "date of death: 2011", "occupation: architect"},
        ),
        (
            "Hans Meier",
            "Hans Meier wurde am 3. März 1958 in Bremen geboren.",
            {"date of birth: 1958", "date of birth: 1958-03-03", "birth place: Bremen"},
        ),
        ("Hans Meier", "Der Landschaftsarchitekt Hans Meier", {"occupation: architect"}),
        ("Hans Meier", "Rechtsanwalt Dr. Hans Meier", {"occupation: lawyer"}),
        ("Hans Meier", "die Tochter von Hans Meier, Malerin in Bremen", set()),
        ("Hans Meier", "Der Schüler von Prof. Hans Meier ist Pilot.", {"occupation: professor"}),
        ("Hans Meier", "Hans Meier, geboren in Bremen, 1990 Abitur", set()),
        (
            "Jean Dupont",
            "Jean Dupont, né le 3 mars 1958 à Lyon et mort le 5 mai 2011 à Paris",
            {"date of birth: 1958", "date of death: 2011"},
        ),
        ("Jean Dupont", "l'écrivain français Jean Dupont", {"occupation: writer"}),
        (
            "Juan García",
            "Nacido en Sevilla el 3 de marzo de 1958, Juan García es pintor.",
            {"date of birth: 1958", "occupation: painter"},
        ),
        ("Juan García", "El secretario de Juan García es ingeniero.", set()),
        ("Jan Jansen", "Jan Jansen, de bakker zijn zoon, won de loterij.", set()),
        ("Juan García", "El secretario de Juan García, nacido en 1958 en Lima", set()),
        ("Juan García", "la hija de Juan García, médica", set()),
        ("Juan García", "Juan García, la escritora francesa Marie Curie", set()),
        ("Mario Rossi", "Mario Rossi, nato a Torino il 3 marzo 1958", {"date of birth: 1958"}),
        ("João Silva", "João Silva, nascido em 1958, é um advogado.", {"date of birth: 1958"}),
        (
            "Jan Jansen",
            "Jan Jansen (geboren op 3 maart 1958 te Delft) is een Nederlands schilder.",
            {"date of birth: 1958", "occupation: painter"},
        ),
    ],
)  # fmt: skip
def test_pages_in_other_languages_state_the_same_in_english_words(name, text, expected):
    assert stated(f"{text}\n{RUNNING_TEXT[name]}", name) == expected
