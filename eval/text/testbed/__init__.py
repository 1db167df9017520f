"""Testbeds, and the matrices of measure values computed on them."""
