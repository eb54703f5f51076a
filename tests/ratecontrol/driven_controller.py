"""Controllers given any frames at all, picture by picture."""

from hypothesis import strategies as st

from ratecontrol.candidates import MOST_ENCODES
from ratecontrol.cbr import CbrController
from ratecontrol.key_frame_planner import MOST_KEY_ENCODES
from rtc.values.formats import Codec, FrameSize
from rtc.values.frames import PictureChange
from tests.support.synthetic_codec import P180, P360

INTERVAL_US = 33_333
MOST = max(MOST_ENCODES, MOST_KEY_ENCODES)
PLAIN = PictureChange(difference=512, resting_permille=500)

codecs = st.sampled_from(list(Codec))
changes = st.builds(PictureChange, difference=st.integers(0, 65_535), resting_permille=st.integers(0, 1_000))
sizes_bits = st.integers(0, 80_000_000) | st.integers(0, 20_000)
pictures = st.fixed_dictionaries(
    {
        "bits": st.lists(sizes_bits, min_size=MOST, max_size=MOST),
        "change": changes,
        "target_bps": st.none() | st.integers(1_000, 100_000_000),
        "is_key": st.booleans() | st.just(False),
        "size": st.sampled_from([P360, P180, FrameSize(16, 16), FrameSize(3840, 2160)]),
        "temporal_layer": st.integers(0, 1),
        "is_sent": st.booleans() | st.just(True),
    }
)
films = st.lists(pictures, min_size=1, max_size=25)
starts = st.fixed_dictionaries(
    {
        "target_bps": st.integers(1_000, 100_000_000),
        "frame_interval_us": st.integers(1_000_000 // 60, 1_000_000),
        "candidates": st.integers(1, 2),
    }
)


def driven(codec, start, film):
    """The encodes of each picture (plan and bits), and the VBV delay after it."""
    controller = CbrController(codec, **start)
    told = []
    for index, picture in enumerate(film):
        now_us = index * start["frame_interval_us"]
        if picture["target_bps"] is not None:
            controller.on_target(picture["target_bps"], now_us)
        wanted = {name: picture[name] for name in ("is_key", "size", "change", "temporal_layer")}
        plan = controller.plan(now_us, **wanted)
        attempts = []
        while plan is not None:
            attempts.append((plan, picture["bits"][len(attempts)]))
            plan = controller.review(*attempts[-1])
        if attempts and picture["is_sent"]:
            controller.commit(*attempts[controller.choose(attempts)])
        told.append((attempts, controller.vbv_delay_us))
    return told
