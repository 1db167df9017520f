"""The web that is downloaded from in tests."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from tests.weps.web.loopback import Web, results, serving
from weps.web.downloading import DownloadSummary, download_pages


@pytest.fixture
def web() -> Iterator[Web]:
    """Many hosts on one port of this machine, without any page."""
    with serving() as found:
        yield found


@pytest.fixture
def download(web, tmp_path) -> Callable[..., DownloadSummary]:
    """Download addresses of the web into the folder of the test, with some options."""

    def run(*addresses: str, **options: object) -> DownloadSummary:
        return download_pages(results(*addresses), tmp_path, replace(web.options, **options))

    return run
