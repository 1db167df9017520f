"""Declarations of the families of measures, a module for each kind of arithmetic."""
