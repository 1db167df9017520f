"""Testbeds, and the matrices of measure values that are computed on them."""
