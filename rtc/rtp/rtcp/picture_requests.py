"""Payload-specific feedback: PLI, RPSI (RFC 4585 sections 6.3.1 and 6.3.3) and FIR (RFC 5104 section 4.3.1).

    PLI:  SSRC of sender | SSRC of media
    FIR:  SSRC of sender | 0 | entries of  SSRC of media (32) | sequence (8) | reserved (24)
    RPSI: SSRC of sender | SSRC of media |

    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
    |   PB = 0      |0|payload type |   frame number, 16 bits       |
    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+

RPSI names the picture by a "native bit string" of the codec. AV1 and H.264 have none, so this project's is the 16-bit
frame number of its frame-metadata extension, for both; PB, the bits of padding behind the string, is then always 0.
"""

import struct

from rtc.rtp.rtcp.framing import (
    FMT_FULL_INTRA,
    FMT_PICTURE_LOSS,
    FMT_REFERENCE_PICTURE,
    PAYLOAD_FEEDBACK,
    SSRC_PAIR,
    frame_packet,
)
from rtc.values.errors import LocalMisuse, RemoteProtocolError
from rtc.values.feedback import FullIntraRequest, PictureLossIndication, ReferencePictureSelection

_FULL_INTRA_ENTRY = struct.Struct("!IB3x")
_REFERENCE_PICTURE = struct.Struct("!IIBBH")
_MAX_PAYLOAD_TYPE = 127


def serialise_picture_loss(request: PictureLossIndication) -> bytes:
    """One RTCP packet."""
    return frame_packet(PAYLOAD_FEEDBACK, FMT_PICTURE_LOSS, SSRC_PAIR.pack(request.sender_ssrc, request.media_ssrc))


def serialise_full_intra(request: FullIntraRequest) -> bytes:
    """One RTCP packet."""
    body = SSRC_PAIR.pack(request.sender_ssrc, 0) + _FULL_INTRA_ENTRY.pack(request.media_ssrc, request.command_sequence)
    return frame_packet(PAYLOAD_FEEDBACK, FMT_FULL_INTRA, body)


def serialise_reference_picture(selection: ReferencePictureSelection) -> bytes:
    """One RTCP packet."""
    if not 0 <= selection.payload_type <= _MAX_PAYLOAD_TYPE:
        raise LocalMisuse(f"payload type {selection.payload_type}: must be 0..{_MAX_PAYLOAD_TYPE}")
    body = _REFERENCE_PICTURE.pack(
        selection.sender_ssrc, selection.media_ssrc, 0, selection.payload_type, selection.frame_number
    )
    return frame_packet(PAYLOAD_FEEDBACK, FMT_REFERENCE_PICTURE, body)


def parse_picture_loss(body: bytes) -> PictureLossIndication:
    """The indication in a body."""
    if len(body) != SSRC_PAIR.size:
        raise RemoteProtocolError(f"PLI of {len(body)} bytes: must be {SSRC_PAIR.size}")
    sender_ssrc, media_ssrc = SSRC_PAIR.unpack(body)
    return PictureLossIndication(sender_ssrc=sender_ssrc, media_ssrc=media_ssrc)


def parse_full_intra(body: bytes) -> tuple[FullIntraRequest, ...]:
    """One request for each entry of a body."""
    entries = len(body) - SSRC_PAIR.size
    if entries < _FULL_INTRA_ENTRY.size or entries % _FULL_INTRA_ENTRY.size:
        raise RemoteProtocolError(f"FIR of {len(body)} bytes: must be 8 and 8 more for each entry, one at least")
    sender_ssrc, _ = SSRC_PAIR.unpack_from(body)
    return tuple(
        [
            FullIntraRequest(sender_ssrc=sender_ssrc, media_ssrc=media_ssrc, command_sequence=sequence)
            for media_ssrc, sequence in _FULL_INTRA_ENTRY.iter_unpack(body[SSRC_PAIR.size :])
        ]
    )


def parse_reference_picture(body: bytes) -> ReferencePictureSelection:
    """The selection in a body."""
    if len(body) != _REFERENCE_PICTURE.size:
        raise RemoteProtocolError(f"RPSI of {len(body)} bytes: with a 16-bit frame number it is 12")
    sender_ssrc, media_ssrc, padding_bits, payload_type, frame_number = _REFERENCE_PICTURE.unpack(body)
    if padding_bits or payload_type > _MAX_PAYLOAD_TYPE:
        raise RemoteProtocolError(
            f"RPSI with {padding_bits} padding bits and payload type {payload_type}: 0 and 0..127"
        )
    return ReferencePictureSelection(
        sender_ssrc=sender_ssrc, media_ssrc=media_ssrc, payload_type=payload_type, frame_number=frame_number
    )
