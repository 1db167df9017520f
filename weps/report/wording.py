"""Plain words for probabilities, features, and explained pairs, what they share and its weight."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby

import numpy as np
from scipy import sparse

from weps._formatting import format_probability
from weps.coreference.explanation import Effect, Step
from weps.errors import FeatureError
from weps.features.registry import NEARBY, FeatureKind, all_features, feature_by_name
from weps.people.answer import Alternatives, Answer
from weps.people.evidence import Evidence, ExplainedPair
from weps.report.safe_text import bounded_text
from weps.report.view import pages_by_rank, shown_title
from weps.similarity.columns import parse_similarity
from weps.similarity.pairs import square_matrix

CERTAINTIES = ((0.95, "almost certain"), (0.8, "likely"), (0.5, "plausible"), (0.0, "uncertain"))

_NUMBERS = ((2.25, "two"), (3.5, "two or three"))
"""Below which expected number of people they are called so."""

_MEASURES = {
    "bcubed_precision": "B-Cubed precision",
    "bcubed_recall": "B-Cubed recall",
    "bcubed_f05": "B-Cubed F, α 0.5",
    "bcubed_f02": "B-Cubed F, α 0.2",
    "purity": "Purity",
    "inverse_purity": "Inverse purity",
    "purity_f05": "Purity F, α 0.5",
    "purity_f02": "Purity F, α 0.2",
    "rand": "Rand",
    "jaccard": "Jaccard",
    "fowlkes_mallows": "Fowlkes–Mallows",
}


@lru_cache(maxsize=1024)
def feature_words(name: str) -> str:
    """``ngram(n=4, local=true)`` → ``phrases of 4 words near the name``."""
    try:
        return feature_by_name(name).wording
    except FeatureError:  # an answer of another version
        return name


def feature_list(names: Iterable[str]) -> str:
    """Features in plain words; one near the name is left out where the whole page has it too."""
    words = dict.fromkeys(map(feature_words, names))
    return ", ".join(
        each for each in words if not (each.endswith(NEARBY) and each.removesuffix(NEARBY) in words)
    )


def measure_words(name: str) -> str:
    """``bcubed_f05`` → ``B-Cubed F, α 0.5``."""
    return _MEASURES.get(name, name.replace("_", " "))


def people_words(one_person: float, expected: float) -> str:
    """Whether pages are one person: ``one person: likely, 85%``, ``may be two people (one: 35%)``.

    Args:
        one_person: probability that they are.
        expected: expected number of people.
    """
    sure = format_probability(one_person)
    if one_person >= CERTAINTIES[-2][0]:
        return f"one person: {certainty(one_person)}, {sure}"
    number = next((words for most, words in _NUMBERS if expected < most), f"{expected:.0f}")
    return f"may be {number} people (one: {sure})"


def certainty(probability: float) -> str:
    """A probability in words."""
    return next((words for least, words in CERTAINTIES if probability >= least), "uncertain")


_LONGEST_STRING = 60
_EFFECT_KINDS = {"profile": "resembling the same other pages", "other": "further evidence"}
"""Kinds of effects besides those of features."""
_MOST_ALIKE = 2
"""Pages that are named of those which both pages of a pair resemble."""
_DEGREES = ((2.0, "much "), (0.5, ""), (0.0, "a little "))
"""On the log odds: what is even becomes 88 % probable by the first, 62 % by the second."""
_QUESTIONS = {
    "dice": "{} shared",
    "cosine": "{} shared, by weight",
    "overlap": "number of shared {}",
    "agree": "same {}",
    "contradict": "different {}",
    "rarity": "{} shared, by rarity in English",
    "": "{}",
}
"""Measure → what is asked; flags have none."""
_LIKENESS = "similarity of the {}"
"""Question that any measure asks of vectors."""
_YES_OR_NO = ("agree", "contradict", "")
_MAX_DIGITS = 9


@dataclass(frozen=True, slots=True)
class EvidenceLine:
    """A feature and the strings of it that two pages share."""

    feature: str
    """In plain words."""
    parts: list[tuple[str, bool]]
    """The strings, and before those of one rarity how rare they are; which of the parts are
    strings. A string that an earlier line has is left out."""
    repeats: bool
    """Whether earlier lines have all the strings."""


@dataclass(frozen=True, slots=True)
class PairView:
    """A pair of pages as the report explains it."""

    ranks: tuple[int, int]
    """Ranks of the two pages, ascending."""
    titles: tuple[str, str]
    """Titles of the two pages; never empty."""
    probability: float
    """That both pages are about one person."""
    correction: str
    """Decision of a user on the pair; empty, ``same`` or ``different``."""
    evidence: list[EvidenceLine]
    effects: str
    """Sentences on what speaks for one person, then on what speaks against."""
    steps: list[tuple[str, float]]
    """Questions and answers of a decision tree, and how probable each answer made the pair."""


def pair_views(answer: Answer, pairs: Iterable[tuple[int, int]]) -> list[PairView]:
    """Explained pairs, by their ranks."""
    titles = {rank: shown_title(page) for rank, page in pages_by_rank(answer).items()}
    alike_to_both = _alike_pages(answer.alternatives)
    views = []
    for first, second in pairs:
        pair, known = answer.pairs[first, second], set[str]()
        steps = [
            (step_words(each, answer.similarities[each.column]), each.probability)
            for each in pair.steps
        ]
        views.append(
            PairView(
                pair.pages,
                (titles[first], titles[second]),
                pair.probability,
                pair.user_decision,
                [_evidence_line(each, known, len(titles)) for each in pair.evidence],
                _effect_sentences(pair, alike_to_both(first, second)),
                steps,
            )
        )
    return views


def pair_text(pair: ExplainedPair, answer: Answer) -> str:
    """An explained pair as lines of plain text."""
    (view,) = pair_views(replace(answer, pairs={pair.pages: pair}), [pair.pages])
    lines = [
        f"Pages {pair.pages[0]} and {pair.pages[1]} are one person: "
        f"{format_probability(pair.probability)}"
    ]
    if pair.user_decision:
        lines[0] += f" (a correction says: {pair.user_decision})"
    lines += map("  {}: {}".format, pair.pages, view.titles)
    lines += [
        ": ".join(filter(None, (f"- {line.feature}", _shared_text(line))))
        for line in view.evidence
        if not line.repeats
    ]
    lines += [view.effects] if view.effects else []
    lines += [f"- {words}: {format_probability(each)}" for words, each in view.steps]
    return "\n".join(lines)


def _shared_text(line: EvidenceLine) -> str:
    """``kelp, urchin (on no other page); harbour (on 7)``."""
    groups: list[tuple[str, list[str]]] = [("", [])]
    for part, is_string in line.parts:
        if is_string:
            groups[-1][1].append(part)
        else:
            groups.append((part, []))
    described = ((", ".join(strings), where) for where, strings in groups if strings)
    return "; ".join(f"{strings} ({where})" if where else strings for strings, where in described)


def _alike_pages(alternatives: Alternatives | None) -> Callable[[int, int], list[int]]:
    """Ranks of two pages → those that both are likely one person with, most probable first.

    None are found where no probabilities of pairs are known.
    """
    ranks = alternatives.ranks if alternatives else ()
    known = alternatives.probability if alternatives else np.zeros(0)
    row_of = {rank: row for row, rank in enumerate(ranks)}
    # A page is not alike to itself: the diagonal is zero.
    square = (
        square_matrix(known, len(row_of))
        if isinstance(known, np.ndarray)
        else sparse.csr_array(known + known.T)
    )

    def alike_to_both(first: int, second: int) -> list[int]:
        if not {first, second} <= row_of.keys():
            return []
        either = square[[row_of[first], row_of[second]]]
        both = np.minimum(*(either if isinstance(either, np.ndarray) else either.toarray()))
        best = np.argsort(-both, kind="stable")[:_MOST_ALIKE]
        return [ranks[row] for row in best if both[row] >= 0.5]

    return alike_to_both


def _evidence_line(evidence: Evidence, known: set[str], total: int) -> EvidenceLine:
    """A line with the strings that are new, which are added to those known."""
    document_counts = evidence.pages or (0,) * len(evidence.shared)
    strings = [bounded_text(each.strip("· "), _LONGEST_STRING) for each in evidence.shared]
    new = {
        string: pages
        for string, pages in zip(strings, document_counts, strict=True)
        if string and string not in known
    }
    known.update(new)
    parts: list[tuple[str, bool]] = []
    for pages, group in groupby(new, key=new.__getitem__):
        if pages:
            parts.append((f"on {pages}" if parts else rarity_words(pages, total), False))
        parts.extend((string, True) for string in group)
    return EvidenceLine(feature_words(evidence.feature), parts, bool(strings) and not new)


def _effect_sentences(pair: ExplainedPair, alike: Sequence[int]) -> str:
    """``For one person: key words (much). Against it: home pages.``, and the names as written.

    That both resemble the same other pages is left out where these cannot be named.
    """
    effects = [each for each in pair.effects if each.kind != "profile" or each.effect < 0 or alike]
    sides = (
        (heading, [each for each in effects if (each.effect >= 0) is speaks_for])
        for heading, speaks_for in (("For one person", True), ("Against it", False))
    )
    sentences = [
        f"{heading}: {', '.join(_effect(each, alike) for each in side)}."
        for heading, side in sides
        if side
    ]
    match [bounded_text(each, _LONGEST_STRING) for each in dict.fromkeys(pair.names)]:
        case [both]:
            sentences.append(f"Both pages have ‘{both}’.")
        case [one, other]:
            sentences.append(f"One page has ‘{one}’, the other ‘{other}’.")
    return " ".join(sentences)


def _effect(effect: Effect, alike: Sequence[int]) -> str:
    """``key words``, ``home pages (much)``, ``both resemble pages 3 and 9 (much)``."""
    *degree, _for_or_against, _it = effect_words(effect).split()
    kind = kind_words(effect.kind)
    if effect.kind == "profile":
        pages = f"page{'s' * (len(alike) > 1)} {' and '.join(map(str, alike))}"
        kind = (
            f"both resemble {pages}" if effect.effect >= 0 else "resembling different other pages"
        )
    return f"{kind} ({' '.join(degree)})" if degree else kind


@lru_cache(maxsize=256)
def kind_words(kind: str) -> str:
    """``content`` → ``key words``."""
    words = (each.function_wording for each in all_features() if each.function == kind)
    return _EFFECT_KINDS.get(kind) or next(words, kind.replace("_", " "))


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
    """Question and answer of a tree: ``key words shared 0.31, more than 0.12``, ``web site: no``.

    Args:
        step: of a pair's path.
        column: the similarity that the tree looks at, as a model writes it, ``dice(content(n=1))``.
    """
    above = step.value > step.threshold
    for digits in range(2, _MAX_DIGITS):  # as many as tell value and threshold apart
        value, threshold = (
            f"{number:.0f}"
            if number.is_integer()
            else np.format_float_positional(number, digits, fractional=False, trim="-")
            for number in (step.value, step.threshold)
        )
        if value != threshold or step.value == step.threshold:
            break
    compared = f"{value}, {'more' if above else 'no more'} than {threshold}"
    try:
        asked = parse_similarity(column)
    except FeatureError:  # an answer of another version
        return f"{column} {compared}"
    feature = asked.feature
    question = _LIKENESS if feature.kind is FeatureKind.VECTORS else _QUESTIONS[asked.measure]
    words = question.format(feature.wording if feature.parameters else feature.function_wording)
    if asked.order > 1:
        words = f"{_EFFECT_KINDS['profile']} ({words})"
    if asked.relative:
        words = f"{words}, above the mean of the name"
    if asked.measure in _YES_OR_NO and not asked.base and step.value in (0, 1):
        return f"{words}: {'yes' if above else 'no'}"
    return f"{words} {compared}"
