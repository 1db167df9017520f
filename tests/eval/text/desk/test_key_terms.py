from eval.text.desk.key_terms import terms_of

TEXTS = [
    ("The treasury sold treasury bonds.", "A dealer bought treasury bonds."),
    ("Treasury bonds fell on the exchange.",),
]


def test_key_terms_grow_to_phrases_best_first() -> None:
    found = terms_of(TEXTS, 3)
    assert found[0].lower() == "treasury bonds"
    assert terms_of(TEXTS, 1) == found[:1]
    assert terms_of(TEXTS[::-1], 3) == found


def test_texts_without_words_have_none() -> None:
    assert terms_of([("!",), ("The of.",), ()], 3) == []
    assert terms_of([], 3) == []
