"""``weps corpus check DIR``: whether a WePS corpus is whole, and where to ask for the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from textwrap import fill

from weps._formatting import count_of
from weps._options import cli_argument
from weps.cli.console import Console
from weps.cli.options import JsonOption, check_writable, write_json
from weps.errors import SourceError
from weps.sources.corpora import WEBSITE, Corpus, NameState
from weps.sources.opening import open_source

_TERMS = (
    f"The corpora are available from the WePS website ({WEBSITE}; EMNLP 2009, footnote 3). They "
    "are research data of Web pages by other authors. weps comes with none of them, and the papers "
    "state no licence: ask there for the terms."
)


@dataclass(frozen=True, kw_only=True)
class Options(JsonOption):
    """The options of the command."""

    corpus: Path = cli_argument("a WePS-1 or WePS-2 corpus in its official layout", metavar="DIR")


def run_command(options: Options, console: Console) -> int:
    """Check every name; the exit status is 1 if anything is missing."""
    check_writable(options.json)
    corpus = open_source(options.corpus)
    if not isinstance(corpus, Corpus):
        remedy = "give a folder with description_files (WePS-1) or metadata (WePS-2)"
        raise SourceError("is not a WePS corpus", where=corpus.root, remedy=remedy)
    (title, published), states = corpus.edition, list(corpus.states())
    faulty = [state for state in states if state.missing]
    absent = max(published - len(corpus.names), 0)
    if not console.quiet:
        console.write_table(_rows(states))
        console.write()
        for state in faulty:
            console.write(fill(f"{state.name}: {'; '.join(state.missing)}", console.width))
        console.write()
    console.write(
        f"{title}: {count_of(len(corpus.names), 'name')} of the {published} that were "
        f"published, {len(faulty) or 'none'} of these with something missing"
    )
    console.write_detail(fill(_TERMS, console.width))
    write_json(
        options.json,
        {
            "corpus": title,
            "layout": corpus.layout,
            "names_published": published,
            "names_absent": absent,
            "complete": not (faulty or absent),
            "source": WEBSITE,
            "names": [asdict(state) for state in states],
        },
    )
    return int(bool(faulty or absent))


def _rows(states: Sequence[NameState]) -> list[list[str]]:
    """Heading, a row for each name, and the sums."""
    counts = [(each.results, each.pages, each.tokens, each.people) for each in states]
    sums = [sum(column) for column in zip(*counts, strict=True)]
    lines = [(each.name, row) for each, row in zip(states, counts, strict=True)]
    return [
        ["name", "results", "pages", "tokens", "people in the key"],
        *([name, *(f"{number:,}" for number in row)] for name, row in [*lines, ("all", sums)]),
    ]
