"""What tests of all studies share."""

from collections.abc import Iterator

import pytest

from eval.studies import base


@pytest.fixture(scope="module")
def undrawn() -> Iterator[None]:
    """As if matplotlib were not installed: pictures take longer than the study."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(base, "has_matplotlib", lambda: False)
        yield
