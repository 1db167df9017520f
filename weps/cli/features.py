"""``weps features``: list the registered features and feature sets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from weps._formatting import count_of, markdown_table
from weps._options import cli_option
from weps.cli.console import Console
from weps.cli.options import JsonOption, check_writable, write_json
from weps.features.registry import Feature, FeatureKind, all_features
from weps.similarity.measures import MEASURES, PAPER_MEASURES, VECTOR_MEASURES
from weps.systems import FEATURE_SETS, FeatureSet, similarities_of

_PAGE = """\
# Features
This page is written by `weps features --markdown`; change the registry in `weps/features` instead.

A feature is a bag of strings or a vector per page, or a flag per pair of pages. Bags are compared
by one of {measures}; a flag is a similarity
itself. `agree` is 1 if two pages share a string, `contradict` if both have strings and share none;
both are 0 otherwise. `rarity` is a cosine of logarithmic counts weighted by how rare words are in
English (weps/language/rarity.py); `cosine` weighs counts by how few of the name's pages have the
word. These three are our own. Vectors are compared by {vector_measures}, the
latter after the mean vector of the name's pages has been subtracted; they need a
[sentence encoder](language.md#sentence-encoders).
A similarity also has a profile: `profile(dice(token))` says how alike two pages are in whom they
resemble by `dice(token)`. Profiles have profiles too: `profile(profile(dice(token)))`.

{count}

## Feature sets
`--features SET`, and `features=SET` in a `--system`, take items joined by `+`, in any order: a set
of this table, a function for all its features (`ngram`), one feature (`token(local=false)`), or one
similarity (`cosine(token)`). Features are compared by Dice unless a similarity says otherwise, and
a profile includes what it is made of.

{sets}

Other than Dice and flags,

{further}

## All features
Our own are {ours}; all others follow the paper.
Linguistic are lemmas, noun phrases, recognised entities and gazetteers. `local=true` keeps to the
sentences that mention the name.

{features}

## Two definitions of non-linguistic
EMNLP 2009 says twice which features are not linguistic, and not the same. Section 4.3 (figure 7)
lists words of the page, title, snippet and address, n-grams, and local words and n-grams: 13
features, `token+title+snippet+url+ngram`. Section 4.3.1 (table 2, ML-NON LING) takes away from all
features the entities of both recognisers, noun phrases, lemmas and gazetteers: that leaves 19,
because the baseline recogniser (`capitalised`) and the features of addresses and links stay. The
paper says that the classifiers of both are the same. Here the set `non-linguistic`, the system
`paper`, and figure 7 of `weps study features` follow section 4.3.1.

## Words of the name
Every page has the words of the name searched for, whoever it is about. The paper does not say
whether they count. Here they are no evidence; they are taken out when features are extracted, not
when pages are cleaned, and by whole words without case:

- `token`, `title`, `snippet`, `url`, `lemma`: each of these words is dropped, as stop words are;
  lemmas also where a final *s* of the name is gone.
- `content`, `result`, `window`, `capitalised_window`, `capitalised_result`: the same, before runs
  are formed, so that a run reaches across them.
- `ngram`, `phrase`: runs and phrases keep them, but one without any other word than these, stop
  words and single characters is dropped.
- `capitalised`, `entity`, `fine_entity`: as for phrases, but an initial is another word, so that
  *Thomas J. Baker* stays.
- `gazetteer`: an entry made of words of the name alone is dropped.
- addresses, links and telephone numbers stay as they are; the features of the family identity look
  for the name."""


@dataclass(frozen=True, kw_only=True)
class Options(JsonOption):
    """The options of the command."""

    markdown: bool = cli_option("as Markdown, for docs/features.md", False)


def run_command(options: Options, console: Console) -> int:
    """Print the lists, write JSON if asked for."""
    check_writable(options.json)
    if options.markdown:
        console.write(_markdown_page())
    else:
        console.write_table(_feature_rows(), left=5)
        console.write()
        console.write_table(_set_rows(), left=2)
        console.write(f"\n{_count_text()}")
    write_json(options.json, _features_data())
    return 0


def _markdown_page() -> str:
    """The text of docs/features.md, without the last line end."""
    return _PAGE.format(
        measures=", ".join(f"`{each}`" for each in MEASURES),
        vector_measures=" or ".join(f"`{each}`" for each in VECTOR_MEASURES),
        count=_count_text(),
        sets="\n".join(markdown_table(_set_rows("`"))),
        further="\n".join(_further_lines("`")),
        ours=", ".join(f"`{each}`" for each in _own_functions()),
        features="\n".join(markdown_table(_feature_rows("`"))),
    )


def _count_text() -> str:
    """How many there are, next to how many the paper has."""
    kinds = [each.kind for each in all_features()]
    bags, vectors, flags = map(kinds.count, FeatureKind)
    similarities = bags * len(MEASURES) + vectors * len(VECTOR_MEASURES) + flags
    return (
        f"There are {len(kinds)} features: {bags} bags, with {len(MEASURES)} measures each, "
        f"{count_of(vectors, 'vector')} with {len(VECTOR_MEASURES)}, and {flags} flags, which "
        f"makes {similarities} similarities, profiles not counted. The paper has 69 for each pair "
        "of pages (EMNLP 2009, section 4.1) and prints no list of them; "
        f"{len(FEATURE_SETS['all'].features())} of these features and the measures "
        f"{', '.join(PAPER_MEASURES)} follow it."
    )


def _own_functions() -> list[str]:
    """The functions of the features that the paper does not have."""
    paper = FEATURE_SETS["all"].features()
    return list(dict.fromkeys(each.function for each in all_features() if each not in paper))


def _feature_rows(quote: str = "") -> list[list[str]]:
    kind = {True: "yes", False: "no"}
    return [["feature", "family", "linguistic", "what it holds", "source"]] + [
        [f"{quote}{each}{quote}", each.family, kind[each.linguistic], each.description, each.source]
        for each in all_features()
    ]


def _set_rows(quote: str = "") -> list[list[str]]:
    return [["set", "what it holds", "features", "similarities"]] + [
        [
            f"{quote}{each.name}{quote}",
            each.description,
            str(len(_set_members(each))),
            str(len(similarities_of(each.name))),
        ]
        for each in FEATURE_SETS.values()
    ]


def _set_members(chosen: FeatureSet) -> list[Feature]:
    """The features that a set compares."""
    return list(dict.fromkeys(each.feature for each in similarities_of(chosen.name)))


def _further_lines(quote: str) -> Iterator[str]:
    """What sets compare by besides Dice of their features."""
    for each in FEATURE_SETS.values():
        if each.further:
            listed = ", ".join(f"{quote}{further}{quote}" for further in each.further)
            yield f"- {quote}{each.name}{quote} compares by {listed}"


def _features_data() -> dict[str, Any]:
    """The lists as JSON holds them (docs/schema/features.schema.json)."""
    return {
        "features": [
            {
                "name": each.name,
                "family": each.family,
                "linguistic": each.linguistic,
                "kind": str(each.kind),
                "flag": each.flag,
                "needs": sorted(each.needs),
                "description": each.description,
                "source": each.source,
            }
            for each in all_features()
        ],
        "measures": list(MEASURES),
        "vector_measures": list(VECTOR_MEASURES),
        "sets": {
            each.name: {
                "description": each.description,
                "features": list(map(str, _set_members(each))),
                "similarities": list(map(str, similarities_of(each.name))),
            }
            for each in FEATURE_SETS.values()
        },
    }
