"""Sources of pages: WePS corpora and folders of saved pages, all behind one class.

source = open_source("corpora/weps-1/training")
for name in select_names(source, ["Thomas Baker"]):
    search, key = source.search(name), source.key(name)
"""
