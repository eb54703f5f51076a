"""RTCP: compound packets to values and back, one file a family of messages."""
