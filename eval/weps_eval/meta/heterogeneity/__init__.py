"""The heterogeneity principle: the more measures differ, the more it means that they agree.

Amigó, Gonzalo, Giménez and Verdejo (EMNLP 2011; *SEM 2012) and Amigó, Gonzalo and Verdejo
(workshop on evaluation metrics for summarization, NAACL 2012). Measures are rows and instances
columns; pairs of instances are compared within their groups, topics or test sets.
"""
