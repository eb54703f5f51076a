import pytest
from hypothesis import given
from hypothesis import strategies as st

from resilience.receive.decodable_frames import DecodableFrames, DecodableFramesConfig, SkippedFrame
from rtc.values.errors import LocalMisuse
from rtc.values.formats import Codec
from rtc.values.frames import FrameType
from rtc.values.trace_events import SkipReason
from tests.resilience.made_up_stream import assembled


def drain(frames, now_us=0):
    fed = []
    while (frame := frames.poll_decodable(now_us)) is not None:
        fed.append(frame.metadata.frame_id)
    return fed


def skipped(frames):
    found = []
    while (skip := frames.poll_skipped()) is not None:
        found.append((skip.frame_id, skip.reason))
    return found


def feed(frames, *given, now_us=0, hold_until_us=None):
    fed = []
    for frame in given:
        frames.on_frame(frame, now_us, hold_until_us=hold_until_us)
        fed += drain(frames, now_us)
    return fed


def test_a_chain_in_order_is_fed_as_it_comes():
    frames = DecodableFrames()
    assert feed(frames, *map(assembled, range(5))) == [0, 1, 2, 3, 4]
    assert skipped(frames) == []
    assert not frames.is_stuck


def test_a_frame_waits_for_the_one_it_refers_to():
    frames = DecodableFrames()
    assert feed(frames, assembled(0), assembled(2), assembled(3)) == [0]
    assert frames.is_stuck
    assert not frames.is_waiting_for_key()
    assert feed(frames, assembled(1)) == [1, 2, 3]
    assert not frames.is_stuck


def test_nothing_is_fed_before_the_first_key_frame():
    frames = DecodableFrames()
    assert feed(frames, assembled(1), assembled(2)) == []
    assert frames.is_waiting_for_key()
    assert frames.is_stuck
    assert feed(frames, assembled(0)) == [0, 1, 2]
    assert not frames.is_waiting_for_key()


def test_a_key_frame_leaves_older_frames_behind():
    frames = DecodableFrames()
    assert feed(frames, assembled(0), assembled(2), assembled(5, ())) == [0, 5]
    assert skipped(frames) == [(2, SkipReason.REFERENCES_MISSING)]
    assert feed(frames, assembled(1)) == []
    assert skipped(frames) == [(1, SkipReason.SUPERSEDED)]


def test_nothing_after_a_key_frame_may_refer_to_what_was_before_it():
    frames = DecodableFrames()
    assert feed(frames, assembled(0), assembled(1), assembled(2, ()), assembled(3, (1,)), assembled(4, (2,))) == [
        0,
        1,
        2,
        4,
    ]
    assert skipped(frames) == [(3, SkipReason.REFERENCES_MISSING)]


def test_a_recovery_frame_is_fed_although_frames_before_it_are_missing():
    frames = DecodableFrames()
    feed(frames, assembled(0, ltr=True), assembled(1))
    recovery = assembled(9, (0,), frame_type=FrameType.RECOVERY)
    assert feed(frames, assembled(4), recovery, assembled(10)) == [9, 10]
    assert skipped(frames) == [(4, SkipReason.REFERENCES_MISSING)]


def test_what_refers_to_a_frame_passed_over_is_hopeless_and_so_is_what_is_built_on_it():
    frames = DecodableFrames()
    assert feed(frames, assembled(0), assembled(3, (0,)), assembled(4, (2,)), assembled(5, (4,))) == [0, 3]
    assert skipped(frames) == [(4, SkipReason.REFERENCES_MISSING), (5, SkipReason.REFERENCES_MISSING)]
    assert frames.is_waiting_for_key()
    assert feed(frames, assembled(6, (3,))) == [6]
    assert not frames.is_waiting_for_key()


def test_a_frame_behind_which_an_enhancement_frame_may_yet_come_is_held_until_its_deadline():
    frames = DecodableFrames()
    feed(frames, assembled(0))
    assert feed(frames, assembled(2, (0,)), now_us=10, hold_until_us=50) == []
    assert frames.next_timeout_us() == 50
    assert not frames.is_stuck
    assert drain(frames, 49) == []
    assert drain(frames, 50) == [2]
    assert frames.next_timeout_us() is None


def test_a_held_frame_is_fed_as_soon_as_what_it_waited_for_has_come():
    frames = DecodableFrames()
    feed(frames, assembled(0))
    feed(frames, assembled(2, (0,)), hold_until_us=50)
    assert feed(frames, assembled(1, (0,), layer=1), now_us=20) == [1, 2]


def test_a_frame_that_follows_the_last_fed_one_on_the_wire_is_never_held():
    frames = DecodableFrames()
    feed(frames, assembled(0))
    assert feed(frames, assembled(7, (0,), first_sequence=1), hold_until_us=50) == [7]


def test_a_frame_is_not_held_for_frames_known_to_be_hopeless():
    frames = DecodableFrames()
    feed(frames, assembled(0), assembled(2, (0,)))
    assert feed(frames, assembled(3, (1,)), assembled(4, (2,)), hold_until_us=50) == [4]


def test_a_refused_frame_takes_those_built_on_it_along():
    frames = DecodableFrames()
    feed(frames, assembled(0), assembled(1), assembled(2, (0,)), assembled(3, (1,)))
    assert frames.on_decode_failed(1) == (3,)
    assert skipped(frames) == [(1, SkipReason.DECODER_REFUSED), (3, SkipReason.REFERENCES_MISSING)]
    assert frames.on_decode_failed(3) == ()
    assert feed(frames, assembled(4, (3,)), assembled(5, (2,))) == [5]


