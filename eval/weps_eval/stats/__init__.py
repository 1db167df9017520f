"""Statistics over plain arrays: ranks, resampling, estimates with intervals, significance."""
