"""What a user does on the shared screen, and when: mostly nothing, then a burst."""

import enum
from collections.abc import Generator, Iterator
from dataclasses import dataclass

from rtc.values.randomness import RandomStream
from rtc.values.units import US_PER_MS, US_PER_S

_TICK_US = 16_667
"""A screen draws 60 times a second."""
_SENTENCE = (
    "the encoder keeps frames small when links are slow and lets them grow again as queues drain so that nobody waits "
    "for a picture that is already old while each side hears what the other saw last"
)
_CODE = (
    "def on_packet(self, packet):",
    "    if packet.late(now):",
    "        return None",
    "    self.buffer.insert(packet)",
    "    for frame in self.ready():",
    "        yield frame.decode()",
    "total = sum(sizes) / len(sizes)",
    "while queue and queue[0].at <= now:",
    "    queue.pop(0).run()",
)


class Window(enum.Enum):
    """The three windows of the desktop; one is seen at a time."""

    PAGE = 0
    EDITOR = 1
    SHEET = 2


@dataclass(frozen=True, slots=True)
class Scroll:
    """Move the content of the window seen by so many parts in 1000 of a screen height, down when positive."""

    parts: int


@dataclass(frozen=True, slots=True)
class TypeText:
    """Type into the editor; a line feed starts a new line."""

    text: str


@dataclass(frozen=True, slots=True)
class Show:
    """Bring a window to the front."""

    window: Window


@dataclass(frozen=True, slots=True)
class Point:
    """The mouse pointer is there, in parts in 1000 of the screen."""

    across: int
    down: int


Action = Scroll | TypeText | Show | Point


def random_words(stream: RandomStream, count: int) -> str:
    """So many words of plain text."""
    words = _SENTENCE.split()
    return " ".join(stream.choice(words) for _ in range(count))


def random_code(stream: RandomStream) -> str:
    """A line of code."""
    return stream.choice(_CODE)


def actions(stream: RandomStream) -> Iterator[tuple[int, Action]]:
    """Actions with their times, in order, without end."""
    at_us = 600 * US_PER_MS
    window, pointer = Window.PAGE, Point(500, 500)
    while True:
        target = Point(stream.randrange(150, 900), stream.randrange(150, 850))
        at_us = yield from _timed(at_us, _pointing(pointer, target))
        pointer = target
        activity = _typing(stream) if window is Window.EDITOR else _scrolling(stream)
        at_us = yield from _timed(at_us, activity)
        at_us += stream.randrange(1500 * US_PER_MS, 4 * US_PER_S)
        if stream.randrange(3):
            window = stream.choice([other for other in Window if other is not window])
            yield at_us, Show(window)
            at_us += stream.randrange(800 * US_PER_MS, 2 * US_PER_S)


def _timed(at_us: int, steps: Iterator[tuple[int, Action]]) -> Generator[tuple[int, Action], None, int]:
    """Turn waits into times; returns when the last step is done."""
    for wait_us, action in steps:
        at_us += wait_us
        yield at_us, action
    return at_us


def _pointing(start: Point, end: Point) -> Iterator[tuple[int, Action]]:
    """Half a second's move that starts and ends gently."""
    for step in range(1, 31):
        part = step * step * (90 - 2 * step)
        across = start.across + (end.across - start.across) * part // 27_000
        yield _TICK_US, Point(across, start.down + (end.down - start.down) * part // 27_000)


def _scrolling(stream: RandomStream) -> Iterator[tuple[int, Action]]:
    """Some turns of the wheel, each gliding to a stop."""
    for _ in range(stream.randrange(2, 6)):
        direction = 1 if stream.randrange(5) else -1
        for step in range(12):
            yield _TICK_US, Scroll(direction * (24 - 2 * step))
        yield stream.randrange(200 * US_PER_MS, 900 * US_PER_MS), Scroll(0)


def _typing(stream: RandomStream) -> Iterator[tuple[int, Action]]:
    """A few lines at some eight characters a second."""
    for _ in range(stream.randrange(1, 4)):
        for character in random_code(stream).lstrip() + "\n":
            yield stream.randrange(60 * US_PER_MS, 190 * US_PER_MS), TypeText(character)
