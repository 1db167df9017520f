"""The texts of one topic as sentences, tokens, tagged words and key concepts.

The resources of measures, such as WordNet or a language pipeline, are loaded on first use.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

from weps._cache import Cache
from weps._formatting import quote_text
from weps.errors import ValuesError
from weps.key_terms.phrases import key_phrases
from weps.language.analysis import Layer, Marks, analyse_documents, sentence_texts
from weps.language.annotation import annotate_pages
from weps.language.spacy_pipeline import BUILTIN_PIPELINE
from weps.records import Document
from weps_eval.text.measures.linguistic import ParsedText, parse_texts
from weps_eval.text.measures.overlap import Tokens
from weps_eval.text.measures.preprocessing import Preprocessing
from weps_eval.text.testbed import Text, Topic
from weps_eval.text.wordnet import PageRanks, WordNet, builtin_wordnet, read_wordnet


def key_terms_of(texts: Sequence[Sequence[str]], most: int) -> list[str]:
    """The phrases that characterise texts (sentences each) together, best first.

    They are those of :func:`weps.key_terms.phrases.key_phrases`, found without tags. Stop words are
    English ones. There may be fewer than ``most``, or none.
    """
    documents = [Document(rank, blocks=tuple(text)) for rank, text in enumerate(texts, start=1)]
    analysis = analyse_documents("", documents)
    return [phrase for phrase, _ in key_phrases(analysis, most=most)]


class Word(NamedTuple):
    """A token of a text that holds a letter or a digit, or a punctuation mark."""

    form: str
    """As it is written."""
    tag: str
    """Its universal part of speech (de Marneffe et al. 2021), ``NOUN``."""
    lemma: str
    """In lower case; empty for punctuation."""


def sentences_of(text: Text) -> tuple[str, ...]:
    """The sentences of a text; those that are given split stay as they are.

    Lines of a text in one piece end sentences, and so does what ends them on pages (see
    :mod:`weps.language.analysis`).
    """
    if not isinstance(text, str):
        return text
    document = Document(0, blocks=tuple(filter(None, map(str.strip, text.splitlines()))))
    numbers = analyse_documents("", [document]).tokens.sentence.tolist()
    return tuple(sentence_texts(document, numbers))


def tagged_words(
    texts: Sequence[Sequence[str]], language: str
) -> list[tuple[tuple[Word, ...], ...] | None]:
    """The words of texts, given as sentences, by a language pipeline.

    Returns:
        For each text its sentences that have words; None if the pipeline fails on it.

    Raises:
        LanguageError: if the pipeline is missing or lacks tags or lemmas.
    """
    read = annotate_pages(texts, [Layer.TAGS, Layer.LEMMAS], language)
    return [_sentences(layers) if Layer.TAGS in layers else None for layers in read]


def _sentences(layers: Mapping[Layer, Marks]) -> tuple[tuple[Word, ...], ...]:
    """Lemmas are those of the tokens that hold a letter or a digit, in their order."""
    lemmas = iter(layers[Layer.LEMMAS])
    words = [
        (sentence, Word(form, tag, next(lemmas)[1] if any(map(str.isalnum, form)) else ""))
        for sentence, form, tag in layers[Layer.TAGS]
    ]
    return tuple(tuple(word for _, word in group) for _, group in groupby(words, key=itemgetter(0)))


@dataclass(frozen=True, slots=True)
class TextTools:
    """A language pipeline and WordNet, each loaded once per process."""

    language: str = BUILTIN_PIPELINE
    """The pipeline that tags and lemmatises: the embedded one, or any that is installed."""
    wordnet: Path | None = None
    """The folder of another WordNet than the one that comes with weps."""
    cache: Cache | None = None
    """Where walks through WordNet are kept from one run to the next."""

    def words(self) -> WordNet:
        """WordNet; errors as of :func:`~.wordnet.read_wordnet`, if a folder is given."""
        return _wordnet(self.wordnet)

    def ranks(self, dimensions: int | None = None) -> PageRanks:
        """Walks through WordNet, those of all topics; errors as of :meth:`words`.

        ``dimensions`` is how many of the largest a synset keeps, None for all.
        """
        return _ranks(self.wordnet, None if self.cache is None else self.cache.folder, dimensions)


@lru_cache(2)
def _wordnet(folder: Path | None) -> WordNet:
    return builtin_wordnet() if folder is None else read_wordnet(folder)


@lru_cache(2)
def _ranks(folder: Path | None, cache: Path | None, dimensions: int | None) -> PageRanks:
    return PageRanks(_wordnet(folder), dimensions, None if cache is None else Cache(cache))


Made = TypeVar("Made")


@dataclass(frozen=True, slots=True, eq=False)
class TopicTexts:
    """What measures ask about the texts of a topic; the same question is answered once."""

    topic: Topic
    tools: TextTools = field(default_factory=TextTools)
    _made: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    @property
    def texts(self) -> tuple[Text, ...]:
        """All outputs and references, each once."""
        outputs = (each.text for each in self.topic.outputs)
        references = (each.text for each in self.topic.references)
        return tuple(dict.fromkeys((*outputs, *references)))

    def sentences(self, text: Text) -> tuple[str, ...]:
        """The sentences as given, or as weps splits them."""
        return self.cached(("sentences", text), lambda: sentences_of(text))

    def tokens(self, text: Text, preprocessing: Preprocessing) -> Tokens:
        """The tokens of each sentence.

        Raises:
            ValuesError: if all words of the text are of other scripts than those that count.
        """

        def read() -> Tokens:
            try:
                return preprocessing(self.sentences(text))
            except ValuesError as error:
                raise ValuesError(error.what, where=self.name(text), remedy=error.remedy) from None

        return self.cached(("tokens", preprocessing, text), read)

    def words(self, text: Text) -> tuple[tuple[Word, ...], ...]:
        """The words of each sentence with tags and lemmas.

        Raises:
            LanguageError: if the pipeline is missing or lacks tags or lemmas.
            ValuesError: if the pipeline fails on the text.
        """
        return self._annotated(tagged_words, text)

    def parses(self, text: Text) -> ParsedText:
        """The parsed words of each sentence; errors as of :meth:`words`."""
        return self._annotated(parse_texts, text)

    def _annotated(
        self, annotate: Callable[[Sequence[Sequence[str]], str], list[Made | None]], text: Text
    ) -> Made:
        """What a language pipeline makes of a text, all texts of the topic being read at once."""
        known: dict[Text, Made | None] = self.cached(annotate, dict)
        if text not in known:
            unread = [each for each in dict.fromkeys((*self.texts, text)) if each not in known]
            read = annotate([self.sentences(each) for each in unread], self.tools.language)
            known.update(zip(unread, read, strict=True))
        if (made := known[text]) is None:
            what = "the language pipeline fails on this text"
            remedy = "choose measures without a language pipeline"
            raise ValuesError(what, where=self.name(text), remedy=remedy)
        return made

    def name(self, text: Text) -> str:
        """Whose text it is."""
        for output in self.topic.outputs:
            if output.text == text:
                return f"the output of {quote_text(output.system)}"
        for reference in self.topic.references:
            if reference.text == text:
                return f"the reference {quote_text(reference.id)}"
        return "a source" if text in self.topic.sources else "a text"

    def cached(self, question: Hashable, answer: Callable[[], Made]) -> Made:
        """The answer to a question, which is only sought the first time."""
        if question not in self._made:
            self._made[question] = answer()
        return cast("Made", self._made[question])
