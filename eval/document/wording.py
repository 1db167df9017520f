"""Words that the page and the Markdown share."""

from __future__ import annotations

__all__ = ["HERE", "MADE", "NOT_DRAWN", "SIGNATURE", "THERE"]

HERE = "Here"
THERE = "In the paper"
NOT_DRAWN = "Not drawn: pictures need matplotlib."
MADE = "Made with"
SIGNATURE = "Signature"
