"""SummEval: summaries of news by 16 systems, 11 references, and what experts thought of each.

Fabbri et al., “SummEval: Re-evaluating Summarization Evaluation”, TACL 2021.
"""

from __future__ import annotations

import gzip
import json
import zlib
from pathlib import Path
from typing import Any

from eval.text.convert.files import decoded, one_file
from eval.text.testbed import Output, Reference, Testbed, Topic
from weps.errors import SourceError, ValuesError
from weps.sources.messages import reason

__all__ = ["convert_summeval"]

_LARGEST = 100 << 20
"""Bytes when unpacked."""
_NEWS = "cnndm"
"""The reference that came with the news; the others were written for the evaluation."""
_REMEDY = "give lines with doc_id, references, cnndm_reference and systems"


def convert_summeval(folder: Path) -> Testbed:
    """Read ``summeval.jsonl.gz`` from a folder: a line per document.

    Topics are documents; references are ``cnndm`` (the highlights of the news) and ``1`` to
    ``10``; systems are called as there (``M0``); human scores are the means of three experts,
    from 1 to 5, for coherence, consistency, fluency and relevance. Texts are in one piece.

    Raises:
        SourceError: if the file cannot be read.
        ValuesError: if a line is not as published.
    """
    path = one_file(folder, "summeval.jsonl.gz")
    lines = decoded(_unpacked(path), path).removesuffix("\n").split("\n")
    topics = tuple(_topic(line, f"{path}, line {number}") for number, line in enumerate(lines, 1))
    return Testbed("SummEval", "en", "SummEval (Fabbri et al. 2021)", topics)


def _unpacked(path: Path) -> bytes:
    try:
        with gzip.open(path) as file:
            raw = file.read(_LARGEST + 1)
    except (OSError, EOFError, zlib.error) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        remedy = "fetch it again"
        raise SourceError(f"cannot be unpacked ({why})", where=path, remedy=remedy) from None
    if len(raw) > _LARGEST:
        raise SourceError(f"is over {_LARGEST >> 20} MB", where=path, remedy="no such file is")
    return raw


def _topic(line: str, where: str) -> Topic:
    try:
        return _from_data(json.loads(line))
    except ValuesError as error:
        raise ValuesError(error.what, where=where, remedy=_REMEDY) from None
    except (ValueError, LookupError, TypeError, AttributeError):
        raise ValuesError("is not as published", where=where, remedy=_REMEDY) from None


def _from_data(data: Any) -> Topic:
    news = data["cnndm_reference"]
    others = [text for text in data["references"] if text != news]
    return Topic(
        data["doc_id"],
        (
            Reference(_NEWS, news),
            *(Reference(str(number), text) for number, text in enumerate(others, start=1)),
        ),
        tuple(
            Output(system, output["summary"], output["scores"])
            for system, output in sorted(data["systems"].items(), key=lambda item: _order(item[0]))
        ),
    )


def _order(system: str) -> tuple[int, str]:
    """``M2`` before ``M10``."""
    return (len(system), system)
