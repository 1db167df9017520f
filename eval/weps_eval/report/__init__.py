"""Claims of papers tested by estimates with intervals, and documents of tables and figures."""
