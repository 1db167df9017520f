from collections.abc import Iterator

import pytest

from weps_eval.studies.heterogeneity import findings


@pytest.fixture(scope="module", autouse=True)
def few_resamples() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(findings, "_GAIN_RESAMPLES", 20)
        yield
