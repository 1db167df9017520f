"""The linguistic analysis of a name's pages, from which features are computed.

Tokens of all pages form one flat table of integer arrays: a name has some 10⁵ tokens, and every
later step (n-grams, runs of capitals, counts) is arithmetic over the whole name at once. Layers
are marks that a language pipeline leaves on sentences.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache, wraps
from itertools import accumulate, chain, count, groupby, islice, repeat
from math import fsum, sqrt
from operator import itemgetter
from threading import RLock
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from weps._files import resource_text, word_list
from weps._text import split_tokens, split_words, token_spans
from weps.errors import LanguageError
from weps.language.sentence_encoder import Vectors, encode_texts
from weps.name.mentions import Mention, MentionKind, matcher
from weps.name.person_name import UNSPACED, PersonName
from weps.records import Document

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

    from weps.language.person_words import PersonWords

MAX_MENTIONS = 1_000
"""Mentions of the name on one page that count; they take more memory than their text."""

Mark = tuple[int, str, str]
"""Sentence, text, kind."""


class Layer(StrEnum):
    """One kind of language processing. Features name the layers that they need."""

    LEMMAS = "lemmas"
    """Every word's dictionary form, in lower case."""
    PHRASES = "phrases"
    """Noun phrases as written, white space folded."""
    ENTITIES = "entities"
    """Named entities as written, each of a kind: person, location, organisation, event, product."""
    QUANTITIES = "quantities"
    """Periods, times and numbers found by rule, each of a fine-grained kind (date, money, …)."""
    TAGS = "tags"
    """Every token as written, punctuation included; its kind is its universal part of speech."""


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """The marks of one layer, in reading order: k marks, d of them distinct."""

    texts: tuple[str, ...]
    """d texts."""
    kinds: tuple[str, ...]
    """d kinds; empty strings in a layer without kinds."""
    entry: NDArray[np.int32]
    """Shape (k,): index into ``texts`` and ``kinds``."""
    sentence: NDArray[np.int32]
    """Shape (k,): sentence, never decreasing; of its page, or of the token table once joined."""

    @classmethod
    def of(cls, marks: Iterable[Mark]) -> Marks:
        """Number the distinct texts and kinds."""
        numbers: defaultdict[tuple[str, str], int] = defaultdict(count().__next__)
        numbered = [(numbers[text, kind], sentence) for sentence, text, kind in marks]
        entry, sentences = np.array(numbered, np.int32).reshape(-1, 2).T
        texts, kinds = zip(*numbers, strict=True) if numbers else ((), ())
        return cls(texts, kinds, entry, sentences)

    def __iter__(self) -> Iterator[Mark]:
        """Each mark: sentence, text, kind."""
        for at, entry in zip(self.sentence.tolist(), self.entry.tolist(), strict=True):
            yield at, self.texts[entry], self.kinds[entry]

    def to_data(self) -> dict[str, Any]:
        """The marks as JSON knows them."""
        return {
            "texts": self.texts,
            "kinds": self.kinds,
            "entry": self.entry.tolist(),
            "sentence": self.sentence.tolist(),
        }

    @classmethod
    def from_data(cls, data: Any) -> Marks:
        """The marks that :meth:`to_data` wrote."""
        entry, sentence = (np.array(data[key], np.int32) for key in ("entry", "sentence"))
        return cls(tuple(data["texts"]), tuple(data["kinds"]), entry, sentence)


_SENTENCE_END = frozenset(".!?…。！？।")
_NOT_INITIAL = _SENTENCE_END.union(",;:)]}»”")
"""Punctuation with which no sentence begins."""
_ABBREVIATIONS = frozenset(
    "dr mr mrs ms prof rev hon sen rep gov gen col lt capt sgt st jr sr inc ltd co corp no vol pp"
    " ed eds vs dept univ fig ph".split()
)

