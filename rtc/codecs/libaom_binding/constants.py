"""Numbers of libaom's interface: what its headers name, by those names without their prefixes."""

import enum
from typing import Final

USAGE_REALTIME: Final = 1
RATE_CBR: Final = 1
IMAGE_I420: Final = 0x102
KEY_FRAME_MODE_DISABLED: Final = 0
"""The library places no key frames of its own."""
FLAG_FORCE_KEY_FRAME: Final = 1
PACKET_FRAME: Final = 0
FRAME_IS_KEY: Final = 1


class Control(enum.IntEnum):
    """Controls of the AV1 encoder (aomcx.h)."""

    SET_SCALEMODE = 11
    SET_CPUUSED = 13
    GET_LAST_QUANTIZER_64 = 20
    SET_SVC_LAYER_ID = 131
    SET_SVC_PARAMS = 132
    SET_SVC_REF_FRAME_CONFIG = 133
