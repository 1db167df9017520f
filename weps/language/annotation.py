"""The layers of pages, made by a language pipeline once per page: known ones come from the cache.

A page is read as passages of its own, of bounded size, so its marks depend on nothing but its
sentences, whatever is processed beside them.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import accumulate, chain, groupby, pairwise
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from weps._cache import Cache, content_digest, source_digest
from weps._isolation import IsolatedWork
from weps._parallel import one_blas_thread, parallel_map
from weps._text import has_alphanumeric
from weps.language.analysis import (
    Analysis,
    Layer,
    Mark,
    Marks,
    first_sentences,
    nearest_sentences,
    sentence_texts,
)
from weps.language.spacy_pipeline import (
    BUILTIN_PIPELINE,
    ENTITY_KINDS,
    pipeline_version,
    prepare_pipeline,
)
from weps.records import Document

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

MAX_TOKENS = 100_000
"""Tokens of a page that are analysed; of a longer page, the sentences nearest to the name."""

_DECIDING = (
    *("weps._text", "weps.name"),
    *("weps.language.analysis", "weps.language.annotation"),
    *("weps.language.recogniser", "weps.language.spacy_pipeline"),
)
"""Modules that decide the marks of a page, besides the pipeline."""


@dataclass(frozen=True, slots=True, eq=False)
class _PageSentences:
    """A document, and where its sentences stand in the token table."""

    document: Document
    """With a note if not all of it is analysed."""
    numbers: NDArray[np.int32]
    """Shape (tokens,): the sentence of each token, counted from 0 within the page."""
    chosen: NDArray[np.bool_]
    """Shape (sentences,): which sentences are analysed."""
    keys: dict[Layer, str]
    """Layer → cache key of the page's marks."""

    def texts(self) -> list[str]:
        """The text of each sentence; empty where it is not analysed."""
        texts = sentence_texts(self.document.blocks, self.numbers.tolist())
        return [text if kept else "" for text, kept in zip(texts, self.chosen, strict=True)]


def mark_layers(
    analysis: Analysis,
    layers: Collection[Layer],
    language: str = BUILTIN_PIPELINE,
    cache: Cache | None = None,
    jobs: int = 1,
) -> Analysis:
    """The analysis with the layers added.

    Args:
        analysis: the pages of a name, divided into sentences.
        layers: what to mark.
        language: the embedded pipeline, or any that is installed.
        cache: of marks; None for no cache.
        jobs: processes for the pages whose marks are not known yet.

    Raises:
        LanguageError: if the pipeline is missing or lacks a layer.
    """
    pages = list(_split_pages(analysis, sorted(layers), language))
    by_page: list[dict[Layer, Marks]] = [{} for _ in pages]
    missing_rows: defaultdict[tuple[Layer, ...], list[int]] = defaultdict(list)
    for row, page in enumerate(pages):
        for layer, key in page.keys.items():
            if cache and (entry := cache.get(key)):
                by_page[row][layer] = Marks.from_data(json.loads(entry))
        if missing := tuple(layer for layer in page.keys if layer not in by_page[row]):
            missing_rows[missing].append(row)
    for missing, rows in missing_rows.items():
        texts = [pages[row].texts() for row in rows]
        for row, made in zip(rows, annotate_pages(texts, missing, language, jobs), strict=True):
            by_page[row] |= made
            for layer, marks in made.items():
                if cache:
                    raw = json.dumps(marks.to_data(), separators=(",", ":"))
                    cache.put(pages[row].keys[layer], raw.encode())
    joined = {
        layer: Marks.of(
            (start + at, text, kind)
            for marks, start in zip(
                by_page, first_sentences(analysis.tokens, len(pages)), strict=False
            )
            for at, text, kind in marks.get(layer, ())
        )
        for layer in sorted(layers)
    }
    documents = tuple(
        page.document
        if len(marks) == len(layers)
        else _with_note(page.document, "the language pipeline failed on this page")
        for page, marks in zip(pages, by_page, strict=True)
    )
    return replace(analysis, documents=documents, marks=joined)


def mark_keys(
    analysis: Analysis, layers: Collection[Layer], language: str = BUILTIN_PIPELINE
) -> list[str]:
    """The cache keys of the marks of the pages.

    Args:
        analysis: the pages of a name, divided into sentences.
        layers: any, also some that the pipeline lacks.
        language: what made the marks.

    Raises:
        LanguageError: if the pipeline is missing.
    """
    return [key for page in _split_pages(analysis, layers, language) for key in page.keys.values()]


