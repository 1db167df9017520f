"""Human scores learned from measures, and how good the estimates are."""
