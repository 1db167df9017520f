"""A person's name: how it is typed, how pages spell it, and where they mention it."""
