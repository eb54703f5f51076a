"""Which codec worked for how long, and what it cost."""

import itertools
from collections.abc import Sequence

from rtc.metrics.distributions import MS_DIGITS, Figures, MeanAndTail, ratio
from rtc.metrics.records import FrameRecord
from rtc.values.formats import Codec
from rtc.values.units import US_PER_MS, US_PER_S

SECONDS_DIGITS = 6


class CodecFigures(Figures):
    """Figures of the codec group of a direction."""

    codec_seconds: dict[str, float]
    codec_switches: int
    speed_changes: int
    frames_encoded_again: int
    """Frames encoded more than once before one was sent; the time of every encode is in `encode_ms`."""
    encode_ms: MeanAndTail
    decode_ms: MeanAndTail
    cpu_ms_per_frame: float | None
    """Encode time plus decode time of the whole direction, over frames encoded."""


def codec_figures(frames: Sequence[FrameRecord], duration_us: int) -> CodecFigures:
    """Figures over one direction's frames, which are in capture order."""
    encoded = [frame for frame in frames if frame.encoded_bytes is not None]
    encode_us = [frame.encode_time_us for frame in encoded if frame.encode_time_us is not None]
    decode_us = [frame.decode_time_us for frame in encoded if frame.decode_time_us is not None]
    neighbours = list(itertools.pairwise(encoded))
    return CodecFigures(
        codec_seconds=_codec_seconds(encoded, duration_us),
        codec_switches=sum(before.codec is not after.codec for before, after in neighbours),
        speed_changes=sum(before.codec is after.codec and before.speed != after.speed for before, after in neighbours),
        frames_encoded_again=sum(frame.encodes is not None and frame.encodes > 1 for frame in encoded),
        encode_ms=MeanAndTail.of_us(encode_us),
        decode_ms=MeanAndTail.of_us(decode_us),
        cpu_ms_per_frame=ratio(sum(encode_us) + sum(decode_us), len(encoded) * US_PER_MS, MS_DIGITS),
    )


def _codec_seconds(encoded: Sequence[FrameRecord], duration_us: int) -> dict[str, float]:
    """A codec holds from the capture of a frame it encoded to that of the next encoded frame, or the call's end."""
    held_us = dict.fromkeys(Codec, 0)
    ends_us = [frame.captured_at_us for frame in encoded[1:]] + [duration_us]
    for frame, end_us in zip(encoded, ends_us, strict=False):
        if frame.codec is not None:
            held_us[frame.codec] += max(0, end_us - frame.captured_at_us)
    return {codec.value: round(held / US_PER_S, SECONDS_DIGITS) for codec, held in held_us.items()}
