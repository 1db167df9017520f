"""Key terms: the words, names and phrases that characterise the pages of a person."""
