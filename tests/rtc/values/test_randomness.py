from hypothesis import given
from hypothesis import strategies as st

from rtc.values.randomness import RandomStream


def draws(stream, count=5):
    return [stream.getrandbits(64) for _ in range(count)]


def test_the_same_seed_gives_the_same_numbers_on_every_machine():
    assert draws(RandomStream.of_seed(1), 2) == [16246328162379000518, 6119997460965787013]


@given(st.integers(), st.text(max_size=8))
def test_a_stream_depends_on_its_seed_and_its_names_alone(seed, name):
    used = RandomStream.of_seed(seed)
    used.random()
    assert draws(used.substream(name)) == draws(RandomStream.of_seed(seed).substream(name))
    assert draws(RandomStream.of_seed(seed)) != draws(RandomStream.of_seed(seed + 1))


def test_substreams_differ_from_each_other_from_their_parent_and_by_depth():
    root = RandomStream.of_seed(7)
    streams = [root, root.substream("a"), root.substream("b"), root.substream("a").substream("b")]
    assert len({tuple(draws(stream)) for stream in streams}) == len(streams)


def test_drawing_from_one_substream_does_not_shift_another():
    root = RandomStream.of_seed(7)
    expected = draws(RandomStream.of_seed(7).substream("b"))
    draws(root.substream("a"), 100)
    assert draws(root.substream("b")) == expected
