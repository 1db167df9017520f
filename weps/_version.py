"""The version; ``pyproject.toml`` reads it here."""

__all__ = ["VERSION"]

VERSION = "0.1.0"
