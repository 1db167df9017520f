"""How measures agree with people, level by level."""
