"""The studies of measures of measures: what they find, and how they show it."""
