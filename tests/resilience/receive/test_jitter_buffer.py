import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from resilience.receive.jitter_buffer import MAX_FRAMES, JitterBuffer, JitterBufferConfig
from resilience.receive.playout_clock import capture_time_us
from rtc.values.errors import LocalMisuse
from tests.resilience.made_up_stream import TICKS_PER_FRAME, assembled

PATH_US = 40_000


def frame_after(frame_id, transit_us=PATH_US, references=None, **described):
    return assembled(frame_id, references, now_us=capture_time_us(frame_id * TICKS_PER_FRAME) + transit_us, **described)


def decode(buffer, frame):
    buffer.on_frame_decodable(frame)
    buffer.on_frame_decoded(frame.metadata.frame_id)


def with_history(*, jitter_us=0, config=None):
    """A buffer that has shown 60 frames, every other one late by `jitter_us`."""
    buffer = JitterBuffer(config)
    for frame_id in range(60):
        frame = frame_after(frame_id, PATH_US + jitter_us * (frame_id % 2), ())
        decode(buffer, frame)
        buffer.poll_display(frame.assembled_at_us + jitter_us)
    while buffer.poll_superseded() is not None:
        pass
    return buffer


def test_on_a_path_without_jitter_a_frame_is_shown_as_soon_as_it_is_decoded():
    buffer = with_history()
    frame = frame_after(60)
    buffer.on_frame_decodable(frame)
    assert buffer.poll_display(frame.assembled_at_us) is None
    buffer.on_frame_decoded(60)
    assert buffer.next_timeout_us() == frame.assembled_at_us
    assert buffer.poll_display(frame.assembled_at_us) == 60
    assert buffer.next_timeout_us() is None


def test_with_jitter_an_early_frame_waits_for_its_playout_time():
    buffer = with_history(jitter_us=30_000)
    frame = frame_after(60)
    assert buffer.playout_time_us(frame) == frame.assembled_at_us + 30_000
    assert buffer.decode_deadline_us(frame) == frame.assembled_at_us + 20_000
    decode(buffer, frame)
    assert buffer.next_timeout_us() == frame.assembled_at_us + 30_000
    assert buffer.poll_display(frame.assembled_at_us + 29_999) is None
    assert buffer.poll_display(frame.assembled_at_us + 30_000) == 60


def test_a_late_frame_is_shown_at_once():
    buffer = with_history(jitter_us=30_000)
    frame = frame_after(60, PATH_US + 200_000)
    decode(buffer, frame)
    assert buffer.poll_display(frame.assembled_at_us) == 60


def test_of_several_due_frames_only_the_newest_is_shown():
    buffer = with_history()
    for frame_id in (60, 61, 62):
        decode(buffer, frame_after(frame_id))
    assert buffer.poll_display(10_000_000) == 62
    assert buffer.poll_display(10_000_000) is None
    assert [buffer.poll_superseded() for _ in range(3)] == [60, 61, None]


def test_a_frame_decoded_after_a_newer_one_was_shown_is_superseded():
    buffer = with_history()
    buffer.on_frame_decodable(frame_after(60))
    decode(buffer, frame_after(61))
    assert buffer.poll_display(10_000_000) == 61
    buffer.on_frame_decoded(60)
    assert buffer.poll_display(10_000_000) is None
    assert buffer.poll_superseded() == 60


def test_a_refused_frame_is_never_shown():
    buffer = with_history()
    decode(buffer, frame_after(60))
    buffer.on_frame_decodable(frame_after(61))
    buffer.on_frame_refused(60)
    buffer.on_frame_refused(61)
    buffer.on_frame_decoded(61)
    assert buffer.poll_display(10_000_000) is None


def late_by_repair(buffer):
    """Every fourth frame waits 80 ms for a retransmission and keeps the next two waiting with it."""
    for frame_id in range(60, 180):
        lost = frame_id % 4 == 0
        decode(buffer, frame_after(frame_id, PATH_US + 80_000 * lost, retransmissions=int(lost)))
        buffer.poll_display(10_000_000)


def test_the_delay_grows_to_cover_frequent_repair_also_of_references():
    buffer = with_history()
    late_by_repair(buffer)
    assert buffer.target_delay_us == 80_000


def test_without_protection_repair_adds_no_delay():
    buffer = with_history(config=JitterBufferConfig(protect_retransmissions=False))
    late_by_repair(buffer)
    assert buffer.target_delay_us == 0


def test_the_delay_from_first_packet_to_screen_is_summed():
    buffer = JitterBuffer()
    frame = frame_after(0)
    decode(buffer, frame)
    buffer.poll_display(frame.assembled_at_us + 700)
    assert (buffer.jitter_buffer_delay_us, buffer.jitter_buffer_emitted_count) == (700, 1)


def test_frames_nobody_shows_are_bounded():
    buffer = JitterBuffer()
    for frame_id in range(MAX_FRAMES + 5):
        decode(buffer, frame_after(frame_id))
    for frame_id in range(1_000, 1_000 + MAX_FRAMES + 5):
        buffer.on_frame_decodable(frame_after(frame_id))
    assert [buffer.poll_superseded() for _ in range(11)] == [0, 1, 2, 3, 4, 1000, 1001, 1002, 1003, 1004, None]


def test_an_impossible_configuration_is_refused():
    with pytest.raises(LocalMisuse):
        JitterBufferConfig(decode_margin_us=-1)


class JitterBufferMachine(RuleBasedStateMachine):
    """Shows in order, each frame once, never before it was decoded; accounts for every decoded frame."""

    @initialize()
    def begin(self):
        self.buffer = JitterBuffer()
        self.now_us = PATH_US
        self.next_id = 0
        self.decoding = []
        self.pending = set()
        self.last_shown = -1

    @rule(ahead=st.integers(1, 3), wait_us=st.integers(0, 60_000), skew=st.integers(-30_000, 30_000))
    def feed(self, ahead, wait_us, skew):
        self.now_us += wait_us
        self.next_id += ahead
        frame = assembled(self.next_id, (self.next_id - 1,), now_us=self.now_us + skew)
        self.buffer.on_frame_decodable(frame)
        self.decoding.append(self.next_id)

    @rule()
    def decoded(self):
        if self.decoding:
            frame_id = self.decoding.pop(0)
            self.pending.add(frame_id)
            self.buffer.on_frame_decoded(frame_id)

    @rule()
    def refused(self):
        if self.decoding:
            self.buffer.on_frame_refused(self.decoding.pop(0))

    @rule(wait_us=st.integers(0, 100_000))
    def display(self, wait_us):
        self.now_us += wait_us
        shown = self.buffer.poll_display(self.now_us)
        if shown is not None:
            assert shown in self.pending
            assert shown > self.last_shown
            self.last_shown = shown
            self.pending.remove(shown)
        while (superseded := self.buffer.poll_superseded()) is not None:
            self.pending.remove(superseded)

    @rule()
    def waits_to_be_shown_no_longer_than_the_timeout(self):
        due_us = self.buffer.next_timeout_us()
        if due_us is not None:
            self.now_us = max(self.now_us, due_us)
            self.display(0)

    @invariant()
    def has_a_timeout_exactly_while_a_decoded_frame_waits(self):
        assert (self.buffer.next_timeout_us() is not None) == bool(
            {frame_id for frame_id in self.pending if frame_id > self.last_shown}
        )


TestJitterBufferMachine = JitterBufferMachine.TestCase
TestJitterBufferMachine.settings = settings(max_examples=60)
