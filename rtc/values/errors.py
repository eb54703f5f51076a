"""One base error and three branches, split by whose fault it is."""


class CallError(Exception):
    """Base of every error this project raises on purpose; its text is one line a user can act on."""


class LocalMisuse(CallError):
    """Our own caller asked for something impossible; nothing was changed."""


class RemoteProtocolError(CallError):
    """Bytes from a peer do not follow their format. Counted, traced and dropped, never raised past `rtc.rtp`."""


class CodecError(CallError):
    """A codec library is missing, does not fit, or refused an order."""
