"""Words of running text, and a person's name with its mentions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

# Each kind begins with a set of characters, by which the engine passes it over without trying.
_NUMBER = r"\d\d*(?:[.,]\d+)+(?![^\W_])"
"""12.5 and 1,000 are one word each."""
_WORD = r"[^\W_][^\W_]*+(?:'(?![sS]\b)[^\W_]+)*+"
"""Letters and digits; apostrophes inside (O'Brien) but no possessive 's; hyphens divide."""
_PUNCTUATION = r"[^\w\s](?<!\w-(?=\w))|_"
"""Any other visible character, but no hyphen inside a word."""

_TOKEN = re.compile(f"{_NUMBER}|{_WORD}|'[sS]\\b|{_PUNCTUATION}")
_find_ascii_tokens = re.compile(
    _TOKEN.pattern.replace(r"[^\W_]", "[A-Za-z0-9]")
    .replace(r"\d", "[0-9]")
    .replace(r"\s]", r"\s\x1c-\x1f]"),  # blanks, as str.isspace says
    re.ASCII,
).findall
"""Finder of tokens in texts of ASCII alone, half as long again as fast."""
_IDEOGRAPH = "[\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]"
_find_ideograph = re.compile(_IDEOGRAPH).search
_PARTS = re.compile(f"{_IDEOGRAPH}+|[^{_IDEOGRAPH[1:]}+")


def split_words(text: str) -> list[str]:
    """The words of a text in lower case, without punctuation and possessive 's."""
    return [token.lower() for token in split_tokens(text) if token[0].isalnum()]


def split_tokens(text: str) -> list[str]:
    """The words and punctuation marks of a text in order, case kept, apostrophes made straight.

    Chinese and Japanese do not divide words: there, every two neighbouring characters are a token,
    as is usual in retrieval.
    """
    if text.isascii():
        return _find_ascii_tokens(text)
    if _find_ideograph(text):
        return [text[begin:end].replace("’", "'") for begin, end in token_spans(text)]
    return _TOKEN.findall(text.replace("’", "'"))


def token_spans(text: str) -> list[tuple[int, int]]:
    """Begin and end in the text of each token of :func:`split_tokens`."""
    spans = [match.span() for match in _TOKEN.finditer(text.replace("’", "'"))]
    if text.isascii() or not _find_ideograph(text):
        return spans
    divided: list[tuple[int, int]] = []  # where tokens have Chinese or Japanese characters
    for begin, end in spans:
        for match in _PARTS.finditer(text, begin, end):
            first, last = match.span()
            if _find_ideograph(text[first]) and last - first > 1:
                divided += ((at, at + 2) for at in range(first, last - 1))
            else:
                divided.append((first, last))
    return divided


def has_alphanumeric(token: str) -> bool:
    """Whether a token has a letter or a digit: whether it is a word."""
    return token.isalnum() or any(map(str.isalnum, token))


def is_ideograph_pair(token: str) -> bool:
    """Whether a token is of two Chinese or Japanese characters."""
    return len(token) == 2 and _find_ideograph(token) is not None


def singular_form(word: str) -> str:
    """An English plural's singular, by ending: ``studies`` → ``study``, ``books`` → ``book``."""
    if not word.endswith("s"):  # nearly all
        return word
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    return word if word.endswith(("ss", "us", "is")) or len(word) <= 3 else word[:-1]


_MAX_MIDDLE_NAMES = 2
"""Middle names or initials that may stand between the first and the last name."""
_MIDDLE_PUNCTUATION = frozenset(".\"'“”()")
"""Punctuation that goes with initials and nicknames."""


@dataclass(frozen=True, slots=True)
class PersonName:
    """A name as written, and its lower-case tokens, e.g. ``("thomas", "baker")``."""

    text: str
    tokens: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> PersonName:
        """The name as ``Thomas Baker``, also if it is written ``Baker, Thomas``."""
        last, comma, first = text.partition(",")
        return cls(text, tuple(split_words(f"{first} {last}" if comma else text)))

    def mentioned_at(self, words: Sequence[str], capitals: Sequence[bool], last: int) -> bool:
        """Whether a mention of the name ends or begins at the last name, ``words[last]``.

        Accepts ``Thomas Baker``, ``THOMAS BAKER``, ``Thomas J. Baker``, ``Baker, Thomas``, in any
        case; between first and last name only initials and capitalised words may stand.

        Args:
            words: lower-case tokens of one sentence, punctuation included.
            capitals: for each token, whether it begins with a capital letter.
            last: position of a token equal to the last token of the name.
        """
        if len(self.tokens) < 2:
            return True
        if tuple(words[last + 1 : last + 3]) == (",", self.tokens[0]):  # Baker, Thomas
            return True
        # Back over middle names to the first name: Thomas [J.] [William] Baker.
        middles, at = 0, last - 1
        while at >= 0 and middles <= _MAX_MIDDLE_NAMES:
            if words[at] == self.tokens[0]:
                return True
            if words[at] in _MIDDLE_PUNCTUATION:
                at -= 1
                continue
            is_initial = len(words[at]) == 1 and words[at].isalpha()
            if not (capitals[at] or is_initial or words[at] in self.tokens):
                return False
            middles, at = middles + 1, at - 1
        return False
