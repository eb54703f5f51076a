"""What kinds of frame rate control tells apart."""

import enum


class FrameClass(enum.Enum):
    """Frames of one class cost alike at one quantizer."""

    KEY = "key"
    DELTA = "delta"
    LONG_TERM = "long_term"
    """The periodic, slightly better frame that later ones live on."""
    ENHANCEMENT = "enhancement"
    """A frame of the upper temporal layer, which nothing is predicted from."""