Integers = NDArray[np.int32]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class TokenTable:
    """All tokens of a name's documents, in reading order.

    ``T`` tokens, ``S`` sentences, ``V`` distinct surface forms.
    """

    surface: tuple[str, ...]
    """V surface forms, case kept."""
    token: Integers
    """Shape (T,): index into ``surface``."""
    sentence: Integers
    """Shape (T,): sentence number, never decreasing."""
    document: Integers
    """Shape (S,): document row of each sentence, never decreasing."""
    block: Integers
    """Shape (S,): which of its document's blocks each sentence is part of."""
    mentions: Flags
    """Shape (S,): whether the sentence mentions the person's name as a whole."""
    anchors: Integers
    """Shape (M,): the tokens of family names in mentions of any kind, ascending."""
    whole: Flags
    """Shape (M,): whether the mention has the whole name, of whatever is called so."""

    @property
    def is_word_list(self) -> bool:
        """Whether the pages are lists of words in lower case: scripts without case have none."""
        lower = sum(map(str.islower, self.surface))
        return 2 * lower > len(self.surface) and not any(word[0].isupper() for word in self.surface)


def page_text(document: Document) -> str:
    """Title, snippet and blocks, one to a line, apostrophes made straight."""
    return "\n".join((document.title, document.snippet, *document.blocks)).replace("’", "'")


class TokenNumbers:
    """The tokens of documents by number, which are added one after another."""

    def __init__(self, documents: Iterable[Document] = ()) -> None:
        """Number the tokens of documents."""
        self.vocabulary: defaultdict[str, int] = defaultdict(count().__next__)
        self.tokens = list[int]()
        self.blocks = list[tuple[int, int, int]]()
        """Row of the document, place there, and number of tokens up to the end, of each block."""
        for row, document in enumerate(documents):
            self.add(row, document)

    def add(self, row: int, document: Document) -> None:
        """Number the tokens of the next document, of which title and snippet are left out."""
        for number, tokens in enumerate(map(split_tokens, document.blocks)):
            self.tokens += map(self.vocabulary.__getitem__, tokens)
            self.blocks.append((row, number, len(self.tokens)))


def build_token_table(
    documents: Sequence[Document],
    mentions: Iterable[Sequence[Mention]] = (),
    numbers: TokenNumbers | None = None,
) -> TokenTable:
    """The table of documents whose blocks are split into sentences and tokens.

    Blocks end sentences; so does final punctuation before a word that is not in lower case, unless
    it is the point of an initial or a common abbreviation (``Thomas J. Baker``, ``Dr. Baker``).

    Args:
        documents: of which title and snippet are left out.
        mentions: of the name in the :func:`page_text` of each document.
        numbers: their tokens; None to divide the documents.
    """
    numbers = numbers or TokenNumbers(documents)
    block_rows, block_numbers, block_ends = np.array(numbers.blocks, np.int32).reshape(-1, 3).T
    surface, token = tuple(numbers.vocabulary), np.array(numbers.tokens, dtype=np.int32)

    def matching(test: Callable[[str], bool]) -> Flags:
        """Shape (T,): which tokens have a surface form that passes the test."""
        return np.fromiter(map(test, surface), dtype=bool, count=len(surface))[token]

    final, point = matching(_SENTENCE_END.__contains__), matching(".".__eq__)
    opening = matching(lambda form: not form.islower() and form not in _NOT_INITIAL)
    abbreviated = matching(
        lambda form: form.lower() in _ABBREVIATIONS or (len(form) == 1 and form.isupper())
    )
    abbreviated[block_ends[block_ends > 0] - 1] = False  # the point is another block's
    first = np.zeros(len(token), dtype=bool)
    first[1:] = final[:-1] & opening[1:]
    first[2:] &= ~(point[1:-1] & abbreviated[:-2])
    first[block_ends[block_ends < len(token)]] = True
    first[:1] = True
    sentence = np.cumsum(first, dtype=np.int32) - np.int32(1)
    block = np.searchsorted(block_ends, np.flatnonzero(first), side="right")
    anchors, whole = _anchors(documents, mentions, [0, *block_ends.tolist()])
    mentioning = np.zeros(len(block), dtype=bool)
    mentioning[sentence[anchors[whole]]] = True
    return TokenTable(
        surface,
        token,
        sentence,
        block_rows[block],
        block_numbers[block],
        mentioning,
        anchors,
        whole,
    )


