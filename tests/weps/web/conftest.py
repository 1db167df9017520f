"""The web that is downloaded from in tests."""

from collections.abc import Iterator

import pytest

from tests.weps.web.loopback import Web, serving


@pytest.fixture
def web() -> Iterator[Web]:
    """Many hosts on one port of this machine, without any page."""
    with serving() as found:
        yield found
