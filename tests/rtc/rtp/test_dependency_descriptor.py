import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rtc.rtp.dependency_descriptor.bits import BitReader, BitWriter
from rtc.rtp.dependency_descriptor.reader import DependencyDescriptorReader
from rtc.rtp.dependency_descriptor.structures import one_temporal_layer, two_temporal_layers
from rtc.rtp.dependency_descriptor.values import (
    DecodeTargetIndication,
    DependencyDescriptor,
    DependencyStructure,
    FrameTemplate,
)
from rtc.rtp.dependency_descriptor.writer import write_descriptor
from rtc.values.errors import LocalMisuse, RemoteProtocolError
from tests.rtc.rtp.hostile import hostile_bytes, parses_or_raises_the_remote_error
from tests.rtc.rtp.vectors import vectors

VECTORS = vectors("dependency_descriptor")
ABSENT, DISCARDABLE, SWITCH, REQUIRED = DecodeTargetIndication
L1T1 = one_temporal_layer((640, 360))
L1T2 = two_temporal_layers((640, 360))


def descriptor(**changes):
    fields = {
        "starts_frame": True,
        "ends_frame": True,
        "frame_number": 1,
        "indications": (SWITCH,),
        "frame_diffs": (1,),
        "chain_diffs": (1,),
    }
    return DependencyDescriptor(**fields | changes)


L1T1_KEY = descriptor(frame_diffs=(), chain_diffs=(0,), structure=L1T1)
L1T2_KEY = descriptor(frame_diffs=(), chain_diffs=(0,), indications=(SWITCH, SWITCH), structure=L1T2)

GOLDEN = {
    "l1t1_key": (L1T1_KEY, L1T1),
    "l1t2_key": (L1T2_KEY, L1T2),
    "recovery": (descriptor(frame_number=70, frame_diffs=(20,), chain_diffs=(20,)), L1T1),
    "delta": (descriptor(frame_number=2, ends_frame=False), L1T1),
}


def reader_that_knows(structure):
    """A reader that has seen a key frame of a structure."""
    reader = DependencyDescriptorReader()
    reader.read(write_descriptor(key_of(structure), structure))
    return reader


def key_of(structure):
    first = structure.templates[0]
    return descriptor(
        indications=first.indications,
        frame_diffs=first.frame_diffs,
        chain_diffs=first.chain_diffs,
        structure=structure,
    )


@pytest.mark.parametrize("name", GOLDEN)
def test_descriptors_are_written_as_the_golden_bytes(name):
    value, structure = GOLDEN[name]
    assert write_descriptor(value, structure).hex() == VECTORS[name].hex()


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_bytes_are_read_as_the_descriptors(name):
    value, structure = GOLDEN[name]
    assert reader_that_knows(structure).read(VECTORS[name]) == value


@st.composite
def structures(draw):
    targets = draw(st.integers(1, 5))
    chains = draw(st.integers(0, targets))
    layers = [(0, 0)]
    for step in draw(st.lists(st.sampled_from(["same", "temporal", "spatial"]), max_size=7)):
        spatial, temporal = layers[-1]
        layers.append(
            {"same": (spatial, temporal), "temporal": (spatial, temporal + 1), "spatial": (spatial + 1, 0)}[step]
        )
    sizes = st.tuples(st.integers(1, 65536), st.integers(1, 65536))
    return DependencyStructure(
        template_id_offset=draw(st.integers(0, 63)),
        templates=tuple(
            FrameTemplate(
                spatial_layer=spatial,
                temporal_layer=temporal,
                indications=tuple(draw(st.lists(indications, min_size=targets, max_size=targets))),
                frame_diffs=tuple(draw(st.lists(st.integers(1, 16), max_size=3))),
                chain_diffs=tuple(draw(st.lists(st.integers(0, 15), min_size=chains, max_size=chains))),
            )
            for spatial, temporal in layers
        ),
        protected_by=tuple(
            draw(st.lists(st.integers(0, chains - 1), min_size=targets, max_size=targets)) if chains else ()
        ),
        resolutions=tuple(
            draw(st.lists(sizes, min_size=layers[-1][0] + 1, max_size=layers[-1][0] + 1)) if draw(st.booleans()) else ()
        ),
    )


