from tests.cases import each_case
from tests.weps.builders import analysis_of
from weps.language.analysis import page_languages
from weps.people.cautions import NO_TEXT, OTHER_SCRIPT, answer_cautions, page_caution
from weps.report.wording import people_words


@each_case(
    ("text", "caution"),
    [
        ("Thomas Baker is a reader in logic.", ""),
        ("Zoë Žižek, Łódź, naïve café", ""),
        ("托马斯·贝克是一位英国物理学家，他在剑桥大学研究潮汐和海洋的运动。", "in Chinese"),
        ("Томас Бейкер, профессор геологии в Москве", OTHER_SCRIPT),
        ("Thomas Baker war Lehrer in der Schule, die er selbst besucht hatte.", "in German"),
        ("Бейкер Бейкер Thomas Bakers", ""),
        ("Бейкер Бейкер Thomas Baker", OTHER_SCRIPT),
        ("王小明", ""),  # too few letters to tell
        ("", NO_TEXT),
        ("— 1999 …", NO_TEXT),
    ],
)
def test_pages_unlike_those_of_training(text, caution):
    analysis = analysis_of(text)
    assert page_caution(*analysis.documents, *page_languages(analysis)) == caution


@each_case(
    ("of_pages", "beginnings"),
    [
        ([], []),
        ([""] * 500, []),
        ([""] * 501, ["There are 501 pages"]),
        (
            [OTHER_SCRIPT, NO_TEXT, NO_TEXT],
            ["1 page is not in the Latin script: confidence", "2 pages have no text"],
        ),
        (
            ["in German", "in Chinese", "in Chinese", ""],
            ["3 pages are not in English (2 in Chinese, 1 in German): confidence"],
        ),
        (["in Chinese", "", "in Chinese"], ["2 pages are in Chinese: confidence"]),
    ],
)
def test_answers_say_what_was_not_evaluated(of_pages, beginnings):
    found = answer_cautions(of_pages)
    assert [each[: len(start)] for each, start in zip(found, beginnings, strict=True)] == beginnings


@each_case(
    ("one_person", "expected", "words"),
    [
        (0.97, 1.1, "one person: almost certain, 97%"),
        (0.5, 1.5, "one person: plausible, 50%"),
        (0.42, 1.6, "may be two people (one: 42%)"),
        (0.3, 2.9, "may be two or three people (one: 30%)"),
        (0.004, 36.7, "may be 37 people (one: 1%)"),
    ],
)
def test_whether_pages_are_one_person_in_words(one_person, expected, words):
    assert people_words(one_person, expected) == words
