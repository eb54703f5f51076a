"""A thousand encoders opened, used and closed leave resident memory where it was."""

import os
import sys
from pathlib import Path

import pytest

from rtc.codecs.interface import open_decoder, open_encoder
from rtc.values.formats import Codec, FrameSize
from tests.support.codec_orders import key_order, moving_pictures

SMALL = FrameSize(64, 64)
SPEED = {Codec.AV1: 10, Codec.H264: 2}
WARM_UP, ROUNDS = 50, 1_000
ALLOWED_GROWTH = 3 * 1024 * 1024


@pytest.mark.skipif(sys.platform != "linux", reason="reads resident memory from /proc")
@pytest.mark.parametrize("codec", list(Codec))
def test_memory_is_given_back_on_close(codec: Codec):
    picture, order = moving_pictures(1, SMALL)[0], key_order(size=SMALL, speed=SPEED[codec])

    def use_once() -> None:
        with open_encoder(codec, SMALL) as encoder, open_decoder(codec) as decoder:
            assert decoder.decode(encoder.encode(picture, order).payload) is not None

    for _ in range(WARM_UP):
        use_once()
    before = _resident_bytes()
    for _ in range(ROUNDS):
        use_once()
    assert _resident_bytes() - before < ALLOWED_GROWTH


def _resident_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
