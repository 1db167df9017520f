"""QARLA on the texts of a testbed: what KING, QUEEN and JACK say, and what people say of it."""
