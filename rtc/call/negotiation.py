"""Which codecs each side may send, agreed once at set-up so that later switches need no renegotiation.

The two directions are agreed apart: a device may decode a codec that it cannot encode in time (article, "Peer Device
Decoding Latency-Aware Codec Switch").
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from rtc.values.errors import LocalMisuse
from rtc.values.formats import Codec, CodecEligibility

PREFERENCE: Final = (Codec.AV1, Codec.H264)
"""AV1 first: at least a fifth fewer bits at equal quality (article, "Why Is Meta Interested in Adopting AV1")."""

ALL_CODECS: Final = frozenset(Codec)
EVERYTHING: Final = CodecEligibility(may_encode=ALL_CODECS, may_decode=ALL_CODECS)


@dataclass(frozen=True, slots=True, kw_only=True)
class NegotiatedCodecs:
    """Codecs of one endpoint, each direction in order of preference; the first is where the call starts."""

    may_send: tuple[Codec, ...]
    may_receive: tuple[Codec, ...]

    @property
    def send_first(self) -> Codec:
        """The codec to start sending with."""
        return self.may_send[0]


def negotiate(*, local: CodecEligibility, remote: CodecEligibility) -> NegotiatedCodecs:
    """What `local` may send to and must accept from `remote`; LocalMisuse when a direction is left with no codec."""
    return NegotiatedCodecs(
        may_send=_shared(local.may_encode, remote.may_decode),
        may_receive=_shared(remote.may_encode, local.may_decode),
    )


def _shared(encode: Iterable[Codec], decode: Iterable[Codec]) -> tuple[Codec, ...]:
    common = set(encode) & set(decode)
    if not common:
        encodes, decodes = (" ".join(sorted(codec.value for codec in side)) or "nothing" for side in (encode, decode))
        raise LocalMisuse(f"no codec in common: the sender encodes {encodes}, the receiver decodes {decodes}")
    return tuple(codec for codec in PREFERENCE if codec in common)
