"""Syntax: sentences divided into chunks, and where words stand in them (2004 paper)."""

from weps.syntax.chunking import Chunk, ChunkKind, chunks
from weps.syntax.positions import Positions, positions

__all__ = ["Chunk", "ChunkKind", "Positions", "chunks", "positions"]
