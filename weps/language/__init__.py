"""Language: sentences and tokens of every page, and the layers of a language pipeline.

The token table costs milliseconds and is always made. The layers (lemmas, noun phrases, entities,
quantities, tags) need a language pipeline and are made only on request.
"""
