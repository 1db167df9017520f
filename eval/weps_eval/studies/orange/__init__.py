"""ORANGE next to KING on the texts of a testbed, and likeness next to acceptability."""
