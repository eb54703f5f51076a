"""How good what is shown looks: every captured picture against what is on the screen in its place."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.driving import DrivenFrame
from benchmarks.vmaf import vmaf_score
from clips.frames import solid_frame
from rtc.codecs.interface import open_decoder
from rtc.metrics.distributions import mean_of_floats
from rtc.metrics.quality import psnr_y_db, quality_scores
from rtc.metrics.quality_means import DB_DIGITS, SSIM_DIGITS
from rtc.values.errors import CodecError
from rtc.values.formats import Codec
from rtc.values.frames import VideoFrame


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownQuality:
    """Means over all captured pictures, luma only."""

    psnr_db: float | None
    ssim: float | None
    vmaf: float | None


def shown_pictures(codec: Codec, frames: Sequence[DrivenFrame], pictures: Sequence[VideoFrame]) -> Iterator[VideoFrame]:
    """What is shown in place of each picture: itself decoded, or the one before where it was not sent.

    Raises:
        CodecError: the decoder refuses a frame, so the stream is broken.

    """
    shown = solid_frame(pictures[0].size)
    with open_decoder(codec) as decoder:
        for index, frame in enumerate(frames):
            if frame.payload is not None:
                decoded = decoder.decode(frame.payload)
                if decoded is None:
                    raise CodecError(f"frame {index} of the {codec.value} stream cannot be decoded")
                shown = decoded
            yield shown


def shown_psnr_db(codec: Codec, frames: Sequence[DrivenFrame], pictures: Sequence[VideoFrame]) -> float:
    """Mean PSNR alone, which is quick."""
    pairs = zip(pictures, shown_pictures(codec, frames, pictures), strict=True)
    return mean_of_floats((psnr_y_db(picture, shown) for picture, shown in pairs), DB_DIGITS) or 0.0


def shown_quality(
    codec: Codec, frames: Sequence[DrivenFrame], pictures: Sequence[VideoFrame], *, fps: int, vmaf: bool
) -> ShownQuality:
    """PSNR, SSIM and, where wanted, VMAF."""
    pairs = zip(pictures, shown_pictures(codec, frames, pictures), strict=True)
    scores = [quality_scores(picture, shown) for picture, shown in pairs]
    return ShownQuality(
        psnr_db=mean_of_floats((score.psnr_y_db for score in scores), DB_DIGITS),
        ssim=mean_of_floats((score.ssim_y for score in scores), SSIM_DIGITS),
        vmaf=vmaf_score(pictures, shown_pictures(codec, frames, pictures), pictures[0].size, fps) if vmaf else None,
    )
