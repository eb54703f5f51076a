"""The drift check, with real codecs fed what a careless receiver would feed them."""

import dataclasses

import pytest

from clips.catalogue import open_clip
from rtc.call.outputs import DecodeFrame
from rtc.call.reference_planning import ReferencePlanner
from rtc.codecs.interface import open_decoder, open_encoder
from rtc.sim import complete_stream
from rtc.sim.codec_cost import CodecCostModel
from rtc.sim.codec_timing import MeasuredTiming, ModelledTiming
from rtc.sim.codec_worker import DecodeWorker, picture_of
from rtc.sim.complete_stream import CompleteStream
from rtc.values.encoding import ConstantQuantizer, EncodeResult, FrameEncodeSettings
from rtc.values.errors import CodecError
from rtc.values.formats import Codec, FrameSize
from rtc.values.frames import EncodedFrame, FrameMetadata, FrameType, VideoFrame

SIZE = FrameSize(160, 96)
QUANTIZER = {Codec.AV1: 40, Codec.H264: 34}
MODELLED = ModelledTiming(CodecCostModel.load())


def _results(codec, frames=12, keys=(0,)):
    planner = ReferencePlanner()
    results = []
    with open_clip("motion", size=SIZE, fps=30, seed=1) as clip, open_encoder(codec, SIZE) as encoder:
        for frame_id in range(frames):
            plan = planner.plan(key=frame_id in keys, size=SIZE)
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
            results.append(
                EncodeResult(
                    frame_id=frame_id,
                    codec=codec,
                    settings=settings,
                    payload=encoded.payload,
                    is_key=encoded.is_key,
                    quantizer=encoded.quantizer,
                    encode_time_us=0,
                )
            )
    return results


def _order(result):
    metadata = FrameMetadata(
        frame_id=result.frame_id,
        codec=result.codec,
        frame_type=FrameType.KEY if result.is_key else FrameType.DELTA,
        references=() if result.is_key else (result.frame_id - 1,),
        rtp_timestamp=result.frame_id * 3000,
    )
    return DecodeFrame(frame=EncodedFrame(metadata=metadata, payload=result.payload))


def _watch(results, fed, timing=MODELLED):
    """Feed a decode worker the frames of `fed` only and show each; which drifted, and the pictures shown."""
    complete = CompleteStream(open_decoder)
    worker = DecodeWorker(open_decoder, timing, complete)
    shown = {}
    for result in results:
        complete.on_encoded(result)
        if result.frame_id not in fed:
            continue
        worker.order(_order(result), 0)
        if worker.poll(10**9).size is not None:
            shown[result.frame_id] = picture_of(worker.take_picture(result.frame_id))
    drifted = complete.drifted()
    worker.close()
    complete.close()
    return drifted, shown


def _alone(results, fed):
    """The pictures of a decoder of its own that is fed these frames."""
    with open_decoder(results[0].codec) as decoder:
        return {result.frame_id: decoder.decode(result.payload) for result in results if result.frame_id in fed}


@pytest.mark.parametrize("codec", list(Codec))
@pytest.mark.parametrize("timing", [MODELLED, MeasuredTiming()])
def test_a_receiver_that_is_fed_everything_shows_what_its_own_decoder_would(codec, timing):
    results = _results(codec)

    drifted, shown = _watch(results, range(12), timing)

    assert drifted == frozenset()
    assert _bytes(shown) == _bytes(_alone(results, range(12)))


def test_feeding_a_frame_whose_reference_was_lost_is_found_out():
    results = _results(Codec.AV1)
    fed = [0, 1, 2, 3, 6, 7, 8]

    drifted, shown = _watch(results, fed)

    assert drifted == {6, 7, 8}
    assert _bytes(shown) == _bytes(_alone(results, fed))


@pytest.mark.parametrize("codec", list(Codec))
def test_going_on_from_a_key_frame_after_a_loss_is_no_drift(codec):
    results = _results(codec, keys=(0, 8))
    fed = [0, 1, 2, 3, 8, 9, 10, 11]

    drifted, shown = _watch(results, fed)

    assert drifted == frozenset()
    assert _bytes(shown) == _bytes(_alone(results, fed))


def test_a_changed_payload_is_found_out():
    results = _results(Codec.AV1, keys=(0, 6))
    complete = CompleteStream(open_decoder)
    worker = DecodeWorker(open_decoder, MODELLED, complete)
    for result in results:
        complete.on_encoded(result)
    worker.order(_order(dataclasses.replace(results[0], payload=results[6].payload)), 0)
    worker.take_picture(0)

    assert complete.drifted() == {0}
    worker.close()
    complete.close()


def test_pictures_put_away_are_still_compared(monkeypatch):
    monkeypatch.setattr(complete_stream, "MAX_PICTURES", 3)
    results = _results(Codec.AV1, frames=20)
    complete = CompleteStream(open_decoder)
    worker = DecodeWorker(open_decoder, MODELLED, complete)
    for result in results:
        complete.on_encoded(result)
    for result in results[:10]:
        worker.order(_order(result), 0)
        assert isinstance(worker.take_picture(result.frame_id), VideoFrame)

    assert complete.drifted() == frozenset()
    worker.close()
    complete.close()


def test_a_decoder_that_refuses_the_complete_stream_ends_the_call():
    results = _results(Codec.AV1, frames=2)
    complete = CompleteStream(open_decoder)
    complete.on_encoded(dataclasses.replace(results[1], frame_id=0))

    with pytest.raises(CodecError, match="refused frame 0"):
        complete.drifted()
    complete.close()


def test_a_refusal_followed_by_good_frames_is_not_forgotten():
    results = _results(Codec.AV1, frames=8, keys=(0, 4))
    complete = CompleteStream(open_decoder)
    for result in (results[0], dataclasses.replace(results[1], payload=b"\x12\x00\xff\xff"), *results[4:]):
        complete.on_encoded(result)
    complete.forget_before(6)

    with pytest.raises(CodecError, match="refused frame 1"):
        complete.drifted()
    complete.close()


def test_the_call_waits_where_it_runs_too_far_ahead_and_hears_of_a_refusal_then():
    results = _results(Codec.AV1, frames=complete_stream.MAX_PENDING + 1)
    complete = CompleteStream(open_decoder)
    complete.on_encoded(dataclasses.replace(results[0], payload=b"\x12\x00\xff\xff"))

    for result in results[1 : complete_stream.MAX_PENDING]:
        complete.on_encoded(result)
        complete.forget_before(result.frame_id)

    with pytest.raises(CodecError, match="refused frame 0"):
        complete.on_encoded(results[complete_stream.MAX_PENDING])
    complete.close()


def _bytes(pictures):
    return {frame_id: bytes(picture.data) for frame_id, picture in pictures.items()}
