"""Named random substreams of one seed, so that a draw added in one place never shifts the draws of another."""

import hashlib
import random
from typing import Self


class RandomStream(random.Random):
    """A reproducible stream of numbers; `substream` derives an independent one for a named purpose."""

    _origin: tuple[int, str]

    @classmethod
    def of_seed(cls, seed: int, name: str = "call") -> Self:
        """The stream that a seed and a name stand for; the same on every machine."""
        stream = cls(int.from_bytes(hashlib.sha256(f"{seed}/{name}".encode()).digest(), "big"))
        stream._origin = (seed, name)
        return stream

    def substream(self, name: str) -> Self:
        """The stream of this seed for a purpose; depends on the names alone, not on what was drawn before."""
        seed, path = self._origin
        return self.of_seed(seed, f"{path}/{name}")