def test_after_a_refused_key_frame_only_another_key_frame_helps():
    frames = DecodableFrames()
    feed(frames, assembled(0), assembled(1))
    assert frames.on_decode_failed(0) == (1,)
    assert frames.is_waiting_for_key()
    assert feed(frames, assembled(2), assembled(5, ()), hold_until_us=99) == [5]


def test_a_refusal_found_out_after_a_new_key_frame_still_taints_frames_before_it():
    frames = DecodableFrames()
    feed(frames, assembled(0), assembled(1), assembled(2, ()), assembled(3))
    assert frames.on_decode_failed(0) == (1,)
    assert feed(frames, assembled(4)) == [4]


def test_another_codec_begins_with_a_key_frame():
    frames = DecodableFrames()
    feed(frames, assembled(0))
    assert feed(frames, assembled(1, codec=Codec.H264)) == []
    assert feed(frames, assembled(2, (), codec=Codec.H264), assembled(3, codec=Codec.H264)) == [2, 3]


@pytest.mark.parametrize(
    "impossible",
    [
        assembled(5, (5,)),
        assembled(5, (6,)),
        assembled(5, (-1,)),
        assembled(5, (), frame_type=FrameType.DELTA),
        assembled(5, (4,), frame_type=FrameType.KEY),
    ],
)
def test_impossible_references_are_counted_and_never_fed(impossible):
    frames = DecodableFrames()
    assert feed(frames, assembled(4, ()), impossible) == [4]
    assert frames.frames_invalid == 1
    assert skipped(frames) == [(5, SkipReason.REFERENCES_MISSING)]


def test_frames_given_twice_are_fed_once():
    frames = DecodableFrames()
    assert feed(frames, assembled(0), assembled(0), assembled(1), assembled(0), assembled(1)) == [0, 1]
    assert skipped(frames) == []


@pytest.mark.parametrize("config", [DecodableFramesConfig(max_frames=3), DecodableFramesConfig(max_bytes=3)])
def test_waiting_frames_are_bounded_the_oldest_giving_way(config):
    frames = DecodableFrames(config)
    assert feed(frames, *(assembled(frame_id, (0,)) for frame_id in range(1, 8))) == []
    assert len(frames) == 3
    assert [skip for skip, _ in skipped(frames)] == [1, 2, 3, 4]


def test_what_is_built_on_a_frame_that_gave_way_gives_way_with_it():
    frames = DecodableFrames(DecodableFramesConfig(max_frames=3))
    feed(frames, *map(assembled, range(1, 5)))
    assert [skip for skip, _ in skipped(frames)] == [1, 2, 3, 4]
    assert feed(frames, assembled(0)) == [0]


def test_references_are_remembered_over_a_long_call_and_long_term_ones_longer():
    frames = DecodableFrames()
    feed(frames, assembled(0, ltr=True), *map(assembled, range(1, 5_000)))
    assert feed(frames, assembled(5_000, (0,)), assembled(5_001, (4_000,)), assembled(5_002, (500,))) == [5_000, 5_001]


def test_an_impossible_configuration_is_refused():
    with pytest.raises(LocalMisuse):
        DecodableFramesConfig(max_bytes=0)


def test_skipped_frames_are_values():
    skip = SkippedFrame(frame_id=1, reason=SkipReason.SUPERSEDED)
    assert skip == SkippedFrame(frame_id=1, reason=SkipReason.SUPERSEDED)


@st.composite
def streams(draw):
    """Frames of a stream with keys, skips back, and two layers, as the sender made them."""
    stream = []
    for frame_id in range(draw(st.integers(1, 25))):
        if frame_id == 0 or draw(st.integers(0, 9)) == 0:
            references = ()
        else:
            references = draw(st.lists(st.integers(max(0, frame_id - 6), frame_id - 1), min_size=1, max_size=3))
        stream.append(assembled(frame_id, references, ltr=draw(st.booleans())))
    return stream


@given(streams(), st.data())
def test_a_frame_is_fed_only_after_all_it_refers_to_and_none_of_that_was_refused(stream, data):
    came = data.draw(st.lists(st.sampled_from(stream), max_size=60))
    holds = data.draw(st.lists(st.integers(0, 30), min_size=len(came), max_size=len(came)))
    frames = DecodableFrames(DecodableFramesConfig(max_frames=8))
    good, bad, last = set(), set(), -1
    for now_us, (frame, hold_us) in enumerate(zip(came, holds, strict=True)):
        frames.on_frame(frame, now_us, hold_until_us=now_us + hold_us)
        while (fed := frames.poll_decodable(now_us)) is not None:
            frame_id = fed.metadata.frame_id
            assert frame_id > last
            assert good.issuperset(fed.metadata.references)
            last = frame_id
            if fed.metadata.frame_type is FrameType.KEY:
                good.clear()
            good.add(frame_id)
            if data.draw(st.integers(0, 9)) == 0:
                refused = {frame_id, *frames.on_decode_failed(frame_id)}
                good -= refused
                bad |= refused
        assert len(frames) <= 8
    told = [frame_id for frame_id, _ in skipped(frames)]
    assert good.isdisjoint(told)
    assert bad.issubset(told)


@given(streams(), st.randoms(use_true_random=False))
def test_with_every_frame_here_in_any_order_nothing_newer_than_the_last_key_frame_is_left_out(stream, shuffle):
    order = list(stream)
    shuffle.shuffle(order)
    frames = DecodableFrames()
    fed = feed(frames, *order, hold_until_us=10_000)
    fed += drain(frames, 10_000)
    assert fed == sorted(set(fed))
    last_key = max(frame.metadata.frame_id for frame in stream if frame.metadata.frame_type is FrameType.KEY)
    reachable = {last_key}
    for frame in stream[last_key + 1 :]:
        if reachable.issuperset(frame.metadata.references):
            reachable.add(frame.metadata.frame_id)
    assert reachable.issubset(fed)
