"""The recogniser of the embedded pipeline without spaCy, which takes longer to start than to read.

It finds the entities that spaCy, which trains it, finds with the ``ner`` of ``weps_en``, from the
same files. Tokens are divided by the pipeline's rules for prefixes, suffixes, infixes, addresses
and special cases. The norm, first character, last three characters and shape of a word choose rows
of hashed embeddings (MultiHashEmbed); four layers of maxout units see one neighbour on each side
(MaxoutWindowEncoder); transitions begin, continue and end an entity of one sentence (BILUO), the
best each time. No word depends on those of other passages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache, reduce
from itertools import groupby
from typing import Any

import msgpack
import numpy as np
from numpy.typing import NDArray

from weps._files import read_bytes, resource_path
from weps._parallel import one_blas_thread
from weps.errors import LanguageError

Floats = NDArray[np.float32]
Entity = tuple[int, str, str]
"""Number of the sentence, text, and label."""


@dataclass(frozen=True, slots=True, eq=False)
class Passage:
    """Neighbouring sentences that are read together, as tokens."""

    words: list[str] = field(default_factory=list)
    blanks: list[bool] = field(default_factory=list)
    """Whether a blank follows each token."""
    starts: list[bool] = field(default_factory=list)
    """Whether each token begins a sentence, or a piece of a long one."""
    sentences: list[int] = field(default_factory=list)
    """Number of the sentence of each token."""

    def text(self, first: int, end: int) -> str:
        """The text from one token to another, which does not belong to it."""
        spaced = zip(self.words[first:end], self.blanks[first:end], strict=True)
        return "".join(word + " " * blank for word, blank in spaced).rstrip(" ")


_MAX_PASSAGE_TOKENS = 2_000
"""Tokens: memory follows the longest passage."""
_MAX_SENTENCE_TOKENS = 1_000
"""Tokens; a longer one is a table or a list, and is read in pieces."""
_PIECE_TOKENS = 500
_UNBROKEN = re.compile(r"(\S{500})(?=\S)")
"""The tokeniser takes quadratic time for long text without a blank."""


def divide_passages(
    sentences: Sequence[str], divide: Callable[[str], tuple[list[str], list[bool]]]
) -> Iterator[Passage]:
    """The sentences of a page as passages of bounded size.

    Args:
        sentences: text of each; empty ones are passed over.
        divide: the tokens of a text, and whether a blank follows each.
    """
    passage = Passage()
    for number, sentence in enumerate(sentences):
        encodable = sentence.encode("utf-8", "replace").decode()  # without lone surrogates
        text = _UNBROKEN.sub(r"\1 ", " ".join(encodable.split()))
        words, blanks = divide(text) if text else ([], [])
        step = _PIECE_TOKENS if len(words) > _MAX_SENTENCE_TOKENS else _MAX_SENTENCE_TOKENS
        for begin in range(0, len(words), step):
            piece = words[begin : begin + step]
            if passage.words and len(passage.words) + len(piece) > _MAX_PASSAGE_TOKENS:
                yield passage
                passage = Passage()
            passage.words.extend(piece)
            passage.blanks.extend(blanks[begin : begin + step])
            passage.starts.extend(at == 0 for at in range(len(piece)))
            passage.sentences.extend([number] * len(piece))
    if passage.words:
        yield passage


class Tokeniser:
    """The rules by which a pipeline divides text into tokens.

    Args:
        rules: regular expressions and special cases, as spaCy writes them.
    """

    def __init__(self, rules: dict[str, Any]) -> None:
        self._prefix = re.compile(rules["prefix_search"]).search
        self._suffix = re.compile(rules["suffix_search"]).search
        self._infixes = re.compile(rules["infix_finditer"]).finditer
        self._is_address = re.compile(rules["url_match"]).match
        self._special: dict[str, list[str]] = {
            text: [next(iter(token.values())) for token in tokens]
            for text, tokens in rules["exceptions"].items()
        }
        self._tokens = lru_cache(_MOST_KNOWN)(self._divide)
        divided = ((tuple(self._affixes(text, {})), text) for text in self._special)
        self._phrases = {parts: text for parts, text in divided if len(parts) > 1}
        self._longest = max(map(len, self._phrases), default=0)

    def words(self, text: str) -> tuple[list[str], list[bool]]:
        """The tokens of a text whose white space is single blanks, and whether one follows each."""
        words, blanks = list[str](), list[bool]()
        for chunk in text.split(" "):
            tokens = self._tokens(chunk)
            words += tokens
            blanks += [False] * (len(tokens) - 1) + [True]
        return words, blanks

    def _divide(self, chunk: str) -> list[str]:
        """The tokens of text without blanks."""
        if chunk.isascii() and chunk.isalpha():
            return self._special.get(chunk, [chunk])
        tokens = self._affixes(chunk, self._special)
        spans = (
            (start - end, start, end)
            for start in range(len(tokens))
            for end in range(start + 2, min(start + self._longest, len(tokens)) + 1)
            if tuple(tokens[start:end]) in self._phrases
        )
        taken, chosen = set[int](), dict[int, int]()
        for _, start, end in sorted(spans):  # the longest first
            if taken.isdisjoint((start, end - 1)):
                chosen[start] = end
            taken.update(range(start, end))
        for start, end in sorted(chosen.items(), reverse=True):
            tokens[start:end] = self._special[self._phrases[tuple(tokens[start:end])]]
        return tokens

    def _affixes(self, chunk: str, special: dict[str, list[str]]) -> list[str]:
        """The tokens of text without blanks, by affixes, and by special cases between them."""
        before, after, size = list[str](), list[str](), 0
        while chunk and len(chunk) != size and chunk not in special:
            size = len(chunk)
            start = len(found[0]) if (found := self._prefix(chunk)) else 0
            if start and chunk[start:] in special:
                before.append(chunk[:start])
                chunk = chunk[start:]
                break
            end = size - (len(found[0]) if (found := self._suffix(chunk[start:])) else 0)
            if end < size and chunk[:end] in special:
                after.append(chunk[end:])
                chunk = chunk[:end]
                break
            before += [chunk[:start]] * (start > 0)
            after += [chunk[end:]] * (end < size)
            chunk = chunk[start:end]
        return [*before, *self._infix_parts(chunk, special), *reversed(after)]

    def _infix_parts(self, text: str, special: dict[str, list[str]]) -> Iterator[str]:
        """The tokens of what is left between affixes."""
        if text in special:
            yield from special[text]
        elif text and self._is_address(text):
            yield text
        elif text:
            start = 0
            for infix in self._infixes(text):
                if infix.start() > 0:
                    yield from filter(None, (text[start : infix.start()], infix[0]))
                    start = infix.end()
            yield from filter(None, (text[start:],))


_MOST_KNOWN = 20_000
"""Texts without blanks whose tokens are kept."""
_MASK = (1 << 64) - 1


@lru_cache(1 << 16)
def string_key(text: str) -> int:
    """The 64 bits by which spaCy knows a text: MurmurHash64A, seed 1, of its UTF-8."""
    data, factor = text.encode(), 0xC6A4A7935BD1E995
    key = 1 ^ (len(data) * factor & _MASK)
    whole = len(data) & ~7
    for at in range(0, whole, 8):
        part = int.from_bytes(data[at : at + 8], "little") * factor & _MASK
        part = (part ^ part >> 47) * factor & _MASK
        key = (key ^ part) * factor & _MASK
    if whole < len(data):
        key = (key ^ int.from_bytes(data[whole:], "little")) * factor & _MASK
    key = (key ^ key >> 47) * factor & _MASK
    return key ^ key >> 47


def word_shape(word: str) -> str:
    """The shape of a word: ``Xxxxx`` of Thomas, ``dd`` of 42; runs are of four at most."""
    if len(word) >= 100:
        return "LONG"
    shape = (
        ("X" if char.isupper() else "x") if char.isalpha() else "d" if char.isdigit() else char
        for char in word
    )
    return "".join(char * min(sum(1 for _ in run), 4) for char, run in groupby(shape))


def hashed_rows(keys: NDArray[np.uint64], seed: int) -> NDArray[np.uint32]:
    """Shape (keys, 4): MurmurHash3 of each key, of 128 bits, as Thinc takes it for embeddings."""

    def mixed(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
        for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
            bits = (bits ^ (bits >> np.uint64(33))) * np.uint64(factor)
        return bits ^ (bits >> np.uint64(33))

    seeds = np.full_like(keys, seed ^ 8)
    first = keys * np.uint64(0x87C37B91114253D5)
    first = ((first << np.uint64(31)) | (first >> np.uint64(33))) * np.uint64(0x4CF5AD432745937F)
    first = (first ^ seeds) + seeds
    second = mixed(first + seeds)
    first = mixed(first) + second
    return np.stack([first, first + second], axis=1).view(np.uint32)


_BEFORE = 4
"""Rows of zeros before and behind a passage."""


@dataclass(frozen=True, slots=True, eq=False)
class _Maxout:
    """A layer of units that are the largest of several sums each, normalised to variance 1."""

    weights: Floats
    """Shape (inputs, pieces × units)."""
    bias: Floats
    """Shape (pieces × units,)."""
    scale: Floats
    shift: Floats
    """Shapes (units,)."""

    def __call__(self, values: Floats) -> Floats:
        sums = values @ self.weights + self.bias
        best = reduce(np.maximum, np.split(sums, len(self.bias) // len(self.scale), axis=1))
        best -= best.mean(axis=1, keepdims=True)
        best *= (np.square(best).mean(axis=1, keepdims=True) + np.float32(1e-8)) ** -0.5
        normalised: Floats = best * self.scale + self.shift
        return normalised


def find_entities(pages: Iterable[Sequence[str]]) -> list[list[Entity]]:
    """The entities in the sentences of each page.

    Raises:
        LanguageError: if the files of the recogniser are damaged.
    """
    recogniser = load_recogniser()
    with one_blas_thread():  # several threads add up in another order
        return [
            [
                (passage.sentences[first], passage.text(first, end), label)
                for passage in divide_passages(page, recogniser.tokeniser.words)
                for first, end, label in recogniser.recognise(passage)
            ]
            for page in pages
        ]


def recognise_packed(packed: bytes) -> bytes:
    """The entities of pages, from and to JSON, for work in a process of its own."""
    return json.dumps(find_entities(json.loads(packed))).encode()


@cache
def load_recogniser() -> Recogniser:
    """The recogniser of ``weps_en``, loaded once per process.

    Raises:
        LanguageError: if its files are damaged.
    """
    folder = resource_path("language/weps_en")
    names = ("tokenizer", "lexemes.json", "ner/model", "ner/moves")
    files = {name: read_bytes(folder / name, 1 << 24, LanguageError) for name in names}
    try:
        return Recogniser(files)
    except Exception as error:  # damaged data can raise any exception
        raise LanguageError(
            f"the recogniser cannot be loaded ({type(error).__name__}: {error})",
            where=folder,
            remedy="install weps again",
        ) from error


class Recogniser:
    """The tokeniser and the network of a pipeline that finds entities.

    Args:
        files: ``tokenizer``, ``ner/model``, ``ner/moves`` and ``lexemes.json`` → contents.
    """

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.tokeniser = Tokeniser(_unpacked(files["tokenizer"]))
        lexemes = json.loads(files["lexemes.json"])
        self._norms: dict[str, str] = lexemes["norms"]
        self._symbols: dict[str, int] = lexemes["symbols"]
        model = _unpacked(files["ner/model"])
        layers: dict[str, list[dict[str, Any]]] = {}
        for node, *parts in zip(model["nodes"], model["attrs"], model["params"], strict=True):
            layers.setdefault(node["name"], []).append(parts[0] | parts[1])
        self._embeddings = [(layer["E"], _unpacked(layer["seed"])) for layer in layers["hashembed"]]
        self._mix, *self._encoder = (
            _Maxout(_columns(layer["W"]), layer["b"].T.ravel(), norm["G"], norm["b"])
            for layer, norm in zip(layers["maxout"], layers["layernorm"], strict=True)
        )
        upper, lower = layers["linear"]
        self._upper, self._lower = (upper["W"].T, upper["b"]), (lower["W"].T, lower["b"])
        (state,) = layers["precomputable_affine"]
        self._state = np.concatenate([_columns(each) for each in state["W"]], axis=1)
        self._bias, (_, *self._absent) = state["b"].T, state["pad"][0].transpose(0, 2, 1)
        moves = json.loads(_unpacked(files["ner/moves"])["moves"])
        labels_of = {int(kind): labels for kind, labels in moves.items()}
        pairs = [(kind, label) for kind, labels in labels_of.items() for label in labels]
        self._kinds, self._labels = (np.array(each) for each in zip(*pairs, strict=True))
        unnamed = (self._kinds == _UNIT) & (self._labels == "")
        self._barred = np.isin(self._kinds, (_IN, _LAST)) | unnamed
        """Moves that are not made outside an entity."""

    def recognise(self, passage: Passage) -> Iterator[tuple[int, int, str]]:
        """The entities of a passage: first token, token after the last, and label."""
        as_next, as_first, as_last = self._token_features(passage)
        none_first, none_last = self._absent
        is_last = np.array([*passage.starts[1:], True])
        outside = self._scores(as_next + none_first + none_last)
        outside[:, self._barred] = -np.inf
        outside[np.ix_(is_last, self._kinds == _BEGIN)] = -np.inf
        end = 0
        for first, move in enumerate(outside.argmax(axis=1).tolist()):
            if first < end or self._kinds[move] == _OUT:
                continue
            end, label = first + 1, self._labels[move]
            if self._kinds[move] == _BEGIN:
                while not is_last[end]:
                    inside = self._scores(as_next[end] + as_first[first] + as_last[end - 1])
                    _, goes_on, ends, _ = inside[self._labels == label]
                    if ends > goes_on:
                        break
                    end += 1
                end += 1
            yield first, end, label

    def _token_features(self, passage: Passage) -> Floats:
        """What tokens add to a state as the next one, and as the first and the last of an entity.

        Shape (3, tokens, pieces, units). What a row of a product becomes depends in its last bits
        on the number of rows: passages are read one by one.
        """
        words = {word: row for row, word in enumerate(dict.fromkeys(passage.words))}
        values = self._word_vectors(words)[[words[word] for word in passage.words]]
        values = np.pad(values, [(_BEFORE, _BEFORE), (0, 0)])
        for layer in self._encoder:
            edges = np.pad(values, [(1, 1), (0, 0)])
            values += layer(np.concatenate([edges[:-2], values, edges[2:]], axis=1))
        weights, bias = self._lower
        features = (values[_BEFORE:-_BEFORE] @ weights + bias) @ self._state
        parts: Floats = features.reshape(len(features), 3, *self._bias.shape).swapaxes(0, 1)
        return parts

    def _scores(self, states: Floats) -> Floats:
        """The scores of all moves in each state."""
        weights, bias = self._upper
        scores: Floats = (states + self._bias).max(axis=-2) @ weights + bias
        return scores

    def _word_vectors(self, words: Iterable[str]) -> Floats:
        """The vectors of words, whatever stands beside them."""
        traits = [
            (self._norms.get(word, word.lower()), word[0], word[-3:], word_shape(word))
            for word in words
        ]
        embedded = []
        for column, (table, seed) in enumerate(self._embeddings):
            keys = np.array(
                [self._symbols.get(each[column]) or string_key(each[column]) for each in traits],
                np.uint64,
            )
            embedded.append(table[hashed_rows(keys, seed) % np.uint32(len(table))].sum(axis=1))
        return self._mix(np.concatenate(embedded, axis=1))


_BEGIN, _IN, _LAST, _UNIT, _OUT = range(1, 6)


def _columns(weights: Floats) -> Floats:
    """Weights of units, pieces and inputs, as a matrix from inputs to pieces and units."""
    columns: Floats = np.ascontiguousarray(weights.transpose(2, 1, 0).reshape(weights.shape[2], -1))
    return columns


def _unpacked(packed: bytes) -> Any:
    """What MessagePack holds, with arrays as msgpack-numpy writes them."""

    def array(item: dict[Any, Any]) -> Any:
        if b"nd" not in item:
            return item
        return np.frombuffer(item[b"data"], item[b"type"]).reshape(item[b"shape"])

    return msgpack.unpackb(packed, object_hook=array, strict_map_key=False)
