"""Why two pages are, or are not, together: what they share, and what the classifier makes of it."""
