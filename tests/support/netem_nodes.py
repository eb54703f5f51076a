"""Small things the emulator's tests share."""

from netem.node import Node, Transit
from netem.packet import DropCause, NetworkPacket
from netem.path_profile import PathProfile, QueueProfile


def packet(sent_at_us: int, size_bytes: int = 1000, payload: object = None) -> NetworkPacket:
    return NetworkPacket(size_bytes=size_bytes, payload=payload, sent_at_us=sent_at_us)


def packets(count: int, *, gap_us: int, size_bytes: int = 1000) -> list[NetworkPacket]:
    return [packet(index * gap_us, size_bytes, payload=index) for index in range(count)]


def plain_path(**changed: object) -> PathProfile:
    """1 Mbps, 100 kB of queue, no delay and no loss, but for what is changed."""
    fields: dict[str, object] = {
        "capacity": 1_000_000,
        "queue": QueueProfile(limit_bytes=100_000),
        "one_way_delay_us": 0,
    }
    return PathProfile(**(fields | changed))


class Recorder:
    """Stands behind a node and keeps what comes out of it."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.passed: list[tuple[object, int]] = []
        self.dropped: list[tuple[object, int, DropCause]] = []
        node.connect(self._forward, self._drop)

    def feed(self, *arrivals: NetworkPacket) -> "Recorder":
        for arrival in arrivals:
            self.node.accept(Transit(arrival, arrival.sent_at_us))
        return self

    def _forward(self, transit: Transit) -> None:
        self.passed.append((transit.packet.payload, transit.at_us))

    def _drop(self, transit: Transit, at_us: int, cause: DropCause) -> None:
        self.dropped.append((transit.packet.payload, at_us, cause))
