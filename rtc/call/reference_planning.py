"""Which slots a frame is predicted from and which it replaces, and which frames those slots hold."""

from typing import Final, NamedTuple

from rtc.values.encoding import REFERENCE_SLOTS, EncodedAs
from rtc.values.formats import FrameSize

ALL_SLOTS: Final = frozenset(range(REFERENCE_SLOTS))
_ONLY: Final = tuple(frozenset({slot}) for slot in range(REFERENCE_SLOTS))


class ReferencePlan(NamedTuple):
    """One encode's references, by slot for the encoder and by frame id for the network layer."""

    encode_as: EncodedAs
    size: FrameSize
    references: tuple[int, ...]
    update_slots: frozenset[int]
    reference_frame_ids: tuple[int, ...]

    @property
    def is_key(self) -> bool:
        """Whether it is predicted from nothing."""
        return self.encode_as is EncodedAs.KEY

    @property
    def keeps_references(self) -> bool:
        """Whether what it is predicted from is still there once it is encoded."""
        return self.update_slots.isdisjoint(self.references)


class ReferencePlanner:
    """Each frame from the one before; a key frame fills every slot.

    `plan` orders the first encode of a picture and `again` each further one; `on_encoded` says that the encoder carried
    a plan out, `commit` that what it made is sent. A plan never carried out leaves no trace.

    A further encode needs the same references, so frames take turns in `1 + spares` slots, the lowest ones, and each
    encode of a picture fills another slot than that of the newest frame. The other slots are left for layers and
    long-term references. Without spares a frame takes the place of the one before, as in a codec that keeps its
    references itself. A codec that cannot resize starts anew, with a key frame, at another size.
    """

    def __init__(self, *, spares: int = 0, can_resize: bool = True) -> None:
        self._spares = spares
        self._can_resize = can_resize
        self.forget()

    @property
    def needs_key_frame(self) -> bool:
        """Whether there is nothing to predict from."""
        return self._held[self._last_slot] is None

    def plan(self, *, key: bool, size: FrameSize) -> ReferencePlan:
        """The next frame's references; a key frame where `key` or where nothing else can be."""
        last = self._held[self._last_slot]
        if key or last is None or not (self._can_resize or size == self._sizes[self._last_slot]):
            return ReferencePlan(
                encode_as=EncodedAs.KEY, size=size, references=(), update_slots=ALL_SLOTS, reference_frame_ids=()
            )
        return ReferencePlan(
            encode_as=EncodedAs.DELTA,
            size=size,
            references=(self._last_slot,),
            update_slots=_ONLY[self._slot_to_fill(size)],
            reference_frame_ids=(last,),
        )

    def again(self, plan: ReferencePlan, size: FrameSize | None = None) -> ReferencePlan | None:
        """Another encode of the picture of `plan`, after that one, of that size or of its own.

        None where its references are gone, or no slot may take it.
        """
        size = size or plan.size
        if plan.is_key:
            return plan._replace(size=size)
        further = plan._replace(size=size, update_slots=_ONLY[self._slot_to_fill(size)])
        return further if plan.keeps_references and further.keeps_references else None

    def on_encoded(self, plan: ReferencePlan) -> None:
        """The encoder carried `plan` out; what the slots then hold, nobody has been sent."""
        self._fill(plan, None)

    def commit(self, plan: ReferencePlan, frame_id: int) -> None:
        """What the encoder made of `plan` is sent as `frame_id`."""
        self._fill(plan, frame_id)
        self._last_slot = 0 if plan.is_key else min(plan.update_slots)

    def forget(self) -> None:
        """Start anew, as a newly opened encoder does."""
        self._held: list[int | None] = [None] * REFERENCE_SLOTS
        self._sizes: list[FrameSize | None] = [None] * REFERENCE_SLOTS
        self._turns = list(range(1 + self._spares))
        self._last_slot = 0

    def _fill(self, plan: ReferencePlan, frame_id: int | None) -> None:
        for slot in plan.update_slots:
            self._held[slot] = frame_id
            self._sizes[slot] = plan.size
            if not plan.is_key and self._turns[-1] != slot:
                self._turns.remove(slot)
                self._turns.append(slot)

    def _slot_to_fill(self, size: FrameSize) -> int:
        """The spare slot filled longest ago, or the newest frame's where there is none.

        At a change of size a slot that holds a frame of the new size must not be touched: libaom then makes a stream
        that decoders refuse (measured; see `rtc/codecs/av1_slots.py`).
        """
        resized = size != self._sizes[self._last_slot]
        for slot in self._turns:
            if slot != self._last_slot and not (resized and size == self._sizes[slot]):
                return slot
        return self._last_slot
