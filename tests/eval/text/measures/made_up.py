"""Texts to compare, where the libraries are that compare them."""

import pytest
from hypothesis import strategies as st

pytest.importorskip("nltk")
pytest.importorskip("sacrebleu")

PARTS = ["a", "b ", "run ", "running ", " the", ".", "-", "\n", "é", "東京", "<skipped>", "&amp;"]
TEXTS = st.lists(st.sampled_from(PARTS), max_size=8).map("".join)
"""Some of them are blank."""
