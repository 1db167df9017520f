"""Changes between two clusterings of a name: people keep their ids, each change has its reason.

answer = keep_ids(cluster(search, models), previous)
for change in find_changes(previous, answer):
    print(describe_change(change, answer, labels))
"""
