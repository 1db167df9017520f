"""Kernels between texts: the extended string subsequence kernel and the measures made of it."""
