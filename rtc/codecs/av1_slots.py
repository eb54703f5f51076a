"""Which reference slots of an AV1 encoder hold what, and which orders they allow."""

from typing import Final

from rtc.values.encoding import REFERENCE_SLOTS, EncodedAs, FrameEncodeSettings
from rtc.values.errors import LocalMisuse
from rtc.values.formats import FrameSize

MAX_SHRINK: Final = 2
MAX_GROWTH: Final = 16
"""A reference may be at most 2 times larger and 16 times smaller than the frame (AV1 specification, section 7.9.1)."""
NAMED_REFERENCES: Final = 7
"""LAST, LAST2, LAST3, GOLDEN, BWDREF, ALTREF2, ALTREF: a frame maps each to a slot."""
REFERENCE_NAMES: Final = (0, 3, 6)
"""The names real-time speeds search: LAST, GOLDEN, ALTREF. The first reference is LAST, which costs fewest bits."""
SPARE_NAMES: Final = (1, 2, 5, 4, 6, 3, 0)
"""The names that map slots only to have them updated, in the order they are taken: those first whose update libaom's
own rate control does not mistake for a golden frame (measured)."""
ALL_SLOTS: Final = frozenset(range(REFERENCE_SLOTS))


class SlotTracker:
    """Remembers the coded size in each slot; driven by the encoder, frame by frame.

    Promises that an order it lets pass makes frames that decoders accept.
    """

    def __init__(self, full: FrameSize) -> None:
        self._full = full
        self._sizes: list[FrameSize | None] = [None] * REFERENCE_SLOTS

    @property
    def is_empty(self) -> bool:
        """Whether nothing was encoded yet."""
        return self._sizes[0] is None

    def check(self, settings: FrameEncodeSettings) -> None:
        """Raise `LocalMisuse` for an order that these slots do not allow; changes nothing."""
        if settings.encode_as is EncodedAs.KEY:
            if settings.update_slots != ALL_SLOTS:
                raise LocalMisuse(
                    f"a key frame that updates slots {sorted(settings.update_slots)}; it updates all {REFERENCE_SLOTS}"
                )
            return
        mapped = settings.update_slots.union(settings.references)
        if len(mapped) > NAMED_REFERENCES:
            raise LocalMisuse(f"a delta frame over {len(mapped)} slots; it can name {NAMED_REFERENCES} at most")
        for slot in settings.references:
            self._check_reference(slot, settings.coded_size)
        self._check_same_size_comes_first(settings)

    def on_encoded(self, settings: FrameEncodeSettings) -> None:
        """The order was carried out: its frame now fills the slots it updates."""
        for slot in settings.update_slots:
            self._sizes[slot] = settings.coded_size

    def resting_slot(self, settings: FrameEncodeSettings) -> int:
        """The slot for names that serve nothing: filled, and not updated where that is possible.

        While such names point at an updated slot, libaom's own rate control stops learning, and misses its target by
        up to half (measured).
        """
        if not settings.references:
            return 0
        first = settings.references[0]
        if first not in settings.update_slots:
            return first
        coded, alike = settings.coded_size, self._sizes[first] == settings.coded_size
        for slot, held in enumerate(self._sizes):
            if held is None or slot in settings.update_slots or not _within_limits(held, coded):
                continue
            if alike or held != coded or coded == self._full:
                return slot
        return first

    def _check_reference(self, slot: int, coded: FrameSize) -> None:
        held = self._sizes[slot]
        if held is None:
            raise LocalMisuse(f"slot {slot} is referenced and was never filled; start with a key frame")
        if not _within_limits(held, coded):
            raise LocalMisuse(
                f"{coded} predicted from slot {slot} of {held}; each side must be at least half and at most 16 times "
                "that of a reference"
            )

    def _check_same_size_comes_first(self, settings: FrameEncodeSettings) -> None:
        """Below full size libaom says "same size as reference n", and goes wrong unless that is the first (measured).

        Frames made otherwise are refused by dav1d and by libaom itself; see `tests/rtc/codecs`.
        """
        coded = settings.coded_size
        if coded == self._full or self._sizes[settings.references[0]] == coded:
            return
        for slot in settings.update_slots.union(settings.references):
            if self._sizes[slot] == coded:
                raise LocalMisuse(
                    f"{coded} predicted first from slot {settings.references[0]} of another size, with slot {slot} of "
                    f"{coded} also named, makes a stream decoders refuse; reference a slot of {coded} first, "
                    "or update slots of other sizes"
                )


def _within_limits(reference: FrameSize, coded: FrameSize) -> bool:
    if reference == coded:
        return True
    return (
        reference.width <= MAX_SHRINK * coded.width
        and reference.height <= MAX_SHRINK * coded.height
        and coded.width <= MAX_GROWTH * reference.width
        and coded.height <= MAX_GROWTH * reference.height
    )
