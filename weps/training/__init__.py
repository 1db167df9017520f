"""Training on names with a key: classifier, stopping rule and calibrations."""
