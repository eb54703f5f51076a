"""Bytes that a hostile or broken peer could send, and the one thing a parser may do with them."""

from collections.abc import Callable

from hypothesis import strategies as st

from rtc.values.errors import RemoteProtocolError


def parses_or_raises_the_remote_error(parse: Callable[[bytes], object], data: bytes) -> None:
    """Fails with whatever else the parser raises."""
    try:
        parse(data)
    except RemoteProtocolError as error:
        message = str(error)
    else:
        return
    assert message, "an error says what was wrong"
    assert "\n" not in message, "an error is one line"


@st.composite
def mutations(draw: st.DrawFn, originals: list[bytes]) -> bytes:
    """A valid message with some bytes changed, cut off, or put in."""
    data = bytearray(draw(st.sampled_from(originals)))
    for _ in range(draw(st.integers(1, 4))):
        position = draw(st.integers(0, len(data)))
        kind = draw(st.sampled_from(["change", "cut", "insert"]))
        if kind == "cut":
            del data[position : position + draw(st.integers(1, 4))]
        elif kind == "insert":
            data[position:position] = draw(st.binary(min_size=1, max_size=4))
        elif position < len(data):
            data[position] = draw(st.integers(0, 255))
    return bytes(data)


def hostile_bytes(originals: list[bytes]) -> st.SearchStrategy[bytes]:
    """Noise and mutations."""
    return st.binary(max_size=64) | mutations(originals)
