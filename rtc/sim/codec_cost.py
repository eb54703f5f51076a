"""What encoding and decoding cost in virtual time: a table measured once, so that the same call gives the same bytes.

Each cost is affine: a fixed part, a part for every pixel and a part for every encoded byte, apart for key and delta
frames. All arithmetic is in integers.
"""

import functools
import importlib.resources
from typing import Final, Self

from pydantic import BaseModel, ConfigDict, NonNegativeInt

from rtc.values.errors import LocalMisuse
from rtc.values.formats import Codec, FrameSize

TABLE_FILE: Final = "codec_cost_table.json"
PS_PER_NS: Final = 1_000
NS_PER_US: Final = 1_000


class _TablePart(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class AffineCost(_TablePart):
    """The cost of one frame: fixed, by pixel and by encoded byte."""

    fixed_ns: NonNegativeInt
    per_pixel_ps: NonNegativeInt
    per_byte_ns: NonNegativeInt

    def time_us(self, pixels: int, encoded_bytes: int) -> int:
        """Whole microseconds, rounded up."""
        nanoseconds = self.fixed_ns + pixels * self.per_pixel_ps // PS_PER_NS + encoded_bytes * self.per_byte_ns
        return -(-nanoseconds // NS_PER_US)


class FrameCosts(_TablePart):
    """Key and delta frames cost differently."""

    key: AffineCost
    delta: AffineCost

    def of(self, *, is_key: bool) -> AffineCost:
        """The cost of one kind of frame."""
        return self.key if is_key else self.delta


class CodecCostTable(_TablePart):
    """The committed file: the costs, and how they were measured."""

    method: str
    conditions: str
    worst_relative_error: dict[str, float]
    """How far the affine costs are from the medians they were fitted to, by part of the table."""
    encode: dict[Codec, dict[int, FrameCosts]]
    """By codec and speed."""
    decode: dict[Codec, FrameCosts]


class CodecCostModel:
    """Answers what one frame costs; driven by the codec worker of a simulated call. The same everywhere."""

    def __init__(self, table: CodecCostTable) -> None:
        self._table = table

    @classmethod
    def load(cls) -> Self:
        """The model of the table that comes with the program."""
        return cls(_committed_table())

    def encode_time_us(self, codec: Codec, speed: int, size: FrameSize, *, is_key: bool, encoded_bytes: int) -> int:
        """Time to encode one frame whose coded size and bytes are known, in microseconds."""
        speeds = self._table.encode[codec]
        if speed not in speeds:
            raise LocalMisuse(f"speed {speed} of {codec.value} has no cost; there are {sorted(speeds)}")
        return speeds[speed].of(is_key=is_key).time_us(size.pixels, encoded_bytes)

    def decode_time_us(self, codec: Codec, size: FrameSize, *, is_key: bool, encoded_bytes: int) -> int:
        """Time to decode one frame, in microseconds."""
        return self._table.decode[codec].of(is_key=is_key).time_us(size.pixels, encoded_bytes)


@functools.cache
def _committed_table() -> CodecCostTable:
    text = importlib.resources.files(__package__).joinpath(TABLE_FILE).read_text(encoding="utf-8")
    return CodecCostTable.model_validate_json(text)
