"""Published sets as testbeds and measure matrices."""