def _anchors(
    documents: Sequence[Document],
    mentions: Iterable[Sequence[Mention]],
    first_token: Sequence[int],
) -> tuple[Integers, Flags]:
    """The tokens of family names, and whether the mention has the whole name; each shape (M,)."""
    anchors, whole = list[int](), list[bool]()
    first_block = [0, *accumulate(len(each.blocks) for each in documents)]
    for document, block, of_page in zip(documents, first_block, mentions, strict=False):
        begin = len(document.title) + len(document.snippet) + len("\n\n")
        starts = [*accumulate((len(each) + 1 for each in document.blocks), initial=begin)]
        spans = dict[int, list[int]]()
        for mention in of_page:
            place = mention.start if mention.inverted else mention.end - 1
            at = bisect_right(starts, place) - 1
            if at < 0:
                continue
            if at not in spans:
                spans[at] = [start for start, _ in token_spans(document.blocks[at])]
            number = bisect_right(spans[at], place - starts[at]) - 1
            anchors.append(first_token[block + at] + max(number, 0))
            whole.append(mention.is_whole or mention.kind is MentionKind.THING)
    return np.array(anchors, dtype=np.int32), np.array(whole, dtype=bool)


_MAKING = RLock()  # of several threads the first makes mentions and tokens
Mentions = tuple[tuple[Mention, ...], ...]
"""Mentions of the name by document."""


class ScannedPages:
    """Mentions and tokens of pages that are found while others are being read."""

    def __init__(self, name: PersonName) -> None:
        """Begin with no page."""
        self.name = name
        self.mentions = list[tuple[Mention, ...]]()
        self.numbers = TokenNumbers()

    def add(self, documents: Sequence[Document]) -> None:
        """Scan those of the documents so far that were not."""
        for row in range(len(self.mentions), len(documents)):
            self.mentions.append(_find_mentions(self.name, documents[row]))
            self.numbers.add(row, documents[row])


def _find_mentions(person: PersonName, document: Document) -> tuple[Mention, ...]:
    return tuple(islice(matcher(person).find(page_text(document)), MAX_MENTIONS))


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Analysis:
    """The name, its documents, their tokens, and the layers that were asked for."""

    name: PersonName
    documents: tuple[Document, ...]
    marks: Mapping[Layer, Marks] = field(default_factory=dict)
    """Layer → its marks; sentences are those of ``tokens``."""
    second_entities: Marks | None = None
    """The entities of a second recogniser; None if there is one only."""
    caution: str = ""
    """What is to be said of the name, see :func:`weps.name.typed.check_name`."""
    encode: Callable[[Sequence[str]], Vectors] = encode_texts
    """The sentence encoder, see :func:`weps.language.sentence_encoder.encode_texts`."""
    _found: list[tuple[Mentions, frozenset[str]]] = field(default_factory=list, repr=False)
    _tables: list[TokenTable] = field(default_factory=list, repr=False)
    """Mentions and words of the name, and the tokens, once they are needed."""

    @property
    def mentions(self) -> Mentions:
        """For each document the mentions of the name in its :func:`page_text`, in order."""
        return self._named[0]

    @property
    def name_words(self) -> frozenset[str]:
        """The words of the name in lower case, in all spellings that the pages have."""
        return self._named[1]

    @property
    def _named(self) -> tuple[Mentions, frozenset[str]]:
        with _MAKING:
            if not self._found:
                found = tuple(_find_mentions(self.name, each) for each in self.documents)
                self._found.append((found, _name_words(self.name, self.documents, found)))
            return self._found[0]

    @property
    def tokens(self) -> TokenTable:
        """The tokens of the documents, which answers from kept comparisons do not need."""
        with _MAKING:
            if not self._tables:
                self._tables.append(build_token_table(self.documents, self.mentions))
            return self._tables[0]

    def layer(self, wanted: Layer) -> Marks:
        """The marks of a layer.

        Raises:
            LanguageError: if the pages were read without it.
        """
        if wanted not in self.marks:
            raise LanguageError(
                f"the pages were read without {wanted}",
                remedy="read them with the layers that the features need (weps.reading.Reader)",
            )
        return self.marks[wanted]


