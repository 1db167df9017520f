"""Small corpora of people of two trades, each written once."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.eval.cli.conftest import KEY, NAMES, write_weps2
from tests.eval.studies.features.made_up import resamples
from weps.sources.xml import clustering_xml

WORDS = ("bread", "oven", "flour", "crust", "yeast"), ("keel", "anchor", "harbour", "sail", "tide")
OTHERS = tuple(name.replace("LOVELL", "QUILL") for name in NAMES)


@pytest.fixture(autouse=True, scope="module")
def few_resamples() -> Iterator[None]:
    """Drawing takes longer than searching."""
    with resamples(200):
        yield


@pytest.fixture(scope="session")
def trades(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Saved pages of six names with a baker and a sailor each; their words are a little mixed."""
    return write_trades(tmp_path_factory.mktemp("trades"), NAMES)


@pytest.fixture(scope="session")
def others(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same of other names."""
    return write_trades(tmp_path_factory.mktemp("others"), OTHERS)


@pytest.fixture(scope="session")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six names that are known by their search results only."""
    return write_weps2(tmp_path_factory.mktemp("corpora") / "results", ())


@pytest.fixture(scope="session")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first of the names is known by its search results only, the others by word lists."""
    return write_weps2(tmp_path_factory.mktemp("corpora") / "mixed", NAMES[1:])


def write_trades(root: Path, names: tuple[str, ...]) -> Path:
    generator = np.random.default_rng(1)
    for name in names:
        (root / name).mkdir()
        for rank in range(1, 7):
            own, other = WORDS[rank % 2], WORDS[1 - rank % 2]
            words = [*generator.choice(own, 4, replace=False), generator.choice(other)]
            text = f"<title>{name}</title><p>Lovell likes {' and '.join(words)}.<p>Page{rank}."
            (root / name / f"{rank:03}.html").write_text(text)
        (root / name / "key.xml").write_text(clustering_xml(KEY), "utf-8")
    return root
