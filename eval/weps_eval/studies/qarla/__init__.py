"""QARLA on the texts of a testbed: KING, QUEEN and JACK, and their agreement with people."""