def analyse_documents(
    name: str,
    documents: Sequence[Document],
    marks: Mapping[Layer, Marks] | None = None,
    also: Iterable[str] = (),
    scanned: ScannedPages | None = None,
) -> Analysis:
    """The analysis of a name's documents, which finds mentions and tokens when they are needed.

    Args:
        name: the name searched for.
        documents: the pages.
        marks: of layers.
        also: other spellings of the name.
        scanned: what was found in the documents before; it counts if it is for this name and all
            of them.
    """
    analysis = Analysis(PersonName.parse(name, also), tuple(documents), marks or {})
    if scanned and (scanned.name, len(scanned.mentions)) == (analysis.name, len(documents)):
        found = tuple(scanned.mentions)
        analysis._found.append((found, _name_words(analysis.name, documents, found)))
        analysis._tables.append(build_token_table(documents, found, scanned.numbers))
    return analysis


def _name_words(
    person: PersonName, documents: Sequence[Document], mentions: Mentions
) -> frozenset[str]:
    """The words of a name, in all spellings that its mentions have."""
    written = {
        each
        for mention in chain(*mentions)
        if mention.is_whole
        for each in (mention.given, mention.family)
    }
    spellings = (person, *person.others)
    own = chain.from_iterable((*each.tokens, *each.latin_words) for each in spellings)
    words = frozenset(chain(own, *map(split_words, written)))
    if UNSPACED.intersection(each.script for each in spellings):
        words |= set(chain(*map(_words_of_mentions, documents, mentions)))
    return words


def _words_of_mentions(document: Document, mentions: Iterable[Mention]) -> Iterator[str]:
    """The words beyond ASCII that mentions are part of, or divided into, where they stand.

    Without blanks between words, what stands around a name decides how it is divided.
    """
    named, begin = {at for each in mentions for at in range(each.start, each.end)}, 0
    for line in page_text(document).split("\n"):
        is_near = not named.isdisjoint(range(begin, begin + len(line)))
        for first, end in token_spans(line) if is_near else ():
            if not (
                named.isdisjoint(range(begin + first, begin + end)) or line[first:end].isascii()
            ):
                yield line[first:end]
        begin += len(line) + 1


Parameters = ParamSpec("Parameters")
OfName = TypeVar("OfName")
Result = TypeVar("Result")
_FEATURE_CACHES: list[WeakKeyDictionary[Analysis, Any]] = []


def cached_for_name(
    function: Callable[Concatenate[OfName, Parameters], Result],
    results: WeakKeyDictionary[OfName, dict[Any, Result]] | None = None,
) -> Callable[Concatenate[OfName, Parameters], Result]:
    """Cache what a function makes of the pages of a name, for the name that it was last called for.

    Several features of a name need the same. It is dropped together with the name. ``results`` are
    those by name and by the other arguments.
    """
    known = WeakKeyDictionary() if results is None else results

    @wraps(function)
    def cached(of_name: OfName, /, *rest: Parameters.args, **options: Parameters.kwargs) -> Result:
        if of_name not in known:
            known.clear()  # other threads keep theirs
        own = known.setdefault(of_name, {})
        key = (*rest, *options.items())
        if key not in own:
            own[key] = function(of_name, *rest, **options)
        return own[key]

    return cached


def cached_for_features(
    function: Callable[Concatenate[Analysis, Parameters], Result],
) -> Callable[Concatenate[Analysis, Parameters], Result]:
    """Cache the same until :func:`drop_feature_caches`: numbers of all tokens take much memory."""
    _FEATURE_CACHES.append(WeakKeyDictionary())
    return cached_for_name(function, _FEATURE_CACHES[-1])


def drop_feature_caches() -> None:
    """Drop what features share, when the pages have been compared."""
    for results in _FEATURE_CACHES:
        results.clear()


