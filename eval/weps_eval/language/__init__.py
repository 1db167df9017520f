"""Building the embedded English pipeline: converters, training, accuracy and its card."""
