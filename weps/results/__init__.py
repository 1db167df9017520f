"""Changes between two clusterings of a name: people keep their ids, each change has its reason.

answer = keep_ids(cluster(search, models), previous)
sentences = [describe_change(each, answer, labels) for each in find_changes(previous, answer)]
"""
