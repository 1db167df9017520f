"""Testbeds, and the matrices of measures that are computed on them, with their files.

Testbeds are topics with references, outputs of systems and human scores; a file has JSON lines, the
first of which identifies it. Measure matrices are the values of measures and human scores of each
output, read from tables; they are summed up by systems.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar
from unicodedata import category

import numpy as np
from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    PlainValidator,
    Strict,
    ValidationError,
    WithJsonSchema,
)
from pydantic import dataclasses as validated

from weps._files import as_path, atomic_write
from weps._formatting import (
    count_of,
    join_items,
    quote_text,
    short_repr,
    suggest_names,
)
from weps._lazy import import_library
from weps._parallel import Progress, log_progress
from weps._schema import JsonModel, describe_faults, validate_data
from weps.errors import SourceError, ValuesError
from weps_eval.stats import Floats, Ints
from weps_eval.tables import (
    lines_of,
    locate_errors,
    number_names,
    read_columns,
    repeated_names,
    write_table,
)

_HALF = re.compile("[\ud800-\udfff]")
_UNPRINTABLE = ("Cc", "Cs", "Zl", "Zp")
"""Control characters, halves of characters, which cannot be written, and ends of lines."""
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that turn the direction of what follows."""

Text = str | tuple[str, ...]
"""A text whose sentences are still to be found, or its sentences as given."""
Entry = TypeVar("Entry")


def whole_text(text: Text) -> str:
    """The text in one piece: sentences that were given apart stand on lines of their own."""
    return text if isinstance(text, str) else "\n".join(text)


def _words_of(text: Text) -> tuple[str, ...]:
    return tuple(whole_text(text).split())


def _read_text(value: object) -> Text:
    sentences = [value] if isinstance(value, str) else value
    if not isinstance(sentences, list | tuple) or not all(isinstance(s, str) for s in sentences):
        raise ValueError("expected text or a list of sentences")
    if any(map(_HALF.search, sentences)):
        raise ValueError("expected text without halves of characters")
    return value if isinstance(value, str) else tuple(sentences)


def _require(holds: Callable[[Any], object], expected: str) -> AfterValidator:
    def check(value: Any) -> Any:
        if not holds(value):
            raise ValueError(f"expected {expected}")
        return value

    return AfterValidator(check)


