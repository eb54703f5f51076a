"""An endpoint whose peer is the test, and media packets made by hand for it."""

from rtc.call.endpoint import CallEndpoint
from rtc.rtp import frame_metadata_extension
from rtc.rtp.frame_metadata_extension import FrameMetadataExtension
from rtc.rtp.packet import RtpPacket, serialise
from rtc.values.encoding import DecodeResult
from rtc.values.frames import FrameType
from rtc.values.trace_events import InvalidPacketDropped
from tests.support.call_pair import SIZE, A, B, ListTrace, config_of

SECOND = 1_000_000
METADATA_ID, TRANSPORT_ID = 9, 3


def media(sequence, frame_number=0, *, timestamp=0, ssrc=B.media_ssrc, payload_type=96, transport=0, **described):
    fields = {"starts_frame": True, "ends_frame": True, "frame_type": FrameType.KEY} | described
    extension = FrameMetadataExtension(frame_number=frame_number & 0xFFFF, **fields)
    return serialise(
        RtpPacket(
            payload_type=payload_type,
            marker=True,
            sequence_number=sequence & 0xFFFF,
            timestamp=timestamp & 0xFFFFFFFF,
            ssrc=ssrc,
            extensions=(
                (TRANSPORT_ID, (transport & 0xFFFF).to_bytes(2, "big")),
                (METADATA_ID, frame_metadata_extension.serialise(extension)),
            ),
            payload=b"\x10\x30abc",
        )
    )


def delta(sequence, frame_number, **described):
    return media(sequence, frame_number, frame_type=FrameType.DELTA, reference_diffs=(1,), **described)


class Alone:
    """An endpoint of side A whose peer is the test."""

    def __init__(self):
        self.trace = ListTrace()
        self.endpoint = CallEndpoint(config_of(A, B), self.trace)
        self.drain()

    def drain(self):
        outputs = []
        while (output := self.endpoint.poll_output()) is not None:
            outputs.append(output)
        return outputs

    def receive(self, data, now_us=0):
        self.endpoint.handle_datagram(data, now_us)
        outputs = self.drain()
        for frame_id in [output.frame.metadata.frame_id for output in outputs if hasattr(output, "frame")]:
            self.endpoint.handle_decode_result(DecodeResult(frame_id=frame_id, size=SIZE, decode_time_us=0), now_us)
            outputs += self.drain()
        return outputs

    def expire(self, now_us):
        outputs = []
        while (at_us := self.endpoint.next_timeout_us()) is not None and at_us <= now_us:
            self.endpoint.handle_timeout(at_us)
            outputs += self.drain()
        return outputs

    @property
    def invalid(self):
        return len(self.trace.of(InvalidPacketDropped))
