"""Features that depend on where and how the person's name stands on a page."""
