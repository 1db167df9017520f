"""What a page says by itself: an excerpt, what is unusual about it, and why it is set aside.

A page gets the first of :data:`SIGNS` that holds for it. Annotators of WePS discard pages for such
reasons, and most pages for others that do not show on the page: they could not decide, or had
enough pages of somebody. So a model keeps, for each sign, the share of the training pages with it
that the keys discard, and sets aside only where nearly all of them are: a page that is set aside
is lost for its person.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import accumulate, compress, count, islice
from operator import itemgetter
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np

from weps._cache import content_digest, resource_digest, source_digest
from weps._formatting import count_of
from weps.errors import ModelError
from weps.features.bags import stop_words
from weps.features.name import names_before
from weps.language.analysis import LANGUAGES, Analysis, cached_for_name, page_text
from weps.name.mentions import Mention, MentionKind, matcher
from weps.name.person_name import UNSPACED, PersonName, script_of
from weps.name.spelling import address_pattern, plain_letters, word_pattern
from weps.records import Clustering, Document, field_values

_AROUND_NAMES = ".\"“”'()"


def find_mentions(text: str, name: PersonName, *, full: bool = False) -> Iterator[tuple[int, int]]:
    """Begin and end of every mention of the name in a text, in order; none overlap.

    Args:
        text: any text.
        name: the name.
        full: whether only the whole name is a mention.
    """
    for mention in matcher(name).find(text):
        if mention.is_whole or not (full or mention.kind is MentionKind.LONGER):
            yield mention.start, mention.end


_MIN_LENGTH, _MAX_LENGTH = 160, 220
"""Characters of an excerpt, where the page has as many."""
_MAX_BEFORE = 80
"""Largest number of characters before a mention; longer sentences are cut."""
_MAX_MENTIONS = 60
"""Number of mentions of a page that are scored."""
_MAX_VERB_DISTANCE = 40
"""Characters between a name and its verb."""
_PROSE_WORDS = 12
"""Fewest words in lower case of a sentence."""
_TELLING_WORDS = 6
"""Fewest lower-case words of an excerpt that tells people something; lists and shops have less."""
_MAX_FOLLOWING = 2
_MAX_WORD = 30
"""Characters."""

_INTRODUCING_VERB = re.compile(
    r"\b(?:is|was|are|were|has|had|have|will|born|died|joined|became|received|earned|served"
    r"|works?|worked|lives?|lived|teaches|taught|wrote|plays?|played|holds?|held|says?|said"
    r"|studied|graduated|married|won|led|founded|appointed)\b",
    re.IGNORECASE,
)
"""English verbs that introduce people."""
_SENTENCE_BEGINS = re.compile(r"(?<=\w{4}[.!?])[\"”’)]{0,2}\s+|(?<=[。！？])")
"""After fewer letters a point may belong to an abbreviation or an initial."""


def page_excerpt(document: Document, name: PersonName, mentions: Iterable[Mention]) -> str:
    """Summarise in one or two lines who the page is about.

    The snippet if it mentions the full name; else the text around a mention, preferably in
    prose rather than in a list or the title; of pages that do not mention it, the snippet or
    the beginning, of prose if there is any. The mentions are those of the name on the page.
    """
    if at := next(find_mentions(document.snippet, name, full=True), None):
        return _cut_text(document.snippet, at[0] - _MAX_BEFORE if at[1] > _MAX_LENGTH else 0)
    passages = islice(_mention_passages(document, name, mentions), _MAX_MENTIONS)
    if best := max(passages, key=itemgetter(0), default=None):
        return best[1]
    prose = (_small_words(block) >= _PROSE_WORDS for block in document.blocks[:_MAX_MENTIONS])
    first = next(compress(count(), prose), 0)
    return _cut_text(document.snippet or _lengthened(document.blocks[first:]), 0)


def named_blocks(document: Document, mentions: Iterable[Mention]) -> list[int]:
    """The numbers of the blocks that mention the name, ascending."""
    lengths = (len(block) + 1 for block in document.blocks)
    begins = [*accumulate(lengths, initial=len(document.title) + len(document.snippet) + 2)]
    return sorted({bisect_right(begins, mention.start) - 1 for mention in mentions} - {-1})


def _mention_passages(
    document: Document, name: PersonName, mentions: Iterable[Mention]
) -> Iterator[tuple[int, str]]:
    """The text around each mention in the blocks, with a heuristic score of how much it tells."""
    for at in named_blocks(document, mentions):
        block = document.blocks[at]
        for begin, end in find_mentions(block, name, full=True):
            nearest = max(0, begin - _MAX_LENGTH)
            sentences = _SENTENCE_BEGINS.finditer(block, nearest, begin)
            start = max((found.end() for found in sentences), default=nearest)
            own, mention_end = block[start : end + 2 * _MAX_LENGTH], end - start
            after = _SENTENCE_BEGINS.search(own, mention_end)
            sentence = own[: after.start() if after else mention_end + _MAX_LENGTH]
            verb_end = mention_end + _MAX_VERB_DISTANCE
            score = (
                min(_small_words(sentence), _PROSE_WORDS)
                + 6 * bool(_INTRODUCING_VERB.search(sentence, mention_end, verb_end))
                + 3 * bool(_INTRODUCING_VERB.search(sentence))
                + 3 * sentence.endswith(tuple('.!?。！？”"'))
                - 3 * min(len(re.findall(r"[|•»>]|\s[-–]\s", sentence)), _MAX_FOLLOWING)
                - 20 * (own.casefold() in document.title.casefold())
            )
            far = mention_end > _MAX_LENGTH - _MAX_BEFORE
            text = _lengthened([own, *document.blocks[at + 1 :]])
            yield score, _cut_text(text, begin - start - _MAX_BEFORE if far else 0)


def _lengthened(blocks: Sequence[str]) -> str:
    """The first block, extended by those after it to the length of an excerpt."""
    text = "".join(blocks[:1])
    for block in blocks[1 : 1 + _MAX_FOLLOWING]:
        text += f" · {block[:_MAX_LENGTH]}" if len(text) < _MIN_LENGTH else ""
    return text


def is_telling(excerpt: str, name: PersonName) -> bool:
    """Whether an excerpt has words around the name that may tell people who it is about."""
    words = _small_words(excerpt) >= _TELLING_WORDS or name.script != "LATIN"
    return words and any(find_mentions(excerpt, name))


def _small_words(text: str) -> int:
    """Number of lower-case words among the first ones; prose has many, lists have few."""
    return sum(map(str.islower, text[: 2 * _MAX_LENGTH].split()))


def _cut_text(text: str, begin: int) -> str:
    """The displayed part of the text from about a position, cut between words."""
    line = text[max(begin, 0) : max(begin, 0) + _MAX_LENGTH + _MAX_WORD]
    if begin > 0:
        line = f"…{line.partition(' ')[2] or line}"
    if len(line) <= _MAX_LENGTH:
        return line
    whole = line[:_MAX_LENGTH].rpartition(" ")[0]
    return f"{whole if len(whole) > _MIN_LENGTH else line[: _MAX_LENGTH - 1]}…"


_LONGEST_SEARCHED = 8_000
"""Characters of a page in which reports search."""


def searched_text(document: Document, near: Sequence[int]) -> str:
    """The beginning of the text if its blocks stood in the order of their distance from the name.

    Args:
        document: the page.
        near: the blocks that mention the name, see :func:`named_blocks`.
    """
    order = np.arange(len(document.blocks))
    if near:
        after = np.searchsorted(near, order)
        around = np.take(near, [after - 1, after], mode="clip")
        order = np.argsort(np.abs(around - order).min(axis=0), kind="stable")
    first = order[:_LONGEST_SEARCHED].tolist()  # of more there is no room
    return "\n".join(document.blocks[at] for at in first)[:_LONGEST_SEARCHED]


PAGE_KINDS = {
    "obituary": (
        r"\b(?:legacy|tributes|obits?|obituar(?:y|ies))\b",
        r"/(?:obits?|obituar(?:y|ies)|deathnotices?)\b",
        r"\b(?:obituar(?:y|ies)|death notices?|in memoriam|nachruf|nécrologie|necrolog(?:io|ía))\b",
    ),
    "genealogy": (
        r"\b(?:ancestry|ancestors?|familysearch|findagrave|billiongraves|rootsweb|geni|geneanet|genforum"
        r"|wikitree|myheritage|usgenweb|politicalgraveyard)\b|genealog|genweb",
        r"/(?:genealog\w*|gen|ancestors?|family-?tree|gedcom)/|genealog",
        r"\b(?:genealog(?:y|ies)|genealogie|généalogie|family tree|(?:descendants|ancestors) of"
        r"|family history|surname)\b",
    ),
    "shop": (
        r"\b(?:amazon|ebay|etsy|alibris|abebooks|barnesandnoble|walmart|allposters|shopping|shop|store"
        r"|bookstore|booksamillion|powells|art)\.(?=[a-z])(?!org|edu|ac)",
        r"/(?:shop|store|cart|products?|catalog/product|dp)[/.?]",
        r"\b(?:compare prices|add to cart|buy online|posters? (?:and|&) prints)\b",
    ),
    "social": (
        r"\b(?:facebook|twitter|x|instagram|myspace|tiktok|youtube|flickr|pinterest|reddit|purevolume"
        r"|livejournal|soundcloud|vk|mastodon|bsky|threads|tumblr)\.(?:com|net|org|ru|social|app)$",
        "(?!)",
        "(?!)",
    ),
    "list": (
        "(?!)",
        r"[?&;](?:q|query|search|keywords?|find)=|/(?:search(?!/person)|find|results|directory|surnames?"
        r"|discussions?/list)[/.?]",
        r"^(?:list of|index of|search results|results for|directory of|main index)\b"
        r"|\b(?:disambiguation|search results)\b",
    ),
    "profile": (
        r"\b(?:linkedin|imdb|orcid|researchgate|crunchbase|nndb|ratemyprofessors|muckrack)\.",
        r"/(?:faculty|staff|people|person(?:nel)?|team|profiles?|bios?|biography|biographies|attorneys?|lawyers?"
        r"|celebrit\w+|players?|members?|alumni)/\W*\w|/~\w+/?(?:index\.html?)?$"
        r"|/wiki/(?!\w+:)",
        r"\b(?:curriculum vitae|biography|home ?page of|faculty (?:profile|page))\b|\bCV$",
    ),
    "news": (
        r"\b(?:bbc|cnn|reuters|nytimes|guardian|theguardian|washingtonpost|usatoday|latimes|spiegel|lemonde"
        r"|elpais|apnews|npr|telegraph|independent|foxnews|nbcnews|cbsnews|abcnews)\."
        r"|(?:news|times|herald|tribune|gazette|chronicle|dailypost|examiner|courier)\.\w",
        r"/(?:news|stor(?:y|ies)|press-?releases?)/|/(?:19|20)\d\d/[01]?\d/[0-3]?\d/",
        "(?!)",
    ),
}
"""Kind of page → expressions that find it in host, path or title; the first that fits counts."""
_KINDS = {
    kind: [re.compile(each, re.IGNORECASE) for each in marks] for kind, marks in PAGE_KINDS.items()
}


def page_kind(document: Document, name: PersonName) -> str:
    """The kind of page by address and title, a key of :data:`PAGE_KINDS`; empty where unclear.

    A profile has the family name there.
    """
    try:
        parts = urlsplit(document.url)
        host, path = parts.hostname or "", f"{parts.path}?{parts.query}".removesuffix("?")
    except ValueError:  # e.g. an unfinished IPv6 host
        host = path = ""
    told = host, path[:_LONGEST_TOLD], document.title[:_LONGEST_TOLD]
    for kind, patterns in _KINDS.items():
        if any(pattern.search(text) for pattern, text in zip(patterns, told, strict=True)):
            letters = plain_letters(f"{document.title} {document.url}")
            return kind if kind != "profile" or _is_within(name, letters) else ""
    return ""


_LONGEST_TOLD = 300
"""Characters of a path and a title that tell the kind of page."""

OTHER_SCRIPT = "not in the Latin script"
_LETTER = re.compile(r"[^\W\d_]")
_LATIN_LETTER = re.compile(
    "[A-Za-z\u00c0-\u024f\u1e00-\u1eff\u2c60-\u2c7f\ua720-\ua7ff\uff21-\uff3a\uff41-\uff5a]"
)
NO_TEXT = "no text"
_MOST_PAGES = 500
"""Pages of a name for which confidence was measured, rounded up."""
_MIN_FOREIGN, _SHARE_OF_FOREIGN = 3, 0.1
"""Pages that are not English from which on the encoder is left out."""
_FEWEST_LETTERS = 20
"""Fewer letters tell nothing about the language."""


def page_caution(document: Document, language: str) -> str:
    """A feature of the page unlike the pages of training; empty if there is none.

    Args:
        document: the page.
        language: its language, see :func:`weps.language.analysis.detect_language`.
    """
    text = " ".join((document.title, document.snippet, *document.blocks))[:5_000]
    letters = [*islice(_LETTER.finditer(text), _FEWEST_LETTERS)]  # all would take time
    if len(letters) < _FEWEST_LETTERS:
        return "" if letters else NO_TEXT
    if language:
        return "" if language == "en" else f"in {LANGUAGES[language]}"
    latin = 2 * len(_LATIN_LETTER.findall(text)) >= len(_LETTER.findall(text))
    return "" if latin else OTHER_SCRIPT


def mostly_foreign(of_pages: Sequence[str]) -> bool:
    """Whether so many pages are not English that the sentence encoder does more harm than good.

    It takes pages of one foreign language for pages about one person. A tenth of the pages is
    enough, three at least.

    Args:
        of_pages: the caution of each page.
    """
    least = max(_MIN_FOREIGN, _SHARE_OF_FOREIGN * len(of_pages))
    return sum(each not in {"", NO_TEXT} for each in of_pages) >= least


def answer_cautions(
    of_pages: Sequence[str],
    people: Iterable[Sequence[int]] = (),
    *,
    encoder_left_out: bool = False,
) -> Iterator[str]:
    """Sentences about an answer, from the cautions of its pages.

    The training pages are in English, have text, and are 405 of one name at most.

    Args:
        of_pages: the caution of each page, empty for most.
        people: for each person the places of their pages among these.
        encoder_left_out: whether the model without the sentence encoder answered in the place of
            the one with it.
    """
    if encoder_left_out:
        yield (
            "Many pages are not in English, and the sentence encoder knows English alone: the "
            "answer was made without it."
        )
    if foreign := Counter(each for each in of_pages if each not in {"", NO_TEXT}):
        kinds = ", ".join(f"{number} {kind}" for kind, number in foreign.most_common())
        what = f"not in English ({kinds})" if len(foreign) > 1 else "".join(foreign)
        yield (
            f"{count_of(foreign.total(), 'page is', 'pages are')} {what}: confidence was not "
            "evaluated on such pages, so it is no higher there than for the average page."
        )
    number, texts = Counter(of_pages), len(of_pages) - of_pages.count(NO_TEXT)
    languages = [{of_pages[row] for row in person} - {NO_TEXT} for person in people]
    mixed = set().union(*(each for each in languages if len(each) > 1))
    if apart := [
        kind
        for kind in sorted(foreign.keys() - mixed)
        if min(number[kind], texts - number[kind]) >= _MIN_FOREIGN and languages
    ]:
        yield (
            f"No page {' or '.join(apart)} is with one in another language: such pages have few "
            "words in common, so a person may be shown once for each language."
        )
    if empty := of_pages.count(NO_TEXT):
        yield (
            f"{count_of(empty, 'page has', 'pages have')} no text: there is nothing to compare, so "
            "confidence is no higher there than for the average page."
        )
    if len(of_pages) > _MOST_PAGES:
        yield (
            f"There are {len(of_pages):,} pages: confidence was evaluated on names with up to "
            f"{_MOST_PAGES}, and may be too high."
        )


class Pile(StrEnum):
    """Why pages are set aside."""

    OTHER_NAME = "other name"
    """The page does not carry the name as the name of a person."""
    CANNOT_TELL = "cannot tell"
    """The page has no content, or lists several people of the name."""


class Sign(NamedTuple):
    """A reason to set a page aside that shows on the page."""

    pile: Pile
    reason: str
    """One sentence, for readers."""


SIGNS = {
    "empty": Sign(Pile.CANNOT_TELL, "The page has no text."),
    "message": Sign(Pile.CANNOT_TELL, "The page is an error message or a redirection."),
    "several": Sign(Pile.CANNOT_TELL, "The page lists several people of this name."),
    "absent": Sign(Pile.OTHER_NAME, "The name occurs neither in the text nor in the address."),
    "script": Sign(
        Pile.CANNOT_TELL, "The page is in another script: whether it has this name is uncertain."
    ),
    "divided": Sign(
        Pile.OTHER_NAME, "First and last name stand side by side, but in different names."
    ),
    "place": Sign(
        Pile.OTHER_NAME, "The name occurs only in the name of a place or an institution."
    ),
    "longer": Sign(Pile.OTHER_NAME, "The name occurs only in the text, behind another given name."),
}
"""Sign → its pile and its reason."""
USER_SIGNS = {
    "exclude": Sign(Pile.OTHER_NAME, "A user said: this page is about nobody of this name."),
    "unclear": Sign(
        Pile.CANNOT_TELL, "A user said: this page does not say which person it is about."
    ),
}
"""Kind of correction → the pile and the reason of the pages that it sets aside."""
ORDINARY = ""
"""The sign of all other pages."""

MIN_SHARE = 0.9
"""Smallest share of the training pages with a sign that keys discard, at which it sets aside."""
_BY_DEFINITION = frozenset({"several", "divided", "place", "longer", "script"})
"""Set aside whatever the keys say: WePS puts a list with each of the people on it, and an airport
with nobody or by itself, as annotators like; divided and longer names are of too few names to learn
from."""
_NAME_SIGNS = frozenset(
    {"script", *(each for each, sign in SIGNS.items() if sign.pile is Pile.OTHER_NAME)}
)
_MAX_MESSAGE_WORDS = 80
_MIN_NAMESAKES = 5
"""Different initials of middle names on a page that lists people of the name."""
_CHARACTERS_AROUND = 40


@dataclass(frozen=True, slots=True)
class SetAsideRule:
    """The rule that sets pages aside, learnt from the discarded pages of keys."""

    shares: Mapping[str, float] = field(default_factory=dict)
    """Sign → share of the training pages with it that the keys discard; without any, no page is
    set aside."""

    def select(self, signs: Sequence[str]) -> tuple[str, ...]:
        """The signs of the pages of a name that are set aside, empty for the others.

        If most pages lack the name, they write it in another way than the search does (another
        script, a nickname): then none is set aside for that.
        """
        trusted = {
            sign
            for sign, share in self.shares.items()
            if share >= MIN_SHARE or sign in _BY_DEFINITION
        }
        readable = sum(sign not in {"empty", "message"} for sign in signs)
        if 2 * sum(sign in _NAME_SIGNS & trusted for sign in signs) > readable:
            trusted -= _NAME_SIGNS
        return tuple(sign if sign in trusted else ORDINARY for sign in signs)

    @classmethod
    def from_data(cls, data: Any) -> SetAsideRule:
        """The rule with shares as JSON has them.

        Raises:
            ModelError: if a sign is unknown or a share damaged.
        """
        # NaN fails the comparison and is refused.
        if not isinstance(data, dict) or not all(
            sign in SIGNS and type(share) in (int, float) and 0 <= share <= 1
            for sign, share in data.items()
        ):
            raise ModelError("its rule for setting pages aside is damaged")
        return cls({sign: float(share) for sign, share in data.items()})


def fit_set_aside(names: Iterable[tuple[Mapping[int, str], Clustering]]) -> SetAsideRule:
    """Fit the shares to names with a key.

    A share is that of all pages with the sign, as if there were one more of either kind, so that
    a sign that was seen a few times is not trusted.

    Args:
        names: the sign of each page by rank, and the key; pages that it neither groups nor
            discards do not count.
    """
    discarded: Counter[str] = Counter()
    kept: Counter[str] = Counter()
    for signs, key in names:
        discarded.update(sign for rank, sign in signs.items() if rank in key.discarded - key.ranks)
        kept.update(sign for rank, sign in signs.items() if rank in key.ranks)
    return SetAsideRule(
        {
            sign: round((discarded[sign] + 1) / (discarded[sign] + kept[sign] + 2), 4)
            for sign in SIGNS
        }
    )


def page_signs(analysis: Analysis) -> tuple[str, ...]:
    """The sign of each page, a key of :data:`SIGNS` or :data:`ORDINARY`."""
    if not analysis.name.family:
        return (ORDINARY,) * len(analysis.documents)
    return tuple(
        _page_sign(analysis.name, document, page_text(document), mentions)
        for document, mentions in zip(analysis.documents, analysis.mentions, strict=True)
    )


def _page_sign(name: PersonName, document: Document, text: str, mentions: Sequence[Mention]) -> str:
    """The first sign that holds for a page of this text."""
    if not any(map(str.isalnum, text)):
        return "empty"
    if whole := [each for each in mentions if each.is_whole]:
        sign = "longer" if _is_longer(name, document, mentions) else ORDINARY
        return "several" if _lists_several(name, document, text, whole) else sign
    if any(each.kind is MentionKind.THING for each in mentions):
        return "place"
    if family := [*matcher(name).family_pattern(text).finditer(text)]:
        return "divided" if document.blocks and _is_divided(name, text, family) else ORDINARY
    short = sum(len(block.split()) for block in document.blocks) <= _MAX_MESSAGE_WORDS
    if short and (not document.blocks or _MESSAGE.search(text.lower())):
        return "message" if document.blocks else "empty"
    scripts = [*map(script_of, re.findall(r"[^\W\d_]", text[:5_000]))]
    own = sum(each == name.script or {each, name.script} <= UNSPACED for each in scripts)
    missing = "script" if mentions or 2 * own < len(scripts) else "absent"
    letters = plain_letters(f"{text} {document.url}")
    found = any(_is_within(each, letters) for each in (name, *name.others))
    return ORDINARY if found else missing


def _is_longer(name: PersonName, document: Document, mentions: Iterable[Mention]) -> bool:
    """Whether the name is always part of a longer one, ``Anna Mary Baker``.

    Who is in title or snippet may be called by a second given name.
    """
    heading = len(document.title) + len(document.snippet) + len("\n\n")
    return bool(name.given) and all(
        each.start >= heading and names_before(each, stop_words())
        for each in mentions
        if each.kind is not MentionKind.FAMILY
    )


def _is_within(name: PersonName, letters: str) -> bool:
    """Whether the family name, or the whole name as addresses have it, is within plain letters."""
    address = address_pattern(name.family)
    if name.script != "LATIN":  # a family name such as Li is within many words
        given = address_pattern("".join(name.given))
        address = f"{given}{address}|{address}{given}" if given else "(?!)"
    return plain_letters(name.family) in letters or re.search(address, letters) is not None


def _is_divided(name: PersonName, text: str, family: Iterable[re.Match[str]]) -> bool:
    """Whether first and last name are side by side, but always in two names, ``Mary, Baker``."""
    if not name.given or name.given[0].lower() == name.family.lower():
        return False
    first, last = word_pattern(name.given[0]), word_pattern(name.family)
    around = (
        text[max(0, found.start() - _CHARACTERS_AROUND) : found.end() + _CHARACTERS_AROUND]
        for found in family
    )
    side_by_side = [each for each in around if re.search(first, each)]
    apart, near = r"\s?[,;:&/|]\s?", r"[^\w,;:&/|]{1,4}"
    divided = rf"\b{first}[.)]{{0,2}}{apart}(?:\w{{1,4}} )?{last}\b|\b{last}{apart}{first}\b"
    joined = rf"{first}{near}(?:\w{{1,20}}{near})?{last}|{last}{near}{first}"
    return bool(side_by_side) and all(
        re.search(divided, each) and not re.search(joined, each) for each in side_by_side
    )


def _lists_several(
    name: PersonName, document: Document, text: str, mentions: Iterable[Mention]
) -> bool:
    """Whether the page is a disambiguation page, or a directory of people of the name."""
    if re.search(r"(?i)[(_]disambiguation\)", f"{document.title}\n{document.url}"):
        return True
    # Few pages have one of these, and the others need not be searched.
    if any(end in text.lower() for end in ("page lists", "refer to:")) and _REFERS.search(text):
        return True
    if not name.given:
        return False
    middles = (each.between[0].strip(_AROUND_NAMES) for each in mentions if each.between)
    return len({middle[0].lower() for middle in middles if middle}) >= _MIN_NAMESAKES


_MESSAGE = re.compile(
    r"\b(?:404|not found|(?:object|document|page) (?:has )?moved|moved (?:temporarily|permanently)"
    r"|cannot be (?:found|displayed)|could not be found|forbidden|access denied|bad request"
    r"|(?:internal )?server error|unavailable|no longer (?:available|exists)|not in our catalog"
    r"|currently down|under construction|account (?:has been )?suspended"
    r"|domain (?:name )?(?:is |may be )?for sale|redirect(?:ed|ing|ion)?)\b"
)
_REFERS = re.compile(
    r"\b(?:this disambiguation page lists|(?:may|can) (?:also )?refer to:)", re.IGNORECASE
)


@cached_for_name
def page_digests(analysis: Analysis) -> list[str]:
    """For each page the digest of all that it has and of what decides how it is described."""
    made_by = source_digest(*_DECIDING), resource_digest(*_RESOURCES), np.__version__
    of_name = content_digest(*made_by, analysis.name.text, repr(analysis.name.also))
    pages = map(json.dumps, map(field_values, analysis.documents))  # repr lacks the text
    return [content_digest(of_name, each) for each in pages]


_DECIDING = (
    *("weps._formatting", "weps._text", "weps.features", "weps.key_terms", "weps.language"),
    *("weps.name", "weps.people", "weps.records"),
)
"""Modules that decide descriptions, given pages and entities."""
_RESOURCES = ("gazetteer", "names", "people", "rarity", "reference", "stopwords")
"""Folders of resources that do."""
