"""Web people search: which of the pages found for a name are about the same person, and why."""
