from dataclasses import replace

from eval.bench.outcome import Outcome
from eval.bench.setting import setting_of
from eval.published import Setting
from weps.forms import Form


def test_the_circumstances_in_words(outcome: Outcome) -> None:
    assert setting_of(outcome) == Setting(
        answered_for="2 names of saved pages, 12 pairs",
        learnt_on="the other names",
        pages="whole pages",
        similarities="19 in ML-NON LING",
        not_used="none",
    )


def test_forms_are_told_apart_and_what_they_lack_is_counted(outcome: Outcome) -> None:
    forms = {"Ada": Form.PAGES, "Bea": Form.RESULTS}
    found = setting_of(replace(outcome, corpus=replace(outcome.corpus, forms=forms)))
    assert found.pages == "whole pages (1 name), search results only (1 name)"
    assert found.not_used == "15 of 19 similarities for results"
