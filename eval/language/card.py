"""The model card of the pipeline, written from what was measured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from eval.language.accuracy import MICRO, Counts
from eval.language.licence import LICENCE
from eval.language.packing import NAME

__all__ = ["Measured", "card"]

_NAMES = {
    "tags": "Penn tags",
    "upos": "universal tags",
    "lemmas": "lemmas",
    "uas": "UAS",
    "las": "LAS",
    "noun_chunks": "noun chunks F1",
}
_TYPES = ("PERSON", "LOCATION", "ORGANISATION", "EVENT", "PRODUCT", MICRO)


@dataclass(frozen=True, slots=True)
class Measured:
    """All that the card tells.

    Attributes:
        syntax: test file → accuracy by layer, 0 to 1.
        entities: test file → counts by type.
        footprint: words per second by layer, and ``memory`` in megabytes.
        size: bytes on disk.
        words: part → training words by source.
        circumstances: training time, date, machine, versions.
    """

    syntax: Mapping[str, Mapping[str, float]]
    entities: Mapping[str, Mapping[str, Counts]]
    footprint: Mapping[str, float]
    size: int
    words: Mapping[str, Mapping[str, int]]
    circumstances: Mapping[str, str]


def card(measured: Measured) -> str:
    """The model card in Markdown."""
    return "\n".join(
        [
            f"# {NAME}: the embedded English pipeline",
            _INTRODUCTION,
            "## Accuracy",
            "On test files that training and selection never saw. Sentence starts are given, as "
            "they are in use.",
            "",
            *_syntax_table(measured.syntax),
            "",
            "Entities, exact bounds and type (precision / recall / F1). Only the types that a file "
            "annotates count; user names (@name) in tweets do not.",
            "",
            *_entity_table(measured.entities),
            "",
            _WEAKNESSES,
            "## Cost",
            *_cost(measured),
            "",
            "## Training",
            *_training(measured),
            "",
            _OWN_DATA,
        ]
    )


def _syntax_table(syntax: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    yield _row(["", *_NAMES.values()])
    yield _row(["---"] * (len(_NAMES) + 1))
    for name, scores in syntax.items():
        yield _row([name, *(f"{scores[key]:.3f}" for key in _NAMES)])


def _entity_table(entities: Mapping[str, Mapping[str, Counts]]) -> Iterator[str]:
    yield _row(["", *(each.lower() for each in _TYPES)])
    yield _row(["---"] * (len(_TYPES) + 1))
    for name, counts in entities.items():
        yield _row([name, *(_prf(counts.get(each)) for each in _TYPES)])


def _prf(counts: Counts | None) -> str:
    if counts is None:
        return "–"
    return f"{counts.precision:.2f} / {counts.recall:.2f} / **{counts.f1:.3f}**"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cost(measured: Measured) -> Iterator[str]:
    yield _row(["wanted", "words per second, one core"])
    yield _row(["---"] * 2)
    for layer, speed in measured.footprint.items():
        if layer != "memory":
            yield _row([layer, f"{speed:,.0f}"])
    yield ""
    yield f"{measured.size / 1e6:.1f} MB on disk; {measured.footprint['memory']:,.0f} MB resident."


def _training(measured: Measured) -> Iterator[str]:
    for part, words in measured.words.items():
        listed = "; ".join(f"{name} {count:,}" for name, count in words.items())
        total = f"{sum(words.values()):,}"
        yield f"- *{part}* (`recipe/{part}.cfg`): {total} words. {listed}."
    yield from (f"- {key}: {value}" for key, value in measured.circumstances.items())


_INTRODUCTION = f"""
A small spaCy pipeline for English web pages, made to describe people: Penn and universal tags,
lemmas, Universal Dependencies trees (noun phrases), and names of five types (`PERSON`, `LOCATION`,
`ORGANISATION`, `EVENT`, `PRODUCT`; works such as books and films are products). Licence: {LICENCE},
see `LICENSE.md`.

It expects what `weps` gives it: sentences that are already split, each tokenised by itself, no
token of white space, sentence starts preset. The syntax pipes share one embedding; `ner` brings its
own, so either half can be excluded.
"""
_WEAKNESSES = """\
**What it is bad at.** Events and products outside encyclopaedic prose; organisations in informal
text, above all names that are also places, people or plain words; tweets; text in one case; running
text of languages other than English. Titles ("Mr", "Dr") are sometimes part of a person's
name, as the corpora disagree. Lemmas of names can lose an ending ("Leeds"). It splits no sentences:
on raw text, give it a splitter.
"""
_OWN_DATA = """\
Made again by `weps train-language DATA --out resources/language --jobs 2`, where DATA holds the
folders `ud_english_ewt`, `gum`, `uner`, `broad_twitter`, `wnut17`, `wikigold` and `crossner`
(`LICENSE.md` says where they come from). Settings are in `recipe/`: training by spaCy configuration
files, made-up fragments by a grammar.
"""
