"""Codecs in virtual time: real work, told time."""

from clips.catalogue import open_clip
from rtc.call.outputs import CommitEncode, DecodeFrame, EncodeFrame
from rtc.codecs.interface import open_decoder, open_encoder
from rtc.sim import assembly
from rtc.sim.codec_worker import DecodeWorker, EncodeWorker
from rtc.sim.complete_stream import CompleteStream
from rtc.values.encoding import ConstantQuantizer, EncodedAs, FrameEncodeSettings
from rtc.values.formats import Codec, FrameSize
from rtc.values.frames import EncodedFrame, FrameMetadata, FrameType
from rtc.values.trace_events import DropReason
from tests.support.calls import small_direction

SIZE = FrameSize(64, 64)
KEY = FrameEncodeSettings(
    encode_as=EncodedAs.KEY,
    rate=ConstantQuantizer(quantizer=40),
    references=(),
    update_slots=frozenset(range(8)),
    coded_size=SIZE,
    speed=10,
    duration_us=33_333,
)


class TakesForEver:
    """No frame is ever encoded."""

    is_measured = False

    def encode_us(self, **_frame):
        return 10**9

    def decode_us(self, **_frame):
        return 0


class TakesLong:
    """Every frame takes 100 ms to encode and 40 ms to decode."""

    is_measured = False

    def encode_us(self, **_frame):
        return 100_000

    def decode_us(self, **_frame):
        return 40_000


def _encoded(worker, now_us, *, attempt=0):
    with open_clip("motion", size=SIZE, fps=30, seed=1) as clip:
        order = EncodeFrame(frame_id=0, capture_index=0, attempt=attempt, codec=Codec.AV1, settings=KEY)
        worker.order(order, clip.frame(0), now_us)


def test_a_result_is_due_when_the_codec_would_be_done():
    worker = EncodeWorker(lambda codec: open_encoder(codec, SIZE), TakesLong())
    _encoded(worker, 1_000)

    assert worker.next_result_us() == 101_000
    assert worker.poll(100_999) is None
    result = worker.poll(101_000)
    assert result.is_key
    assert result.encode_time_us == 100_000
    assert worker.next_result_us() is None
    worker.close()


def test_of_two_encodes_of_a_picture_the_one_that_is_sent_is_handed_out():
    worker = EncodeWorker(lambda codec: open_encoder(codec, SIZE), TakesLong())
    results = []
    for attempt in (0, 1):
        _encoded(worker, attempt * 100_000, attempt=attempt)
        results.append(worker.poll((attempt + 1) * 100_000))

    assert [result.attempt for result in results] == [0, 1]
    assert worker.commit(CommitEncode(frame_id=0, attempt=0)) is results[0]
    worker.close()


def test_a_decoder_takes_frames_one_after_another():
    encoder = EncodeWorker(lambda codec: open_encoder(codec, SIZE), TakesLong())
    _encoded(encoder, 0)
    payload = encoder.poll(100_000).payload
    encoder.close()
    complete = CompleteStream(open_decoder)
    worker = DecodeWorker(open_decoder, TakesLong(), complete)
    for frame_id in (0, 1):
        metadata = FrameMetadata(
            frame_id=frame_id, codec=Codec.AV1, frame_type=FrameType.KEY, references=(), rtp_timestamp=0
        )
        worker.order(DecodeFrame(frame=EncodedFrame(metadata=metadata, payload=payload)), 0)

    assert worker.poll(40_000).frame_id == 0
    assert worker.next_result_us() == 80_000
    assert worker.poll(80_000).frame_id == 1
    worker.close()
    complete.close()


def test_a_frame_the_decoder_refuses_comes_back_without_a_size():
    complete = CompleteStream(open_decoder)
    worker = DecodeWorker(open_decoder, TakesLong(), complete)
    metadata = FrameMetadata(frame_id=3, codec=Codec.AV1, frame_type=FrameType.KEY, references=(), rtp_timestamp=0)
    worker.order(DecodeFrame(frame=EncodedFrame(metadata=metadata, payload=b"\x12\x00\xff\xff")), 5)

    assert worker.poll(5).size is None
    worker.close()
    complete.close()


def test_a_codec_slower_than_the_camera_drops_captured_frames(monkeypatch):
    monkeypatch.setattr(assembly, "codec_timing", lambda _scenario: TakesLong())

    frames = small_direction(duration=2).frames

    dropped = [frame for frame in frames if frame.drop_reason is DropReason.ENCODER_BUSY]
    assert len(dropped) > len(frames) / 2
    assert sum(frame.displayed_at_us is not None for frame in frames) >= 18


def test_what_the_call_ended_before_counts_as_dropped(monkeypatch):
    monkeypatch.setattr(assembly, "codec_timing", lambda _scenario: TakesForEver())

    frames = small_direction(duration=1).frames

    ended = [frame.capture_index for frame in frames if frame.drop_reason is DropReason.CALL_ENDED]
    assert ended == [0, 29]  # the one in the encoder and the newest behind it
    assert all(frame.drop_reason is DropReason.ENCODER_BUSY for frame in frames[1:29])