def _split_pages(
    analysis: Analysis, layers: Collection[Layer], language: str
) -> Iterator[_PageSentences]:
    table, code = analysis.tokens, source_digest(*_DECIDING)
    makers = {  # our code, and the pipeline if it is needed
        layer: code if layer is Layer.QUANTITIES else f"{code} {pipeline_version(language)}"
        for layer in layers
    }
    first = first_sentences(table, len(analysis.documents))
    sizes = np.bincount(table.sentence, minlength=first[-1])
    bounds = np.searchsorted(table.sentence, first)
    for document, (begin, end), (start, stop) in zip(
        analysis.documents, pairwise(first), pairwise(bounds), strict=True
    ):
        chosen = _read_sentences(sizes[begin:end], table.mentions[begin:end])
        numbers, reach, noted = table.sentence[start:stop] - np.int32(begin), b"", document
        if not chosen.all():
            reach, read = np.packbits(chosen).tobytes(), int(chosen[numbers].sum())
            noted = _with_note(document, f"language analysed in {read:,} words of {len(numbers):,}")
        keys = {
            layer: content_digest("marks", layer, maker, reach, *document.blocks)
            for layer, maker in makers.items()
        }
        yield _PageSentences(noted, numbers, chosen, keys)


def _with_note(document: Document, note: str) -> Document:
    return replace(document, note="; ".join(filter(None, (document.note, note))))


def _read_sentences(
    sizes: NDArray[np.intp], mentions: NDArray[np.bool_], most: int = MAX_TOKENS
) -> NDArray[np.bool_]:
    """Shape (sentences,): those nearest to a mention, or to the beginning, within the limit.

    Args:
        sizes: shape (sentences,), tokens of each.
        mentions: shape (sentences,), whether it mentions the name.
        most: tokens allowed.
    """
    if sizes.sum() <= most:
        return np.ones(len(sizes), dtype=bool)
    near = mentions if mentions.any() else np.arange(len(sizes)) == 0
    return nearest_sentences(sizes, near, most)


def passage_documents(sentences: Sequence[str], nlp: Language) -> Iterator[tuple[Doc, list[int]]]:
    """The sentences of a page as documents, sentence starts preset for every token.

    Args:
        sentences: text of each; empty ones are passed over.
        nlp: the pipeline whose tokeniser and vocabulary to use.

    Yields:
        A document, and for each of its tokens the number of its sentence in ``sentences``.
    """
    from spacy.tokens import Doc  # noqa: PLC0415 - half a second that only language layers need

    from weps.language.recogniser import divide_passages  # noqa: PLC0415 - no other use here

    def divide(text: str) -> tuple[list[str], list[bool]]:
        tokens = nlp.tokenizer(text)
        blanks = [bool(token.whitespace_) for token in tokens[:-1]]
        return [token.text for token in tokens], [*blanks, True]

    for passage in divide_passages(sentences, divide):
        document = Doc(
            nlp.vocab, words=passage.words, spaces=passage.blanks, sent_starts=[*passage.starts]
        )
        yield document, passage.sentences


_GROUP_CHARACTERS = 50_000
"""Characters of the pages that a pipeline processes at once, which takes three quarters of the time
of one after the other. The marks are the same to the bit: a row of a product of matrices depends on
no other row."""
_FEWEST_CHARACTERS = 300_000
"""Characters of text for several processes, each of which takes two seconds to start."""
_PIPELINE_LOCK = Lock()
"""spaCy's vocabulary serves one thread at a time."""

Sentences = Sequence[str]
Made = TypeVar("Made")


def annotate_pages(
    pages: Sequence[Sentences],
    layers: Collection[Layer],
    language: str = BUILTIN_PIPELINE,
    jobs: int = 1,
) -> list[dict[Layer, Marks]]:
    """The marks that each layer leaves on each page.

    Args:
        pages: the sentences of each page; empty ones are passed over, but counted.
        layers: what to mark.
        language: the embedded pipeline, the folder of one, or any that is installed.
        jobs: number of processes, -1 for one per core; little text is processed by one, and by the
            embedded recogniser in a process beside this one, which waits there for more.

    Returns:
        For each page the marks of each layer. A page on which the pipeline fails lacks the
        layers that the pipeline makes.

    Raises:
        LanguageError: if the pipeline is missing or lacks what a layer needs.
    """
    work = partial(_annotate_group, layers=frozenset(layers), language=language)
    if jobs != 1 and sum(map(len, chain.from_iterable(pages))) >= _FEWEST_CHARACTERS:
        return [marks for group in parallel_map(work, _groups(pages), jobs) for marks in group]
    apart = language == BUILTIN_PIPELINE and {*layers} == {Layer.ENTITIES}
    return (apart and _recognise_apart(pages)) or work(pages)


