"""One frame in the encoder, one waiting: what a codec slower than the camera does to a call."""

from rtc.values.errors import LocalMisuse
from rtc.values.frames import CapturedFrame


class EncodeQueue:
    """Holds the captured frame being encoded and the newest one behind it.

    A frame that arrives while another waits takes its place, because the newest picture is the one worth sending.
    """

    def __init__(self) -> None:
        self._encoding: CapturedFrame | None = None
        self._waiting: CapturedFrame | None = None

    @property
    def encoding(self) -> CapturedFrame | None:
        """The frame the encoder has."""
        return self._encoding

    def offer(self, frame: CapturedFrame) -> CapturedFrame | None:
        """Take a captured frame in; the one that had to give way, if any."""
        dropped, self._waiting = self._waiting, frame
        return dropped

    def start_next(self) -> CapturedFrame | None:
        """The frame to hand to the encoder now; None while it is busy or nothing waits."""
        if self._encoding is not None:
            return None
        self._encoding, self._waiting = self._waiting, None
        return self._encoding

    def finish(self) -> CapturedFrame:
        """The frame that the encoder is done with; LocalMisuse when it had none."""
        done, self._encoding = self._encoding, None
        if done is None:
            raise LocalMisuse("an encode result came without an order: answer each EncodeFrame once")
        return done
