"""Numbers of OpenH264's interface, by the names its headers give them without their prefixes."""

import enum
from typing import Final

USAGE_CAMERA_REAL_TIME: Final = 0
USAGE_SCREEN_REAL_TIME: Final = 1
PROFILE_BASELINE: Final = 66
CONSTANT_PARAMETER_SET_ID: Final = 0
SINGLE_SLICE: Final = 0
ONE_THREAD: Final = 1
IMAGE_I420: Final = 23
ALL_SPATIAL_LAYERS: Final = 4
ALL_LAYER_IDS: Final = -1
LOG_QUIET: Final = 0
MEMORY_ERROR: Final = 3
"""cmMallocMemeError: no memory, or a frame larger than the buffer for it; the encoder has given up its state."""


class RateControl(enum.IntEnum):
    """RC_MODES: who chooses the quantizer."""

    OFF = -1
    BITRATE = 1


class FrameKind(enum.IntEnum):
    """EVideoFrameType: what the library says it made."""

    INVALID = 0
    IDR = 1
    INTRA = 2
    PREDICTED = 3
    SKIPPED = 4
    MIXED = 5


class Option(enum.IntEnum):
    """ENCODER_OPTION: what SetOption and GetOption know."""

    SVC_ENCODE_PARAM_EXT = 3
    FRAME_RATE = 4
    BITRATE = 5
    TRACE_LEVEL = 25
    GET_STATISTICS = 28
