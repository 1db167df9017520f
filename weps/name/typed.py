"""The name as typed, checked: whether it is one, and whether the pages have it or a similar one.

The words of a name may be misspelled, and the name of a folder says more than that of a person,
*Edwin Foxcombe – research (2)*. Which of the words are the name, and how it is spelled, the pages
decide: that is the longest run of its words in a row, in capitals, that most of them have.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterator, Sequence
from functools import cache
from itertools import chain, combinations, islice

from weps._formatting import count_of, cut_text, quote_text
from weps._text import MARKS
from weps.errors import InputValueError, require_type
from weps.name.mentions import MentionKind, matcher
from weps.name.person_name import UNSPACED, PersonName, script_of
from weps.name.spelling import APOSTROPHES, HYPHENS, IGNORED, plain_letters

_MAX_BYTES, _MAX_WORDS, _MAX_SHOWN = 200, 12, 80
"""Bytes of a name in UTF-8, which is part of names of files; its words, and characters of it that
messages have."""
_FEW, _ENOUGH, _NEARLY = 0.1, 1 / 3, 0.7
"""Shares of the pages up to which few have a name, and from which on enough have one to propose it;
share of the pages with the most frequent words on which more words must be."""
_MIN_EDITED, _MIN_EDITED_ALONE = 4, 5
"""Letters of a word, and of a name of one word, that may be misspelled."""
_WORD = re.compile(rf"[^\W_](?:[^\W_]|[{MARKS}]|{IGNORED[:-1]})*+")
_BETWEEN = re.compile(rf"[{HYPHENS} \xa0.{APOSTROPHES}]{{1,3}}")
_NUMBER = r"(?<!\w)\d[\d.:/-]*(?!\w)"
_DIVIDED = re.compile(rf"[()\[\]{{}}|]|\s[-–—:]\s|{_NUMBER}")
"""What divides the name of a folder into parts."""
_Run = tuple[tuple[str, ...], str]
"""Words in a row in plain letters, and as written."""


def require_name(*names: str) -> None:
    """Refuse what is no name.

    Raises:
        SourceError: one has no letters, or is too long.
    """
    for name in names:
        require_type(name, str, "a person's name")
        if not (any(map(str.isalpha, name)) and PersonName.parse(name).family):
            raise InputValueError(
                f"expected a person's name, got {quote_text(name)}",
                remedy='write it such as "Robin Averdale"',
            )
        if len(name.encode("utf-8", "replace")) > _MAX_BYTES:
            raise InputValueError(
                f"a name of {count_of(len(name), 'character')} is too long", remedy="shorten it"
            )


def check_name(
    typed: str, texts: Sequence[str], also: Sequence[str] = (), *, of_folder: bool = False
) -> tuple[str, str]:
    """Check that pages have a name; where few do, find out what they have. Takes linear time.

    Args:
        typed: the name.
        texts: of the pages.
        also: its other spellings.
        of_folder: whether it is the name of a folder or file, which may have words besides.

    Returns:
        The name as typed, but of a folder the part of its name that the pages have; and a sentence,
        if few have it or the name of the folder says more.
    """
    texts = [text for text in texts if any(map(str.isalnum, text))]
    name, few = PersonName.parse(typed, also), int(_FEW * len(texts))
    found = _pages_with(name, texts, few)
    plain = " ".join(re.sub(rf"[(\[]?{_NUMBER}[)\]]?", " ", typed).split()) or typed
    is_sure = not of_folder or (plain == typed and not typed.islower())
    if not (texts and name.family) or (found > few and is_sure):
        return typed, ""
    total = count_of(len(texts), "page")
    advice = "check the spelling, or give that of the pages as another one."
    for text, number, is_part in _similar_names(typed, texts):
        same = plain_letters(text) == plain_letters(plain)
        if number <= 3 * found and not (same and found > few):
            continue
        on = f"on {number:,} of {total}"
        if of_folder and is_part:
            read = f"{cut_text(typed, _MAX_SHOWN)}, is read as {text}"
            return text, "" if same else f"The name of the folder, {read}, which is {on}."
        advice = f"did you mean {text}, {on}?"
        break
    if found > few:
        return typed, ""
    typed, number_of = plain if of_folder else typed, f"only {found:,}" if found else "none"
    return typed, f"The name {cut_text(typed, _MAX_SHOWN)} is on {number_of} of {total}: {advice}"


def _pages_with(name: PersonName, texts: Sequence[str], most: int) -> int:
    """The number of texts that have a name as spelled; beyond ``most`` they are not counted."""
    others = {MentionKind.FAMILY, MentionKind.ALIKE}
    named = (
        text
        for text in texts
        if any(mention.kind not in others for mention in matcher(name).find(text))
    )
    return sum(1 for _ in islice(named, most + 1))


def _similar_names(typed: str, texts: Sequence[str]) -> Iterator[tuple[str, int, bool]]:
    """The names, of several words and of one, that most texts have of those similar to that typed.

    With each the number of texts, and whether it consists of words as typed.
    """
    pages, forms = Counter[tuple[str, ...]](), defaultdict[tuple[str, ...], Counter[str]](Counter)
    for found in _runs_of_texts(typed, texts):
        pages.update({run for run, _ in found})
        for run, form in found:
            forms[run][form] += 1
    exact = frozenset(map(plain_letters, _WORD.findall(typed)))
    for is_single in (False, True):
        counts = {run: count for run, count in pages.items() if (len(run) == 1) is is_single}
        least = max(_NEARLY * max(counts.values(), default=0), _ENOUGH * len(texts))
        near = [
            (len(run), exact >= {*run}, count, run)
            for run, count in counts.items()
            if count >= least
        ]
        if not near:
            continue
        *_, number, run = max(near)
        text = max(forms[run], key=lambda form: (not form.isupper(), forms[run][form], form))
        name = PersonName.parse(text)
        if is_single or name.given:
            number = number if is_single else _pages_with(name, texts, len(texts))
            yield text, number, exact >= {*run} or "".join(run) in exact


def _runs_of_texts(typed: str, texts: Sequence[str]) -> Iterator[list[_Run]]:
    """For each text the words in a row that are words of the name, in order.

    They begin and end with capitals. Every part of a run is one, too, but single words are only if
    they may be the whole name.
    """
    words = list(dict.fromkeys(map(plain_letters, _WORD.findall(typed)[:_MAX_WORDS])))
    parts = (_WORD.findall(part) for part in _DIVIDED.split(typed))
    alone = {plain_letters(*part) for part in parts if len(part) == 1}
    unspaced = [each for each in typed.split() if script_of(each) in UNSPACED][:_MAX_WORDS]
    joined = [unspaced[slice(*each)] for each in combinations(range(len(unspaced) + 1), 2)]
    place_of = _finder_of_places(words)
    for text in texts:
        dense = text.replace(" ", "") if joined else ""
        in_dense = (each for each in joined if "".join(each) in dense)
        yield [
            *((tuple(map(plain_letters, each)), " ".join(each)) for each in in_dense),
            *_runs_of_text(text, words, alone, place_of),
        ]


def _finder_of_places(words: Sequence[str]) -> Callable[[str], tuple[str, int]]:
    """A function from a word to its plain letters and its place among others.

    The place is -1 if it is none of them, and -2 if it is no beginning or end of one, either.

    Args:
        words: in plain letters; one edit away from them is a word that begins with a capital.
    """
    least = _MIN_EDITED_ALONE if len(words) == 1 else _MIN_EDITED
    long = [(at, word) for at, word in enumerate(words) if len(word) >= least]
    place = {form: at for at, word in long for form in _edited_forms(word)}
    place |= {word: at for at, word in enumerate(words)}
    longest = max(map(len, words), default=0)
    ends = {end for word in words for at in range(len(word)) for end in (word[:at], word[at:])}

    @cache
    def place_of(word: str) -> tuple[str, int]:
        plain = plain_letters(word)
        may_be_edited = _is_capital(word) and len(plain) <= longest + 1
        forms = _edited_forms(plain) if may_be_edited else (plain,)
        other = -1 if plain in ends else -2
        return plain, next((place[each] for each in forms if each in place), other)

    return place_of


def _runs_of_text(
    text: str,
    words: Sequence[str],
    alone: Container[str],
    place_of: Callable[[str], tuple[str, int]],
) -> Iterator[_Run]:
    """The runs of a text: the longest words in a row, and all parts of them, as they end."""
    run: list[tuple[str, int, int, int]] = []
    for match in _WORD.finditer(text):
        plain, at = place_of(match[0])
        if at < -1:  # as nearly all words are
            run = []
            continue
        start, end = match.span()
        last, last_at, begin, last_end = run[-1] if run else ("", -1, 0, 0)
        follows = _BETWEEN.fullmatch(text, last_end, start) is not None and run != []
        if follows and last + plain in words and _is_capital(text[begin]):
            yield (last, plain), text[begin:end]
        run = [*(run if follows and 0 <= last_at < at else ()), (plain, at, start, end)]
        is_end = at >= 0 and _is_capital(match[0])
        for number, (_, _, first, _) in enumerate(run if is_end else ()):
            may_be_whole = number < len(run) - 1 or words[at] in alone
            if may_be_whole and _is_capital(text[first]):
                yield tuple(each for each, *_ in run[number:]), text[first:end]


def _edited_forms(word: str) -> Iterator[str]:
    """The word, and it without each of its letters: misspelled words have one in common."""
    return chain([word], (word[:at] + word[at + 1 :] for at in range(len(word))))


def _is_capital(text: str) -> bool:
    """Whether a text begins with a capital, or its script has none."""
    return text[:1] == text[:1].upper()
