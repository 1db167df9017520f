"""WordNet as it comes with weps: arrays in NumPy's compressed format, names being bytes of lines.

``python -m docs.benchmarks.wordnet FOLDER FILE`` reads Princeton's files, such as those of Debian's
package wordnet-base, which takes ten times as long as reading the arrays.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from io import BytesIO
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from weps._files import atomic_write
from weps_eval.text.wordnet import WordNet, read_wordnet


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


def _bytes(lines: Iterable[str]) -> NDArray[np.uint8]:
    return np.frombuffer("\n".join(lines).encode("ascii"), np.uint8)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
