"""How long a codec took: by the committed cost model, which is the same everywhere, or as it was here."""

from typing import Protocol

from rtc.sim.codec_cost import CodecCostModel
from rtc.values.formats import Codec, FrameSize


class CodecTiming(Protocol):
    """The time a codec is said to have taken, in microseconds; `measured_us` is what it took on this machine."""

    is_measured: bool
    """Whether `measured_us` matters."""

    def encode_us(  # noqa: D102 - the class says it
        self, *, codec: Codec, speed: int, size: FrameSize, is_key: bool, encoded_bytes: int, measured_us: int
    ) -> int: ...

    def decode_us(  # noqa: D102 - the class says it
        self, *, codec: Codec, size: FrameSize, is_key: bool, encoded_bytes: int, measured_us: int
    ) -> int: ...


class ModelledTiming:
    """Times from the cost model: the same call takes the same time on every machine."""

    is_measured = False

    def __init__(self, model: CodecCostModel) -> None:
        self._model = model

    def encode_us(
        self, *, codec: Codec, speed: int, size: FrameSize, is_key: bool, encoded_bytes: int, measured_us: int
    ) -> int:
        """The model's figure."""
        del measured_us
        return self._model.encode_time_us(codec, speed, size, is_key=is_key, encoded_bytes=encoded_bytes)

    def decode_us(self, *, codec: Codec, size: FrameSize, is_key: bool, encoded_bytes: int, measured_us: int) -> int:
        """The model's figure."""
        del measured_us
        return self._model.decode_time_us(codec, size, is_key=is_key, encoded_bytes=encoded_bytes)


class MeasuredTiming:
    """Times as they were on this machine; such a call is not repeatable."""

    is_measured = True

    def encode_us(
        self, *, codec: Codec, speed: int, size: FrameSize, is_key: bool, encoded_bytes: int, measured_us: int
    ) -> int:
        """What the encoder took."""
        del codec, speed, size, is_key, encoded_bytes
        return measured_us

    def decode_us(self, *, codec: Codec, size: FrameSize, is_key: bool, encoded_bytes: int, measured_us: int) -> int:
        """What the decoder took."""
        del codec, size, is_key, encoded_bytes
        return measured_us