def tokens_with_results(analysis: Analysis) -> TokenTable:
    """The tokens of the pages, then those of their titles and snippets, as sentences with the name.

    All that a search engine shows counts as near the name.
    """
    pages = analysis.tokens
    shown = build_token_table(
        [replace(page, blocks=(page.title, page.snippet)) for page in analysis.documents]
    )
    numbers = dict(zip(pages.surface, count(), strict=False))
    token = [numbers.setdefault(each, len(numbers)) for each in shown.surface]
    return TokenTable(
        tuple(numbers),
        np.concatenate([pages.token, np.array(token, dtype=np.int32)[shown.token]]),
        np.concatenate([pages.sentence, shown.sentence + np.int32(len(pages.document))]),
        np.concatenate([pages.document, shown.document]),
        np.concatenate([pages.block, shown.block]),
        np.concatenate([pages.mentions, ~shown.mentions]),
        pages.anchors,
        pages.whole,
    )


@cached_for_name
def page_languages(analysis: Analysis) -> tuple[str, ...]:
    """The language of each page by title, snippet and text; empty where it cannot be told.

    A name in another script than the Latin one does not count, nor does any on a short page: an
    English text about สมชาย วิชัย is no Thai one, nor one about Jan van der Berg a Dutch one.
    """
    is_latin = analysis.name.script == "LATIN"
    own = [
        is_latin
        and (
            document.language in {"", "en", UNDETERMINED}
            or sum(map(len, document.blocks)) > _SHORT_PAGE
        )
        for document in analysis.documents
    ]
    return tuple(
        document.language.removeprefix(UNDETERMINED)
        if is_own and document.language
        else detect_language(_between(page_text(document), mentions))
        for document, mentions, is_own in zip(
            analysis.documents, repeat(()) if all(own) else analysis.mentions, own, strict=False
        )
    )


def person_words_of_pages(analysis: Analysis) -> list[PersonWords | None]:
    """The words by which each page states facts beside a name; None for English, and as default."""
    languages = page_languages(analysis)
    if {*languages} <= {"", "en"}:
        return [None] * len(languages)
    from weps.language.person_words import person_words  # noqa: PLC0415 - few names need it

    return [person_words(each, function_words(each)) for each in languages]


def _between(text: str, mentions: Iterable[Mention]) -> Iterator[str]:
    """The parts of a text before, between and behind mentions."""
    edges = [0, *chain.from_iterable((each.start, each.end) for each in mentions), len(text)]
    return (text[begin:end] for begin, end in zip(edges[::2], edges[1::2], strict=True))


def first_sentences(table: TokenTable, documents: int) -> list[int]:
    """For each document, and the end, the number of its first sentence; documents + 1 numbers."""
    return [int(at) for at in np.searchsorted(table.document, np.arange(documents + 1))]


def nearest_sentences(
    sizes: NDArray[np.intp], mentions: Flags, most: int, farthest: int = sys.maxsize
) -> Flags:
    """Shape (sentences,): the sentences of a page nearest to a mention, as long as tokens fit.

    Args:
        sizes: shape (sentences,), tokens of each; longer ones than fit are passed over.
        mentions: shape (sentences,), whether it has a mention; without any nothing is chosen.
        most: tokens allowed.
        farthest: sentences from a mention.
    """
    chosen, places = np.zeros(len(sizes), dtype=bool), np.flatnonzero(mentions)
    if not len(places):
        return chosen
    sentences, middles = np.arange(len(sizes)), (places[1:] + places[:-1]) / 2
    distance = abs(sentences - places[np.searchsorted(middles, sentences)])
    nearest_first = np.argsort(distance, kind="stable")
    fit = (sizes <= most) & (distance <= farthest)
    nearest_first = nearest_first[fit[nearest_first]]
    chosen[nearest_first[np.cumsum(sizes[nearest_first]) <= most]] = True
    return chosen


