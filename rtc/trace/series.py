"""Series that are plotted and tabled, each named once with its unit, so that pictures and figures cannot disagree."""

import enum
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesName:
    """What a series is called where people read it."""

    title: str
    unit: str
    meaning: str


class Series(enum.Enum):
    """Every series over time that a call leaves behind."""

    LINK_CAPACITY = SeriesName(title="link capacity", unit="kbps", meaning="what the bottleneck could carry")
    TARGET_BITRATE = SeriesName(title="target", unit="kbps", meaning="what the encoder was asked to make")
    ENCODED_BITRATE = SeriesName(title="encoded", unit="kbps", meaning="payload the encoder made")
    SENT_BITRATE = SeriesName(title="sent", unit="kbps", meaning="every byte that entered the path")
    VBV_DELAY = SeriesName(title="VBV delay", unit="ms", meaning="time to send what was made and not yet sent")
    QUEUE_DELAY = SeriesName(title="queue delay", unit="ms", meaning="wait in the bottleneck's queue")
    CAPTURE_TO_DISPLAY = SeriesName(
        title="capture to display", unit="ms", meaning="from the camera to the screen of the peer"
    )
    FREEZE = SeriesName(title="freeze", unit="s", meaning="the screen stood still (W3C webrtc-stats)")
    LONG_GAP = SeriesName(title="gap over 200 ms", unit="s", meaning="the screen stood still, whatever went before")
    LOSS = SeriesName(title="lost packets", unit="packets", meaning="datagrams the path lost")

    @property
    def title(self) -> str:
        """Its name."""
        return self.value.title

    @property
    def unit(self) -> str:
        """The unit of its values."""
        return self.value.unit
