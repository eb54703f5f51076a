import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rtc.rtp.rtcp.compound import parse_compound, serialise_compound
from rtc.values.errors import LocalMisuse, RemoteProtocolError
from rtc.values.feedback import TransportFeedback

MAX_COUNT = 65535


def feedback(arrivals, **changes):
    fields = {"sender_ssrc": 1, "media_ssrc": 2, "base_sequence": 0, "arrivals": tuple(arrivals), "feedback_count": 0}
    return TransportFeedback(**fields | changes)


def raw(count, chunks, deltas=b""):
    """A feedback packet put together by hand; reference time 0."""
    body = bytes(8) + b"\x00\x00" + count.to_bytes(2, "big") + bytes(4)
    body += b"".join(chunk.to_bytes(2, "big") for chunk in chunks) + deltas
    body += bytes(-len(body) % 4)
    return b"\x8f\xcd" + (len(body) // 4).to_bytes(2, "big") + body


# Gaps between neighbours: mostly a small delta, at times reordering, a pause, or nothing at all.
steps = st.none() | st.integers(0, 255) | st.integers(0, 3) | st.integers(-32768, 32767)


@st.composite
def arrival_lists(draw):
    ticks = draw(st.integers(0, 1 << 28))
    arrivals = []
    runs = st.tuples(steps, st.integers(1, 30))
    for step, repeats in draw(st.lists(runs, min_size=1, max_size=12)):
        for _ in range(repeats):
            if step is not None:
                ticks += step
            arrivals.append(None if step is None else ticks * 250)
    return arrivals


@given(arrival_lists(), st.integers(0, 65535), st.integers(0, 255))
@settings(deadline=None)
def test_arrivals_on_the_grid_come_back_exactly(arrivals, base, count):
    if min((arrival for arrival in arrivals if arrival is not None), default=0) < -(1 << 23) * 64_000:
        return
    original = feedback(arrivals, base_sequence=base, feedback_count=count)
    assert parse_compound(serialise_compound([original])) == (original,)


@given(st.lists(st.integers(0, 3_000_000), min_size=1, max_size=60))
@settings(deadline=None)
def test_any_arrival_comes_back_within_one_tick_and_the_error_does_not_add_up(arrivals):
    (parsed,) = parse_compound(serialise_compound([feedback(arrivals)]))
    assert all(0 <= sent - received < 250 for sent, received in zip(arrivals, parsed.arrivals, strict=True))


def test_times_before_the_receivers_clock_began_are_signed():
    original = feedback([-64_000, None, -250, 0])
    assert parse_compound(serialise_compound([original])) == (original,)


def test_nothing_received_is_sayable():
    assert parse_compound(serialise_compound([feedback([None] * 40)])) == (feedback([None] * 40),)


def test_a_long_loss_takes_one_chunk():
    sparse = feedback([0] + [None] * 8000 + [250])
    data = serialise_compound([sparse])
    assert parse_compound(data) == (sparse,)
    assert len(data) <= 32


def test_fifty_packets_with_a_few_lost_take_a_byte_each_and_four_chunks():
    arrivals = [None if index % 10 == 3 else index * 4_000 for index in range(50)]
    assert len(serialise_compound([feedback(arrivals)])) <= 4 + 16 + 2 * 4 + 45 + 3


def test_all_kinds_of_chunk_are_read():
    data = raw(7 + 14 + 3, [0xD280, 0xAAAA, 0x2003], bytes([1]) + b"\x00\x02" * 2 + bytes(10))
    (parsed,) = parse_compound(data)
    received = [arrival is not None for arrival in parsed.arrivals]
    assert received == [True, False, True, True, False, False, False] + [True, False] * 7 + [True] * 3


def test_a_run_longer_than_the_count_is_cut_to_it():
    (parsed,) = parse_compound(raw(3, [0x1FFF]))
    assert parsed.arrivals == (None, None, None)


def test_the_largest_count_gives_no_more_arrivals_than_it_says():
    (parsed,) = parse_compound(raw(MAX_COUNT, [0x1FFF] * 9))
    assert parsed.arrivals == (None,) * MAX_COUNT


def test_a_padding_flag_as_libwebrtc_sets_it_is_understood():
    plain = serialise_compound([feedback([0])])
    padded = bytes((plain[0] | 0x20,)) + plain[1:-1] + b"\x01"
    assert parse_compound(padded) == (feedback([0]),)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (raw(0, []), "0 packets"),
        (raw(9000, [0x1FFF]), "ends after 8191 of 9000"),
        (b"\x8f\xcd\x00\x00", "its head alone is 16"),
        (raw(1, [0x6001]), "status 3"),
        (raw(7, [0xFFFF]), "status 3"),
        (raw(10, [0x200A]), "deltas need 28"),
        (raw(MAX_COUNT, [0] * 100), "ends after 0"),
    ],
)
def test_what_is_malformed_says_why(data, reason):
    with pytest.raises(RemoteProtocolError, match=reason):
        parse_compound(data)


@pytest.mark.parametrize(
    ("arrivals", "reason"),
    [
        ([], r"must be 1\.\."),
        ([None] * (MAX_COUNT + 1), r"must be 1\.\."),
        ([0, 8_192_000], "start another"),
        ([8_192_250, 0], "start another"),
    ],
)
def test_what_cannot_be_said_in_one_message_is_our_own_mistake(arrivals, reason):
    with pytest.raises(LocalMisuse, match=reason):
        serialise_compound([feedback(arrivals)])
