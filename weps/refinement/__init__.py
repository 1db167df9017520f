"""Query refinements: what to add to a name so that the search finds all and only one person."""
