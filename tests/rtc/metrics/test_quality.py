import math
from fractions import Fraction

import av
import av.filter
import av.logging
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clips.frames import from_planes, planes, solid_frame
from rtc.metrics.quality import PSNR_CAP_DB, psnr_y_db, quality_scores, ssim_y
from rtc.values.formats import FrameSize

SIZES = [FrameSize(64, 48), FrameSize(322, 182), FrameSize(16, 16), FrameSize(640, 360)]


def smooth_picture(size, seed):
    draws = np.random.default_rng(seed)
    coarse = draws.integers(0, 256, (size.height // 8 + 1, size.width // 8 + 1))
    return with_luma(np.kron(coarse, np.ones((8, 8), int))[: size.height, : size.width])


def with_luma(values):
    luma = np.clip(values, 0, 255).astype(np.uint8)
    chroma = np.full((luma.shape[0] // 2, luma.shape[1] // 2), 128, np.uint8)
    return from_planes(luma, chroma, chroma)


def noisy(frame, deviation, seed=1):
    luma = planes(frame).y.astype(int)
    return with_luma(luma + np.random.default_rng(seed).integers(-deviation, deviation + 1, luma.shape))


def ffmpeg_says(name, reference, shown):
    """What FFmpeg's `ssim` or `psnr` filter logs of luma for one pair of frames."""
    graph = av.filter.Graph()
    size = f"video_size={reference.size.width}x{reference.size.height}:pix_fmt=yuv420p:time_base=1/30"
    inputs = [graph.add("buffer", size) for _ in range(2)]
    compare, sink = graph.add(name), graph.add("buffersink")
    for pad, source in enumerate(inputs):
        source.link_to(compare, 0, pad)
    compare.link_to(sink)
    graph.configure()
    level = av.logging.get_level()
    av.logging.set_level(av.logging.INFO)
    try:
        with av.logging.Capture() as lines:
            for source, frame in zip(inputs, (shown, reference), strict=True):
                rows = np.frombuffer(frame.data, np.uint8).reshape(-1, frame.size.width)
                picture = av.VideoFrame.from_ndarray(rows, format="yuv420p")
                picture.pts, picture.time_base = 0, Fraction(1, 30)
                source.push(picture)
                source.push(None)
            sink.pull()
            del graph, inputs, compare, sink, source
    finally:
        av.logging.set_level(level)
    text = " ".join(line for _, _, line in lines)
    key = "Y:" if name == "ssim" else "y:"
    return float(text.split(key)[1].split()[0])


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("deviation", [1, 6, 40])
def test_ssim_and_psnr_are_those_of_ffmpegs_filters(size, deviation):
    reference = smooth_picture(size, 1)
    shown = noisy(reference, deviation)

    assert ssim_y(reference, shown) == pytest.approx(ffmpeg_says("ssim", reference, shown), abs=1e-5)
    assert psnr_y_db(reference, shown) == pytest.approx(ffmpeg_says("psnr", reference, shown), abs=1e-5)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_psnr_is_made_of_the_exact_sum_of_squared_errors(size):
    draws = np.random.default_rng(2)
    reference, shown = (with_luma(draws.integers(0, 256, (size.height, size.width))) for _ in range(2))

    difference = planes(reference).y.astype(np.int64) - planes(shown).y
    exact = 10 * math.log10(255**2 * size.pixels / int((difference**2).sum()))
    assert psnr_y_db(reference, shown) == pytest.approx(exact, abs=1e-12)


def test_the_worst_picture_has_no_signal_left():
    black, white = (solid_frame(FrameSize(3840, 2160), y=level) for level in (0, 255))

    assert psnr_y_db(black, white) == 0.0
    assert 0 < ssim_y(black, white) < 1e-3


def test_identical_pictures_are_capped_and_wholly_similar():
    frame = smooth_picture(FrameSize(322, 182), 3)

    assert quality_scores(frame, frame) == (PSNR_CAP_DB, 1.0)
    assert psnr_y_db(frame, frame) == 100.0


def test_one_grey_level_of_one_sample_in_a_large_picture_is_capped_too():
    frame = solid_frame(FrameSize(1280, 720), y=100)
    other = solid_frame(FrameSize(1280, 720), y=100)
    planes(other).y[7, 9] = 101

    assert psnr_y_db(frame, other) == PSNR_CAP_DB


def test_an_inverted_picture_is_less_than_not_similar():
    frame = smooth_picture(FrameSize(64, 48), 3)

    assert ssim_y(frame, with_luma(255 - planes(frame).y.astype(int))) < 0


def test_a_smaller_picture_is_scaled_up_before_it_is_compared():
    reference = solid_frame(FrameSize(64, 48), y=90)

    assert quality_scores(reference, solid_frame(FrameSize(32, 24), y=90)) == (PSNR_CAP_DB, 1.0)
    ramp = with_luma(np.tile(np.arange(64) * 3, (48, 1)))
    half = with_luma(np.tile(np.arange(32) * 6 + 1, (24, 1)))
    assert psnr_y_db(ramp, half) > 45
    assert psnr_y_db(ramp, solid_frame(FrameSize(32, 24), y=90)) < 20


@given(st.integers(min_value=0, max_value=10_000), st.integers(min_value=1, max_value=120))
@settings(max_examples=40, deadline=None)
def test_more_noise_is_never_better(seed, deviation):
    reference = smooth_picture(FrameSize(64, 48), seed)
    less, more = noisy(reference, deviation, seed), noisy(reference, deviation * 2, seed)

    assert psnr_y_db(reference, more) <= psnr_y_db(reference, less)
    assert quality_scores(reference, more).ssim_y <= quality_scores(reference, less).ssim_y + 1e-9
    assert -1 <= quality_scores(reference, more).ssim_y <= 1


def test_both_scores_together_are_what_each_is_alone():
    reference = smooth_picture(FrameSize(322, 182), 5)
    shown = noisy(reference, 9)

    assert quality_scores(reference, shown) == (psnr_y_db(reference, shown), ssim_y(reference, shown))