def _groups(pages: Sequence[Sentences]) -> Iterator[list[Sentences]]:
    """Neighbouring pages; one across a bound, as each long one is, stays alone."""
    bounds = pairwise(accumulate((sum(map(len, page)) for page in pages), initial=0))
    numbered = zip(bounds, pages, strict=True)
    for _, group in groupby(numbered, lambda each: [at // _GROUP_CHARACTERS for at in each[0]]):
        yield [page for _, page in group]


def _recognise_apart(pages: Sequence[Sentences]) -> list[dict[Layer, Marks]]:
    """The entities that another process finds while this one does other work; none if it fails."""
    made = list[dict[Layer, Marks]]()
    with (
        _PIPELINE_LOCK,
        suppress(OSError, ValueError),
        IsolatedWork("weps.language.recogniser:recognise_packed") as recognise,
    ):
        for group in _groups(pages):
            found = json.loads(recognise(json.dumps(group).encode()) or "")
            made += ({Layer.ENTITIES: _entity_marks(each)} for each in found)
    return made if len(made) == len(pages) else []


def _entity_marks(entities: Iterable[Mark]) -> Marks:
    return Marks.of((sentence, text, ENTITY_KINDS[label]) for sentence, text, label in entities)


def _annotate_group(
    pages: Sequence[Sentences], layers: frozenset[Layer], language: str
) -> list[dict[Layer, Marks]]:
    embedded = language == BUILTIN_PIPELINE and Layer.ENTITIES in layers
    processed = layers - {Layer.QUANTITIES, *([Layer.ENTITIES] if embedded else [])}

    def extract(documents: Iterator[tuple[Doc, list[int]]]) -> dict[Layer, Marks]:
        found: dict[Layer, list[Mark]] = {layer: [] for layer in sorted(processed)}
        for document, sentence in documents:
            for layer in found:
                marks = _EXTRACT[layer](document)
                found[layer] += ((sentence[at], text, kind) for at, text, kind in marks)
        return {layer: Marks.of(marks) for layer, marks in found.items()}

    read = read_documents(pages, processed, language, extract) if processed else [{}] * len(pages)
    annotated = [dict(marks or {}) for marks in read]
    for page, marks in zip(pages, annotated, strict=True) if Layer.QUANTITIES in layers else ():
        marks[Layer.QUANTITIES] = Marks.of(
            (number, text, kind)
            for number, sentence in enumerate(page)
            for text, kind in find_quantities(sentence)
        )
    if embedded:
        from weps.language.recogniser import find_entities  # noqa: PLC0415 - mostly apart

        for marks, entities in zip(annotated, find_entities(pages), strict=True):
            marks[Layer.ENTITIES] = _entity_marks(entities)
    return annotated


_EXTRACT: dict[Layer, Callable[[Doc], Iterator[Mark]]] = {
    Layer.LEMMAS: lambda document: (
        (token.i, (token.pos_ != "PROPN" and token.lemma_.lower()) or token.lower_, token.pos_)
        for token in document  # Leeds is not a plural
        if has_alphanumeric(token.text)
    ),
    Layer.PHRASES: lambda document: (
        (phrase.start, phrase.text, "")
        for phrase in document.noun_chunks
        if has_alphanumeric(phrase.text)
    ),
    Layer.ENTITIES: lambda document: (
        (entity.start, entity.text, ENTITY_KINDS[entity.label_])
        for entity in document.ents
        if entity.label_ in ENTITY_KINDS
    ),
    Layer.TAGS: lambda document: ((token.i, token.text, token.pos_) for token in document),
}
"""Layer → marks of a document, each at its first token."""


def read_documents(
    pages: Sequence[Sentences],
    layers: frozenset[Layer],
    language: str,
    read: Callable[[Iterator[tuple[Doc, list[int]]]], Made],
) -> list[Made | None]:
    """Results read off each page after a pipeline has processed it; None where that fails.

    Args:
        pages: the sentences of each page; empty ones are passed over, but counted.
        layers: what the pipeline must provide.
        language: as of :func:`annotate_pages`.
        read: takes the documents of a page, as of :func:`passage_documents`; keeps none of them.

    Raises:
        LanguageError: if the pipeline is missing or lacks what a layer needs.
    """

    def read_group(group: Sequence[Sentences]) -> list[Made | None]:
        parts = (
            (document, (row, numbers))
            for row, page in enumerate(group)
            for document, numbers in passage_documents(page, nlp)
        )
        size = len(group) + 3  # documents at once, a few of them of one page
        processed = nlp.pipe(parts, as_tuples=True, batch_size=size, disable=idle)
        made = {
            row: read((document, numbers) for document, (_, numbers) in documents)
            for row, documents in groupby(processed, key=lambda each: each[1][0])
        }
        return [made[row] if row in made else read(iter(())) for row in range(len(group))]

    results: list[Made | None] = []
    with (
        one_blas_thread(),
        _PIPELINE_LOCK,
        prepare_pipeline(language, layers)[0].memory_zone(),
    ):
        # Additions to the vocabulary are discarded at the end of the zone.
        nlp, idle = prepare_pipeline(language, layers)
        waiting = [*_groups(pages)][::-1]
        while waiting:
            group = waiting.pop()
            try:
                results += read_group(group)
            except MemoryError:
                raise
            except Exception:  # noqa: BLE001 - a failure on one page must not affect other pages
                if len(group) == 1:
                    results.append(None)
                else:
                    waiting += [[page] for page in reversed(group)]
    return results


# Periods, times and numbers in English sentences, by rule. The fine-grained kinds follow the
# numerical and time expressions of Sekine's extended hierarchy (EMNLP 2009, section 3.2, footnote
# 7: the OAK system). One regular expression reads a sentence from left to right; at each position
# the first kind of the table that matches is taken, so longer constructions come first. Every part
# is of bounded length: the time is linear in the text.

MONTHS = (
    "January February March April May June July August September October November December".split()
)
CARDINALS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen twenty".split()
)


def find_quantities(sentence: str) -> list[tuple[str, str]]:
    """The quantities of a sentence in reading order, none inside another.

    Args:
        sentence: text as written, white space folded.

    Returns:
        Text as written, and fine-grained kind: ``years``, ``dates``, ``duration`` (periods);
        ``date``, ``year``, ``decade``, ``century``, ``weekday``, ``clock`` (times); ``phone``,
        ``postal_code``, ``money``, ``percent``, ``age``, ``measure``, ``ordinal``, ``count``
        (numbers).
    """
    return [
        (found[0], found.lastgroup)
        for found in _quantity_pattern().finditer(sentence)
        if found.lastgroup
    ]


_SHORT_MONTHS = [*(month[:3] for month in MONTHS), "Sept"]
_MONTH = (
    rf"(?:{'|'.join([*MONTHS, *map(str.upper, MONTHS)])}"
    rf"|(?:{'|'.join(form for month in _SHORT_MONTHS for form in (month, month.upper()))})\.?)"
    r"(?![A-Za-z])"
)
"""Months as proper names are written: ``May``, ``MAY``, ``Sept.``; never ``may``."""
_DAY = r"(?:3[01]|[12][0-9]|0?[1-9])(?:st|nd|rd|th)?(?![0-9A-Za-z])"
_YEAR = r"(?:1[5-9]|20)[0-9]{2}(?![0-9A-Za-z]|[.,][0-9])"
_WEEKDAY = (
    r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:MON|TUES|WEDNES|THURS|FRI|SATUR|SUN)DAY)"
)
_SPAN = r"(?:\ ?[-–—]\ ?|\ (?i:to|until|till|through)\ )"
_NUMBER = r"[0-9]{1,12}(?:,[0-9]{3}){0,4}(?:\.[0-9]{1,4})?(?![0-9])"
_CARDINAL = rf"(?i:{'|'.join(CARDINALS[1:])}|thirty|forty|fifty|sixty|hundred)"
_AMOUNT = rf"(?:{_NUMBER}|(?i:one)\b|{_CARDINAL}\b)"
_SCALE = r"(?i:\ (?:hundred|thousand|million|billion|trillion|mn|bn)|[kmb]|bn|mn)(?![A-Za-z])"

