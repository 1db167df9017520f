"""Writers: the answer for a name as JSON, CSV, WePS XML and an HTML report.

write(Report(answer), "Thomas_Baker", Path("answers"))  # Thomas_Baker.json, .csv, .clust.xml, .html

A new kind of file is a function from :class:`Report` to text and one line in :data:`WRITERS`.
"""
