"""The drift check, with real codecs fed what a careless receiver would feed them."""

import pytest

from clips.catalogue import open_clip
from rtc.call.reference_planning import ReferencePlanner
from rtc.codecs.interface import open_decoder, open_encoder
from rtc.sim.drift import DriftChecker
from rtc.values.encoding import ConstantQuantizer, FrameEncodeSettings
from rtc.values.formats import Codec, FrameSize
from rtc.values.frames import EncodedFrame, FrameMetadata, FrameType

SIZE = FrameSize(160, 96)
QUANTIZER = {Codec.AV1: 40, Codec.H264: 34}


def _stream(codec, frames=12, keys=(0,)):
    planner = ReferencePlanner()
    stream = []
    with open_clip("motion", size=SIZE, fps=30, seed=1) as clip, open_encoder(codec, SIZE) as encoder:
        for frame_id in range(frames):
            plan = planner.plan(key=frame_id in keys)
            settings = FrameEncodeSettings(
                encode_as=plan.encode_as,
                rate=ConstantQuantizer(quantizer=QUANTIZER[codec]),
                references=plan.references,
                update_slots=plan.update_slots,
                coded_size=SIZE,
                speed=10 if codec is Codec.AV1 else 2,
                duration_us=33_333,
            )
            encoded = encoder.encode(clip.frame(frame_id), settings)
            planner.commit(plan, frame_id)
            metadata = FrameMetadata(
                frame_id=frame_id,
                codec=codec,
                frame_type=FrameType.KEY if encoded.is_key else FrameType.DELTA,
                references=plan.reference_frame_ids,
                rtp_timestamp=frame_id * 3000,
            )
            stream.append(EncodedFrame(metadata=metadata, payload=encoded.payload))
    return stream


def _watch(stream, fed):
    """Feed a decoder the frames of `fed` only; what the checker says."""
    checker = DriftChecker()
    codec = stream[0].metadata.codec
    with open_decoder(codec) as decoder:
        for frame in stream:
            frame_id = frame.metadata.frame_id
            is_key = frame.metadata.frame_type is FrameType.KEY
            checker.on_encoded(frame_id, codec, frame.payload, is_key=is_key)
            if frame_id not in fed:
                continue
            checker.on_decoder_input(frame)
            picture = decoder.decode(frame.payload)
            if picture is not None:
                checker.on_shown(frame_id, picture)
    return checker.drifted(open_decoder)


@pytest.mark.parametrize("codec", list(Codec))
def test_a_receiver_that_is_fed_everything_shows_no_drift(codec):
    assert _watch(_stream(codec), fed=range(12)) == frozenset()


def test_feeding_a_frame_whose_reference_was_lost_is_found_out():
    drifted = _watch(_stream(Codec.AV1), fed=[0, 1, 2, 3, 6, 7, 8])

    assert drifted == {6, 7, 8}


@pytest.mark.parametrize("codec", list(Codec))
def test_going_on_from_a_key_frame_after_a_loss_is_no_drift(codec):
    stream = _stream(codec, keys=(0, 8))

    assert _watch(stream, fed=[0, 1, 2, 3, 8, 9, 10, 11]) == frozenset()


def test_a_changed_payload_is_found_out():
    stream = _stream(Codec.AV1, keys=(0, 6))
    checker = DriftChecker()
    with open_decoder(Codec.AV1) as decoder:
        for frame in stream:
            is_key = frame.metadata.frame_type is FrameType.KEY
            checker.on_encoded(frame.metadata.frame_id, Codec.AV1, frame.payload, is_key=is_key)
        swapped = EncodedFrame(metadata=stream[0].metadata, payload=stream[6].payload)
        checker.on_decoder_input(swapped)
        checker.on_shown(0, decoder.decode(swapped.payload))

    assert checker.drifted(open_decoder) == {0}


def test_a_frame_decoded_before_the_loss_and_shown_after_it_counts_as_checked():
    stream = _stream(Codec.AV1, keys=(0, 5))
    checker = DriftChecker()
    pictures = {}
    with open_decoder(Codec.AV1) as decoder:
        for frame in stream[:5]:
            checker.on_encoded(frame.metadata.frame_id, Codec.AV1, frame.payload, is_key=frame is stream[0])
            checker.on_decoder_input(frame)
            pictures[frame.metadata.frame_id] = decoder.decode(frame.payload)
        for frame in stream[5:7]:
            checker.on_encoded(frame.metadata.frame_id, Codec.AV1, frame.payload, is_key=frame is stream[5])
        checker.on_decoder_input(stream[6])  # frame 5 was lost
        checker.on_shown(4, pictures[4])

    assert checker.drifted(open_decoder) == frozenset()
