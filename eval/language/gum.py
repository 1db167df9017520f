"""Names among the mentions that GUM marks in its MISC column (gucorpling.org/gum)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from eval.language.conllu import Tree
from eval.language.sentences import MISSING, OUTSIDE, Sentence, iob

__all__ = ["mentions", "named"]

_LABELS = {
    "person": "PERSON",
    "organization": "ORGANISATION",
    "place": "LOCATION",
    "event": "EVENT",
}
_OTHER_NAMES = frozenset({"abstract", "object", "animal", "plant", "substance"})
_BRACKET = re.compile(
    r"\((?P<opens>[^-()\[]+)(?:\[[^]]*\])?-(?P<kind>[^-()]+)[^()]*(?P<single>\))?"
    r"|(?P<closes>[^()\[]+)(?:\[[^]]*\])?\)"
)
_TITLES = frozenset(
    "mr mrs ms miss dr prof professor sir lady lord dame president vice prime minister king queen "
    "prince princess senator governor mayor judge justice captain colonel general sergeant "
    "lieutenant major admiral pope saint st. mr. mrs. ms. dr. prof. rev rev. reverend father "
    "sister brother director chairman chancellor secretary ambassador officer detective coach "
    "congressman congresswoman representative rep. sen. gov. gen. col. capt. lt. sgt. hon. uncle "
    "aunt mother grandma grandpa mom dad".split()
)
_JOINING = frozenset({"of", "for", "&"})


def mentions(tree: Tree) -> Iterator[tuple[int, int, str]]:
    """The mentions of a sentence: start, end and GUM's type."""
    open_at: dict[str, list[tuple[int, str]]] = {}
    for index, misc in enumerate(tree.misc):
        entity = next((f[7:] for f in misc.split("|") if f.startswith("Entity=")), "")
        for match in _BRACKET.finditer(entity):
            if match["single"]:
                yield index, index + 1, match["kind"]
            elif match["opens"]:
                open_at.setdefault(match["opens"], []).append((index, match["kind"]))
            elif open_at.get(match["closes"]):
                start, kind = open_at[match["closes"]].pop()
                yield start, index + 1, kind


def named(tree: Tree) -> Sentence:
    """The sentence with entity tags: mentions whose head is a proper noun, cut to the name.

    Proper nouns that belong to no mention of a safe type are missing, all other words are ``O``.
    """
    sentence = tree.sentence
    spans: list[tuple[int, int, str]] = []
    unsure: set[int] = set()
    for start, end, kind in sorted(mentions(tree), key=lambda each: each[0] - each[1]):
        span = _name_in(sentence, start, end, kind)
        if span is None:
            continue
        inside = set(range(*span))
        if kind in _OTHER_NAMES:
            unsure |= inside
        elif kind in _LABELS and not any(inside & set(range(s, e)) for s, e, _ in spans):
            spans.append((*span, _LABELS[kind]))
    tags = iob(len(sentence.words), spans)
    for index in unsure:
        tags[index] = MISSING if tags[index] == OUTSIDE else tags[index]
    return Sentence(sentence.words, sentence.spaces, entities=tuple(tags))


def _name_in(sentence: Sentence, start: int, end: int, kind: str) -> tuple[int, int] | None:
    """The run of proper nouns round the head of a mention, without titles; None without one."""
    head = next((i for i in range(start, end) if not start <= sentence.heads[i] < end), start)
    head = next((i for i in range(start, end) if sentence.heads[i] == i), head)
    if not _is_proper(sentence, head):
        return None
    if kind == "person" and sentence.tags[head] == "NNPS":
        return None
    first, last = head, head + 1
    while first > start and _joins(sentence, first - 1, start, end):
        first -= 1
    while last < end and _joins(sentence, last, start, end):
        last += 1
    if kind not in {"person", "place"}:
        last = _with_complement(sentence, last, start, end)
    while first < last and not _is_proper(sentence, first):
        first += 1
    while kind == "person" and first < last and sentence.words[first].lower() in _TITLES:
        first += 1
    return (first, last) if first < last else None


def _with_complement(sentence: Sentence, last: int, start: int, end: int) -> int:
    """The end of a name such as "Institute of the Atlantic", which goes on behind a preposition."""
    place = last
    while place < end and sentence.words[place].lower() in _JOINING:
        after = place + 1
        after += after < end and sentence.words[after].lower() == "the"
        while after < end and _joins(sentence, after, start, end):
            after += 1
        if not _is_proper(sentence, after - 1):
            break
        place = last = after
    return last


def _is_proper(sentence: Sentence, index: int) -> bool:
    return sentence.pos[index] == "PROPN" or sentence.tags[index] in {"NNP", "NNPS"}


def _joins(sentence: Sentence, index: int, start: int, end: int) -> bool:
    """Whether a word belongs to a run: a proper noun, or a hyphen or initial's dot within one."""
    if _is_proper(sentence, index):
        return True
    within = start < index < end - 1
    return (
        within
        and sentence.words[index] in {"-", "–", "'", "’", "."}
        and _is_proper(sentence, index - 1)
        and _is_proper(sentence, index + 1)
        and not sentence.spaces[index - 1]
    )