indications = st.sampled_from(DecodeTargetIndication)


@st.composite
def frames(draw, structure):
    template = draw(st.sampled_from(structure.templates))
    targets, chains = structure.decode_target_count, structure.chain_count
    return descriptor(
        starts_frame=draw(st.booleans()),
        ends_frame=draw(st.booleans()),
        frame_number=draw(st.integers(0, 65535)),
        spatial_layer=template.spatial_layer,
        temporal_layer=template.temporal_layer,
        indications=draw(
            st.just(template.indications) | st.lists(indications, min_size=targets, max_size=targets).map(tuple)
        ),
        frame_diffs=draw(
            st.just(template.frame_diffs) | st.lists(st.integers(1, 20) | st.integers(1, 4096), max_size=3).map(tuple)
        ),
        chain_diffs=draw(
            st.just(template.chain_diffs) | st.lists(st.integers(0, 255), min_size=chains, max_size=chains).map(tuple)
        ),
        active_decode_targets=draw(st.none() | st.integers(0, (1 << targets) - 1)),
    )


@given(structures())
@settings(deadline=None)
def test_any_structure_reads_back(structure):
    reader = DependencyDescriptorReader()
    value = key_of(structure)
    assert reader.read(write_descriptor(value, structure)) == value
    assert reader.structure == structure


@given(structures(), st.data())
@settings(deadline=None)
def test_any_frame_of_a_structure_reads_back(structure, data):
    value = data.draw(frames(structure))
    assert reader_that_knows(structure).read(write_descriptor(value, structure)) == value


@pytest.mark.parametrize(("age", "size"), [(2, 6), (16, 6), (17, 7), (256, 7), (257, 7), (4096, 7)])
def test_a_recovery_frame_takes_six_or_seven_bytes(age, size):
    value = descriptor(frame_diffs=(age,), chain_diffs=(min(age, 255),))
    data = write_descriptor(value, L1T1)
    assert len(data) == size
    assert reader_that_knows(L1T1).read(data) == value


def test_frames_that_templates_describe_take_three_bytes():
    base = descriptor(indications=(SWITCH, SWITCH), frame_diffs=(2,), chain_diffs=(2,))
    enhancement = descriptor(temporal_layer=1, indications=(ABSENT, DISCARDABLE))
    assert [write_descriptor(value, L1T2).hex() for value in (base, enhancement)] == ["c10001", "c20001"]


def test_the_active_decode_targets_last_until_they_change():
    reader = DependencyDescriptorReader()
    assert reader.active_decode_targets == 0
    reader.read(VECTORS["l1t2_key"])
    assert reader.active_decode_targets == 0b11
    base = descriptor(indications=(SWITCH, SWITCH), frame_diffs=(2,), chain_diffs=(2,), active_decode_targets=0b01)
    reader.read(write_descriptor(base, L1T2))
    assert reader.active_decode_targets == 0b01
    reader.read(bytes.fromhex("c10003"))
    assert reader.active_decode_targets == 0b01
    reader.read(VECTORS["l1t2_key"])
    assert reader.active_decode_targets == 0b11


def test_a_reader_that_raises_keeps_its_structure():
    reader = reader_that_knows(L1T1)
    with pytest.raises(RemoteProtocolError):
        reader.read(VECTORS["l1t2_key"][:-3])
    assert reader.structure == L1T1


def test_before_a_key_frame_nothing_can_be_read():
    with pytest.raises(RemoteProtocolError, match="before any structure"):
        DependencyDescriptorReader().read(VECTORS["delta"])