_DAY_OR_MONTH = "(?:3[01]|[12][0-9]|0?[1-9])"
_DATE = rf"""(?:
    (?:{_WEEKDAY},?\ )?(?:
        {_DAY}\ (?:of\ )?{_MONTH}(?:,?\ {_YEAR})?
      | {_MONTH}\ (?:the\ )?{_DAY}(?:,?\ {_YEAR})?
      | [0-9]{{1,2}}[-/]{_MONTH}[-/](?:{_YEAR}|[0-9]{{2}}(?![0-9])))
  | {_MONTH}(?:,|\ of)?\ {_YEAR}
  | (?:1[5-9]|20)[0-9]{{2}}-(?:1[0-2]|0[1-9])-(?:3[01]|[12][0-9]|0[1-9])(?![0-9])
  | {_DAY_OR_MONTH}(?:
        -{_DAY_OR_MONTH}-{_YEAR}
      | \.{_DAY_OR_MONTH}\.{_YEAR}
      | /{_DAY_OR_MONTH}/(?:{_YEAR}|[0-9]{{2}}(?![0-9/]))))"""
_YEAR_AFTER = "|".join(
    rf"(?<=\b(?i:{word})\ )"
    for word in "in since by until till from before after during of circa around for and".split()
)
_UNITS = (
    r"k(?:ilo)?m(?:et(?:er|re)s?)?|km/h|(?:centi|milli)?met(?:er|re)s?|[cm]m|miles?|mph|feet|foot|ft"
    r"|inch(?:es)?|yards?|acres?|hectares?|(?:square|sq\.?)\ (?:feet|foot|ft|met(?:er|re)s?|miles?)"
    r"|kg|(?:kilo|milli)?grams?|mg|lbs?|pounds?|ounces?|oz|tons?|tonnes?|lit(?:er|re)s?|ml|gallons?"
    r"|[kMG]?Hz|[kKMGT]B|[kMG]W|volts?|watts?|°\ ?[CF]?|degrees|pixels"
)
_NO_THINGS = (
    "as|is|was|has|does|its|plus|times|versus|bytes|comments|customers|guests|hits|items|links"
    "|matches|messages|posts|ratings|replies|results|reviews|stars|users|views|visitors|votes"
)
"""Words that follow a figure without being counted, or that Web pages count of themselves."""

