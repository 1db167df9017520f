"""Entries and where they are."""

import random
from pathlib import Path

from weps.cache import Cache, digest

KEY = digest("key")


def noise(number: int, size: int) -> bytes:
    """Bytes that cannot be compressed, always the same for a number."""
    return random.Random(number).randbytes(size)  # noqa: S311 - no secret


def file_of(cache: Cache, key: str = KEY) -> Path:
    return cache.folder / key[:2] / key


def filled(folder: Path, limit: int, count: int, size: int) -> Cache:
    """A cache after some puts of values that cannot be compressed."""
    cache = Cache(folder, limit)
    for number in range(count):
        cache.put(digest(str(number)), noise(number, size))
    return cache
