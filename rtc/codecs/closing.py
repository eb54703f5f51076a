"""What holds memory of a library's is closed when its block ends."""

import abc
from types import TracebackType
from typing import Self


class Closing(abc.ABC):
    """A context manager whose end is `close`."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @abc.abstractmethod
    def close(self) -> None:
        """Give the memory back; closing twice is harmless."""
