"""How the embedded English pipeline is made: converters, training, accuracy and its card."""