def test_a_template_of_another_structure_is_refused():
    with pytest.raises(RemoteProtocolError, match="template 2 is not in the structure"):
        reader_that_knows(L1T1).read(bytes.fromhex("c20001"))


def test_template_ids_wrap_around_behind_63():
    structure = one_temporal_layer(template_id_offset=63)
    data = write_descriptor(descriptor(), structure)
    assert data.hex() == "c00001"
    assert reader_that_knows(structure).read(data) == descriptor()


@given(hostile_bytes(list(VECTORS.values())))
@settings(deadline=None, max_examples=500)
def test_any_bytes_read_or_raise_the_remote_error(data):
    parses_or_raises_the_remote_error(DependencyDescriptorReader().read, data)
    parses_or_raises_the_remote_error(reader_that_knows(L1T2).read, data)


@pytest.mark.parametrize("data", [b"", b"\xc0\x00", bytes(256), b"\xc0\x00\x01\x80", b"\xc0\x00\x01\x80" + bytes(251)])
def test_what_is_too_short_or_too_long_is_refused(data):
    with pytest.raises(RemoteProtocolError):
        DependencyDescriptorReader().read(data)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (descriptor(frame_diffs=(4097,)), r"1\.\.4096"),
        (descriptor(frame_diffs=(0,)), r"1\.\.4096"),
        (descriptor(chain_diffs=(256,)), "fit 8 bits"),
        (descriptor(chain_diffs=()), "1 decode targets and 1 chains"),
        (descriptor(indications=(SWITCH, SWITCH)), "1 decode targets and 1 chains"),
        (descriptor(temporal_layer=1), "no template"),
        (descriptor(frame_number=65536), "fit 16 bits"),
        (descriptor(structure=L1T2), "another structure"),
        (descriptor(active_decode_targets=2), "fit 1 bits"),
    ],
)
def test_a_frame_that_cannot_be_described_is_our_own_mistake(value, reason):
    with pytest.raises(LocalMisuse, match=reason):
        write_descriptor(value, L1T1)


def template(**changes):
    return FrameTemplate(**{"indications": (SWITCH,), "frame_diffs": (), "chain_diffs": (0,)} | changes)


@pytest.mark.parametrize(
    ("templates", "changes", "reason"),
    [
        ([template()] * 65, {}, "at most 64"),
        ([template(), template(temporal_layer=2)], {}, "out of order"),
        ([template(), template(temporal_layer=1), template()], {}, "out of order"),
        ([template(), template(chain_diffs=(0, 0))], {}, "differ"),
        ([template()], {"protected_by": ()}, "each with a chain"),
        ([template()], {"protected_by": (1,)}, r"must be 0\.\.0"),
        ([template()], {"resolutions": ((16, 16),) * 2}, "2 resolutions"),
        ([template()], {"resolutions": ((0, 16),)}, "fit 16 bits"),
        ([template(frame_diffs=(17,))], {}, "fit 4 bits"),
        ([template(indications=(SWITCH,) * 33, chain_diffs=())], {"protected_by": ()}, r"must be 1\.\.32"),
    ],
)
def test_a_structure_that_cannot_be_written_is_our_own_mistake(templates, changes, reason):
    structure = DependencyStructure(**{"templates": tuple(templates), "protected_by": (0,)} | changes)
    with pytest.raises(LocalMisuse, match=reason):
        write_descriptor(key_of(structure), structure)


def test_a_structure_without_templates_is_our_own_mistake():
    with pytest.raises(LocalMisuse, match="at least one"):
        DependencyStructure(templates=())


@pytest.mark.parametrize(("value", "bits"), [(0, "00"), (1, "01"), (2, "10"), (3, "110"), (4, "111")])
def test_non_symmetric_numbers_below_five_follow_the_specifications_table(value, bits):
    writer = BitWriter()
    writer.non_symmetric(5, value)
    data = writer.to_bytes()
    assert f"{data[0]:08b}".startswith(bits)
    assert BitReader(data).non_symmetric(5) == value
