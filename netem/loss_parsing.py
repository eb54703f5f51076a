"""Text to loss models: an option's words, and a recording of 0 and 1."""

from decimal import Decimal

from netem.loss import BurstyLoss, LossModel, RandomLoss, RecordedLoss
from netem.trace_text import content_lines, number_or_none, seen
from rtc.values.errors import LocalMisuse

_NEED = "need a fraction below 1 (0.05 or 5%) or bursty:FRACTION:MEAN_BURST"


def parse_loss(text: str) -> LossModel:
    """`0.05`, `5%` or `bursty:FRACTION:MEAN_BURST` (the mean in packets, 1 or more); LocalMisuse for all else."""
    words = text.strip().split(":")
    if len(words) == 1:
        return RandomLoss(fraction=_fraction(words[0], text))
    if len(words) == 3 and words[0].lower() == "bursty":  # noqa: PLR2004 - the word, the fraction, the burst
        mean_burst = number_or_none(words[2])
        if mean_burst is None:
            raise LocalMisuse(f"loss {seen(text)}: {seen(words[2])} is no number of packets; {_NEED}")
        return BurstyLoss(fraction=_fraction(words[1], text), mean_burst=float(mean_burst))
    raise LocalMisuse(f"loss {seen(text)}: {_NEED}")


def parse_recorded_loss(text: str) -> RecordedLoss:
    """One digit a line, a line a packet: 1 lost, 0 arrived."""
    lines = content_lines(text.removeprefix("\ufeff"), kind="file of recorded loss")
    for number, line in lines:
        if line not in {"0", "1"}:
            raise LocalMisuse(f"line {number}: {seen(line)}; a file of recorded loss needs 0 or 1 on each line")
    return RecordedLoss(lost=tuple(line == "1" for _, line in lines))


def _fraction(word: str, text: str) -> float:
    percent = word.endswith("%")
    value = number_or_none(word.removesuffix("%").rstrip())
    if value is None:
        raise LocalMisuse(f"loss {seen(text)}: {_NEED}")
    fraction = value / 100 if percent else value
    if not 0 <= fraction < 1:
        hint = f"; {value}% is written {value}%" if not percent and Decimal(1) < value < Decimal(100) else ""
        raise LocalMisuse(f"loss {seen(text)}: must be at least 0 and below 1{hint}; {_NEED}")
    return float(fraction)