def _distinct(name: str) -> AfterValidator:
    """No two entries of the same name."""

    def check(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
        if twice := repeated_names(getattr(entry, name) for entry in entries):
            raise ValueError(f"several have the {name} {join_items(map(quote_text, twice))}")
        return entries

    return AfterValidator(check)


Name = Annotated[
    str,
    Field(strict=True, min_length=1, max_length=1000, pattern=r"\S"),
    _require(
        lambda name: not any(category(each) in _UNPRINTABLE or each in _TURNING for each in name),
        "characters that can be printed",
    ),
]
Written = Annotated[
    Text,
    PlainValidator(_read_text),
    WithJsonSchema({"type": ["string", "array"], "items": {"type": "string"}}),
]
"""May be empty."""
_LETTER = {"type": "string", "pattern": r"\S"}
Filled = Annotated[
    Written,
    _require(lambda text: whole_text(text).strip(), "text that is not empty"),
    WithJsonSchema(
        {"anyOf": [_LETTER, {"type": "array", "items": {"type": "string"}, "contains": _LETTER}]}
    ),
]
_SOME = Field(min_length=1)
_CONFIG = ConfigDict(
    extra="forbid",
    allow_inf_nan=False,
    use_attribute_docstrings=True,
    revalidate_instances="always",
)

_IDENTITY: Final = {"kind": "weps testbed", "format": 1}
"""The beginning of the first line, with the version of the file format."""


class Header(JsonModel):
    """The first line of a file."""

    kind: Literal["weps testbed"]
    format: Literal[1]
    """A reader refuses every other."""
    name: Name
    """What tables call it."""
    language: Name
    """Language of references and outputs, as ``en``."""
    source: Name
    """Where the texts come from."""
    strategies: Mapping[Name, Name] = Field(default_factory=dict)
    """System → what the systems that work alike are called, if given."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A text by which outputs are judged."""

    __pydantic_config__ = _CONFIG  # the topic checks it

    id: Name
    text: Filled


@dataclass(frozen=True, slots=True)
class Output:
    """What a system made of a topic.

    It may be empty, as a system may fail: it then has nothing in common with any reference.
    """

    __pydantic_config__ = _CONFIG  # the topic checks it

    system: Name
    text: Written
    human: Annotated[
        Mapping[Name, Annotated[float, Strict()]],
        Field(json_schema_extra={"additionalProperties": False}),
    ] = field(default_factory=dict)
    """Criterion → finite score; criteria without a score are left out."""


class _Refusing(type):
    """Faults of what is constructed are one ValuesError that lists all of them."""

    def __call__(cls, /, *given: Any, **named: Any) -> Any:
        """The object, if its fields are right."""
        names: Iterable[str] = getattr(cls, "__dataclass_fields__", ())
        fields = dict(zip(names, given, strict=False)) | named
        try:
            return super().__call__(**fields)
        except ValidationError as error:
            name = fields.get("topic")
            raise ValuesError(
                describe_faults(error),
                where=f"topic {quote_text(name)}" if isinstance(name, str) else None,
            ) from None


@validated.dataclass(frozen=True, slots=True, config=_CONFIG)
class Topic(metaclass=_Refusing):
    """A task, with what systems made of it, and the texts by which that is judged."""

    topic: Name
    references: Annotated[tuple[Reference, ...], _SOME, _distinct("id")]
    """The texts by which outputs are judged; no two have the same name."""
    outputs: Annotated[tuple[Output, ...], _SOME, _distinct("system")]
    """What systems made of the topic, each once."""
    sources: tuple[Filled, ...] = ()
    """The documents that were summed up or translated, if given."""
    concepts: tuple[Name, ...] = ()
    """The key concepts that people found in it, of one or more words each, if given."""
    type: Name | None = None
    """The kind of topic, or the task, if there are several."""

    def as_data(self) -> dict[str, Any]:
        """The topic in JSON form; type, sources, concepts and human scores only if given."""
        data = {
            "topic": self.topic,
            "references": [{"id": each.id, "text": each.text} for each in self.references],
            "outputs": [
                {"system": each.system, "text": each.text}
                | ({"human": dict(sorted(each.human.items()))} if each.human else {})
                for each in self.outputs
            ],
        }
        optional = {"sources": self.sources, "concepts": self.concepts, "type": self.type}
        return data | {name: given for name, given in optional.items() if given}


@dataclass(frozen=True, slots=True, repr=False)
class Testbed:
    """Topics of one collection.

    Raises:
        ValuesError: if there is no topic, two have the same name, or a system with a strategy has
            no outputs.

    Example:
        >>> Testbed.of("resources/testbed/news.jsonl")
        <Testbed 'Invented news': 5 topics, 20 outputs, 4 systems>
    """

    __test__ = False  # not a test, whatever pytest thinks of the name

    name: str
    language: str
    """Language of references and outputs, as ``en``."""
    source: str
    """Where the texts come from."""
    topics: tuple[Topic, ...]
    strategies: Mapping[str, str] = field(default_factory=dict)
    """System → its strategy, if known."""

    @classmethod
    def of(cls, source: Testbed | Path | str) -> Testbed:
        """The testbed itself, or that of a file, see :func:`read_testbed`."""
        return source if isinstance(source, Testbed) else read_testbed(source)

    def __repr__(self) -> str:
        return short_repr(
            self,
            self.name,
            count_of(len(self.topics), "topic"),
            count_of(len(self.instances), "output"),
            count_of(len(self.systems), "system"),
        )

    def __post_init__(self) -> None:
        if unknown := self.strategies.keys() - set(self.systems):
            raise ValuesError(
                f"strategies of unknown systems: {join_items(map(quote_text, sorted(unknown)))}",
                remedy="name systems that have outputs",
            )
        if not self.topics:
            raise ValuesError("the testbed has no topics", remedy="add a line per topic")
        if twice := repeated_names(topic.topic for topic in self.topics):
            raise ValuesError(
                f"topics occur twice: {join_items(map(quote_text, twice))}",
                remedy="rename one of each",
            )

    @property
    def instances(self) -> list[tuple[Topic, Output]]:
        """All outputs with their topics, topic by topic."""
        return [(topic, output) for topic in self.topics for output in topic.outputs]

    @property
    def systems(self) -> tuple[str, ...]:
        """All systems, in order of first appearance; not each needs to answer every topic."""
        return tuple(dict.fromkeys(output.system for _, output in self.instances))

    @property
    def criteria(self) -> tuple[str, ...]:
        """All criteria by which people judged, in alphabetical order."""
        return tuple(sorted({name for _, output in self.instances for name in output.human}))

    @property
    def empty_outputs(self) -> tuple[tuple[str, str], ...]:
        """Topic and system of every output without text."""
        return tuple(
            (topic.topic, output.system)
            for topic, output in self.instances
            if not _words_of(output.text)
        )

    @property
    def equal_outputs(self) -> tuple[tuple[str, str], ...]:
        """Topic and system of every output that is a reference of its topic, white space aside."""
        return tuple(
            (topic.topic, output.system)
            for topic, output in self.instances
            if any(_words_of(output.text) == _words_of(each.text) for each in topic.references)
        )

    @property
    def output_texts(self) -> dict[tuple[str, str], int]:
        """Topic and system of every output → its number, that of the first equal one of the topic.

        White space aside.
        """
        numbers = defaultdict[tuple[str, ...], int](count().__next__)
        return {
            (topic.topic, output.system): numbers[topic.topic, *_words_of(output.text)]
            for topic, output in self.instances
        }


_MOST_LINES = 10_000_000
_MOST_LISTED = 20
CONVERT = "`weps text convert texts` makes a testbed of plain texts and tables"


def join_faults(faults: Sequence[str]) -> str:
    """Faults of a testbed, at most 20 in full."""
    more = len(faults) - _MOST_LISTED
    return "; ".join(faults[:_MOST_LISTED]) + (f"; and {more:,} more" if more > 0 else "")


def read_testbed(path: Path | str) -> Testbed:
    """Read a ``.jsonl`` or ``.jsonl.gz`` file in UTF-8, line by line.

    Empty lines are skipped. A field given twice, or one that is not part of the format, is a fault.

    Raises:
        SourceError: if it cannot be read, or is no testbed of this format.
        ValuesError: if lines are faulty; one message lists all of them, at most 20 in full.

    Example:
        >>> read_testbed("resources/testbed/news.jsonl").name
        'Invented news'
    """
    path = as_path(path, "a testbed or its path")
    topics, faults = [], []
    lines = enumerate(map(str.strip, islice(lines_of(path), _MOST_LINES + 1)), start=1)
    try:
        first = next((line for _, line in lines if line), "")
        header = validate_data(Header, _parsed(first), ValuesError)
    except ValuesError as error:
        is_absent = "kind is missing" in error.what
        told = "the first line, which names it, is missing" if is_absent else error.what
        raise SourceError(
            f"expected a testbed of weps ({told})",
            where=path,
            remedy=f"give a testbed (docs/schema/testbed.schema.json): {CONVERT}",
        ) from None
    for number, line in lines:
        if number > _MOST_LINES:
            raise SourceError(f"has more than {_MOST_LINES:,} lines", where=path, remedy="split it")
        if not line:
            continue
        try:
            if not isinstance(data := _parsed(line), dict):
                raise ValuesError("expected an object")
            topics.append(Topic(**data))
        except ValuesError as error:
            faults.append(f"line {number:,}: {error.what}")
    if faults:
        raise ValuesError(join_faults(faults), where=path, remedy="correct the lines")
    with locate_errors(path):
        about = header.name, header.language, header.source
        return Testbed(*about, tuple(topics), header.strategies)


def _parsed(line: str) -> Any:
    try:
        return json.loads(line, object_pairs_hook=_object)
    except ValuesError:
        raise
    except (ValueError, RecursionError):
        raise ValuesError("invalid JSON") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; JSON itself would take the last of two fields of the same name."""
    data = dict(pairs)
    if len(data) < len(pairs):
        twice = repeated_names(name for name, _ in pairs)
        raise ValuesError(f"given twice: {join_items(map(quote_text, twice))}")
    return data


def write_testbed(testbed: Testbed, path: Path | str) -> None:
    """Write a testbed; the same testbed gives the same bytes, and reads back equal.

    The file is replaced if it is there, and compressed if its name ends in ``.gz``.

    Raises:
        OutputError: if it cannot be written.
    """
    path = Path(path)
    about: dict[str, Any] = {
        "name": testbed.name,
        "language": testbed.language,
        "source": testbed.source,
    }
    if testbed.strategies:
        about |= {"strategies": dict(sorted(testbed.strategies.items()))}
    lines = [_IDENTITY | about, *(topic.as_data() for topic in testbed.topics)]
    texts = (json.dumps(line, ensure_ascii=False, allow_nan=False) for line in lines)
    raw = "".join(f"{text}\n" for text in texts).encode()
    if path.suffix.lower() == ".gz":
        raw = gzip.compress(raw, compresslevel=6, mtime=0)
    atomic_write({path: raw})


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MeasureMatrix:
    """Values of measures on outputs, one instance for each topic and system that answered it.

    Raises:
        ValuesError: if names or instances occur twice, a value is NaN, or a human score infinite.

    Example:
        >>> matrix = weps_eval.score_testbed("resources/testbed/news.jsonl", "rouge1")
        >>> matrix
        <MeasureMatrix: 1 measure, 20 outputs, 5 topics, 4 systems, 0 criteria>
        >>> matrix.to_pandas().groupby("system")["rouge(n=1)"].mean().idxmax()
        'careful'
    """

    topic: tuple[str, ...]
    """Topic of each instance."""
    system: tuple[str, ...]
    """System of each instance."""
    measures: tuple[str, ...]
    values: Floats
    """Shape (measures, instances), float64, never NaN."""
    criteria: tuple[str, ...]
    """Criteria by which people judged."""
    human: Floats
    """Shape (criteria, instances), float64; NaN where there is no human score."""

    def __post_init__(self) -> None:
        instances = zip(map(quote_text, self.topic), map(quote_text, self.system), strict=True)
        for what, names in (
            ("columns", map(quote_text, (*self.measures, *self.criteria))),
            ("topic and system", map(" and ".join, instances)),
        ):
            if twice := repeated_names(names):
                raise ValuesError(
                    f"{what} occur twice: {join_items(twice)}", remedy="keep one of each"
                )
        for bad, columns, how in (
            (np.isnan(self.values), self.measures, "missing or NaN"),
            (np.isinf(self.human), self.criteria, "infinite"),
        ):
            for column, instance in np.argwhere(bad)[:1].tolist():
                raise ValuesError(
                    f"the value of {quote_text(columns[column])} is {how}",
                    where=f"{self.system[instance]} on {self.topic[instance]}",
                    remedy="give it a value, or leave out the instance or the column",
                )

    def __repr__(self) -> str:
        return short_repr(
            self,
            "",
            count_of(len(self.measures), "measure"),
            count_of(len(self.topic), "output"),
            count_of(len(set(self.topic)), "topic"),
            count_of(len(set(self.system)), "system"),
            count_of(len(self.criteria), "criterion", "criteria"),
        )

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame`` with a row for each output, and the columns of the file.

        These are ``topic``, ``system``, ``human:…`` for each criterion, and the measures.

        Raises:
            OutputError: if pandas is not installed.
        """
        judged = (f"{HUMAN}{criterion}" for criterion in self.criteria)
        columns = zip((*judged, *self.measures), (*self.human, *self.values), strict=True)
        return import_library("pandas").DataFrame(
            {TOPIC: self.topic, SYSTEM: self.system, **dict(columns)}
        )

    def column(self, name: str) -> Floats:
        """Shape (instances,): a measure or a criterion.

        Raises:
            ValuesError: if there is none of this name.
        """
        for names, values in ((self.measures, self.values), (self.criteria, self.human)):
            if name in names:
                return np.asarray(values[names.index(name)])
        raise ValuesError(
            f"there is neither a measure nor a criterion {quote_text(name)}",
            remedy=suggest_names(name, (*self.measures, *self.criteria)),
        )


TOPIC, SYSTEM = "topic", "system"
"""The first two columns of a table that was written."""
HUMAN = "human:"
"""What the names of columns with human scores begin with."""


def read_matrix(
    path: Path | str, human: Collection[str] = (), progress: Progress = log_progress
) -> tuple[MeasureMatrix, tuple[str, ...]]:
    """Read a table with columns ``topic`` and ``system`` (``.csv`` or ``.tsv``, ``.gz`` as well).

    Columns whose names begin with ``human:``, and those that ``human`` names, hold human scores
    (``human`` may name the former without that beginning, too); a cell that is empty or NaN there
    means no human score. Every other column that is wholly numeric is a measure, of which no
    value may be missing. ``progress`` is called with the number of rows read.

    Returns:
        The matrix, and the columns left out because they are not wholly numeric.

    Raises:
        SourceError: if it cannot be read.
        ValuesError: if a column is not there or human scores are not numbers, there is no measure,
            a row has another length than the head, an instance occurs twice, or the value of a
            measure is missing.
    """
    path = Path(path)
    columns = read_columns(path, (TOPIC, SYSTEM), None, progress)
    judged = [name for name in columns.head if name.startswith(HUMAN) or name in human]
    measures = [name for name in columns.numbers if name not in judged]
    with locate_errors(path):
        for name in (*judged, *(each for each in human if f"{HUMAN}{each}" not in columns.head)):
            if name not in columns.head:
                raise ValuesError(
                    f"unknown column {quote_text(name)}", remedy=suggest_names(name, columns.head)
                )
            if name not in columns.numbers:
                raise ValuesError(
                    f"the column {quote_text(name)} of human scores holds text",
                    remedy="give numbers, or leave the cell empty",
                )
        topic, system = map(tuple, columns.texts.values())
        if not topic or not measures:
            raise ValuesError(
                "the table holds no values of a measure", remedy="add rows and columns"
            )
        values, scores = (
            np.array([columns.numbers[name] for name in names], np.float64)
            for names in (measures, judged)
        )
        matrix = MeasureMatrix(
            topic,
            system,
            tuple(measures),
            values,
            tuple(name.removeprefix(HUMAN) for name in judged),
            scores.reshape(len(judged), len(topic)),
        )
    known = (SYSTEM, TOPIC, *columns.numbers)
    return matrix, tuple(name for name in columns.head if name not in known)


def write_matrix(matrix: MeasureMatrix, path: Path | str) -> None:
    """Write a table atomically; :func:`read_matrix` reads the same again.

    Raises:
        OutputError: if it cannot be written, or a measure has the name of another column.
    """
    criteria = (f"{HUMAN}{criterion}" for criterion in matrix.criteria)
    columns = (matrix.topic, matrix.system, *matrix.human.tolist(), *matrix.values.tolist())
    head = (TOPIC, SYSTEM, *criteria, *matrix.measures)
    write_table(Path(path), head, zip(*columns, strict=True))


def system_means(matrix: MeasureMatrix) -> tuple[tuple[str, ...], Ints, Floats]:
    """Means of measures by system over all topics that each has answered.

    Returns:
        The systems, in order of first appearance; shape (systems,), how many topics each has
        answered; and shape (measures, systems), the means.
    """
    system, systems = number_names(matrix.system)
    topics = np.bincount(system)
    sums = np.array([np.bincount(system, row, len(systems)) for row in matrix.values])
    return systems, topics, sums / topics
