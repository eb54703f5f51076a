"""Pictures encoded more than once on real codecs: what is shown is what was sent, whichever encode that was."""

import pytest

from clips.catalogue import open_clip
from rtc.call.reference_planning import ReferencePlanner
from rtc.codecs.av1_scaling import coded_sizes
from rtc.codecs.interface import open_decoder, open_encoder
from rtc.metrics.direction_summary import summarise_direction
from rtc.metrics.quality import psnr_y_db
from rtc.values.encoding import ConstantQuantizer, FrameEncodeSettings
from rtc.values.formats import Codec, FrameSize
from rtc.values.randomness import RandomStream
from rtc.values.trace_events import DecisionKind, DropReason
from tests.support.calls import small_direction
from tests.support.scripted_rate import ScriptedRate, put_in


@pytest.mark.parametrize("candidates", [1, 2])
@pytest.mark.parametrize("loss", ["0", "5%"])
@pytest.mark.parametrize("clip", ["scene_cut", "motion"])
def test_pictures_too_large_are_encoded_again_and_nothing_drifts(clip, loss, candidates):
    direction = small_direction(
        codec="av1", clip=clip, loss=loss, nack=False, candidates=candidates, target_kbps=40, seed=3
    )

    summary = summarise_direction(direction)
    assert summary.frames_encoded_again > 0
    assert summary.frames_drifted == 0
    assert summary.frames_displayed > 0


@pytest.mark.parametrize("codec", ["av1", "h264"])
@pytest.mark.parametrize("loss", ["0", "5%"])
def test_a_key_frame_too_large_at_the_coarsest_quantizer_is_sent_smaller_and_nothing_drifts(codec, loss):
    direction = small_direction(
        codec=codec, clip="motion", size="320x180", fps=15, loss=loss, network="perfect", target_kbps=30, seed=3
    )

    summary = summarise_direction(direction)
    first = direction.frames[0]
    assert first.encoded_bytes * 8 < 30_000 * 0.150
    assert direction.decisions[0].kind is DecisionKind.RESOLUTION
    assert summary.frames_drifted == 0
    assert summary.frames_displayed > 40


@pytest.mark.parametrize("loss", ["0", "5%"])
def test_any_encode_that_the_slots_still_hold_may_be_sent(monkeypatch, loss):
    draws = RandomStream.of_seed(4)
    rate = ScriptedRate(lambda _n: draws.randint(1, 3))
    rate.review = lambda plan, bits, review=rate.review: review(plan, bits) if draws.random() < 0.7 else None
    rate.chosen = lambda attempts: draws.randrange(len(attempts))
    put_in(monkeypatch, rate)

    direction = small_direction(codec="av1", clip="motion", loss=loss, nack=False, candidates=2, capacity_kbps=2_000)

    summary = summarise_direction(direction)
    assert summary.frames_encoded_again > 40
    assert len({attempt for attempt, _bits in rate.committed}) == 3
    assert summary.frames_drifted == 0
    assert summary.freeze_count == 0 or loss != "0"


def test_the_time_of_a_frame_is_that_of_all_its_encodes(monkeypatch):
    put_in(monkeypatch, ScriptedRate(lambda n: 3 if n == 10 else 1))

    frames = small_direction(codec="av1", clip="motion", network="perfect").frames

    once, thrice = frames[9], frames[10]
    assert (once.encodes, thrice.encodes) == (1, 3)
    assert thrice.encode_time_us > 2 * once.encode_time_us
    assert thrice.encoded_at_us - thrice.captured_at_us == thrice.encode_time_us


def test_pictures_left_out_on_purpose_are_dropped_and_the_decision_is_told_once(monkeypatch):
    put_in(monkeypatch, ScriptedRate(lambda n: 0 if 20 <= n < 26 else 1))

    direction = small_direction(codec="av1", network="perfect", quality=True)

    dropped = [frame.capture_index for frame in direction.frames if frame.drop_reason is DropReason.RATE_CONTROL]
    assert dropped == list(range(20, 26))
    assert [decision.kind for decision in direction.decisions] == [DecisionKind.FRAME_DROP]
    assert summarise_direction(direction).frames_drifted == 0
    assert all(direction.frames[index].psnr_with_freeze_db is not None for index in dropped)


@pytest.mark.parametrize("is_resized_again", [False, True])
def test_sizes_and_encodes_in_any_order_make_a_stream_that_decodes_to_the_pictures(is_resized_again):
    size = FrameSize(320, 180)
    sizes = [one for one in coded_sizes(size) if one.width >= size.width // 2]
    draws = RandomStream.of_seed(9)
    planner = ReferencePlanner(spares=2)
    encodes = 0
    with (
        open_clip("talking_head", size=size, fps=30, seed=1) as clip,
        open_encoder(Codec.AV1, size) as encoder,
        open_decoder(Codec.AV1) as decoder,
    ):
        for frame_id in range(150):
            picture, coded = clip.frame(frame_id), draws.choice(sizes)
            plan, attempts = planner.plan(key=frame_id % 60 == 0, size=coded), []
            while plan is not None:
                encoded = encoder.encode(picture, _settings(plan, quantizer=draws.randint(10, 30)))
                encodes += 1
                planner.on_encoded(plan)
                attempts = [kept for kept in attempts if kept[0].update_slots.isdisjoint(plan.update_slots)]
                attempts.append((plan, encoded))
                plan = (
                    planner.again(plan, _next_size(draws, sizes, plan, is_resized_again))
                    if draws.random() < 0.5
                    else None
                )
            chosen, encoded = draws.choice(attempts)
            coded = chosen.size
            planner.commit(chosen, frame_id)
            decoded = decoder.decode(encoded.payload)
            assert decoded is not None, f"frame {frame_id}, coded as {coded}, is refused"
            assert decoded.size == coded
            if coded == size:
                assert psnr_y_db(picture, decoded) > 30, f"frame {frame_id} is not its picture"
    assert encodes > 200


def _next_size(draws, sizes, plan, is_resized_again):
    return draws.choice(sizes) if is_resized_again else plan.size


def _settings(plan, *, quantizer):
    return FrameEncodeSettings(
        encode_as=plan.encode_as,
        rate=ConstantQuantizer(quantizer=quantizer),
        references=plan.references,
        update_slots=plan.update_slots,
        coded_size=plan.size,
        speed=10,
        duration_us=33_333,
    )
