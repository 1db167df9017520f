"""Which improvements of systems measures see, and whether their scores can be trusted."""
