import math
import sys

import pytest

from eval.text.optional import optional
from weps.errors import LanguageError


def test_a_module_that_is_there() -> None:
    assert optional("math") is math


def test_a_library_that_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nowhere", None)
    with pytest.raises(LanguageError, match=r"^nowhere is not installed; pip install 'weps\[text"):
        optional("nowhere.at.all")
