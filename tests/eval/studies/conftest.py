"""What tests of all studies share."""

from collections.abc import Iterator

import pytest

from weps_eval.meta import orange
from weps_eval.report import charts, tables


@pytest.fixture(scope="module", autouse=True)
def few_resamples_of_orange() -> Iterator[None]:
    """Each resample ranks all outputs again, which takes most of the time of a study."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(orange, "_RESAMPLES", 60)
        yield


@pytest.fixture(scope="module")
def undrawn() -> Iterator[None]:
    """As if matplotlib were not installed: pictures take longer than the study."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(charts, "has_matplotlib", lambda: False)
        yield


@pytest.fixture
def any_sample_size(monkeypatch) -> None:
    """Samples of any size decide, so that rules can be tested on small ones."""
    for name in ("FEWEST_GROUPS", "FEWEST_CASES"):
        monkeypatch.setattr(tables, name, 0)
