"""What the receiver knows to be missing, and when to ask for it (RFC 4585 section 6.2.1)."""

from collections.abc import Iterable
from dataclasses import dataclass

from rtc.values.errors import LocalMisuse


@dataclass(frozen=True, slots=True, kw_only=True)
class NackConfig:
    """When to ask for a packet, how often, and when to let it go."""

    reordering_tolerance_us: int = 0
    """Least wait between seeing a gap and asking. 0, as browsers do: a needless retransmission costs one packet, a late
    one costs delay."""
    max_learned_tolerance_us: int = 30_000
    """Most wait that reordering seen on the path may add to that; 0 learns nothing. Where packets overtake each other
    all the time, asking at once would have a third of the stream sent twice."""
    retry_margin_us: int = 10_000
    """Added to the round trip before asking again, for the pacer and the jitter of the answer."""
    min_retry_interval_us: int = 20_000
    """Floor between two requests for one packet, for round trips too short to measure well."""
    max_tries: int = 15
    """Requests for one packet. Where each of request and answer is lost one time in ten, 15 fail together about once
    in 10**11; more would only burden a path that is down."""
    max_age_us: int = 2_000_000
    """Missing for longer than this is given up; the sender's `RetransmissionBuffer` keeps packets no longer."""
    max_missing: int = 1_000
    """Missing packets remembered; beyond it the oldest are given up (libwebrtc's bound)."""

    def __post_init__(self) -> None:
        tolerances = (self.reordering_tolerance_us, self.max_learned_tolerance_us)
        if min(*tolerances, self.retry_margin_us, self.min_retry_interval_us) < 0:
            raise LocalMisuse("NACK tolerances and intervals must not be negative")
        if min(self.max_tries, self.max_age_us, self.max_missing) < 1:
            raise LocalMisuse("max_tries, max_age_us and max_missing must be at least 1")


@dataclass(slots=True)
class _Missing:
    """One packet that did not come: when its gap was seen, when it is due (asking or giving up), requests so far."""

    revealed_at_us: int
    due_at_us: int
    tries: int = 0


