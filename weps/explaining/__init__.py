"""Why two pages are, or are not, together: what they share, and what the classifier makes of it."""

from weps.explaining.evidence import Evidence, shared_evidence
from weps.explaining.pairs import PROFILE, ExplainedPair, explained

__all__ = ["PROFILE", "Evidence", "ExplainedPair", "explained", "shared_evidence"]
