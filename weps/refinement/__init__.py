"""Query refinements: terms to add to a name so that a search finds all and only one person."""
