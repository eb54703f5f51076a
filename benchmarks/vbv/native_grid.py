"""The settings of libaom's own CBR that are tried at each point, and which of them counts as the best."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from rtc.codecs.encoder_values import EncoderOptions, NativeRateBuffer

MOST_OVER_TARGET: Final = 1.02
"""Encoded over target up to which settings are in the running; more bits would buy any quality."""
BUFFERS: Final = (
    NativeRateBuffer(),
    NativeRateBuffer(size_ms=400, initial_ms=240, optimal_ms=240),
    NativeRateBuffer(size_ms=200, initial_ms=120, optimal_ms=120),
)
MAX_QUANTIZERS: Final = (56, 63)
GRID: Final = tuple(
    EncoderOptions(native_buffer=buffer, native_max_quantizer=most, native_cyclic_refresh=refresh)
    for buffer, most, refresh in product(BUFFERS, MAX_QUANTIZERS, (True, False))
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """How one encode came out."""

    encoded_over_target: float
    psnr_db: float


def best_trial(trials: Sequence[Trial]) -> int:
    """The index of the best PSNR among those near enough to the target; where none is, of the lowest rate."""
    near = [index for index, trial in enumerate(trials) if trial.encoded_over_target <= MOST_OVER_TARGET]
    if near:
        return max(near, key=lambda index: trials[index].psnr_db)
    return min(range(len(trials)), key=lambda index: trials[index].encoded_over_target)


def settings_text(options: EncoderOptions) -> str:
    """Settings in a table's cell."""
    buffer = options.native_buffer
    refresh = "on" if options.native_cyclic_refresh else "off"
    return (
        f"buffer {buffer.size_ms}/{buffer.initial_ms}/{buffer.optimal_ms} ms, max q {options.native_max_quantizer}, "
        f"cyclic refresh {refresh}"
    )
