"""Made-up fragments of web pages: staff lists, menus, publications, expanded from a grammar."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from weps.errors import SourceError

__all__ = ["Fragment", "Grammar", "read_grammar"]

_START = "fragment"
_SLOT = re.compile(r"\{(?P<name>\w+)(?:\|(?P<change>\w+))?\}")
_MARK = re.compile(r"<(?P<label>[A-Z]+) (?P<text>[^<>]*)>")
_WEIGHT = re.compile(r"(?P<times>\d+)\* ")
_DEEPEST = 12
_CHANGES: Mapping[str, Callable[[str], str]] = {
    "upper": lambda text: re.sub(r"[^<>]+", lambda each: each[0].upper(), text),
    "lower": lambda text: re.sub(r"\W", "", text.lower()),
    "initial": lambda text: text[:1],
}


@dataclass(frozen=True, slots=True)
class Fragment:
    """A text and its entities: start and end in characters, label."""

    text: str
    entities: tuple[tuple[int, int, str], ...]


@dataclass(slots=True)
class Grammar:
    """Names and their alternatives; see the head of ``fragments.txt`` for the notation."""

    rules: dict[str, list[str]] = field(default_factory=dict)

    def make(self, count: int, seed: int) -> Iterator[Fragment]:
        """Fragments at random; the same seed gives the same ones."""
        choice = random.Random(seed)  # noqa: S311 - no secret
        for _ in range(count):
            yield _unmarked(self._expand(_START, choice, 0))

    def _expand(self, name: str, choice: random.Random, depth: int) -> str:
        if name not in self.rules or depth > _DEEPEST:
            raise SourceError(
                f"{{{name}}} has no alternatives or contains itself",
                where="grammar of fragments",
                remedy=f"write a section [{name}] that ends",
            )

        def fill(match: re.Match[str]) -> str:
            text = self._expand(match["name"], choice, depth + 1)
            return _CHANGES[match["change"]](text) if match["change"] else text

        text = _SLOT.sub(fill, choice.choice(self.rules[name])).replace(".>.", ".>")
        return re.sub("#", lambda _: str(choice.randrange(10)), text)


def read_grammar(paths: Iterable[Path]) -> Grammar:
    """The grammar written in files.

    Raises:
        SourceError: if a line stands before the first section.
    """
    grammar = Grammar()
    for path in paths:
        alternatives: list[str] | None = None
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("[") and line.endswith("]"):
                alternatives = grammar.rules.setdefault(line[1:-1], [])
            elif line and not line.startswith("# "):
                if alternatives is None:
                    raise SourceError(
                        "an alternative before the first [section]",
                        where=path,
                        remedy="name the section that it belongs to",
                    )
                alternatives += _alternatives(line)
    return grammar


def _alternatives(line: str) -> Iterator[str]:
    for alternative in line.split(" / "):
        weight = _WEIGHT.match(alternative)
        text = alternative[weight.end() :] if weight else alternative
        yield from [text] * (int(weight["times"]) if weight else 1)


def _unmarked(marked: str) -> Fragment:
    text = ""
    entities = []
    place = 0
    for match in _MARK.finditer(marked):
        text += marked[place : match.start()]
        entities.append((len(text), len(text) + len(match["text"]), match["label"]))
        text += match["text"]
        place = match.end()
    return Fragment(text + marked[place:], tuple(entities))
