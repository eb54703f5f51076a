from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from resilience.receive.frame_assembler import AssemblerConfig, FrameAssembler
from rtc.values.errors import LocalMisuse
from tests.resilience.made_up_stream import metadata, packets_of


def feed(assembler, packets):
    return [frame for frame in map(assembler.on_packet, packets) if frame is not None]


def test_a_frame_is_assembled_by_its_last_missing_packet():
    assembler = FrameAssembler()
    first, second, third = packets_of(metadata(0), 5, 3)
    assert assembler.on_packet(third) is None
    assert assembler.on_packet(first) is None
    frame = assembler.on_packet(replace(second, received_at_us=90, is_retransmission=True))
    assert frame is not None
    assert frame.payloads == (b"0/0", b"0/1", b"0/2")
    assert (frame.first_sequence, frame.last_sequence) == (5, 7)
    assert (frame.first_packet_at_us, frame.assembled_at_us, frame.retransmissions) == (0, 90, 1)
    assert (assembler.frames_in_progress, assembler.bytes_held) == (0, 0)


def test_one_packet_can_be_a_whole_frame():
    assert len(feed(FrameAssembler(), packets_of(metadata(0), 0, 1))) == 1


def test_a_key_frame_at_the_highest_target_is_assembled_whole():
    packets = packets_of(metadata(0), 0, 100_000_000 * 150 // 1_000 // 8 // 1_100)
    packets = [replace(packet, payload=bytes(1_100)) for packet in packets]
    assembler = FrameAssembler()
    assert len(feed(assembler, [*packets[1:], packets[0]])) == 1
    assert assembler.packets_contradictory == 0


def test_duplicates_and_stragglers_are_counted_and_ignored():
    assembler = FrameAssembler()
    packets = packets_of(metadata(0), 0, 2)
    assert len(feed(assembler, [packets[0], packets[0], packets[1], packets[1], packets[0]])) == 1
    assert (assembler.packets_duplicate, assembler.packets_late) == (1, 2)


def contradictions():
    first, second, third = packets_of(metadata(0), 5, 3)
    return {
        "another description": [first, replace(second, metadata=metadata(0, layer=1))],
        "a second start": [first, replace(second, starts_frame=True)],
        "a packet before the start": [second, first, replace(first, unwrapped_sequence=4, starts_frame=False)],
        "a packet after the end": [third, replace(third, unwrapped_sequence=8, ends_frame=False)],
        "an end before the start": [first, replace(third, unwrapped_sequence=4)],
        "an absurd span": [first, replace(third, unwrapped_sequence=5 + 2_048)],
    }


@pytest.mark.parametrize("name", contradictions())
def test_a_contradictory_packet_is_dropped_and_the_true_ones_still_make_the_frame(name):
    assembler = FrameAssembler()
    assert feed(assembler, contradictions()[name]) == []
    assert assembler.packets_contradictory == 1
    assert [frame.payloads for frame in feed(assembler, packets_of(metadata(0), 5, 3))] == [(b"0/0", b"0/1", b"0/2")]


def test_frames_left_behind_are_dropped_and_stay_dropped():
    assembler = FrameAssembler()
    old = packets_of(metadata(3), 0, 2)
    assert feed(assembler, old[:1]) == []
    assembler.discard_before(4)
    assembler.discard_before(2)
    assert (assembler.frames_in_progress, assembler.bytes_held, assembler.frames_discarded) == (0, 0, 1)
    assert feed(assembler, old) == []
    assert assembler.packets_late == 2


def test_unfinished_frames_are_bounded_in_number_the_oldest_giving_way():
    assembler = FrameAssembler(AssemblerConfig(max_frames=3))
    unfinished = [packets_of(metadata(frame_id), frame_id * 2, 2) for frame_id in range(5)]
    assert feed(assembler, [packets[0] for packets in unfinished]) == []
    assert assembler.frames_in_progress == 3
    assert [frame.metadata.frame_id for frame in feed(assembler, [p[1] for p in unfinished])] == [2, 3, 4]


def test_unfinished_frames_are_bounded_in_bytes():
    assembler = FrameAssembler(AssemblerConfig(max_bytes=1_000))
    for frame_id in range(20):
        first = packets_of(metadata(frame_id), frame_id * 2, 2)[0]
        assembler.on_packet(replace(first, payload=bytes(300)))
        assert assembler.bytes_held <= 1_000
    assert assembler.frames_discarded == 17


def test_unfinished_frames_are_bounded_in_packets_however_small_those_are():
    assembler = FrameAssembler(AssemblerConfig(max_packets=10))
    for frame_id in range(20):
        feed(assembler, packets_of(metadata(frame_id), frame_id * 4, 4)[:3])
        assert assembler.packets_held <= 10
    assert assembler.frames_discarded == 17


def test_an_impossible_configuration_is_refused():
    with pytest.raises(LocalMisuse):
        AssemblerConfig(max_frames=0)


@given(st.lists(st.integers(1, 5), min_size=1, max_size=12), st.data())
def test_any_order_loss_and_duplication_gives_each_complete_frame_once_with_payloads_in_order(sizes, data):
    packets, sequence = [], 100
    for frame_id, size in enumerate(sizes):
        packets += packets_of(metadata(frame_id), sequence, size)
        sequence += size
    delivered = data.draw(st.lists(st.sampled_from(packets), max_size=3 * len(packets)))
    assembler = FrameAssembler()
    frames = {}
    for frame in feed(assembler, delivered):
        assert frame.metadata.frame_id not in frames
        frames[frame.metadata.frame_id] = frame.payloads
    came = {packet.unwrapped_sequence for packet in delivered}
    whole = {}
    for packet in packets:
        whole.setdefault(packet.metadata.frame_id, []).append(packet)
    assert frames == {
        frame_id: tuple(packet.payload for packet in members)
        for frame_id, members in whole.items()
        if came.issuperset(packet.unwrapped_sequence for packet in members)
    }
    assert assembler.packets_contradictory == 0


@given(
    st.lists(
        st.tuples(st.integers(0, 6), st.integers(0, 20), st.booleans(), st.booleans(), st.integers(0, 1)), max_size=60
    )
)
def test_hostile_packets_never_make_a_frame_with_a_hole_or_exceed_the_bounds(described):
    assembler = FrameAssembler(AssemblerConfig(max_frames=4, max_packets_per_frame=6, max_packets=9, max_bytes=40))
    for frame_id, sequence, starts, ends, layer in described:
        packet = replace(
            packets_of(metadata(frame_id, layer=layer), sequence, 1)[0], starts_frame=starts, ends_frame=ends
        )
        frame = assembler.on_packet(packet)
        if frame is not None:
            assert len(frame.payloads) == frame.last_sequence - frame.first_sequence + 1 <= 6
        assert assembler.frames_in_progress <= 4
        assert assembler.bytes_held <= 40
        assert assembler.packets_held <= 9
