"""Corrections by users: stored, checked, and placed in the model's answer or learnt from."""
