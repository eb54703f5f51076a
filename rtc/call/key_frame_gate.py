"""Keeps repeated requests for one loss from making several key frames."""

from typing import Final

MIN_INTERVAL_US: Final = 300_000
"""libwebrtc, too, answers at most one request in 300 ms."""


class KeyFrameGate:
    """Says whether a request for a key frame is to be honoured.

    It is not while a key frame is wanted already, nor while the last one sent may not have been seen by whoever asked.
    """

    def __init__(self) -> None:
        self._sent_at_us: int | None = None

    def on_key_frame_sent(self, now_us: int) -> None:
        """A key frame left."""
        self._sent_at_us = now_us

    def honours(self, now_us: int, round_trip_us: int, *, pending: bool) -> bool:
        """Whether a request that arrives now should make a key frame."""
        if pending:
            return False
        return self._sent_at_us is None or now_us - self._sent_at_us >= max(MIN_INTERVAL_US, round_trip_us)
