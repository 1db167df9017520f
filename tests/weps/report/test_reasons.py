import pytest

from weps.coreference.reasons import Effect, Step
from weps.features import features
from weps.report.reasons import effect_words, kind_words, rarity_words, step_words

NEAR, TITLE, OTHERS = "words near the name", "words in the title", "resembling the same other pages"
MORE = "0.5, more than 0.25"


@pytest.mark.parametrize(
    ("effect", "words"),
    [
        (2.0, "much for it"),
        (1.99, "for it"),
        (0.5, "for it"),
        (0.49, "a little for it"),
        (-0.49, "a little against it"),
        (-0.5, "against it"),
        (-2.0, "much against it"),
    ],
)
def test_an_effect_is_told_by_direction_and_size(effect, words):
    assert effect_words(Effect("content", effect)) == words


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("content", "key words"),
        ("title", "words in the title"),
        ("profile", "resembling the same other pages"),
        ("middle_initial", "middle initials"),
        ("of_another_version", "of another version"),
    ],
)
def test_kinds_in_plain_words(kind, words):
    assert kind_words(kind) == words


def test_no_kind_of_evidence_is_told_by_what_the_code_calls_it():
    told = {each.function: kind_words(each.function) for each in features()}
    assert not any("_" in words for words in told.values())
    assert [kind for kind, words in told.items() if kind.replace("_", " ") == words] == []


@pytest.mark.parametrize(
    ("pages", "words"),
    [(2, "on no other page"), (3, "on 3 of 10 pages"), (10, "on 10 of 10 pages")],
)
def test_rarity(pages, words):
    assert rarity_words(pages, 10) == words


@pytest.mark.parametrize(
    ("column", "value", "threshold", "words"),
    [
        ("dice(content(n=1))", 0.312, 0.125, "key words shared 0.31, more than 0.12"),
        ("dice(content(n=1))", 0.125, 0.125, "key words shared 0.12, no more than 0.12"),
        ("dice(token(local=true))", 0.3121, 0.3119, f"{NEAR} shared 0.3121, more than 0.3119"),
        ("cosine(title)", 0.0, 0.00009, f"{TITLE} shared, by weight 0, no more than 0.00009"),
        ("overlap(email)", 3.0, 1.5, "number of shared e-mail addresses 3, more than 1.5"),
        ("overlap(token)", 123.0, 1.5, "number of shared words 123, more than 1.5"),
        ("same_domain", 1.0, 0.5, "same web site: yes"),
        ("linked", 0.0, 0.5, "one links to the other: no"),
        ("agree(honorific)", 1.0, 0.5, "same titles before the name: yes"),
        ("contradict(middle_initial)", 0.0, 0.5, "different middle initials: no"),
        (
            "profile(profile(dice(ngram(n=2))))",
            0.5,
            0.25,
            f"{OTHERS} (phrases of 2 words shared) {MORE}",
        ),
        ("profile(agree(phone))", 0.5, 0.25, f"{OTHERS} (same telephone numbers) {MORE}"),
        ("odd(new(n=1))", 0.5, 0.25, f"odd(new(n=1)) {MORE}"),
    ],
)
def test_a_step_in_plain_words(column, value, threshold, words):
    assert step_words(Step(0, value, threshold, 0.5), column) == words
