"""``weps features``: list the registered features and feature sets."""

from __future__ import annotations

from typing import Any

from weps._formatting import count_of
from weps.cli.console import Console
from weps.cli.options import JsonOption, check_writable, write_json
from weps.features.registry import Feature, FeatureKind, all_features
from weps.similarity.columns import MEASURES, PAPER_MEASURES, VECTOR_MEASURES
from weps.systems import FEATURE_SETS, FeatureSet, similarities_of

Options = JsonOption


def run_command(options: JsonOption, console: Console) -> int:
    """Print the lists, write JSON if asked for."""
    check_writable(options.json)
    console.write_table(feature_rows(), left=5)
    console.write()
    console.write_table(set_rows(), left=2)
    console.write(f"\n{_count_text()}")
    write_json(options.json, _features_data())
    return 0


def _count_text() -> str:
    """Numbers of features and similarities, next to those of the paper."""
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


def feature_rows() -> list[list[str]]:
    """The table of all features; the first row is the heading."""
    kind = {True: "yes", False: "no"}
    return [["feature", "family", "linguistic", "what it holds", "source"]] + [
        [str(each), each.family, kind[each.linguistic], each.description, each.source]
        for each in all_features()
    ]


def set_rows() -> list[list[str]]:
    """The table of all feature sets; the first row is the heading."""
    return [["set", "what it holds", "features", "similarities"]] + [
        [
            each.name,
            each.description,
            str(len(_set_members(each))),
            str(len(similarities_of(each.name))),
        ]
        for each in FEATURE_SETS.values()
    ]


def _set_members(chosen: FeatureSet) -> list[Feature]:
    """The features that a set compares."""
    return list(dict.fromkeys(each.feature for each in similarities_of(chosen.name)))


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
