"""The conclusions of the three papers, each with the rule that says whether it holds here."""

from __future__ import annotations

from eval.meta_study.claims import Conclusion
from eval.meta_study.qarla import judges
from eval.meta_study.qarla.findings import Findings
from eval.meta_study.qarla.judges import GOOD

__all__ = ["CONCLUSIONS"]

_HIGHER = "the whole interval of the difference is above 0"

CONCLUSIONS: tuple[Conclusion[Findings], ...] = (
    Conclusion(
        "Measures together are better than the best single measure.",
        "ACL 2005, section 4.1; workshop 2005, section 3.3",
        f"KING of the best set of several is higher on topics that did not choose it: {_HIGHER}",
        judges.combination,
    ),
    Conclusion(
        "QUEEN by the best set ranks people first more often than ROUGE does.",
        "ACL 2005, section 5, Table 1",
        "against the best of ROUGE-1 to ROUGE-4 by recall; the set was chosen on the same topics: "
        f"{_HIGHER}",
        judges.first,
    ),
    Conclusion(
        "Sets of higher KING rank systems more as people do.",
        "ACL 2005, Figure 7; workshop 2005, Figure 5",
        "over sets, KING and Pearson's r with people go together: the whole interval of their "
        "correlation is above 0, by every criterion",
        judges.king,
    ),
    Conclusion(
        "The ranking of systems by QUEEN agrees well with people's.",
        "workshop 2005, section 4.2",
        f"Pearson's r by the best set is at least {GOOD}, its interval too, by every criterion",
        judges.good,
    ),
    Conclusion(
        "Sets of the highest KING agree with people better than the best ROUGE does.",
        "workshop 2005, section 6",
        "Pearson's r of QUEEN by the best set against that of mean similarity by the best ROUGE in "
        f"hindsight: {_HIGHER}, by every criterion",
        judges.above_rouge,
    ),
    Conclusion(
        "People have the highest QUEEN, far ahead of systems.",
        "workshop 2005, section 4.1, Figure 4",
        f"the lowest reference against the highest system: {_HIGHER}",
        judges.people_ahead,
    ),
    Conclusion(
        "With more than ten systems JACK grows more slowly.",
        "workshop 2005, section 3.4, Figure 3",
        f"growth per system up to ten minus growth after: {_HIGHER}, in both forms",
        judges.slower,
    ),
    Conclusion(
        "JACK of all peers is far above that of peers of one strategy.",
        "ACL 2005, section 4.2, Figure 6",
        "–",
        judges.strategies,
    ),
    Conclusion(
        "Content characterises what people write better than style.",
        "workshop 2005, sections 3.3 and 6",
        f"KING of the best measure of content against that of style: {_HIGHER}",
        judges.content,
    ),
    Conclusion(
        "The best set has no measure of style.",
        "workshop 2005, sections 4.3 and 6",
        "KING of the best set without style against that of the best with it, both chosen on the "
        f"same topics: {_HIGHER}",
        judges.unstyled,
    ),
    Conclusion(
        "Precision of ROUGE-W without stop words has the highest KING.",
        "workshop 2005, section 3.3",
        f"against the best other measure: {_HIGHER}",
        judges.weighted,
    ),
    Conclusion(
        "Of ROUGE with stems, recall has the higher KING.",
        "workshop 2005, section 3.2",
        f"the best by recall against the best by precision: {_HIGHER}",
        judges.stemmed,
    ),
    Conclusion(
        "Of ROUGE without stems, precision has the higher KING.",
        "workshop 2005, section 3.2",
        f"the best by precision against the best by recall: {_HIGHER}",
        judges.unstemmed,
    ),
    Conclusion(
        "TVM is better with more terms.",
        "workshop 2005, section 3.3",
        f"KING with 512 terms against that with 4: {_HIGHER}",
        judges.terms,
    ),
    Conclusion(
        "ROUGE-1 is the best of the single metrics.",
        "ACL 2005, section 4.1",
        f"KING against the best of the others of that paper: {_HIGHER}",
        judges.rouge,
    ),
    Conclusion(
        "In one task people agree more, and systems are less various, than in another.",
        "workshop 2005, sections 3.3, 3.4 and 4.3",
        "–",
        judges.one_task,
    ),
    Conclusion(
        "Key concepts tell people's texts from systems' better than ROUGE does.",
        "ACL 2004, section 4, Table 2",
        f"early estimate of NICOS against the best of ROUGE-1 by recall: {_HIGHER}",
        judges.concepts,
    ),
    Conclusion(
        "Perplexity and co-selection are below chance.",
        "ACL 2004, section 4, Table 2",
        "their early estimates are below .5, the intervals too",
        judges.baselines,
    ),
    Conclusion(
        "Measures that are good for one type of topics are not for another.",
        "ACL 2004, section 4",
        "–",
        judges.topics,
    ),
)
