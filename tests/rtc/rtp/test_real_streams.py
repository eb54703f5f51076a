"""Streams of real codecs through the payload formats."""

from fractions import Fraction

import av
import numpy as np
import pytest

from rtc.rtp import av1_payload, h264_payload
from tests.support.data import real_data

CLIP = "head_foreman_cif.mp4"
FRAMES = 8


def encoded(codec, options):
    """Packets of a few noisy frames."""
    context = av.CodecContext.create(codec, "w")
    context.width, context.height, context.pix_fmt = 320, 180, "yuv420p"
    context.time_base = Fraction(1, 30)
    context.options = options
    noise = np.random.default_rng(1)
    packets = []
    for index in range(FRAMES):
        picture = noise.integers(0, 256, (270, 320), dtype=np.uint8)
        frame = av.VideoFrame.from_ndarray(picture, format="yuv420p")
        frame.pts = index
        packets += context.encode(frame)
    return [bytes(packet) for packet in packets + context.encode(None)]


def pictures(codec, packets):
    """Decoded luma of every packet."""
    decoder = av.CodecContext.create(codec, "r")
    frames = [frame for data in packets for frame in decoder.decode(av.Packet(data))]
    return [frame.to_ndarray(format="gray") for frame in frames + decoder.decode(None)]


def test_av1_of_libaom_decodes_the_same_after_rtp():
    packets = encoded("libaom-av1", {"usage": "realtime", "cpu-used": "8", "lag-in-frames": "0"})
    back = [
        av1_payload.depacketize(av1_payload.packetize(packet, 1180, index == 0)) for index, packet in enumerate(packets)
    ]
    before, after = pictures("libdav1d", packets), pictures("libdav1d", back)
    assert len(before) == FRAMES
    assert all(np.array_equal(one, other) for one, other in zip(before, after, strict=True))


def test_h264_of_openh264_decodes_the_same_after_rtp():
    packets = encoded("libopenh264", {})
    back = [h264_payload.depacketize(h264_payload.packetize(packet, 1180)) for packet in packets]
    before, after = pictures("h264", packets), pictures("h264", back)
    assert len(before) == FRAMES
    assert all(np.array_equal(one, other) for one, other in zip(before, after, strict=True))


@pytest.mark.parametrize("max_payload", [200, 1180])
def test_access_units_of_a_recorded_clip_come_back_nal_by_nal(max_payload):
    with av.open(real_data() / "clips" / CLIP) as container:
        stream = container.streams.video[0]
        if stream.codec_context.name != "h264":
            pytest.skip(f"{CLIP} is not H.264")
        to_annex_b = av.BitStreamFilterContext("h264_mp4toannexb", stream)
        units = [bytes(unit) for packet in container.demux(stream) for unit in to_annex_b.filter(packet)]
    assert units
    for unit in units:
        back = h264_payload.depacketize(h264_payload.packetize(unit, max_payload))
        assert h264_payload.split_annex_b(back) == h264_payload.split_annex_b(unit)