_KIND_PATTERNS = {
    # Figures that place a text, not a person: they are read over.
    "": r"""(?i:isbn(?:-1[03])?|issn|doi|pp?\.|pages?|chapter|ch\.|section|sec\.|figure|fig\.|table
        |version|ver\.|v\.|vol\.|volume|no\.|nr\.|issue|line|lines|verse|step|room)
        [:\ ]{0,2}[0-9][0-9A-Za-z.:/–-]{0,30}
      | [0-9]{1,5}(?:\.[0-9]{1,5}){2,5}(?![0-9])(?<!\.[0-9]{4})
      | (?:97[89]-)?[0-9]{1,5}-[0-9]{1,7}-[0-9]{1,7}-[0-9X](?![0-9])""",
    "phone": r"""
        (?i:(?:tele)?phone|tel|fax|mobile|cell|call)[.:]{0,2}\ ?
        \+?[(0-9][0-9 ().-]{5,18}[0-9](?![0-9])
      | \+(?=(?:[ ().-]{0,2}[0-9]){8,15})[0-9](?:[ ().-]{0,2}[0-9]){7,14}(?![0-9])
      | (?:1[ .-])?(?:\([0-9]{3}\)\ ?|[0-9]{3}[ .-])[0-9]{3}[ .-][0-9]{4}(?![0-9-])
      | \(?0[0-9]{2,4}\)?[ -][0-9]{3,4}[ -]?[0-9]{3,4}(?![0-9-])""",
    "dates": rf"""{_DATE}{_SPAN}(?:{_DATE}|(?i:present|now|today|date)\b)
      | {_DAY}\ ?[-–—]\ ?{_DAY}\ {_MONTH}(?:,?\ {_YEAR})?
      | {_MONTH}\ {_DAY}\ ?[-–—]\ ?{_DAY}(?:,?\ {_YEAR})?
      | {_MONTH}{_SPAN}{_MONTH}(?:,?\ {_YEAR})?""",
    "date": _DATE,
    "years": rf"""{_YEAR}(?:{_SPAN}{_YEAR}|[-–/][0-9]{{2}}(?![0-9-])
        |{_SPAN}(?i:present|now|today|date|current)\b)
      | (?<=\b(?i:between)\ ){_YEAR}\ and\ {_YEAR}""",
    "decade": r"(?:1[5-9]|20)?[0-9]0['’]?s(?![A-Za-z])",
    "century": r"""(?:[0-9]{1,2}(?:st|nd|rd|th)
        |(?i:sixteenth|seventeenth|eighteenth|nineteenth|twentieth|twenty-first))
        [ -](?i:centur(?:y|ies))\b""",
    "year": rf"""(?:(?i:spring|summer|autumn|fall|winter)\ (?:of\ )?{_YEAR}
      | (?:{_YEAR_AFTER}){_YEAR}(?!\ [a-z]+s\b)
      | (?<=\(){_YEAR}(?=[),;]) | (?<=,\ ){_YEAR}(?=[.,;)]|$) | ^{_YEAR}(?=$|:))""",
    "postal_code": r"""[A-Z]{1,2}[0-9][0-9A-Z]?\ [0-9][A-Z]{2}(?![0-9A-Za-z])
      | [A-Z][0-9][A-Z]\ [0-9][A-Z][0-9](?![0-9A-Za-z])
      | (?<=\b[A-Z]{2}\ )[0-9]{5}(?:-[0-9]{4})?(?![0-9-])
      | [0-9]{5}-[0-9]{4}(?![0-9-])""",
    "weekday": rf"{_WEEKDAY}s?(?![A-Za-z])",
    "clock": r"""
        (?:1[0-2]|0?[1-9])(?:[:.][0-5][0-9]){0,2}\ ?(?i:[ap]m|[ap]\.m\.)(?![A-Za-z])
      | (?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?(?![0-9:])
      | (?:(?<=\bat\ )|(?<=\bfrom\ )|(?<=\buntil\ ))[0-9]:[0-5][0-9](?![0-9:])
      | (?i:noon|midnight)(?![A-Za-z])""",
    "money": rf"""(?:US|AU|CA|NZ|HK|[AC])?[$£€¥]\ ?{_NUMBER}(?:{_SCALE})?
      | (?:USD|EUR|GBP|CHF|JPY|CAD|AUD)\ ?{_NUMBER}(?:{_SCALE})?
      | {_AMOUNT}(?:{_SCALE})?
        \ (?:(?i:dollars?|euros?|cents?|pounds\ sterling)|USD|EUR|GBP|CHF)\b""",
    "percent": rf"{_AMOUNT}(?:\ ?%|\ (?i:per\ ?cent)\b)",
    "age": rf"""(?i:aged?)[: ]{{1,2}}[0-9]{{1,3}}(?![0-9A-Za-z/]|[-.,][0-9])
      | {_AMOUNT}[ -](?i:years?|months?|weeks?)[ -](?i:olds?|of\ age)\b""",
    "duration": rf"""{_AMOUNT}(?:{_SPAN}{_AMOUNT})?[ -]
        (?i:seconds?|minutes?|mins|hours?|hrs|days?|nights?|weeks?|months?|years?|yrs|decades?
        |centur(?:y|ies))(?![A-Za-z])""",
    "measure": rf"{_AMOUNT}(?:{_SPAN}{_AMOUNT})?[ -]?(?:{_UNITS})(?![0-9A-Za-z/])",
    "ordinal": r"[0-9]{0,3}(?:1st|2nd|3rd|[0-9]th)(?![A-Za-z-]|\ [A-Z])",
    "count": rf"""(?!{_YEAR})(?:{_NUMBER}|{_CARDINAL})
        (?:\ (?i:hundred|thousand|million|billion))?\ (?!(?:{_NO_THINGS})\b)
        (?:[a-z]{{2,20}}(?<![su])s|men|women|people|children)(?![A-Za-z])""",
}
_BEGIN = r"(?<![\w.,:/$£€¥+@#=-])(?=[0-9A-Za-z$£€¥(+])"
"""Where a quantity may begin: never inside a word, a number, an address or a formula."""


@cache  # compiled with the first sentence: few names need it
def _quantity_pattern() -> re.Pattern[str]:
    alternatives = "|".join(
        f"(?P<{kind}>{pattern})" if kind else f"(?:{pattern})"
        for kind, pattern in _KIND_PATTERNS.items()
    )
    return re.compile(f"{_BEGIN}(?:{alternatives})", re.VERBOSE | re.ASCII)
