"""``weps text measures``: the registered measures between texts, and the page docs/measures.md."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from weps._formatting import markdown_table
from weps._options import cli_option
from weps.cli.console import Console
from weps.cli.options import JsonOption, check_writable, write_json
from weps_eval.text.declaration import REFERENCES, Family, measure_families
from weps_eval.text.registry import MEASURE_SETS

_PAGE = """\
# Measures between texts
This page is written by `weps text measures --markdown`; change the registry in
`eval/weps_eval/text` instead.

A measure computes how similar an output is to its references. It is written as the name of a
family with values of its parameters, as in `rouge(n=2, part=recall, stem=true)`. Parameters can
be in any order, and those with their default value can be left out. A list of measures is
separated by commas, and may contain names of [sets](#sets). A parameter may have several values:
`wsk(length=1|2, decay=0.1|0.5)` means four measures. Case, hyphens and underscores in names do not
matter, and many measures have other names: `ROUGE-2` is `rouge(n=2)`, `BLEU-4` is `bleu`. Results
bear the names of this page.

## Common rules
- Higher values are better.
- A text that is empty or only white space has similarity 1 to another empty text and 0 to any other
  text. References are never empty, so an empty output has 0.
- Two texts that are too short for a measure, as two words are for a trigram, have similarity 1
  if they are equal, else 0. With `official=true` ROUGE gives them 0, as
  ROUGE-1.5.5 and rouge-score do.
- A measure that is not defined for a text causes an error that names the text and what to do; no
  value is substituted.
- `references` determines how several references are combined:

{references}

## Sets
{sets}

The sets named after papers use ROUGE as their papers did, as computed by the Perl package
(`official=true`); the paper of `kernels` defines its own versions by Lin's formulas.

{groups}"""

_COMBINED = (
    ("references=", "value of an output", "used by"),
    ("mean", "the mean over the references", "Hirao and others 2005, for ESK"),
    (
        "maximum",
        "the value with the most similar reference",
        "Lin 2004, section 2.1; rouge-score's `score_multi`, whose precision and recall are those "
        "of the reference with the highest F",
    ),
    (
        "jackknife",
        "each reference is left out in turn, and the maxima over the others are averaged; with a "
        "single reference, the value with it",
        "Lin 2004, section 2.1; the Perl package ROUGE up to version 1.3",
    ),
    (
        "together",
        "the value with all references at once, explained for each measure that supports it",
        "ROUGE-1.5.5 by default and with `-f A`; BLEU and similar measures",
    ),
)


def measures_page() -> str:
    """The text of docs/measures.md, without the last line end."""
    groups = groupby(measure_families().values(), key=lambda each: each.group)
    return _PAGE.format(
        references="\n".join(markdown_table(_references())),
        sets="\n".join(markdown_table(_sets())),
        groups="\n\n".join(
            "\n\n".join([f"## {_title(group)}", *map(_family, families)])
            for group, families in groups
        ),
    )


def _references() -> list[list[str]]:
    heading, *rows = _COMBINED
    return [list(heading)] + [[f"`{word}`", value, who] for word, value, who in rows]


def _sets() -> list[list[str]]:
    return [["set", "description", "measures"]] + [
        [f"`{each.name}`", each.description, ", ".join(f"`{measure}`" for measure in each.measures)]
        for each in MEASURE_SETS.values()
    ]


def _title(group: str) -> str:
    return group[0].upper() + group[1:]


def _family(family: Family) -> str:
    """The section of a family."""
    return "\n\n".join(
        [
            f"### `{family.name}`\n{_title(family.description)}.",
            "\n".join(_facts(family)),
            "\n".join(markdown_table(_parameter_rows(family))),
        ]
    )


def _facts(family: Family) -> Iterator[str]:
    yield f"- formula: {family.formula}"
    yield f"- source: {family.source}"
    if needs := [*sorted(family.needs), *_needs_when(family)]:
        yield f"- needs: {', '.join(needs)}"
    if family.aliases:
        names = (f"`{alias.format('N')}`" for alias in family.aliases)
        yield f"- other names: {', '.join(names)}"
    if family.joined:
        yield f"- `{REFERENCES}=together`: {family.joined}"


def _needs_when(family: Family) -> Iterator[str]:
    """``nltk where `stem=true` ``."""
    for (name, value), need in family.needs_when.items():
        yield f"{need} where `{name}={str(value).lower()}`"


def _parameter_rows(family: Family) -> list[list[str]]:
    return [["parameter", "default", "allowed", "meaning"]] + [
        [
            f"`{name}`",
            "(no default)" if each.default is None else f"`{str(each.default).lower()}`",
            each.allowed,
            each.about,
        ]
        for name, each in family.parameters.items()
    ]


_HINT = (
    "Parameters shown without a value are required, as n in rouge(n=2, part=recall). Allowed "
    "values, formulas and sources are in docs/measures.md and `weps text measures --markdown`."
)


@dataclass(frozen=True, kw_only=True)
class Options(JsonOption):
    """The options of the command."""

    markdown: bool = cli_option("as Markdown, for docs/measures.md", False)


def run_command(options: Options, console: Console) -> int:
    """Print the lists, write JSON if requested."""
    check_writable(options.json)
    if options.markdown:
        console.write(measures_page())
    else:
        console.write("\n".join(_family_listing()))
        sets = MEASURE_SETS.values()
        rows = [[each.name, str(len(each.measures)), each.description] for each in sets]
        console.write_table([["set", "measures", "description"], *rows], left=3)
        console.write(f"\n{_HINT}")
    write_json(options.json, _data())
    return 0


def _family_listing() -> Iterator[str]:
    """The measures as the terminal shows them."""
    width = max(map(len, measure_families()))
    for group, families in groupby(measure_families().values(), key=lambda each: each.group):
        yield group
        for each in families:
            yield f"  {each.name.ljust(width)}  {each.description}"
            yield f"  {' ' * width}  {', '.join(_parameter_words(each))}"
        yield ""


def _parameter_words(family: Family) -> Iterator[str]:
    """``n``, which has no default, or ``part=f``."""
    for name, parameter in family.parameters.items():
        usual = parameter.default
        yield name if usual is None else f"{name}={str(usual).lower()}"


def _data() -> dict[str, Any]:
    """The lists in JSON form (docs/schema/measures.schema.json)."""
    return {
        "families": [_family_data(each) for each in measure_families().values()],
        "sets": {
            each.name: {"description": each.description, "measures": list(map(str, each.measures))}
            for each in MEASURE_SETS.values()
        },
    }


def _family_data(family: Family) -> dict[str, Any]:
    return {
        "name": family.name,
        "group": family.group,
        "description": family.description,
        "formula": family.formula,
        "source": family.source,
        "needs": sorted(family.needs),
        "needs_when": [
            {"parameter": name, "value": value, "need": need}
            for (name, value), need in family.needs_when.items()
        ],
        "together": family.joined or None,
        "parameters": {
            name: {
                "default": parameter.default,
                "allowed": parameter.allowed,
                "description": parameter.about,
            }
            for name, parameter in family.parameters.items()
        },
    }
