"""What clustering a name again changes: people keep their ids, every difference has its reason.

answer = stable(cluster(search, models), previous)
for change in changes(previous, answer):
    print(told(change, answer, labels))
"""