class NackTracker:
    """Remembers gaps in the unwrapped sequence numbers of one stream and says which packets to ask for now.

    Driven by `on_packet` for each packet of the stream, original or restored from RTX, and by `poll_nacks` at
    `next_timeout_us` and after each packet. Promises never to ask for a packet that came, that was forgotten or given
    up, nor for one packet twice within a round trip; never remembers more than `max_missing` packets.
    """

    def __init__(self, config: NackConfig | None = None) -> None:
        self._config = config or NackConfig()
        self._missing: dict[int, _Missing] = {}
        self._highest: int | None = None
        self._next_due_us: int | None = None
        self._given_up: list[int] = []
        self._learned_tolerance_us = 0
        self.packets_requested = 0
        """Sequence numbers asked for, repeats counted."""
        self.packets_recovered = 0
        """Missing packets that came as a retransmission."""
        self.packets_reordered = 0
        """Missing packets that came by themselves."""
        self.packets_given_up = 0
        """Missing packets for which tries, age or room ran out; deliberate forgetting is not counted."""

    @property
    def missing_count(self) -> int:
        """Packets missing now."""
        return len(self._missing)

    def on_packet(self, unwrapped_sequence: int, now_us: int, *, is_retransmission: bool = False) -> None:
        """Take note of a packet that came; those it shows to be missing become due after the tolerance."""
        highest = self._highest
        if highest is None:
            self._highest = unwrapped_sequence
        elif unwrapped_sequence <= highest:
            self._fill(unwrapped_sequence, now_us, is_retransmission=is_retransmission)
        else:
            self._highest = unwrapped_sequence
            if unwrapped_sequence > highest + 1:
                self._reveal(highest + 1, unwrapped_sequence, now_us)

    def expect(self, first: int, end: int, now_us: int) -> None:
        """Hold [first, end) for missing on other evidence than a gap.

        For the start of a stream: the first packet seen is in the middle of a frame, so others were sent before it.
        """
        if self._highest is None or end > self._highest:
            raise LocalMisuse(f"packets [{first}, {end}) must lie below the highest packet seen ({self._highest})")
        self._reveal(first, end, now_us)

    def poll_nacks(self, now_us: int, round_trip_us: int) -> tuple[int, ...]:
        """Sequences to ask for now, ascending; each is due again a round trip and a margin later."""
        if self._next_due_us is None or now_us < self._next_due_us:
            return ()
        retry_us = max(round_trip_us + self._config.retry_margin_us, self._config.min_retry_interval_us)
        asked = [sequence for sequence, entry in self._due(now_us) if self._ask(sequence, entry, now_us, retry_us)]
        self._next_due_us = min((entry.due_at_us for entry in self._missing.values()), default=None)
        self.packets_requested += len(asked)
        return tuple(sorted(asked))

    def poll_given_up(self) -> tuple[int, ...]:
        """Sequences given up since the last call, ascending; frames they belong to will not be assembled.

        Of a gap wider than `max_missing` only the newest of those never entered is named.
        """
        if not self._given_up:
            return ()
        given_up = tuple(sorted(self._given_up))
        self._given_up.clear()
        return given_up

    def give_up_before(self, sequence: int) -> None:
        """Stop wanting everything older than this, because decoding goes on without it."""
        self.forget([missing for missing in self._missing if missing < sequence])

    def forget(self, sequences: Iterable[int]) -> None:
        """Stop wanting these, because they would come too late to be of use."""
        for sequence in sequences:
            self._missing.pop(sequence, None)
        if not self._missing:
            self._next_due_us = None

    def next_timeout_us(self) -> int | None:
        """When `poll_nacks` may next have something to say; never later than that, possibly earlier."""
        return self._next_due_us

    @property
    def reordering_tolerance_us(self) -> int:
        """Wait between seeing a gap and asking, by what is known of the path now."""
        return self._config.reordering_tolerance_us + self._learned_tolerance_us

    def _fill(self, sequence: int, now_us: int, *, is_retransmission: bool) -> None:
        entry = self._missing.pop(sequence, None)
        if entry is None:
            return
        if is_retransmission:
            self.packets_recovered += 1
            self._learn_lateness(0)
        else:
            self.packets_reordered += 1
            self._learn_lateness(now_us - entry.revealed_at_us)
        if not self._missing:
            self._next_due_us = None

    def _learn_lateness(self, lateness_us: int) -> None:
        """Follow the upper range of how late reordered packets come: up by a quarter, down by a 32nd.

        A packet that was truly lost counts as not reordered at all, so loss without reordering leads back to asking at
        once.
        """
        learned_us = self._learned_tolerance_us
        lateness_us = min(lateness_us, self._config.max_learned_tolerance_us)
        self._learned_tolerance_us += (lateness_us - learned_us) // (4 if lateness_us > learned_us else 32)

    def _reveal(self, first: int, end: int, now_us: int) -> None:
        """Enter [first, end) as missing, the newest `max_missing` of it, making room by giving up the oldest."""
        beyond_bound = end - first - self._config.max_missing
        if beyond_bound > 0:
            first += beyond_bound
            self._note_given_up(first - 1, packets=beyond_bound)
        due_us = now_us + min(self.reordering_tolerance_us, self._config.max_age_us)
        for sequence in range(first, end):
            self._missing.setdefault(sequence, _Missing(now_us, due_us))
        excess = len(self._missing) - self._config.max_missing
        if excess > 0:
            for sequence in sorted(self._missing)[:excess]:
                self._give_up(sequence)
        if self._next_due_us is None or due_us < self._next_due_us:
            self._next_due_us = due_us

    def _due(self, now_us: int) -> list[tuple[int, _Missing]]:
        return [(sequence, entry) for sequence, entry in self._missing.items() if entry.due_at_us <= now_us]

    def _ask(self, sequence: int, entry: _Missing, now_us: int, retry_us: int) -> bool:
        """Count one more request, or give the packet up where its tries or its time are used up."""
        gives_up_at_us = entry.revealed_at_us + self._config.max_age_us
        if entry.tries >= self._config.max_tries or now_us >= gives_up_at_us:
            self._give_up(sequence)
            return False
        entry.tries += 1
        entry.due_at_us = min(now_us + retry_us, gives_up_at_us)
        return True

    def _give_up(self, sequence: int) -> None:
        del self._missing[sequence]
        self._note_given_up(sequence, packets=1)

    def _note_given_up(self, newest: int, *, packets: int) -> None:
        self.packets_given_up += packets
        # A list nobody polls must not grow for ever: the newest say enough.
        if len(self._given_up) >= self._config.max_missing:
            del self._given_up[0]
        self._given_up.append(newest)
