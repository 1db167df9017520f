"""Ties in the HTML report: what two pages share, how rare that is, and what it weighs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from weps.coreference.reasons import Effect
from weps.explaining.evidence import Evidence
from weps.people import Answer, ExplainedPair, PageScore
from weps.report.groups import rows_of
from weps.report.reasons import effect_words, kind_words, rarity_words, step_words
from weps.report.shown import domain_of, shown, shown_end
from weps.report.wording import feature_words, percent

__all__ = ["ties"]

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
