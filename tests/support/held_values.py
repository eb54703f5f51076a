"""How much an object holds: what must stay bounded whatever a peer sends."""

from collections import deque


def held_values(root: object) -> int:
    """Entries of all containers reached from an object of ours, each container once."""
    seen: set[int] = set()
    waiting = [root]
    count = 0
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, dict):
            count += len(value)
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, list | tuple | deque | set | frozenset):
            count += len(value)
            waiting += value
        elif type(value).__module__.split(".")[0] in ("rtc", "resilience", "ratecontrol"):
            names = [*getattr(value, "__dict__", ()), *getattr(type(value), "__slots__", ())]
            waiting += [getattr(value, name) for name in names if hasattr(value, name)]
    return count
