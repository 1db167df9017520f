"""PWA, MaxPWA and redundancy over plain arrays: measures are rows, instances columns."""
