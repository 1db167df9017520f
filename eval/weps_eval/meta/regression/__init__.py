"""Human scores estimated from measures, and the accuracy of the estimates."""
