"""Ties in the HTML report: what two pages share, how rare that is, and what it weighs.

Why two pages are, or are not, together, in plain words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

import numpy as np

from weps.coreference.explanation import Effect, Step
from weps.errors import FeatureError
from weps.people.answer import Answer, PageScore
from weps.people.evidence import Evidence, ExplainedPair
from weps.report.safe_text import domain_of, shown, shown_end
from weps.report.view import rows_of
from weps.report.wording import KINDS, feature_words, percent
from weps.similarity import Similarity, similarity

__all__ = ["effect_words", "kind_words", "rarity_words", "step_words", "ties"]

_KINDS = KINDS | {"profile": "resembling the same other pages"}
"""What effects are called."""
_DEGREES = ((2.0, "much "), (0.5, ""), (0.0, "a little "))
"""On the log odds: what is even becomes 88 % probable by the first, 62 % by the second."""
_SHARED = {
    "dice": "{} shared",
    "cosine": "{} shared, by weight",
    "overlap": "number of shared {}",
    "agree": "same {}",
    "contradict": "different {}",
    "": "{}",
}
"""Measure → what is asked; flags have none."""
_YES_OR_NO = ("agree", "contradict", "")
_MOST_DIGITS = 9


def kind_words(kind: str) -> str:
    """``content`` → ``key words``."""
    return _KINDS.get(kind, kind.replace("_", " "))


def effect_words(effect: Effect) -> str:
    """How much it speaks for one person, or against: ``much for it``, ``a little against it``."""
    degree = next(words for least, words in _DEGREES if abs(effect.effect) >= least)
    return f"{degree}{'for' if effect.effect >= 0 else 'against'} it"


def rarity_words(pages: int, total: int) -> str:
    """How rare a string is that two pages share, e.g. ``on 3 of 100 pages``.

    Args:
        pages: how many of the name's pages have it, the two among them.
        total: how many pages the name has.
    """
    return "on no other page" if pages <= 2 else f"on {pages} of {total} pages"


def step_words(step: Step, column: str) -> str:
    """What a tree asks and finds: ``key words shared 0.31, more than 0.12``; ``same web site: no``.

    Args:
        step: of a pair's path.
        column: the similarity that the tree looks at, as a model writes it, ``dice(content(n=1))``.
    """
    try:
        asked = similarity(column)
    except FeatureError:  # an answer of another version
        return f"{column} {_compared(step)}"
    if asked.measure in _YES_OR_NO and asked.order == 1:
        return f"{_question(asked)}: {'yes' if step.value > step.threshold else 'no'}"
    return f"{_question(asked)} {_compared(step)}"


def _question(asked: Similarity) -> str:
    """What a similarity compares; at second hand, what makes pages resemble the same others."""
    feature = asked.feature
    plain = kind_words(feature.name) if not feature.parameters else feature_words(feature.name)
    words = _SHARED[asked.measure].format(plain)
    return words if asked.order == 1 else f"{_KINDS['profile']} ({words})"


def _compared(step: Step) -> str:
    """Value and threshold, with as many digits as tell them apart."""
    for digits in range(2, _MOST_DIGITS):
        value, threshold = (_figure(each, digits) for each in (step.value, step.threshold))
        if value != threshold or step.value == step.threshold:
            break
    return f"{value}, {'more' if step.value > step.threshold else 'no more'} than {threshold}"


def _figure(number: float, digits: int) -> str:
    """With so many significant digits, but whole numbers whole; never as a power of ten."""
    if number.is_integer():
        return f"{number:.0f}"
    return np.format_float_positional(number, digits, fractional=False, trim="-")


_CHIP, _LONGEST = 60, 500
"""Characters of a shared string, and of a sentence, that are shown."""
_NOTHING = "<li>Nothing that stands out.</li>"
_PATH = "What the decision tree asked, and how probable each answer made it:"
_SAID = {"same": "A user said: one person.", "different": "A user said: not the same person."}


def ties(answer: Answer) -> str:
    """HTML: every explained pair once, in order of rank; the script shows copies of them."""
    pages = {page.rank: page for page in rows_of(answer)}
    names = answer.similarities
    return "\n".join(_tie(answer.pairs[pair], pages, names) for pair in sorted(answer.pairs))


def _tie(pair: ExplainedPair, pages: Mapping[int, PageScore], names: Sequence[str]) -> str:
    first, second = pair.pages
    known: set[str] = set()
    shared = "".join(_evidence(each, known, len(pages)) for each in pair.evidence)
    return (
        f'<li class="tie" id="tie-{first}-{second}"><p class="pair">{_end(pages[first])} ↔ '
        f"{_end(pages[second])} <b>{percent(pair.probability)}</b></p>"
        f"{_paragraph(_SAID.get(pair.said, ''), 'said')}"
        f'<ul class="evidence">{shared or _NOTHING}</ul>{_effects(pair)}{_steps(pair, names)}</li>'
    )


def _paragraph(text: str, kind: str) -> str:
    return f'<p class="{kind}">{text}</p>' if text else ""


def _end(page: PageScore) -> str:
    return f'<a href="#page-{page.rank}">{page.rank}</a> {shown_end(domain_of(page.url), 30)}'


def _effects(pair: ExplainedPair) -> str:
    """What each kind of evidence adds: what speaks for one person, then what against."""
    sides = (
        (heading, [each for each in pair.effects if (each.effect >= 0) is speaks_for])
        for heading, speaks_for in (("For one person", True), ("Against it", False))
    )
    told = (f"{heading}: {', '.join(map(_effect, side))}." for heading, side in sides if side)
    return _paragraph(shown(" ".join(told), _LONGEST), "reasons")


def _effect(effect: Effect) -> str:
    """``key words``, ``home pages (much)``."""
    *degree, _for_or_against, _it = effect_words(effect).split()
    kind = kind_words(effect.kind)
    return f"{kind} ({' '.join(degree)})" if degree else kind


def _steps(pair: ExplainedPair, names: Sequence[str]) -> str:
    """The path through the tree that has decided."""
    told = (
        f"<li>{shown(step_words(each, names[each.column]))} <b>{percent(each.probability)}</b></li>"
        for each in pair.steps
    )
    steps = "".join(told)
    return f'<p class="reasons">{_PATH}</p><ol class="reasons">{steps}</ol>' if steps else ""


def _evidence(evidence: Evidence, known: set[str], total: int) -> str:
    """A feature in plain words and the strings shared; those new are added to known."""
    found_on = evidence.pages or (0,) * len(evidence.shared)
    tidy = [
        (shown(string.strip("· "), _CHIP), pages)
        for string, pages in zip(evidence.shared, found_on, strict=True)
    ]
    fresh = {string: pages for string, pages in tidy if string and string not in known}
    known.update(fresh)
    rest = "the same" if evidence.shared and not fresh else ""
    words = shown(feature_words(evidence.feature))
    return f"<li><i>{words}</i> <span>{_chips(list(fresh.items()), total) or rest}</span></li>"


def _chips(strings: Sequence[tuple[str, int]], total: int) -> str:
    """The strings, each as a chip, after on how many pages they stand."""
    parts: list[str] = []
    for pages, each in groupby(strings, key=lambda pair: pair[1]):
        if pages:
            rarity = f"on {pages}" if parts else rarity_words(pages, total)
            parts.append(f"<small>{rarity}</small>")
        parts.extend(f"<q>{string}</q>" for string, _ in each)
    return " ".join(parts)
