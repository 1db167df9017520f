"""Two invented names, and what two systems answer for them."""

import numpy as np
import pytest

from tests.weps.sources.conftest import plant, weps1  # noqa: F401 - fixtures
from weps.reading import PageForm
from weps.records import Clustering
from weps.sources.corpora import clustering_xml
from weps.training import ExampleAnswer, TrainingSettings, read_examples
from weps_eval.benchmark.corpus import open_corpus
from weps_eval.benchmark.scoring import Benchmark, Systems, Trial

KEY = Clustering((frozenset({1, 2, 3}), frozenset({4})))
RIGHT = ExampleAnswer(
    KEY,
    np.array([0.9, 0.8, 0.2, 0.9, 0.2, 0.2]),
    np.array([0.9, 0.9, 0.9, 0.8]),
    np.array([0.9, 1.0]),
)
TOGETHER = ExampleAnswer(
    Clustering((frozenset({1, 2, 3, 4}),)), np.full(6, 0.7), np.full(4, 0.6), np.full(1, 0.4)
)
FIRST, SECOND = "paper", "paper:features=title,link=average"


@pytest.fixture(scope="session")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    """The first system puts all pages together, the second is right about one name."""
    saved = tmp_path_factory.mktemp("benchmark") / "saved"
    for name in ("Ada", "Bea"):
        folder = saved / name
        folder.mkdir(parents=True)
        for rank in range(1, 5):
            (folder / f"{rank:03}.html").write_text(f"<title>{name}</title><p>Page {rank}.")
        (folder / "key.xml").write_text(clustering_xml(KEY), "utf-8")
    corpus, systems = open_corpus(saved), Systems.parse([FIRST, SECOND])
    examples = {
        name: read_examples(name, corpus.source, systems.union)[PageForm.PAGES]
        for name in corpus.names
    }
    trials = {
        FIRST: Trial(dict.fromkeys(corpus.names, TOGETHER), learning=1.25, answering=0.5),
        SECOND: Trial({"Ada": RIGHT, "Bea": TOGETHER}, learning=2.0, answering=0.25),
    }
    settings = TrainingSettings(seed=3)
    return Benchmark(systems, trials, corpus, examples, "cv:2", "the other names", settings, {})
