"""How often the lines that tell the people of a key agree with what annotators wrote down.

From the project's root: ``python -m docs.benchmarks.person_lines CORPUS [NAME …]``, with a corpus
in the WePS-1 layout; without names, those at even places of the alphabet: on the others the lines
were developed. Prints the line of every person with ``+`` for an element that shares a content word
with a fact of its kind and ``?`` for one that does not; then coverage and agreement. Annotators
did not write down everything: ``?`` need not be wrong.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from weps._text import singular_form, split_words
from weps.cli.console import Console
from weps.features.bags import stop_words
from weps.key_terms.labels import labels_and_words
from weps.language.analysis import Analysis
from weps.language.spacy_pipeline import BUILTIN_PIPELINE
from weps.people.context import find_context_entities
from weps.people.facts import cited_page, person_facts, stated_line
from weps.reading import Reader, richest_form
from weps.sources.opening import open_source
from weps_eval.benchmark.corpus import Attributes, attributes_of

FACTS = {
    "other name": ("othername",),
    "date of birth": ("dateofbirth",),
    "occupation": ("occupation", "major", "award"),
    "affiliation": ("affiliation", "school"),
    "location": ("location", "birthplace"),
}
"""Element of a line → the annotators' kinds of facts."""

console = Console()


def main(corpus: Path, names: Sequence[str]) -> None:
    """Print the lines and the table."""
    source = open_source(corpus)
    outcomes: dict[str, Counter[str]] = {element: Counter() for element in FACTS}
    people = several = lines = 0
    seconds = 0.0
    for name in names or sorted(source.names)[1::2]:
        key, search, facts = source.key(name), source.search(name), attributes_of(corpus, name)
        if key is None:
            continue
        analysis = Reader().read(search, richest_form(search))
        context = find_context_entities(analysis, BUILTIN_PIPELINE, None)
        place = {document.rank: row for row, document in enumerate(analysis.documents)}
        groups = [[place[rank] for rank in sorted(group) if rank in place] for group in key.groups]
        groups = sorted(filter(None, groups), key=len, reverse=True)
        labels = labels_and_words(groups, analysis)
        began = time.perf_counter()
        found = [parts for parts, _ in person_facts(groups, analysis, context)]
        seconds += time.perf_counter() - began
        console.write(f"\n{name}")
        for rows, line, label in zip(groups, found, labels, strict=True):
            stated = stated_line(line, analysis.name.text)
            cited = cited_page(rows, label, analysis, context, stated)
            written = " – ".join(filter(None, (stated, cited)))
            people, several, lines = people + 1, several + (len(rows) > 1), lines + bool(written)
            marks = dict(judge(line, rows, analysis, facts)) if facts else {}
            for element, mark in marks.items():
                outcomes[element][mark] += 1
            shown = " ".join(f"{mark}{element}" for element, mark in marks.items() if mark in "+?")
            console.write(
                f"{len(rows):4}  {written or '(' + ', '.join(label.terms) + ')'}  {shown}"
            )
    table = [["element", "told, of those with such facts", "agree"]]
    for element, counts in outcomes.items():
        told, known = counts["+"] + counts["?"], counts.total()
        agreement = f"{counts['+'] / told:.2f} of {told}" if told else ""
        table.append([element, f"{told / known:.2f} of {known}" if known else "", agreement])
    console.write("")
    console.write_table(table)
    console.write(
        f"{lines} of {people} people have a line, {several} have several pages; {seconds:.2f} s"
    )


def judge(
    line: Mapping[str, str], rows: Sequence[int], analysis: Analysis, facts: Attributes
) -> Iterator[tuple[str, str]]:
    """For each element of which there are facts ``+`` or ``?``, or ``-`` if the line lacks it."""
    ranks = [analysis.documents[row].rank for row in rows]
    for element, kinds in FACTS.items():
        told = content(line[element]) - set(analysis.name.tokens)
        known = {
            word
            for rank in ranks
            for kind, values in facts.get(rank, {}).items()
            if kind.lower() in kinds
            for value in values
            for word in content(value)
        }
        if known:
            yield element, "-" if not told else "+" if told & known else "?"


def content(text: str) -> set[str]:
    """The content words of a text, in the singular."""
    return {singular_form(word) for word in split_words(text)} - stop_words()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
