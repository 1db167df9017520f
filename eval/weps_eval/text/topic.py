"""The texts of one topic as measures read them: sentences, tokens, tagged words.

The resources of measures, such as WordNet or a language pipeline, are loaded on first use. The
tokens of ROUGE are those of rouge-score, or of the Perl package ROUGE-1.5.5.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache, partial
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeAlias, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from weps._cache import Cache
from weps._files import open_unpacked, word_list
from weps._formatting import quote_text
from weps._lazy import import_library
from weps._text import MARKS, split_tokens
from weps.errors import LanguageError, SourceError, ValuesError
from weps.language.analysis import Layer, analyse_documents, sentence_texts
from weps.language.spacy_pipeline import BUILTIN_PIPELINE
from weps.records import Document
from weps_eval.text.testbed import Text, Topic, whole_text

Tokens: TypeAlias = tuple[tuple[str, ...], ...]
"""A tokenised text: sentences of tokens."""


def words_of(text: Tokens) -> tuple[str, ...]:
    """The tokens of all sentences, in order."""
    return tuple(chain.from_iterable(text))


_LATIN = re.compile("[A-Za-z0-9]+")
_ANY = re.compile(rf"[^\W_](?:[^\W_]++|[{MARKS}]++)*+")
_FOREIGN = re.compile(r"[^\W_\u0000-\u024f\u1e00-\u1eff]")
"""Letters and digits that are not of Latin, with whatever accent."""
_MOST_FOREIGN = 1 / 3
"""Share of them up to which a text is one in Latin letters that quotes others."""
_SHORTEST = 4
"""Shorter words are not stemmed."""


def read_tokens(
    text: str | Sequence[str],
    *,
    stop: bool = False,
    stem: bool = False,
    unicode: bool = False,
    official: bool = False,
) -> Tokens:
    """The tokens of every sentence that has some.

    Tokens are lower-case runs of the letters a to z and of digits, as in rouge-score; all else
    parts them.

    Args:
        text: sentences, or a text with one sentence a line.
        stop: whether to leave out English stop words.
        stem: whether tokens are Porter's stems of words longer than three letters, by nltk, as in
            rouge-score.
        unicode: whether letters and digits are those of all scripts; where words are not spaced,
            as in Chinese, they are told by dictionaries.
        official: as in ROUGE-1.5.5: the stop words of SMART, its stems, and the Kelvin sign is
            no k.

    Raises:
        ValuesError: if words of the text would be left out for their script: all, or those with
            more than a third of its letters and digits. What is left, such as a year, is not
            what the text says.
        LanguageError: if nltk's stems are wanted and it is not installed.
    """
    lines = text.split("\n") if isinstance(text, str) else text
    words = _ANY if unicode else _LATIN
    sentences = [words.findall(line if official else line.lower()) for line in lines]
    if unicode:
        sentences = [[word for run in each for word in split_tokens(run)] for each in sentences]
    elif not (whole := "".join(lines)).isascii():
        latin, foreign = sum(len("".join(each)) for each in sentences), len(_FOREIGN.findall(whole))
        is_left_out = not latin and any(map(str.isalnum, whole))
        if is_left_out or foreign > _MOST_FOREIGN * (latin + foreign):
            raise ValuesError(
                "a text is not in Latin letters, and its words would be left out",
                remedy="take letters of all scripts: unicode=true",
            )
    stop_words = "rouge/stop_words.txt" if official else "stopwords/english.txt"
    dropped = word_list(stop_words) if stop else frozenset()
    stemmed = (official_stem if official else porter_stem) if stem else str
    kept = (
        tuple(stemmed(word) for word in map(str.lower, sentence) if word not in dropped)
        for sentence in sentences
    )
    return tuple(filter(None, kept))


@lru_cache(1 << 17)
def porter_stem(word: str) -> str:
    """Porter's stem of a word in lower case that is longer than three letters, by nltk.

    Raises:
        LanguageError: if nltk is not installed.
    """
    if len(word) < _SHORTEST:
        return word
    return str(import_library("nltk.stem.porter", "text", LanguageError).PorterStemmer().stem(word))


@lru_cache(1 << 17)
def official_stem(word: str) -> str:
    """The stem that ROUGE-1.5.5 gives a word in lower case that is longer than three letters.

    The base that WordNet 2.0 lists for an irregular form, otherwise the stem of Porter (1980, An
    algorithm for suffix stripping), in whose step 4 the package takes off one suffix after
    another: *accidental* is *accid*.
    """
    if len(word) < _SHORTEST:
        return word
    if base := _irregular_forms().get(word):
        return base
    # Step 1: plurals, participles and -y.
    word = re.sub("(?<=ss)es$|(?<=i)es$|(?<=[^s])s$", "", re.sub("^y", "Y", word))
    if word.endswith("eed"):
        word = word[:-1] if _measure(word[:-3]) else word
    elif _VOWEL.search(rest := re.sub("(ed|ing)$", "", word)) and rest != word:
        restored = re.search("(at|bl|iz)$", rest) or _CLOSED.fullmatch(rest)
        word = f"{rest}e" if restored else re.sub(r"([^aeiouylsz])\1$", r"\1", rest)
    if _VOWEL.search(word[:-1]):
        word = re.sub("y$", "i", word)
    for suffixes, least, replaced in _SUFFIXES:
        found = suffixes.search(word)
        if found and _measure(word[: found.start()]) > least:
            word = word[: found.start()] + replaced.get(found[0], "")
    if word.endswith("e") and _measure(word[:-1]) > bool(_CLOSED.fullmatch(word[:-1])):
        word = word[:-1]
    if word.endswith("ll") and _measure(word) > 1:
        word = word[:-1]
    return word.lower()


@cache
def _irregular_forms() -> dict[str, str]:
    lines = map(str.split, word_list("rouge/exceptions.txt"))
    return {form: base for base, *forms in lines for form in forms}


_VOWEL = re.compile("[aeiouy]")
_SEQUENCE = re.compile("[aeiouy][aeiou]*[^aeiou][^aeiouy]*")
_CLOSED = re.compile("[^aeiouy]+[aeiouy][^aeiouwxy]")
"""Consonants, a vowel and a consonant, such as *hop*: an e that stood after them is restored."""


def _measure(word: str) -> int:
    """Porter's m: how often consonants follow vowels, y being a vowel after a consonant.

    The y that begins a word is a capital, so that it is none.
    """
    return len(_SEQUENCE.findall(word))


_REPLACED = (
    "ational ate tional tion enci ence anci ance izer ize bli ble alli al entli ent eli e "
    "ousli ous ization ize ation ate ator ate alism al iveness ive fulness ful ousness ous "
    "aliti al iviti ive biliti ble logi log",
    "icate ic ative - alize al iciti ic ical ic ful - ness -",
)
"""Steps 2 and 3: suffixes, the longest first, and what replaces each."""
_REMOVED = (
    "al|ance|ence|er|ic|able|ible|ant|ement|ou|ism|ate|iti|ous|ive|ize",
    "ment",
    "ent|(?<=[st])ion",
)
"""Step 4, in the order of the package."""
_PAIRS = (re.findall(r"(\w+) (\w*)", pairs.replace("-", "")) for pairs in _REPLACED)
_SUFFIXES = (
    *((re.compile(f"({'|'.join(dict(pairs))})$"), 0, dict(pairs)) for pairs in _PAIRS),
    *((re.compile(f"({suffixes})$"), 1, dict[str, str]()) for suffixes in _REMOVED),
)
"""What finds the suffixes of a step, the m that words must have more of, and what replaces each."""


class Word(NamedTuple):
    """A token of a text that holds a letter or a digit, or a punctuation mark."""

    form: str
    """As it is written."""
    tag: str
    """Its universal part of speech (de Marneffe et al. 2021), ``NOUN``."""
    lemma: str
    """In lower case; empty for punctuation."""


def tagged_words(
    texts: Sequence[Sequence[str]], language: str
) -> list[tuple[tuple[Word, ...], ...] | None]:
    """The words of texts, given as sentences, by a language pipeline.

    Returns:
        For each text its sentences that have words; None if the pipeline fails on it.

    Raises:
        LanguageError: if the pipeline is missing or lacks tags or lemmas.
    """
    from weps.language.annotation import annotate_pages  # noqa: PLC0415 - few measures need it

    read: list[tuple[tuple[Word, ...], ...] | None] = []
    for layers in annotate_pages(texts, [Layer.TAGS, Layer.LEMMAS], language):
        lemmas = iter(layers.get(Layer.LEMMAS, ()))  # of the tokens that hold a letter or a digit
        words = (
            (sentence, Word(form, tag, next(lemmas)[1] if any(map(str.isalnum, form)) else ""))
            for sentence, form, tag in layers.get(Layer.TAGS, ())
        )
        sentences = groupby(words, key=itemgetter(0))
        found = tuple(tuple(word for _, word in sentence) for _, sentence in sentences)
        read.append(found if Layer.TAGS in layers else None)
    return read


_MOST_BYTES = 16 << 30
"""Largest size of an unpacked file of vectors, which three million words take."""
_LONGEST = 1 << 17
"""Longest line of such a file, in bytes: some thousand numbers."""


Vectored: TypeAlias = tuple[tuple[str, ...], NDArray[np.float32]]
"""The words of a text, and the vector of each, shape (words, dimensions)."""


@dataclass(frozen=True, slots=True, eq=False)
class WordVectors:
    """Vectors of words from a file of word2vec's or GloVe's text form."""

    path: Path | None = None
    rows: Mapping[str, int] = field(default_factory=dict)
    """Word → its row, of words that were asked for."""
    values: NDArray[np.float32] = field(default_factory=lambda: np.zeros((1, 0), np.float32))
    """Shape (words + 1, dimensions); the last row is zero, for unknown words."""

    def holding(self, words: Set[str]) -> Self:
        """Vectors of some words, read from the file; nothing else of it is kept.

        A first line of two numbers is word2vec's. The first of lines with the same word counts, and
        those of GloVe that stand for several words, which have more numbers, are left out.

        Raises:
            SourceError: if it cannot be read, is no such file, or has none of the words.
        """
        rows, found, size = dict[str, int](), [], 0
        assert self.path  # noqa: S101 - which is checked where a measure needs it
        with open_unpacked(self.path, _MOST_BYTES, SourceError) as file:
            for number, line in enumerate(iter(partial(file.readline, _LONGEST), b""), start=1):
                word, _, rest = line.decode(errors="replace").partition(" ")
                if size and (word not in words or word in rows):
                    continue
                numbers, vector = rest.split(), np.zeros(0)
                if len(numbers) > size and (size or number == len(numbers) == 1):
                    continue
                with suppress(ValueError):
                    vector = np.array(numbers if len(line) < _LONGEST else [], np.float64)
                if len(vector) < max(size, 1) or not (np.abs(vector) < 1e9).all():
                    raise SourceError(
                        "expected a word and its numbers with blanks between",
                        where=f"{self.path}, line {number:,}",
                        remedy="save vectors as text, in the form of word2vec or GloVe (.txt, .gz)",
                    )
                size = len(vector)
                if word in words:
                    rows[word] = len(rows)
                    found.append(vector)
        if not rows:
            raise SourceError(
                "has no word of the texts",
                where=self.path,
                remedy="give vectors of words in lower case, in the language of the texts",
            )
        return replace(self, rows=rows, values=np.array([*found, np.zeros(size)], np.float32))

    def of(self, text: Tokens) -> Vectored:
        """The words of a text with their vectors, which are zero for unknown ones."""
        words = words_of(text)
        return words, self.values[[self.rows.get(word, -1) for word in words]]


@dataclass(frozen=True, slots=True)
class TextTools:
    """What measures need besides texts."""

    language: str = BUILTIN_PIPELINE
    """The pipeline that tags and lemmatises: the embedded one, or any that is installed."""
    wordnet: Path | None = None
    """The packed file of another WordNet than the one that comes with weps."""
    cache: Cache | None = None
    """Where the values of topics are kept from one run to the next."""
    vectors: WordVectors = field(default_factory=WordVectors)


Made = TypeVar("Made")


@dataclass(frozen=True, slots=True, eq=False)
class TopicTexts:
    """The texts of a topic as measures read them, each of them read once."""

    topic: Topic
    tools: TextTools = field(default_factory=TextTools)
    _made: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    @property
    def texts(self) -> tuple[Text, ...]:
        """All outputs and references, each once."""
        outputs = (each.text for each in self.topic.outputs)
        return tuple(dict.fromkeys((*outputs, *(each.text for each in self.topic.references))))

    def sentences(self, text: Text) -> tuple[str, ...]:
        """The sentences of a text; those that are given split stay as they are.

        Lines of a text in one piece end sentences, and so does what ends them on pages (see
        :mod:`weps.language.analysis`).
        """
        if not isinstance(text, str):
            return text
        document = Document(0, blocks=tuple(filter(None, map(str.strip, text.splitlines()))))

        def find() -> tuple[str, ...]:
            numbers = analyse_documents("", [document]).tokens.sentence.tolist()
            return tuple(sentence_texts(document.blocks, numbers))

        return self.cached(("sentences", text), find)

    def tokens(
        self,
        text: Text,
        *,
        stop: bool = False,
        stem: bool = False,
        unicode: bool = False,
        official: bool = False,
    ) -> Tokens:
        """The tokens of each sentence, see :func:`read_tokens`."""
        return self.cached(
            (read_tokens, stop, stem, unicode, official, text),
            lambda: read_tokens(
                self.sentences(text), stop=stop, stem=stem, unicode=unicode, official=official
            ),
        )

    def plain_words(self, text: Text, *, stop: bool = False) -> Tokens:
        """The words of each sentence in lower case, those of all scripts."""
        return self.tokens(text, stop=stop, unicode=True)

    def tagged_words(
        self, text: Text, *, punctuation: bool = False
    ) -> tuple[tuple[Word, ...], ...]:
        """The words of each sentence with tags and lemmas.

        Raises:
            LanguageError: if the pipeline is missing or lacks tags or lemmas.
            ValuesError: if the pipeline fails on the text.
        """
        return tuple(
            tuple(word for word in sentence if punctuation or word.lemma)
            for sentence in self.annotated(text, tagged_words)
        )

    def annotated(
        self, text: Text, annotate: Callable[[Sequence[Sequence[str]], str], list[Made | None]]
    ) -> Made:
        """The result of a language pipeline for a text; all texts of the topic are read at once.

        Raises:
            LanguageError: if the pipeline is missing, or lacks what is asked of it.
            ValuesError: if the pipeline fails on the text.
        """
        known: dict[Text, Made | None] = self.cached(annotate, dict)
        if text not in known:
            unread = [each for each in dict.fromkeys((*self.texts, text)) if each not in known]
            read = annotate(list(map(self.sentences, unread)), self.tools.language)
            known.update(zip(unread, read, strict=True))
        if (made := known[text]) is None:
            raise ValuesError(
                "the language pipeline fails on this text",
                where=self.name(text),
                remedy="choose measures without a language pipeline",
            )
        return made

    @contextmanager
    def locating(self, *texts: Text) -> Iterator[None]:
        """Name the longest of some texts in errors about values that name none."""
        try:
            yield
        except ValuesError as error:
            longest = max(texts, key=lambda text: len(whole_text(text).split()))
            raise ValuesError(
                error.what, where=error.where or self.name(longest), remedy=error.remedy
            ) from None

    def name(self, text: Text) -> str:
        """The name of a text in messages."""
        topic = self.topic
        names = {
            **dict.fromkeys(topic.sources, "a source"),
            **{
                each.text: f"the reference {quote_text(each.id)}" for each in topic.references[::-1]
            },
            **{
                each.text: f"the output of {quote_text(each.system)}"
                for each in topic.outputs[::-1]
            },
        }
        return names.get(text, "a text")

    def cached(self, question: Hashable, answer: Callable[[], Made]) -> Made:
        """The answer to a question, which is only sought the first time."""
        if question not in self._made:
            self._made[question] = answer()
        return cast("Made", self._made[question])
