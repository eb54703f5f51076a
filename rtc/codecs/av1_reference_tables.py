"""Which of AV1's named references maps to which slot, as libaom is told for every frame."""

from typing import Any, Final

from rtc.codecs.av1_slots import NAMED_REFERENCES, REFERENCE_NAMES, SPARE_NAMES, SlotTracker
from rtc.codecs.libaom_binding.loader import ffi
from rtc.values.encoding import REFERENCE_SLOTS, FrameEncodeSettings

MAX_KEPT: Final = 256


class ReferenceTables:
    """Keeps the tables it made, because calls repeat a few patterns and a frame should cost microseconds here."""

    def __init__(self) -> None:
        self._kept: dict[tuple[tuple[int, ...], frozenset[int], int], Any] = {}

    def table(self, settings: FrameEncodeSettings, slots: SlotTracker) -> Any:  # noqa: ANN401 - a cffi struct
        """The `aom_svc_ref_frame_config_t` of an order that `slots` let pass."""
        rest = slots.resting_slot(settings)
        pattern = (settings.references, settings.update_slots, rest)
        table = self._kept.get(pattern)
        if table is None:
            if len(self._kept) >= MAX_KEPT:
                self._kept.clear()
            table = self._kept[pattern] = _build(settings.references, settings.update_slots, rest)
        return table


def _build(references: tuple[int, ...], update: frozenset[int], rest: int) -> Any:  # noqa: ANN401 - a cffi struct
    """References come first; a slot can be updated only when some name maps it."""
    table = ffi.new("aom_svc_ref_frame_config_t *")
    for name in range(NAMED_REFERENCES):
        table.ref_idx[name] = rest
    for name, slot in zip(REFERENCE_NAMES, references, strict=False):
        table.reference[name] = 1
        table.ref_idx[name] = slot
    if references:
        spare = (name for name in SPARE_NAMES if not table.reference[name])
        for slot in sorted(update.difference(references)):
            table.ref_idx[next(spare)] = slot
    for slot in range(REFERENCE_SLOTS):
        table.refresh[slot] = slot in update
    return table
