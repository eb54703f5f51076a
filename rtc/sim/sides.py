"""The two sides of a call and the two directions between them."""

import enum


class DirectionName(enum.Enum):
    """A direction, by the name it has in every output."""

    A_TO_B = "a_to_b"
    B_TO_A = "b_to_a"


class Side(enum.Enum):
    """One of the two who call; A is the one whose network is named, and the only one to send in a one-way call."""

    A = "a"
    B = "b"

    @property
    def peer(self) -> "Side":
        """The other side."""
        return Side.B if self is Side.A else Side.A

    @property
    def outgoing(self) -> DirectionName:
        """The direction it sends in."""
        return DirectionName.A_TO_B if self is Side.A else DirectionName.B_TO_A

    @property
    def incoming(self) -> DirectionName:
        """The direction it receives from."""
        return self.peer.outgoing
