import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rtc.rtp.frame_metadata_extension import FrameMetadataExtension, parse, serialise
from rtc.values.errors import LocalMisuse, RemoteProtocolError
from rtc.values.frames import FrameType
from tests.rtc.rtp.hostile import hostile_bytes, parses_or_raises_the_remote_error
from tests.rtc.rtp.vectors import vectors

VECTORS = {name: data for name, data in vectors("extensions").items() if name != "ack"}


def metadata(**changes):
    fields = {
        "frame_number": 7,
        "starts_frame": True,
        "ends_frame": False,
        "frame_type": FrameType.DELTA,
        "reference_diffs": (1,),
    }
    return FrameMetadataExtension(**fields | changes)


GOLDEN = {
    "key_ltr": metadata(ends_frame=True, frame_type=FrameType.KEY, is_long_term_reference=True, reference_diffs=()),
    "recovery": metadata(frame_number=320, frame_type=FrameType.RECOVERY, reference_diffs=(300,)),
    "layer_1": metadata(
        frame_number=65535, starts_frame=False, ends_frame=True, temporal_layer=1, reference_diffs=(1, 2)
    ),
}


@st.composite
def extensions(draw):
    frame_type = draw(st.sampled_from(FrameType))
    references = st.lists(st.integers(1, 200) | st.integers(1, 32767), min_size=1, max_size=3).map(tuple)
    return FrameMetadataExtension(
        frame_number=draw(st.integers(0, 65535)),
        starts_frame=draw(st.booleans()),
        ends_frame=draw(st.booleans()),
        frame_type=frame_type,
        is_long_term_reference=draw(st.booleans()),
        temporal_layer=draw(st.integers(0, 3)),
        reference_diffs=() if frame_type is FrameType.KEY else draw(references),
    )


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_bytes_and_values_agree(name):
    assert serialise(GOLDEN[name]).hex() == VECTORS[name].hex()
    assert parse(VECTORS[name]) == GOLDEN[name]


@given(extensions())
@settings(deadline=None)
def test_what_is_serialised_parses_back_and_fits_the_one_byte_form(original):
    data = serialise(original)
    assert parse(data) == original
    assert len(data) <= 9


def test_a_typical_delta_frame_takes_four_bytes():
    assert len(serialise(metadata())) == 4


@given(hostile_bytes(list(VECTORS.values())))
@settings(deadline=None, max_examples=300)
def test_any_bytes_parse_or_raise_the_remote_error(data):
    parses_or_raises_the_remote_error(parse, data)


@given(st.binary(min_size=3, max_size=9))
@settings(deadline=None, max_examples=300)
def test_each_value_has_one_form_only(data):
    try:
        value = parse(data)
    except RemoteProtocolError:
        return
    assert serialise(value) == data


@pytest.mark.parametrize(
    ("hex_digits", "reason"),
    [
        ("8100", "at least 3"),
        ("a00001", "recovery frame with no reference"),
        ("810001", "reference diffs"),
        ("81000100", "reference diffs"),
        ("810001807f", "reference diffs"),
        ("81000181", "reference diffs"),
        ("8000010a", "its fields take 3"),
    ],
)
def test_what_is_malformed_says_why(hex_digits, reason):
    with pytest.raises(RemoteProtocolError, match=reason):
        parse(bytes.fromhex(hex_digits))


@pytest.mark.parametrize(
    "changes",
    [
        {"frame_number": 65536},
        {"frame_number": -1},
        {"temporal_layer": 4},
        {"reference_diffs": ()},
        {"reference_diffs": (1, 2, 3, 4)},
        {"reference_diffs": (0,)},
        {"reference_diffs": (32768,)},
        {"frame_type": FrameType.KEY},
        {"frame_type": FrameType.RECOVERY, "reference_diffs": ()},
    ],
)
def test_a_field_that_does_not_fit_is_our_own_mistake(changes):
    with pytest.raises(LocalMisuse):
        serialise(metadata(**changes))
