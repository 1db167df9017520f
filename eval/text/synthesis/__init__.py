"""Similarity of two texts by frequencies, key concepts, selection, surprise and style.

Amigó, Gonzalo, Peinado, Peñas and Verdejo, An empirical study of information synthesis tasks
(ACL 2004); Amigó, Gonzalo, Peñas and Verdejo, QARLA: a framework for the evaluation of text
summarization systems (ACL 2005), section 4; the same, Evaluating DUC 2004 tasks with the QARLA
framework (ACL workshop 2005), section 3.1.

The inverted measures of the last are those of the two texts swapped. Only the perplexity and the
overlaps change by that, and the recall of an overlap becomes its precision.
"""