def sentence_texts(blocks: Iterable[str], numbers: list[int]) -> list[str]:
    """The text of each sentence of a page, as written.

    Args:
        blocks: those of the page, which end sentences.
        numbers: for each of its tokens the sentence, never decreasing, from 0.
    """
    texts: list[str] = []
    number_of = iter(numbers)
    for block in blocks:
        spans = token_spans(block)
        numbered = zip(spans, islice(number_of, len(spans)), strict=True)
        for _, sentence in groupby(numbered, itemgetter(1)):
            inside = [span for span, _ in sentence]
            texts.append(block[inside[0][0] : inside[-1][1]])
    return texts


# The language of a page is told by its script, by its function words, or by a classifier. Where a
# script is that of one language, or nearly so, it decides; English, and languages of which a text
# has many function words and few of another, need no more. Other texts go to the classifier, if
# they are running text: names, lists and menus have no language.

LANGUAGES = {
    "ar": "Arabic",
    "bg": "Bulgarian",
    "ca": "Catalan",
    "cs": "Czech",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "et": "Estonian",
    "eu": "Basque",
    "fa": "Persian",
    "fi": "Finnish",
    "fr": "French",
    "gl": "Galician",
    "he": "Hebrew",
    "hi": "Hindi",
    "hr": "Croatian",
    "hu": "Hungarian",
    "hy": "Armenian",
    "id": "Indonesian",
    "is": "Icelandic",
    "it": "Italian",
    "ja": "Japanese",
    "ka": "Georgian",
    "ko": "Korean",
    "lt": "Lithuanian",
    "lv": "Latvian",
    "nl": "Dutch",
    "no": "Norwegian",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "sk": "Slovak",
    "sl": "Slovenian",
    "sr": "Serbian",
    "sv": "Swedish",
    "ta": "Tamil",
    "th": "Thai",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "vi": "Vietnamese",
    "zh": "Chinese",
}
"""ISO 639-1 code → name."""
UNDETERMINED = "und"
"""The language of a page of which it cannot be told, as in ISO 639-2."""
_SCRIPTS = {
    "ja": "\u3040-\u30ff",
    "zh": "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff",
    "ko": "\u1100-\u11ff\uac00-\ud7af",
    "ar": "\u0600-\u06ff\u0750-\u077f",
    "fa": "\u067e\u0686\u0698\u06a9\u06af\u06cc",
    "he": "\u0590-\u05ff",
    "hi": "\u0900-\u097f",
    "ta": "\u0b80-\u0bff",
    "th": "\u0e00-\u0e7f",
    "hy": "\u0530-\u058f",
    "ka": "\u10a0-\u10ff",
}
"""Language → ranges of the letters that decide for it: kana for Japanese, which has Chinese letters
besides, as Persian has Arabic ones. Urdu counts as Persian, Marathi as Hindi."""
_find_script = re.compile(f"[{''.join(_SCRIPTS.values())}]").search
_ANY_LETTER = re.compile(r"[^\W\d_]")
_SHORT_PAGE = 500
"""Characters of a text in which the words of a name may decide."""
_MOST_CHARACTERS = 5_000
"""Number of characters of a text that are read."""
_LEAST_SHARE_OF_LETTERS = 0.3
"""A page in another script has names and addresses in Latin letters besides."""
_LEAST_OWN_LETTERS = 0.1
"""Share of the letters that a text must have of the language's own, kana or Persian ones."""
_LEAST_DISTINCT = 5
"""Function words of a language that a text must have: *de* alone is in many names."""
_LEAST_SHARE_OF_WORDS = 0.12
"""Function words are a third to a half of running text, and menus stand around it."""
_CLOSE = 0.6
"""Share of the best score from which on another language is near it, as Danish is to Norwegian."""
_CLEAR = 2.5
"""How many times as many distinct function words English has as any other language where no
classifier is needed, which takes longer to load than a page takes to read."""
_LEAST_LOWER_CASE = 0.18
"""Share of words in lower case; lists of names and menus have fewer."""
_MOST_CLASSIFIED = 1_000
"""Number of characters that the classifier reads."""
_LEAST_PROBABILITY = 0.8


