"""The experiment bench: systems answer for names that they have not seen, and are held together."""
