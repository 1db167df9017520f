"""The key-term study (COLING 2004): where key concepts stand, and which weightings find them."""
