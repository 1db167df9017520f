"""The instances of a study, and the files they are kept in."""
