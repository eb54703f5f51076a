"""RTP payload types and header extension ids that both sides use: what a session description agrees on."""

from dataclasses import dataclass
from typing import Final

from rtc.rtp.header_extensions import ExtensionMap, ExtensionUri
from rtc.values.formats import Codec

EXTENSIONS: Final = ExtensionMap(
    {
        ExtensionUri.TRANSPORT_SEQUENCE: 3,
        ExtensionUri.FRAME_METADATA: 9,
        ExtensionUri.FRAME_ACK: 10,
    }
)
"""Between our own peers; a browser's offer brings its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PayloadTypes:
    """Dynamic payload types (RFC 3551 section 6): one per codec, and one for its retransmissions (RFC 4588 `apt`)."""

    media: tuple[tuple[Codec, int], ...] = ((Codec.AV1, 96), (Codec.H264, 98))
    retransmission: tuple[tuple[Codec, int], ...] = ((Codec.AV1, 97), (Codec.H264, 99))


class PayloadTypeMap:
    """Looks payload types up both ways."""

    def __init__(self, types: PayloadTypes) -> None:
        self._media = dict(types.media)
        self._retransmission = dict(types.retransmission)
        self._codec_of_media = {number: codec for codec, number in types.media}
        self._codec_of_retransmission = {number: codec for codec, number in types.retransmission}

    def media(self, codec: Codec) -> int:
        """Payload type of a codec's media."""
        return self._media[codec]

    def retransmission(self, codec: Codec) -> int:
        """Payload type of a codec's retransmissions."""
        return self._retransmission[codec]

    def codec_of_media(self, number: int) -> Codec | None:
        """The codec a media payload type stands for."""
        return self._codec_of_media.get(number)

    def codec_of_retransmission(self, number: int) -> Codec | None:
        """The codec a retransmission payload type stands for."""
        return self._codec_of_retransmission.get(number)
