"""Growing classifiers of pairs; reading them is :mod:`weps.coreference`."""
