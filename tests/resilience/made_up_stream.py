"""Frames and packets of a made-up stream, for the tests of the receive side."""

from rtc.values.formats import Codec
from rtc.values.frames import FrameMetadata, FrameType
from rtc.values.packets import AssembledFrame, MediaPacket

FRAME_US = 33_333
TICKS_PER_FRAME = 3_000


def metadata(frame_id, references=None, *, frame_type=None, codec=Codec.AV1, layer=0, ltr=False):
    """Frame 0 is a key frame and every other refers to the one before it, unless told otherwise."""
    if references is None:
        references = (frame_id - 1,) if frame_id else ()
    if frame_type is None:
        frame_type = FrameType.DELTA if references else FrameType.KEY
    return FrameMetadata(
        frame_id=frame_id,
        codec=codec,
        frame_type=frame_type,
        references=tuple(references),
        temporal_layer=layer,
        is_long_term_reference=ltr,
        rtp_timestamp=frame_id * TICKS_PER_FRAME,
    )


def packets_of(described, first_sequence, count, *, now_us=0, is_retransmission=False):
    return [
        MediaPacket(
            unwrapped_sequence=first_sequence + index,
            payload=f"{described.frame_id}/{index}".encode(),
            starts_frame=index == 0,
            ends_frame=index == count - 1,
            metadata=described,
            received_at_us=now_us,
            is_retransmission=is_retransmission,
        )
        for index in range(count)
    ]


def assembled(frame_id, references=None, *, now_us=0, first_sequence=None, packets=1, retransmissions=0, **described):
    """One packet a frame, numbered as the frames are, unless told otherwise."""
    first_sequence = frame_id if first_sequence is None else first_sequence
    return AssembledFrame(
        metadata=metadata(frame_id, references, **described),
        payloads=(b"x",) * packets,
        first_sequence=first_sequence,
        last_sequence=first_sequence + packets - 1,
        first_packet_at_us=now_us,
        assembled_at_us=now_us,
        retransmissions=retransmissions,
    )
