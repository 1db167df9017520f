"""What a reader of the study must know to take its bounds for what they are."""

__all__ = ["BOUND"]

BOUND = (
    "MaxPWA bounds the PWA of everything that rises with each of the measures; what may fall with "
    "one of them, as a tree may, can do better, but seldom does if high values speak for positives."
)
