"""What users say about who is who: kept, checked, and given to the clustering as constraints.

``said`` is what can be said, ``corrections`` all that was, ``operations`` what a user does to an
answer, ``file`` how it is kept, ``finding`` finds the pages again; ``contradictions`` and
``ruling`` are what follows from it.
"""
