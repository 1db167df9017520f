"""Nodes made of words and of word senses."""

import pytest

from eval.text.kernels.sequences import with_senses, words
from weps.errors import ValuesError


def common(first, second):
    return [len(one & other) for one, other in zip(first, second, strict=True)]


def test_words_match_as_they_are_spelt():
    assert common(words(["my", "Dream", "東京"]), words(["my", "dream", "東京"])) == [1, 0, 1]


def test_senses_match_across_words_and_add_to_the_word():
    dream = with_senses(["my", "dream", "dream"], [[], ["DREAM"], ["DREAM", "SLEEP"]])
    ambition = with_senses(["my", "ambition", "dream"], [[], ["DREAM"], ["SLEEP", "DREAM"]])
    assert common(dream, ambition) == [1, 1, 3]


def test_a_sense_is_no_word_and_counts_once():
    assert common(with_senses(["ambition"], [["dream", "dream"]]), words(["dream"])) == [0]
    assert with_senses(["a"], [["s", "s"]]) == with_senses(["a"], [("s",)])


def test_every_word_needs_its_senses():
    with pytest.raises(ValuesError, match="2 words have 1 groups of senses"):
        with_senses(["my", "dream"], [["DREAM"]])
