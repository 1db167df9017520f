"""ROUGE: n-grams, subsequences and skip-bigrams that an output shares with its references.

Lin, ROUGE: a package for automatic evaluation of summaries (2004); Lin and Och, Automatic
evaluation of machine translation quality using longest common subsequence and skip-bigram
statistics (ACL 2004).

Where the published scorers differ from what is here:

- ROUGE-1.5.5 (Perl) looks irregular forms up in WordNet 2.0 before it stems, and its Porter
  stemmer is not quite nltk's; here tokens and stems are those of the Python package rouge-score.
- ROUGE-1.5.5 removes the 571 stop words of SMART, here weps's own list is removed.
- ROUGE-1.5.5 counts the unigrams of ROUGE-SU without the last token of a text; here, as in the
  paper, all of them.
- ROUGE-1.5.5 computes ROUGE-W from the runs of the union of subsequences and divides by a weight
  of weights; here it is the paper's recurrence over the whole text.
- Both scorers score 0 where neither text has any unit; here see :class:`eval.text.overlap.Overlap`.
- ROUGE-1.5.5 rounds to five decimals, can cut texts to a length, and gives intervals over topics;
  none of that is here. rouge-score has neither ROUGE-W nor ROUGE-S.
- Several references: see :mod:`eval.text.references`.
"""
