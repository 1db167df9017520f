"""Key concepts: where they stand in sentences, and which weightings and phrases find them."""