def detect_language(texts: Iterable[str]) -> str:
    """The language that most of the running text of a page is in.

    Args:
        texts: the page's, such as its blocks; 5,000 characters of them are read.

    Returns:
        A key of :data:`LANGUAGES`; empty if it cannot be told.
    """
    written = "\n".join(texts)[:_MOST_CHARACTERS]
    text = written.lower()
    if not text.isascii() and _find_script(text):
        of_script = {code: len(re.findall(f"[{own}]", text)) for code, own in _SCRIPTS.items()}
        for code, wider in (("ja", "zh"), ("fa", "ar")):
            if of_script[code] > _LEAST_OWN_LETTERS * (of_script[code] + of_script[wider]):
                of_script[code] += of_script.pop(wider)
        code = max(of_script, key=of_script.__getitem__)
        if of_script[code] > _LEAST_SHARE_OF_LETTERS * len(_ANY_LETTER.findall(text)):
            return code
    words = split_words(text)
    found, score = _function_words_in(words)
    code, second = sorted(score, key=score.__getitem__, reverse=True)[:2]
    enough = sum(found[code]) >= _LEAST_SHARE_OF_WORDS * len(words)
    enough = enough and len(found[code]) >= _LEAST_DISTINCT
    if enough and (code == "en" or score[second] < _CLOSE * score[code]):
        return code
    english = sum(found["en"]) >= _LEAST_SHARE_OF_WORDS * len(words) and text.isascii()
    lower_case = sum(map(str.islower, written.split()))
    if not english and lower_case > _LEAST_LOWER_CASE * len(words):
        *_, others, most = sorted(map(len, found.values()))
        if _LEAST_DISTINCT <= len(found["en"]) == most >= _CLEAR * others:
            return "en"
        classified, probability = _classifier().classify(written[:_MOST_CLASSIFIED])
        if probability >= _LEAST_PROBABILITY:
            return str(classified)
    return code if enough else ""


def guess_language(texts: Iterable[str]) -> str:
    """The language with most function words, of lists and menus; empty if there are none."""
    _, score = _function_words_in(split_words("\n".join(texts)[:_MOST_CHARACTERS].lower()))
    code = max(score, key=score.__getitem__)
    return code if score[code] else ""


def _function_words_in(words: Sequence[str]) -> tuple[dict[str, list[int]], dict[str, float]]:
    """How often each function word of each language occurs, and the score of each language."""
    counts, distinct = Counter(words), frozenset(words)
    found = {
        code: [counts[word] for word in own & distinct]
        for code, own in _words_by_language().items()
    }
    # Sums of roots: by sums of counts, a word in every row of a table would decide.
    return found, {code: fsum(map(sqrt, numbers)) for code, numbers in found.items()}


@cache
def _classifier() -> LanguageIdentifier:
    """The classifier of texts by their sequences of bytes, which takes half a second to load.

    It is made of the columns of our languages alone: the library would keep those of all others.
    """
    from py3langid.langid import MODEL_DIR, MODEL_FILE, LanguageIdentifier  # noqa: PLC0415
    from py3langid.modelio import load_model  # noqa: PLC0415 - see above

    weights, bias, codes, moves, row, output = load_model(MODEL_DIR / MODEL_FILE)
    kept = [at for at, code in enumerate(codes) if code in LANGUAGES]
    known = [codes[at] for at in kept]
    return LanguageIdentifier(
        weights[:, kept], bias[kept], known, moves, output, norm_probs=True, tk_row=row
    )


def function_words(language: str) -> frozenset[str]:
    """The function words of a language, in lower case; none of some languages."""
    return _words_by_language().get(language, frozenset())


@cache
def interface_words() -> frozenset[str]:
    """Words by which pages talk to their visitors, in all languages, in lower case: *login*."""
    return frozenset().union(*_words_of_lines("stopwords/interface.txt").values())


@cache
def _words_by_language() -> dict[str, frozenset[str]]:
    return {"en": word_list("stopwords/english.txt")} | _words_of_lines("stopwords/languages.txt")


def _words_of_lines(name: str) -> dict[str, frozenset[str]]:
    """Code of a language → the words of its line."""
    lines = resource_text(name).splitlines()
    entries = (line.split() for line in lines if not line.startswith("#"))
    return {code: frozenset(words) for code, *words in entries}
