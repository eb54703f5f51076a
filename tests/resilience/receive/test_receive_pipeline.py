"""The receive-side objects wired as a receiver wires them, against a made-up sender and a path with loss and jitter."""

import heapq
from dataclasses import dataclass, field, replace

import pytest

from resilience.nack.retransmission_buffer import RetransmissionBuffer
from resilience.nack.tracker import NackTracker
from resilience.receive.decodable_frames import DecodableFrames
from resilience.receive.frame_assembler import FrameAssembler
from resilience.receive.freeze_detector import freezes
from resilience.receive.jitter_buffer import JitterBuffer
from resilience.receive.keyframe_requester import KeyFrameRequestConfig, KeyFrameRequester
from rtc.values.frames import FrameType
from rtc.values.randomness import RandomStream
from tests.resilience.made_up_stream import FRAME_US, metadata, packets_of

ENCODE_US, DECODE_US = 5_000, 1_000


@dataclass
class Call:
    """One direction: a frame each 1/30 s, `packets` a delta frame and five times that a key frame."""

    loss: float
    round_trip_us: int
    jitter_us: int = 0
    layers: int = 1
    nack: bool = True
    packets: int = 3
    seconds: int = 20
    seed: int = 1
    displayed: dict[int, int] = field(default_factory=dict)
    key_requests: int = 0
    repair_frames: int = 0

    def __post_init__(self):
        self.random = RandomStream.of_seed(self.seed)
        self.events = []
        self.count = 0
        self.sequence = 0
        self.key_wanted = True
        self.last_base = 0
        self.sent = RetransmissionBuffer()
        self.nacks, self.assembler, self.frames = NackTracker(), FrameAssembler(), DecodableFrames()
        self.jitter = JitterBuffer()
        asking = KeyFrameRequestConfig(repair_rounds=3 if self.nack else 0)
        self.requester = KeyFrameRequester(asking, round_trip_us=self.round_trip_us)
        self.wakeups = set()
        self.fed = {}

    def at(self, time_us, action, *args):
        self.count += 1
        heapq.heappush(self.events, (time_us, self.count, action, args))

    def transit(self, now_us, action, *args):
        if self.random.random() >= self.loss:
            self.at(now_us + self.round_trip_us // 2 + self.random.randrange(self.jitter_us + 1), action, *args)

    def run(self):
        for index in range(self.seconds * 30):
            self.at(index * FRAME_US, self.capture, index)
        while self.events:
            self.now_us, _, action, args = heapq.heappop(self.events)
            action(*args)
        return self

    def capture(self, index):
        is_key, self.key_wanted = self.key_wanted, False
        layer = 0 if is_key else (index - self.last_base) % self.layers
        described = metadata(index, () if is_key else (self.last_base,), layer=layer)
        if layer == 0:
            self.last_base = index
        count = self.packets * 5 if is_key else self.packets
        for packet in packets_of(described, self.sequence, count):
            sent_at_us = self.now_us + ENCODE_US
            self.sent.on_packet_sent(packet.unwrapped_sequence, packet, sent_at_us, size_bytes=1_000)
            self.transit(sent_at_us, self.packet, packet)
        self.sequence += count

    def asked_again(self, sequences):
        for sequence in sequences:
            packet = self.sent.take(sequence, self.now_us, self.round_trip_us)
            if packet is not None:
                self.transit(self.now_us, self.packet, replace(packet, is_retransmission=True))

    def asked_for_key(self):
        self.key_wanted = True

    def packet(self, packet):
        packet = replace(packet, received_at_us=self.now_us)
        is_key = packet.metadata.frame_type is FrameType.KEY
        self.requester.on_packet(self.now_us, of_key_frame=is_key)
        if self.nack:
            self.nacks.on_packet(packet.unwrapped_sequence, self.now_us, is_retransmission=packet.is_retransmission)
        frame = self.assembler.on_packet(packet)
        if frame is not None:
            hold_until_us = self.jitter.decode_deadline_us(frame) if self.nack else None
            self.frames.on_frame(frame, self.now_us, hold_until_us=hold_until_us)
            self.drain()
            self.requester.on_frame_assembled(self.now_us, is_stuck=self.frames.is_stuck)
        self.after()

    def drain(self):
        while (frame := self.frames.poll_decodable(self.now_us)) is not None:
            frame_id = frame.metadata.frame_id
            assert all(reference in self.fed for reference in frame.metadata.references)
            self.fed[frame_id] = self.now_us
            self.jitter.on_frame_decodable(frame)
            self.requester.on_frame_decodable(frame)
            self.nacks.give_up_before(frame.first_sequence)
            self.assembler.discard_before(frame_id)
            self.at(self.now_us + DECODE_US, self.decoded, frame_id)

    def decoded(self, frame_id):
        self.jitter.on_frame_decoded(frame_id)
        self.after()

    def after(self):
        self.drain()
        if self.nack:
            sequences = self.nacks.poll_nacks(self.now_us, self.round_trip_us)
            if sequences:
                self.transit(self.now_us, self.asked_again, sequences)
            self.requester.on_packets_given_up(self.nacks.poll_given_up())
        if self.requester.poll_request(self.now_us) is not None:
            self.key_requests += 1
            self.transit(self.now_us, self.asked_for_key)
        shown = self.jitter.poll_display(self.now_us)
        if shown is not None:
            self.displayed[shown] = self.now_us
        self.arm()

    def arm(self):
        for object_ in (self.nacks, self.frames, self.jitter, self.requester):
            due_us = object_.next_timeout_us()
            if due_us is not None and due_us > self.now_us and due_us not in self.wakeups:
                self.wakeups.add(due_us)
                self.at(due_us, self.after)

    def freezes(self):
        return freezes(self.displayed.values(), self.seconds * 1_000_000)

    def delay_ms(self, permille):
        delays = sorted(shown_us - frame_id * FRAME_US for frame_id, shown_us in self.displayed.items())
        return delays[(len(delays) - 1) * permille // 1000] / 1000


@pytest.mark.parametrize("round_trip_us", [20_000, 100_000, 200_000])
def test_a_perfect_path_shows_every_frame_with_less_than_10_ms_added(round_trip_us):
    call = Call(loss=0, round_trip_us=round_trip_us).run()
    assert len(call.displayed) == 600
    assert call.delay_ms(1000) < (ENCODE_US + DECODE_US + round_trip_us // 2) / 1000 + 10
    assert (call.key_requests, call.nacks.packets_requested) == (0, 0)


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize(("loss", "round_trip_us"), [(0.02, 20_000), (0.02, 100_000), (0.05, 20_000), (0.1, 20_000)])
def test_retransmission_repairs_loss_without_freezes_within_300_ms(layers, loss, round_trip_us):
    call = Call(loss=loss, round_trip_us=round_trip_us, layers=layers).run()
    assert len(call.displayed) >= 570
    assert call.delay_ms(950) < 300
    assert call.freezes() == ()
    assert call.key_requests <= 1


@pytest.mark.parametrize("loss", [0.005, 0.02, 0.05])
def test_without_retransmission_key_frames_get_a_call_going_again(loss):
    call = Call(loss=loss, round_trip_us=50_000, nack=False, packets=1).run()
    assert call.nacks.packets_requested == 0
    assert call.key_requests >= 1
    assert max(freeze.duration_us for freeze in call.freezes()) < 2_000_000


def test_a_path_that_reorders_is_not_asked_for_much_that_comes_anyway():
    call = Call(loss=0, round_trip_us=50_000, jitter_us=20_000).run()
    assert len(call.displayed) == 600
    assert call.nacks.packets_requested < call.sequence // 8
    assert call.key_requests == 0


def test_the_same_seed_gives_the_same_call():
    first, second = (Call(loss=0.05, round_trip_us=60_000, jitter_us=10_000, layers=2).run() for _ in range(2))
    assert first.displayed == second.displayed
