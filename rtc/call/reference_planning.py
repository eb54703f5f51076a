"""Which slots a frame is predicted from and which it replaces, and which frames those slots hold."""

from dataclasses import dataclass

from rtc.values.encoding import REFERENCE_SLOTS, EncodedAs

LAST_SLOT = 0
"""The slot of the newest frame; the others are left for spare encodes, layers and long-term references."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferencePlan:
    """One frame's references, by slot for the encoder and by frame id for the network layer."""

    encode_as: EncodedAs
    references: tuple[int, ...]
    update_slots: frozenset[int]
    reference_frame_ids: tuple[int, ...]


class ReferencePlanner:
    """Each frame from the one before; a key frame fills every slot.

    `plan` orders, `commit` says that the frame of that plan was really encoded. A plan never committed leaves no trace,
    as an encoder that skipped the frame does.
    """

    def __init__(self) -> None:
        self._held: list[int | None] = [None] * REFERENCE_SLOTS

    @property
    def needs_key_frame(self) -> bool:
        """Whether there is nothing to predict from."""
        return self._held[LAST_SLOT] is None

    def plan(self, *, key: bool) -> ReferencePlan:
        """The next frame's references; a key frame where `key` or where nothing else can be."""
        last = self._held[LAST_SLOT]
        if key or last is None:
            return ReferencePlan(
                encode_as=EncodedAs.KEY,
                references=(),
                update_slots=frozenset(range(REFERENCE_SLOTS)),
                reference_frame_ids=(),
            )
        return ReferencePlan(
            encode_as=EncodedAs.DELTA,
            references=(LAST_SLOT,),
            update_slots=frozenset({LAST_SLOT}),
            reference_frame_ids=(last,),
        )

    def commit(self, plan: ReferencePlan, frame_id: int) -> None:
        """Note that `frame_id` was encoded to `plan`."""
        for slot in plan.update_slots:
            self._held[slot] = frame_id

    def forget(self) -> None:
        """Start anew, as a newly opened encoder does."""
        self._held = [None] * REFERENCE_SLOTS
