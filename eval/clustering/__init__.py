"""How good a clustering is: B-Cubed, purity, pair measures, official scorers, baselines."""
