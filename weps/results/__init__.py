"""Results of names: made, corrected, updated, written, found and read again."""
