"""Studies without pictures, unless a test is about them: drawing takes longer than studying."""

import pytest

from eval.studies.features import report


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if matplotlib were not installed."""
    monkeypatch.setattr(report, "available", lambda: False)
