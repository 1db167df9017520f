"""What clustering a name again changes: people keep their ids, every difference has its reason.

answer = stable(cluster(search, models), previous)
for change in changes(previous, answer):
    print(told(change, answer, labels))
"""

from weps.changes.data import as_data
from weps.changes.differences import Change, Kind, changes
from weps.changes.ids import Groups, groups, last_id, stable
from weps.changes.wording import lines, summary, told

__all__ = [
    "Change",
    "Groups",
    "Kind",
    "as_data",
    "changes",
    "groups",
    "last_id",
    "lines",
    "stable",
    "summary",
    "told",
]
