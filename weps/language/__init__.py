"""Language: sentences and tokens of every page, and what language processing finds in them.

The token table costs milliseconds and is always made. The layers (lemmas, noun phrases, entities,
quantities, tags) need a language pipeline and are made only if somebody asks for them.
"""
