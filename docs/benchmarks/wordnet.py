"""WordNet as it comes with weps: arrays in NumPy's compressed format, names being bytes of lines.

``python -m docs.benchmarks.wordnet FOLDER FILE`` reads Princeton's files, such as those of Debian's
package wordnet-base, which takes ten times as long as reading the arrays; those of all versions
from 1.6 to 3.1, in the format of wndb(5WN).
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from weps._files import atomic_write, read_bytes
from weps.errors import SourceError
from weps_eval.text.measures.senses import WordNet

PARTS_OF_SPEECH: Final = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
"""The parts of speech and how the files call them. Satellite adjectives, ``s``, are ``a``."""

WORDNET_FILES: Final = tuple(
    name
    for part in PARTS_OF_SPEECH.values()
    for name in (f"data.{part}", f"index.{part}", f"{part}.exc")
)

_MOST_BYTES = 100_000_000
"""More than six times the largest published file."""
_REMEDY = "unpack the database again, for example Debian's package wordnet-base"

_Place = tuple[str, str]
"""Part of speech and offset, as they are printed: what a synset is known by."""


def main(source: Path, target: Path) -> None:
    """Pack the files of a folder."""
    atomic_write({target: pack_wordnet(read_wordnet(source))})


def pack_wordnet(wordnet: WordNet) -> bytes:
    """The arrays of one file."""
    file = BytesIO()
    exceptions = (" ".join(form + bases) for form, bases in wordnet.exceptions.items())
    np.savez_compressed(
        file,
        digest=_bytes([wordnet.digest]),
        synsets=_bytes(wordnet.synsets),
        pointers=wordnet.pointers,
        lemmas=_bytes(map(" ".join, wordnet.senses)),
        counts=np.array(list(map(len, wordnet.senses.values())), np.int32),
        senses=np.array(list(chain.from_iterable(wordnet.senses.values())), np.int32),
        exceptions=_bytes(exceptions),
    )
    return file.getvalue()


def read_wordnet(folder: Path) -> WordNet:
    """Read a folder with the twelve :data:`WORDNET_FILES`.

    Raises:
        SourceError: if a file is missing, too large or malformed, or a pointer dangles.
    """
    contents = {
        name: read_bytes(folder / name, _MOST_BYTES, SourceError, _REMEDY) for name in WORDNET_FILES
    }
    data, index, exceptions = (
        [
            (part, where, fields)
            for part, name in PARTS_OF_SPEECH.items()
            for where, fields in _lines(folder, kind.format(name), contents)
        ]
        for kind in ("data.{}", "index.{}", "{}.exc")
    )
    whole = hashlib.sha256()
    for content in contents.values():
        whole.update(hashlib.sha256(content).digest())
    numbers: dict[_Place, int] = {}
    for part, where, fields in data:
        if numbers.setdefault((part, fields[0]), len(numbers)) != len(numbers) - 1:
            raise SourceError("this synset was there before", where=where, remedy=_REMEDY)
    pointers: list[tuple[int, int]] = []
    for part, where, fields in data:
        with _located("no line of a synset", where):
            here = numbers[part, fields[0]]
            pointers += [(here, numbers[target]) for target in _targets(fields)]
    senses: dict[tuple[str, str], tuple[int, ...]] = {}
    for part, where, fields in index:
        with _located("no line of a lemma", where):
            # The synsets are the last fields, whose number is the third one.
            offsets = fields[6 + int(fields[3]) :]
            if len(offsets) != int(fields[2]) or not offsets:
                raise ValueError
            senses[fields[0], part] = tuple(numbers[part, offset] for offset in offsets)
    return WordNet(
        synsets=tuple(part + offset for part, offset in numbers),
        pointers=np.array(pointers, dtype=np.int32).reshape(-1, 2),
        senses=senses,
        exceptions={(fields[0], part): tuple(fields[1:]) for part, _, fields in exceptions},
        digest=whole.hexdigest(),
    )


def _lines(
    folder: Path, name: str, contents: Mapping[str, bytes]
) -> Iterator[tuple[str, list[str]]]:
    """Place and fields of the lines, without glosses and the licence, which begins with blanks."""
    for number, raw in enumerate(contents[name].splitlines(), start=1):
        if raw.startswith(b"  ") or not raw.strip():
            continue
        where = f"{folder / name}:{number}"
        with _located("not ASCII", where):
            fields = raw.partition(b" | ")[0].decode("ascii").split()
        yield where, fields


def _targets(fields: Sequence[str]) -> list[_Place]:
    """The synsets that a synset points to: four fields each, after its words and their number."""
    count_at = 4 + 2 * int(fields[3], 16)
    end = count_at + 1 + 4 * int(fields[count_at])
    if not 4 < count_at < end <= len(fields):
        raise ValueError
    return [(fields[at + 1].replace("s", "a"), fields[at]) for at in range(count_at + 2, end, 4)]


@contextmanager
def _located(what: str, where: str) -> Iterator[None]:
    """Raise the error of a line that cannot be read."""
    try:
        yield
    except (IndexError, ValueError):
        raise SourceError(what, where=where, remedy=_REMEDY) from None
    except KeyError as error:
        raise SourceError(
            "no synset {}{}".format(*error.args[0]), where=where, remedy=_REMEDY
        ) from None


def _bytes(lines: Iterable[str]) -> NDArray[np.uint8]:
    return np.frombuffer("\n".join(lines).encode("ascii"), np.uint8)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
