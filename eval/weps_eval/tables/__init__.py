"""The instances of a study, and the files that contain them."""
